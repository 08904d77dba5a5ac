"""How well the scores rank labelled answers, over a rolling window."""

from datetime import datetime
from typing import Literal

from schemas.base import Model, Name, Score, Versioned
from schemas.decision import Verdict


class Auroc(Model):
    """Area under the ROC curve of one score, with its DeLong interval. All null, with a reason, when it is not defined."""

    auroc: Score | None
    low: Score | None
    """Lower end of the 95 % interval."""
    high: Score | None
    """Upper end of the 95 % interval."""
    grounded: int
    """Pairs labelled 1 that have this score."""
    hallucinated: int
    """Pairs labelled 0 that have this score."""
    reason: Literal["no_grounded_labels", "no_hallucinated_labels", "no_scored_pairs"] | None = None
    """Why there is no figure; `no_scored_pairs`: no labelled answer has this score."""


class Operating(Model):
    """The decisions seen as a classifier 'ACCEPT = grounded', at the thresholds in force when they were made."""

    false_positive_rate: Score | None
    """Share of hallucinated answers that were accepted."""
    precision: Score | None
    """Share of accepted answers that are grounded."""
    recall: Score | None
    """Share of grounded answers that were accepted."""


class AurocSnapshot(Versioned):
    """The state of one segment's window (topic `llm.auroc`, table `auroc_snapshots`)."""

    dataset: Name
    model: Name
    window: int
    """Largest number of pairs that the window holds."""
    pairs: int
    """Pairs in it."""
    unsure: int = 0
    """Pairs in it whose label says neither; outside every other figure."""
    unscored: int
    """Pairs in it with a label whose decision has no final score; outside every figure of `scores`."""
    first_seq: int
    last_seq: int
    """The window's bounds in pairing order."""
    scores: dict[str, Auroc]
    """For `final` and every other score."""
    operating: Operating
    decisions: dict[Verdict, int]
    """How the window's labelled pairs were decided."""
    fingerprints: tuple[str, ...]
    """The detectors that made these decisions."""
    taken_at: datetime
