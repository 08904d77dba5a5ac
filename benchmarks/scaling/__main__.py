"""Cost against size: `python -m benchmarks.scaling`. Times are this machine's, and only as good as it is idle."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final

import orjson
import typer

from benchmarks.quality import DATA
from benchmarks.scaling import contexts, labels, windows, workers
from benchmarks.services import running_services
from benchmarks.workload import stream
from worker.cli.output import note, print_table
from worker.errors import GroundwatchError

Rows = Iterator[Mapping[str, float]]


def measure_windows(short: bool) -> Rows:
    """See windows."""
    return windows.measure(windows.SIZES[:2] if short else windows.SIZES)


def measure_labels(short: bool) -> Rows:
    """See labels."""
    with running_services() as services:
        yield from labels.measure(services, labels.LABELS // 5 if short else labels.LABELS, 1 if short else labels.TIMES)


def measure_contexts(short: bool) -> Rows:
    """See contexts."""
    return contexts.measure(stream(DATA, 1, 200), contexts.WORDS[:2] if short else contexts.WORDS)


def measure_workers(short: bool) -> Rows:
    """See workers."""
    with running_services() as services:
        yield from workers.measure(services, stream(DATA, 1, 48 if short else 240))


SECTIONS: Final[Mapping[str, Callable[[bool], Rows]]] = {
    "contexts": measure_contexts,
    "workers": measure_workers,
    "windows": measure_windows,
    "labels": measure_labels,
}
"""What is measured, by name; each takes whether to be short and gives rows of figures with the same names."""


def main(
    sections: Annotated[list[str] | None, typer.Argument(help=f"Some of {', '.join(SECTIONS)}; all where none is named.")] = None,
    short: Annotated[bool, typer.Option("--short", help="The small sizes alone.")] = False,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Write every figure as JSON.")] = None,
) -> None:
    """Measure what things cost by their size."""
    if unknown := set(sections or ()) - SECTIONS.keys():
        note(f"benchmarks.scaling: there is no section {', '.join(sorted(unknown))}; there are {', '.join(SECTIONS)}")
        raise typer.Exit(2)
    found: dict[str, list[Mapping[str, float]]] = {}
    try:
        for name in sections or SECTIONS:
            found[name] = list(SECTIONS[name](short))
            print_table(*table(name, found[name]), empty="")
    except GroundwatchError as wrong:
        note(f"benchmarks.scaling: {wrong}")
        raise typer.Exit(2) from None
    if json is not None:
        json.write_bytes(orjson.dumps(found, option=orjson.OPT_INDENT_2))


def table(section: str, rows: Sequence[Mapping[str, float]]) -> tuple[list[str], list[list[float]]]:
    """Headings, the first of which names the section, and cells to three digits."""
    headings = [name.replace("_", " ") for name in rows[0]]
    return [f"{section}: {headings[0]}", *headings[1:]], [[round(value, 3) for value in row.values()] for row in rows]


if __name__ == "__main__":
    typer.run(main)
