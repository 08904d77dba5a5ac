"""What Linux knows of a process."""

import re
from pathlib import Path

import psutil


def peak_megabytes(pid: int) -> int:
    """The most memory that it has had resident."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return round(int(found[1]) / 1000) if found else 0


def family(pid: int) -> dict[str, int]:
    """The process and its descendants, by what they run."""
    parent = psutil.Process(pid)
    return {"worker": pid} | {f"scorer {number}": child.pid for number, child in enumerate(parent.children(recursive=True), 1)}
