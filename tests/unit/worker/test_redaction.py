"""Everything of a batch that is text is masked, and what is an offset into it stays true."""

from tests.integration.worker.store.factories import dead_lettered, labelled, message, said, scored, skipped
from worker.patterns import patterns
from worker.redaction import Redaction
from worker.store import DeadLettered, Scored

MAILS = Redaction(patterns(["email", "ip"], {}))
MAIL = "jo@example.org"
MASK = "[email]*******"


def test_texts_are_masked_and_keep_their_length() -> None:
    texts = said(question=f"Is it {MAIL}?", response=f"Write to {MAIL}.", contexts=(MAIL, "From 127.0.0.1.", "none"))
    (outcome,) = MAILS.outcomes([scored(texts=texts)])
    assert isinstance(outcome, Scored)
    assert outcome.texts == said(question=f"Is it {MASK}?", response=f"Write to {MASK}.", contexts=(MASK, "From [ip]*****.", "none"))


def test_a_dead_letters_message_is_masked_and_still_json_and_whose_it_is_stays_known() -> None:
    letter = dead_lettered(**message({"response_id": MAIL, "response": f"Write to {MAIL}."}))
    (outcome,) = MAILS.outcomes([letter])
    assert isinstance(outcome, DeadLettered)
    assert outcome.letter.original == b'{"response_id":"' + MASK.encode() + b'","response":"Write to ' + MASK.encode() + b'."}'
    assert outcome.origin.response_id == MAIL


def test_a_message_that_is_no_text_is_masked_by_its_bytes() -> None:
    (outcome,) = MAILS.outcomes([dead_lettered(**message(b"\xff\x00" + MAIL.encode() + b"\xfe"))])
    assert isinstance(outcome, DeadLettered)
    assert outcome.letter.original == b"\xff\x00" + MASK.encode() + b"\xfe"


def test_the_rest_stays_as_it_is() -> None:
    outcomes = [dead_lettered(original_base64=None), labelled(), skipped()]
    assert list(MAILS.outcomes(outcomes)) == outcomes
    assert Redaction().outcomes(outcomes) is outcomes
