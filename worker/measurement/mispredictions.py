"""The decisions that labels prove wrong, the most confident first: what to look at, and what misled the detector."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import numpy as np

from schemas import Pair, Verdict

Kind = Literal["false_accept", "false_reject"]

MISLED: Final = 3
"""Signals that are named for each."""

_WRONG: Final[Mapping[tuple[Verdict, int | None], Kind]] = {(Verdict.ACCEPT, 0): "false_accept", (Verdict.REJECT, 1): "false_reject"}
_TINY: Final = 1e-9


class Misleading(NamedTuple):
    """A signal that spoke for the wrong decision."""

    signal: str
    value: float
    grounded: float
    """Its mean among the grounded answers …"""
    hallucinated: float
    """… and among the hallucinated ones."""


@dataclass(frozen=True, kw_only=True)
class Misprediction:
    """A decision that its label contradicts."""

    pair: Pair
    kind: Kind
    misled: tuple[Misleading, ...]
    """The most misleading first; none where the signals were right."""


class _Usual(NamedTuple):
    """How a signal usually speaks."""

    grounded: float
    hallucinated: float
    spread: float


def mispredictions(pairs: Sequence[Pair], most: int = 50) -> list[Misprediction]:
    """At most `most`, half of either kind as far as there are: accepted ones by falling `final`, rejected ones by rising `final`.

    Decisions without a score stand outside: nothing was confident about them.
    """
    scored = [pair for pair in pairs if pair.scores.get("final") is not None]
    usual = _usual(scored)
    wrong = {kind: _of(kind, scored) for kind in ("false_accept", "false_reject")}
    accepts, rejects = wrong["false_accept"], wrong["false_reject"]
    half = most // 2
    room = max(half, most - len(rejects))
    kept = accepts[:room] + rejects[: most - len(accepts[:room])]
    return [Misprediction(pair=pair, kind=_WRONG[pair.decision, pair.label], misled=_misled(pair, usual)) for pair in kept]


def _of(kind: str, pairs: Sequence[Pair]) -> list[Pair]:
    found = [pair for pair in pairs if _WRONG.get((pair.decision, pair.label)) == kind]
    return sorted(found, key=lambda pair: ((pair.scores["final"] or 0.0) * (-1 if kind == "false_accept" else 1), pair.response_id))


def _usual(pairs: Sequence[Pair]) -> dict[str, _Usual]:
    """Of each signal that both classes have."""
    values: dict[str, tuple[list[float], list[float]]] = {}
    for pair in pairs:
        for name, value in pair.scores.items():
            if value is not None and name != "final":
                values.setdefault(name, ([], []))[int(pair.label == 1)].append(value)
    return {
        name: _Usual(float(np.mean(grounded)), float(np.mean(hallucinated)), float(np.std(grounded + hallucinated)))
        for name, (hallucinated, grounded) in values.items()
        if grounded and hallucinated
    }


def _misled(pair: Pair, usual: Mapping[str, _Usual]) -> tuple[Misleading, ...]:
    """Signals on the other class's side of the middle between both means, by how many standard deviations."""
    found = []
    for name, of in usual.items():
        value = pair.scores.get(name)
        if value is None or of.spread < _TINY or abs(of.grounded - of.hallucinated) < _TINY:
            continue
        towards_grounded = (value - (of.grounded + of.hallucinated) / 2) / of.spread * (1 if of.grounded > of.hallucinated else -1)
        wrong = towards_grounded if pair.label == 0 else -towards_grounded
        if wrong > 0:
            found.append((wrong, Misleading(name, value, of.grounded, of.hallucinated)))
    return tuple(one for _, one in sorted(found, key=lambda each: (-each[0], each[1].signal))[:MISLED])
