"""The figures of a period, for `groundwatch auroc --hours`."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from worker.cli.options import WrongUse
from worker.cli.output import print_json, print_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schemas import Auroc
    from worker.measurement.corrected import Corrected
    from worker.measurement.period import PeriodFigures
    from worker.settings import Settings
    from worker.store import Segment

_EMPTY = "no labelled answer yet, or none with that dimension: events carry it in `attributes`"
_HEADINGS = ("dataset", "model", "dimension", "auroc of the labelled", "labels", "auroc of all answers", "answers", "of labels", "outside")


Clock = Literal["served", "labelled"]
"""The time that counts."""

NO_LABEL: Final = "no labelled answer; `groundwatch auroc` lists those that have one"
"""What a segment may be lacking."""


class Period(NamedTuple):
    """What is to be measured."""

    length: timedelta
    clock: Clock
    segment: str | None
    dimension: str | None
    """NAME=VALUE, or NAME for each of its values."""


class Measured(NamedTuple):
    """A segment, or those of its answers that have a value of a dimension."""

    segment: Segment
    dimension: str | None
    """The value."""
    figures: PeriodFigures


async def measure(settings: Settings, period: Period) -> list[Measured]:
    """The figures of each segment, until now. Raises WrongUse."""
    from worker import store as stored
    from worker.cli.services import chosen, open_store
    from worker.periods import figures_of

    name, value = _dimension(period.dimension, settings)
    span = stored.PairFilter(since=datetime.now(UTC) - period.length, clock=stored.Clock(period.clock))
    found: list[Measured] = []
    async with open_store(settings) as store:
        for one in chosen(await store.segments(), period.segment, NO_LABEL):
            which = replace(span, dataset=one.dataset, model=one.model)
            values = [value] if value is not None or name is None else await store.dimension_values(name, which)
            for each in values:
                dimension = None if name is None or each is None else (name, each)
                found.append(Measured(one, each, await figures_of(store, replace(which, dimension=dimension))))
    return found


def with_interval(one: Auroc | Corrected) -> str | None:
    """A figure for a table, or why there is none."""
    return one.reason if one.auroc is None else f"{one.auroc:.3f} ({one.low:.3f} – {one.high:.3f})"


def print_period(found: Sequence[Measured], *, as_json: bool) -> None:
    """A segment, or a value of a dimension in it, a row."""
    if as_json:
        print_json([{**one.segment._asdict(), "dimension": one.dimension, **_as_json(one.figures)} for one in found])
    else:
        print_table(
            _HEADINGS,
            [_row(*one) for one in found],
            empty="no labelled answer yet, or none with that dimension: events carry it in `attributes`",
        )


def _row(segment: Segment, dimension: str | None, one: PeriodFigures) -> tuple[object, ...]:
    plain, corrected = one.plain, one.corrected
    return (
        *segment,
        dimension,
        with_interval(plain),
        plain.grounded + plain.hallucinated,
        with_interval(corrected),
        corrected.decided,
        corrected.labels,
        one.outside,
    )


def _as_json(one: PeriodFigures) -> dict[str, object]:
    counts = {"pairs": one.pairs, "unscored": one.unscored, "outside": one.outside}
    return {**counts, "plain": one.plain.model_dump(mode="json"), "corrected": one.corrected.model_dump(mode="json")}


def _dimension(given: str | None, settings: Settings) -> tuple[str | None, str | None]:
    """Name and value, as far as they were given."""
    if given is None:
        return None, None
    name, equals, value = given.partition("=")
    if name not in settings.monitor.dimensions:
        known = ", ".join(settings.monitor.dimensions) or "none yet"
        raise WrongUse(f"--dimension takes NAME or NAME=VALUE, NAME being one of monitor.dimensions ({known})")
    return name, value if equals else None
