"""Labels that are sought where it was flagged tell the AUROC of all answers once each counts for as many as it stands for."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from benchmarks.traffic import TRUTH, traffic
from tests.unit.worker.measurement.production import corrected
from worker.measurement.auroc import auroc
from worker.measurement.corrected import corrected_auroc


def test_the_plain_figure_is_off_and_the_corrected_one_covers_the_truth_as_often_as_it_says() -> None:
    plain_covers = covers = 0
    found = []
    for seed in range(100):
        seen = traffic(8_000, audit=0.05, review=0.6, seed=seed)
        one, plain = corrected(seen), auroc(seen.scores[seen.labelled], seen.grounded[seen.labelled])
        assert one.auroc is not None and one.low is not None and one.high is not None
        assert plain.low is not None and plain.high is not None
        covers += one.low <= TRUTH <= one.high
        plain_covers += plain.low <= TRUTH <= plain.high
        found.append(one.auroc)

    assert plain_covers <= 20
    assert covers >= 90
    assert np.mean(found) == pytest.approx(TRUTH, abs=0.01)


def test_with_every_answer_labelled_it_is_the_plain_figure() -> None:
    seen = traffic(2_000, audit=1.0, review=1.0)
    all_of_it = seen._replace(labelled=np.ones(2_000, dtype=np.bool_))

    assert corrected(all_of_it).auroc == pytest.approx(roc_auc_score(seen.grounded, seen.scores))


def test_weights_are_those_of_scikit_learn_ties_included() -> None:
    draw = np.random.default_rng(1)
    labels, strata = draw.random(200) < 0.6, draw.integers(0, 4, 200)
    scores = np.round(draw.normal(size=200) + labels, 1)
    decided = [40, 400, 4_000, 90]
    weights = (np.array(decided) / np.bincount(strata))[strata]

    found = corrected_auroc(scores, labels, strata, decided)

    assert found.auroc == pytest.approx(roc_auc_score(labels, scores, sample_weight=weights))
    assert (found.decided, found.labels) == (4_530, 200)


@pytest.mark.parametrize(
    ("labels", "strata", "decided", "reason"),
    [
        ([], [], [], "no_decisions"),
        ([], [], [0], "no_decisions"),
        ([True, False] * 10, [0] * 20, [50, 5], "too_few_labels"),
        ([True, False] * 9, [0] * 9 + [1] * 9, [50, 5], "too_few_labels"),
        ([True] * 10, [0] * 10, [50], "no_hallucinated_labels"),
        ([False] * 10, [0] * 10, [50], "no_grounded_labels"),
    ],
)
def test_what_the_labels_do_not_bear_out_is_absent_with_a_reason(
    labels: list[bool], strata: list[int], decided: list[int], reason: str
) -> None:
    found = corrected_auroc(np.linspace(0, 1, len(labels)), np.array(labels, dtype=bool), np.array(strata, dtype=np.intp), decided)

    assert (found.auroc, found.low, found.high, found.reason) == (None, None, None, reason)


def test_perfect_separation_has_no_interval_worth_the_name() -> None:
    found = corrected_auroc(np.arange(20.0), np.arange(20) >= 10, np.zeros(20, dtype=np.intp), [100])

    assert (found.auroc, found.low, found.high) == (1.0, 0.0, 1.0)
