"""One answer taken apart once, for every signal to look at."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from detectors.encoder import Encoder, Vector, Vectors, Window
from detectors.entities import EntityReader
from detectors.excerpt import Excerpt
from detectors.frequency import Rarity
from detectors.models import Models
from detectors.profile import Profile
from detectors.sentences import sentences
from detectors.text import clean, tokens
from schemas import Offsets


@dataclass(frozen=True, kw_only=True)
class Passages:
    """An answer's texts, cleaned and cut into what the encoder reads whole."""

    excerpt: Excerpt
    question: str | None
    response: str
    contexts: tuple[str, ...]
    """Without the blank ones."""
    sentences: tuple[Offsets, ...]
    """Of the response as it came."""
    sentence_texts: tuple[str, ...]
    """The same sentences, cleaned."""
    question_windows: tuple[Window, ...]
    response_windows: tuple[Window, ...]
    context_windows: tuple[Window, ...]
    """Of all contexts, in order; no window spans two."""
    sample_windows: tuple[tuple[Window, ...], ...]
    sentences_cut: bool
    """True when there are more sentences than are looked at one by one."""

    @property
    def spelled(self) -> Sequence[str]:
        """See Reading: none."""
        return ()

    @property
    def texts(self) -> Sequence[str]:
        """See Reading."""
        windows = (self.question_windows, self.response_windows, self.context_windows, *self.sample_windows)
        return (*self.sentence_texts, *(window.text for several in windows for window in several))


@dataclass(frozen=True)
class Evidence:
    """What signals look at: texts, tokens, vectors and entities, each computed when first asked for."""

    passages: Passages
    vectors: Vectors
    profile: Profile
    rarity: Rarity
    entity_reader: EntityReader

    @cached_property
    def response_tokens(self) -> list[str]:
        """Folded words of the response."""
        return tokens(self.passages.response)

    @cached_property
    def question_tokens(self) -> list[str]:
        """Folded words of the question."""
        return tokens(self.passages.question or "")

    @cached_property
    def context_tokens(self) -> list[str]:
        """Folded words of all contexts."""
        return [word for context in self.passages.contexts for word in tokens(context)]

    @cached_property
    def response_vector(self) -> Vector:
        """The whole response."""
        return self.vectors.mean(self.passages.response_windows)

    @cached_property
    def context_vector(self) -> Vector:
        """All contexts as one text."""
        return self.vectors.mean(self.passages.context_windows)

    @cached_property
    def question_vector(self) -> Vector | None:
        """The question; None without one."""
        return self.vectors.mean(self.passages.question_windows) if self.passages.question_windows else None

    @cached_property
    def sample_vectors(self) -> list[Vector]:
        """Each further sample."""
        return [self.vectors.mean(windows) for windows in self.passages.sample_windows]

    @cached_property
    def sentence_vectors(self) -> NDArray[np.float64]:
        """(sentences of the response, dimensions)."""
        return np.array([self.vectors.of(text) for text in self.passages.sentence_texts])

    @cached_property
    def window_vectors(self) -> NDArray[np.float64]:
        """(windows of the contexts, dimensions)."""
        return np.array([self.vectors.of(window.text) for window in self.passages.context_windows])

    @cached_property
    def sentence_support(self) -> NDArray[np.float64]:
        """(sentences,): each one's highest cosine to a window of the contexts."""
        best: NDArray[np.float64] = (self.sentence_vectors @ self.window_vectors.T).max(axis=1)
        return best

    @cached_property
    def entities(self) -> list[str]:
        """Named entities of the response."""
        return self.entity_reader.entities(self.passages.response)


def take_apart(excerpt: Excerpt, profile: Profile, models: Models) -> Passages:
    """The passages of an answer."""
    response = clean(excerpt.response)
    question = clean(excerpt.question or "").strip() or None
    contexts = tuple(cleaned for context in excerpt.contexts if (cleaned := clean(context)).strip())
    places = [at for at in sentences(excerpt.response, profile.abbreviations) if tokens(clean(excerpt.response[at.start : at.end]))]
    seen = tuple(places[: profile.limits.sentences])
    windows = _Windows(models.encoder)
    return Passages(
        excerpt=excerpt,
        question=question,
        response=response,
        contexts=contexts,
        sentences=seen,
        sentence_texts=tuple(clean(excerpt.response[at.start : at.end]) for at in seen),
        question_windows=windows.of(question) if question else (),
        response_windows=windows.of(response),
        context_windows=tuple(window for context in contexts for window in windows.of(context)),
        sample_windows=tuple(windows.of(cleaned) for sample in excerpt.samples if (cleaned := clean(sample)).strip()),
        sentences_cut=len(places) > len(seen),
    )


@dataclass(frozen=True)
class _Windows:
    encoder: Encoder

    def of(self, text: str) -> tuple[Window, ...]:
        return tuple(self.encoder.windows(text.strip()))
