"""Services without an installation: for the demo and for tests, never for production."""
