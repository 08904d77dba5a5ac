"""A file of answers, judged in batches."""

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

import orjson

from detectors import Answer, Assessment, Detector, load_detector, load_profile
from schemas import Decision, Limits, ResponseEvent, ScoreStatus, Verdict
from schemas.interop import to_openinference, to_otel
from worker.cli.lines import Reject, open_input, read_event, read_lines
from worker.cli.output import note, progress
from worker.cli.repeats import Answered, Duplicate
from worker.policy import DetectorIdentity, Policy, judge
from worker.profiles import profile_errors
from worker.settings import Scorer

BATCH_EVENTS: Final = 64
BATCH_BYTES: Final = 4_000_000
"""A batch ends with the line that takes it past this size: what is in memory at once stays bounded."""

SHAPES: Final[Mapping[str, Callable[[Decision, str], dict[str, Any]]]] = {
    "groundwatch": Decision.to_dict,
    "otel": lambda decision, _: to_otel(decision),
    "openinference": lambda decision, _: to_openinference(decision),
}

Passed = Reject | Duplicate
"""A line that gets no decision."""
Item = ResponseEvent | Passed


class Paths(NamedTuple):
    """Input, decisions and rejects; `-` is stdin, stdout and stderr."""

    source: Path
    out: Path
    rejects: Path


@dataclass
class Tally:
    """What came out."""

    verdicts: Counter[Verdict] = field(default_factory=Counter)
    statuses: Counter[ScoreStatus] = field(default_factory=Counter)
    rejects: int = 0
    duplicates: int = 0
    """Lines that were passed over: the same answer stood under the same response id before."""
    seconds: float = 0.0
    encoder: str | None = None
    """The embedding model of the decisions; None when there are none."""
    rejects_path: str = ""

    def report(self, *, as_json: bool) -> None:
        """The summary on stderr."""
        summary = self._summary()
        if as_json:
            note(orjson.dumps(summary).decode())
            return
        verdicts = ", ".join(f"{count:,} {verdict}" for verdict, count in summary["decisions"].items())
        absent = " and ".join(f"{count:,} {status}" for status, count in summary["score_status"].items() if count and status != "scored")
        unscored = f" ({absent} among them)" if absent else ""
        encoder = f", encoder {self.encoder}" if self.encoder else ""
        note(f"{self.verdicts.total():,} decisions: {verdicts}{unscored}; {summary['events_per_second']:,.1f} a second{encoder}")
        if self.duplicates:
            note(f"{self.duplicates:,} lines passed over: the same answer under the same response_id again")
        if self.rejects:
            note(f"{self.rejects:,} lines without a decision: {self.rejects_path} names line, field and reason")

    def _summary(self) -> dict[str, Any]:
        lines = self.verdicts.total() + self.rejects + self.duplicates
        return {
            "lines": lines,
            "decisions": {verdict.value: self.verdicts[verdict] for verdict in Verdict},
            "score_status": {status.value: self.statuses[status] for status in ScoreStatus},
            "rejects": self.rejects,
            "duplicates": self.duplicates,
            "seconds": round(self.seconds, 3),
            "events_per_second": round(lines / self.seconds, 1) if self.seconds else 0.0,
            "encoder": self.encoder,
        }


def score_file(paths: Paths, scorer: Scorer, limits: Limits, shape: str, *, lines: bool = True) -> Tally:
    """Judge `paths.source` line by line; no lines of progress among rejects on stderr, or with `lines` false.

    Raises WrongProfile, and OSError for files that cannot be read or written.
    """
    judge_batch = Judge(scorer)
    tally = Tally(rejects_path="stderr" if paths.rejects == Path("-") else str(paths.rejects))
    started = time.monotonic()
    with ExitStack() as stack:
        stream = stack.enter_context(open_input(paths.source))
        out = sys.stdout.buffer if paths.out == Path("-") else stack.enter_context(paths.out.open("wb"))
        rejects = stack.enter_context(_RejectFile(paths.rejects))
        advance = stack.enter_context(progress("scoring", _size(paths.source), lines=lines and paths.rejects != Path("-")))
        for batch, size in _batches(stream, limits):
            _write(judge_batch(batch), out, rejects, shape, tally)
            advance(size)
        out.flush()
    tally.seconds = time.monotonic() - started
    return tally


class Judge:
    """Decisions for batches of events; other lines pass through. The models are loaded for the first event."""

    def __init__(self, scorer: Scorer) -> None:
        with profile_errors():
            self._profile = load_profile(scorer.profile)
        self._scorer = scorer
        self._policy = Policy(self._profile.rules, self._profile.thresholds)

    def __call__(self, batch: Sequence[Item]) -> list[tuple[ResponseEvent, Decision] | Passed]:
        """One result an item, in order."""
        events = [item for item in batch if isinstance(item, ResponseEvent)]
        if not events:
            return [item for item in batch if isinstance(item, Passed)]
        detector = self.detector
        began = time.perf_counter()
        assessments = iter(detector.assess([Answer.of(event) for event in events]))
        latency_ms = round((time.perf_counter() - began) * 1000 / len(events), 3)
        now = datetime.now(UTC)
        return [item if isinstance(item, Passed) else (item, self._decide(item, next(assessments), latency_ms, now)) for item in batch]

    @cached_property
    def detector(self) -> Detector:
        """The detector, its models loaded."""
        with profile_errors():
            return load_detector(self._profile, self._scorer.encoder, device=self._scorer.device)

    def _decide(self, event: ResponseEvent, assessment: Assessment, latency_ms: float, now: datetime) -> Decision:
        identity = DetectorIdentity(fingerprint=self.detector.fingerprint, profile=self._profile.name, encoder=self.detector.encoder)
        return judge(event, assessment, policy=self._policy, detector=identity, latency_ms=latency_ms, decided_at=now)


class _RejectFile:
    """Rejects as JSON lines in a file that is made for the first one; without any, one of an earlier run is removed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stream: BinaryIO | None = None

    def __enter__(self) -> "_RejectFile":
        return self

    def __exit__(self, *failure: object) -> None:
        if self._stream is None:
            if self._path != Path("-"):
                self._path.unlink(missing_ok=True)
        elif self._path != Path("-"):
            self._stream.close()

    def write(self, reject: Reject) -> None:
        """Add one."""
        if self._stream is None:
            self._stream = sys.stderr.buffer if self._path == Path("-") else self._path.open("wb")
        self._stream.write(orjson.dumps(reject._asdict()) + b"\n")
        self._stream.flush()


def _batches(stream: BinaryIO, limits: Limits) -> Iterator[tuple[list[Item], int]]:
    batch: list[Item] = []
    size = 0
    answered = Answered()
    for number, line in read_lines(stream, limits.message_bytes):
        event = read_event(number, line, limits)
        batch.append(event if isinstance(event, Reject) else answered.check(number, event))
        size += len(line) + 1
        if len(batch) == BATCH_EVENTS or size >= BATCH_BYTES:
            yield batch, size
            batch, size = [], 0
    if batch:
        yield batch, size


def _write(judged: list[tuple[ResponseEvent, Decision] | Passed], out: BinaryIO, rejects: _RejectFile, shape: str, tally: Tally) -> None:
    for result in judged:
        if isinstance(result, Reject):
            rejects.write(result)
            tally.rejects += 1
            continue
        if isinstance(result, Duplicate):
            tally.duplicates += 1
            continue
        event, decision = result
        out.write(orjson.dumps(SHAPES[shape](decision, event.response)) + b"\n")
        tally.encoder = decision.meta.encoder
        tally.verdicts[decision.decision] += 1
        tally.statuses[decision.score_status] += 1
    out.flush()


def _size(source: Path) -> int | None:
    return source.stat().st_size if source.is_file() else None
