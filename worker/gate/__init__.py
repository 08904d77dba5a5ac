"""The release gate: a candidate against a baseline on labelled answers."""
