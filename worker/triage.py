"""What becomes of a batch of messages: responses are judged, labels are paired. Knows no broker: it is given records and a publisher.

Each batch goes through two steps: `judge` may run for several batches at once, `settle` for one after the other, in their order.
"""

import asyncio
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple, Protocol
from uuid import UUID

import orjson

from detectors import Answer, Assessment
from schemas import (
    DeadLetter,
    Decision,
    InvalidEvent,
    LabelEvent,
    Limits,
    ResponseEvent,
    decode_label,
    decode_response,
    encode,
    subject_sha256,
)
from worker.errors import StoreRefused
from worker.intake import Record, audited, dead_letter, label_id, label_moment, position, read, sampled
from worker.kafka import Message
from worker.load import Load
from worker.patience import Patience
from worker.policy import REUSED_ID, decision_id, judge, text_sha256
from worker.publishing import decision_message, pair_message
from worker.redaction import Redaction
from worker.rollout import Contender, Lineup, Rollout
from worker.scorer import Poison
from worker.settings import Labels, Sampling, Topics
from worker.store import DeadLettered, Labelled, Outcome, Scored, Skipped, Store, Texts
from worker.telemetry import Telemetry


class Publishes(Protocol):
    """Where messages go; both verbs return after the brokers' acknowledgement."""

    async def publish(self, messages: Sequence[Message]) -> None:
        """Send messages in order."""

    async def publish_dead_letters(self, topic: str, letters: Sequence[DeadLetter]) -> None:
        """Send dead letters."""


@dataclass(frozen=True, kw_only=True)
class Collaborators:
    """What both kinds of triage work with."""

    store: Store
    publisher: Publishes
    patience: Patience
    topics: Topics
    limits: Limits
    telemetry: Telemetry
    redaction: Redaction
    now: Callable[[], datetime]


class Triage:
    """Writes, pairs and publishes a batch's outcomes: everything that must be acknowledged before its offsets are committed."""

    def __init__(self, use: Collaborators) -> None:
        self._use = use

    async def _settle(
        self, records: Sequence[Record], outcomes: Sequence[Outcome], response_ids: Sequence[str], decided: Sequence[tuple[str, UUID]]
    ) -> None:
        """`outcomes` as of `records`; `decided`: the response and decision ids whose stored decisions go out, new or known."""
        use = self._use
        if use.redaction.patterns:  # in a thread: it may take long texts a while
            outcomes = await asyncio.to_thread(use.redaction.outcomes, outcomes)
        outcomes, stored = await self._record(records, outcomes)
        known = await use.patience("reading decisions", lambda: use.store.known({i for _, i in decided if i not in stored}))
        payloads = {**known, **stored}
        pairs = await use.patience("pairing", lambda: use.store.pair(response_ids))
        letters = [outcome.letter for outcome in outcomes if isinstance(outcome, DeadLettered)]
        messages = [decision_message(use.topics, response, payloads[i]) for response, i in decided if i in payloads]
        messages += [pair_message(use.topics, pair) for pair in pairs]
        await use.patience("publishing", lambda: use.publisher.publish(messages))
        await use.patience("publishing dead letters", lambda: use.publisher.publish_dead_letters(use.topics.dead_letters, letters))
        use.telemetry.settled(outcomes)

    async def _record(self, records: Sequence[Record], outcomes: Sequence[Outcome]) -> tuple[list[Outcome], dict[UUID, bytes]]:
        """The outcomes as they are written, with the stored decisions. What Postgres refuses, found by halving, is dead-lettered."""
        use = self._use
        try:
            return list(outcomes), dict(await use.patience("recording a batch", lambda: use.store.record(outcomes)))
        except StoreRefused as refused:
            reason = str(refused)
        if len(outcomes) > 1:
            half = len(outcomes) // 2
            first, stored = await self._record(records[:half], outcomes[:half])
            second, further = await self._record(records[half:], outcomes[half:])
            return first + second, stored | further
        if isinstance(outcomes[0], DeadLettered):
            raise StoreRefused(reason)
        letter = DeadLettered.of(dead_letter(records[0], "poison", "", reason, use.now()))
        return await self._record(records, use.redaction.outcomes([letter]))


class Taken(NamedTuple):
    """A message as it was read."""

    record: Record
    event: ResponseEvent | DeadLetter
    id: UUID | None
    """Of the champion's decision; None for one that is not judged."""
    rival: UUID | None = None
    """Of the challenger's, where there is one."""


@dataclass(frozen=True, kw_only=True)
class Judged:
    """A batch of responses with what the scorer says of those that were not decided before."""

    taken: Sequence[Taken]
    hashes: Mapping[UUID, str]
    """SHA-256 of the response of what was decided before."""
    results: dict[UUID, Decision | Poison] = field(default_factory=dict)
    rivals: dict[UUID, Decision] = field(default_factory=dict)
    """What the challenger decided, by the ids of `results`."""


class ResponseTriage(Triage):
    """Judges responses."""

    def __init__(
        self,
        use: Collaborators,
        *,
        rollout: Rollout,
        sampling: Sampling,
        load: Load,
        dimensions: Collection[str] = (),
    ) -> None:
        super().__init__(use)
        self._rollout = rollout
        self._sampling = sampling
        self._load = load
        self._dimensions = dimensions

    async def judge(self, records: Sequence[Record]) -> Judged:
        """Decide on `records`, in offset order within each partition."""
        started = time.monotonic()
        with self._rollout.held() as lineup:
            taken = [self._taken(record, lineup) for record in records]
            hashes = await self._decided(taken)
            fresh = _fresh(taken, hashes)
            answers = [Answer.of(event) for event in fresh.values()]
            self._load.read(len(records), len(answers))
            found, theirs = await self._assess(lineup, answers)
        judged = Judged(taken=taken, hashes=hashes)
        for (decided, event), result, rival in zip(fresh.items(), found, theirs, strict=True):
            if isinstance(result, Poison):
                judged.results[decided] = result
                continue
            binds = rival is None or not lineup.challenged(event)
            judged.results[decided] = self._decision(event, result, lineup.champion, started, enforced=binds)
            if lineup.challenger and rival:
                judged.rivals[decided] = self._decision(event, rival, lineup.challenger, started, enforced=not binds)
        return judged

    async def _assess(self, lineup: Lineup, answers: Sequence[Answer]) -> tuple[Sequence[Assessment | Poison], Sequence[Assessment | None]]:
        """What champion and challenger say. Under overload nobody is challenged; what a challenger cannot score it says nothing of."""
        challenge = None if self._load.shed else lineup.challenge(answers)
        try:
            found = await self._use.patience("scoring", lambda: lineup.champion.scorer.assess(answers), timed=True)
            theirs = await lineup.answer(challenge)
        except BaseException:
            if challenge:
                challenge.cancel()
            raise
        if theirs is None:
            return found, [None] * len(answers)
        return found, [None if isinstance(one, Poison) else one for one in theirs]

    async def settle(self, batch: Judged) -> None:
        """Take the batch to its outcomes. Returns when all is written and acknowledged."""
        hashes = {**batch.hashes, **await self._decided([one for one in batch.taken if one.id in batch.results])}
        outcomes = [self._outcome(one, batch, hashes) for one in batch.taken]
        wanted = [(one.event.response_id, one.id, one.rival) for one in batch.taken if one.id and isinstance(one.event, ResponseEvent)]
        each = ((response, decided) for response, own, rival in wanted if own in hashes for decided in (own, rival) if decided)
        records, responses = [one.record for one in batch.taken], [response for response, _, _ in wanted]
        await self._settle(records, outcomes, responses, list(dict.fromkeys(each)))

    async def _decided(self, taken: Sequence[Taken]) -> dict[UUID, str]:
        """Of those that are decided, by either detector, the SHA-256 of the response."""
        ids = {i for one in taken for i in (one.id, one.rival) if i}
        known = await self._use.patience("looking decisions up", lambda: self._use.store.known(ids))
        hashes = {i: str(orjson.loads(payload)["response_sha256"]) for i, payload in known.items()}
        return {one.id: hashes[i] for one in taken if one.id for i in (one.rival, one.id) if i in hashes}

    def _taken(self, record: Record, lineup: Lineup) -> Taken:
        event = read(record, decode_response, self._use.limits, self._use.now())
        if isinstance(event, DeadLetter) or not sampled(event.dataset, event.response_id, self._sampling):
            return Taken(record, event, None)
        rival = decision_id(event.response_id, lineup.challenger.fingerprint) if lineup.challenger else None
        return Taken(record, event, decision_id(event.response_id, lineup.champion.fingerprint), rival)

    def _decision(self, event: ResponseEvent, assessment: Assessment, by: Contender, started: float, *, enforced: bool) -> Decision:
        return judge(
            event,
            assessment,
            policy=by.policy,
            detector=by.detector,
            enforced=enforced,
            latency_ms=round((time.monotonic() - started) * 1000, 3),
            decided_at=self._use.now(),
            audit=audited(event.response_id, self._sampling),
            dimensions=self._dimensions,
        )

    def _outcome(self, taken: Taken, batch: Judged, hashes: dict[UUID, str]) -> Outcome:
        """A decision stands once per response id: `hashes` holds what is decided already and takes up each new decision."""
        record, event, decided, _ = taken
        at = position(record)
        if isinstance(event, DeadLetter):
            return DeadLettered.of(event)
        if decided is None:
            return Skipped(position=at, reason="sampled_out")
        result, rival = batch.results.get(decided), batch.rivals.get(decided)
        if isinstance(result, Poison):
            return DeadLettered.of(dead_letter(record, "poison", "", result.reason, self._use.now()))
        if decided in hashes:
            return self._repeated(record, event, hashes[decided])
        assert result is not None
        hashes[decided] = result.response_sha256
        texts = Texts(
            question=event.question, response=event.response, contexts=event.contexts, subject_sha256=subject_sha256(event.subject)
        )
        return Scored(
            position=at, decision=result, payload=encode(result), texts=texts, rival=None if rival is None else (rival, encode(rival))
        )

    def _repeated(self, record: Record, event: ResponseEvent, decided_sha256: str) -> Outcome:
        if text_sha256(event.response) == decided_sha256:
            return Skipped(position=position(record), reason="duplicate")
        return DeadLettered.of(dead_letter(record, "invalid", "response_id", REUSED_ID, self._use.now()))


class LabelTriage(Triage):
    """Pairs labels with decisions."""

    def __init__(self, use: Collaborators, labels: Labels) -> None:
        super().__init__(use)
        self._labels = labels

    async def judge(self, records: Sequence[Record]) -> list[tuple[Record, Outcome]]:
        """Read `records`, in offset order within each partition."""
        return [(record, self._outcome(record)) for record in records]

    async def settle(self, batch: Sequence[tuple[Record, Outcome]]) -> None:
        """Take the batch to its outcomes. Returns when all is written and acknowledged."""
        records, outcomes = [record for record, _ in batch], [outcome for _, outcome in batch]
        labelled = [outcome.label.response_id for outcome in outcomes if isinstance(outcome, Labelled)]
        await self._settle(records, outcomes, labelled, [])

    def _outcome(self, record: Record) -> Outcome:
        event = read(record, decode_label, self._use.limits, self._use.now())
        if isinstance(event, DeadLetter):
            return DeadLettered.of(event)
        try:
            return self._labelled(record, event)
        except InvalidEvent as invalid:
            return DeadLettered.of(dead_letter(record, "invalid", invalid.field, invalid.reason, self._use.now()))

    def _labelled(self, record: Record, label: LabelEvent) -> Labelled:
        moment, weight = label_moment(label, record), self._labels.weight(label.source)
        if (moment - self._use.now()).total_seconds() > self._labels.ahead_seconds:
            raise InvalidEvent("labelled_at", "lies in the future, further than labels.ahead_seconds")
        return Labelled(position=position(record), label=label, label_id=label_id(label, moment), labelled_at=moment, precedence=weight)


def _fresh(taken: Sequence[Taken], decided: Collection[UUID]) -> dict[UUID, ResponseEvent]:
    """What is to be scored, by the ids of the decisions: each answer once, and none that has its decision."""
    fresh: dict[UUID, ResponseEvent] = {}
    for _, event, own, _ in taken:
        if own and own not in decided and isinstance(event, ResponseEvent):
            fresh.setdefault(own, event)
    return fresh
