"""Answers that have no score, and why."""

import re
from typing import Final

from detectors.assessment import Answer
from detectors.excerpt import Excerpt
from detectors.patterns import Phrases
from detectors.profile import Abstention
from detectors.sentences import sentences
from detectors.words import tokens
from schemas import ScoreStatus

_PIECE: Final = re.compile(r"[;:,](?=[\s\u3000-\u9fff])|[—–()、]")


class AbsenceRule:
    """Finds the status of an answer before anything is measured. Precedence: redacted, abstained, no_context."""

    def __init__(self, abstention: Abstention) -> None:
        self._most_tokens, self._claim_tokens = abstention.most_tokens, abstention.claim_tokens
        self._refusals = Phrases(abstention.refusals)
        self._pleasantries = Phrases(abstention.pleasantries)
        self._connectors = Phrases(abstention.connectors)

    def status(self, answer: Answer, excerpt: Excerpt) -> ScoreStatus | None:
        """The typed absence, None when the answer can be scored."""
        if answer.redacted:
            return ScoreStatus.REDACTED
        if self._abstains(excerpt.clean_response.text, set(tokens(excerpt.clean_question.text))):
            return ScoreStatus.ABSTAINED
        if not any(context.text.strip() for context in excerpt.clean_contexts):
            return ScoreStatus.NO_CONTEXT
        return None

    def _abstains(self, response: str, asked: set[str]) -> bool:
        """True when no sentence makes a claim: each one refuses, is polite, or has no words."""
        return all(self.claimless(response[start:end], asked) for start, end in sentences(response))

    def claimless(self, sentence: str, asked: set[str]) -> bool:
        """Whether it refuses, is polite or has no words; `asked` are the question's tokens."""
        refused = False
        for piece in _PIECE.split(sentence):
            for place, clause in enumerate(self._connectors.split(tokens(piece))):
                refused = refused and place == 0
                rest = self._pleasantries.without(clause)
                if len(clause) <= self._most_tokens and self._refuses(clause, asked):
                    refused = True
                elif rest and not (refused and len(rest) < self._claim_tokens and not self._adds_figures(rest, asked)):
                    return False
        return True

    def _refuses(self, clause: list[str], asked: set[str]) -> bool:
        return self._refusals.found_in(clause) and not self._adds_figures(clause, asked)

    def _adds_figures(self, clause: list[str], asked: set[str]) -> bool:
        """A figure that the question does not hold is a claim, whatever stands around it."""
        return any(word not in asked and any(char.isdigit() for char in word) for word in clause)
