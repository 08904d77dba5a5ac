"""Clauses of a dependency parse, whether each is negated, and who does what in it."""

from dataclasses import dataclass

from detectors.lexicon import english
from detectors.parser import Token

_HEADS = frozenset({"ROOT", "advcl", "relcl", "ccomp", "xcomp", "acl", "parataxis", "csubj", "csubjpass", "pcomp"})
_INHERITS = frozenset({"xcomp", "ccomp", "acl", "conj", "pcomp"})
_ENDS = frozenset({"", ",", ".", ";", ":", "-", "–", "—", "!"})
"""What follows a negation that is an answer by itself."""
_AGENTS, _PATIENTS = frozenset({"nsubj", "csubj"}), frozenset({"dobj", "obj", "nsubjpass", "attr", "dative", "oprd"})


@dataclass(frozen=True, slots=True)
class Clause:
    """Characters of a clause's words and whether it is negated."""

    head: int
    tokens: tuple[int, ...]
    negated: bool
    outer: tuple[int, ...] = ()
    """Of a negated phrase such as `without a permit`: the clause it stands in."""


def clauses(tokens: list[Token]) -> list[Clause]:
    """The clauses in order of their heads. A clause without a subject of its own shares its governor's negation."""
    owner = [_owner(tokens, i) for i in range(len(tokens))]
    members: dict[int, list[int]] = {}
    for i, head in enumerate(owner):
        members.setdefault(head, []).append(i)
    own = {h: any(_negates(tokens, i) for i in m) for h, m in members.items()}
    for main, exception in _reverted(tokens, members, owner, own):
        own[main] = own[exception] = False
    outer = {h: tuple(members.get(owner[tokens[h].head], ())) for h in members if _excludes(tokens, h) and tokens[h].head != h}
    negated = {h: (own[h] or _inherited(tokens, h, owner, own)) != _refuses(tokens, h) for h in members}
    return [Clause(h, tuple(m), negated[h], outer.get(h, ())) for h, m in sorted(members.items())]


def _refuses(tokens: list[Token], head: int) -> bool:
    """Whether all that the clause says is that its complement is not so: failed to show, quit smoking."""
    complements = (t for t in tokens if t.head == head and (t.dep == "xcomp" or (t.dep == "dobj" and t.text.endswith("ing"))))
    return tokens[head].lemma.lower() in english().negative_verbs and any(complements)


def _owner(tokens: list[Token], i: int) -> int:
    for _ in range(len(tokens)):
        token = tokens[i]
        verbal = token.pos in ("VERB", "AUX")
        if token.head == i or _excludes(tokens, i) or (token.dep in _HEADS and verbal) or (token.dep == "conj" and verbal):
            return i
        i = token.head
    return i


def _excludes(tokens: list[Token], i: int) -> bool:
    """Whether a preposition opens a negated phrase: without a permit, never during the season."""
    return tokens[i].pos in ("ADP", "SCONJ") and (
        tokens[i].text.lower() in english().excluding or any(t.head == i and t.text.lower() in english().negators for t in tokens)
    )


def _reverted(tokens: list[Token], members: dict[int, list[int]], owner: list[int], own: dict[int, bool]) -> list[tuple[int, int]]:
    """Negated clauses with the one that takes the negation back: not unless, not until."""
    opened = [(owner[tokens[h].head], h) for h, m in members.items() if tokens[h].head != h and _opens(tokens, h, m)]
    phrases = [(owner[i], owner[i]) for i, t in enumerate(tokens) if t.text.lower() in english().reverting_prepositions and t.dep == "prep"]
    return [(main, exception) for main, exception in (*opened, *phrases) if own.get(main)]


def _opens(tokens: list[Token], head: int, members: list[int]) -> bool:
    return any(tokens[i].text.lower() in english().reverting and (i == head or tokens[i].head == head) for i in members)


def _negates(tokens: list[Token], i: int) -> bool:
    word = tokens[i].text.lower()
    if i > 1 and tokens[i - 1].text == "-" and word in english().negative_suffixes:
        return True
    if word not in english().negators:
        return False
    answer = tokens[i].pos == "INTJ" or _contrasts(tokens, i) or any(_is_answer(tokens, i, words.split()) for words in english().answers)
    return not answer and _following(tokens, i + 1) not in english().limiting


def _contrasts(tokens: list[Token], i: int) -> bool:
    """Whether it takes back no more than what it stands before: a lower dose, not a higher one."""
    before = tokens[i - 1].text if i else ""
    return tokens[i].text.lower() == "not" and before == "," and tokens[tokens[i].head].pos not in ("VERB", "AUX")


def _is_answer(tokens: list[Token], i: int, words: list[str]) -> bool:
    said = [_following(tokens, i + place) for place in range(len(words))]
    return said == words and _following(tokens, i + len(words)) in _ENDS


def _following(tokens: list[Token], i: int) -> str:
    return tokens[i].text.lower() if i < len(tokens) else ""


def _inherited(tokens: list[Token], head: int, owner: list[int], own: dict[int, bool]) -> bool:
    token = tokens[head]
    if token.head == head or token.dep not in _INHERITS:
        return False
    subject = _has_subject(tokens, head)
    if (token.dep == "conj" and subject) or (token.dep == "acl" and not subject):
        return False
    verb = tokens[token.head].head if tokens[token.head].dep == "prep" else token.head
    refused = token.dep != "conj" and tokens[verb].lemma.lower() in english().negative_verbs
    return own.get(owner[verb], False) != refused


def roles(tokens: list[Token]) -> list[tuple[int, int, str]]:
    """(verb or comparative, argument, `agent` or `patient`), passives turned round; what follows `than` is a comparative's patient."""
    out: list[tuple[int, int, str]] = []
    for i, token in enumerate(tokens):
        governor = token.head
        if token.dep in _AGENTS:
            out += [(verb, a, "agent") for a in _joined(tokens, i) for verb in _joined_verbs(tokens, governor)]
        elif token.dep in _PATIENTS and token.pos != "ADP" and tokens[governor].pos == "VERB":
            out += [(governor, a, "patient") for a in _joined(tokens, i)]
        elif token.dep == "pobj" and tokens[governor].dep == "agent":
            out += [(tokens[governor].head, a, "agent") for a in _joined(tokens, i)]
        elif (
            token.dep == "pobj"
            and tokens[governor].dep in ("prep", "dative")
            and tokens[tokens[governor].head].pos in ("VERB", "ADJ", "ADV")
        ):
            out += [(tokens[governor].head, a, "patient") for a in _joined(tokens, i)]
    return out


def _joined(tokens: list[Token], i: int) -> list[int]:
    return [i, *(j for j, t in enumerate(tokens) if t.head == i and t.dep in ("conj", "appos", "compound", "amod"))]


def _joined_verbs(tokens: list[Token], verb: int) -> list[int]:
    if tokens[verb].pos == "AUX":
        return [j for j, t in enumerate(tokens) if t.head == verb and t.dep in ("acomp", "attr")] or [verb]
    return [
        verb,
        *(j for j, t in enumerate(tokens) if t.head == verb and t.dep == "conj" and t.pos == "VERB" and not _has_subject(tokens, j)),
    ]


def _has_subject(tokens: list[Token], verb: int) -> bool:
    return any(t.head == verb and t.dep in ("nsubj", "nsubjpass", "expl") for t in tokens)
