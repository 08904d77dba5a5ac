"""The `claims` detector: training-free signals for each sentence of the response, combined by reasoned weights.

Every sentence of every context may support a claim, wherever it stands: order, cuts and unrelated passages change nothing. The
gatekeeper's and the hybrid's scores are computed from the same vectors, whole texts as the mean of their sentences.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from detectors import gatekeeper
from detectors.assessment import Assessment
from detectors.claims import combination
from detectors.claims.claim import Claim
from detectors.claims.combination import Finding
from detectors.claims.reading import ClaimsReading, Part, claims_of, evidence_of, parsed, take_apart
from detectors.claims.spans import spans
from detectors.encoder import Vector, Vectors
from detectors.errors import ProfileError
from detectors.excerpt import Excerpt
from detectors.models import Models
from detectors.parser import Token, named_entities
from detectors.profile import Profile
from detectors.whole import Whole, cosine, hybrid, ner_overlap, similarities, tfidf_js
from detectors.words import tokens
from schemas import Offsets, ScoreStatus

Scores = dict[str, float | None]


class ClaimsMethod:
    """Scores, and a span for each claim."""

    def __init__(self, profile: Profile, models: Models) -> None:
        if profile.claims is None:
            raise ProfileError(f"{profile.name}: claims: is missing; give it as configs/profiles/default.yaml does")
        self._profile, self._models = profile, models
        self.weigh = profile.claims
        """Its weights and settings."""
        signals: Mapping[str, Any] = self.weigh.signals
        self._signals: Mapping[str, Callable[[Claim], float | None]] = {name: signals[name].score for name in self.weigh.names}

    def read(self, excerpt: Excerpt) -> ClaimsReading | ScoreStatus:
        """See Method. Citations and marks alone claim nothing and ground nothing."""
        reading = take_apart(excerpt, self.weigh, self._profile.limits.sentences, self._models.encoder.windows)
        if not reading.claims:
            return ScoreStatus.ABSTAINED
        return reading if reading.contexts else ScoreStatus.NO_CONTEXT

    def score(self, reading: ClaimsReading, vectors: Vectors) -> Assessment:
        """See Method."""
        parses = parsed(reading, self._models.parser)
        whole = self._whole(reading, parses, vectors)
        findings = self.findings(reading, parses, vectors)
        measures = {name: combination.over_claims(findings, name) for name in self._signals}
        scores = {**whole, **self._judged(findings, whole), **measures}
        return Assessment(
            status=ScoreStatus.SCORED,
            scores=scores,
            low_confidence_sentences=self._low_confidence(reading, vectors),
            spans=spans(findings, self.weigh),
            evidence_coverage=reading.excerpt.coverage,
            context_truncated=reading.excerpt.truncated or reading.cut,
            missing_signals=tuple(name for name in ("cosine", "ner_overlap", "tfidf_js", *measures) if scores[name] is None),
        )

    def findings(self, reading: ClaimsReading, parses: Sequence[list[Token]], vectors: Vectors) -> list[Finding]:
        """What the signals say of each claim, in the response's order; `parses` as from `parsed`."""
        evidence = evidence_of(reading, vectors.spelled, self._models.parser, self._models.cross_encoder)
        return [self._finding(claim) for claim in claims_of(reading, parses, evidence, vectors.spelled)]

    def _whole(self, reading: ClaimsReading, parses: Sequence[list[Token]], vectors: Vectors) -> Scores:
        """The gatekeeper's and the hybrid's scores."""
        excerpt, weights = reading.excerpt, self._profile.weights
        answer, contexts = excerpt.clean_response.text, [context.text for context in excerpt.clean_contexts]
        response = Whole(tokens(answer), _mean(reading.claims, vectors))
        context = Whole([word for text in contexts for word in tokens(text)], _mean(reading.contexts, vectors))
        question = Whole(tokens(excerpt.clean_question.text), _mean(reading.asked, vectors)) if reading.asked else None
        compared = similarities(
            response,
            context,
            question,
            sentences=[vectors.of(part.text) for part in reading.claims],
            samples=[vectors.mean(sample) for sample in reading.samples],
            hedges=gatekeeper.hedges(answer, self._profile.hedges),
        )
        named = [name for part, parse in zip(reading.claims, parses, strict=True) for name in named_entities(part.text, parse)]
        measures = {
            "cosine": cosine(response, context),
            "ner_overlap": ner_overlap(named, contexts),
            "tfidf_js": tfidf_js(response.tokens, context.tokens, self._models.idf.of),
        }
        return {**gatekeeper.score(compared, weights), **hybrid(measures, weights.grounded)}

    def _judged(self, findings: Sequence[Finding], whole: Scores) -> Scores:
        """The gatekeeper's scores that the claims decide."""
        attribution = combination.average(findings, [finding.support for finding in findings])
        faithfulness = gatekeeper.faithfulness(attribution, whole["specificity"] or 0.0, self._profile.weights.faithfulness)
        return {
            "final": combination.final(findings, self.weigh.weakest),
            "attribution": attribution,
            "faithfulness": faithfulness,
            "disagreement": gatekeeper.disagreement([faithfulness, whole["relevance"], whole["context_quality"]]),
        }

    def _finding(self, claim: Claim) -> Finding:
        judged = combination.judge(claim.weight, {name: signal(claim) for name, signal in self._signals.items()}, self.weigh)
        best = claim.ranked[0]
        evidence = claim.evidence.sentences[best] if claim.coverage[best] > 0 else None
        return Finding(**vars(judged), sentence=claim.sentence, evidence=evidence)

    def _low_confidence(self, reading: ClaimsReading, vectors: Vectors) -> tuple[Offsets, ...]:
        claims, contexts = (np.array([vectors.of(part.text) for part in parts]) for parts in (reading.claims, reading.contexts))
        best = (claims @ contexts.T).max(axis=1)
        return tuple(part.origin for part, cosine in zip(reading.claims, best, strict=True) if cosine < self._profile.low_confidence_below)


def _mean(parts: Sequence[Part], vectors: Vectors) -> Vector:
    return vectors.mean((part.text, len(part.words)) for part in parts)
