"""An answer taken apart into the sentences of its response, its contexts and its question."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from detectors.claims.known import Known
from detectors.claims.passage import Passage
from detectors.claims.sentence import Part
from detectors.claims.settings import Claims
from detectors.claims.tables import expand
from detectors.cleaning import Mapped
from detectors.encoder import Window
from detectors.excerpt import Excerpt
from detectors.lexicon import rarity
from detectors.sentences import sentences
from detectors.words import words

_NUMBERS: Final = r"\d{1,3}(?:\s{0,3}[,;-]\s{0,3}\d{1,3})*"
_SOURCE: Final = r"(?:doc|document|source|context|passage|excerpt|snippet|chunk|reference|ref)s?"
_CITATION: Final = re.compile(
    rf"\[\s?{_NUMBERS}\s?\]|【\s?{_NUMBERS}\s?】|[\[(]\s?{_SOURCE}[ _#:.-]{{0,2}}{_NUMBERS}\s?[\])]|<sup>\s?{_NUMBERS}\s?</sup>",
    re.IGNORECASE,
)
_CITATIONS: Final = re.compile(rf"\s*(?:(?:{_CITATION.pattern})\s*)+", re.IGNORECASE)
_MARK: Final = re.compile(
    rf"{_CITATION.pattern}|\[\^\w{{1,9}}\]|【[^】]{{1,40}}】|\(\d{{1,2}}\)|(?<=\]\()[^()\s]{{1,500}}(?=\))|https?://[^\s)>\]]{{1,500}}"
    rf"|(?<!\w)(?:{_SOURCE}|step)\s\d{{1,3}}(?!\w|[.,]\d)",
    re.IGNORECASE,
)
"""What points at a source or counts what follows, and claims nothing by itself: citations, footnotes, addresses, `document 2`, `step 1`."""


@dataclass(frozen=True, kw_only=True)
class ClaimsReading:
    """See Reading."""

    excerpt: Excerpt
    claims: tuple[Part, ...]
    passages: tuple[Passage, ...]
    asked: tuple[Part, ...]
    samples: tuple[tuple[Window, ...], ...]
    cut: bool
    """Whether there are more claims than are looked at."""
    settings: Claims

    @cached_property
    def contexts(self) -> tuple[Part, ...]:
        """The sentences of all passages."""
        return tuple(part._replace(passage=i) for i, passage in enumerate(self.passages) for part in passage.parts)

    @property
    def parts(self) -> tuple[Part, ...]:
        """Every sentence of all its texts but the samples."""
        return (*self.claims, *self.contexts, *self.asked)

    @property
    def texts(self) -> list[str]:
        """What else has a vector: windows of the samples, short claims in full."""
        return [window.text for sample in self.samples for window in sample] + [self.in_full(part) for part in self.claims]

    def in_full(self, claim: Part) -> str:
        """The claim, behind the question when it is short."""
        return f"{self.excerpt.clean_question.text} {claim.text}" if self.asked and self.is_short(claim) else claim.text

    def is_short(self, claim: Part) -> bool:
        """Whether it says too little to be understood without its question."""
        return sum(rarity(word) > 0 for word, _, _ in claim.words) < self.settings.matching.question_below


def take_apart(
    excerpt: Excerpt,
    settings: Claims,
    most_claims: int,
    *,
    windows: Callable[[str], Sequence[Window]],
    claims: Callable[[str], bool],
    known: Known[Passage],
) -> ClaimsReading:
    """The sentences of every text of the answer, of the response those that claim something, its further samples as windows.

    Passages are looked up in `known` and added to it.
    """
    found = tuple(part for part in split_response(excerpt.clean_response) if claims(part.text))
    return ClaimsReading(
        excerpt=excerpt,
        claims=found[:most_claims],
        passages=tuple(_passage(*context, settings, known) for context in zip(excerpt.contexts, excerpt.clean_contexts, strict=True)),
        asked=tuple(split(excerpt.clean_question, -2)),
        samples=tuple(tuple(windows(text)) for sample in excerpt.samples if (text := Mapped.cleaned(sample).text.strip())),
        cut=len(found) > most_claims,
        settings=settings,
    )


def _passage(text: str, clean: Mapped, settings: Claims, known: Known[Passage]) -> Passage:
    passage = known.get(text)
    if passage is None:
        passage = Passage(clean.text, tuple(split(expand(clean, settings.tables), 0)))
        known.add(text, passage)
    return passage


def split(text: Mapped, passage: int) -> Iterator[Part]:
    """The sentences of `text` that hold a word."""
    for start, end in sentences(text.text):
        found = words(text.text[start:end])
        if found:
            yield Part(text.text[start:end], passage, start, end, text, found)


def split_response(text: Mapped) -> Iterator[Part]:
    """Its sentences, marks overwritten with spaces, so that they count neither as words nor as numbers."""
    blank = _MARK.sub(lambda match: " " * len(match[0]), text.text)
    return split(Mapped(blank, text.starts, text.ends), -1)


def cited(answer: str, part: Part) -> tuple[int, ...]:
    """The numbers of the citations inside the sentence or directly after it."""
    tail = _CITATIONS.match(answer, part.end)
    end = tail.end() if tail else part.end
    return tuple(int(n) for match in _CITATION.finditer(answer, part.start, end) for n in re.findall(r"\d+", match[0]))
