"""The `claims` detector: training-free signals for each sentence of the response, combined by reasoned weights.

Every sentence of every context may support a claim, wherever it stands: order, cuts and unrelated passages change nothing. The
gatekeeper's and the seeds' scores are computed from the same vectors, whole texts as the mean of their sentences.
"""

from collections.abc import Callable, Mapping
from importlib import import_module

from detectors import gatekeeper
from detectors.assessment import Assessment
from detectors.claims import combination
from detectors.claims.claim import Claim
from detectors.claims.combination import Finding
from detectors.claims.mapped import Mapped
from detectors.claims.parser import load_parser
from detectors.claims.reading import ClaimsReading, Part, claims_of, evidence_of, split, split_context, split_response
from detectors.claims.spans import spans
from detectors.encoder import Vectors, Window
from detectors.evidence import Passages
from detectors.excerpt import Excerpt
from detectors.models import Models
from detectors.profile import Claims, Profile
from detectors.text import clean
from detectors.windowed import WindowedMethod


class ClaimsMethod:
    """Scores, and a span for each claim."""

    def __init__(self, profile: Profile, models: Models) -> None:
        self._profile, self._models = profile, models
        self._weigh = profile.claims or Claims()
        self._signals: Mapping[str, Callable[[Claim], float | None]] = {
            name: import_module(f"detectors.claims.signals.{name}").score for name in self._weigh.names
        }
        self._parse = load_parser(profile.entities.model).parse
        self._windowed = WindowedMethod(profile, models)

    def read(self, excerpt: Excerpt) -> ClaimsReading:
        """See Method."""
        response, question = Mapped.cleaned(excerpt.response), Mapped.cleaned(excerpt.question or "")
        contexts = tuple(part for i, context in enumerate(excerpt.contexts) for part in split_context(context, i))
        claims, asked = tuple(split_response(response)), tuple(split(question, -2))
        seen = claims[: self._profile.limits.sentences]
        return ClaimsReading(
            passages=self._passages(excerpt, seen, contexts, asked, cut=len(seen) < len(claims)),
            answer=response.text,
            question=question.text,
            claims=seen,
            contexts=contexts,
            asked=asked,
        )

    def score(self, reading: ClaimsReading, vectors: Vectors) -> Assessment:
        """See Method."""
        scored = self._windowed.score(reading.passages, vectors)
        evidence = evidence_of(reading, vectors.spelled, self._parse, self._models.cross_encoder)
        findings = [self._finding(claim) for claim in claims_of(reading, evidence, vectors.spelled)]
        measures = {name: combination.over_claims(findings, name) for name in self._signals}
        return scored.model_copy(
            update={
                "scores": {**self._gatekeeper(findings, scored.scores), **measures},
                "spans": spans(findings, self._weigh),
                "missing_signals": (*scored.missing_signals, *(name for name, value in measures.items() if value is None)),
            }
        )

    def _finding(self, claim: Claim) -> Finding:
        values = {name: signal(claim) for name, signal in self._signals.items()}
        support = combination.support(values, self._weigh)
        best = claim.ranked[0]
        return Finding(
            sentence=claim.sentence,
            evidence=claim.evidence.sentences[best] if claim.coverage[best] > 0 else None,
            weight=claim.weight,
            values=values,
            support=support,
            score=support * combination.contradicted(values, self._weigh),
        )

    def _gatekeeper(self, findings: list[Finding], scores: Mapping[str, float | None]) -> dict[str, float | None]:
        attribution = combination.average(findings, [finding.support for finding in findings])
        faithfulness = gatekeeper.faithfulness(attribution, scores["specificity"] or 0.0, self._profile.weights.faithfulness)
        return {
            **scores,
            "final": combination.final(findings, self._weigh.weakest),
            "attribution": attribution,
            "faithfulness": faithfulness,
            "disagreement": gatekeeper.disagreement([faithfulness, scores["relevance"], scores["context_quality"]]),
        }

    def _passages(
        self, excerpt: Excerpt, claims: tuple[Part, ...], contexts: tuple[Part, ...], asked: tuple[Part, ...], *, cut: bool
    ) -> Passages:
        windows = self._models.encoder.windows
        return Passages(
            excerpt=excerpt,
            question=clean(excerpt.question or "").strip() or None,
            response=clean(excerpt.response),
            contexts=tuple(text for context in excerpt.contexts if (text := clean(context)).strip()),
            sentences=tuple(part.source.origin(part.start, part.end) for part in claims),
            sentence_texts=tuple(part.text for part in claims),
            question_windows=_windows(asked),
            response_windows=_windows(claims),
            context_windows=_windows(contexts),
            sample_windows=tuple(tuple(windows(text.strip())) for sample in excerpt.samples if (text := clean(sample)).strip()),
            sentences_cut=cut,
        )


def _windows(parts: tuple[Part, ...]) -> tuple[Window, ...]:
    return tuple(Window(part.text, len(part.words)) for part in parts)
