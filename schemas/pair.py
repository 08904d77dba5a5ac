"""A decision together with its label: the unit that AUROC is computed from."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from schemas.base import Name, Score, Versioned
from schemas.decision import ScoreStatus, Verdict


class Pair(Versioned):
    """One labelled decision (topic `llm.pairs`, keyed by segment). A corrected label keeps `seq` and replaces the pair."""

    seq: int
    """Place in the order of first pairing; windows hold the highest ones."""
    decision_id: UUID
    response_id: Name
    dataset: Name
    model: Name
    label: Literal[0, 1] | None
    """Null where the label that counts is `unsure`: then the pair is in no figure."""
    label_id: UUID
    labelled_at: datetime
    source: Name = "human"
    """Where the label comes from."""
    precedence: int = 0
    """Its weight. With `labelled_at` and `label_id` the pair's version: the greater one wins, in whatever order they arrive."""
    decision: Verdict
    score_status: ScoreStatus
    scores: dict[str, Score | None]
    fingerprint: str
    enforced: bool = True
    """As in its decision. Windows and figures are of those that bind."""
    audit: bool = False
    """As in its decision's `meta`."""

    @property
    def segment(self) -> tuple[str, str]:
        """Dataset and model."""
        return self.dataset, self.model

    @property
    def version(self) -> tuple[int, datetime, UUID]:
        """Orders two states of the same pair."""
        return self.precedence, self.labelled_at, self.label_id
