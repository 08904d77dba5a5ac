"""Negations and opposites, compared with the clause of the contexts that speaks of the same thing."""

import numpy as np

from detectors.claims.claim import Claim
from detectors.claims.clauses import Clause, clauses
from detectors.claims.sentence import Sentence
from detectors.lexicon import alike, antonyms, english, is_english

SPEAKS = 0.45
"""Share of a clause's words that a clause of the contexts must hold to be compared."""
LOOKED_AT = 3
"""Best context sentences whose clauses are compared."""


def score(claim: Claim) -> float | None:
    """Mean agreement of the claim's clauses, by rarity, 0 (all contradicted) to 1; None where no clause can be compared."""
    if not is_english(claim.sentence.text):
        return _by_sentence(claim)
    values, weights = [], []
    oriented = _oriented(claim)
    for clause in clauses(claim.parse):
        index = [i for i in _words(claim, clause) if claim.sentence.rarity[i] > 0 or i in oriented]
        weight = float(claim.sentence.rarity[index].sum())
        value = _agreement(claim, clause, index, oriented) if weight else None
        if value is not None:
            values.append(value)
            weights.append(weight)
    return float(np.average(values, weights=weights)) if values else None


def _by_sentence(claim: Claim) -> float | None:
    """Without a parser: whether claim and context sentence both hold a negation, or neither, by how much the sentence says of the claim."""
    mine = _negated(claim.sentence)
    best = {True: 1e-6, False: 1e-6}
    for j in claim.ranked[:LOOKED_AT]:
        agrees = mine == _negated(claim.evidence.sentences[j])
        best[agrees] = max(best[agrees], float(claim.coverage[j]))
    return min(1.0, best[True] / best[False]) ** 2


def _negated(sentence: Sentence) -> bool:
    return bool(english().foreign_negators & {w.lower() for w, _, _ in sentence.words})


def _oriented(claim: Claim) -> dict[int, frozenset[str]]:
    """Claim words that have an opposite, with the stems of their opposites that the claim itself does not say."""
    stems, out = claim.sentence.stems, {}
    for token in claim.parse:
        for i in claim.sentence.word_at(token.start, token.start + len(token.text)):
            if stems[i] in english().particles and token.dep not in ("prt", "advmod", "acomp", "oprd"):
                continue
            against = antonyms(stems[i]) - set(stems)
            if against:
                out[i] = frozenset(against)
    return out


def _words(claim: Claim, clause: Clause) -> list[int]:
    tokens = [claim.parse[t] for t in clause.tokens]
    return sorted({i for t in tokens for i in claim.sentence.word_at(t.start, t.start + len(t.text))})


def _agreement(claim: Claim, clause: Clause, index: list[int], oriented: dict[int, frozenset[str]]) -> float | None:
    rarity, evidence = claim.sentence.rarity[index], claim.evidence
    against = {s for i in index for s in oriented.get(i, ())}
    best = {True: 0.0, False: 0.0}
    for rank in claim.ranked[:LOOKED_AT]:
        stems = evidence.sentences[rank].stems
        if not (clause.negated or _cued(stems) or against.intersection(stems)):
            best[True] = max(best[True], float(rarity @ claim.by_sentence[index, rank]) / float(rarity.sum()))
            continue
        for other in clauses(evidence.tokens(rank)):
            there = _places(claim, rank, other.tokens)
            if not there:
                continue
            flipped = _flipped(claim, index, there, oriented)
            found = claim.match[np.ix_(index, there)].max(1)
            if found.any() and other.outer:
                found = np.maximum(found, claim.match[np.ix_(index, _places(claim, rank, other.outer))].max(1, initial=0.0))
            found[[index.index(i) for i in flipped]] = 1.0
            agrees = (clause.negated == other.negated) != (len(flipped) % 2 == 1)
            best[agrees] = max(best[agrees], float(rarity @ found) / float(rarity.sum()))
    top = max(best.values())
    return None if top < SPEAKS else 1.0 if best[True] >= best[False] else (best[True] / best[False]) ** 2


def _flipped(claim: Claim, index: list[int], there: list[int], oriented: dict[int, frozenset[str]]) -> list[int]:
    """The claim's words whose opposite stands there, and neither they nor words that point the same way."""
    told = {claim.evidence.stems[p] for p in there}
    mine = claim.sentence.stems
    return [i for i in index if i in oriented and oriented[i] & told and mine[i] not in told and not alike(mine[i]) & told]


def _cued(stems: list[str]) -> bool:
    return any(s in english().negators or s.endswith("n't") for s in stems)


def _places(claim: Claim, rank: int, members: tuple[int, ...]) -> list[int]:
    tokens, sentence, start = claim.evidence.tokens(rank), claim.evidence.sentences[rank], int(claim.evidence.starts[rank])
    return sorted({start + i for t in members for i in sentence.word_at(tokens[t].start, tokens[t].start + len(tokens[t].text))})
