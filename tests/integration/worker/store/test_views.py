"""What people plot from: figures without texts, for who may only read."""

from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import pytest
from prometheus_client import CollectorRegistry

from schemas import Auroc, Meta, ScoreStatus, Verdict
from tests.integration.worker.store.conftest import connected
from tests.integration.worker.store.factories import NOON, labelled, minutes, scored, snapshot
from worker.store import Outcome
from worker.store.roles import PRIVATE, VIEWS
from worker.telemetry import Telemetry

pytestmark = pytest.mark.services


def meta(**overrides: Any) -> Meta:
    return Meta(**{"passed": True, "latency_ms": 10, "profile": "default", "rule": "r", "encoder": "e"} | overrides)


async def record(database: str, *outcomes: Outcome) -> None:
    store = await connected(database)
    await store.record(outcomes)
    await store.close()


async def view(address: str, name: str, order: str) -> list[dict[str, Any]]:
    connection = await asyncpg.connect(address, server_settings={"search_path": "groundwatch"})
    try:
        return [dict(row) for row in await connection.fetch(f"SELECT * FROM {name} ORDER BY {order}")]
    finally:
        await connection.close()


async def test_decisions_by_the_hour(database: str, reader: str) -> None:
    unscored = {"scores": {"final": None}, "score_status": ScoreStatus.NO_CONTEXT}
    await record(
        database,
        scored(0, "r-1", decided_at=minutes(1), meta=meta(latency_ms=10), scores={"final": 0.8}),
        scored(1, "r-2", decided_at=minutes(2), meta=meta(latency_ms=20), scores={"final": 0.2}, decision=Verdict.REJECT, degraded=True),
        scored(2, "r-3", decided_at=minutes(59), meta=meta(latency_ms=90), **unscored, decision=Verdict.REVIEW),
        scored(3, "r-4", decided_at=minutes(60), **unscored),
        scored(4, "r-5", decided_at=minutes(60), model="m-2"),
    )
    first, *others = await view(reader, "decisions_hourly", "hour, model")
    assert first == {
        "hour": NOON,
        "dataset": "travel",
        "model": "m-1",
        "decisions": 3,
        "accepted": 1,
        "to_review": 1,
        "rejected": 1,
        "scored_share": pytest.approx(2 / 3),
        "mean_final": pytest.approx(0.5),
        "degraded_share": pytest.approx(1 / 3),
        "latency_ms_median": 20,
        "latency_ms_p95": pytest.approx(83),
    }
    assert [(row["hour"], row["model"], row["mean_final"]) for row in others] == [(minutes(60), "m-1", None), (minutes(60), "m-2", 0.75)]


async def test_labels_by_the_day(database: str, reader: str) -> None:
    await record(
        database, labelled(0, "r-1", 1), labelled(1, "r-2", 0), labelled(2, "r-2", 1, minute=5), labelled(3, "r-3", minute=12 * 60)
    )
    day = datetime(2026, 1, 2, tzinfo=UTC)
    assert await view(reader, "labels_daily", "day") == [
        {"day": day, "source": "human", "labels": 3, "grounded": 2, "hallucinated": 1, "unsure": 0},
        {"day": day + timedelta(days=1), "source": "human", "labels": 1, "grounded": 1, "hallucinated": 0, "unsure": 0},
    ]


async def test_the_history_of_auroc_has_a_reason_where_it_has_no_figure(database: str, reader: str) -> None:
    none = Auroc(auroc=None, low=None, high=None, grounded=2, hallucinated=0, reason="no_hallucinated_labels")
    store = await connected(database)
    await store.save_snapshots([snapshot(), snapshot(taken_at=minutes(1), scores={"final": none})])
    await store.close()
    segment = {"dataset": "travel", "model": "m-1"}
    assert await view(reader, "auroc_history", "taken_at") == [
        {"taken_at": NOON, **segment, "auroc": 0.75, "low": 0.5, "high": 1.0, "grounded": 1, "hallucinated": 1, "reason": None},
        {"taken_at": minutes(1), **segment, **none.model_dump()},
    ]


async def test_what_waits_for_a_label(database: str, reader: str) -> None:
    review = {"decision": Verdict.REVIEW}
    await record(
        database,
        scored(0, "accepted"),
        scored(1, "labelled", **review),
        scored(2, "unlabelled", **review, decided_at=minutes(0)),
        scored(3, "audited", meta=meta(audit=True), decided_at=minutes(1)),
        labelled(0, "labelled"),
    )
    queue = await view(reader, "review_queue", "decided_at")
    assert [(row["response_id"], row["decision"], row["audit"]) for row in queue] == [
        ("unlabelled", "REVIEW", False),
        ("audited", "ACCEPT", True),
    ]
    assert queue[0]["age_seconds"] - queue[1]["age_seconds"] == pytest.approx(60)


async def test_who_labels_how_much_and_how_soon(database: str, reader: str) -> None:
    decided = [scored(number, f"r-{number}", decided_at=minutes(0)) for number in range(4)]
    again = scored(4, "r-1", fingerprint="f-2", decided_at=minutes(1))
    given = [labelled(number, f"r-{number}", minute=minute) for number, minute in enumerate((-60, 2, 4, 8))]
    await record(database, *decided, again, *given, labelled(4, "unknown", minute=1))
    (load,) = await view(reader, "review_load", "day")
    assert load == {
        "day": datetime(2026, 1, 2, tzinfo=UTC),
        "source": "human",
        "annotator": None,
        "labels": 5,
        "seconds_to_label_median": 240,
    }


async def test_the_latency_budget_is_that_of_the_metric(database: str, reader: str) -> None:
    times = [(50, 100), (50.001, 100), (0.1, 0.2), (1, 0), (0, 0), (10, None)]
    decided = [
        scored(number, f"r-{number}", meta=meta(latency_ms=latency, llm_latency_ms=llm)) for number, (latency, llm) in enumerate(times)
    ]
    await record(database, *decided)
    (budget,) = await view(reader, "latency_budget", "day")
    registry = CollectorRegistry()
    Telemetry(registry).settled(decided)
    within, over = (
        registry.get_sample_value("groundwatch_latency_budget_total", {"dataset": "travel", "model": "m-1", "budget": word})
        for word in ("within", "over")
    )
    assert (within, over) == (3, 2)
    assert budget == {
        "day": datetime(2026, 1, 2, tzinfo=UTC),
        "dataset": "travel",
        "model": "m-1",
        "decisions": 5,
        "within_share": pytest.approx(within / 5),
        "ratio_median": 0.5,
        "ratio_p95": pytest.approx(0.5, abs=1e-4),
    }


async def test_no_view_takes_anything_from_private_tables(database: str) -> None:
    connection = await asyncpg.connect(database)
    used = await connection.fetch("SELECT view_name, table_name FROM information_schema.view_table_usage WHERE view_schema = 'groundwatch'")
    await connection.close()
    assert {row["view_name"] for row in used} == set(VIEWS)
    assert not {row["table_name"] for row in used} & PRIVATE
