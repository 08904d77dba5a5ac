"""Probabilities bent by isotonic regression (Zadrozny & Elkan, KDD 2002)."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from worker.calibration.labelled import Floats, Labelled
from worker.calibration.logistic import Logistic, cross_validate, fit_best


@dataclass(frozen=True)
class Bent:
    """A logistic, and what its probabilities become."""

    logistic: Logistic
    knots: tuple[tuple[float, float], ...] = ()
    """See Calibration.isotonic; empty: the logistic stands."""

    @classmethod
    def fit(cls, data: Labelled) -> Self:
        """The logistic for `data`, bent by what its answers' probabilities are when they are cross-validated."""
        from sklearn.isotonic import IsotonicRegression  # noqa: PLC0415 - heavy

        regression = IsotonicRegression(y_min=0, y_max=1)
        fitted: Any = regression.fit(cross_validate(data), data.labels.astype(np.float64))
        return cls(fit_best(data), tuple(zip(fitted.X_thresholds_.tolist(), fitted.y_thresholds_.tolist(), strict=True)))

    def probabilities(self, scores: Floats) -> Floats:
        """Of each row being grounded."""
        plain = self.logistic.probabilities(scores)
        return np.interp(plain, *np.transpose(self.knots)) if self.knots else plain
