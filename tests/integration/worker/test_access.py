"""Every way into a real Kafka that asks who is there, and every way to be turned away."""

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from schemas import Limits
from tests.real_kafka import fresh_names
from tests.secure_kafka import BRIEF_SECONDS, LEAST, PASSWORD, USER, SecureKafka, unsecured_token
from worker.errors import BrokerUnavailable
from worker.ledger import Partition
from worker.monitor.broker import check_topics
from worker.settings import Kafka
from worker.topics import create_topics, offset_bounds, open_producer, topic_partitions

pytestmark = [pytest.mark.kafka, pytest.mark.services, pytest.mark.timeout(180)]

WRONG = "Recognise-This-Wrong-Secret"
WAYS_IN: dict[str, tuple[str, dict[str, Any]]] = {
    "tls": ("SSL", {}),
    "client certificate": ("MUTUAL", {"certificate_file": "client.pem", "key_file": "client.key"}),
    "plain": ("SASL_SSL", {"sasl_mechanism": "PLAIN"}),
    "scram 256": ("SASL_SSL", {"sasl_mechanism": "SCRAM-SHA-256"}),
    "scram 512": ("SASL_SSL", {"sasl_mechanism": "SCRAM-SHA-512"}),
    "token": ("SASL_SSL", {"sasl_mechanism": "OAUTHBEARER", "token_file": unsecured_token(USER), "user": None, "password_file": None}),
    "no tls": ("SASL_PLAINTEXT", {}),
    "password from the environment": ("SASL_SSL", {"password_file": None, "password": PASSWORD}),
}
TURNED_AWAY: dict[str, tuple[str, dict[str, Any], str]] = {
    "wrong password": ("SASL_SSL", {"password_file": WRONG}, f"it refuses user {USER} or the password"),
    "wrong password, plain": ("SASL_SSL", {"password_file": WRONG, "sasl_mechanism": "PLAIN"}, "mend kafka.user and kafka.password_file"),
    "unknown user": ("SASL_SSL", {"user": "nobody"}, "it refuses user nobody"),
    "token that has expired": (
        "SASL_SSL",
        {"sasl_mechanism": "OAUTHBEARER", "token_file": unsecured_token(USER, -60), "user": None, "password_file": None},
        "it refuses the token in",
    ),
    "no token": (
        "SASL_SSL",
        {"sasl_mechanism": "OAUTHBEARER", "token_file": Path("/absent/token"), "user": None, "password_file": None},
        "kafka.token_file: /absent/token cannot be read (No such file or directory)",
    ),
    "no password file": ("SASL_SSL", {"password_file": Path("/absent/password")}, "kafka.password_file: /absent/password cannot be read"),
    "no authority": ("SSL", {"ca_file": Path("/absent/ca.pem")}, "kafka.ca_file: /absent/ca.pem is no PEM file"),
    "authority that is none": ("SSL", {"ca_file": WRONG}, "is no PEM file of certificates"),
    "wrong authority": ("SASL_SSL", {"ca_file": "stranger-ca.pem"}, "its certificate is signed by nobody in kafka.ca_file"),
    "expired certificate": ("EXPIRED", {}, "its certificate has expired; renew it"),
    "certificate of another host": ("ELSEWHERE", {}, "use a name of the certificate in kafka.bootstrap_servers"),
    "no client certificate": ("MUTUAL", {}, "it does not accept the client's certificate, or wants one"),
    "another's key": ("MUTUAL", {"certificate_file": "client.pem", "key_file": "server.key"}, "no certificate with its own"),
    "plaintext to tls": ("SSL", {"security_protocol": "PLAINTEXT", "ca_file": None}, "does not speak PLAINTEXT"),
    "tls without sasl": ("SASL_SSL", {"security_protocol": "SSL", "user": None, "password_file": None}, "does not speak SSL"),
    "sasl where there is none": ("SSL", {"security_protocol": "SASL_SSL", "user": USER, "password": WRONG}, "does not speak SASL_SSL"),
}


def settings(secure: SecureKafka, listener: str, changes: dict[str, Any]) -> Kafka:
    """`changes`: names of certificate files as they are, other texts as the content of a file."""
    made = {}
    for name, value in changes.items():
        if name.endswith("_file") and isinstance(value, str):
            made[name] = secure.directory / value if value.endswith((".pem", ".key")) else secure.file(value)
        else:
            made[name] = value
    return Kafka(**(secure.settings(listener, **made) | fresh_names()), partitions=1)


@pytest.mark.parametrize("way", WAYS_IN)
async def test_every_client_is_let_in(secure_kafka: SecureKafka, way: str) -> None:
    kafka = settings(secure_kafka, *WAYS_IN[way])
    await create_topics(kafka, Limits())
    async with open_producer(kafka, Limits()) as producer:
        await producer.send_and_wait(kafka.topics.pairs, b"message")
    assert await offset_bounds(kafka, [Partition(kafka.topics.pairs, 0)]) == {Partition(kafka.topics.pairs, 0): (0, 1)}
    await check_topics(kafka, [kafka.topics.pairs])


@pytest.mark.parametrize("way", TURNED_AWAY)
async def test_the_reason_is_one_line_that_names_what_to_mend(secure_kafka: SecureKafka, way: str) -> None:
    listener, changes, says = TURNED_AWAY[way]
    kafka = settings(secure_kafka, listener, changes)
    with pytest.raises(BrokerUnavailable) as refused:
        await topic_partitions(kafka)
    said = str(refused.value)
    assert says in said
    assert "\n" not in said
    assert not any(secret in said for secret in (WRONG, PASSWORD))
    with pytest.raises(BrokerUnavailable):
        await check_topics(kafka, [kafka.topics.pairs])


async def test_what_a_user_may_not_do_is_told_from_an_outage(secure_kafka: SecureKafka) -> None:
    everything = settings(secure_kafka, "SASL_SSL", {})
    await create_topics(everything, Limits())
    nothing = everything.model_copy(update={"user": LEAST})
    with pytest.raises(BrokerUnavailable, match=rf"does not let user {LEAST} do this.*SECURITY\.md"):
        async with open_producer(nothing, Limits()) as producer:
            await producer.send_and_wait(nothing.topics.pairs, b"message")


async def test_a_renewed_password_or_token_is_read_at_the_next_try(secure_kafka: SecureKafka) -> None:
    for mechanism, name, right in (("SCRAM-SHA-256", "password_file", PASSWORD), ("OAUTHBEARER", "token_file", unsecured_token(USER))):
        kafka = settings(secure_kafka, "SASL_SSL", {"sasl_mechanism": mechanism, "user": USER, "password_file": None, name: WRONG})
        with pytest.raises(BrokerUnavailable):
            await topic_partitions(kafka)
        getattr(kafka, name).write_text(right)
        await topic_partitions(kafka)


async def test_clients_go_on_with_the_token_that_is_there_when_the_broker_ends_their_connections(secure_kafka: SecureKafka) -> None:
    by_token = {"sasl_mechanism": "OAUTHBEARER", "user": None, "password_file": None, "token_file": unsecured_token(USER)}
    kafka = settings(secure_kafka, "BRIEF", by_token)
    assert kafka.token_file is not None
    await create_topics(kafka, Limits())
    sent = 0
    end = time.monotonic() + 4 * BRIEF_SECONDS
    async with open_producer(kafka, Limits()) as producer:
        while time.monotonic() < end:
            kafka.token_file.write_text(unsecured_token(USER, BRIEF_SECONDS))  # each is soon worth nothing
            await producer.send_and_wait(kafka.topics.pairs, b"message")
            sent += 1
            await asyncio.sleep(BRIEF_SECONDS / 10)
    at = Partition(kafka.topics.pairs, 0)
    assert await offset_bounds(kafka, [at]) == {at: (0, sent)}
