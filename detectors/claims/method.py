"""The `claims` detector: training-free signals for each sentence of the response, combined by reasoned weights.

Every sentence of every context may support a claim, wherever it stands: order, cuts and unrelated passages change nothing. The
gatekeeper's and the hybrid's scores are computed from the same vectors, whole texts as the mean of their sentences.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Any, Self

import numpy as np

from detectors import gatekeeper
from detectors.absence import AbsenceRule
from detectors.assessment import Assessment
from detectors.claims import combination
from detectors.claims.batch import Batch
from detectors.claims.claim import Claim
from detectors.claims.combination import Finding
from detectors.claims.evidence import Evidence
from detectors.claims.known import Known, passage_footprint, sentence_footprint
from detectors.claims.reading import ClaimsReading, cited, take_apart
from detectors.claims.spans import spans
from detectors.direction import directions
from detectors.encoder import mean
from detectors.errors import ProfileError
from detectors.excerpt import Excerpt
from detectors.models import Models
from detectors.parser import Token, named_entities
from detectors.profile import ModelName, Profile
from detectors.whole import Texts, Whole, cosine, hybrid, ner_overlap, similarities, tfidf_js
from detectors.words import tokens
from schemas import Offsets, ScoreStatus

Scores = dict[str, float | None]


class ClaimsMethod:
    """Scores, and a span for each claim."""

    def __init__(self, profile: Profile, models: Models) -> None:
        if profile.claims is None:
            raise ProfileError(f"{profile.name}: claims: is missing; give it as configs/profiles/default.yaml does")
        self._profile, self._models = profile, models
        self._sentences = Known(models.memory - models.memory // 5, sentence_footprint)
        self._passages = Known(models.memory // 5, passage_footprint)
        self._absence = AbsenceRule(profile.abstention)
        self.weigh = profile.claims
        """Its weights and settings."""
        signals: Mapping[str, Any] = self.weigh.signals
        self._signals: Mapping[str, Callable[[Claim], float | None]] = {name: signals[name].score for name in self.weigh.names}

    def read(self, excerpt: Excerpt) -> ClaimsReading | ScoreStatus:
        """See Method. Citations and marks alone claim nothing and ground nothing; nor do refusals and pleasantries beside claims."""
        asked = set(tokens(excerpt.clean_question.text))
        reading = take_apart(
            excerpt,
            self.weigh,
            self._profile.limits.sentences,
            windows=self._models.encoder.windows,
            claims=lambda text: not self._absence.claimless(text, asked),
            known=self._passages,
        )
        if not reading.claims:
            return ScoreStatus.ABSTAINED
        return reading if reading.contexts else ScoreStatus.NO_CONTEXT

    def ask(self, readings: Sequence[ClaimsReading]) -> Batch:
        """See Method."""
        return Batch(readings, self._models, self._sentences)

    def score(self, reading: ClaimsReading, batch: Batch) -> Assessment:
        """See Method. A claim of which no signal that is left can measure anything leaves the mean; when all do, there is no `final`."""
        parses = [batch.parse(claim) for claim in reading.claims]
        texts = self._texts(reading, batch)
        whole = self._whole(reading, texts, parses, batch)
        findings = self.findings(reading, parses, batch)
        measured = [finding for finding in findings if finding.measured]
        measures = {name: combination.over_claims(findings, name) for name in self._signals}
        scores = {**whole, **self._judged(measured, whole), **measures}
        return Assessment(
            status=ScoreStatus.SCORED,
            scores=scores,
            low_confidence_sentences=self._low_confidence(reading, batch),
            spans=spans(measured, self.weigh),
            evidence_coverage=reading.excerpt.coverage,
            context_truncated=reading.excerpt.truncated or reading.cut,
            response_cut=reading.excerpt.response_cut or reading.cut,
            missing_signals=tuple(name for name in ("cosine", "ner_overlap", "tfidf_js", *measures) if scores[name] is None),
            directions=directions({name: text and text.vector for name, text in texts._asdict().items()}),
        )

    def without(self, names: Sequence[ModelName]) -> Self:
        """See Method. Without the encoder words match by their stems alone."""
        other = copy(self)
        other._models = self._models.without(names)
        return other

    def findings(self, reading: ClaimsReading, parses: Sequence[list[Token]], batch: Batch) -> list[Finding]:
        """What the signals say of each claim, in the response's order; `parses` as from `Batch.parse`."""
        told, asked = ([batch.sentence(part) for part in parts] for parts in (reading.contexts, reading.asked))
        evidence = Evidence(told, [part.passage for part in reading.contexts], asked, self._models.cross_encoder)
        return [self._finding(reading, place, parse, evidence, batch) for place, parse in enumerate(parses)]

    def _finding(self, reading: ClaimsReading, place: int, parse: list[Token], evidence: Evidence, batch: Batch) -> Finding:
        """Claims one by one: a claim's matrices are as large as it is long times the contexts."""
        part = reading.claims[place]
        claim = Claim(
            batch.sentence(part),
            evidence,
            self.weigh.matching,
            vector=batch.vector(reading.in_full(part)).astype(np.float32),
            short=reading.is_short(part),
            parse=parse,
            citations=cited(reading.excerpt.clean_response.text, part),
        )
        judged = combination.judge(claim.weight, {name: signal(claim) for name, signal in self._signals.items()}, self.weigh)
        best = claim.ranked[0]
        return Finding(**vars(judged), claim=part, evidence=reading.contexts[best] if claim.coverage[best] > 0 else None)

    @staticmethod
    def _texts(reading: ClaimsReading, batch: Batch) -> Texts:
        excerpt = reading.excerpt
        return Texts(
            response=Whole(tokens(excerpt.clean_response.text), batch.whole(reading.claims)),
            context=Whole([word for passage in reading.passages for word in passage.tokens], batch.whole(reading.contexts)),
            question=Whole(tokens(excerpt.clean_question.text), batch.whole(reading.asked)) if reading.asked else None,
        )

    def _whole(self, reading: ClaimsReading, texts: Texts, parses: Sequence[list[Token]], batch: Batch) -> Scores:
        """The gatekeeper's and the hybrid's scores."""
        excerpt, weights = reading.excerpt, self._profile.weights
        response, context, question = texts
        compared = similarities(
            response,
            context,
            question,
            sentences=[batch.sentence(part).spelled.vector for part in reading.claims],
            samples=[mean((batch.vector(window.text), window.pieces) for window in sample) for sample in reading.samples],
            hedges=gatekeeper.hedges(excerpt.clean_response.text, self._profile.hedges),
        )
        named = [name for part, parse in zip(reading.claims, parses, strict=True) for name in named_entities(part.text, parse)]
        measures = {
            "cosine": cosine(response, context),
            "ner_overlap": ner_overlap(named, [passage.text for passage in reading.passages]),
            "tfidf_js": tfidf_js(response.tokens, context.tokens, self._models.idf.of),
        }
        return {**gatekeeper.score(compared, weights), **hybrid(measures, weights.grounded)}

    def _judged(self, findings: Sequence[Finding], whole: Scores) -> Scores:
        """The gatekeeper's scores that the claims decide; none without a claim that could be measured."""
        if not findings:
            return dict.fromkeys(("final", "uncontradicted", "attribution", "faithfulness", "disagreement"))
        attribution = combination.average(findings, [finding.support for finding in findings])
        faithfulness = gatekeeper.faithfulness(attribution, whole["specificity"] or 0.0, self._profile.weights.faithfulness)
        compared = [whole["relevance"], whole["context_quality"]]
        return {
            "final": combination.final(findings, self.weigh.weakest),
            "uncontradicted": combination.uncontradicted(findings),
            "attribution": attribution,
            "faithfulness": faithfulness,
            "disagreement": gatekeeper.disagreement([faithfulness, *compared]) if any(one is not None for one in compared) else None,
        }

    def _low_confidence(self, reading: ClaimsReading, batch: Batch) -> tuple[Offsets, ...]:
        if not batch.sentence(reading.claims[0]).spelled.vector.size:
            return ()
        claims, contexts = (np.array([batch.sentence(part).spelled.vector for part in of]) for of in (reading.claims, reading.contexts))
        best = (claims @ contexts.T).max(axis=1)
        return tuple(part.origin for part, cosine in zip(reading.claims, best, strict=True) if cosine < self._profile.low_confidence_below)
