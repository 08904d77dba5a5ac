"""How Kafka clients are let in: the arguments that all of them share, and why a broker turns one away."""

import asyncio
import ssl
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, Final

from aiokafka.abc import AbstractTokenProvider
from aiokafka.conn import collect_hosts, create_conn
from aiokafka.errors import IllegalSaslStateError, KafkaConnectionError, KafkaError, SaslAuthenticationFailed, UnsupportedSaslMechanismError
from aiokafka.protocol.metadata import MetadataRequest

from worker.credentials import SecretUnreadable, certificate_fault, read_secret, secret, tls_context
from worker.errors import BrokerUnavailable
from worker.settings import Kafka

_PROBE_SECONDS: Final = 5
"""Longest wait for one server while it is asked why it turns a client away."""


class TokenFile(AbstractTokenProvider):  # type: ignore[misc]
    """The token for OAUTHBEARER as the file holds it when a connection is made."""

    def __init__(self, path: Path) -> None:
        self._path = path

    async def token(self) -> str:
        """Raises SecretUnreadable."""
        return read_secret("kafka.token_file", self._path)


def client_arguments(kafka: Kafka) -> dict[str, Any]:
    """What every aiokafka client is made with, files read anew. Raises BrokerUnavailable naming a file that cannot be used."""
    arguments: dict[str, Any] = {"bootstrap_servers": kafka.bootstrap_servers}
    try:
        return arguments | _security(kafka)
    except SecretUnreadable as unreadable:
        raise BrokerUnavailable(str(unreadable)) from None


async def reach(kafka: Kafka, start: Callable[[], Awaitable[Any]]) -> None:
    """Await `start` of a client. Raises BrokerUnavailable with the reason where a server turns groundwatch away."""
    if kafka.sasl_mechanism == "OAUTHBEARER" and kafka.authenticated and (reason := await refusal(kafka)):
        raise BrokerUnavailable(reason)  # the client takes a refused token for an accepted one
    try:
        await start()
    except (KafkaError, OSError) as failed:  # the client keeps the reason to itself
        if reason := await refusal(kafka):
            raise BrokerUnavailable(reason) from failed
        raise


async def refusal(kafka: Kafka) -> str | None:
    """Why a bootstrap server turns groundwatch away, and what to do; None when none does, be it that none answers. Never raises."""
    for host, port, _ in collect_hosts(kafka.bootstrap_servers):
        try:
            async with asyncio.timeout(_PROBE_SECONDS):
                await _ask(kafka, host, port)
        except Exception as fault:  # whatever the client raises at a server that may be none
            if reason := next(filter(None, (_reason(kafka, cause) for cause in _causes(fault))), None):
                return f"the broker at {host}:{port} cannot be used: {reason}"
    return None


def unanswered(kafka: Kafka, silent: BaseException) -> str:
    """What to say of a broker that turned nobody away and told nothing."""
    where = f"the broker at {kafka.bootstrap_servers}"
    return f"{where} does not tell its offsets ({type(silent).__name__}); check that it runs, and kafka.bootstrap_servers"


def _security(kafka: Kafka) -> dict[str, Any]:
    arguments: dict[str, Any] = {"security_protocol": kafka.security_protocol}
    if kafka.encrypted:
        arguments["ssl_context"] = tls_context("kafka", kafka.ca_file, kafka.certificate_file, kafka.key_file)
    if kafka.authenticated:
        arguments |= {"sasl_mechanism": kafka.sasl_mechanism} | _identity(kafka)
    return arguments


def _identity(kafka: Kafka) -> dict[str, Any]:
    if kafka.token_file and kafka.sasl_mechanism == "OAUTHBEARER":
        return {"sasl_oauth_token_provider": TokenFile(kafka.token_file)}
    return {"sasl_plain_username": kafka.user, "sasl_plain_password": secret("kafka.password", kafka.password, kafka.password_file)}


async def _ask(kafka: Kafka, host: str, port: int) -> None:
    """What a client asks first; raises what the client swallows."""
    connection = await create_conn(host, port, **_security(kafka))
    try:
        metadata = await connection.send(MetadataRequest([]))
    finally:
        connection.close()
    if kafka.authenticated and not metadata.brokers:
        raise SaslAuthenticationFailed


def _reason(kafka: Kafka, fault: BaseException) -> str | None:
    """What a fault says about groundwatch's access; None when the broker does not answer at all."""
    said: str | None = None
    match fault:
        case SecretUnreadable():
            said = str(fault)
        case ssl.SSLCertVerificationError():
            said = certificate_fault(fault, "kafka", "kafka.bootstrap_servers")
        case ssl.SSLError(reason=str(alert)) if "ALERT" in alert and "CERTIFICATE" in alert:
            said = f"it does not accept the client's certificate, or wants one ({alert}); see kafka.certificate_file and kafka.key_file"
        case UnsupportedSaslMechanismError():
            said = f"it does not offer {kafka.sasl_mechanism}; set kafka.sasl_mechanism to one that it does"
        case SaslAuthenticationFailed() if kafka.sasl_mechanism == "OAUTHBEARER":
            said = f"it refuses the token in {kafka.token_file}; renew it: it is read again at the next try"
        case SaslAuthenticationFailed():
            said = f"it refuses user {kafka.user} or the password ({kafka.sasl_mechanism}); mend kafka.user and kafka.password_file"
        case ConnectionRefusedError():
            pass
        case IllegalSaslStateError() | ssl.SSLError() | ConnectionResetError() | KafkaConnectionError():
            protocol = kafka.security_protocol
            said = f"either it is restarting, or its listener on this port does not speak {protocol}: look at kafka.security_protocol"
    return said


def _causes(fault: BaseException | None) -> Iterator[BaseException]:
    """From the root up: what is underneath says more."""
    if fault is not None:
        yield from _causes(fault.__cause__)
        yield fault
