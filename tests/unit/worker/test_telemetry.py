"""Senders name the segments, so their series are bounded."""

from prometheus_client import CollectorRegistry

from tests.integration.worker.store.factories import scored
from worker.telemetry import Telemetry


def test_segments_beyond_the_most_share_one_series() -> None:
    registry = CollectorRegistry()
    Telemetry(registry, 2).settled([scored(number, dataset=f"d-{number}", model="m") for number in range(50)])

    counted = {
        sample.labels["dataset"]: sample.value
        for metric in registry.collect()
        for sample in metric.samples
        if sample.name == "groundwatch_decisions_total"
    }
    assert counted == {"d-0": 1, "d-1": 1, "(other)": 48}
