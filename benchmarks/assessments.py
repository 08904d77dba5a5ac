"""A profile's assessments of many answers, kept on disk so that a rerun is quick."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

import orjson

from detectors import Answer, Assessment, Detector, Profile, load_detector, load_profile
from detectors.claims.batch import Batch
from detectors.claims.combination import Finding
from detectors.claims.method import ClaimsMethod
from detectors.claims.reading import ClaimsReading
from detectors.detector import make_detector
from detectors.models import Models
from detectors.parser import Token
from schemas import ScoreStatus

BATCH: Final = 64


class Said(NamedTuple):
    """What the signals say of one claim."""

    weight: float
    """Of the claim among the answer's claims."""
    values: Mapping[str, float | None]


class Kept(NamedTuple):
    """What is kept of an answer."""

    assessment: Assessment
    claims: Sequence[Said] | None
    """None without a score, and for a detector that does not judge claims."""


class Assessor:
    """Scores answers in batches; each answer once for a detector and a cache directory.

    The cache is a file of JSON lines for each detector, named by its fingerprint and the models that are left out (`shed`). It holds
    scores, offsets and hashes of answers, never their texts.
    """

    def __init__(self, profile_name: str, cache: Path | None = None, encoder: str | None = None, shed: int = 0) -> None:
        self.profile = load_profile(profile_name)
        self.detector, self._recorded = load(self.profile, encoder)
        self._shed = shed
        self._file = None if cache is None else cache / f"{self.detector.fingerprint}{f'-without-{shed}' if shed else ''}.jsonl"
        self._known = dict(_read(self._file)) if self._file and self._file.is_file() else {}

    def assess(self, answers: Sequence[Answer], advance: Callable[[int], None] = lambda _: None) -> list[Assessment]:
        """One assessment an answer, in order; `advance` is told of each batch's size."""
        return [kept.assessment for kept in self._all(answers, advance)]

    def claims(self, answers: Sequence[Answer], advance: Callable[[int], None] = lambda _: None) -> list[Sequence[Said] | None]:
        """What the signals say of each answer's claims."""
        return [kept.claims for kept in self._all(answers, advance)]

    def _all(self, answers: Sequence[Answer], advance: Callable[[int], None]) -> list[Kept]:
        keys = [sha256(answer.model_dump_json().encode()).hexdigest() for answer in answers]
        missing = {key: answer for key, answer in zip(keys, answers, strict=True) if key not in self._known}
        advance(len(keys) - len(missing))
        waiting = list(missing.items())
        for start in range(0, len(waiting), BATCH):
            batch = waiting[start : start + BATCH]
            found = self._score([answer for _, answer in batch])
            self._keep({key: kept for (key, _), kept in zip(batch, found, strict=True)})
            advance(len(batch))
        return [self._known[key] for key in keys]

    def _score(self, answers: Sequence[Answer]) -> list[Kept]:
        self._recorded.clear()
        assessments = self.detector.assess(answers, self._shed)
        recorded = iter(self._recorded)
        return [Kept(one, next(recorded, None) if one.status is ScoreStatus.SCORED else None) for one in assessments]

    def _keep(self, found: dict[str, Kept]) -> None:
        self._known |= found
        if self._file is None:
            return
        self._file.parent.mkdir(parents=True, exist_ok=True)
        rows = ({"answer": key, "claims": kept.claims, **kept.assessment.model_dump(mode="json")} for key, kept in found.items())
        with self._file.open("ab") as out:
            out.writelines(orjson.dumps(row, default=tuple) + b"\n" for row in rows)


class Recorder(ClaimsMethod):
    """Keeps what is said of the claims of each answer that it scores."""

    def __init__(self, profile: Profile, models: Models) -> None:
        super().__init__(profile, models)
        self.recorded: list[Sequence[Said]] = []

    def findings(self, reading: ClaimsReading, parses: Sequence[list[Token]], batch: Batch) -> list[Finding]:
        """See ClaimsMethod."""
        found = super().findings(reading, parses, batch)
        self.recorded.append([Said(one.weight, one.values) for one in found])
        return found


def load(profile: Profile, encoder: str | None) -> tuple[Detector, list[Sequence[Said]]]:
    """The profile's detector and where it leaves what is said of claims, an entry a scored answer; none for another kind of detector."""
    if profile.detector != "claims":
        return load_detector(profile, encoder), []
    models = Models.load(profile, encoder)
    method = Recorder(profile, models)
    return make_detector(profile, models, method), method.recorded


def _read(file: Path) -> Iterator[tuple[str, Kept]]:
    """A last line that a kill has cut is passed over."""
    for line in file.read_bytes().splitlines():
        try:
            row = orjson.loads(line)
        except orjson.JSONDecodeError:
            continue
        key, claims = row.pop("answer"), row.pop("claims")
        yield key, Kept(Assessment.model_validate(row), claims and [Said(*one) for one in claims])
