"""The command line: `groundwatch`. Each command loads what it needs when it runs."""

import sys


def main() -> None:
    """Entry point: run the command that the process was called with, and exit with its code."""
    from worker.cli.app import run

    sys.exit(run(sys.argv[1:]))
