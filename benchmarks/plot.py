"""Figures as pictures."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from matplotlib.figure import Figure as Canvas

from worker.measurement.grouped import Figure

_STEP: Final = 0.12
"""Vertical distance of two detectors of one set."""


def draw(figures: Mapping[str, Mapping[str, Figure]], means: Mapping[str, Figure], file: Path) -> None:
    """Each detector's AUROC with its interval, a set a row, in the format that the file's suffix names."""
    rows = {**figures, "mean": means}
    canvas = Canvas(figsize=(9, 1 + 0.9 * len(rows)), layout="constrained")
    axes = canvas.subplots()
    for number, detector in enumerate(means):
        points = [(row + _STEP * (number - len(means) / 2), found[detector]) for row, found in enumerate(rows.values())]
        shown = [(y, one.auroc, one.auroc - one.low, one.high - one.auroc) for y, one in points if one.auroc is not None]
        if shown:
            ys, values, below, above = zip(*shown, strict=True)
            axes.errorbar(values, ys, xerr=(below, above), fmt="o", markersize=4, capsize=2, label=detector)
    axes.axvline(0.5, color="0.7", linestyle="--")
    axes.set_yticks(range(len(rows)), list(rows))
    axes.invert_yaxis()
    axes.set(xlabel="AUROC, 95 % interval", xlim=(0.3, 1.0))
    axes.legend(loc="upper left", fontsize="small")
    canvas.savefig(file, dpi=120)


def draw_ratios(ratios: Mapping[str, float], file: Path) -> None:
    """Each ratio as a bar with its figure, in the format that the file's suffix names."""
    canvas = Canvas(figsize=(8, 1 + 0.5 * len(ratios)), layout="constrained")
    axes = canvas.subplots()
    bars = axes.barh([name.replace("_", " ") for name in ratios], list(ratios.values()))
    axes.bar_label(bars, fmt="%.2f", padding=3)
    axes.axvline(1.0, color="0.7", linestyle="--")
    axes.invert_yaxis()
    axes.set(xscale="log", xlabel="ratio, log scale")
    canvas.savefig(file, dpi=120)
