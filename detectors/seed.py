"""Both seeds as they are, faults included, so that results can be compared."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from detectors import gatekeeper
from detectors.assessment import Assessment
from detectors.encoder import Vector, Vectors
from detectors.excerpt import Excerpt
from detectors.frequency import jensen_shannon
from detectors.gatekeeper import Similarities, weighted_mean
from detectors.models import Models
from detectors.profile import Profile
from detectors.sentences import seed_sentences
from detectors.text import latin_tokens
from schemas import Offsets, ScoreStatus


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
    def spelled(self) -> Sequence[str]:
        """See Reading: none."""
        return ()

    @property
    def texts(self) -> Sequence[str]:
        """See Reading."""
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

    def score(self, reading: SeedReading, vectors: Vectors) -> Assessment:
        """See Method."""
        signals = {
            "cosine": float(vectors.of(reading.excerpt.response) @ vectors.of(reading.context)),
            "ner_overlap": self._ner_overlap(reading.excerpt.response, reading.context),
            "tfidf_js": self._divergence(reading.excerpt.response, reading.context),
        }
        supports = {**signals, "tfidf_js": None if signals["tfidf_js"] is None else 1 / (1 + signals["tfidf_js"])}
        return Assessment(
            status=ScoreStatus.SCORED,
            scores={
                **gatekeeper.score(self._similarities(reading, vectors), self._profile.weights),
                "grounded": weighted_mean(supports, self._profile.signals),
                **signals,
            },
            low_confidence_sentences=self._low_confidence(reading, vectors),
            evidence_coverage=reading.excerpt.coverage,
            context_truncated=reading.excerpt.truncated,
            missing_signals=tuple(name for name, value in signals.items() if value is None),
        )

    def _similarities(self, reading: SeedReading, vectors: Vectors) -> Similarities:
        response, context = latin_tokens(reading.excerpt.response), latin_tokens(reading.context)
        whole = vectors.of(reading.excerpt.response)
        asked = None if reading.excerpt.question is None else vectors.of(reading.excerpt.question)
        return Similarities(
            context_cosine=_clipped(vectors.of(reading.context), whole),
            context_overlap=gatekeeper.jaccard(context, response),
            context_f1=gatekeeper.f1(context, response),
            response_tokens=len(response),
            distinct_tokens=len(set(response)),
            hedges=gatekeeper.hedges(reading.excerpt.response, self._profile.hedges),
            question_cosine=None if asked is None else _clipped(asked, whole),
            question_overlap=gatekeeper.jaccard(latin_tokens(reading.excerpt.question or ""), response),
            best_sentence=None
            if asked is None
            else max((_clipped(asked, vectors.of(text)) for text in reading.sentence_texts()), default=0.0),
            consistency=_consistency(whole, [vectors.of(sample) for sample in reading.excerpt.samples]),
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
        named = {entity.lower() for entity in self._models.entities.entities(response)}
        known = {entity.lower() for entity in self._models.entities.entities(context)}
        return len(named & known) / len(named) if named else 0.0

    def _divergence(self, response: str, context: str) -> float | None:
        """Jensen-Shannon divergence of a TF-IDF fitted on these two texts; None when neither has a word."""
        from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: PLC0415 - heavy, and of use to this profile alone

        try:
            fitted = TfidfVectorizer(max_features=self._profile.divergence_features).fit_transform([response, context]).toarray()
        except ValueError:  # scikit-learn's only word for an empty vocabulary
            return None
        return jensen_shannon(fitted[0], fitted[1])


def _clipped(one: Vector, other: Vector) -> float:
    return max(0.0, float(one @ other))


def _consistency(response: Vector, samples: Sequence[Vector]) -> float | None:
    return sum(_clipped(response, sample) for sample in samples) / len(samples) if samples else None
