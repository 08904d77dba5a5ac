"""A fixed idf: how rare a word is in English at large, whatever texts are at hand."""

from collections.abc import Iterable
from hashlib import sha256
from importlib.resources import files
from math import exp, log, log1p

import orjson

from detectors.errors import ProfileError
from detectors.profile import Frequency


class Idf:
    """Inverse document frequency by Zipf's law from a word's rank; unknown words count as rarer than every known one."""

    def __init__(self, words: Iterable[str], *, document_tokens: int, scale: float) -> None:
        self._rank = {word: rank for rank, word in enumerate(words, start=1)}
        self._tokens, self._scale = document_tokens, scale
        self.digest = sha256("\n".join(self._rank).encode()).hexdigest()

    def of(self, word: str) -> float:
        """1 - ln(share of documents that hold `word`), at least 1."""
        share = 1 / (self._scale * self._rank.get(word, len(self._rank) + 1))
        return 1 - log(1 - exp(self._tokens * log1p(-share)))


def load_idf(frequency: Frequency) -> Idf:
    """The fixed idf of a profile. Raises ProfileError when its word list is not there."""
    resource = files("configs") / "frequency" / f"{frequency.words}.json"
    if not resource.is_file():
        raise ProfileError(f"frequency.words: there is no list {frequency.words!r} in configs/frequency; use `english`")
    words: list[str] = orjson.loads(resource.read_bytes())
    return Idf(words, document_tokens=frequency.document_tokens, scale=frequency.scale)
