"""What is masked before anything of a batch is stored or published."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass, replace

from schemas import DeadLetter
from worker.patterns import Pattern
from worker.store import DeadLettered, Outcome, Scored, Texts


@dataclass(frozen=True)
class Redaction:
    """Masks texts and the messages of dead letters. Texts keep their length, so that offsets into them stay true."""

    patterns: tuple[Pattern, ...] = ()

    def outcomes(self, outcomes: Sequence[Outcome]) -> Sequence[Outcome]:
        """The same outcomes, masked."""
        return [self._outcome(outcome) for outcome in outcomes] if self.patterns else outcomes

    def text(self, text: str) -> str:
        """`text`, masked."""
        for pattern in self.patterns:
            text = pattern.mask(text)
        return text

    def _outcome(self, outcome: Outcome) -> Outcome:
        match outcome:
            case Scored():
                return replace(outcome, texts=self._texts(outcome.texts))
            case DeadLettered():
                return replace(outcome, letter=self._letter(outcome.letter))
            case _:
                return outcome

    def _texts(self, texts: Texts) -> Texts:
        question = None if texts.question is None else self.text(texts.question)
        return replace(texts, question=question, response=self.text(texts.response), contexts=tuple(map(self.text, texts.contexts)))

    def _letter(self, letter: DeadLetter) -> DeadLetter:
        if letter.original is None:
            return letter
        return letter.model_copy(update={"original_base64": base64.b64encode(self._message(letter.original)).decode()})

    def _message(self, message: bytes) -> bytes:
        """Where it is no text, its bytes stand for characters."""
        try:
            return self.text(message.decode()).encode()
        except UnicodeDecodeError:
            return self.text(message.decode("latin-1")).encode("latin-1")
