"""`make demo`, as a newcomer runs it: it comes to its end by itself, or is interrupted, and leaves nothing behind."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

pytestmark = pytest.mark.services

DEMO = (sys.executable, "-m", "worker.demo")
LONGEST_SECONDS = 180


@pytest.fixture
def scratch() -> Iterator[Path]:
    """Where the demo keeps its files; short, since a socket's path must be."""
    with TemporaryDirectory(prefix="gw-") as directory:
        Path(directory).chmod(0o755)
        yield Path(directory)


def processes_of(scratch: Path) -> list[str]:
    """Command lines of the living processes that were started with `scratch` as their TMPDIR."""
    marker = f"TMPDIR={scratch}".encode()
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if marker in (process / "environ").read_bytes().split(b"\0"):
                found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue
    return found


def environment(scratch: Path) -> dict[str, str]:
    return {**os.environ, "TMPDIR": str(scratch)}


@pytest.mark.timeout(LONGEST_SECONDS + 20)
def test_it_shows_decisions_auroc_and_a_balanced_ledger_and_leaves_nothing_running(scratch: Path) -> None:
    demo = subprocess.run(
        [*DEMO, "--seconds", "5"], env=environment(scratch), capture_output=True, text=True, timeout=LONGEST_SECONDS, check=False
    )

    assert demo.returncode == 0, demo.stdout + demo.stderr
    assert "sent: 223 response messages (210 answers, 10 of them twice, 3 malformed) and 216 labels" in demo.stdout
    assert "ledger balances: yes" in demo.stdout
    rows = {line.split("  ")[0].strip(): line.split() for line in demo.stdout.splitlines()}
    kinds = {
        "faithful": 40,
        "paraphrase": 40,
        "refusal": 11,
        "entity swapped": 31,
        "number changed": 40,
        "clause added": 34,
        "off topic": 14,
    }
    assert {kind: int(rows[kind][-4]) for kind in kinds} == kinds
    for segment in ("handbook/atlas-large", "handbook/swift-mini", "helpdesk/atlas-large", "helpdesk/swift-mini"):
        *verdicts, auroc, interval, by_label, unscored = rows[segment][1:]
        low, high = interval.split("–")
        assert 0 <= float(low) <= float(auroc) <= float(high) <= 1
        assert sum(map(int, [*by_label.split("/"), unscored])) == sum(map(int, verdicts))
    assert processes_of(scratch) == []
    assert list(scratch.glob("groundwatch-*")) == []


@pytest.mark.timeout(90)
@pytest.mark.parametrize(("signal_number", "exit_code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interrupted_it_ends_everything_it_has_started(signal_number: signal.Signals, exit_code: int, scratch: Path) -> None:
    with subprocess.Popen(DEMO, env=environment(scratch), stdout=subprocess.PIPE, text=True) as demo:
        assert demo.stdout is not None
        assert any("waiting for the worker" in line for line in demo.stdout)
        assert len(processes_of(scratch)) >= 4
        demo.send_signal(signal_number)
        demo.communicate(timeout=60)

    assert demo.returncode == exit_code
    assert processes_of(scratch) == []
    assert list(scratch.glob("groundwatch-*")) == []


def test_it_says_how_it_is_used() -> None:
    usage = subprocess.run([*DEMO, "--help"], capture_output=True, text=True, timeout=60, check=True).stdout

    assert "--keep" in usage
    assert "Example:" in usage
