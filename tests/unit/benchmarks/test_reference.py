"""The yardstick of speed computes what the `seed` profile computes."""

import pytest

from benchmarks.reference import Gatekeeper, Hybrid
from detectors import Answer, load_profile
from detectors.detector import make_detector
from detectors.encoder import PACKAGED, load_model
from detectors.models import Models

pytestmark = [pytest.mark.models, pytest.mark.timeout(300)]

CONTEXT = (
    "The Orvane lighthouse was built in 1911 by the engineer Marta Lindqvist. Its lamp reaches 24 nautical miles. "
    "The keeper's house has been a museum since 1987 and is open from May to September."
)


@pytest.mark.parametrize(
    ("question", "response", "contexts"),
    [
        ("Who built the lighthouse?", "Marta Lindqvist built it in 1911. Its lamp reaches 24 miles.", (CONTEXT,)),
        ("Is it open?", "It might be open in May, in general.", ("Bread is baked at dawn.", CONTEXT, "A third.", "A fourth is not read.")),
        ("Is it open?", "Perhaps, possibly, it depends.", (CONTEXT,)),
        ("What is told of it?", "The lighthouse in Norway was painted by Anders Zorn.", (30 * CONTEXT,)),
    ],
)
def test_its_scores_are_those_of_the_seed_profile(models: Models, question: str, response: str, contexts: tuple[str, ...]) -> None:
    profile = load_profile("seed")
    model, pipeline = load_model(PACKAGED), models.parser._pipeline

    [ours] = make_detector(profile, models).assess([Answer(question=question, response=response, contexts=contexts)])
    hybrid, gatekeeper = Hybrid(model, pipeline), Gatekeeper(model, profile.hedges)
    reference = hybrid.score(response, contexts) | gatekeeper.score(question, response, contexts)

    assert reference == pytest.approx({name: ours.scores[name] for name in reference}, abs=2e-4)
    assert ours.scores.keys() - reference.keys() == {"consistency"}
