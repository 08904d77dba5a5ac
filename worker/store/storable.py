"""What Postgres can hold of a text."""

from dataclasses import replace

from schemas import DeadLetter
from worker.store.origin import Origin
from worker.store.protocol import Texts


def without_nul(text: str) -> str:
    """`text` with U+FFFD for the NUL characters that Postgres refuses: of the same length, so offsets into it stay true."""
    return text.replace("\x00", "\ufffd")


def storable_texts(texts: Texts) -> Texts:
    """`texts` without NUL characters."""
    if not any("\x00" in text for text in (texts.question or "", texts.response, *texts.contexts)):
        return texts
    question = None if texts.question is None else without_nul(texts.question)
    return replace(texts, question=question, response=without_nul(texts.response), contexts=tuple(map(without_nul, texts.contexts)))


def storable_letter(letter: DeadLetter) -> DeadLetter:
    """`letter` without NUL characters in what it says; its original is kept as it was."""
    return letter.model_copy(update={"field": without_nul(letter.field), "reason": without_nul(letter.reason)})


def storable_origin(origin: Origin) -> Origin:
    """`origin` without NUL characters."""
    return origin._replace(
        response_id=None if origin.response_id is None else without_nul(origin.response_id),
        replay_of=None if origin.replay_of is None else without_nul(origin.replay_of),
    )
