"""`groundwatch promote`: a challenger becomes the champion."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer

from worker.cli.options import GLOBAL_NOTE, Json, WrongUse, settings_of
from worker.cli.output import print_json, progress, say

if TYPE_CHECKING:
    from worker.gate.judgement import Report
    from worker.settings import Settings


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("promote", epilog=f"Example: groundwatch promote mine.yaml --by jo --days 14.  {GLOBAL_NOTE}")(_promote)


def _promote(
    context: typer.Context,
    profile: Annotated[str, typer.Argument(help="The one to be the champion: scorer.profile or rollout.challenger.")],
    days: Annotated[float, typer.Option(min=0.01, max=36_500, help="Compare answers labelled in so many days until now.")] = 7,
    by: Annotated[str | None, typer.Option(metavar="NAME", help="Who decides this.")] = None,
    anyway: Annotated[str | None, typer.Option(metavar="REASON", help="Promote whatever the gate says, and note why.")] = None,
    as_json: Json = False,
) -> None:
    """Compare champion and challenger on the labels of the same live answers; where the gate opens, make PROFILE the champion.

    Workers take it up within rollout.check_seconds, without a restart. The gate's report is kept with the promotion as its evidence.
    Exit 0 when it was promoted, 1 when it is worse, 3 when the labels are too few to tell; gate.* says what counts.
    """
    from worker.cli.gate import tell

    settings = settings_of(context)
    fingerprint, replaced = _fingerprints(settings, profile)
    report, code = asyncio.run(_decide(settings, fingerprint, replaced, timedelta(days=days), by, anyway))
    if as_json:
        print_json({"promoted": not code, "fingerprint": fingerprint, "replaced": replaced, "evidence": _evidence(report, anyway)})
    else:
        tell(report)
        say(f"{fingerprint} is {'the champion now, in place of' if not code else 'not promoted over'} {replaced}")
    if code:
        raise typer.Exit(code)


def _fingerprints(settings: Settings, profile: str) -> tuple[str, str]:
    """Of the profile and of the other one. Raises WrongUse, or WrongProfile."""
    from detectors import load_detector, load_profile
    from worker.profiles import profile_errors

    if settings.rollout.challenger is None:
        raise WrongUse("there is no challenger; name its profile in the settings, rollout.challenger")
    both = set(settings.profiles)
    if len(both) == 1:
        raise WrongUse(f"{profile} is both scorer.profile and rollout.challenger; name another challenger")
    if profile not in both:
        raise WrongUse(f"{profile} is neither scorer.profile nor rollout.challenger; those are {' and '.join(sorted(both))}")
    encoder, device = settings.scorer.encoder, settings.scorer.device
    known: dict[str, str] = {}
    with profile_errors(), progress("loading detectors", len(both)) as advance:
        for name in sorted(both):
            known[name] = load_detector(load_profile(name), encoder, device=device).fingerprint
            advance(1)
    (other,) = both - {profile}
    return known[profile], known[other]


async def _decide(
    settings: Settings, fingerprint: str, replaced: str, age: timedelta, by: str | None, anyway: str | None
) -> tuple[Report, int]:
    from worker.cli.gate import exit_code
    from worker.cli.services import open_store
    from worker.cli.sides import of_pairs
    from worker.gate.judgement import judge
    from worker.store import PairFilter, Promotion

    now = datetime.now(UTC)
    async with open_store(settings) as store:
        ours, theirs = [await store.pairs(PairFilter(fingerprint=one, since=now - age)) for one in (fingerprint, replaced)]
        report = judge(of_pairs(theirs, "final"), of_pairs(ours, "final"), settings.gate)
        code = exit_code(report) if anyway is None else 0
        if not code:
            evidence = _evidence(report, anyway)
            await store.promote(Promotion(fingerprint=fingerprint, replaced=replaced, promoted_at=now, promoted_by=by, evidence=evidence))
    return report, code


def _evidence(report: Report, anyway: str | None) -> dict[str, Any]:
    from worker.gate.report import as_json

    return dict(as_json(report)) | ({} if anyway is None else {"anyway": anyway})
