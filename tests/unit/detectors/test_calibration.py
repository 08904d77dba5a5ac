"""A calibration turns scores into a probability, from readable JSON and nothing else."""

import math
from pathlib import Path
from typing import Any

import pytest

from detectors.calibration import Calibration, read_calibration
from detectors.errors import ProfileError

FIELDS: dict[str, Any] = {
    "detector": "default-0123456789abcdef",
    "data": "0123456789abcdef",
    "grounded": 100,
    "hallucinated": 80,
    "signals": {"final": {"weight": 4.0, "mean": 0.5}, "numbers": {"weight": 2.0, "mean": 0.25}},
    "intercept": -2.0,
    "prior": {"signal": "final", "strength": 0.1},
    "alpha": 0.05,
    "confidence": 0.95,
}


def threshold(**overrides: Any) -> dict[str, Any]:
    return {"at": 0.7, "answers": 100, "wrong": 1, "limit": 0.04} | overrides


def calibration(**overrides: Any) -> Calibration:
    return Calibration.model_validate(FIELDS | overrides)


@pytest.mark.parametrize(
    ("scores", "odds"),
    [
        ({"final": 0.5, "numbers": 0.0}, 0.0),
        ({"final": 1.0, "numbers": 1.0, "unknown": 9.0}, 4.0),
        ({"final": 1.0, "numbers": None}, 2.5),
        ({"numbers": 1.0}, 2.0),
    ],
)
def test_the_probability_is_logistic_and_an_absent_signal_counts_as_its_mean(scores: dict[str, float | None], odds: float) -> None:
    assert calibration().apply(scores) == pytest.approx(1 / (1 + math.exp(-odds)))


@pytest.mark.parametrize("scores", [{}, {"final": None}, {"unknown": 1.0}])
def test_without_any_signal_there_is_no_probability(scores: dict[str, float | None]) -> None:
    assert calibration().apply(scores) is None


@pytest.mark.parametrize(("final", "probability"), [(-1e6, 0.0), (1e6, 1.0)])
def test_far_scores_do_not_overflow(final: float, probability: float) -> None:
    assert calibration().apply({"final": final}) == probability


@pytest.mark.parametrize(("final", "probability"), [(-10.0, 0.1), (0.375, 0.5), (10.0, 0.9)])
def test_isotonic_knots_bend_it_and_are_level_beyond(final: float, probability: float) -> None:
    bent = calibration(isotonic=[[0.2, 0.1], [0.5, 0.5], [0.8, 0.9]])

    assert bent.apply({"final": final}) == pytest.approx(probability)


@pytest.mark.parametrize("reject", [None, threshold(at=0.9, limit=0.05), threshold(at=0.1, wrong=0)])
def test_a_file_is_read_as_it_was_written(reject: dict[str, Any] | None, tmp_path: Path) -> None:
    written = calibration(accept=threshold(), reject=reject)
    file = tmp_path / "calibration.json"
    file.write_text(written.model_dump_json(indent=2))

    assert read_calibration(file) == written


@pytest.mark.parametrize(
    ("overrides", "place"),
    [
        ({"signals": {"final": {"weight": -1.0, "mean": 0.0}}}, "signals.final.weight"),
        ({"intercept": "NaN"}, "intercept"),
        ({"version": 2}, "version"),
        ({"surplus": 1}, "surplus"),
        ({"intercept": 1e300}, "intercept: .*less than or equal"),
        ({"intercept": float("-inf")}, "intercept"),
        ({"signals": {"final": {"weight": 1e12, "mean": 0.5}}}, "signals.final.weight: .*less than or equal"),
        ({"signals": {"final": {"weight": float("inf"), "mean": 0.5}}}, "signals.final.weight"),
        ({"signals": {"final": {"weight": 1.0, "mean": float("nan")}}}, "signals.final.mean"),
        ({"prior": {"signal": "final", "strength": 1e9}}, "prior.strength"),
        ({"accept": threshold(wrong=101)}, "accept: wrong is 101, more than the 100 answers"),
        ({"accept": threshold(answers=0, wrong=0)}, "accept.answers"),
        ({"accept": threshold(wrong=5)}, "accept: limit is 0.04, less than 5 wrong of 100 answers"),
        ({"reject": threshold(limit=0.06)}, "reject.limit: is 0.06, more than alpha, 0.05"),
        ({"isotonic": [[0.5, 0.2], [0.4, 0.3]]}, "isotonic: the knots must ascend"),
    ],
)
def test_a_wrong_file_is_named_with_the_key(overrides: dict[str, Any], place: str, tmp_path: Path) -> None:
    import json

    file = tmp_path / "calibration.json"
    file.write_text(json.dumps(FIELDS | overrides))

    with pytest.raises(ProfileError, match=rf"calibration\.json: {place}.*; write it anew with `groundwatch calibrate`$"):
        read_calibration(file)


def test_a_missing_file_says_what_writes_one(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="groundwatch calibrate"):
        read_calibration(tmp_path / "none.json")
