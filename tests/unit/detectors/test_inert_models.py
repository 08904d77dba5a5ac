"""A model's folder is data: no weights that are a pickle, and no code of its own, ever run."""

import json
import pickle
from pathlib import Path

import pytest
from safetensors.torch import load_file

from detectors.cross_encoder import load_cross_encoder
from detectors.encoder import load_model
from detectors.errors import DetectorError
from detectors.profile import Entailment
from tests.unit.detectors.tiny_cross_encoder import write

pytestmark = pytest.mark.models


class Trap:
    """Makes a file when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self._mark = mark

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self._mark,)


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    """Exists once a trap has run."""
    return tmp_path / "ran"


def with_a_pickle(folder: Path, mark: Path) -> Path:
    weights = folder / "model.safetensors"
    assert load_file(weights)
    weights.unlink()
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Trap(mark)))
    return folder


def with_code(folder: Path, mark: Path) -> Path:
    (folder / "mine.py").write_text(f"from pathlib import Path\nPath({str(mark)!r}).touch()\n")
    config = json.loads((folder / "config.json").read_text())
    classes = {"AutoConfig": "mine.Config", "AutoModel": "mine.Model", "AutoModelForSequenceClassification": "mine.Model"}
    (folder / "config.json").write_text(json.dumps(config | {"model_type": "mine", "auto_map": classes}))
    return folder


@pytest.mark.parametrize("spoil", [with_a_pickle, with_code])
def test_a_model_that_would_run_code_is_refused(spoil: object, tmp_path: Path, mark: Path) -> None:
    folder = spoil(write(tmp_path / "model"), mark)  # type: ignore[operator]
    with pytest.raises(DetectorError, match="cannot be loaded"):
        load_cross_encoder(Entailment.model_validate({"model": str(folder)}))
    with pytest.raises(Exception):  # noqa: B017 - whichever the library raises: the encoder falls back on it
        load_model(str(folder))
    assert not mark.exists()
