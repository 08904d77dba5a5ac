"""The seeds' two detectors as one would first write them: one answer at a time, nothing cached or batched. The yardstick of speed."""

from benchmarks.reference.gatekeeper import Gatekeeper
from benchmarks.reference.hybrid import Hybrid

__all__ = ["Gatekeeper", "Hybrid"]
