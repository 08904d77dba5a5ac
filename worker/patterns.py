"""Patterns of what identifies a person, and masks over what they find.

RE2 matches in time that grows with the text alone, which Python's own `re` does not promise.
"""

import ipaddress
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import re2

Check = Callable[[str], int]
"""How many of a hit's first characters are meant; 0 when it only looks like one."""

_NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,30}")

_UNBOUNDED: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|\[:\^?[a-z]+:\]|[^\]\\])*+(?:\]|\\?\Z)|(?P<unbounded>[*+]|\{\d*,\})", re.DOTALL)
"""Passes over escapes and character classes, in which the signs of repetition mean themselves."""


@dataclass(frozen=True)
class Pattern:
    """What is looked for, by name."""

    name: str
    expression: Any
    check: Check = len

    def mask(self, text: str) -> str:
        """`text` with every hit replaced by the pattern's name in brackets, filled up with asterisks to the hit's own length."""
        pieces, end = [], 0
        for hit in self.expression.finditer(text):
            length = self.check(hit.group())
            if length:
                pieces += [text[end : hit.start()], self._mask(length)]
                end = hit.start() + length
        return "".join([*pieces, text[end:]]) if pieces else text

    def _mask(self, length: int) -> str:
        label = f"[{self.name}]"
        return label.ljust(length, "*") if len(label) <= length else "*" * length


def patterns(names: Iterable[str], own: Mapping[str, str]) -> tuple[Pattern, ...]:
    """The patterns that are named, built in or `own`. Raises ValueError for a name that is none and for what could take long."""
    known = {**{pattern.name: pattern for pattern in _built_in()}, **{name: _own(name, expression) for name, expression in own.items()}}
    for name in names:
        if name not in known:
            raise ValueError(f"no pattern is called {name}; there are {', '.join(sorted(known))}")
    return tuple(known[name] for name in dict.fromkeys(names))


def _own(name: str, expression: str) -> Pattern:
    if not _NAME.fullmatch(name):
        raise ValueError(f"pattern {name!r}: a name is lower-case letters, digits, _ and -, at most 31")
    if any(found["unbounded"] for found in _UNBOUNDED.finditer(expression)):
        raise ValueError(f"pattern {name}: a repetition without an end may take long; give it one, such as {{1,64}} in place of +")
    try:
        compiled = _compile(expression)
    except re2.error as wrong:
        raise ValueError(f"pattern {name}: RE2 does not read it ({_reason(wrong)})") from None
    if compiled.search("") is not None:
        raise ValueError(f"pattern {name}: it matches nothing at all, which is everywhere")
    return Pattern(name, compiled)


def _reason(wrong: Exception) -> str:
    """Without the expression, which RE2 repeats after a colon."""
    said = wrong.args[0] if wrong.args else "no reason given"
    return (said.decode(errors="replace") if isinstance(said, bytes) else str(said)).split(":")[0]


def _compile(expression: str) -> Any:
    options = re2.Options()
    options.log_errors = False
    return re2.compile(expression, options)


def _built_in() -> tuple[Pattern, ...]:
    octet = r"(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])"
    return (
        Pattern("email", _compile(r"[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}")),
        Pattern(
            "phone",
            _compile(
                r"(?:\+|\b00)[1-9](?:[ ./()-]{0,2}[0-9]){7,13}\b"
                r"|\b0[1-9](?:[ ./()-]{0,2}[0-9]){7,11}\b"
                r"|(?:\([2-9][0-9]{2}\) ?|\b[2-9][0-9]{2}[ .-])[0-9]{3}[ .-][0-9]{4}\b"
            ),
        ),
        Pattern("iban", _compile(r"\b[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]){11,30}\b"), _iban),
        Pattern("credit_card", _compile(r"\b[0-9](?:[ -]?[0-9]){12,18}\b"), _luhn),
        Pattern("ip", _compile(rf"\b(?:{octet}\.){{3}}{octet}\b|(?:[0-9A-Fa-f]{{1,4}})?(?::[0-9A-Fa-f]{{0,4}}){{2,7}}"), _address),
    )


def _iban(hit: str) -> int:
    """ISO 7064 mod 97-10; what follows an IBAN may look as if it went on."""
    for end in range(len(hit), 14, -1):
        digits = hit[:end].replace(" ", "")
        if hit[end - 1] != " " and len(digits) >= 15 and int("".join(str(int(one, 36)) for one in digits[4:] + digits[:4])) % 97 == 1:
            return end
    return 0


def _luhn(hit: str) -> int:
    """ISO/IEC 7812-1, annex B."""
    digits = [int(one) for one in reversed(hit) if one.isdecimal()]
    total = sum(digits[::2]) + sum(sum(divmod(2 * one, 10)) for one in digits[1::2])
    return len(hit) if total % 10 == 0 else 0


def _address(hit: str) -> int:
    try:
        ipaddress.ip_address(hit)
    except ValueError:
        return 0
    return len(hit) if len(hit) > 2 else 0
