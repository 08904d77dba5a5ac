"""What the monitor asks the broker before Faust, which dies when there is no answer, is started."""

from collections.abc import Sequence

from aiokafka.client import AIOKafkaClient

from worker.access import client_arguments, reach
from worker.errors import BrokerUnavailable
from worker.kafka import broker_errors
from worker.settings import Kafka


async def check_topics(kafka: Kafka, topics: Sequence[str]) -> None:
    """Raise BrokerUnavailable unless the broker answers and has `topics`.

    A broker that makes topics by itself (`manage_topics` false) does so when asked.
    """
    client = AIOKafkaClient(**client_arguments(kafka))
    with broker_errors(kafka):
        try:
            await reach(kafka, client.bootstrap)
            if not kafka.manage_topics:
                await client.set_topics(topics)
            cluster = await client.fetch_all_metadata()
        finally:
            await client.close()
    if missing := [topic for topic in topics if not cluster.partitions_for_topic(topic)]:
        raise BrokerUnavailable(f"topic {', '.join(missing)} does not exist yet; `groundwatch topics create` makes it")
