"""A calibration: a detector's scores turned into the probability that the answer is grounded, by weights that were fitted to labels."""

import math
from bisect import bisect_right
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Final, Literal, Self

from pydantic import Field, ValidationError, model_validator

from detectors.errors import ProfileError
from detectors.settings_file import Section
from schemas.faults import first_fault

Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]

LARGEST: Final = 1e6
"""Of a weight, mean or intercept. Scores lie between 0 and 1 and fitted weights below a hundred: what is larger is a mistake."""

Weight = Annotated[float, Field(ge=0, le=LARGEST)]
Moderate = Annotated[float, Field(ge=-LARGEST, le=LARGEST)]

DIGITS: Final = 6
"""Of a probability. Thresholds have as many, so that what lies on one lies on it everywhere."""


class Weighed(Section):
    """One score's part."""

    weight: Weight
    """Log-odds per unit of the score. Never negative: more support never makes an answer look less grounded."""
    mean: Moderate
    """Mean over the labelled answers that have the score; it stands in where the score is absent."""


class Prior(Section):
    """What the weights were pulled to."""

    signal: str
    """The score that would be the only one if there were no labels."""
    strength: Weight
    """L2 penalty, per answer, on the distance of the standardised weights from that score alone, at its best scale."""


class Threshold(Section):
    """A bound on the probability, with what was seen beyond it among held-out answers, none of which served the weights."""

    at: Share
    answers: Annotated[int, Field(gt=0)]
    wrong: Count
    limit: Share
    """Upper confidence limit of the share of wrong ones, at most `alpha`: holds for all candidate thresholds at once."""

    @model_validator(mode="after")
    def _adds_up(self) -> Self:
        if self.wrong > self.answers:
            raise ValueError(f"wrong is {self.wrong}, more than the {self.answers} answers")
        if self.wrong > self.limit * self.answers:
            raise ValueError(f"limit is {self.limit:g}, less than {self.wrong} wrong of {self.answers} answers")
        return self


class Calibration(Section):
    """Fitted weights and thresholds, with where they come from."""

    version: Literal[1] = 1
    detector: str
    """Fingerprint of the detector that gave the scores; another's scores mean something else."""
    data: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
    """Fingerprint of the labelled answers, whatever their order."""
    grounded: Count
    hallucinated: Count
    earlier: tuple[str, ...] = ()
    """Fingerprints of the detector with the calibrations before this one, the newest first: the scores behind those are the same."""
    signals: Annotated[dict[str, Weighed], Field(min_length=1)]
    intercept: Moderate
    prior: Prior
    isotonic: tuple[tuple[Share, Share], ...] = ()
    """Knots (logistic probability, probability), both ascending; linear in between, level beyond. Empty: the logistic stands."""
    alpha: Annotated[float, Field(gt=0, lt=1)]
    """The most that may be wrong beyond a threshold, as a share."""
    confidence: Annotated[float, Field(gt=0, lt=1)]
    """With at least this probability over the labelled answers, each threshold keeps `alpha` on further answers of the same kind."""
    accept: Threshold | None = None
    """ACCEPT above it; wrong = hallucinated. None: no threshold keeps the bound."""
    reject: Threshold | None = None
    """REJECT below it, unless accepted; wrong = grounded. None: no threshold keeps the bound.

    It lies above `accept` where the scores part the classes so well that both bounds hold for what lies between.
    """

    @model_validator(mode="after")
    def _ascends(self) -> Self:
        if any(left[0] >= right[0] or left[1] > right[1] for left, right in pairwise(self.isotonic)):
            raise ValueError("isotonic: the knots must ascend")
        return self

    @model_validator(mode="after")
    def _keeps_alpha(self) -> Self:
        for name, bound in self._bounds.items():
            if bound.limit > round(self.alpha, DIGITS):
                raise ValueError(f"{name}.limit: is {bound.limit:g}, more than alpha, {self.alpha:g}")
        return self

    @property
    def limits(self) -> dict[str, float]:
        """The thresholds that there are, by name, and `alpha`."""
        return {"alpha": self.alpha} | {name: bound.at for name, bound in self._bounds.items()}

    @property
    def _bounds(self) -> dict[str, Threshold]:
        return {name: bound for name, bound in (("accept", self.accept), ("reject", self.reject)) if bound is not None}

    def apply(self, scores: Mapping[str, float | None]) -> float | None:
        """Probability, 0 to 1, to DIGITS, that the answer with these scores is grounded; None when it has none of the signals.

        An absent signal counts as its mean over the labelled answers.
        """
        if all(scores.get(name) is None for name in self.signals):
            return None
        given = ((part, scores.get(name)) for name, part in self.signals.items())
        odds = self.intercept + math.fsum(part.weight * (part.mean if score is None else score) for part, score in given)
        return round(_between(self.isotonic, _logistic(odds)), DIGITS)


def read_calibration(file: Path) -> Calibration:
    """The calibration in a JSON file. Raises ProfileError naming file and key."""
    try:
        return Calibration.model_validate_json(file.read_bytes())
    except OSError as unreadable:
        raise ProfileError(f"{file}: cannot be read ({unreadable.strerror}); name a file that `groundwatch calibrate` wrote") from None
    except ValidationError as invalid:
        place, reason = first_fault(invalid)
        wrong = f"{'.'.join(map(str, place))}: {reason}" if place else reason
        raise ProfileError(f"{file}: {wrong}; write it anew with `groundwatch calibrate`") from None


def _logistic(odds: float) -> float:
    if odds >= 0:
        return 1 / (1 + math.exp(-odds))
    return math.exp(odds) / (1 + math.exp(odds))


def _between(knots: tuple[tuple[float, float], ...], value: float) -> float:
    if not knots:
        return value
    at = bisect_right(knots, value, key=lambda knot: knot[0])
    if at in {0, len(knots)}:
        return knots[min(at, len(knots) - 1)][1]
    (left, low), (right, high) = knots[at - 1], knots[at]
    return low + (high - low) * (value - left) / (right - left)
