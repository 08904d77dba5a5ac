"""A cross-encoder's outputs become the probability of entailment; what cannot give one is refused."""

from pathlib import Path

import pytest

from detectors.cross_encoder import CrossEncoder, load_cross_encoder
from detectors.errors import DetectorError
from detectors.profile import Entailment
from tests.unit.detectors.tiny_cross_encoder import POSITIONS, write

PAIR = ("The Orvane lighthouse was built in 1911.", "The lighthouse was built by Marta.")


def load(folder: Path, **settings: object) -> CrossEncoder:
    return load_cross_encoder(Entailment.model_validate({"model": str(folder), **settings}))


@pytest.mark.parametrize("labels", [("contradiction", "entailment", "neutral"), ("not_entailment", "ENTAILMENT"), ("LABEL_0",)])
def test_a_probability_for_three_labels_for_two_and_for_a_single_output(labels: tuple[str, ...], tmp_path: Path) -> None:
    encoder = load(write(tmp_path, labels))

    found = encoder.entails(*PAIR)

    assert 0 < found < 1
    assert encoder.entails(*PAIR) == found


def test_the_labels_of_the_model_say_which_output_is_entailment(tmp_path: Path) -> None:
    orders = [("entailment", "neutral", "contradiction"), ("neutral", "entailment", "contradiction"), ("neutral", "x", "entailment")]
    encoders = [load(write(tmp_path / str(place), order)) for place, order in enumerate(orders)]

    found = [encoder.entails(*PAIR) for encoder in encoders]

    assert sum(found) == pytest.approx(1)
    assert len({encoder.digest for encoder in encoders}) == 3


def test_the_digest_follows_the_weights(tmp_path: Path) -> None:
    first, again, other = (load(write(tmp_path / name, seed=seed)) for name, seed in (("a", 0), ("b", 0), ("c", 1)))

    assert first.digest == again.digest
    assert first.digest != other.digest


@pytest.mark.parametrize(
    ("pieces", "words", "fits"), [(20, 12, True), (20, 20, False), (512, POSITIONS - 8, True), (512, POSITIONS, False)]
)
def test_what_fits_is_bounded_by_the_profile_and_the_model(pieces: int, words: int, fits: bool, tmp_path: Path) -> None:
    encoder = load(write(tmp_path), pieces=pieces)

    assert encoder.fits("lamp " * words, "museum") is fits
    assert 0 < encoder.entails("lamp " * words, "museum") < 1


@pytest.mark.parametrize(
    ("labels", "bare", "complaint"),
    [
        (("LABEL_0", "LABEL_1", "LABEL_2"), False, r"has the labels LABEL_0, LABEL_1, LABEL_2; expected is exactly one named `entailment`"),
        (("entailment", "neutral"), True, r"holds no classifier \(BertModel\); name a cross-encoder"),
    ],
)
def test_a_model_that_says_nothing_of_entailment_is_refused(labels: tuple[str, ...], bare: bool, complaint: str, tmp_path: Path) -> None:
    with pytest.raises(DetectorError, match=complaint):
        load(write(tmp_path, labels, bare=bare))


def test_a_missing_model_is_named_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(DetectorError, match=r"nowhere cannot be loaded from local files \(.*\); name a folder .* under entailment.model"):
        load(tmp_path / "nowhere")
