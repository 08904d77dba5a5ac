"""Small cases by kind: `python -m benchmarks.contrast`.

contrast.jsonl: a grounded and an ungrounded answer to the same contexts, right when the grounded one has the strictly higher `final`.
edge.jsonl, where there is one: single answers with the status or decision that they should get. Invariance: both answers of each contrast
case again, with nine unrelated passages of other cases added, with their contexts reversed, and with each context split in two at a
sentence's end; the share that keeps its decision.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

import orjson
import typer

from benchmarks.assessments import Assessor
from benchmarks.case_files import Case, read_cases
from detectors import Answer, Assessment
from detectors.errors import DetectorError
from detectors.sentences import sentences
from schemas import ScoreStatus
from worker.cli.output import note, print_table, progress
from worker.errors import GroundwatchError
from worker.policy import Policy

CASES: Final = Path("../shared/cases")
PASSAGES: Final = 9
ADDED: Final = "nine unrelated passages added"
STATUSES: Final = {"not_measurable": ScoreStatus.ABSTAINED, "no_context": ScoreStatus.NO_CONTEXT}
"""The expectations that are a status; the others are a decision."""

Assess = Callable[[Sequence[Answer]], list[Assessment]]


class Share(NamedTuple):
    """How many are as they should be."""

    right: int
    of: int
    wrong: tuple[str, ...]
    """Ids of the others."""

    @classmethod
    def of_outcomes(cls, outcomes: Sequence[tuple[str, bool]]) -> "Share":
        """From ids and whether each is right."""
        wrong = tuple(name for name, right in outcomes if not right)
        return cls(len(outcomes) - len(wrong), len(outcomes), wrong)


def main(
    cases: Annotated[Path, typer.Option(metavar="DIR", help="Holds contrast.jsonl and perhaps edge.jsonl.")] = CASES,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Write every figure as JSON.")] = None,
    profile: Annotated[str, typer.Option(help="Detector profile, by name or file.")] = "default",
    cache: Annotated[Path, typer.Option(metavar="DIR", help="Keeps assessments for the next run.")] = Path(".benchmarks"),
) -> None:
    """Measure a profile on small cases."""
    try:
        pairs = read_cases(cases / "contrast.jsonl")
        single = read_cases(cases / "edge.jsonl") if (cases / "edge.jsonl").exists() else []
        assessor = Assessor(profile, cache)
    except (GroundwatchError, DetectorError) as wrong:
        note(f"benchmarks.contrast: {wrong}")
        raise typer.Exit(2) from None
    policy = Policy(assessor.profile.rules, assessor.profile.thresholds)
    with progress("scoring", len(single) + 10 * len(pairs)) as advance:
        assess: Assess = lambda answers: assessor.assess(answers, advance)  # noqa: E731
        kinds = contrast(pairs, assess)
        edges = edge(single, assess, policy)
        kept = invariance(pairs, assess, policy)
    report(kinds, edges, kept)
    if short := shortage(pairs):
        note(short)
    if json is not None:
        json.write_bytes(orjson.dumps(as_json(kinds, edges, kept), option=orjson.OPT_INDENT_2))


def contrast(cases: Sequence[Case], assess: Assess) -> dict[str, Share]:
    """The share of right pairs of each kind. An answer without a score is below every other, so that a pair without scores is wrong."""
    assessed = assess(sides(cases))
    finals = [-1.0 if (score := one.scores.get("final")) is None else score for one in assessed]
    return _by_kind(cases, [grounded > ungrounded for grounded, ungrounded in zip(finals[::2], finals[1::2], strict=True)])


def sides(cases: Sequence[Case]) -> list[Answer]:
    """Of each case the grounded answer, then the ungrounded one."""
    return [_answer(case, case[side]) for case in cases for side in ("grounded", "ungrounded")]


def edge(cases: Sequence[Case], assess: Assess, policy: Policy) -> dict[str, Share]:
    """The share of each expectation that is met."""
    assessed = assess([_answer(case, case["response"]) for case in cases])
    right = [_meets(case["expect"], one, policy) for case, one in zip(cases, assessed, strict=True)]
    return _by_kind([{**case, "kind": case["expect"]} for case in cases], right)


def invariance(cases: Sequence[Case], assess: Assess, policy: Policy) -> dict[str, Share]:
    """The share of answers whose decision stays, for each change of the contexts; answers whose contexts it cannot change are left out."""
    answers = [(f"{case['id']} {side}", _answer(case, case[side])) for case in cases for side in ("grounded", "ungrounded")]
    before = [policy.decide(one).decision for one in assess([answer for _, answer in answers])]
    passages = _passages(cases)
    found = {}
    for name, change in _CHANGES.items():
        contexts = [change(answer.contexts, passages) for _, answer in answers]
        rows = [row for row, changed in enumerate(contexts) if changed is not None]
        after = assess([answers[row][1].model_copy(update={"contexts": contexts[row]}) for row in rows])
        kept = [before[row] is policy.decide(one).decision for row, one in zip(rows, after, strict=True)]
        found[name] = Share.of_outcomes([(answers[row][0], same) for row, same in zip(rows, kept, strict=True)])
    return found


def shortage(cases: Sequence[Case]) -> str | None:
    """Which change of the contexts was not measured fully, and why; None when all were."""
    fewest = min((len(_unrelated(case["contexts"], _passages(cases))) for case in cases), default=PASSAGES)
    if fewest >= PASSAGES:
        return None
    there = f"as few as {fewest} passages of other cases" if fewest else "no passage of another case"
    return f"{ADDED}: not measured fully, for some answers there was {there}; give cases with ten different first contexts or more"


def report(kinds: Mapping[str, Share], edges: Mapping[str, Share], kept: Mapping[str, Share]) -> None:
    """Three tables on stdout."""
    for title, shares in (("contrast", {**kinds, "overall": _overall(kinds)}), ("edge", edges), ("same decision", kept)):
        rows = [(name, one.right, one.of, f"{one.right / one.of:.1%}", ", ".join(one.wrong[:4])) for name, one in shares.items() if one.of]
        print_table((title, "right", "of", "share", "wrong (first four)"), rows, empty=f"{title}: no cases")


def as_json(kinds: Mapping[str, Share], edges: Mapping[str, Share], kept: Mapping[str, Share]) -> dict[str, Any]:
    """Every share, its wrong ones named."""
    tables = {"contrast": {**kinds, "overall": _overall(kinds)}, "edge": edges, "same_decision": kept}
    return {name: {kind: one._asdict() for kind, one in shares.items()} for name, shares in tables.items()}


def _passages(cases: Sequence[Case]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(case["contexts"][0] for case in cases))


def _unrelated(contexts: Sequence[str], passages: Sequence[str]) -> list[str]:
    return [one for one in passages if one not in contexts]


def _add_passages(contexts: tuple[str, ...], passages: Sequence[str]) -> tuple[str, ...] | None:
    """Nine passages of other cases, or those that there are, among the contexts, in an order that these contexts alone decide."""
    chosen, others = random.Random("\n".join(contexts)), _unrelated(contexts, passages)
    mixed = [*contexts, *chosen.sample(others, min(PASSAGES, len(others)))]
    chosen.shuffle(mixed)
    return tuple(mixed) if others else None


def _reverse(contexts: tuple[str, ...], _: Sequence[str]) -> tuple[str, ...]:
    return contexts[::-1]


def _split(contexts: tuple[str, ...], _: Sequence[str]) -> tuple[str, ...]:
    """Each context in two at the end of its middle sentence. Tables and code, whose lines lean on each other, stay whole."""
    return tuple(part for text in contexts for part in _halves(text))


def _halves(text: str) -> tuple[str, ...]:
    found = sentences(text)
    if len(found) < 2 or "\n" in text or "|" in text or "`" in text:
        return (text,)
    cut, _ = found[len(found) // 2]
    return (text[:cut], text[cut:])


_CHANGES: Final = {ADDED: _add_passages, "contexts reversed": _reverse, "contexts split": _split}


def _meets(expected: str, assessment: Assessment, policy: Policy) -> bool:
    if expected in STATUSES:
        return assessment.status is STATUSES[expected]
    return policy.decide(assessment).decision.value.lower() == expected


def _by_kind(cases: Sequence[Case], right: Sequence[bool]) -> dict[str, Share]:
    kinds: dict[str, list[tuple[str, bool]]] = {}
    for case, outcome in zip(cases, right, strict=True):
        kinds.setdefault(case["kind"], []).append((case["id"], outcome))
    return {kind: Share.of_outcomes(outcomes) for kind, outcomes in kinds.items()}


def _overall(kinds: Mapping[str, Share]) -> Share:
    wrong = tuple(name for one in kinds.values() for name in one.wrong)
    return Share(sum(one.right for one in kinds.values()), sum(one.of for one in kinds.values()), wrong)


def _answer(case: Case, response: str) -> Answer:
    return Answer(question=case.get("question"), response=response, contexts=tuple(case["contexts"]))


if __name__ == "__main__":
    typer.run(main)
