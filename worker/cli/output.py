"""What commands print: tables for people, JSON for machines, progress on stderr."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

LINE_SECONDS: Final = 30
"""Time between two lines of progress where there is no terminal."""

_CONTROLS: Final = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def visible(text: str) -> str:
    """`text` in one line that a terminal shows and does not obey: control characters, escapes, turns of the writing direction and lone
    surrogates are spelled out, such as `\\x1b`.
    """
    return _CONTROLS.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def say(text: str) -> None:
    """A line on stdout."""
    print(visible(text))


def print_json(value: Any) -> None:
    """One JSON document on stdout."""
    import orjson

    sys.stdout.write(orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS, default=str).decode() + "\n")


def print_table(headings: Sequence[str], rows: Sequence[Sequence[object]], *, empty: str) -> None:
    """A plain table on stdout; `empty` in its place when there are no rows."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    if not rows:
        print(empty)
        return
    table = Table(box=box.SIMPLE, pad_edge=False)
    for index, heading in enumerate(headings):
        table.add_column(heading, justify="right" if all(isinstance(row[index], int | float) for row in rows) else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(_cell(value)) for value in row))
    width = None if sys.stdout.isatty() else 200
    Console(width=width, highlight=False).print(table)


def note(text: str) -> None:
    """A line on stderr."""
    print(visible(text), file=sys.stderr)


@contextmanager
def progress(what: str, total: int | None, *, lines: bool = True) -> Iterator[Callable[[int], None]]:
    """A progress bar on stderr when that is a terminal, else a line now and then unless stderr is for machines (`lines` false).

    Yields the function that advances it.
    """
    if not sys.stderr.isatty():
        yield _Lines(what, total).advance if lines else lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda amount: bar.advance(task, amount)


class _Lines:
    def __init__(self, what: str, total: int | None) -> None:
        self._what, self._total, self._done, self._said = what, total, 0, time.monotonic()

    def advance(self, amount: int) -> None:
        self._done += amount
        if time.monotonic() >= self._said + LINE_SECONDS:
            self._said = time.monotonic()
            note(f"{self._what}: {f'{self._done / self._total:.0%}' if self._total else f'{self._done:,}'} done")


def _cell(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.3f}" if isinstance(value, float) else visible(str(value))
