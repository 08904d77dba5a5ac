"""How fast answers are judged, every figure beside its yardstick in the same run."""
