"""The figures of a period, for `groundwatch auroc --hours`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from worker.cli.options import WrongUse
from worker.cli.output import print_json, print_table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schemas import Auroc
    from worker.measurement.corrected import Corrected
    from worker.measurement.period import PeriodFigures
    from worker.settings import Settings
    from worker.store import Segment

_HEADINGS = ("dataset", "model", "auroc of the labelled", "labels", "auroc of all answers", "answers", "of labels", "outside")


class Clock(StrEnum):
    """The time that counts. (As in the store, which takes long to import.)"""

    LABELLED = "labelled"
    SERVED = "served"


class Period(NamedTuple):
    """What is to be measured."""

    length: timedelta
    clock: Clock
    segment: str | None
    dimension: str | None
    """NAME=VALUE."""


async def measure(settings: Settings, period: Period) -> Mapping[Segment, PeriodFigures]:
    """The figures of each segment until now; of one without labels too when it is the one that is asked for. Raises WrongUse."""
    from worker import store as stored
    from worker.cli.services import open_store
    from worker.measurement.period import measure_period

    since, dimension = datetime.now(UTC) - period.length, _dimension(period.dimension, settings)
    found = {}
    async with open_store(settings) as store:
        for segment in await store.segments():
            if period.segment in {None, "/".join(segment)}:
                which = stored.PairFilter(
                    dataset=segment.dataset,
                    model=segment.model,
                    since=since,
                    clock=stored.Clock(period.clock.value),
                    dimension=dimension,
                )
                found[segment] = measure_period(await store.pairs(which), await store.scored_cells(which))
    if period.segment is not None and not found:
        raise WrongUse(f"segment {period.segment} has no labelled answer; `groundwatch auroc` lists those that have one")
    return found


def print_period(figures: Mapping[Segment, PeriodFigures], *, as_json: bool) -> None:
    """A segment a row."""
    if as_json:
        print_json([segment._asdict() | _as_json(one) for segment, one in figures.items()])
    else:
        print_table(_HEADINGS, [_row(segment, one) for segment, one in figures.items()], empty="no labelled answer yet")


def _row(segment: Segment, one: PeriodFigures) -> tuple[object, ...]:
    plain, corrected = one.plain, one.corrected
    return (
        *segment,
        _figure(plain),
        plain.grounded + plain.hallucinated,
        _figure(corrected),
        corrected.decided,
        corrected.labels,
        one.outside,
    )


def _figure(one: Auroc | Corrected) -> str:
    return f"{one.auroc:.3f} ({one.low:.3f} – {one.high:.3f})" if one.auroc is not None else one.reason or "–"


def _as_json(one: PeriodFigures) -> dict[str, object]:
    counts = {"pairs": one.pairs, "unscored": one.unscored, "outside": one.outside}
    return {**counts, "plain": one.plain.model_dump(mode="json"), "corrected": one.corrected.model_dump(mode="json")}


def _dimension(given: str | None, settings: Settings) -> tuple[str, str] | None:
    if given is None:
        return None
    name, equals, value = given.partition("=")
    if not equals or name not in settings.monitor.dimensions:
        known = ", ".join(settings.monitor.dimensions) or "none yet"
        raise WrongUse(f"--dimension takes NAME=VALUE, NAME being one of monitor.dimensions ({known})")
    return name, value
