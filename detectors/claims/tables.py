"""Tables of a context made readable: every row becomes lines of `row label, column name: value`."""

import re
from collections.abc import Iterator
from typing import Final

from detectors.claims.settings import Tables
from detectors.cleaning import Mapped

_RULE: Final = re.compile(r"^[\s|:+-]+$")


def expand(text: Mapped, settings: Tables) -> Mapped:
    """`text` with each body row of a Markdown table, or one separated by commas, semicolons or tabs, spelled out; other text unchanged.

    Rows beyond `most_growth` stay as they are.
    """
    if not any(_cells(line, settings.longest_row) for line in text.text.split("\n")):
        return text
    return Mapped.joined(_pieces(text, settings))


def _pieces(text: Mapped, settings: Tables) -> Iterator[tuple[str, int, int]]:
    lines, header, start = text.text.split("\n"), list[str](), 0
    left = settings.most_growth * len(text.text)
    for number, line in enumerate(lines):
        end = start + len(line)
        cells = _cells(line, settings.longest_row)
        body = bool(header) and len(cells) == len(header)
        if len(cells) > 1 and not header:
            following = _cells(lines[number + 1], settings.longest_row) if number + 1 < len(lines) else []
            header = cells if "|" in line or len(following) == len(cells) else []
        elif len(cells) < 2:
            header = []
        spelled = _spelled_out(header, cells) if body and line else ""
        left -= len(spelled)
        if body and _RULE.match(line):
            pass
        elif spelled and left >= 0:
            at = text.origin(start, end)
            yield spelled, at.start, at.end
        else:
            yield from zip(f"{line}\n", text.starts[start : end + 1], text.ends[start : end + 1], strict=False)
        start = end + 1


def _spelled_out(header: list[str], cells: list[str]) -> str:
    return "\n".join(f"{cells[0]}, {name}: {value}" for name, value in zip(header[1:], cells[1:], strict=True)) + "\n"


def _cells(line: str, longest: int) -> list[str]:
    if line.count("|") >= 2:
        return [cell.strip() for cell in line.strip().strip("|").split("|")]
    if len(line) >= longest or re.search(r"[,;]\s", line):
        return []
    parts = line.split(max(",;\t", key=line.count))
    return [part.strip() for part in parts] if len(parts) >= 3 else []
