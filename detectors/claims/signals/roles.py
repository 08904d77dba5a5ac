"""Who did what to whom: the same words in exchanged roles."""

from detectors.claims.claim import Claim
from detectors.claims.clauses import roles
from detectors.lexicon import is_english
from detectors.parser import Token

SAME = 0.6
"""Match from which two words count as the same."""
LOOKED_AT = 3

Role = tuple[int, int, str]


def score(claim: Claim) -> float | None:
    """Share of the claim's arguments that play the same role beside the same verb, or of its pairs that stand the same way round beside
    any verb, 0 to 1; None where none can be compared."""
    mine = roles(claim.parse) if is_english(claim.sentence.text) else []
    for rank in claim.ranked[:LOOKED_AT] if len(mine) > 1 else ():
        if claim.coverage[rank] < 0.5 * claim.coverage[claim.ranked[0]]:
            break
        found = {a for _, a, _ in mine if _in_sentence(claim, a, rank)}
        if len(found) < 2:
            continue
        told = roles(claim.evidence.tokens(rank))
        verdicts = _beside_same_verb(claim, mine, rank, told) or _pairs(claim, mine, rank, told)
        if verdicts:
            return sum(verdicts) / len(verdicts)
    return None


def _beside_same_verb(claim: Claim, mine: list[Role], rank: int, told: list[Role]) -> list[bool]:
    tokens, out = claim.evidence.tokens(rank), []
    for verb, argument, role in mine:
        played = {r for v, a, r in told if _same(claim, argument, rank, tokens[a]) and _same(claim, verb, rank, tokens[v])}
        out += [role in played] if played else []
    return out


def _pairs(claim: Claim, mine: list[Role], rank: int, told: list[Role]) -> list[bool]:
    tokens = claim.evidence.tokens(rank)
    theirs = [(a, b) for v, a, r in told for w, b, q in told if v == w and (r, q) == ("agent", "patient")]
    out = []
    for a, b in ((a, b) for v, a, r in mine for w, b, q in mine if v == w and (r, q) == ("agent", "patient")):
        same = any(_same(claim, a, rank, tokens[x]) and _same(claim, b, rank, tokens[y]) for x, y in theirs)
        turned = any(_same(claim, b, rank, tokens[x]) and _same(claim, a, rank, tokens[y]) for x, y in theirs)
        out += [same] if same != turned else []
    return out


def _in_sentence(claim: Claim, mine: int, rank: int) -> bool:
    token = claim.parse[mine]
    return any(claim.by_sentence[i, rank] >= SAME for i in claim.sentence.word_at(token.start, token.start + len(token.text)))


def _same(claim: Claim, mine: int, rank: int, token: Token) -> bool:
    own, start = claim.parse[mine], int(claim.evidence.starts[rank])
    there = claim.evidence.sentences[rank].word_at(token.start, token.start + len(token.text))
    return any(claim.match[i, start + j] >= SAME for i in claim.sentence.word_at(own.start, own.start + len(own.text)) for j in there)
