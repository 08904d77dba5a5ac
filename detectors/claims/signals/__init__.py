"""The signals of the `claims` detector, one a module, named as the score it gives.

A module `name` defines one `Signal`, the class `Name`: its fields are the signal's settings, whose values stand in a profile under
`claims.signals.name` and nowhere else; its method `score` measures a claim. To change a signal, change that module and those values. A
profile switches a signal on by giving it a weight under `claims.support` or a share under `claims.contradiction`.
"""
