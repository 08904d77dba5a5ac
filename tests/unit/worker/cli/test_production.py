"""Which detector a profile stands for, and which of the store's labels are its own."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from detectors import Detector
from detectors.models import Models
from tests.integration.worker.store.factories import labelled, minutes, scored
from tests.unit.worker.calibration.factories import labelled as fitted_to
from tests.unit.worker.calibration.served import served
from worker.calibration.fit import calibrate
from worker.cli import services
from worker.cli.app import run
from worker.cli.options import WrongUse
from worker.cli.production import InForce, identify, propose, read
from worker.errors import TooFewLabels
from worker.settings import Gate, Scorer, Settings
from worker.store.memory import MemoryStore

pytestmark = pytest.mark.models


@pytest.fixture(autouse=True)
def loaded(models: Models, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The models are at hand already."""
    monkeypatch.setattr(Models, "load", lambda *_, **__: models)
    yield


def profile(tmp_path: Path, calibration: Path) -> str:
    """`default` with a calibration."""
    file = tmp_path / "mine.yaml"
    default = (files("configs") / "profiles/default.yaml").read_text(encoding="utf-8")
    file.write_text(f"{default}\ncalibration: {calibration}\n", encoding="utf-8")
    return str(file)


def calibration_of(detector: str, file: Path, **changes: Any) -> Path:
    made, _ = calibrate(fitted_to(400), detector=detector, fingerprint="0" * 16, alpha=0.1)
    file.write_text(made.model_copy(update=changes).model_dump_json())
    return file


def test_a_profile_without_a_calibration_is_one_detector(default: Detector) -> None:
    assert identify(Scorer()) == InForce(default.fingerprint)


def test_with_its_own_calibration_it_is_two_and_the_second_is_the_workers(default: Detector, tmp_path: Path) -> None:
    found = identify(Scorer(profile=profile(tmp_path, calibration_of(default.fingerprint, tmp_path / "c.json"))))

    assert found.detector == default.fingerprint
    assert len(set(found.fingerprints)) == 2
    assert found.calibration is not None
    assert found.note is None


def test_what_earlier_calibrations_made_of_the_same_scores_is_its_own_too(default: Detector, tmp_path: Path) -> None:
    file = calibration_of(default.fingerprint, tmp_path / "c.json", earlier=("default-1", "default-0"))

    assert identify(Scorer(profile=profile(tmp_path, file))).fingerprints[2:] == ("default-1", "default-0")


@pytest.mark.parametrize("other", [False, True], ids=["missing", "of another detector"])
def test_a_calibration_that_cannot_be_in_force_is_not_and_the_note_says_why(other: bool, default: Detector, tmp_path: Path) -> None:
    file = calibration_of("other-0", tmp_path / "c.json") if other else tmp_path / "c.json"

    found = identify(Scorer(profile=profile(tmp_path, file)))

    assert (found.fingerprints, found.calibration) == ((default.fingerprint,), None)
    assert ("one of other-0" if other else "c.json: cannot be read") in (found.note or "")


@pytest.mark.parametrize(
    ("turns", "labels", "code", "outcome"),
    [(1.0, 30, 0, "ok"), (0.7, 30, 1, "worse"), (1.0, 400, 3, "not_enough_labels")],
)
async def test_what_is_worse_or_cannot_be_told_is_not_written(
    turns: float, labels: int, code: int, outcome: str, default: Detector, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    store, out = MemoryStore(), tmp_path / "c.json"
    await store.record(served("m-1", default.fingerprint, count=600, turns=turns))
    await store.pair([f"m-1-{i}" for i in range(600)])
    monkeypatch.setattr(services, "open_store", opening(store))
    arguments = ["calibrate", "--from-store", "--out", str(out), "--alpha", "0.2", "--set", f"gate.labels={labels}", "--json"]

    assert await asyncio.to_thread(run, arguments) == code

    found = json.loads(capsys.readouterr().out)
    assert found["gate"]["outcome"] == outcome
    assert out.exists() is (code == 0)


def opening(store: MemoryStore) -> Any:
    @asynccontextmanager
    async def opened(_: Settings) -> Any:
        yield store

    return opened


class TestReading:
    @pytest.fixture(autouse=True)
    async def store(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Labelled answers of two models, and one that nobody is sure about."""
        store = MemoryStore()
        for number, (model, label) in enumerate((("m-1", 1), ("m-1", "unsure"), ("m-2", 0))):
            await store.record(
                [scored(number, f"r-{number}", model=model, decided_at=minutes(number)), labelled(number, f"r-{number}", label)]
            )
        await store.pair(["r-0", "r-1", "r-2"])
        monkeypatch.setattr(services, "open_store", opening(store))

    @pytest.mark.parametrize(
        ("segments", "expected"), [([], ["r-0", "r-2"]), (["travel/m-2"], ["r-2"]), (["travel/m-2", "travel/m-1"], ["r-2", "r-0"])]
    )
    def test_sure_labels_of_the_segments_that_are_named_come_with_their_answers(self, segments: list[str], expected: list[str]) -> None:
        pairs, answers = read(Settings(), segments, None)

        assert [pair.response_id for pair in pairs] == expected
        assert answers.keys() == {pair.decision_id for pair in pairs}

    @pytest.mark.parametrize(
        ("segments", "days", "message"), [(["no/such"], None, "no/such has no labelled answer"), ([], 1.0, "no labelled")]
    )
    def test_where_there_are_none_it_says_so(self, segments: list[str], days: float | None, message: str) -> None:
        with pytest.raises(WrongUse, match=message):
            read(Settings(), segments, days)

    def test_labels_of_another_detector_alone_are_refused_and_it_is_named(self) -> None:
        with pytest.raises(TooFewLabels, match=r"they were by f-1 \(2\): name their profile with --profile"):
            propose(read(Settings(), [], None), Scorer(), Gate(), alpha=0.1, isotonic=False)
