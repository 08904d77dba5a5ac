"""Where a text lies: a few figures that depend on its vector alone."""

import numpy as np
import pytest

from detectors.direction import WIDTH, directions


def unit(seed: int, size: int = 384) -> np.ndarray:
    vector = np.random.default_rng(seed).normal(size=size)
    return vector / np.linalg.norm(vector)


def test_a_vector_has_eight_figures_the_same_everywhere_and_an_absent_one_has_none() -> None:
    found = directions({"question": None, "response": unit(0), "context": np.zeros(0)})
    assert list(found) == ["response"]
    assert len(found["response"]) == WIDTH
    assert found == directions({"response": unit(0)})
    assert directions({"response": np.eye(4)[0]})["response"][:2] == (0.091, 1.091)


def test_what_lies_near_stays_near_and_what_lies_apart_stays_apart() -> None:
    """A projection keeps distances on average (Johnson and Lindenstrauss)."""
    one, other = ([np.array(directions({"x": unit(seed)})["x"]) for seed in range(start, start + 200)] for start in (0, 500))
    apart = np.mean([np.sum((a - b) ** 2) / WIDTH for a, b in zip(one, other, strict=True)])
    assert apart == pytest.approx(2.0, rel=0.1)
    near = np.array(directions({"x": unit(0) + 0.01 * unit(1)})["x"])
    assert np.abs(near - one[0]).max() < 0.05
