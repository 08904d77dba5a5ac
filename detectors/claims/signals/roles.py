"""Who did what to whom: the same words in exchanged roles."""

from detectors.claims.claim import Claim
from detectors.claims.clauses import roles
from detectors.claims.signal import Signal
from detectors.lexicon import alike, antonyms, converse, english, is_english
from detectors.parser import Token
from detectors.settings_file import Count, Share
from detectors.stems import stem

_COMPARATIVE = frozenset({"JJR", "RBR"})

Role = tuple[int, int, str]


class Roles(Signal):
    """See Signal."""

    same: Share
    """Match from which two words count as the same."""
    looked_at: Count
    """Best context sentences whose roles are compared."""
    speaks: Share
    """Share of what the best sentence says of the claim that another must say to be compared."""

    def score(self, claim: Claim) -> float | None:
        """Share of the claim's arguments that play the same role beside the same verb, or of its pairs that stand the same way round beside
        any verb, 0 to 1; a converse such as buy and sell turns them round; None where none can be compared."""
        mine = roles(claim.parse) if is_english(claim.sentence.text) else []
        for rank in claim.ranked[: self.looked_at] if len(mine) > 1 else ():
            if claim.coverage[rank] < self.speaks * claim.coverage[claim.ranked[0]]:
                break
            found = {a for _, a, _ in mine if self._in_sentence(claim, a, rank)}
            if len(found) < 2:
                continue
            told = roles(claim.evidence.tokens(rank))
            pairs = self._pairs(claim, mine, rank, told)
            verdicts = self._beside_same_verb(claim, mine, rank, told) or pairs
            if verdicts:
                return 0.0 if pairs and not any(pairs) else sum(verdicts) / len(verdicts)
        return None

    def _beside_same_verb(self, claim: Claim, mine: list[Role], rank: int, told: list[Role]) -> list[bool]:
        tokens, out = claim.evidence.tokens(rank), []
        for verb, argument, role in mine:
            beside = {v for v, _, _ in told if not _converse(claim.parse[verb], tokens[v]) and self._same(claim, verb, rank, tokens[v])}
            played = {r for v, a, r in told if v in beside and self._same(claim, argument, rank, tokens[a])}
            out += [role in played] if played else []
        return out

    def _pairs(self, claim: Claim, mine: list[Role], rank: int, told: list[Role]) -> list[bool]:
        tokens = claim.evidence.tokens(rank)
        out = []
        for verb, a, b in _acting(mine):
            acting = [(v, x, y) for v, x, y in _acting(told) if not _is_source(tokens, y) or self._like(claim, verb, rank, tokens[v])]
            told_so = [(y, x) if _converse(claim.parse[verb], tokens[v]) else (x, y) for v, x, y in acting]
            same = any(self._same(claim, a, rank, tokens[x]) and self._same(claim, b, rank, tokens[y]) for x, y in told_so)
            turned = any(self._same(claim, b, rank, tokens[x]) and self._same(claim, a, rank, tokens[y]) for x, y in told_so)
            out += [same] if same != turned else []
        return out

    def _like(self, claim: Claim, mine: int, rank: int, token: Token) -> bool:
        """Whether two verbs tell of one thing: the same, alike, or from either side."""
        own = claim.parse[mine]
        return self._same(claim, mine, rank, token) or _converse(own, token) or stem(token.lemma) in alike(stem(own.lemma))

    def _in_sentence(self, claim: Claim, mine: int, rank: int) -> bool:
        token = claim.parse[mine]
        return any(claim.by_sentence[i, rank] >= self.same for i in claim.sentence.words_of(token))

    def _same(self, claim: Claim, mine: int, rank: int, token: Token) -> bool:
        own, start = claim.parse[mine], int(claim.evidence.starts[rank])
        there = claim.evidence.sentences[rank].words_of(token)
        return any(claim.match[i, start + j] >= self.same for i in claim.sentence.words_of(own) for j in there)


def _acting(found: list[Role]) -> list[tuple[int, int, int]]:
    """(verb, agent, patient)."""
    return [(v, a, b) for v, a, r in found for w, b, q in found if v == w and (r, q) == ("agent", "patient")]


def _is_source(tokens: list[Token], i: int) -> bool:
    """The goal came from Petrov: who did it, beside another verb, and no patient."""
    return tokens[tokens[i].head].text.lower() in english().sources


def _converse(mine: Token, told: Token) -> bool:
    """Whether they tell the same from either side: buy and sell, older and younger."""
    own, other = stem(mine.lemma), stem(told.lemma)
    return other in converse(own) or (mine.tag in _COMPARATIVE and told.tag in _COMPARATIVE and other in antonyms(own))
