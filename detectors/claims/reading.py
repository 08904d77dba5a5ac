"""An answer taken apart into the sentences of its response, its contexts and its question."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from detectors.claims.claim import Claim
from detectors.claims.evidence import Evidence
from detectors.claims.lexicon import is_english, rarity
from detectors.claims.mapped import Mapped
from detectors.claims.parser import Parse
from detectors.claims.sentence import Sentence
from detectors.claims.tables import expand
from detectors.claims.text import Word, sentences, words
from detectors.cross_encoder import CrossEncoder
from detectors.encoder import Spelled
from detectors.evidence import Passages

_CITATION: Final = re.compile(r"\[\d{1,3}(?:\s{0,3}[,;-]\s{0,3}\d{1,3})*\]")
_CITATIONS: Final = re.compile(rf"\s*(?:{_CITATION.pattern}\s*)+")
_MARK: Final = re.compile(rf"{_CITATION.pattern}|(?m:^[^\S\n]*(?:\d{{1,2}}[.)]|[-*•])(?=\s))")
_QUESTION_BELOW: Final = 4
"""Answers with fewer content words are read together with the question."""


class Part(NamedTuple):
    """A sentence before it is encoded: see Sentence."""

    text: str
    passage: int
    start: int
    end: int
    source: Mapped
    words: list[Word]


@dataclass(frozen=True, kw_only=True)
class ClaimsReading:
    """See Reading."""

    passages: Passages
    """The same sentences as windows, for the gatekeeper's scores."""
    answer: str
    """The cleaned response, citations included."""
    question: str
    claims: tuple[Part, ...]
    contexts: tuple[Part, ...]
    asked: tuple[Part, ...]

    @property
    def texts(self) -> list[str]:
        """Those without words of interest."""
        return [window.text for windows in self.passages.sample_windows for window in windows]

    @property
    def spelled(self) -> list[str]:
        """The texts whose words' vectors the scoring needs."""
        return [part.text for part in (*self.claims, *self.contexts, *self.asked)] + [self.in_full(part) for part in self.claims]

    def in_full(self, claim: Part) -> str:
        """The claim, behind the question when it is short."""
        return f"{self.question} {claim.text}" if self.asked and is_short(claim) else claim.text


def split(text: Mapped, passage: int) -> Iterator[Part]:
    """The sentences of `text` that hold a word."""
    for start, end in sentences(text.text):
        found = words(text.text[start:end])
        if found:
            yield Part(text.text[start:end], passage, start, end, text, found)


def split_response(text: Mapped) -> Iterator[Part]:
    """Its sentences, citations and list numbers overwritten with spaces, so that they count neither as words nor as numbers."""
    blank = _MARK.sub(lambda match: " " * len(match[0]), text.text)
    return split(Mapped(blank, text.starts, text.ends), -1)


def split_context(context: str, passage: int) -> Iterator[Part]:
    """The sentences of a context, its tables spelled out."""
    return split(expand(Mapped.cleaned(context)), passage)


def is_short(part: Part) -> bool:
    """Whether a sentence says too little to be understood without its question."""
    return sum(rarity(word) > 0 for word, _, _ in part.words) < _QUESTION_BELOW


def evidence_of(reading: ClaimsReading, spelled: Callable[[str], Spelled], parse: Parse, judge: CrossEncoder | None = None) -> Evidence:
    """The contexts' sentences with their vectors."""
    return Evidence([_made(p, spelled) for p in reading.contexts], [_made(p, spelled) for p in reading.asked], parse, judge)


def claims_of(reading: ClaimsReading, evidence: Evidence, spelled: Callable[[str], Spelled]) -> Iterable[Claim]:
    """The claims one by one: a claim's matrices are as large as it is long times the contexts."""
    for part in reading.claims:
        yield Claim(
            _made(part, spelled),
            evidence,
            vector=spelled(reading.in_full(part)).vector.astype(np.float32),
            short=is_short(part),
            parse=evidence.parsed(part.text) if is_english(part.text) else [],
            citations=cited(reading.answer, part),
        )


def cited(answer: str, part: Part) -> tuple[int, ...]:
    """The numbers in square brackets inside the sentence or directly after it."""
    tail = _CITATIONS.match(answer, part.end)
    end = tail.end() if tail else part.end
    return tuple(int(n) for match in _CITATION.finditer(answer, part.start, end) for n in re.findall(r"\d+", match[0]))


def _made(part: Part, spelled: Callable[[str], Spelled]) -> Sentence:
    read = spelled(part.text)
    origin = part.source.origin(part.start, part.end)
    return Sentence(part.text, part.passage, part.start, origin, part.words, read.vector.astype(np.float32), read.words.astype(np.float32))
