"""Fitting in the order of time: what came later has no part in the weights, and tells what they are worth."""

from dataclasses import replace

import numpy as np
import pytest

from detectors.calibration import Calibration
from tests.unit.worker.calibration.factories import labelled
from worker.calibration.chronological import Trial, split, try_out
from worker.calibration.fit import apply_to
from worker.calibration.labelled import Labelled
from worker.calibration.production import Production
from worker.errors import TooFewLabels
from worker.gate.judgement import Outcome, weigh
from worker.settings import Gate

HOUR, DAY = 3600.0, 86400.0


def production(rows: int = 1000, *, delay: float = HOUR, audit: float = 1.0, seed: int = 0, **overrides: float) -> Production:
    """An answer an hour, labelled `delay` after it was served."""
    served = np.arange(rows) * HOUR
    data = labelled(rows, seed=seed, **overrides)
    audited = np.random.default_rng([seed, 1]).random(rows) < audit
    return Production(data=data, served=served, labelled=served + delay, audited=audited, fingerprint="0" * 16)


def flipped(one: Production, which: np.ndarray) -> Production:
    """With the labels of those turned round."""
    return replace(one, data=replace(one.data, labels=one.data.labels ^ which))


def drifted(one: Production, *names: str) -> Production:
    """Since the cut-off these scores say the reverse."""
    columns = np.isin(one.data.names, names)
    since = one.served >= split(one).cut_off.timestamp()
    scores = np.where(since[:, None] & columns[None, :], 2.0 - one.data.scores, one.data.scores)
    return replace(one, data=replace(one.data, scores=scores))


def only_final(one: Production) -> Production:
    data = one.data
    return replace(one, data=Labelled(("final",), data.scores[:, :1], data.labels, data.groups))


def run(one: Production, in_force: Calibration | None = None, alpha: float = 0.1) -> Trial:
    return try_out(one, in_force, detector="default-0", alpha=alpha)


def outcome(one: Production, in_force: Calibration | None = None) -> Outcome:
    return weigh(run(one, in_force).compared, Gate())[0]


class TestSplit:
    def test_three_fifths_of_the_groups_were_served_before_the_cut_off(self) -> None:
        parts = split(production(1000, delay=0.0))

        assert parts.cut_off.timestamp() == 600 * HOUR
        assert (parts.train.labels.size, parts.held_out.labels.size, parts.late, parts.straddling) == (600, 400, 0, 0)

    def test_a_label_that_came_after_the_cut_off_is_not_known_at_it(self) -> None:
        parts = split(production(1000, delay=10 * HOUR))

        assert (parts.train.labels.size, parts.late) == (590, 10)

    def test_a_label_at_the_cut_off_itself_came_after_it(self) -> None:
        assert split(production(1000, delay=HOUR)).late == 1

    def test_what_was_served_since_with_a_near_duplicate_in_training_is_not_held_out(self) -> None:
        one = production(1000, delay=0.0)
        groups = one.data.groups.copy()
        groups[[700, 701]] = groups[[10, 11]]

        parts = split(replace(one, data=replace(one.data, groups=groups)))

        assert parts.straddling == 2
        assert not set(parts.train.groups) & set(parts.held_out.groups)

    def test_a_near_duplicate_that_was_not_known_at_the_cut_off_keeps_nothing_from_being_held_out(self) -> None:
        one = production(1000, delay=0.0)
        groups, moments = one.data.groups.copy(), one.labelled.copy()
        groups[700], moments[10] = groups[10], 900 * HOUR

        parts = split(replace(one, data=replace(one.data, groups=groups), labelled=moments))

        assert (parts.late, parts.straddling) == (1, 0)


class TestLeaks:
    def test_labels_of_what_was_served_later_change_no_weight(self) -> None:
        one = production()
        later = one.served >= split(one).cut_off.timestamp()

        assert weights(flipped(one, later)) == weights(one)
        assert weights(flipped(one, ~later)) != weights(one)

    def test_labels_that_came_later_of_what_was_served_before_change_no_weight(self) -> None:
        one = production(delay=100 * HOUR)
        moment = split(one).cut_off.timestamp()
        late = (one.served < moment) & (one.labelled >= moment)

        assert late.sum() == 100
        assert weights(flipped(one, late)) == weights(one)

    def test_isotonic_knots_do_not_see_later_labels_either(self) -> None:
        one = production()
        later = one.served >= split(one).cut_off.timestamp()

        knots = [try_out(each, None, detector="d-0", alpha=0.1, isotonic=True).calibration.isotonic for each in (one, flipped(one, later))]

        assert knots[0] == knots[1] != ()

    def test_figures_are_of_later_answers_alone(self) -> None:
        """In noise, weights that had seen the labels would find a pattern."""
        found = run(production(separation=0.0), alpha=0.3)

        assert found.report.auroc is not None
        assert abs(found.report.auroc - 0.5) < 0.09
        assert sum(one.answers for one in found.report.reliability) == found.split.held_out.labels.size


def weights(one: Production) -> tuple[object, ...]:
    calibration = run(one).calibration
    return calibration.signals, calibration.intercept, calibration.prior


def test_the_calibration_names_those_before_it() -> None:
    found = try_out(production(), None, detector="default-0", earlier=("default-2", "default-1"), alpha=0.1)

    assert (found.calibration.detector, found.calibration.earlier) == ("default-0", ("default-2", "default-1"))


class TestThresholds:
    def test_where_the_audit_slice_is_large_enough_it_alone_chooses_them(self) -> None:
        found = run(production(2000, audit=0.5), alpha=0.2)
        audited = int(found.split.audited.sum())

        assert found.calibration.accept is not None
        assert found.calibration.accept.answers <= audited < found.split.held_out.labels.size
        assert found.report.notes == ()

    def test_where_it_is_not_all_choose_them_and_a_note_says_so(self) -> None:
        found = run(production(1000, audit=0.02), alpha=0.1)

        assert found.calibration.accept is not None
        assert "of the audit slice" in found.report.notes[0]
        assert found.calibration.accept.answers > found.split.audited.sum()

    def test_they_keep_alpha_on_what_was_held_out(self) -> None:
        found = run(production(2000), alpha=0.1)
        p, accept = apply_to(found.calibration, found.split.held_out), found.calibration.accept

        assert accept is not None
        assert (~found.split.held_out.labels[p > accept.at]).mean() <= 0.1


class TestGate:
    def test_weights_that_hold_later_are_better_than_the_score_alone(self) -> None:
        found = run(production(2000))

        assert weigh(found.compared, Gate())[0] is Outcome.OK
        assert found.compared.low is not None
        assert found.compared.low > 0

    def test_signals_that_turned_round_since_are_worse_than_the_score_alone(self) -> None:
        assert outcome(drifted(production(2000), "support")) is Outcome.WORSE

    def test_a_calibration_that_is_in_force_is_what_a_new_one_is_held_against(self) -> None:
        one = production(2000)
        alike, steady = run(production(2000, seed=1)).calibration, run(only_final(one)).calibration

        assert outcome(one, alike) is Outcome.OK
        assert outcome(drifted(one, "support"), alike) is not Outcome.WORSE  # it suffers as much
        assert outcome(drifted(one, "support"), steady) is Outcome.WORSE

    def test_the_same_calibration_is_as_good_as_itself(self) -> None:
        one = production(2000)
        found = run(one, run(one).calibration)

        assert (found.compared.difference, found.compared.p) == (0.0, 1.0)

    def test_too_few_labels_of_a_class_do_not_tell(self) -> None:
        one = production(1000)
        rare = (one.served >= split(one).cut_off.timestamp()) & ~one.data.labels & (np.arange(1000) % 12 != 0)

        assert outcome(flipped(one, rare)) is Outcome.NOT_ENOUGH


class TestTooFew:
    @pytest.mark.parametrize(
        ("one", "message"),
        [
            (production(60), "at least 50 groups of each are needed"),
            (production(200), "too few labels for alpha 0.05: 80 of 200 independent groups"),
            (
                production(1000, delay=30 * DAY),
                "0 answers were served and labelled before the cut-off, 1970-01-26 00:00 UTC .600 more were .* since.*; 30 more groups",
            ),
        ],
        ids=["in all", "for alpha", "labelled too late"],
    )
    def test_they_are_refused_and_the_message_says_how_many_are_missing(self, one: Production, message: str) -> None:
        with pytest.raises(TooFewLabels, match=message):
            run(one, alpha=0.05)

    def test_near_duplicates_in_training_never_use_up_what_is_held_out(self) -> None:
        one = production(1000, delay=0.0)
        groups = np.where(np.arange(1000) < 500, one.data.groups, one.data.groups % 100)

        parts = split(replace(one, data=replace(one.data, groups=groups)))

        assert np.unique(parts.held_out.groups).size == np.unique(groups).size * 2 // 5
