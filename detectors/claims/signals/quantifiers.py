"""All, most, some, only, at least, at most: how much of the thing is meant."""

from detectors.claims.claim import Claim
from detectors.claims.signal import Signal
from detectors.lexicon import english
from detectors.settings_file import Share
from detectors.word_lists import Cue, shown


class Quantifiers(Signal):
    """See Signal."""

    mixed: Share
    """For a strong claim, where the contexts say the same of one thing and the contrary of another."""

    def score(self, claim: Claim) -> float | None:
        """Lowest agreement of the claim's quantifiers with those of the best-matching context sentence, 0 to 1; None without any.

        What the contexts put no limit on at all is no contradiction: `unsaid` of the quantifier.
        """
        cues = english().quantifiers
        mine, told = shown(cues, claim.sentence.text), shown(cues, claim.evidence.sentences[claim.ranked[0]].text)
        return min((self._agreement(cues[name], name in told, told - mine) for name in mine), default=None)

    def _agreement(self, cue: Cue, agrees: bool, further: set[str]) -> float:
        """`further` are the context's quantifiers that the claim does not share."""
        contradicted = bool(further & cue.against)
        if agrees:
            return self.mixed if contradicted and cue.unsaid < 1.0 else 1.0
        return 0.0 if contradicted else cue.unsaid
