"""Both seeds as they are, faults included, so that results can be compared."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from detectors import gatekeeper
from detectors.assessment import Assessment
from detectors.direction import directions
from detectors.encoder import Vectors
from detectors.errors import ProfileError
from detectors.excerpt import Excerpt
from detectors.models import Models
from detectors.profile import ModelName, Profile
from detectors.whole import Whole, cosine, hybrid, jensen_shannon, similarities
from schemas import Offsets, ScoreStatus

_LATIN: Final = re.compile(r"[a-z]+")
_BREAK: Final = re.compile(r"(?<=[.!?])\s++")


@dataclass(frozen=True, kw_only=True)
class SeedReading:
    """The texts as the seeds see them."""

    excerpt: Excerpt
    context: str
    """The first contexts, joined by a space."""
    sentences: list[Offsets]
    """Of the response."""
    context_sentences: list[str]

    def sentence_texts(self) -> list[str]:
        """The response's sentences."""
        return [self.excerpt.response[at.start : at.end] for at in self.sentences]

    @property
    def texts(self) -> Sequence[str]:
        """The texts whose vectors the scoring needs."""
        question = () if self.excerpt.question is None else (self.excerpt.question,)
        return (
            self.excerpt.response, self.context, *question, *self.excerpt.samples, *self.sentence_texts(), *self.context_sentences,
        )  # fmt: skip


class SeedMethod:
    """Seed 000's scorers and decision inputs, seed 003's `grounded`."""

    def __init__(self, profile: Profile, models: Models) -> None:
        self._profile, self._models = profile, models

    def read(self, excerpt: Excerpt) -> SeedReading:
        """See Method."""
        context = " ".join(excerpt.contexts)
        return SeedReading(
            excerpt=excerpt,
            context=context,
            sentences=seed_sentences(excerpt.response),
            context_sentences=[context[at.start : at.end] for at in seed_sentences(context)],
        )

    def ask(self, readings: Sequence[SeedReading]) -> Vectors:
        """See Method."""
        return Vectors(self._models.encoder, (text for reading in readings for text in reading.texts))

    def without(self, names: Sequence[ModelName]) -> Self:
        """See Method: the formulas know no absent model."""
        raise ProfileError(f"{self._profile.name}: shedding: the seeds need {names[-1]}; give an empty list")

    def score(self, reading: SeedReading, vectors: Vectors) -> Assessment:
        """See Method."""
        excerpt = reading.excerpt
        response, context = _whole(excerpt.response, vectors), _whole(reading.context, vectors)
        question = None if excerpt.question is None else _whole(excerpt.question, vectors)
        compared = similarities(
            response,
            context,
            question,
            sentences=[vectors.of(text) for text in reading.sentence_texts()],
            samples=[vectors.of(sample) for sample in excerpt.samples],
            hedges=gatekeeper.hedges(excerpt.response, self._profile.hedges),
        )
        measures = {
            "cosine": cosine(response, context),
            "ner_overlap": self._ner_overlap(excerpt.response, reading.context),
            "tfidf_js": self._divergence(excerpt.response, reading.context),
        }
        weights = self._profile.weights
        return Assessment(
            status=ScoreStatus.SCORED,
            scores={**gatekeeper.score(compared, weights), **hybrid(measures, weights.grounded)},
            low_confidence_sentences=self._low_confidence(reading, vectors),
            evidence_coverage=excerpt.coverage,
            context_truncated=excerpt.truncated,
            response_cut=excerpt.response_cut,
            missing_signals=tuple(name for name, value in measures.items() if value is None),
            directions=directions({"question": question and question.vector, "response": response.vector, "context": context.vector}),
        )

    def _low_confidence(self, reading: SeedReading, vectors: Vectors) -> tuple[Offsets, ...]:
        support = np.array([vectors.of(text) for text in reading.context_sentences])
        return tuple(
            at
            for at, text in zip(reading.sentences, reading.sentence_texts(), strict=True)
            if (support @ vectors.of(text)).max() < self._profile.low_confidence_below
        )

    def _ner_overlap(self, response: str, context: str) -> float:
        """Share of the response's entities that NER finds, letter for letter, in the context; 0 for a response without entities."""
        named = {entity.lower() for entity in self._models.parser.entities(response)}
        known = {entity.lower() for entity in self._models.parser.entities(context)}
        return len(named & known) / len(named) if named else 0.0

    def _divergence(self, response: str, context: str) -> float | None:
        """Jensen-Shannon divergence of a TF-IDF fitted on these two texts; None when neither has a word."""
        from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: PLC0415 - heavy, and of use to this profile alone

        try:
            fitted = TfidfVectorizer(max_features=self._profile.divergence_features).fit_transform([response, context]).toarray()
        except ValueError:  # scikit-learn's only word for an empty vocabulary
            return None
        return jensen_shannon(fitted[0], fitted[1])


def latin_tokens(text: str) -> list[str]:
    """Lower-case runs of `[a-z]`."""
    return _LATIN.findall(text.lower())


def seed_sentences(text: str) -> list[Offsets]:
    """Cut at whitespace after a full stop, exclamation or question mark."""
    cuts = [(match.start(), match.end()) for match in _BREAK.finditer(text)]
    starts, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(text)]
    return [Offsets(start=start, end=end) for start, end in zip(starts, ends, strict=True) if text[start:end].strip()]


def _whole(text: str, vectors: Vectors) -> Whole:
    return Whole(latin_tokens(text), vectors.of(text))
