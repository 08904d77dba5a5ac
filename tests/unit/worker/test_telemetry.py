"""What is counted. Senders name the segments, so their series are bounded."""

import pytest
from prometheus_client import CollectorRegistry

from schemas import Meta
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


@pytest.mark.parametrize(
    ("latency_ms", "llm_latency_ms", "counted"),
    [(50, 100, {"within": 1}), (51, 100, {"over": 1}), (0, 0, {"within": 1}), (1, 0, {"over": 1}), (1, None, {})],
)
def test_a_decision_is_held_to_half_of_the_llms_own_time(latency_ms: float, llm_latency_ms: float | None, counted: dict[str, int]) -> None:
    meta = Meta(passed=True, latency_ms=latency_ms, llm_latency_ms=llm_latency_ms, profile="default", rule="r", encoder="e")
    registry = CollectorRegistry()
    Telemetry(registry).settled([scored(meta=meta)])

    found = {
        sample.labels["budget"]: sample.value
        for metric in registry.collect()
        for sample in metric.samples
        if sample.name == "groundwatch_latency_budget_total"
    }
    assert found == counted
