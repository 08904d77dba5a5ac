"""Stretches of the contexts that a model reads beside a claim."""

from collections.abc import Callable, Iterator, Sequence

from detectors.claims.claim import Claim
from detectors.claims.sentence import Sentence


def windows(claim: Claim, most: int, fits: Callable[[str], bool]) -> Iterator[str]:
    """The sentences that speak most of the claim, best first, each with as many neighbours of its passage as fit.

    At most `most` windows. A sentence that an earlier one holds begins none; one that does not fit by itself stands alone.
    """
    sentences = claim.evidence.sentences
    seen: set[int] = set()
    for best in claim.ranked:
        if best not in seen and most > 0:
            window = _grown(sentences, best, fits)
            seen.update(window)
            most -= 1
            yield _text(sentences, window)


def _grown(sentences: Sequence[Sentence], at: int, fits: Callable[[str], bool]) -> range:
    window, growing = range(at, at + 1), True
    while growing:
        growing = False
        for before, after in ((0, 1), (1, 0)):
            wider = range(window.start - before, window.stop + after)
            if _in_one_passage(sentences, wider) and fits(_text(sentences, wider)):
                window, growing = wider, True
    return window


def _in_one_passage(sentences: Sequence[Sentence], window: range) -> bool:
    within = window.start >= 0 and window.stop <= len(sentences)
    return within and sentences[window.start].passage == sentences[window.stop - 1].passage


def _text(sentences: Sequence[Sentence], window: range) -> str:
    return " ".join(sentences[place].text for place in window)
