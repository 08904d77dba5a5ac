"""Self-measurement: rolling windows over labelled decisions, and what they show."""
