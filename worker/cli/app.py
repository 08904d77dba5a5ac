"""The application: all commands, and what becomes of their errors."""

import logging
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Final

import typer

from worker.cli import (
    auroc,
    baseline,
    calibrate,
    dead_letters,
    doctor,
    drift,
    emit,
    gate,
    labels,
    ledger,
    mispredictions,
    privacy,
    promote,
    regress,
    schema,
    score,
    topics,
    worker,
)
from worker.cli import db as database
from worker.cli.options import Options, WrongUse, hoisted, parse_flags
from worker.cli.output import note
from worker.errors import GroundwatchError, WrongProfile

OK: Final = 0
FAILED: Final = 1
USED_WRONGLY: Final = 2
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141

_LONGEST: Final = 1000
"""Characters of a complaint; of a longer one the middle is left out."""

_ParsingError: type[Exception] = typer.BadParameter.__mro__[2]
"""What every error of the command line's own parsing is; typer exports no base class for it."""


def create_app() -> typer.Typer:
    """The command line with all its commands."""
    app = typer.Typer(
        name="groundwatch",
        help="Judges every answer a production RAG system gives.",
        epilog="Exit codes: 0 ok, 1 the check failed, 2 used wrongly.  Example: groundwatch score answers.jsonl --out decisions.jsonl",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.callback()(_global_options)
    for family in (score, worker, emit, auroc, baseline, calibrate, gate, mispredictions, drift, promote, ledger, privacy, doctor):
        family.register(app)
    groups = {"topics": topics, "db": database, "dead-letters": dead_letters, "labels": labels, "regress": regress, "schema": schema}
    for name, group in groups.items():
        app.add_typer(group.create_group(), name=name)
    return app


def run(arguments: Sequence[str]) -> int:
    """Run one command; returns its exit code. An error is one line on stderr that says what to do, never a traceback."""
    for name in ("aiokafka", "asyncio", "groundwatch"):
        logging.getLogger(name).addHandler(logging.NullHandler())
    command = typer.main.get_command(create_app())
    codes: list[int] = []
    with _errors_in_one_line(codes.append, with_traceback="--traceback" in arguments):
        with command.make_context("groundwatch", hoisted(arguments)) as context:
            command.invoke(context)
        sys.stdout.flush()
    return codes[0] if codes else OK


@contextmanager
def _errors_in_one_line(exit_with: Callable[[int], None], *, with_traceback: bool) -> Iterator[None]:
    try:
        yield
    except typer.Exit as ended:
        exit_with(ended.exit_code)
    except _ParsingError as wrong:
        exit_with(_explain_usage(wrong))
    except (WrongUse, WrongProfile) as wrong:
        _complain(str(wrong))
        exit_with(USED_WRONGLY)
    except GroundwatchError as known:
        _complain(str(known))
        exit_with(FAILED)
    except (KeyboardInterrupt, typer.Abort):
        exit_with(INTERRUPTED)
    except BrokenPipeError:
        _discard_output()
        exit_with(BROKEN_PIPE)
    except OSError as failed:
        if with_traceback:
            raise
        _complain(f"{failed.filename or 'input or output'}: {failed.strerror or failed}; check that it exists, is writable and has room")
        exit_with(FAILED)
    except UnicodeEncodeError:
        if with_traceback:
            raise
        _complain("what was given holds bytes that are no UTF-8; give text")
        exit_with(USED_WRONGLY)
    except Exception as unexpected:
        if with_traceback:
            raise
        _complain(f"unexpected {type(unexpected).__name__}: {unexpected}; run it again with --traceback and report what it prints")
        exit_with(FAILED)


def _global_options(
    context: typer.Context,
    config: Annotated[str | None, typer.Option(metavar="FILE", envvar="GROUNDWATCH_CONFIG", help="Settings file (YAML).")] = None,
    flags: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="One setting, dotted, over file and environment. Repeatable.")
    ] = None,
    traceback: Annotated[bool, typer.Option("--traceback", help="Show the traceback of an unexpected error.")] = False,
) -> None:
    context.obj = Options(config=config, flags=parse_flags(flags or ()))


def _explain_usage(wrong: Exception) -> int:
    """Click's own message in one line, and where to read more. A call without arguments prints its help."""
    code = int(getattr(wrong, "exit_code", USED_WRONGLY))
    context = getattr(wrong, "ctx", None)
    message = str(getattr(wrong, "format_message", lambda: str(wrong))())
    if type(wrong).__name__ == "NoArgsIsHelpError":
        print(message, file=sys.stderr)
        return code
    path = context.command_path if context else "groundwatch"
    _complain(f"{message.rstrip('.')}; see `{path} --help`")
    return code


def _complain(message: str) -> None:
    """In one line that can be read, whatever was given."""
    said = " ".join(message.split())
    note(f"groundwatch: {said if len(said) <= _LONGEST else f'{said[: _LONGEST // 2]} … {said[-_LONGEST // 2 :]}'}")


def _discard_output() -> None:
    """Whoever read our output has gone; without this the interpreter complains when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
