"""Calibrating to the labelled answers of the store: which detector is in force, what it scored, and the gate before use."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from worker.cli.options import WrongUse
from worker.errors import TooFewLabels

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from uuid import UUID

    from detectors.calibration import Calibration
    from schemas import Pair
    from worker.calibration.chronological import Trial
    from worker.calibration.production import LeftOut
    from worker.gate.judgement import Outcome
    from worker.measurement.grouped import Figure
    from worker.settings import Gate, Scorer, Settings
    from worker.store import PairFilter, Served, Store

BATCH: Final = 1000


class InForce(NamedTuple):
    """The detector that a profile stands for."""

    detector: str
    """Its fingerprint without a calibration …"""
    calibrated: tuple[str, ...] = ()
    """… and with calibrations, the one in force first, then those before it; none where none is in force."""
    calibration: Calibration | None = None
    """The one that the profile names, where it is this detector's."""
    note: str | None = None
    """Why the calibration that the profile names is not in force."""

    @property
    def fingerprints(self) -> tuple[str, ...]:
        """All that it ever went by: the scores behind them are the same."""
        return self.detector, *self.calibrated


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """A calibration, and whether it may be used."""

    trial: Trial
    left_out: LeftOut
    in_force: InForce
    outcome: Outcome
    reason: str

    @property
    def origin(self) -> list[str]:
        """What it was fitted to, for people."""
        trial, left_out, parts = self.trial, self.left_out, self.trial.split
        others = f": {_listed(left_out.others)}" if left_out.others else ""
        return [
            f"{trial.calibration.grounded:,} grounded, {trial.calibration.hallucinated:,} hallucinated answers scored by "
            f"{self.in_force.detector}{', with calibrations or without' if self.in_force.calibrated else ''}",
            f"left out: {left_out.unscored:,} without scores, {left_out.degraded:,} degraded, {left_out.repeated:,} decided on again, "
            f"{sum(left_out.others.values()):,} of other fingerprints{others}",
            f"{parts.train.labels.size:,} served and labelled before {parts.cut_off:%Y-%m-%d %H:%M} UTC give the weights, "
            f"{parts.held_out.labels.size:,} served since thresholds and figures ({parts.late:,} labelled since and {parts.straddling:,} "
            "like those that gave weights are in neither)",
        ]

    @property
    def verdict(self) -> list[str]:
        """What the gate says, for people."""
        compared, name = self.trial.compared, "final" if self.in_force.calibration is None else "the calibration in force"
        figures = f"AUROC {_interval(compared.first)} by {name}, {_interval(compared.second)} by this calibration"
        bounds = "" if compared.low is None else f" ({compared.low:+.3f} – {compared.high:+.3f})"
        change = "" if compared.difference is None else f", difference {compared.difference:+.3f}{bounds}"
        return [f"{figures}{change}", f"gate: {self.outcome.replace('_', ' ')}: {self.reason}"]

    def as_json(self) -> dict[str, Any]:
        """What `origin` and `verdict` say."""
        compared, parts = self.trial.compared, self.trial.split
        differs = {name: getattr(compared, name) for name in ("difference", "low", "high", "p")}
        return {
            "left_out": self.left_out.as_json(),
            "split": {
                "cut_off": parts.cut_off.isoformat(),
                "trained": parts.train.labels.size,
                "held_out": parts.held_out.labels.size,
                "audited": int(parts.audited.sum()),
                "late": parts.late,
                "straddling": parts.straddling,
            },
            "gate": {
                "outcome": self.outcome.value,
                "reason": self.reason,
                "in_force": compared.first.as_json(),
                "candidate": compared.second.as_json(),
                **differs,
            },
        }


Read = tuple["list[Pair]", "dict[UUID, Served]"]
"""Labelled pairs, and the answers behind their decisions."""


def read(settings: Settings, segments: Sequence[str], days: float | None) -> Read:
    """The store's labelled answers, of these segments if any are named, served in the last `days`.

    Raises WrongUse when there are none, StoreUnavailable.
    """
    pairs, answers = asyncio.run(_read(settings, segments, days))
    if not pairs:
        raise WrongUse("the store has no labelled answer of that kind; `groundwatch auroc` lists the segments that have some")
    return pairs, answers


def propose(found: Read, scorer: Scorer, rule: Gate, *, alpha: float, isotonic: bool) -> Proposal:
    """Fit to what was read, and hold the result against what is in force. Raises WrongProfile, TooFewLabels."""
    from worker.calibration.chronological import try_out
    from worker.calibration.production import Production
    from worker.gate.judgement import weigh

    in_force = identify(scorer)
    production, left_out = Production.of(*found, in_force.fingerprints)
    _require_own(production.served.size, left_out, in_force)
    trial = try_out(
        production,
        in_force.calibration,
        detector=in_force.detector,
        earlier=in_force.calibrated,
        alpha=alpha,
        isotonic=isotonic,
    )
    outcome, reason = weigh(trial.compared, rule)
    return Proposal(trial=trial, left_out=left_out, in_force=in_force, outcome=outcome, reason=reason)


def identify(scorer: Scorer) -> InForce:
    """The profile's detector, its models loaded for their hashes. A calibration that is missing or of another detector is not in force.

    Raises WrongProfile.
    """
    from detectors import load_profile
    from detectors.errors import ProfileError
    from detectors.models import Models
    from worker.profiles import profile_errors

    with profile_errors():
        plain = load_profile(scorer.profile, calibrated=False)
        models = Models.load(plain, scorer.encoder, device=scorer.device)
    detector = models.fingerprint(plain)
    try:
        whole = load_profile(scorer.profile)
    except ProfileError as wrong:
        return InForce(detector, note=f"no calibration is in force: {wrong}")
    if whole.calibration is None:
        return InForce(detector)
    if whole.calibration.detector != detector:
        return InForce(detector, note=f"no calibration is in force: the profile names one of {whole.calibration.detector}")
    return InForce(detector, (models.fingerprint(whole), *whole.calibration.earlier), whole.calibration)


async def _read(settings: Settings, segments: Sequence[str], days: float | None) -> Read:
    from worker.cli.services import open_store

    async with open_store(settings) as store:
        pairs = [pair for which in await _filters(store, segments, days) for pair in await store.pairs(which)]
        ids = [pair.decision_id for pair in pairs]
        answers: dict[UUID, Served] = {}
        for start in range(0, len(ids), BATCH):
            answers |= await store.served(ids[start : start + BATCH])
    return pairs, answers


async def _filters(store: Store, segments: Sequence[str], days: float | None) -> list[PairFilter]:
    from worker.cli.period import NO_LABEL
    from worker.cli.services import chosen
    from worker.store import Clock, PairFilter

    since = None if days is None else datetime.now(UTC) - timedelta(days=days)
    if not segments:
        return [PairFilter(since=since, clock=Clock.SERVED)]
    known = await store.segments()
    named = dict.fromkeys(segment for name in segments for segment in chosen(known, name, NO_LABEL))
    return [PairFilter(dataset=one.dataset, model=one.model, since=since, clock=Clock.SERVED) for one in named]


def _require_own(rows: int, left_out: LeftOut, in_force: InForce) -> None:
    """Say at once that the labels are of another detector."""
    if rows or not left_out.others:
        return
    raise TooFewLabels(
        f"no labelled answer was scored by {in_force.detector}, the detector of this profile; they were by {_listed(left_out.others)}: "
        "name their profile with --profile, or wait for labels of new answers"
    )


def _listed(others: Mapping[str, int]) -> str:
    return ", ".join(f"{name} ({count:,})" for name, count in others.items())


def _interval(one: Figure) -> str:
    return "–" if one.auroc is None else f"{one.auroc:.3f} ({one.low:.3f} – {one.high:.3f})"
