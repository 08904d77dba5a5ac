"""Sides of a gate, with as much signal as is asked for."""

import numpy as np

from worker.gate.judgement import Scored


def answers(rows: int, *, gap: float, seed: int = 0, sha: str = "a") -> dict[str, Scored]:
    """Half of them grounded; `gap` separates the classes in standard deviations. The same seed gives the same noise."""
    noise = np.random.default_rng(seed).normal(size=rows)
    return {f"r-{i}": Scored(f"{sha}{i}", float(noise[i] + gap * (i % 2)), i % 2 == 1) for i in range(rows)}
