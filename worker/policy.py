"""From scores to a decision. Pure: the same event, assessment and moment give the same decision."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from typing import Final
from uuid import UUID, uuid5

from detectors.assessment import Assessment
from detectors.rules import Condition, Degraded, FailureType, HallucinationStatus, Outcome, Rules
from schemas import Decision, Explanations, Meta, ResponseEvent, ScoreStatus, Traits, Verdict

NAMESPACE: Final = UUID("6f5c1c0e-0d57-5c0b-9a51-7e1f3e0b6a42")
"""Of all decision ids."""

REUSED_ID: Final = "stands for another answer already; send each answer under an id of its own"
"""What is wrong with a response id that has a decision on another answer. The same answer again is a duplicate: it is passed over."""


@dataclass(frozen=True, kw_only=True)
class DetectorIdentity:
    """Which detector gave the scores."""

    fingerprint: str
    profile: str
    encoder: str


@dataclass(frozen=True, kw_only=True)
class Ruling:
    """What the policy says about one assessment."""

    rule: str
    """The rule's name, or the status that stood in its place."""
    decision: Verdict
    confidence_pct: int | None
    """0 to 100; None where a score that it is made of is absent."""
    failure_type: FailureType
    hallucination_status: HallucinationStatus
    next_action: str
    action_why: str
    reason: str


@dataclass(frozen=True)
class Policy:
    """Applies a policy file's rules, in their order."""

    rules: Rules
    thresholds: Mapping[str, float] = field(default_factory=dict)
    """What the rules name: a profile's `thresholds`."""

    def decide(self, assessment: Assessment) -> Ruling:
        """The ruling of the first rule that holds, or that of the status when there are no scores; `unread` where it would accept what was
        not read whole, `degraded` where it does not stand without the models that were left out."""
        ruling = self._decide(assessment)
        unread, degraded = self.rules.unread, self.rules.degraded
        if assessment.response_cut and ruling.decision is Verdict.ACCEPT:
            return _ruling("unread", unread, unread.reason, confidence=ruling.confidence_pct, hallucination=ruling.hallucination_status)
        if degraded and assessment.degraded and not self._stands(ruling, degraded, assessment.scores):
            return _ruling("degraded", degraded, degraded.reason, confidence=ruling.confidence_pct, hallucination=degraded.hallucination)
        return ruling

    def _stands(self, ruling: Ruling, degraded: Degraded, scores: Mapping[str, float | None]) -> bool:
        """A calibration's bounds hold for what was scored by all models: nothing else is accepted or rejected beside them."""
        condition = degraded.stands.get(ruling.decision)
        return condition is None or (not self.thresholds and self._holds(condition, scores))

    def _decide(self, assessment: Assessment) -> Ruling:
        if assessment.status is not ScoreStatus.SCORED:
            absence = self.rules.absences[assessment.status]
            return _ruling(assessment.status.value, absence, absence.reason, confidence=None, hallucination="none")
        scores = assessment.scores
        rule = next(rule for rule in self.rules.rules if self._holds(rule.when, scores))
        reason = rule.explain(scores, self.thresholds)
        return _ruling(
            rule.name, rule, reason, confidence=self._confidence(scores), hallucination=rule.hallucination or self._hallucination(scores)
        )

    def _confidence(self, scores: dict[str, float | None]) -> int | None:
        """Source: seed 000. The published 22 % at final .525, attribution .428, disagreement .077."""
        final, attribution, disagreement = scores.get("final"), scores.get("attribution"), scores.get("disagreement")
        if final is None or attribution is None or disagreement is None:
            return None
        weigh = self.rules.confidence
        margin = min(1.0, weigh.slope * abs(final - weigh.threshold))
        agreement = max(0.0, 1.0 - disagreement / weigh.scale)
        share = weigh.margin * margin + weigh.attribution * attribution + weigh.agreement * agreement
        return round(100 * min(1.0, max(0.0, share)))

    def _hallucination(self, scores: dict[str, float | None]) -> HallucinationStatus:
        given = self.rules.hallucination_status
        if any(self._holds(condition, scores) for condition in given.confirmed):
            return "confirmed"
        return "suspected" if any(self._holds(condition, scores) for condition in given.suspected) else "none"

    def _holds(self, condition: Condition, scores: Mapping[str, float | None]) -> bool:
        return all(bounds.hold(scores.get(name), self.thresholds) for name, bounds in condition.items())


def judge(
    event: ResponseEvent,
    assessment: Assessment,
    *,
    policy: Policy,
    detector: DetectorIdentity,
    latency_ms: float,
    decided_at: datetime,
    enforced: bool = True,
    audit: bool = False,
    dimensions: Collection[str] = (),
) -> Decision:
    """The decision on `event`, with those of its attributes that `dimensions` names. Carries hashes and offsets of texts, never texts."""
    ruling = policy.decide(assessment)
    return Decision(
        decision_id=decision_id(event.response_id, detector.fingerprint),
        response_id=event.response_id,
        dataset=event.dataset,
        model=event.model,
        conversation_id=event.conversation_id,
        decision=ruling.decision,
        confidence_pct=ruling.confidence_pct,
        failure_type=ruling.failure_type,
        hallucination_status=ruling.hallucination_status,
        next_action=ruling.next_action,
        action_why=ruling.action_why,
        score_status=assessment.status,
        scores=assessment.scores,
        explanations=Explanations(
            reason=ruling.reason, low_confidence_sentences=assessment.low_confidence_sentences, spans=assessment.spans
        ),
        meta=_meta(event, assessment, ruling, detector, latency_ms=latency_ms, audit=audit),
        fingerprint=detector.fingerprint,
        question_sha256=None if event.question is None else text_sha256(event.question),
        response_sha256=text_sha256(event.response),
        contexts_sha256=tuple(text_sha256(context) for context in event.contexts),
        enforced=enforced,
        degraded=assessment.degraded,
        traits=_traits(event, assessment),
        dimensions={name: value for name, value in event.attributes.items() if name in dimensions},
        created_at=event.created_at,
        decided_at=decided_at,
    )


@lru_cache(maxsize=4096)  # asked for at every step of an event's way
def decision_id(response_id: str, fingerprint: str) -> UUID:
    """UUIDv5 of response id and detector fingerprint: a redelivered response gives the same one."""
    return uuid5(NAMESPACE, f"{fingerprint}\n{response_id}")


def _ruling(name: str, outcome: Outcome, reason: str, *, confidence: int | None, hallucination: HallucinationStatus) -> Ruling:
    return Ruling(
        rule=name,
        decision=outcome.decision,
        confidence_pct=confidence,
        failure_type=outcome.failure_type,
        hallucination_status=hallucination,
        next_action=outcome.next_action,
        action_why=outcome.action_why,
        reason=reason,
    )


def _traits(event: ResponseEvent, assessment: Assessment) -> Traits:
    return Traits(
        question_characters=None if event.question is None else len(event.question),
        response_characters=len(event.response),
        contexts=len(event.contexts),
        context_characters=sum(map(len, event.contexts)),
        directions=assessment.directions,
    )


def _meta(
    event: ResponseEvent, assessment: Assessment, ruling: Ruling, detector: DetectorIdentity, *, latency_ms: float, audit: bool
) -> Meta:
    return Meta(
        passed=ruling.decision is Verdict.ACCEPT,
        latency_ms=latency_ms,
        llm_latency_ms=event.llm_latency_ms,
        profile=detector.profile,
        rule=ruling.rule,
        encoder=detector.encoder,
        evidence_coverage=assessment.evidence_coverage,
        context_truncated=assessment.context_truncated,
        audit=audit,
        missing_signals=assessment.missing_signals,
    )


def text_sha256(text: str) -> str:
    """The hash that stands for a text in a decision."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
