"""What was decided lately, whether it is labelled or not."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean
from uuid import UUID

from schemas import Decision, Verdict
from worker.segments import MOST_SEGMENTS, Roster
from worker.store.protocol import Segment

Latest = dict[UUID, tuple[Verdict, Mapping[str, float | None]]]


@dataclass(frozen=True, kw_only=True)
class Summary:
    """The latest decisions of one segment, as far as this process has read them."""

    decisions: Mapping[Verdict, int]
    """How many of each verdict."""
    scores: Mapping[str, tuple[float | None, float]]
    """Each score's mean over the decisions that have it (None without any), and the share of decisions that do."""


class Traffic:
    """The last `size` decisions of each of the first `segments` segments. Not rebuilt after a start: it fills with what comes."""

    def __init__(self, size: int, segments: int = MOST_SEGMENTS) -> None:
        self._size = size
        self._roster = Roster(segments)
        self._latest: dict[Segment, Latest] = {}

    def apply(self, decision: Decision) -> Segment | None:
        """Take in one decision, and name its segment, None for a segment too many. A redelivered one keeps its place."""
        segment = Segment(decision.dataset, decision.model)
        if not self._roster.admits(segment):
            return None
        latest = self._latest.setdefault(segment, {})
        latest[decision.decision_id] = (decision.decision, decision.scores)
        if len(latest) > self._size:
            del latest[next(iter(latest))]
        return segment

    def summary(self, segment: Segment) -> Summary:
        """The figures of a segment that has decisions."""
        latest = self._latest[segment].values()
        verdicts = Counter(verdict for verdict, _ in latest)
        names = sorted({name for _, scores in latest for name in scores})
        present = {name: [score for _, scores in latest if (score := scores.get(name)) is not None] for name in names}
        return Summary(
            decisions={verdict: verdicts[verdict] for verdict in Verdict},
            scores={name: (fmean(values) if values else None, len(values) / len(latest)) for name, values in present.items()},
        )
