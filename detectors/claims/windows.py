"""Stretches of the contexts that a model reads beside a claim."""

from collections.abc import Callable, Iterator

from detectors.claims.claim import Claim
from detectors.claims.evidence import Evidence


def windows(claim: Claim, most: int, fits: Callable[[str], bool]) -> Iterator[str]:
    """The sentences that speak most of the claim, best first, each with as many neighbours of its passage as fit.

    At most `most` windows. A sentence that an earlier one holds begins none; one that does not fit by itself stands alone.
    """
    evidence = claim.evidence
    seen: set[int] = set()
    for best in claim.ranked:
        if best not in seen and most > 0:
            window = _grown(evidence, best, fits)
            seen.update(window)
            most -= 1
            yield _text(evidence, window)


def _grown(evidence: Evidence, at: int, fits: Callable[[str], bool]) -> range:
    window, growing = range(at, at + 1), True
    while growing:
        growing = False
        for before, after in ((0, 1), (1, 0)):
            wider = range(window.start - before, window.stop + after)
            if _in_one_passage(evidence, wider) and fits(_text(evidence, wider)):
                window, growing = wider, True
    return window


def _in_one_passage(evidence: Evidence, window: range) -> bool:
    within = window.start >= 0 and window.stop <= len(evidence.sentences)
    return within and bool(evidence.passages[window.start] == evidence.passages[window.stop - 1])


def _text(evidence: Evidence, window: range) -> str:
    return " ".join(evidence.sentences[place].text for place in window)
