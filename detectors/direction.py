"""Where a text lies among all texts, in a few figures: enough to see that a stream of texts has moved, too few to tell what one says."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import numpy as np

from detectors.encoder import Vector

WIDTH: Final = 8
_SEED: Final = 8


def directions(vectors: Mapping[str, Vector | None]) -> dict[str, tuple[float, ...]]:
    """Each unit vector's products with WIDTH random axes, to three digits (Johnson & Lindenstrauss 1984); absent vectors are left out.

    The axes are the same everywhere and at all times: figures of one encoder compare, of two they do not.
    """
    return {name: _direction(vector) for name, vector in vectors.items() if vector is not None and vector.size}


def _direction(vector: Vector) -> tuple[float, ...]:
    return tuple(round(float(one), 3) for one in vector.astype(np.float64) @ _axes(vector.size))


@cache
def _axes(size: int) -> Any:
    """size × WIDTH."""
    return np.random.RandomState(_SEED).standard_normal((size, WIDTH))
