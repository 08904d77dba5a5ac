"""The signals of the `windowed` detector, one a module, named as the score it gives.

A module defines `measure(evidence) -> float | None` (None: nothing to measure) and, where the measure is not itself a support
in 0 to 1, `support(measure) -> float`. A profile switches a signal on by giving it a weight under `signals`.
"""
