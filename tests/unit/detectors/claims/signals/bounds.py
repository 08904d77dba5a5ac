"""What a case expects of a signal, and a context that several signals are asked about."""

FERRY = "The Balmoor ferry carries 40 cars and leaves at seven. Dogs are not allowed on deck. The Sund ferry sells souvenirs."

Bound = tuple[float, float] | None

ABSENT: Bound = None
FULL: Bound = (0.99, 1.0)
HIGH: Bound = (0.8, 1.0)
PARTLY: Bound = (0.3, 0.8)
LOW: Bound = (0.0, 0.5)
NONE: Bound = (0.0, 0.1)


def keeps(value: float | None, bound: Bound) -> bool:
    """Whether the value lies within the bound; an absent one only where absence is expected."""
    return value is bound if value is None or bound is None else bound[0] <= value <= bound[1]
