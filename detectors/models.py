"""What a detector needs beside its profile, loaded once."""

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Self

from detectors.cross_encoder import CrossEncoder, load_cross_encoder
from detectors.encoder import Device, Encoder, load_encoder
from detectors.frequency import Idf, load_idf
from detectors.parser import Parser, load_parser
from detectors.profile import Profile


@cache
def code_digest() -> str:
    """SHA-256 in hex over the package's sources: other code may give other scores."""
    root = Path(str(files("detectors")))
    return sha256(b"\0".join(file.read_bytes() for file in sorted(root.rglob("*.py")))).hexdigest()


@dataclass(frozen=True, kw_only=True)
class Models:
    """The loaded models."""

    encoder: Encoder
    parser: Parser
    idf: Idf
    cross_encoder: CrossEncoder | None = None
    memory: int = 0
    """Bytes for what was read of sentences that may come again; 0 remembers nothing."""

    @classmethod
    def load(cls, profile: Profile, encoder: str | None = None, memory: int = 0, device: Device = "auto") -> Self:
        """The profile's models from local files, `encoder` in place of its embedding model. Raises DetectorError."""
        idf = load_idf(profile.frequency)
        return cls(
            encoder=load_encoder(profile.encoding, idf, encoder, device),
            parser=load_parser(profile.entities.model),
            idf=idf,
            cross_encoder=load_cross_encoder(profile.entailment) if profile.entailment else None,
            memory=memory,
        )

    def fingerprint(self, profile: Profile) -> str:
        """`profile-` and 16 hex digits over profile, policy, the models' weights and the package's code."""
        judge = self.cross_encoder.digest if self.cross_encoder else ""
        parts = (
            profile.model_dump_json(),
            self.encoder.name,
            self.encoder.digest,
            self.parser.digest,
            self.idf.digest,
            judge,
            code_digest(),
        )
        return f"{profile.name}-{sha256(chr(0).join(parts).encode()).hexdigest()[:16]}"
