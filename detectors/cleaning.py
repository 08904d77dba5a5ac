"""A text made readable that still knows where each character came from. Linear in the text's length."""

import html
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Self

from schemas import Offsets

_PIECE: Final = re.compile(
    r"&(?:#[0-9]{1,9};?|#[xX][0-9a-fA-F]{1,8};?|[^\t\n\f <&#;]{1,32};?)"
    r"|[\x20-\x25\x27-\x7e\n\t\r]++(?![\u0300-\u036f])"
    r"|.[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u064b-\u065f\u0670\u093c\u3099\u309a\uff9e\uff9f\u1160-\u11ff]*+",
    re.DOTALL,
)
_INVISIBLE: Final = re.compile("[\x00-\x08\x0e-\x1f\x7f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ud800-\udfff]")
_DETACHED: Final = re.compile(
    r"(?<=[^\W\d_])(?: ' ?|' )(?=(?:[msd]|re|ve|ll)(?![^\s.,;:!?)]))|(?<=n)(?: ' ?|' )(?=t(?![^\s.,;:!?)]))", re.IGNORECASE
)
"""The apostrophe of `don ' t`, as tokenised texts have it."""
_QUOTES: Final = str.maketrans("’‘“”„", '\'\'"""')


@dataclass(frozen=True, slots=True)
class Mapped:
    """`text` with the stretch of the original, [starts[i], ends[i]), that each character stands for."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    @classmethod
    def cleaned(cls, original: str) -> Self:
        """HTML entities resolved, compatibility forms and quotation marks folded, detached endings (`' s`) joined, invisible characters
        dropped."""
        texts: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        for match in _PIECE.finditer(original):
            text, (start, end) = _clean(match[0]), match.span()
            one_by_one = len(text) == end - start
            texts.append(text)
            starts += range(start, end) if one_by_one else [start] * len(text)
            ends += range(start + 1, end + 1) if one_by_one else [end] * len(text)
        return cls("".join(texts), tuple(starts), tuple(ends))._with_endings_joined()

    @classmethod
    def joined(cls, pieces: Iterable[tuple[str, int, int]]) -> Self:
        """The texts one after another, each standing for its stretch of the original."""
        texts: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        for text, start, end in pieces:
            texts.append(text)
            starts += [start] * len(text)
            ends += [end] * len(text)
        return cls("".join(texts), tuple(starts), tuple(ends))

    def _with_endings_joined(self) -> Self:
        spaces = {i for match in _DETACHED.finditer(self.text) for i in range(*match.span()) if self.text[i] == " "}
        if not spaces:
            return self
        kept = [i for i in range(len(self.text)) if i not in spaces]
        return type(self)("".join(self.text[i] for i in kept), tuple(self.starts[i] for i in kept), tuple(self.ends[i] for i in kept))

    def origin(self, start: int, end: int) -> Offsets:
        """The stretch of the original that [start, end), not empty, stands for."""
        return Offsets(start=min(self.starts[start:end]), end=max(self.ends[start:end]))


def _clean(piece: str) -> str:
    return unicodedata.normalize("NFKC", _INVISIBLE.sub("", html.unescape(piece))).translate(_QUOTES)
