"""A Kafka broker without an installation: librdkafka's mock cluster in a process of its own.

It speaks the real protocol, makes topics by itself (4 partitions each) and keeps them in memory. It has no CreateTopics request
(`kafka.manage_topics` must be false) and is no proof of reliability.
"""

import importlib.util
import select
import subprocess
import sys
from types import TracebackType
from typing import Final, Self

from worker.errors import BrokerUnavailable, ConfigurationError

START_SECONDS: Final = 30
STOP_SECONDS: Final = 5


class EmbeddedBroker:
    """Context manager: the broker lives as long as the block, and never longer than this process.

    Raises ConfigurationError where confluent-kafka is not installed, BrokerUnavailable when the broker does not start.
    """

    bootstrap_servers: str
    """`host:port`, once entered."""

    def __enter__(self) -> Self:
        if importlib.util.find_spec("confluent_kafka") is None:
            raise ConfigurationError("the embedded broker needs confluent-kafka: pip install 'groundwatch[demo]'")
        # A process group of its own, so that Ctrl-C reaches whoever uses the broker before the broker.
        self._process = subprocess.Popen(
            [sys.executable, "-m", "worker.embedded.broker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, process_group=0
        )
        try:
            self.bootstrap_servers = self._address()
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._stop()

    @property
    def pid(self) -> int:
        """The broker's process."""
        return self._process.pid

    def _address(self) -> str:
        assert self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], START_SECONDS)
        address = self._process.stdout.readline().strip() if ready else ""
        if not address:
            raise BrokerUnavailable(f"the embedded broker did not start within {START_SECONDS} s; its last lines are above")
        return address

    def _stop(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()


def serve() -> None:
    """Run the broker until stdin closes; its address is the one line on stdout."""
    from confluent_kafka.admin import AdminClient  # noqa: PLC0415 - an extra, needed by this process alone

    cluster = AdminClient({"test.mock.num.brokers": 1, "log_level": 3})
    brokers = cluster.list_topics(timeout=START_SECONDS).brokers.values()
    print(",".join(f"{broker.host}:{broker.port}" for broker in brokers), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    serve()
