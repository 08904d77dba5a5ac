"""Whether a sample of now comes from the same distribution as a reference sample: scores, vectors and counts of categories.

Each test gives one `Comparison`; `judge` then decides over the whole family of them. With many rows everything is significant and with many
tests something is, so a drift must be both: significant after Benjamini and Hochberg's correction, and as large as its floor.
"""

from collections.abc import Sequence
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.spatial.distance import cdist

from schemas.base import Model, Score
from worker.measurement.auroc import Counts, Floats

FEWEST: Final = 50
"""Rows that either sample needs: below it a decile holds less than five, and chi-square no longer describes the PSI."""

_RARE: Final = 5
"""Cochran's rule: with a smaller expected count the distribution of chi-square is drawn instead of looked up."""


class Comparison(Model):
    """One two-sample test. All figures null, with a reason, when there are too few rows."""

    test: Literal["psi", "ks", "energy", "categories"]
    statistic: Score | None = None
    """What `p` belongs to."""
    p: Score | None = None
    """Chance of such a statistic when nothing drifted."""
    effect: Score | None = None
    """The size of the difference, comparable between samples of any size: each test says which."""
    expected: Score | None = None
    """The mean effect of samples of these sizes when nothing drifted; null where it is not known in closed form."""
    floor: Score
    """Effects below it are no drift, however certain."""
    reference: int
    """Rows of the reference sample that were compared."""
    current: int
    """Rows of the sample of now that were compared."""
    reason: Literal["too_few"] | None = None
    """Why there is no figure."""
    adjusted: Score | None = None
    """`p` corrected for the family that it was judged in."""
    drifted: bool | None = None
    """The judgement; null before it, and where there is no figure."""


def psi(reference: Floats, current: Floats, *, floor: float = 0.1, fewest: int = FEWEST) -> Comparison:
    """The population stability index of two samples of a score (finite, NaN where absent), over the deciles of the reference.

    A value that fills more than a decile is a bin of its own, so that a change on either side of it shows. Half a row is added to every bin
    (Jeffreys' prior), so that an empty one is finite. Without drift PSI / (1/n + 1/m) is about chi-square with bins - 1 degrees (Yurdakul &
    Naranjo, Journal of Risk Model Validation 14, 2020); that is the statistic, and `expected` follows from its mean. Effect: the PSI.
    """
    reference, current = _present(reference), _present(current)
    sizes = {"reference": len(reference), "current": len(current)}
    if min(sizes.values()) < fewest:
        return Comparison(test="psi", floor=floor, **sizes, reason="too_few")
    shares = _binned(reference, current)
    index = float(np.sum((shares[1] - shares[0]) * np.log(shares[1] / shares[0])))
    degrees, scale = shares.shape[1] - 1, 1 / len(reference) + 1 / len(current)
    p = float(stats.chi2.sf(index / scale, degrees)) if degrees else 1.0
    return Comparison(test="psi", statistic=index / scale, p=p, effect=index, expected=degrees * scale, floor=floor, **sizes)


def ks(reference: Floats, current: Floats, *, floor: float = 0.1, fewest: int = FEWEST) -> Comparison:
    """Kolmogorov and Smirnov's test of two samples of a score (finite, NaN where absent); conservative with ties.

    Effect and statistic: the largest difference between the two distribution functions, 0 to 1.
    """
    reference, current = _present(reference), _present(current)
    sizes = {"reference": len(reference), "current": len(current)}
    if min(sizes.values()) < fewest:
        return Comparison(test="ks", floor=floor, **sizes, reason="too_few")
    result = stats.ks_2samp(reference, current)
    distance = float(result.statistic)
    return Comparison(test="ks", statistic=distance, p=float(result.pvalue), effect=distance, floor=floor, **sizes)


def energy(
    reference: Floats,
    current: Floats,
    *,
    floor: float = 0.02,
    fewest: int = FEWEST,
    most: int = 400,
    permutations: int = 999,
    seed: int = 0,
) -> Comparison:
    """The energy test of two samples of vectors (rows × width; a row with a NaN is absent). Raises ValueError where the widths differ.

    It is the kernel test (maximum mean discrepancy) with the distance itself as kernel (Sejdinovic et al., Annals of Statistics 41, 2013):
    no bandwidth to choose, and its size has a scale. Statistic: 2 E|X-Y| - E|X-X'| - E|Y-Y'|, unbiased, so about 0 without drift.
    Effect: that over 2 E|X-Y|, at most 1 (Székely & Rizzo, Journal of Statistical Planning and Inference 143, 2013). Of more than `most`
    rows `most` are drawn; `p` comes from permutations of the pooled rows and is at least 1 / (permutations + 1). Same `seed`, same result.
    """
    rng = np.random.default_rng(seed)
    reference, current = _drawn(reference, most, rng), _drawn(current, most, rng)
    sizes = {"reference": len(reference), "current": len(current)}
    if min(sizes.values()) < fewest:
        return Comparison(test="energy", floor=floor, **sizes, reason="too_few")
    pooled = np.concatenate([reference, current])
    within = np.tile(np.arange(len(pooled)) < len(reference), (permutations + 1, 1)).astype(np.float64)
    rng.permuted(within[1:], axis=1, out=within[1:])
    distances, across = _energies(cdist(pooled, pooled), within)
    p = _share_as_great(distances, 1e-12 * across[0])
    effect = distances[0] / (2 * across[0]) if across[0] else 0.0
    return Comparison(test="energy", statistic=float(distances[0]), p=p, effect=float(effect), expected=0.0, floor=floor, **sizes)


def categories(reference: Counts, current: Counts, *, floor: float = 0.05, fewest: int = FEWEST, seed: int = 0) -> Comparison:
    """Pearson's chi-square test of two samples counted by the same categories. Raises ValueError where the numbers of categories differ.

    Where a category is rare (expected count below 5), `p` comes from 9999 tables drawn with the same margins instead of from chi-square.
    Effect: the total variation distance, the share of rows that would have to change category, 0 to 1.
    """
    table = np.stack([reference, current])
    sizes = dict(zip(("reference", "current"), table.sum(axis=1).tolist(), strict=True))
    if min(sizes.values()) < fewest:
        return Comparison(test="categories", floor=floor, **sizes, reason="too_few")
    table = table[:, table.any(axis=0)]
    rare = stats.contingency.expected_freq(table).min() < _RARE
    method = stats.MonteCarloMethod(n_resamples=9999, rng=np.random.default_rng(seed)) if rare else None
    result = stats.chi2_contingency(table, correction=False, method=method)
    effect = float(np.abs(np.diff(table / table.sum(axis=1, keepdims=True), axis=0)).sum() / 2)
    return Comparison(test="categories", statistic=float(result.statistic), p=float(result.pvalue), effect=effect, floor=floor, **sizes)


def judge(results: Sequence[Comparison], alpha: float = 0.01) -> list[Comparison]:
    """The same comparisons in the same order, with `adjusted` and `drifted`, as one family: of those found, at most `alpha` are false.

    Benjamini & Hochberg 1995; it holds for independent and for positively dependent tests, such as two tests of one score. Those without
    figures stay as they are and do not count.
    """
    ps = [result.p for result in results if result.p is not None]
    adjusted = iter(stats.false_discovery_control(ps).tolist() if ps else [])
    return [result if result.p is None else _judged(result, next(adjusted), alpha) for result in results]


def _judged(result: Comparison, adjusted: float, alpha: float) -> Comparison:
    large = result.effect is not None and result.effect >= result.floor
    return result.model_copy(update={"adjusted": adjusted, "drifted": large and adjusted <= alpha})


def _present(values: Floats) -> Floats:
    return values[~np.isnan(values)]


def _drawn(rows: Floats, most: int, rng: np.random.Generator) -> Floats:
    present = rows[~np.isnan(rows).any(axis=1)]
    return present if len(present) <= most else present[np.sort(rng.choice(len(present), most, replace=False))]


def _binned(reference: Floats, current: Floats) -> Floats:
    """The smoothed shares of both samples (2 × bins); a bin that neither fills is none."""
    values, repeats = np.unique(np.quantile(reference, np.arange(1, 10) / 10, method="inverted_cdf"), return_counts=True)
    edges = np.union1d(values, np.nextafter(values[repeats > 1], -np.inf))  # a bin reaches up to its edge and includes it
    counts = np.stack([np.bincount(np.searchsorted(edges, sample), minlength=edges.size + 1) for sample in (reference, current)])
    smoothed = counts[:, counts.any(axis=0)] + 0.5
    shares: Floats = smoothed / smoothed.sum(axis=1, keepdims=True)
    return shares


def _energies(distances: Floats, within: Floats) -> tuple[Floats, Floats]:
    """Of every division of the pooled rows (divisions × rows; 1 = first sample): energy distance and mean distance across."""
    n, m = within[0].sum(), len(distances) - within[0].sum()
    first = np.vecdot(within @ distances, within)
    both = within @ distances.sum(axis=1) - first
    second = distances.sum() - 2 * both - first
    across = both / (n * m)
    return 2 * across - first / (n * (n - 1)) - second / (m * (m - 1)), across


def _share_as_great(statistics: NDArray[np.float64], tolerance: float) -> float:
    """Where the first, the observed one, stands among all. `tolerance`: sums of the same numbers in another order differ by rounding."""
    return float(np.mean(statistics >= statistics[0] - tolerance))
