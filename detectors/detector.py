"""What every detector offers, and how one is made."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from detectors.absence import AbsenceRule
from detectors.assessment import Answer, Assessment
from detectors.calibration import Calibration
from detectors.claims.method import ClaimsMethod
from detectors.encoder import Device
from detectors.errors import ProfileError
from detectors.excerpt import Excerpt
from detectors.method import Method
from detectors.models import Models
from detectors.profile import Profile
from detectors.scores import CALIBRATED, CLAIMS, GATEKEEPER, HYBRID, known_scores
from detectors.seed import SeedMethod
from schemas import ScoreStatus

METHODS: Final[Mapping[str, Callable[[Profile, Models], Method[Any, Any]]]] = {
    "seed": SeedMethod,
    "claims": ClaimsMethod,
}
"""Every kind of detector that a profile can name."""

_SCORE_DIGITS: Final = 6


class Detector(Protocol):
    """Scores answers. Pure: an answer's assessment depends on that answer and the detector alone, not on its batch."""

    fingerprint: str
    """`profile-` and 16 hex digits over profile, policy and models: the same one gives the same scores at each step of shedding."""
    profile: Profile
    encoder: str
    """The embedding model's name, or `tfidf-fallback` when none could be loaded."""

    def assess(self, answers: Sequence[Answer], shed: int = 0) -> list[Assessment]:
        """One assessment an answer, in order. What fails for an answer's content has status `error`. Raises MemoryError alone.

        The first `shed` models of the profile's `shedding` are left out, all when there are fewer; 0 leaves out none.
        """


class BatchDetector:
    """Reads every answer of a batch, encodes their texts together, scores each answer."""

    def __init__(self, profile: Profile, models: Models, method: Method[Any, Any]) -> None:
        self.profile = profile
        self.encoder = models.encoder.name
        self.fingerprint = models.fingerprint(profile)
        steps = range(1, len(profile.shedding) + 1)
        self._methods = [method, *(method.without(profile.shedding[:step]) for step in steps)]
        self._absence = AbsenceRule(profile.abstention)
        claims = (*CLAIMS, *profile.claims.names) if profile.claims else ()
        self._unscored: dict[str, float | None] = dict.fromkeys(
            (*GATEKEEPER, *HYBRID, *claims, *(CALIBRATED if profile.calibration else ()))
        )

    def assess(self, answers: Sequence[Answer], shed: int = 0) -> list[Assessment]:
        """See Detector."""
        method = self._methods[min(shed, len(self._methods) - 1)]
        read = [self._guarded(self._read, answer, method) for answer in answers]
        batch = method.ask([one for one in read if not isinstance(one, Assessment)])
        return [one if isinstance(one, Assessment) else self._guarded(self._score, one, batch, method) for one in read]

    def _read(self, answer: Answer, method: Method[Any, Any]) -> Any:
        """The method's reading, or an assessment without scores."""
        excerpt = Excerpt.of(answer, self.profile.limits)
        reading = self._absence.status(answer, excerpt) or method.read(excerpt)
        if isinstance(reading, ScoreStatus):
            return Assessment(status=reading, scores=self._unscored, context_truncated=excerpt.truncated, response_cut=excerpt.response_cut)
        return reading

    def _score(self, reading: Any, batch: Any, method: Method[Any, Any]) -> Assessment:
        scored = method.score(reading, batch)
        rounded = {name: None if score is None else round(score, _SCORE_DIGITS) + 0.0 for name, score in scored.scores.items()}
        degraded = method is not self._methods[0]
        if self.profile.calibration:  # its bounds hold for what all models scored
            rounded["probability"] = None if degraded else self.profile.calibration.apply(rounded)
        missing = tuple(name for name, score in rounded.items() if score is None) if degraded else scored.missing_signals
        return scored.model_copy(update={"scores": rounded, "missing_signals": missing, "degraded": degraded})

    def _guarded(self, step: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return step(*arguments)
        except MemoryError:  # says nothing of this answer: another one, or what is remembered, may have taken it
            raise
        except Exception as failure:
            return Assessment(status=ScoreStatus.ERROR, scores=self._unscored, detail=type(failure).__name__)


def load_detector(profile: Profile, encoder: str | None = None, memory: int = 0, device: Device = "auto") -> Detector:
    """The profile's detector with its models loaded on `device`, `encoder` (a model's name or path) in place of the profile's.

    `memory` bytes are spent on what was read of passages that may come again; scores are the same with and without.

    Raises ProfileError for an unknown kind of detector and for a calibration of another one, DetectorError when a model other than the
    encoder is missing.
    """
    if profile.detector not in METHODS:
        raise ProfileError(f"{profile.name}: detector: {profile.detector!r} is unknown; use one of {', '.join(METHODS)}")
    return make_detector(profile, Models.load(profile, encoder, memory, device))


def make_detector(profile: Profile, models: Models, method: Method[Any, Any] | None = None) -> Detector:
    """The profile's detector with models at hand, `method` in place of its own.

    Raises ProfileError for a calibration of another detector.
    """
    if profile.calibration:
        _require_own(profile.calibration, models.fingerprint(profile.model_copy(update={"calibration": None})), models.encoder.name)
    return BatchDetector(profile, models, method or METHODS[profile.detector](profile, models))


def _require_own(calibration: Calibration, fingerprint: str, encoder: str) -> None:
    if unknown := calibration.signals.keys() - known_scores():
        raise ProfileError(f"the calibration weighs {min(unknown)}, which no detector gives; write it anew with `groundwatch calibrate`")
    if calibration.detector != fingerprint:
        raise ProfileError(
            f"the calibration was made for the detector {calibration.detector}, but this profile without it is {fingerprint} (encoder "
            f"{encoder}); run `groundwatch calibrate` with this profile, or restore the profile, policy and models that it was made with"
        )
