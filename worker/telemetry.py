"""What triage counts, for Prometheus. Labels are bounded: never an id, never text."""

from collections import Counter as Tally
from collections.abc import Sequence
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from schemas import Decision, Meta
from worker.segments import MOST_SEGMENTS, OTHER, Roster
from worker.store import DeadLettered, Labelled, Outcome, Scored

LATENCY_BUDGET: Final = 0.5
"""Share of the LLM's own response time that a decision may take. The view latency_budget has the same."""

_SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
_SCORES = tuple(step / 20 for step in range(1, 21))


class Telemetry:
    """The counters of one worker."""

    def __init__(self, registry: CollectorRegistry, segments: int = MOST_SEGMENTS) -> None:
        self._roster = Roster(segments)
        self._outcomes = Counter(
            "groundwatch_outcomes",
            "Messages by how they ended; redelivered ones count again.",
            ["topic", "outcome", "reason"],
            registry=registry,
        )
        self._decisions = Counter("groundwatch_decisions", "Decisions made.", ["dataset", "model", "decision"], registry=registry)
        self._latency = Histogram(
            "groundwatch_decision_seconds", "From taking an event in hand to its decision.", buckets=_SECONDS, registry=registry
        )
        self._budget = Counter(
            "groundwatch_latency_budget",
            "Decisions on events that tell the LLM's own time, by whether they took half of it or less.",
            ["dataset", "model", "budget"],
            registry=registry,
        )
        self._final = Histogram("groundwatch_final_score", "Final scores.", ["dataset", "model"], buckets=_SCORES, registry=registry)
        self.lag = Gauge("groundwatch_consumer_lag", "Messages on the broker without a commit.", ["topic"], registry=registry)
        self.waiting = Gauge("groundwatch_waiting", "1 while a service does not answer.", ["topic"], registry=registry)
        self.shed = Gauge("groundwatch_shed_steps", "Steps of the profile that overload leaves out.", registry=registry)
        self.unbalanced = Gauge(
            "groundwatch_ledger_unbalanced", "Partitions whose account does not balance, as last audited.", registry=registry
        )
        self.expired = Counter("groundwatch_expired_rows", "Rows deleted because their time was over.", ["kind"], registry=registry)
        self.expiry_failures = Counter("groundwatch_expiry_failures", "Passes over what is kept that failed.", registry=registry)
        self.scorer_restarts = Gauge("groundwatch_scorer_restarts", "Restarts of the scorer process.", registry=registry)

    def settled(self, outcomes: Sequence[Outcome]) -> None:
        """Count a batch that is written and acknowledged."""
        for labels, count in Tally(map(_labels, outcomes)).items():
            self._outcomes.labels(*labels).inc(count)
        decisions = [outcome.binding for outcome in outcomes if isinstance(outcome, Scored)]
        segments = [self._segment(decision) for decision in decisions]
        verdicts = (decision.decision.value for decision in decisions)
        for (segment, verdict), count in Tally(zip(segments, verdicts, strict=True)).items():
            self._decisions.labels(*segment, verdict).inc(count)
        finals = {segment: self._final.labels(*segment) for segment in set(segments)}
        for segment, decision in zip(segments, decisions, strict=True):
            self._latency.observe(decision.meta.latency_ms / 1000)
            if (final := decision.scores.get("final")) is not None:
                finals[segment].observe(final)
            self._hold_to_budget(segment, decision.meta)

    def _hold_to_budget(self, segment: tuple[str, str], meta: Meta) -> None:
        if meta.llm_latency_ms is not None:
            within = meta.latency_ms <= LATENCY_BUDGET * meta.llm_latency_ms
            self._budget.labels(*segment, "within" if within else "over").inc()

    def _segment(self, decision: Decision) -> tuple[str, str]:
        segment = (decision.dataset, decision.model)
        return segment if self._roster.admits(segment) else OTHER


def _labels(outcome: Outcome) -> tuple[str, str, str]:
    topic = outcome.position.topic
    if isinstance(outcome, Scored):
        status = outcome.decision.score_status.value
        return topic, "scored" if status == "scored" else "not_measurable", "" if status == "scored" else status
    if isinstance(outcome, DeadLettered):
        return topic, "dead_lettered", outcome.letter.kind
    if isinstance(outcome, Labelled):
        return topic, "labelled", ""
    return topic, "skipped", outcome.reason
