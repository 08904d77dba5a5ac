"""What production shows of simulated traffic, as the corrected figure takes it."""

from collections import Counter

from benchmarks.traffic import Traffic, cells_of
from worker.measurement.corrected import Corrected, auroc_of_all


def corrected(seen: Traffic) -> Corrected:
    """The corrected figure."""
    usable = seen.labelled & ((seen.verdicts != "ACCEPT") | seen.audited)
    cells = cells_of(seen)
    labelled = [cell for cell, used in zip(cells, usable, strict=True) if used]
    return auroc_of_all(seen.scores[usable], seen.grounded[usable], labelled, Counter(cells))
