"""How well probabilities match what became of the answers."""

from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from worker.calibration.labelled import Flags, Floats
from worker.errors import ConfigurationError

BINS: Final = 10


class Bin(NamedTuple):
    """Neighbouring probabilities."""

    answers: int
    predicted: float
    """Mean probability."""
    grounded: float
    """Share that is grounded."""


def brier(probabilities: Floats, labels: Flags) -> float:
    """Mean squared error of the probabilities (Brier 1950): 0 is perfect."""
    return float(np.mean((probabilities - labels) ** 2))


def bins(probabilities: Floats, labels: Flags) -> tuple[Bin, ...]:
    """The reliability table: at most BINS bins of equally many answers, in ascending order."""
    order = np.argsort(probabilities, kind="stable")
    parts = (part for part in np.array_split(order, BINS) if part.size)
    return tuple(Bin(int(part.size), float(probabilities[part].mean()), float(labels[part].mean())) for part in parts)


def draw(table: tuple[Bin, ...], file: Path) -> None:
    """The reliability diagram, in the format that the file's suffix names. Raises ConfigurationError without matplotlib."""
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415 - optional
    except ImportError:
        raise ConfigurationError("a diagram needs matplotlib, which is not installed: pip install matplotlib") from None
    figure = Figure(figsize=(5, 5), layout="constrained")
    axes = figure.subplots()
    axes.plot([0, 1], [0, 1], color="0.7", linestyle="--", label="perfectly calibrated")
    axes.plot([one.predicted for one in table], [one.grounded for one in table], marker="o", label="labelled answers")
    axes.set(xlabel="predicted probability", ylabel="share grounded", xlim=(0, 1), ylim=(0, 1), title="Reliability")
    axes.legend(loc="upper left")
    figure.savefig(file, dpi=120)
