"""`python -m worker.demo`: see groundwatch work, on one machine, with nothing installed beside it."""

import argparse
import asyncio
import signal
import sys
import time
from collections.abc import Callable

from rich.console import Console

from worker.demo.play import play
from worker.demo.stage import Stage, open_stage, wait_until_ready
from worker.errors import GroundwatchError

INTERRUPTED = 130


def main() -> int:
    """Run the demo; 0 when everything came to its expected end."""
    options = _parser().parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 140)
    say = _teller(console)
    try:
        with open_stage(say) as stage:
            passed = asyncio.run(_perform(stage, console, say, options))
    except KeyboardInterrupt:
        say("interrupted; everything is stopped")
        return INTERRUPTED
    except (GroundwatchError, TimeoutError, ExceptionGroup) as failed:
        say(f"the demo failed: {_reason(failed)}")
        return 1
    say("everything is stopped" if passed else "the demo did not come to its expected end")
    return 0 if passed else 1


async def _perform(stage: Stage, console: Console, say: Callable[[str], None], options: argparse.Namespace) -> bool:
    await wait_until_ready(stage, say)
    say("the worker is ready; sending answers and labels")
    passed = await play(stage, console, options.seconds)
    if options.keep:
        console.print(_addresses(stage), markup=False)
        while True:
            stage.check()
            await asyncio.sleep(1)
    return passed


def _addresses(stage: Stage) -> str:
    command = f"{sys.executable} -m worker.cli --config {stage.config}"
    return f"""everything stays up until Ctrl-C
  broker    {stage.settings.kafka.bootstrap_servers}
  database  {stage.settings.store.dsn.get_secret_value()}
  health    {stage.health}/ready  {stage.health}/metrics
  settings  {stage.config}
try
  {command} auroc
  {command} ledger
  {command} dead-letters list
  {command} doctor"""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m worker.demo", description=__doc__, epilog="Example: python -m worker.demo --keep")
    parser.add_argument("--keep", action="store_true", help="leave everything up until Ctrl-C, and print the addresses")
    parser.add_argument("--seconds", type=float, default=12, metavar="N", help="how long the traffic lasts (default 12)")
    return parser


def _teller(console: Console) -> Callable[[str], None]:
    start = time.monotonic()

    def say(text: str) -> None:
        console.print(f"{time.monotonic() - start:5.1f} s  {text}", markup=False, soft_wrap=True)

    return say


def _reason(failed: BaseException) -> str:
    """The first error of a group, in its own words."""
    while isinstance(failed, BaseExceptionGroup):
        failed = failed.exceptions[0]
    return str(failed) or "the worker took too long"


if __name__ == "__main__":
    sys.exit(main())
