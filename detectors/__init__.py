"""Text in, scores out. No broker, no database, no clock, no environment, no event loop."""

from detectors.assessment import Answer, Assessment
from detectors.detector import Detector, load_detector
from detectors.profile import Profile, load_profile

__all__ = ["Answer", "Assessment", "Detector", "Profile", "load_detector", "load_profile"]
