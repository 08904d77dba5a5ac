"""A profile's assessments of many answers, kept on disk so that a rerun is quick."""

from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

import orjson

from detectors import Answer, Assessment, Detector, load_detector, load_profile

BATCH: Final = 64


class Assessor:
    """Scores answers in batches; each answer once for a detector and a cache directory.

    The cache is a file of JSON lines for each detector, named by its fingerprint. It holds scores, offsets
    and hashes of answers, never their texts.
    """

    def __init__(self, profile_name: str, cache: Path | None = None, encoder: str | None = None) -> None:
        self.profile = load_profile(profile_name)
        self.detector: Detector = load_detector(self.profile, encoder)
        self._file = None if cache is None else cache / f"{self.detector.fingerprint}.jsonl"
        self._known = dict(_read(self._file)) if self._file and self._file.is_file() else {}

    def assess(self, answers: Sequence[Answer], advance: Callable[[int], None] = lambda _: None) -> list[Assessment]:
        """One assessment an answer, in order; `advance` is told of each batch's size."""
        keys = [sha256(answer.model_dump_json().encode()).hexdigest() for answer in answers]
        missing = {key: answer for key, answer in zip(keys, answers, strict=True) if key not in self._known}
        advance(len(keys) - len(missing))
        waiting = list(missing.items())
        for start in range(0, len(waiting), BATCH):
            batch = waiting[start : start + BATCH]
            found = self.detector.assess([answer for _, answer in batch])
            self._keep({key: assessment for (key, _), assessment in zip(batch, found, strict=True)})
            advance(len(batch))
        return [self._known[key] for key in keys]

    def _keep(self, found: dict[str, Assessment]) -> None:
        self._known |= found
        if self._file is None:
            return
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("ab") as out:
            out.writelines(orjson.dumps({"answer": key, **one.model_dump(mode="json")}) + b"\n" for key, one in found.items())


def _read(file: Path) -> list[tuple[str, Assessment]]:
    """A last line that a kill has cut is passed over."""
    found = []
    for line in file.read_bytes().splitlines():
        try:
            row = orjson.loads(line)
        except orjson.JSONDecodeError:
            continue
        found.append((row.pop("answer"), Assessment.model_validate(row)))
    return found
