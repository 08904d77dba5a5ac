"""Where in the response, and against which place of the contexts."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from detectors.claims.combination import Finding
from detectors.claims.settings import Claims
from schemas import Span

Category = Literal["supported", "contradiction", "unsupported_addition", "fabricated_reference"]


class Verdict(NamedTuple):
    """What a claim is, and by which signal."""

    category: Category
    signal: str


def spans(findings: Sequence[Finding], weigh: Claims) -> tuple[Span, ...]:
    """A span a claim, the lowest scores when there are more than the limit, in the response's order."""
    worst = sorted(range(len(findings)), key=lambda i: findings[i].score)[: weigh.spans.limit]
    return tuple(_span(findings[i], weigh) for i in sorted(worst))


def verdict(finding: Finding, weigh: Claims) -> Verdict:
    """A cited passage that does not speak of it, else the strongest contradiction, else too little support, else supported."""
    values = {name: value for name, value in finding.values.items() if value is not None}
    low = {
        name: value
        for name, value in values.items()
        if weigh.contradiction.get(name, 0) >= weigh.spans.contradicting_from and value < weigh.spans.contradicted_below
    }
    if "citations" in low:
        return Verdict("fabricated_reference", "citations")
    if low and finding.support >= weigh.spans.contradicted_from:
        return Verdict("contradiction", max(low, key=lambda name: weigh.contradiction[name] * (1 - low[name])))
    present = {name: value for name, value in values.items() if name in weigh.support}
    if finding.support < weigh.spans.supported_from:
        return Verdict("unsupported_addition", min(present, key=lambda name: present[name], default=next(iter(weigh.support))))
    return Verdict("supported", max(present, key=lambda name: weigh.support[name] * present[name]))


def _span(finding: Finding, weigh: Claims) -> Span:
    found, at, there = verdict(finding, weigh), finding.claim.origin, finding.evidence
    return Span(
        start=at.start,
        end=at.end,
        category=found.category,
        signal=found.signal,
        context=there.passage if there else None,
        context_start=there.origin.start if there else None,
        context_end=there.origin.end if there else None,
    )
