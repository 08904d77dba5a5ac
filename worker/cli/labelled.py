"""Labelled answers from files and data sets, and their scores."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Literal

import orjson

from detectors import Answer, load_detector, load_profile
from schemas import InvalidEvent, LabelEvent, Limits, ResponseEvent, ScoreStatus, decode_label
from schemas.aliases import LABEL_NAMES, RESPONSE_NAMES
from worker.calibration.labelled import Groups, Labelled, fingerprint, group
from worker.cli.lines import Reject, open_input, read_event, read_lines, require_file, wrong_line
from worker.cli.options import WrongUse
from worker.cli.output import progress
from worker.policy import REUSED_ID
from worker.profiles import profile_errors
from worker.settings import Scorer

Pair = tuple[Answer, bool]

BATCH: Final = 64
MEASURING_ONLY: Final = frozenset({"felm"})
"""Sets whose licence allows no fitting."""


def read_set(name: str, directory: Path) -> list[Pair]:
    """The answers of a data set. Raises WrongUse for a name that is unknown or not for fitting, NotFound for a missing file."""
    from benchmarks import datasets

    if name not in datasets.NAMES:
        raise WrongUse(f"{name} is not a known data set; known are {', '.join(sorted(datasets.NAMES))}")
    if name in MEASURING_ONLY:
        raise WrongUse(f"the licence of {name} allows measuring, not fitting; use another set")
    return [(Answer.of(event), label.label == 1) for event, label in datasets.load(name, directory)]


def read_labelled(files: Sequence[Path], limits: Limits) -> list[Pair]:
    """The labelled answers of all files together: an answer's line says `label` itself, or a label event names its response_id.

    Answers without a label and labels without an answer are left out, and so is an answer that comes again. Raises GroundwatchError naming
    file and line of what is neither, or another answer under the same response_id.
    """
    answers: dict[str, Answer] = {}
    labels: dict[str, Literal[0, 1] | None] = {}
    for file in files:
        require_file(file)
        with open_input(file) as stream:
            for number, line in read_lines(stream, limits.message_bytes):
                event, label = _read(file, number, line, limits)
                name = _name(file, number, event, label)
                if event is not None and answers.setdefault(name, Answer.of(event)).response != event.response:
                    raise wrong_line(file, number, "response_id", REUSED_ID)
                if label is not None:
                    labels[name] = label.sure
    return [(answer, known == 1) for name, answer in answers.items() if (known := labels.get(name)) is not None]


def without_scores(pairs: Sequence[Pair]) -> Labelled:
    """Labels and groups of all `pairs`: more than will be left of them when those that cannot be scored are gone."""
    return Labelled.of([{}] * len(pairs), [label for _, label in pairs], group(answer for answer, _ in pairs))


def score(pairs: Sequence[Pair], groups: Groups, scorer: Scorer) -> tuple[Labelled, str, str]:
    """The scored ones of `pairs`, each in its one of `groups`, the fingerprint of the detector without a calibration, and theirs.

    Raises WrongProfile.
    """
    with profile_errors():
        detector = load_detector(load_profile(scorer.profile, calibrated=False), scorer.encoder, device=scorer.device)
    kept: list[int] = []
    scores: list[dict[str, float | None]] = []
    with progress("scoring", len(pairs)) as advance:
        for start in range(0, len(pairs), BATCH):
            batch = [answer for answer, _ in pairs[start : start + BATCH]]
            for row, assessment in enumerate(detector.assess(batch), start):
                if assessment.status is ScoreStatus.SCORED:
                    kept.append(row)
                    scores.append(assessment.scores)
            advance(len(batch))
    answers, labels = [pairs[row][0] for row in kept], [pairs[row][1] for row in kept]
    return Labelled.of(scores, labels, groups[kept]), detector.fingerprint, fingerprint(answers, labels)


def _read(file: Path, number: int, line: bytes, limits: Limits) -> tuple[ResponseEvent | None, LabelEvent | None]:
    payload = _payload(line)
    name = next((name for name in LABEL_NAMES["label"] if name in payload), None)
    if name is not None and not any(one in payload for one in RESPONSE_NAMES["response"]):
        try:
            return None, decode_label(line, (), limits)
        except InvalidEvent as invalid:
            raise wrong_line(file, number, invalid.field, invalid.reason) from None
    event = read_event(number, line, limits)
    if isinstance(event, Reject):
        raise wrong_line(file, number, event.field, event.reason)
    if name is None:
        return event, None
    try:
        return event, LabelEvent(response_id=event.response_id, label=payload[name])
    except ValueError:
        raise wrong_line(file, number, name, "must be the integer 1 (grounded) or 0 (hallucinated), or 'unsure'") from None


def _name(file: Path, number: int, event: ResponseEvent | None, label: LabelEvent | None) -> str:
    """The response's id; an answer without one has its place instead, so that those of several files stay apart."""
    if event is None:
        return label.response_id if label else ""
    return f"{file}:{number}" if event.response_id == f"line-{number}" else event.response_id


def _payload(line: bytes) -> dict[str, Any]:
    try:
        payload = orjson.loads(line)
    except orjson.JSONDecodeError:
        return {}
    return payload if isinstance(payload, dict) else {}
