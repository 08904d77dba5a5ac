"""The words and cues in configs/lexicon, checked on reading."""

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from detectors.settings_file import Count, Section, Share


def split_words(words: object) -> list[str]:
    """The words of a line, `_` as a space. Raises ValueError for anything but a string."""
    if not isinstance(words, str):
        raise ValueError("give words separated by spaces, in quotes where YAML would read them as something else, such as no")
    return [word.replace("_", " ") for word in words.split()]


def _halved(group: object) -> list[str]:
    sides = group.split("|") if isinstance(group, str) else []
    if len(sides) != 2 or not all(side.split() for side in sides):
        raise ValueError("give words on both sides of one |")
    return sides


Words = Annotated[frozenset[str], BeforeValidator(split_words)]
Sides = Annotated[tuple[Words, Words], BeforeValidator(_halved)]


def any_of(words: Iterable[str]) -> str:
    """As a pattern: one of the words, the longest that stands there."""
    return f"(?:{'|'.join(map(re.escape, sorted(words, key=lambda word: (-len(word), word)))) or '(?!)'})"


class Cue(Section):
    """Words that show one thing, such as a limit or a condition."""

    words: Words
    """`*` stands for any ending."""
    against: Words
    """The cues that contradict it."""
    unsaid: Annotated[float, Field(ge=0, le=1)] = 1.0
    """Value where no cue of the kind is found on the other side."""

    def places(self, text: str) -> list[tuple[int, int]]:
        """(start, end) of its words in the text."""
        return [match.span() for match in self._pattern.finditer(text)]

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        choices = (
            ("" if word.startswith("'") else r"\b") + re.escape(word).replace(r"\*", r"\w*")
            for word in sorted(self.words, key=len, reverse=True)
        )
        return re.compile(rf"(?:{'|'.join(choices)})\b", re.I)


def _contradict_known(cues: dict[str, Cue]) -> dict[str, Cue]:
    for name, cue in cues.items():
        if unknown := cue.against - cues.keys():
            raise ValueError(f"{name}.against: {min(unknown)} is none of {', '.join(cues)}")
    return cues


Cues = Annotated[dict[str, Cue], AfterValidator(_contradict_known)]


def shown(cues: Mapping[str, Cue], text: str) -> set[str]:
    """Names of the cues that occur in the text. A word inside a longer one does not count: no `most` in `at most`."""
    places = [(start, end, name) for name, cue in cues.items() for start, end in cue.places(text)]
    return {name for start, end, name in places if not any(s <= start and end <= e and e - s > end - start for s, e, _ in places)}


class Recognition(Section):
    """When a text counts as English."""

    latin: Share
    """Share of its words in Latin letters from which on it may."""
    short: Count
    """With fewer words than this it then does."""
    stop: Share
    """Share of stop words from which on a longer one does."""


class Rarity(Section):
    """How rare words are, by their rank in the frequency list."""

    smallest: Annotated[float, Field(gt=0, le=1)]
    """Of the commonest content word."""
    vocabulary: Annotated[int, Field(gt=1)]
    """Rank of the words that are as rare as unknown ones: the vocabulary whose order the list keeps."""
    first: Count
    """Rank of the list's first word."""
    label: Annotated[float, Field(gt=0, le=1)]
    """Of a letter that names something, as in `plan B`."""


class English(Section):
    """Words and cues: configs/lexicon/english.yaml."""

    recognition: Recognition
    rarity: Rarity
    stop: Words
    articles: Words
    hyphenated: Words
    negators: Words
    negative_endings: Words
    answers: Words
    limiting: Words
    lasting: Words
    sources: Words
    negative_suffixes: Words
    reverting: Words
    reverting_prepositions: Words
    excluding: Words
    foreign_negators: Words
    foreign_joints: Words
    foreign_opposites: tuple[Sides, ...]
    particles: Words
    negative_prefixes: Words
    negative_verbs: Words
    converses: tuple[Sides, ...]
    abbreviations: Words
    """A full stop after them ends no sentence."""
    abbreviations_before_numbers: Words
    """The same where a number follows or they stand alone."""
    quantifiers: Cues
    scope: Cues
    foretelling: Words
    reported: Words
    refuting: Words
    turning: Words
    conditional: Words
    opposites: tuple[Sides, ...]
