"""What every detector promises, whatever it measures."""

import math
import random

import pytest

from detectors import Answer, Detector, Profile, load_profile
from detectors.detector import METHODS, make_detector
from detectors.models import Models
from schemas import ScoreStatus
from tests.unit.detectors.factories import CONTEXT, answer

pytestmark = [pytest.mark.models, pytest.mark.timeout(300)]

PROFILES = {"seed": "seed", "claims": "default"}
"""A profile that uses each registered kind of detector."""

ORDINARY = [
    answer(),
    answer(question=None),
    answer(response="It was designed in Paris by Jules Aubert. The lamp shows green."),
    answer(response="- built in 1911\n- lamp of 24 miles\n- a museum", contexts=("Unrelated.", CONTEXT, CONTEXT, CONTEXT, "Last one.")),
    answer(samples=("Marta Lindqvist built it.", "Nobody knows.")),
    answer(response="燈台は1911年に建てられました。とても明るいです。"),
    answer(response="Built. " * 60),
    answer(response="7"),
]
HOSTILE = {
    "empty": answer(response=""),
    "NUL": answer(response="\x00The lamp\x00 reaches 24 miles.", contexts=("\x00", CONTEXT + "\x00")),
    "zero width": answer(response="\u200b\ufeff\u200d"),
    "punctuation": answer(response="?!… --"),
    "markup": answer(response="&lt;b&gt;1911 &amp; 24&nbsp;miles&lt;/b&gt; &#0; &bogus; &#99999999;"),
    "one long token": answer(response="Zq" * 50_000),
    "brackets": answer(response="(" * 20_000 + ")" * 20_000),
    "full stops": answer(response="." * 50_000 + " x"),
    "marks without end": answer(response='!"' * 20_000),
    "ampersands": answer(response="&" * 50_000),
    "spaces": answer(response="a" + " " * 50_000 + "b"),
    "line breaks": answer(response="a\n" * 2_000),
    "repeated words": answer(response="beacon " * 3000),
    "two megabytes": answer(response="The lamp is lit at dusk by hand. " * 65_000),
    "many contexts": answer(contexts=tuple(f"Log {number}." for number in range(200))),
    "blank contexts": answer(contexts=("", " \n", "\u00a0")),
    "no contexts": answer(contexts=()),
    "empty question": answer(question=""),
    "right to left": answer(response="המגדלור נבנה בשנת 1911.", contexts=("המגדלור נבנה בשנת 1911 על ידי המהנדסת.",)),
    "emoji": answer(response="👩‍🚀🏳️‍🌈 1911"),
    "redacted": answer(redacted=True),
    "nothing in common": answer(question="???", response="Yes.", contexts=("The tower is 300 metres tall.",)),
    "citations alone": answer(response="[1][2] [3]."),
    "a combining sign alone": answer(response="\u0345"),
    "contexts of marks": answer(contexts=("???", "---", "😀")),
    "an empty table": answer(contexts=("|||\n|||\n|||",)),
    "a table of long headers": answer(contexts=("|h|" + "x" * 6_000 + "|z|\n" + "|a|b|c|\n" * 1_000,)),
    "a number too long": answer(response="The code is " + "9" * 400 + ".", contexts=(CONTEXT, "9" * 400)),
    "a number word too many": answer(response="It cost one " + "trillion " * 40 + "euros."),
    "thousands by spaces and commas": answer(response="On page 5 123,456,789 people are counted."),
    "numbers in letters": answer(response=("1" * 590 + "b1a1 ") * 10),
    "a sentence of characters": answer(response="塔高三百米" * 200, contexts=("塔高三百米它于" * 600,)),
}


STEPS = [0, 1, 2, 99]
"""Models left out: none, some, as many as the profile sheds, more than there are."""


def _made(kind: str, models: Models) -> Detector:
    """The profile within limits that a test reaches in a second."""
    content = load_profile(PROFILES[kind]).model_dump()
    content["limits"] |= {"response": 8_000, "contexts": 16_000}
    return make_detector(Profile.model_validate(content), models)


@pytest.fixture(scope="module", params=list(METHODS))
def detector(request: pytest.FixtureRequest, models: Models) -> Detector:
    return _made(request.param, models)


@pytest.fixture(scope="module", params=list(METHODS))
def remembering(request: pytest.FixtureRequest, models: Models) -> Detector:
    return _made(request.param, Models(**{**vars(models), "memory": 10_000_000}))


def _bytes(detector: Detector, answers: list[Answer], shed: int) -> list[str]:
    return [assessment.model_dump_json() for assessment in detector.assess(answers, shed)]


@pytest.mark.parametrize("shed", STEPS)
def test_an_empty_batch_gives_nothing(detector: Detector, shed: int) -> None:
    assert detector.assess([], shed) == []


@pytest.mark.parametrize("shed", STEPS)
def test_an_answer_gets_the_same_bytes_alone_in_any_batch_and_in_any_order(detector: Detector, shed: int) -> None:
    alone = [_bytes(detector, [one], shed)[0] for one in ORDINARY]
    assert _bytes(detector, ORDINARY, shed) == alone
    dice = random.Random(7)
    for _ in range(2):
        places = dice.choices(range(len(ORDINARY)), k=dice.randint(2, 6))
        assert _bytes(detector, [ORDINARY[place] for place in places], shed) == [alone[place] for place in places]


def test_an_answer_gets_the_same_bytes_whatever_was_left_out_and_remembered_before(remembering: Detector, models: Models) -> None:
    kind = "seed" if remembering.profile.name == "seed" else "claims"
    forgetful = _made(kind, models)
    expected = {shed: _bytes(forgetful, ORDINARY, shed) for shed in STEPS}
    for shed in (2, 0, 1, 0, 2, 1, 99):
        assert _bytes(remembering, ORDINARY, shed) == expected[shed]


@pytest.mark.parametrize("shed", STEPS[:3])
@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_input_gets_a_typed_result(detector: Detector, kind: str, shed: int) -> None:
    [assessment] = detector.assess([HOSTILE[kind]], shed)
    assert assessment.status is not ScoreStatus.ERROR
    assert all(score is None or math.isfinite(score) for score in assessment.scores.values())
    scored, given = assessment.status is ScoreStatus.SCORED, assessment.scores["final"] is not None
    assert given == scored or (scored and assessment.degraded)


@pytest.mark.parametrize("shed", STEPS)
def test_only_a_scored_answer_without_all_models_is_degraded(detector: Detector, shed: int) -> None:
    scored, abstained = detector.assess([answer(), HOSTILE["empty"]], shed)
    assert scored.degraded == (min(shed, len(detector.profile.shedding)) > 0)
    assert not abstained.degraded


def test_every_answer_has_every_score_by_name(detector: Detector) -> None:
    expected = {
        "final", "attribution", "specificity", "faithfulness", "relevance", "context_quality", "disagreement", "consistency",
        "grounded", "cosine", "ner_overlap", "tfidf_js",
    }  # fmt: skip
    assert all(set(assessment.scores) >= expected for assessment in detector.assess([ORDINARY[0], HOSTILE["no contexts"]]))


def test_without_a_question_relevance_is_absent_and_the_answer_still_scored(detector: Detector) -> None:
    [assessment] = detector.assess([answer(question=None)])
    assert assessment.scores["relevance"] is None
    assert assessment.scores["final"] is not None


def test_consistency_is_absent_without_further_samples(detector: Detector) -> None:
    without, with_samples = detector.assess([answer(), answer(samples=("Marta Lindqvist built it in 1911.",))])
    assert without.scores["consistency"] is None
    assert with_samples.scores["consistency"] is not None


@pytest.mark.parametrize(
    ("broken", "status"),
    [
        ({"redacted": True, "response": "", "contexts": ()}, ScoreStatus.REDACTED),
        ({"response": "  ", "contexts": ()}, ScoreStatus.ABSTAINED),
        ({"contexts": (" ",)}, ScoreStatus.NO_CONTEXT),
        ({}, ScoreStatus.SCORED),
    ],
)
def test_the_first_reason_not_to_score_counts(detector: Detector, broken: dict[str, object], status: ScoreStatus) -> None:
    [assessment] = detector.assess([answer(**broken)])
    assert assessment.status is status


def test_a_backed_answer_scores_higher_than_an_invented_one(detector: Detector) -> None:
    backed, invented = detector.assess([answer(), answer(response="Penguins in Vellmar rehearse Baroque dances at midnight.")])
    for name in ("final", "grounded"):
        better, worse = backed.scores[name], invented.scores[name]
        assert better is not None
        assert worse is not None
        assert better > worse


def test_low_confidence_sentences_are_places_in_the_response(detector: Detector) -> None:
    response = "  The lighthouse was built in 1911.\n\nPenguins love Baroque dances! "
    [assessment] = detector.assess([answer(response=response)])
    assert [response[at.start : at.end] for at in assessment.low_confidence_sentences] == ["Penguins love Baroque dances!"]


def test_what_a_limit_cuts_is_said(detector: Detector) -> None:
    whole, cut = detector.assess([answer(), answer(contexts=(CONTEXT, *("beacon " * 2_000,) * 2))])
    assert (whole.context_truncated, whole.evidence_coverage) == (False, 1.0)
    assert cut.context_truncated
    assert cut.evidence_coverage is not None
    assert 0 < cut.evidence_coverage < 1
