"""The part in which detectors differ: what they read of an answer, and how they score it."""

from collections.abc import Sequence
from typing import Protocol, Self, TypeVar

from detectors.assessment import Assessment
from detectors.excerpt import Excerpt
from detectors.profile import ModelName
from schemas import ScoreStatus

R = TypeVar("R")
"""What is read of one answer before a model is asked."""
B = TypeVar("B")
"""What the models say of a batch's texts."""


class Method(Protocol[R, B]):
    """Reads answers one by one, asks the models about all of a batch, then scores each."""

    def read(self, excerpt: Excerpt) -> R | ScoreStatus:
        """The answer taken apart, or why it has no scores."""

    def ask(self, readings: Sequence[R]) -> B:
        """What the models say of all their texts. Never raises for a text: what fails is asked again, and raises, when it is scored."""

    def score(self, reading: R, batch: B) -> Assessment:
        """Its scores, every name of the profile among them."""

    def without(self, names: Sequence[ModelName]) -> Self:
        """The same method asking all models but these, with its memory. Raises ProfileError where it cannot do without."""
