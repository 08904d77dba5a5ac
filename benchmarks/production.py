"""Whether self-measurement keeps its word: `python -m benchmarks.production`.

Simulated production of 40 days, 3 % of whose answers get a label after hours to days; most labels are of answers that were flagged, the
others of the audit slice. Two weeks are pinned as the baseline; from then on each evening sees what `groundwatch baseline` would. Prints

- how many days after a fall of the AUROC the first alarm came, beside the delay that is stated for a fall of that size (`stated_delay`);
- how often there was an alarm while nothing fell;
- how often the 95 % intervals cover the truth, with the exact 99 % interval of that share.

Exit 1 where an alarm was later than stated in more than one run of twenty, where one came in a run without a fall, or where a share of
coverage lies, beyond chance, outside of 92.5 to 97.5 % (Bradley's liberal criterion, British Journal of Mathematical and Statistical
Psychology 31, 1978).
"""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
import orjson
import typer
from scipy.stats import binomtest

from benchmarks.simulated import AT_MOST, DAYS, FALLS, MEDIAN_HOURS, PINNED, RECENT, SPREAD, START, Production
from worker.cli.output import print_table, progress
from worker.measurement.change import variance_of
from worker.measurement.watch import Span, Watch
from worker.settings import Gate

SIZES: Final = (0.15, 0.10, 0.05)
"""Falls of the AUROC."""
UNCHANGED: Final = 10
"""Runs without a fall."""
LENGTHS: Final = (1, 7, 14)
"""Days of the periods whose intervals are looked at."""
LATEST_LABELS: Final = MEDIAN_HOURS / 24 * float(np.exp(1.645 * SPREAD))
"""Days until 95 % of an answer's labels have come."""


def main(
    runs: Annotated[int, typer.Option(min=1, help="Runs for each size of fall.")] = 20,
    responses: Annotated[int, typer.Option(min=20_000, help="Answers of a run.")] = 200_000,
    seed: Annotated[int, typer.Option(help="Same seed, same figures.")] = 1,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write every figure as JSON.")] = None,
) -> None:
    """Simulate production and measure its self-measurement."""
    found = measure(runs, responses, seed)
    show(found)
    if out is not None:
        out.write_bytes(orjson.dumps(found, option=orjson.OPT_INDENT_2))
    for miss in found["missed"]:
        print(f"missed: {miss}")
    if found["missed"]:
        raise typer.Exit(1)


def measure(runs: int, responses: int, seed: int) -> dict[str, Any]:
    """Every figure, and which bars were missed."""
    covers: list[dict[str, Any]] = []
    with progress("runs", UNCHANGED + runs * len(SIZES)) as advance:

        def play(fall: float, count: int) -> list[dict[str, Any]]:
            rows = []
            for number in range(count):
                production = Production(responses, fall=fall, seed=seed_of(seed, fall, number))
                rows.append(_run(production))
                covers.extend(_covers(production))
                advance(1)
            return rows

        unchanged = play(0.0, UNCHANGED)
        falls = [_of_fall(size, play(size, runs)) for size in SIZES]
    found = {
        "responses": responses,
        "labelled": float(np.mean([run["labelled"] for run in unchanged])),
        "auroc": float(np.mean([run["auroc"] for run in unchanged])),
        "falls": falls,
        "unchanged": {"runs": UNCHANGED, "evenings": UNCHANGED * (DAYS - PINNED)} | _quiet(unchanged),
        "coverage": _coverage(covers),
    }
    return found | {"missed": _missed(found)}


def seed_of(seed: int, fall: float, number: int) -> int:
    """A run's seed: no two of a command are alike."""
    return int(np.random.SeedSequence([seed, round(1000 * fall), number]).generate_state(1)[0])


def stated_delay(fall: float, baseline_variance: float, runs: int = 4000) -> int | None:
    """Days within which 19 falls of twenty raise an alarm; None where that takes longer than AT_MOST.

    From the width of the baseline's interval alone: a day's figure is normal with PINNED times the baseline's variance, the recent days'
    is the mean of RECENT of them, and the baseline's own error stays what it is. An alarm is due on the first evening on which the recent
    days lie surely (one-sided 95 %) more than `gate.delta` below the baseline; to that come the days until the labels are there. The sums
    of the days (CUSUM) only make it sooner, and are left out.
    """
    draw = np.random.default_rng(0)
    days = draw.normal(0.0, np.sqrt(PINNED * baseline_variance), (runs, RECENT + AT_MOST)) - fall * (np.arange(RECENT + AT_MOST) >= RECENT)
    sums = np.cumsum(days, axis=1)
    lost = (sums[:, RECENT:] - sums[:, :-RECENT]) / RECENT - draw.normal(0.0, np.sqrt(baseline_variance), (runs, 1))
    alarms = lost < -Gate().delta - 1.645 * np.sqrt(baseline_variance * (PINNED / RECENT + 1))
    first = np.where(alarms.any(axis=1), alarms.argmax(axis=1) + 1, np.inf)
    latest = float(np.quantile(first, 0.95, method="higher")) + LATEST_LABELS
    return int(np.ceil(latest)) if latest <= AT_MOST else None


def _run(production: Production) -> dict[str, Any]:
    """When alarms came: before the fall, and the first from it on."""
    seen = dict(production.evenings())
    worse = [passed for passed, one in seen.items() if one.outcome == "worse"]
    last: Watch = seen[DAYS]
    return {
        "labelled": float(production.seen.labelled.mean()),
        "auroc": production.regimes[-1].corrected,
        "early": sum(passed <= FALLS for passed in worse),
        "alarms": len(worse),
        "delay": next((passed - FALLS for passed in worse if passed > FALLS), None),
        "changed": None if last.changed is None else (last.changed - START.date()).days - FALLS,
        "baseline_variance": variance_of(last.baseline),
    }


def _of_fall(size: float, runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    stated = stated_delay(size, float(np.mean([run["baseline_variance"] for run in runs if run["baseline_variance"]])))
    delays = sorted(run["delay"] for run in runs if run["delay"] is not None)
    changed = [abs(run["changed"]) for run in runs if run["changed"] is not None]
    return {
        "fall": size,
        "runs": len(runs),
        "stated_days": stated,
        "alarms": len(delays),
        "in_time": None if stated is None or stated > DAYS - FALLS else sum(delay <= stated for delay in delays),
        "delays": delays,
        "early": sum(run["early"] > 0 for run in runs),
        "changes_named": len(changed),
        "days_off": float(np.median(changed)) if changed else None,
    }


def _quiet(runs: Sequence[dict[str, Any]]) -> dict[str, int]:
    return {"alarms": sum(run["alarms"] > 0 for run in runs), "changes_named": sum(run["changed"] is not None for run in runs)}


def _covers(production: Production) -> Iterator[dict[str, Any]]:
    """Of each period, one after the other, within which nothing changed: whether the intervals hold the truth."""
    for truth in production.regimes:
        for length in LENGTHS:
            since = truth.span.since
            while (until := since + timedelta(days=length)) <= truth.span.until:
                figures = production.measure(Span(since, until))
                for name in ("plain", "corrected"):
                    one, true = getattr(figures, name), getattr(truth, name)
                    covered = None if one.auroc is None else one.low <= true <= one.high
                    yield {"figure": name, "days": length, "covered": covered}
                since = until


def _coverage(covers: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    rows = []
    for name in ("plain", "corrected"):
        for length in LENGTHS:
            of = [one["covered"] for one in covers if (one["figure"], one["days"]) == (name, length)]
            n, covered = sum(one is not None for one in of), sum(one is True for one in of)
            ends = binomtest(covered, n).proportion_ci(0.99) if n else (0.0, 1.0)
            row = {"figure": name, "days": length, "periods": n, "absent": len(of) - n, "share": covered / n if n else None}
            rows.append(row | {"low": float(ends[0]), "high": float(ends[1])})
    return rows


def _missed(found: dict[str, Any]) -> list[str]:
    late = [
        f"a fall of {one['fall']:g} raised an alarm in time in {one['in_time']} of {one['runs']} runs"
        for one in found["falls"]
        if one["in_time"] is not None and one["in_time"] < 0.95 * one["runs"]
    ]
    false = [f"{found['unchanged']['alarms']} runs without a fall raised an alarm"] if found["unchanged"]["alarms"] else []
    off = [
        f"the {one['figure']} interval of {one['days']} days covers {one['share']:.1%}"
        for one in found["coverage"]
        if one["high"] < 0.925 or one["low"] > 0.975
    ]
    return [*late, *false, *off]


def show(found: dict[str, Any]) -> None:
    """Print every figure."""
    print(f"{found['responses']:,} answers a run, {found['labelled']:.1%} labelled, AUROC {found['auroc']:.3f}")
    headings = (
        "AUROC falls by",
        "runs",
        "stated days",
        "alarms",
        "in time",
        "median day",
        "latest day",
        "alarms before",
        "day named",
        "days off",
    )
    print_table(headings, [_row(one) for one in found["falls"]], empty="")
    print_table(("without a fall: runs", "evenings", "runs with an alarm", "changes named"), [tuple(found["unchanged"].values())], empty="")
    of_coverage = ("figure", "days", "periods", "absent", "covered", "99 % interval")
    print_table(of_coverage, [_covered(one) for one in found["coverage"]], empty="")


def _row(one: dict[str, Any]) -> tuple[str, ...]:
    delays, stated = one["delays"], one["stated_days"]
    return (
        f"{one['fall']:.2f}",
        str(one["runs"]),
        f"more than {AT_MOST}" if stated is None else str(stated),
        str(one["alarms"]),
        "" if one["in_time"] is None else str(one["in_time"]),
        f"{np.median(delays):g}" if delays else "",
        str(delays[-1]) if delays else "",
        str(one["early"]),
        str(one["changes_named"]),
        "" if one["days_off"] is None else f"{one['days_off']:g}",
    )


def _covered(one: dict[str, Any]) -> tuple[str, ...]:
    share = "" if one["share"] is None else f"{one['share']:.1%}"
    return one["figure"], str(one["days"]), str(one["periods"]), str(one["absent"]), share, f"{one['low']:.1%} – {one['high']:.1%}"


if __name__ == "__main__":
    typer.run(main)
