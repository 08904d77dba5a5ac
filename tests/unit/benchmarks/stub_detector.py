"""A detector whose score is the share of the response's words that the contexts hold."""

from collections.abc import Sequence

from detectors import Answer, Assessment, Profile, load_profile
from schemas import ScoreStatus


class WordDetector:
    """Counts the answers it is given."""

    def __init__(self, profile: str = "default") -> None:
        self.fingerprint = f"{profile}-0123456789abcdef"
        self.profile: Profile = load_profile(profile)
        self.encoder = "none"
        self.batches: list[int] = []

    def assess(self, answers: Sequence[Answer], shed: int = 0) -> list[Assessment]:
        self.batches.append(len(answers))
        return [self._one(answer) for answer in answers]

    def _one(self, answer: Answer) -> Assessment:
        if not answer.contexts:
            return Assessment(status=ScoreStatus.NO_CONTEXT, scores={"final": None})
        known, words = " ".join(answer.contexts).split(), answer.response.split()
        share = sum(word in known for word in words) / max(1, len(words))
        names = ("final", "attribution", "grounded", "faithfulness", "relevance", "context_quality")
        scores = {**dict.fromkeys(names, share), "specificity": 0.6, "length": len(words) / 100, "disagreement": 0.0}
        return Assessment(status=ScoreStatus.SCORED, scores=scores, evidence_coverage=1.0)
