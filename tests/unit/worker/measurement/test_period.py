"""A period's figures: of its labels as they are, and of all its answers."""

from collections import Counter

import pytest
from sklearn.metrics import roc_auc_score

from benchmarks.traffic import TRUTH, cells_of, judged_of, traffic
from schemas import Verdict
from tests.unit.worker.measurement.production import corrected
from worker.measurement.cells import Judged
from worker.measurement.period import measure_period


def labelled(seed: int = 0) -> tuple[list[Judged], Counter[tuple[str, int]]]:
    """The labelled answers of simulated traffic, and its cells."""
    seen = traffic(8_000, audit=0.05, review=0.6, seed=seed)
    return judged_of(seen), Counter(cells_of(seen))


def test_the_plain_figure_is_of_the_labels_and_the_corrected_one_of_all_answers() -> None:
    pairs, cells = labelled()

    found = measure_period(pairs, cells)

    assert found.plain.auroc == pytest.approx(roc_auc_score([one.label for one in pairs], [one.final for one in pairs]))
    assert found.corrected == corrected(traffic(8_000, audit=0.05, review=0.6))
    assert found.corrected.auroc == pytest.approx(TRUTH, abs=0.08)
    assert found.corrected.decided == 8_000


def test_labels_of_accepted_answers_that_chance_did_not_choose_stand_outside() -> None:
    pairs, cells = labelled()
    complaints = [Judged(Verdict.ACCEPT, 0.99, 0, False)] * 50

    found, without = measure_period([*pairs, *complaints], cells), measure_period(pairs, cells)

    assert found.outside == 50
    assert found.corrected == without.corrected
    assert found.plain.auroc != without.plain.auroc


def test_decisions_without_a_score_are_counted_and_measured_by_neither() -> None:
    pairs, cells = labelled()

    found = measure_period([*pairs, Judged(Verdict.REVIEW, None, 1, False)], cells)

    assert (found.unscored, found.corrected) == (1, measure_period(pairs, cells).corrected)


def test_a_period_without_anything_has_reasons() -> None:
    found = measure_period([], {})

    assert (found.plain.reason, found.corrected.reason) == ("no_scored_pairs", "no_decisions")
