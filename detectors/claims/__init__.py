"""The `claims` detector: every sentence of the response held against the sentences of the contexts."""
