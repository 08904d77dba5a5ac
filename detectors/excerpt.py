"""What of an answer is read: all of it, up to the profile's limits, and how much that is."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from detectors.assessment import Answer
from detectors.cleaning import Mapped
from detectors.profile import Limits

_DENSE: Final = (0x2E80, 0xD800)
"""Codes of Chinese, Japanese and Korean characters: each is a word or nearly one."""


@dataclass(frozen=True, kw_only=True)
class Excerpt:
    """The texts within the limits, as they came and cleaned."""

    question: str | None
    response: str
    contexts: tuple[str, ...]
    samples: tuple[str, ...]
    coverage: float | None
    """Share of the contexts' characters that is read, 0 to 1; None without contexts."""
    response_cut: bool
    """True when the response goes on beyond its limit."""
    truncated: bool
    """True when a limit cut something."""

    @cached_property
    def clean_question(self) -> Mapped:
        """Empty without one."""
        return Mapped.cleaned(self.question or "")

    @cached_property
    def clean_response(self) -> Mapped:
        """What a reader sees of the response."""
        return Mapped.cleaned(self.response)

    @cached_property
    def clean_contexts(self) -> tuple[Mapped, ...]:
        """One for each context, blank ones included."""
        return tuple(Mapped.cleaned(context) for context in self.contexts)

    @classmethod
    def of(cls, answer: Answer, limits: Limits) -> Self:
        """The head of every text. Contexts are read in rank order until their budget is spent."""
        contexts = _within(answer.contexts[: limits.first_contexts], limits.contexts)
        samples = _within(answer.samples, limits.samples)
        question = None if answer.question is None else answer.question[: limits.question]
        total, read = _size(answer.contexts), _size(contexts)
        return cls(
            question=question,
            response=answer.response[: limits.response],
            contexts=contexts,
            samples=samples,
            coverage=read / total if total else None,
            response_cut=len(answer.response) > limits.response,
            truncated=read < total
            or len(answer.response) > limits.response
            or len(answer.question or "") > limits.question
            or _size(samples) < _size(answer.samples),
        )


def _within(texts: Sequence[str], budget: int) -> tuple[str, ...]:
    kept: list[str] = []
    for text in texts:
        if budget <= 0:
            break
        weights = _weights(text)
        kept.append(text[: int(np.searchsorted(weights, budget, side="right"))])
        budget -= int(weights[-1]) if text else 0
    return tuple(kept)


def _weights(text: str) -> NDArray[np.int64]:
    """What the text up to and with each character counts: as many words stand in a character without spaces between as in five others."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    return np.cumsum(np.where((codes >= _DENSE[0]) & (codes < _DENSE[1]), 5, 1), dtype=np.int64)


def _size(texts: Sequence[str]) -> int:
    return sum(len(text) for text in texts)
