"""How much one event may hold."""

from pydantic import Field

from schemas.base import Model


class Limits(Model):
    """Bounds checked while decoding; an event beyond them becomes a dead letter that names the bound."""

    message_bytes: int = Field(8 * 1024 * 1024, gt=0)
    """Largest message value, in bytes."""
    contexts: int = Field(1000, gt=0)
    """Most contexts in one event."""
    context_chars: int = Field(4_000_000, gt=0)
    """Longest single context, in characters."""
    response_chars: int = Field(4_000_000, gt=0)
    """Longest response, in characters."""
    attributes: int = Field(64, gt=0)
    """Most attributes in one event."""
