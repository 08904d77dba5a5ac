"""Labelled scores to calibrate with."""

import numpy as np

from worker.calibration.labelled import Labelled


def labelled(rows: int = 400, *, seed: int = 0, per_group: int = 1, separation: float = 2.0) -> Labelled:
    """`final` and `support` tell the classes apart, `noise` does not, a fifth of `support` is absent."""
    draw = np.random.default_rng(seed)
    groups = np.repeat(np.arange(-(-rows // per_group)), per_group)[:rows]
    labels = (draw.random(groups.max() + 1) < 0.5)[groups]
    final = draw.normal(size=rows) + separation * labels
    support = draw.normal(size=rows) + separation * labels
    support[draw.random(rows) < 0.2] = np.nan
    return Labelled(("final", "noise", "support"), np.stack([final, draw.normal(size=rows), support], axis=1), labels, groups)
