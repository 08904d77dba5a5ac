"""A regression suite: what became of known cases after a change. Source: seed 000, "The Regression Test System"."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson
from pydantic import TypeAdapter, ValidationError

from schemas import Verdict
from schemas.base import Model, Name, Score
from schemas.faults import first_fault
from worker.errors import ConfigurationError

DELTA: Final = 0.05
"""By how much a score may change without being called better or worse."""


class Case(Model):
    """What was decided about a case."""

    decision: Verdict
    final: Score | None
    """The final score; None where there was nothing to measure."""


Cases = Mapping[str, Case]
"""By response id."""

_CASES: Final = TypeAdapter(dict[Name, Case])


class Change(NamedTuple):
    """A case before and after."""

    name: str
    before: Case
    after: Case

    @property
    def delta(self) -> float | None:
        """Of the scores; None where one of them is absent."""
        before, after = self.before.final, self.after.final
        return None if before is None or after is None else after - before


@dataclass(frozen=True, kw_only=True)
class Regressions:
    """What the change did to the cases."""

    cases: int
    """Cases that are in the baseline and were decided again."""
    regressions: tuple[Change, ...]
    """Scores that fell by more than delta, or are absent now; the worst first."""
    improvements: tuple[Change, ...]
    decisions: tuple[Change, ...]
    """Cases that are decided otherwise, by name."""
    missing: tuple[str, ...]
    """Cases of the baseline that were not decided again: they hide whatever became of them."""
    added: tuple[str, ...]
    """Cases that the baseline does not know."""
    mean_delta: float | None
    before: Mapping[Verdict, int]
    after: Mapping[Verdict, int]
    """How the cases of the baseline were and are decided."""

    @property
    def blocked(self) -> bool:
        """Whether the change must not go out."""
        return bool(self.regressions or self.missing)


def compare(baseline: Cases, now: Cases, delta: float = DELTA) -> Regressions:
    """`now` against `baseline`."""
    changes = [Change(name, baseline[name], now[name]) for name in sorted(baseline.keys() & now.keys())]
    deltas = [change.delta for change in changes if change.delta is not None]
    return Regressions(
        cases=len(changes),
        regressions=tuple(sorted((change for change in changes if _fell(change, delta)), key=_worst_first)),
        improvements=tuple(sorted((change for change in changes if _rose(change, delta)), key=_worst_first, reverse=True)),
        decisions=tuple(change for change in changes if change.before.decision is not change.after.decision),
        missing=tuple(sorted(baseline.keys() - now.keys())),
        added=tuple(sorted(now.keys() - baseline.keys())),
        mean_delta=sum(deltas) / len(deltas) if deltas else None,
        before=Counter(change.before.decision for change in changes),
        after=Counter(change.after.decision for change in changes),
    )


def read_baseline(path: Path) -> dict[str, Case]:
    """The cases of a file that `write_baseline` wrote. Raises ConfigurationError that names what is wrong with it."""
    try:
        return _CASES.validate_json(path.read_bytes())
    except ValidationError as wrong:
        fault = first_fault(wrong)
        place = ".".join(map(str, fault.place)) or "the file"
        raise ConfigurationError(f"{path}: {place} {fault.reason}; record the baseline anew") from None


def write_baseline(path: Path, cases: Cases) -> None:
    """One case a line, by name, so that a change of the file can be read."""
    lines = [f"  {_json(name)}: {_json(cases[name].model_dump(mode='json'))}" for name in sorted(cases)]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def describe(found: Regressions) -> list[str]:
    """The report, line by line."""
    verdict = f"{len(found.regressions)} regressions, {len(found.missing)} cases missing: blocked" if found.blocked else "no regression"
    mean = "–" if found.mean_delta is None else f"{found.mean_delta:+.4f}"
    lines = [f"{found.cases} cases, mean delta {mean}: {verdict}"]
    lines += [f"  regression   {_change(change)}" for change in found.regressions]
    lines += [f"  improvement  {_change(change)}" for change in found.improvements]
    lines += [f"  decision     {_change(change)}" for change in found.decisions if change not in found.regressions + found.improvements]
    lines += [f"  missing      [{name}]" for name in found.missing] + [f"  new          [{name}]" for name in found.added]
    return [*lines, ", ".join(f"{verdict} {found.before.get(verdict, 0)} -> {found.after.get(verdict, 0)}" for verdict in Verdict)]


def as_json(found: Regressions) -> dict[str, Any]:
    """The report for machines."""
    changes = {name: [_as_json(change) for change in getattr(found, name)] for name in ("regressions", "improvements", "decisions")}
    counts = {name: {verdict.value: getattr(found, name).get(verdict, 0) for verdict in Verdict} for name in ("before", "after")}
    return {
        "blocked": found.blocked,
        "cases": found.cases,
        "mean_delta": found.mean_delta,
        **changes,
        "missing": found.missing,
        "added": found.added,
        **counts,
    }


def _fell(change: Change, delta: float) -> bool:
    if change.before.final is None:
        return False
    return change.after.final is None or change.after.final < change.before.final - delta


def _rose(change: Change, delta: float) -> bool:
    if change.after.final is None:
        return False
    return change.before.final is None or change.after.final > change.before.final + delta


def _worst_first(change: Change) -> float:
    """A score that went is worse than any that fell, one that came better than any that rose."""
    if change.delta is not None:
        return change.delta
    return float("-inf") if change.after.final is None else float("inf")


def _change(change: Change) -> str:
    decided = "" if change.before.decision is change.after.decision else f", {change.before.decision} -> {change.after.decision}"
    delta = "" if change.delta is None else f" (delta {change.delta:+.3f})"
    return f"[{change.name}] {_score(change.before.final)} -> {_score(change.after.final)}{delta}{decided}"


def _score(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _as_json(change: Change) -> dict[str, Any]:
    return {
        "case": change.name,
        "before": change.before.model_dump(mode="json"),
        "after": change.after.model_dump(mode="json"),
        "delta": change.delta,
    }


def _json(value: Any) -> str:
    return orjson.dumps(value).decode()
