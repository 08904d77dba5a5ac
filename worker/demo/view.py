"""What the demo shows: the live table, and the summary at the end."""

from collections import Counter
from collections.abc import Mapping, Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from schemas import AurocSnapshot, Pair, Verdict
from worker.demo.corpus import Kind
from worker.demo.reading import Reading
from worker.demo.traffic import Traffic
from worker.settings import Topics
from worker.store import Segment


def draw_live(reading: Reading, *, sent: int, rate: float) -> RenderableType:
    """The state of every segment and the line below it."""
    return Group(_segments(reading), Text(describe(reading, sent=sent, rate=rate)))


def describe(reading: Reading, *, sent: int, rate: float) -> str:
    """The state in one line."""
    decided = sum(sum(counts.values()) for counts in reading.decisions.values())
    paired = sum(snapshot.pairs for snapshot in reading.snapshots.values())
    ledger = "ledger balances" if reading.balanced else "ledger DOES NOT BALANCE"
    return (
        f"{reading.accounted} of {sent} messages · {rate:.0f} events/s · {decided} decisions · {paired} pairs in windows · "
        f"{reading.dead_letters} dead letters · {ledger}"
    )


def draw_summary(reading: Reading, pairs: Mapping[Segment, Sequence[Pair]], traffic: Traffic, topics: Topics) -> RenderableType:
    """What was sent, how each kind of answer was decided, and how well the scores tell them apart."""
    everything = [pair for of_segment in pairs.values() for pair in of_segment]
    return Group(Text(_sent(traffic, topics)), _kinds(everything, traffic), _segments(reading))


def _sent(traffic: Traffic, topics: Topics) -> str:
    responses, labels = traffic.count(topics.responses), traffic.count(topics.labels)
    return (
        f"sent: {responses} response messages ({len(traffic.examples)} answers, {traffic.duplicates} of them twice, "
        f"{traffic.malformed} malformed) and {labels} labels ({labels - len(traffic.examples)} of them corrected later)"
    )


def _kinds(pairs: Sequence[Pair], traffic: Traffic) -> Table:
    kind_of = {example.event.response_id: example.kind for example in traffic.examples}
    decided = Counter((kind_of[pair.response_id], pair.decision) for pair in pairs)
    table = _table("kind of answer", "label", "answers", *Verdict)
    for kind in Kind:
        total = sum(decided[kind, verdict] for verdict in Verdict)
        shares = [f"{decided[kind, verdict] / total:.0%}" if total else "–" for verdict in Verdict]
        table.add_row(kind.replace("_", " "), str(kind.label), str(total), *shares)
    return table


def _segments(reading: Reading) -> Table:
    table = _table("segment", *Verdict, "AUROC, 95 %", "n 1/0", "unscored")
    for segment in reading.segments:
        counts = [str(reading.decisions[segment].get(verdict, 0)) for verdict in Verdict]
        table.add_row(segment.name, *counts, *_figures(reading.snapshots.get(segment)))
    return table


def _figures(snapshot: AurocSnapshot | None) -> tuple[str, str, str]:
    final = snapshot.scores.get("final") if snapshot else None
    if snapshot is None or final is None:
        return "–", "", ""
    interval = "" if final.low is None or final.high is None else f" {final.low:.3f}–{final.high:.3f}"
    figure = (final.reason or "–").replace("_", " ") if final.auroc is None else f"{final.auroc:.3f}"
    return figure + interval, f"{final.grounded}/{final.hallucinated}", str(snapshot.unscored)


def _table(first: str, *others: str) -> Table:
    table = Table(box=box.SIMPLE, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    table.add_column(first, no_wrap=True)
    for heading in others:
        table.add_column(heading, justify="right", no_wrap=True)
    return table
