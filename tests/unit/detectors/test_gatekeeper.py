"""Seed 000's formulas, held to its published figures."""

import pytest

from detectors import gatekeeper, load_profile
from detectors.assessment import Assessment
from schemas import ScoreStatus
from worker.policy import Policy

PROFILE = load_profile("seed")
WEIGHTS = PROFILE.weights
POLICY = Policy(PROFILE.rules)

PUBLISHED = [
    (0.686, 0.680, 0.725, 0.694, "ACCEPT"),
    (0.445, 0.621, 0.459, 0.547, "REJECT"),
    (0.528, 0.456, 0.535, 0.534, "REVIEW"),
    (0.043, 0.682, 0.091, 0.337, "REJECT"),
    (0.625, 0.341, 0.628, 0.536, "REVIEW"),
]
"""Attribution, relevance, context quality, final and decision of the seed's five evaluation cases."""


@pytest.mark.parametrize(("attribution", "relevance", "quality", "final", "decision"), PUBLISHED)
def test_the_published_cases_give_the_published_final_and_decision(
    attribution: float, relevance: float, quality: float, final: float, decision: str
) -> None:
    specificity = _specificity_behind(attribution, relevance, quality, final)
    assert 0.3 < specificity < 1
    scores = _scores(attribution, specificity, relevance, quality)
    assert scores["final"] == pytest.approx(final, abs=0.001)
    assert POLICY.decide(Assessment(status=ScoreStatus.SCORED, scores=scores)).decision == decision


@pytest.mark.parametrize(
    ("attribution", "specificity", "relevance", "quality", "final", "disagreement", "decision"),
    [
        (0.684, 0.713, 0.657, 0.688, 0.680, 0.016, "ACCEPT"),
        (0.428, 0.701, 0.613, 0.424, 0.525, 0.077, "REJECT"),
    ],
)
def test_the_articles_worked_examples(
    attribution: float, specificity: float, relevance: float, quality: float, final: float, disagreement: float, decision: str
) -> None:
    scores = _scores(attribution, specificity, relevance, quality)
    assert scores["final"] == pytest.approx(final, abs=0.01)
    assert scores["disagreement"] == pytest.approx(disagreement, abs=0.002)
    assert POLICY.decide(Assessment(status=ScoreStatus.SCORED, scores=scores)).decision == decision


def test_specificity_rewards_length_and_richness_and_punishes_hedging() -> None:
    weigh = WEIGHTS.specificity
    assert gatekeeper.specificity(80, 80, 0, weigh) == pytest.approx(1.0)
    assert gatekeeper.specificity(40, 20, 0, weigh) == pytest.approx(0.5)
    assert gatekeeper.specificity(40, 20, 1, weigh) == pytest.approx(0.35)
    assert gatekeeper.specificity(40, 20, 9, weigh) == 0
    assert gatekeeper.specificity(0, 0, 0, weigh) == 0


def test_an_off_topic_answer_keeps_seven_tenths_of_its_score() -> None:
    parts = {"faithfulness": 0.8, "relevance": 0.29, "context_quality": 0.8}
    assert gatekeeper.final(parts, WEIGHTS.final) == pytest.approx(0.7 * (0.45 * 0.8 + 0.25 * 0.29 + 0.2 * 0.8) / 0.9)


def test_an_unfaithful_answer_is_capped() -> None:
    assert gatekeeper.final({"faithfulness": 0.34, "relevance": 1.0, "context_quality": 1.0}, WEIGHTS.final) == 0.4


def test_absent_parts_drop_out_of_the_mean() -> None:
    assert gatekeeper.final({"faithfulness": 0.6, "relevance": None, "context_quality": 0.6}, WEIGHTS.final) == pytest.approx(0.6)
    assert gatekeeper.final({"faithfulness": None, "relevance": None}, WEIGHTS.final) is None


def test_samples_weigh_in_when_they_are_there() -> None:
    parts = {"faithfulness": 0.5, "relevance": 0.5, "context_quality": 0.5, "consistency": 1.0}
    assert gatekeeper.final(parts, WEIGHTS.final) == pytest.approx(0.55)


@pytest.mark.parametrize(("scores", "spread"), [([0.5, 0.5, 0.5], 0), ([0.4, None, 0.6], 0.1), ([0.4], 0), ([], 0)])
def test_disagreement_is_the_spread_of_what_is_there(scores: list[float | None], spread: float) -> None:
    assert gatekeeper.disagreement(scores) == pytest.approx(spread)


def test_overlaps_are_of_sets() -> None:
    assert gatekeeper.jaccard(["a", "b", "b"], ["b", "c"]) == pytest.approx(1 / 3)
    assert gatekeeper.f1(["a", "b"], ["b", "b", "c"]) == pytest.approx(0.5)
    assert gatekeeper.jaccard([], []) == gatekeeper.f1([], ["a"]) == 0


def test_a_weighted_mean_forgets_absent_scores() -> None:
    assert gatekeeper.weighted_mean({"a": 1.0, "b": None}, {"a": 0.5, "b": 0.3}) == 1.0
    assert gatekeeper.weighted_mean({"b": None}, {"b": 0.3}) is None


def _scores(attribution: float, specificity: float, relevance: float, quality: float) -> dict[str, float | None]:
    parts = {
        "faithfulness": gatekeeper.faithfulness(attribution, specificity, WEIGHTS.faithfulness),
        "relevance": relevance,
        "context_quality": quality,
    }
    return {
        "attribution": attribution,
        "specificity": specificity,
        **parts,
        "final": gatekeeper.final(parts, WEIGHTS.final),
        "disagreement": gatekeeper.disagreement(parts.values()),
    }


def _specificity_behind(attribution: float, relevance: float, quality: float, final: float) -> float:
    """The one figure that the seed does not print, from those that it does."""
    weigh = WEIGHTS.final
    total = weigh.faithfulness + weigh.relevance + weigh.context_quality
    faithfulness = (final * total - weigh.relevance * relevance - weigh.context_quality * quality) / weigh.faithfulness
    return (faithfulness - WEIGHTS.faithfulness.attribution * attribution) / WEIGHTS.faithfulness.specificity
