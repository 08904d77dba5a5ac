"""One answer against contexts of more and more words, all of them read."""

import os
import time
from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import Final

from benchmarks.throughput.processes import peak_megabytes, resident_megabytes
from detectors import Answer, load_detector, load_profile

WORDS: Final = (100, 1_000, 10_000, 50_000)


def measure(answers: Sequence[Answer], sizes: Sequence[int] = WORDS) -> Iterator[dict[str, float]]:
    """Of the default profile on one thread: seconds, seconds for 1,000 words, share of the contexts that was read, memory on top.

    The contexts are those of `answers`, in passages as they are.
    """
    import torch  # noqa: PLC0415 - heavy

    torch.set_num_threads(1)
    detector = load_detector(load_profile("default"))
    detector.assess(answers[:8])
    before = resident_megabytes(os.getpid())
    for words in sizes:
        started = time.perf_counter()
        [assessment] = detector.assess([with_words(answers, words)])
        seconds = time.perf_counter() - started
        yield {
            "words": words,
            "seconds": seconds,
            "seconds_per_1000_words": 1000 * seconds / words,
            "read": assessment.evidence_coverage or 0.0,
            "megabytes_more": max(0, peak_megabytes(os.getpid()) - before),
        }


def with_words(answers: Sequence[Answer], words: int) -> Answer:
    """The first answer, with passages of all of them until they have so many words; a passage that comes again says so in front."""
    passages: list[str] = []
    left = words
    for turn, answer in enumerate(cycle(answers)):
        for context in answer.contexts:
            mine = f"{turn} {context}".split()[:left]
            passages.append(" ".join(mine))
            left -= len(mine)
            if left <= 0:
                return answers[0].model_copy(update={"contexts": tuple(passages)})
    raise ValueError("there are no answers")
