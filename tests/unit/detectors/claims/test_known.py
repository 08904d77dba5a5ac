"""What was read of a sentence is remembered within a budget, and changes nothing."""

import pytest

from detectors import Detector, load_profile
from detectors.claims.known import Known, sentence_footprint
from detectors.claims.sentence import Sentence
from detectors.detector import make_detector
from detectors.encoder import AbsentEncoder
from detectors.models import Models
from tests.unit.detectors.factories import CONTEXT, answer

pytestmark = [pytest.mark.models, pytest.mark.timeout(300)]

READERS = ("encoder", "parser")


def test_scores_are_the_same_with_and_without_a_memory(default: Detector, models: Models, monkeypatch: pytest.MonkeyPatch) -> None:
    remembering = make_detector(load_profile("default"), Models(**{**vars(models), "memory": 10_000_000}))
    answers = [answer(), answer(response="It was built in 1912 by the keeper."), answer(contexts=("Gulls circle. " + CONTEXT,))]
    spelled: list[str] = []
    spell = models.encoder.spell
    monkeypatch.setattr(models.encoder, "spell", lambda texts, bounds: spelled.extend(texts) or spell(texts, bounds))

    first = remembering.assess(answers)
    spelled.clear()
    again = [one for each in answers for one in remembering.assess([each])]

    assert not [text for text in spelled if text in CONTEXT]
    assert [one.model_dump_json() for one in first] == [one.model_dump_json() for one in again]
    assert first == default.assess(answers)
    assert remembering.fingerprint == default.fingerprint


def test_what_was_not_asked_for_longest_is_forgotten_first(models: Models) -> None:
    def read(text: str) -> Sentence:
        return Sentence(text, [(text, 0, len(text))], models.encoder.spell([text], [[(0, len(text))]])[0], models.parser)

    one, two, three = read("one"), read("two"), read("three")
    known = Known(2 * sentence_footprint(one), sentence_footprint)
    known.add(("one", READERS), one)
    known.add(("two", READERS), two)
    assert known.get(("one", READERS)) is one
    known.add(("three", READERS), three)
    assert [known.get((text, READERS)) for text in ("one", "two", "three")] == [one, None, three]


def test_without_a_budget_nothing_is_kept(models: Models) -> None:
    known = Known(0, sentence_footprint)
    known.add(("one", READERS), Sentence("one", [("one", 0, 3)], models.encoder.spell(["one"], [[(0, 3)]])[0], models.parser))
    assert known.get(("one", READERS)) is None


def test_what_one_reader_read_never_stands_for_what_another_reads(models: Models) -> None:
    known = Known(10_000, sentence_footprint)
    known.add(("one", ("", "parser")), Sentence("one", [("one", 0, 3)], AbsentEncoder().spell(["one"], [[(0, 3)]])[0], models.parser))
    assert known.get(("one", READERS)) is None
    assert known.get(("one", ("", "parser"))) is not None
