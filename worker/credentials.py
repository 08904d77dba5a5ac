"""Secrets from files, TLS contexts, and what a peer's certificate is refused for, in words that name the setting."""

import os
import ssl
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs, urlsplit

from pydantic import SecretStr

from worker.settings import PREFIX

_EXPIRED: Final = 10
_NOT_YET_VALID: Final = 9
_OTHER_NAMES: Final = (62, 64)
"""OpenSSL's codes for a certificate of another host name and of another address."""


class SecretUnreadable(OSError):
    """A file that a setting names cannot be used; the message names both. An OSError, so that clients take it as a failed connection."""


def read_secret(setting: str, path: Path) -> str:
    """The first line of a secret's file. Raises SecretUnreadable."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as unreadable:
        raise SecretUnreadable(f"{setting}: {path} cannot be read ({_said(unreadable)})") from None
    if not lines or not lines[0]:
        raise SecretUnreadable(f"{setting}: {path} is empty")
    return lines[0]


def secret(setting: str, given: SecretStr | None, path: Path | None) -> str | None:
    """The secret that `setting` gives or the file that `setting`_file names holds; the file wins. Raises SecretUnreadable."""
    if path is not None:
        return read_secret(f"{setting}_file", path)
    return given.get_secret_value() if given is not None else None


def has_password(address: str) -> bool:
    """Whether a database's address holds one. False for what is no address."""
    try:
        parts = urlsplit(address)
        return bool(parts.password or {"password", "sslpassword"} & parse_qs(parts.query).keys())
    except ValueError:
        return False


def tls_context(section: str, ca: Path | None, certificate: Path | None, key: Path | None) -> ssl.SSLContext:
    """A context that checks the peer's certificate and its name. `section`: whose settings the files are. Raises SecretUnreadable."""
    try:
        context = ssl.create_default_context(cafile=ca)
    except OSError as unreadable:
        raise SecretUnreadable(f"{section}.ca_file: {ca} is no PEM file of certificates ({_said(unreadable)})") from None
    if certificate and key:
        try:
            context.load_cert_chain(certificate, key, password="")
        except OSError as unreadable:
            raise SecretUnreadable(
                f"{section}.certificate_file and {section}.key_file: {certificate} and {key} are no certificate with its own, "
                f"unencrypted key in PEM ({_said(unreadable)})"
            ) from None
    return context


def certificate_fault(refused: ssl.SSLCertVerificationError, section: str, address: str) -> str:
    """Why a peer's certificate is not accepted and what to do; `address` is the setting with its name."""
    said = refused.verify_message.rstrip(".")
    if refused.verify_code == _EXPIRED:
        return f"its certificate has expired; renew it ({said})"
    if refused.verify_code == _NOT_YET_VALID:
        return f"its certificate is not valid yet; look at the clocks ({said})"
    if refused.verify_code in _OTHER_NAMES:
        return f"its certificate is for another name ({said}); use a name of the certificate in {address}"
    return f"its certificate is signed by nobody in {section}.ca_file ({said}); name there the authority that signed it"


def without_settings(environment: Mapping[str, str]) -> dict[str, str]:
    """`environment` for a process that is given what it needs otherwise: without groundwatch's settings and Postgres's own."""
    return {name: value for name, value in environment.items() if not name.upper().startswith((PREFIX, "PG"))}


def _said(error: Exception) -> str:
    """Without the text of a file, which other errors quote."""
    number = getattr(error, "errno", None)
    if isinstance(error, ssl.SSLError):
        return error.reason or "not PEM"
    return os.strerror(number) if number else type(error).__name__
