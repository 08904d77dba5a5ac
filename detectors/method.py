"""The part in which detectors differ: what they read of an answer, and how they score it."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from detectors.assessment import Assessment
from detectors.encoder import Vectors
from detectors.excerpt import Excerpt
from schemas import ScoreStatus


class Reading(Protocol):
    """What was read of one answer before anything is encoded."""

    @property
    def texts(self) -> Sequence[str]:
        """The texts whose vectors the scoring needs."""

    @property
    def spelled(self) -> Sequence[str]:
        """Those whose words' vectors it needs as well."""


R = TypeVar("R", bound=Reading)


class Method(Protocol[R]):
    """Reads answers one by one, then scores each with the vectors of the whole batch."""

    def read(self, excerpt: Excerpt) -> R | ScoreStatus:
        """The answer taken apart, or why it has no scores."""

    def score(self, reading: R, vectors: Vectors) -> Assessment:
        """Its scores, every name of the profile among them."""
