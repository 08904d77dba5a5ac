"""Whether a secret shows."""

from collections.abc import Iterable
from pathlib import Path


def assert_hidden(secrets: Iterable[str], *shown: str | bytes) -> None:
    """No secret stands in what was shown."""
    for text in shown:
        content = text.encode() if isinstance(text, str) else text
        for secret in secrets:
            at = content.find(secret.encode())
            assert at < 0, f"shows a secret: …{content[max(0, at - 300) : at]!r}"


def family(pid: int) -> list[int]:
    """A process and its descendants."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    return [pid, *(member for child in children for member in family(int(child)))]


def titles(pid: int) -> bytes:
    """What `ps` shows of a process and its descendants."""
    return b"".join(Path(f"/proc/{member}/{part}").read_bytes() for member in family(pid) for part in ("cmdline", "comm"))


def inherited(pid: int) -> bytes:
    """The environments of a process's descendants, without its own."""
    return b"".join(Path(f"/proc/{member}/environ").read_bytes() for member in family(pid)[1:])
