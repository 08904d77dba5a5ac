"""Negations and opposites, compared with the clause of the contexts that speaks of the same thing."""

import re
from collections.abc import Set
from typing import Final

import numpy as np
from numpy.typing import NDArray

from detectors.claims.claim import Claim
from detectors.claims.clauses import Clause, clauses
from detectors.claims.sentence import Sentence
from detectors.claims.signal import Signal
from detectors.lexicon import alike, antonyms, converse, english, foreign_antonyms, is_english, measures
from detectors.parser import Token
from detectors.settings_file import Count, Share
from detectors.stems import stem

_BREAK: Final = re.compile("[,;:，、；：。]")
_SIGNS: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff]")


class Polarity(Signal):
    """See Signal."""

    speaks: Share
    """Share of a clause's words that a clause of the contexts must hold to be compared."""
    looked_at: Count
    """Best context sentences whose clauses are compared."""
    steepness: Count
    """Power of the ratio between what agreeing clauses hold and what contrary ones do."""
    smallest_part: Count
    """Words of a part of a sentence, where the parser does not apply."""

    def score(self, claim: Claim) -> float | None:
        """Mean agreement of the claim's clauses, by rarity, 0 (all contradicted) to 1; None where no clause can be compared."""
        if not is_english(claim.sentence.text):
            return self._by_parts(claim)
        values, weights = [], []
        for clause in clauses(claim.parse):
            oriented = _oriented(claim, clause)
            index = [i for i in _words(claim, clause) if claim.sentence.rarity[i] > 0 or i in oriented]
            weight = float(claim.sentence.rarity[index].sum())
            value = self._agreement(claim, clause, index, oriented) if weight else None
            if value is not None:
                values.append(value)
                weights.append(weight)
        return float(np.average(values, weights=weights)) if values else None

    def _by_parts(self, claim: Claim) -> float | None:
        """Without a parser: each part of the claim against the part of the contexts that says most of it: whether both hold a negation."""
        parts = [part for part in _parts(claim.sentence, self.smallest_part) if claim.sentence.rarity[part].sum() > 0]
        weights = [float(claim.sentence.rarity[part].sum()) for part in parts]
        values = [self._part_agreement(claim, part) for part in parts]
        kept = [(w, v) for w, v in zip(weights, values, strict=True) if v is not None]
        return float(np.average([v for _, v in kept], weights=[w for w, _ in kept])) if kept else None

    def _part_agreement(self, claim: Claim, part: list[int]) -> float | None:
        rarity, mine = claim.sentence.rarity[part], _negated(claim.sentence, part)
        best = {True: 0.0, False: 0.0}
        for rank in claim.ranked[: self.looked_at]:
            sentence, start = claim.evidence.sentences[rank], int(claim.evidence.starts[rank])
            for other in _parts(sentence, self.smallest_part):
                found = claim.match[np.ix_(part, [start + i for i in other])].max(1)
                agrees = (mine == _negated(sentence, other)) != _opposed(claim.sentence, part, sentence, other)
                best[agrees] = max(best[agrees], float(rarity @ found) / float(rarity.sum()))
        return self._verdict(best)

    def _agreement(self, claim: Claim, clause: Clause, index: list[int], oriented: dict[int, frozenset[str]]) -> float | None:
        rarity, evidence = claim.sentence.rarity[index], claim.evidence
        against = {s for i in index for s in oriented.get(i, ())}
        best = {True: 0.0, False: 0.0}
        for rank in claim.ranked[: self.looked_at]:
            sentence = evidence.sentences[rank]
            if not (clause.negated or sentence.may_negate or against & sentence.distinct):
                found = np.maximum(claim.by_sentence[index, rank], _synonyms(claim, index, sentence.distinct))
                best[True] = max(best[True], float(rarity @ found) / float(rarity.sum()))
                continue
            for other in evidence.clauses(rank):
                there = _places(claim, rank, other.tokens)
                if not there:
                    continue
                flipped = _flipped(claim, index, _directed(claim, rank, other.tokens), oriented)
                found = claim.match[np.ix_(index, there)].max(1)
                if found.any() and other.outer:
                    found = np.maximum(found, claim.match[np.ix_(index, _places(claim, rank, other.outer))].max(1, initial=0.0))
                found = np.maximum(found, _synonyms(claim, index, {evidence.stems[p] for p in there}))
                found[[index.index(i) for i in flipped]] = 1.0
                if _told_as_ends(claim, clause, there):
                    flipped = []
                denied = other.negated and (clause.negated or not _presupposed(claim, rank, other, index))
                agrees = _said_alike(claim, clause, there) or (clause.negated == denied) != (len(flipped) % 2 == 1)
                best[agrees] = max(best[agrees], float(rarity @ found) / float(rarity.sum()))
        return self._verdict(best)

    def _verdict(self, best: dict[bool, float]) -> float | None:
        """From the most that agreeing and contrary places say of it: 1 to 0; None where neither speaks of it."""
        if max(best.values()) < self.speaks:
            return None
        return 1.0 if best[True] >= best[False] else (best[True] / best[False]) ** self.steepness


def _opposed(claim: Sentence, part: list[int], told: Sentence, other: list[int]) -> bool:
    """Whether an odd number of the part's words has an opposite in the other."""
    said, there = {claim.stems[i] for i in part}, {told.stems[i] for i in other}
    return sum(bool(foreign_antonyms(word) & there) for word in said - there) % 2 == 1


def _parts(sentence: Sentence, smallest: int) -> list[list[int]]:
    """Indices of the sentence's words, cut at punctuation and before joints, parts of few words left with what precedes them."""
    parts: list[list[int]] = [[]]
    end = 0
    for i, (word, start, after) in enumerate(sentence.words):
        cut = _BREAK.search(sentence.text[end:start]) or word.lower() in english().foreign_joints
        if cut and len(parts[-1]) >= smallest:
            parts.append([])
        parts[-1].append(i)
        end = after
    return parts


def _negated(sentence: Sentence, part: list[int]) -> bool:
    """Whether one of its words negates, or a row of characters where each is a word."""
    text = sentence.text[sentence.words[part[0]][1] : sentence.words[part[-1]][2]]
    words = {sentence.words[i][0].lower() for i in part}
    return any(n in words or (not n.isascii() and _SIGNS.match(n) is not None and n in text) for n in english().foreign_negators)


def _oriented(claim: Claim, clause: Clause) -> dict[int, frozenset[str]]:
    """The clause's words that have an opposite, with the stems of their opposites that the clause itself does not say. What the other side
    of a deal does, such as sell for buy, is for the roles to judge."""
    stems, out = claim.sentence.stems, {}
    said = {same for i in _words(claim, clause) for same in alike(stems[i])}
    for token in (claim.parse[t] for t in clause.tokens):
        for i in claim.sentence.words_of(token):
            if token.text.lower() in english().negators:
                continue
            if stems[i] in english().particles and token.dep not in ("prt", "advmod", "acomp", "oprd"):
                continue
            against = antonyms(stems[i])
            if against - said and not against & converse(stem(token.lemma)):
                out[i] = frozenset(against - said)
    return out


def _words(claim: Claim, clause: Clause) -> list[int]:
    tokens = [claim.parse[t] for t in clause.tokens]
    return sorted({i for t in tokens for i in claim.sentence.words_of(t)})


def _said_alike(claim: Claim, clause: Clause, there: list[int]) -> bool:
    """Whether a word that negates one of the clauses points the same way as a word of the other: seldom and rare."""
    words, evidence = _words(claim, clause), claim.evidence
    mine = {claim.sentence.words[i][0].lower(): claim.sentence.stems[i] for i in words}
    told = {evidence.text_at(p).lower(): evidence.stems[p] for p in there}
    return any(
        (alike(said) - {said}) & set(other.values())
        for one, other in ((mine, told), (told, mine))
        for word, said in one.items()
        if word in english().negators
    )


def _told_as_ends(claim: Claim, clause: Clause, there: list[int]) -> bool:
    """Whether one of the clauses tells until when and the other when it ends, or both compare: there opposites say the same."""
    mine = {claim.sentence.words[i][0].lower() for i in _words(claim, clause)}
    told = {claim.evidence.text_at(p).lower() for p in there}
    return bool(english().lasting & mine) != bool(english().lasting & told) or bool(measures().comparing & mine & told)


def _flipped(claim: Claim, index: list[int], there: list[int], oriented: dict[int, frozenset[str]]) -> list[int]:
    """The claim's words whose opposite stands there, and neither they nor words that point the same way."""
    told = {claim.evidence.stems[p] for p in there if claim.evidence.text_at(p).lower() not in english().negators}
    mine = claim.sentence.stems
    return [i for i in index if i in oriented and oriented[i] & told and mine[i] not in told and not alike(mine[i]) & told]


def _presupposed(claim: Claim, rank: int, clause: Clause, index: list[int]) -> bool:
    """Whether the clause holds the words in its subject alone, of which a negation takes nothing back: the former captain never lost."""
    tokens = claim.evidence.tokens(rank)
    subject = {i for i in clause.tokens if _below_subject(tokens, i, clause.head)}
    predicate = _places(claim, rank, tuple(i for i in clause.tokens if i not in subject))
    return bool(subject) and not claim.match[np.ix_(index, predicate)].any()


def _below_subject(tokens: list[Token], i: int, head: int) -> bool:
    while i != head and tokens[i].head not in (i, head):
        i = tokens[i].head
    return i != head and tokens[i].dep in ("nsubj", "nsubjpass")


def _directed(claim: Claim, rank: int, members: tuple[int, ...]) -> list[int]:
    """Positions of the clause's words, without plurals that are spelled as another word: the leaves of a tree."""
    tokens = claim.evidence.tokens(rank)
    return _places(claim, rank, tuple(i for i in members if tokens[i].pos != "NOUN" or stem(tokens[i].lemma) == stem(tokens[i].text)))


def _synonyms(claim: Claim, index: list[int], told: Set[str]) -> NDArray[np.float32]:
    """(len(index),): 1 where a word that points the same way is told."""
    return np.array([bool(alike(claim.sentence.stems[i]) & told) for i in index], np.float32)


def _places(claim: Claim, rank: int, members: tuple[int, ...]) -> list[int]:
    words, start = claim.evidence.sentences[rank].words_of_tokens, int(claim.evidence.starts[rank])
    return sorted({start + i for t in members for i in words[t]})
