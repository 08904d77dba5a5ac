"""A real Kafka that asks its clients who they are, over TLS."""

import base64
import json
import os
import time
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from confluent_kafka.admin import AclBinding, AclOperation, AclPermissionType, AdminClient, ResourcePatternType, ResourceType

from benchmarks.real_kafka import RealKafka, free_pair_of_ports
from tests.certificates import Authority, Certificate
from worker.settings import Kafka

USER: Final = "app"
"""May do everything, as may who says no name and who shows the certificate of `client`."""
LEAST: Final = "least"
"""May do what `SecureKafka.permit` lets it."""
PASSWORD: Final = "Recognise-This-Kafka-Password"
LISTENERS: Final = {
    "SSL": "SSL",
    "SASL_SSL": "SASL_SSL",
    "SASL_PLAINTEXT": "SASL_PLAINTEXT",
    "MUTUAL": "SSL",
    "EXPIRED": "SASL_SSL",
    "ELSEWHERE": "SASL_SSL",
    "BRIEF": "SASL_SSL",
}
"""Each listener's name and protocol. MUTUAL wants a client certificate; EXPIRED and ELSEWHERE show a certificate of that kind; BRIEF
ends a connection once it is BRIEF_SECONDS old."""
BRIEF_SECONDS: Final = 2

_PLAIN: Final = {"PLAINTEXT": "PLAINTEXT", "CONTROLLER": "PLAINTEXT"}


class SecureKafka(RealKafka):
    """Beside the plain listener of RealKafka one for each of LISTENERS, with the user USER for every mechanism."""

    def __init__(self, script: Path, directory: Path) -> None:
        super().__init__(script, directory)
        self.directory = directory
        self.authority = Authority(directory, "trusted")
        self.stranger = Authority(directory, "stranger")
        self.client = self.authority.sign("client")
        self._ports = {name: free_pair_of_ports() for name in LISTENERS}
        self._password = self.file(f"{PASSWORD}\n")
        self._configure()

    def address(self, listener: str) -> str:
        """`host:port` of one of LISTENERS."""
        return f"127.0.0.1:{self._ports[listener]}"

    def settings(self, listener: str = "SASL_SSL", **changes: Any) -> dict[str, Any]:
        """Settings under `kafka` for one of LISTENERS, by SCRAM with the right password where it asks; `changes` go over them."""
        protocol = LISTENERS[listener]
        settings: dict[str, Any] = {"bootstrap_servers": self.address(listener), "security_protocol": protocol}
        if protocol.endswith("SSL"):
            settings["ca_file"] = self.authority.file
        if protocol.startswith("SASL"):
            settings |= {"user": USER, "password_file": self._password}
        return {name: value for name, value in (settings | changes).items() if value is not None}

    def environment(self, listener: str = "SASL_SSL", **changes: Any) -> dict[str, str]:
        """These settings as variables of the command."""
        return {f"GROUNDWATCH_KAFKA__{name.upper()}": str(value) for name, value in self.settings(listener, **changes).items()}

    def file(self, content: str) -> Path:
        """A new file with `content`."""
        path = self.directory / f"file-{uuid4().hex}"
        path.write_text(content)
        return path

    def start(self) -> None:
        """Return once the broker answers. Raises BrokerUnavailable."""
        mechanisms = ("SCRAM-SHA-256", "SCRAM-SHA-512")
        users = [f"--add-scram '{mechanism}=[name={user},password={PASSWORD}]'" for mechanism in mechanisms for user in (USER, LEAST)]
        os.environ["KAFKA_FORMAT_ARGS"] = " ".join(users)
        try:
            super().start()
        finally:
            del os.environ["KAFKA_FORMAT_ARGS"]

    def permit(self, kafka: Kafka) -> None:
        """Give LEAST what SECURITY.md says that the worker needs, and nothing else."""
        topics = kafka.topics
        reads = (topics.responses, topics.labels, topics.pairs, topics.decisions)
        writes = (topics.decisions, topics.pairs, topics.auroc, topics.dead_letters)
        bindings = [_permission(ResourceType.TOPIC, name, AclOperation.READ) for name in reads]
        bindings += [_permission(ResourceType.TOPIC, name, AclOperation.WRITE) for name in writes]
        bindings += [_permission(ResourceType.TOPIC, name, AclOperation.DESCRIBE) for name in topics.all()]
        bindings.append(_permission(ResourceType.GROUP, kafka.group, AclOperation.READ, ResourcePatternType.PREFIXED))
        client = AdminClient({"bootstrap.servers": self.bootstrap_servers})
        for made in client.create_acls(bindings).values():
            made.result(timeout=30)

    def _configure(self) -> None:
        server = self._keystore(self.authority.sign("server"))
        expired = self._keystore(self.authority.sign("expired", days=-1))
        elsewhere = self._keystore(self.authority.sign("elsewhere", names="DNS:elsewhere.invalid"))
        listeners = ",".join(f"{name}://{self.address(name)}" for name in LISTENERS)
        plain = f"PLAINTEXT://{self.bootstrap_servers}"
        module = "org.apache.kafka.common.security"
        properties = {
            "listeners": f"{plain},CONTROLLER://127.0.0.1:{self._port + 1},{listeners}",
            "advertised.listeners": f"{plain},{listeners}",
            "listener.security.protocol.map": ",".join(f"{n}:{p}" for n, p in (_PLAIN | LISTENERS).items()),
            "ssl.keystore.type": "PEM",
            "ssl.keystore.location": str(server),
            "ssl.truststore.type": "PEM",
            "ssl.truststore.location": str(self.authority.file),
            "listener.name.mutual.ssl.client.auth": "required",
            "listener.name.expired.ssl.keystore.location": str(expired),
            "listener.name.elsewhere.ssl.keystore.location": str(elsewhere),
            "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
            "super.users": f"User:ANONYMOUS;User:{USER};User:CN=client",
            "sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER",
        }
        for listener in (name.lower() for name, protocol in LISTENERS.items() if protocol.startswith("SASL")):
            start = f"listener.name.{listener}"
            properties |= {
                f"{start}.plain.sasl.jaas.config": f'{module}.plain.PlainLoginModule required user_{USER}="{PASSWORD}";',
                f"{start}.scram-sha-256.sasl.jaas.config": f"{module}.scram.ScramLoginModule required;",
                f"{start}.scram-sha-512.sasl.jaas.config": f"{module}.scram.ScramLoginModule required;",
                **({f"{start}.oauthbearer.connections.max.reauth.ms": str(BRIEF_SECONDS * 1000)} if listener == "brief" else {}),
                f"{start}.oauthbearer.sasl.jaas.config": f"{module}.oauthbearer.OAuthBearerLoginModule required;",
            }
        (self.directory / "extra.properties").write_text("".join(f"{key}={value}\n" for key, value in properties.items()))

    def _keystore(self, made: Certificate) -> Path:
        store = made.certificate.with_suffix(".keystore.pem")
        store.write_text(made.both)
        return store


def _permission(kind: Any, name: str, operation: Any, pattern: Any = ResourcePatternType.LITERAL) -> AclBinding:
    return AclBinding(kind, name, pattern, f"User:{LEAST}", "*", operation, AclPermissionType.ALLOW)


def unsecured_token(user: str, seconds: int = 3600, **claims: Any) -> str:
    """A token for OAUTHBEARER that a broker without a key takes: signed by nobody."""
    now = int(time.time())
    return ".".join(_encoded(part) for part in ({"alg": "none"}, {"sub": user, "iat": now, "exp": now + seconds, **claims})) + "."


def _encoded(part: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode()
