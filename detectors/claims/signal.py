"""What a signal is."""

from abc import ABC, abstractmethod

from detectors.claims.claim import Claim
from detectors.settings_file import Section


class Signal(Section, ABC):
    """One signal of the `claims` detector with its settings, which a profile gives under `claims.signals`: see detectors.claims.signals."""

    @abstractmethod
    def score(self, claim: Claim) -> float | None:
        """0 to 1, higher = more grounded; None: nothing to measure."""
