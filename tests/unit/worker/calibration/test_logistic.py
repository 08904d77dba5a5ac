"""The weights: never negative, pulled to the default score, cross-validated by groups."""

import numpy as np
import pytest

from tests.unit.worker.calibration.factories import labelled
from worker.calibration.labelled import Labelled
from worker.calibration.logistic import STRENGTHS, Logistic, cross_validate, fit_best, folds
from worker.errors import GroundwatchError
from worker.measurement.auroc import auroc


def test_folds_keep_groups_together_and_test_every_row_once() -> None:
    data = labelled(300, per_group=3)

    splits = list(folds(data.labels, data.groups))

    assert all(not set(data.groups[train]) & set(data.groups[test]) for train, test in splits)
    assert sorted(np.concatenate([test for _, test in splits])) == list(range(300))
    assert [float(data.labels[test].mean()) for _, test in splits] == pytest.approx([float(data.labels.mean())] * 5, abs=0.06)


def test_weights_find_the_signals_and_are_never_negative() -> None:
    data = labelled()
    against = Labelled((*data.names, "against"), np.column_stack([data.scores, -2.0 * data.labels]), data.labels, data.groups)

    model = Logistic.fit(against, strength=0.001)
    final, noise, support, falling = model.weights

    assert min(model.weights) >= 0
    assert falling == 0
    assert min(final, support) > 3 * noise


def test_a_strong_pull_leaves_the_prior_score_alone() -> None:
    final, noise, support = Logistic.fit(labelled(), strength=1000).weights

    assert final > 0.5
    assert max(noise, support) < 0.01 * final


def test_without_a_pull_it_is_plain_logistic_regression() -> None:
    from sklearn.linear_model import LogisticRegression

    whole = labelled()
    data = Labelled(("final", "support"), np.nan_to_num(whole.scores[:, [0, 2]]), whole.labels, whole.groups)

    ours, theirs = Logistic.fit(data, strength=0), LogisticRegression(C=1e9).fit(data.scores, data.labels)

    assert ours.weights == pytest.approx(theirs.coef_[0], rel=1e-2)
    assert ours.probabilities(data.scores) == pytest.approx(theirs.predict_proba(data.scores)[:, 1], abs=5e-3)


def test_an_answers_own_label_has_no_part_in_its_cross_validated_probability() -> None:
    data = labelled(400, per_group=4, separation=0.0)
    told = Labelled(data.names, data.scores, data.labels, data.groups)

    area = auroc(cross_validate(told), told.labels).auroc

    assert area is not None
    assert area < 0.62


def test_the_pull_is_chosen_by_leaving_each_given_group_out() -> None:
    data = labelled(300)

    model = fit_best(data, groups=np.arange(300) % 3)

    assert auroc(model.probabilities(data.scores), data.labels).auroc == pytest.approx(0.97, abs=0.03)


def test_a_score_that_helps_on_one_kind_of_data_only_is_given_up_for_the_prior() -> None:
    kinds = np.repeat(np.arange(4), 200)
    data = labelled(800)
    local = np.where(kinds == 0, 6.0 * data.labels, -6.0 * data.labels * (kinds == 1)) + data.scores[:, 1]
    mixed = Labelled(data.names, np.column_stack([data.scores[:, 0], local, data.scores[:, 0]]), data.labels, data.groups)

    model = fit_best(mixed, groups=kinds)

    assert model.strength == max(STRENGTHS)
    assert model.weights[1] < 0.01 * model.weights[0]


def test_without_the_prior_score_the_error_names_it() -> None:
    data = labelled()

    with pytest.raises(GroundwatchError, match="'nothing'"):
        Logistic.fit(data, 0.1, prior="nothing")
