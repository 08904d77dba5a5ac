"""How good, how fast and how robust groundwatch is, measured on public data."""
