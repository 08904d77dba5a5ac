"""What crosses a boundary: events, labels, decisions, pairs, snapshots and dead letters.

Frozen models with one codec. The JSON Schema and AsyncAPI documents are generated from them.
"""

from schemas.auroc import Auroc, AurocSnapshot, Operating
from schemas.codec import Identity, decode_label, decode_response, encode, identity
from schemas.dead_letter import DeadLetter
from schemas.decision import Decision, Explanations, Meta, Offsets, ScoreStatus, Span, Traits, Verdict
from schemas.invalid import InvalidEvent
from schemas.label import LabelEvent
from schemas.limits import Limits
from schemas.pair import Pair
from schemas.response import REDACTED, ResponseEvent, subject_sha256

__all__ = [
    "REDACTED",
    "Auroc",
    "AurocSnapshot",
    "DeadLetter",
    "Decision",
    "Explanations",
    "Identity",
    "InvalidEvent",
    "LabelEvent",
    "Limits",
    "Meta",
    "Offsets",
    "Operating",
    "Pair",
    "ResponseEvent",
    "ScoreStatus",
    "Span",
    "Traits",
    "Verdict",
    "decode_label",
    "decode_response",
    "encode",
    "identity",
    "subject_sha256",
]
