"""`python -m worker.demo`: groundwatch on sample traffic of our own, with everything it needs."""
