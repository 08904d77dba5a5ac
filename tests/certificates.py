"""An authority that signs certificates for the loopback, by the openssl command."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

_KEY: Final = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
NAMES: Final = "IP:127.0.0.1,DNS:localhost"


@dataclass(frozen=True)
class Certificate:
    """Where a certificate and its key are, as PEM."""

    certificate: Path
    key: Path

    @property
    def both(self) -> str:
        """The key and the certificate in one, as Kafka's PEM keystores want them."""
        return self.key.read_text() + self.certificate.read_text()


class Authority:
    """Signs certificates and keeps them in `directory`. Skips the test where there is no openssl."""

    def __init__(self, directory: Path, name: str) -> None:
        if shutil.which("openssl") is None:
            pytest.skip("no certificates: openssl is not on the PATH")
        self._directory = directory
        self._own = self._named(f"{name}-ca")
        self._run("req", "-x509", *_KEY, "-keyout", self._own.key, "-out", self._own.certificate, "-subj", f"/CN={name}", "-days", "2")

    @property
    def file(self) -> Path:
        """Its own certificate."""
        return self._own.certificate

    def sign(self, name: str, *, names: str = NAMES, days: int = 2) -> Certificate:
        """A certificate for `names`; with `days` below 0 it has expired."""
        made = self._named(name)
        request = self._directory / f"{name}.csr"
        self._run("req", "-new", *_KEY, "-keyout", made.key, "-out", request, "-subj", f"/CN={name}", "-addext", f"subjectAltName={names}")
        signed_by = ("-CA", self._own.certificate, "-CAkey", self._own.key, "-copy_extensions", "copy", "-days", str(days))
        self._run("x509", "-req", "-in", request, *signed_by, "-out", made.certificate)
        return made

    def _named(self, name: str) -> Certificate:
        return Certificate(self._directory / f"{name}.pem", self._directory / f"{name}.key")

    def _run(self, *arguments: str | Path) -> None:
        subprocess.run(["openssl", *map(str, arguments)], capture_output=True, check=True, timeout=30)
