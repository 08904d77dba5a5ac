"""The signals of the `claims` detector, one a module, named as the score it gives.

A module defines `score(claim) -> float | None`, 0 to 1, higher = more grounded; None: nothing to measure. A profile switches a signal on
by giving it a weight under `claims.support` or a share under `claims.contradiction`.
"""
