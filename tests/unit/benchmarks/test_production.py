"""Simulated production: what its evenings know, what is stated, and the command over it."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest
import typer
from typer.testing import CliRunner

from benchmarks import production
from benchmarks.production import stated_delay
from benchmarks.simulated import DAYS, FALLS, START, Production
from benchmarks.traffic import TRUTH
from worker.measurement.watch import Span

ANSWERS = 20_000
BASELINE_VARIANCE = 0.016**2


def first_days(count: int) -> Span:
    return Span(START, START + timedelta(days=count))


def test_labels_come_late_and_are_three_in_a_hundred() -> None:
    simulated = Production(4 * ANSWERS, seed=3)
    day = first_days(1)

    evening, later, ever = (simulated.measure(day, until) for until in (day.until, day.until + timedelta(days=2), None))
    assert 0 < evening.pairs < later.pairs < ever.pairs
    assert evening.corrected.decided == ever.corrected.decided == 4 * ANSWERS // DAYS
    assert simulated.seen.labelled.mean() == pytest.approx(0.03, abs=0.002)


def test_the_truth_falls_when_it_is_said_to() -> None:
    before, after = Production(4 * ANSWERS, fall=0.1, seed=3).regimes

    assert before.span.until == after.span.since == START + timedelta(days=FALLS)
    assert (before.corrected, after.corrected) == (pytest.approx(TRUTH, abs=0.01), pytest.approx(TRUTH - 0.1, abs=0.015))


def test_what_was_served_before_the_fall_is_as_if_there_were_none() -> None:
    fallen, steady = (Production(ANSWERS, fall=fall, seed=3) for fall in (0.1, 0.0))

    assert fallen.measure(first_days(FALLS)) == steady.measure(first_days(FALLS))


def test_a_smaller_fall_is_given_more_time_and_one_that_labels_cannot_tell_is_promised_nothing() -> None:
    great, small = stated_delay(0.2, BASELINE_VARIANCE), stated_delay(0.1, BASELINE_VARIANCE)

    assert great is not None and small is not None
    assert great < small
    assert stated_delay(0.05, BASELINE_VARIANCE) is None
    assert stated_delay(0.1, BASELINE_VARIANCE / 4) < small  # type: ignore[operator]


@pytest.mark.timeout(180)
def test_the_command_prints_and_writes_its_figures_and_fails_where_a_bar_is_missed(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(production, "SIZES", (0.15,))
    monkeypatch.setattr(production, "UNCHANGED", 1)
    app = typer.Typer()
    app.command()(production.main)

    ran = CliRunner().invoke(app, ["--runs", "1", "--responses", str(ANSWERS), "--out", str(tmp_path / "found.json")])

    found = orjson.loads((tmp_path / "found.json").read_bytes())
    assert [one["fall"] for one in found["falls"]] == [0.15]
    assert {(one["figure"], one["days"]) for one in found["coverage"]} == {
        (name, days) for name in ("plain", "corrected") for days in (1, 7, 14)
    }
    assert ran.exit_code == bool(found["missed"])
    assert all(f"missed: {one}" in ran.output for one in found["missed"])
    assert "stated days" in ran.output


def test_bars_are_missed_by_name() -> None:
    late = {"fall": 0.1, "runs": 20, "in_time": 18}
    found = {
        "falls": [late, late | {"in_time": 19}, late | {"in_time": None}],
        "unchanged": {"alarms": 1},
        "coverage": [{"figure": "plain", "days": 7, "share": 0.9, "low": low, "high": high} for low, high in ((0.88, 0.92), (0.88, 0.93))],
    }

    assert production._missed(found) == [
        "a fall of 0.1 raised an alarm in time in 18 of 20 runs",
        "1 runs without a fall raised an alarm",
        "the plain interval of 7 days covers 90.0%",
    ]
