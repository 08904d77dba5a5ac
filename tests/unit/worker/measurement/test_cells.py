"""Decisions by verdict and score, joined until each stratum has labels enough."""

import pytest

from worker.measurement.cells import bin_of, stratify


def test_cells_are_joined_within_a_verdict_until_each_stratum_has_labels_enough() -> None:
    decided = {("ACCEPT", 17): 10, ("ACCEPT", 18): 10, ("ACCEPT", 19): 10, ("REVIEW", 9): 10, ("REVIEW", 10): 10, ("REJECT", 1): 10}
    labelled = {("ACCEPT", 17): 5, ("ACCEPT", 18): 4, ("ACCEPT", 19): 1, ("REVIEW", 9): 5, ("REVIEW", 10): 1}

    strata = stratify(decided, labelled, fewest=5)

    assert strata == {
        ("ACCEPT", 17): 0,
        ("ACCEPT", 18): 1,
        ("ACCEPT", 19): 1,
        ("REJECT", 1): 2,
        ("REVIEW", 9): 3,
        ("REVIEW", 10): 3,
    }


@pytest.mark.parametrize(("score", "expected"), [(-0.1, 0), (0.0, 0), (0.0499, 0), (0.05, 1), (0.999, 19), (1.0, 19), (1.2, 19)])
def test_scores_fall_into_bins_the_outer_ones_open(score: float, expected: int) -> None:
    assert bin_of(score) == expected
