"""What identifies a person is found, nothing else is, and no text takes long."""

import time

import pytest

from worker.patterns import patterns


def mask(name: str, text: str, **own: str) -> str:
    (pattern,) = patterns([name], own)
    return pattern.mask(text)


@pytest.mark.parametrize(
    ("name", "hit"),
    [
        ("email", "jo.doe+shop@mail.example.org"),
        ("email", "JO_DOE@EXAMPLE.CO.UK"),
        ("phone", "+49 30 901820-0"),
        ("phone", "+1 (555) 010-9999"),
        ("phone", "0049 30 9018200"),
        ("phone", "030/9018200"),
        ("phone", "(555) 010-9999"),
        ("phone", "555-010-9999"),
        ("iban", "DE89 3704 0044 0532 0130 00"),
        ("iban", "GB82WEST12345698765432"),
        ("credit_card", "4111 1111 1111 1111"),
        ("credit_card", "378282246310005"),
        ("ip", "192.168.0.254"),
        ("ip", "2001:db8::8a2e:370:7334"),
        ("ip", "fe80:0:0:0:1:2:3:4"),
    ],
)
@pytest.mark.parametrize("around", ["{}", "Write to {} today.", "ü 😀 {} ü", '{{"a":"{}"}}'])
def test_a_hit_is_masked_in_its_own_length(name: str, hit: str, around: str) -> None:
    text = around.format(hit)
    masked = mask(name, text)
    at = text.index(hit)
    label = f"[{name}]"
    assert masked == text[:at] + label + "*" * (len(hit) - len(label)) + text[at + len(hit) :]


def test_what_is_shorter_than_its_name_is_filled() -> None:
    assert mask("email", "a@b.de") == "******"


def test_what_follows_an_iban_stays() -> None:
    assert mask("iban", "GB82 WEST 1234 5698 7654 32 IS MINE") == "[iban]" + "*" * 21 + " IS MINE"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("email", "at 5 @ home, user@host"),
        ("phone", "between 1990 and 2020, 12,000 of 45000 at 09:30"),
        ("iban", "DE89 3704 0044 0532 0130 01"),
        ("credit_card", "4111 1111 1111 1112"),
        ("ip", "version 1.2.3, 256.1.1.1, at 12:30:45, a::b::c, ::"),
    ],
)
def test_what_only_looks_like_it_stays(name: str, text: str) -> None:
    assert mask(name, text) == text


def test_a_pattern_of_ones_own() -> None:
    assert mask("staff", "E-123456 and E-1", staff=r"\bE-[0-9]{6}\b") == "[staff]* and E-1"
    assert mask("plus", "a+b* c", plus=r"[+*]\+?|\*") == "a*b* c"


@pytest.mark.parametrize(
    ("own", "says"),
    [
        ({"x": r"\d+"}, r"x: a repetition without an end"),
        ({"x": r"(a|aa)*b"}, r"x: a repetition without an end"),
        ({"x": r"[*]{3,}"}, r"x: a repetition without an end"),
        ({"x": r"(?=a)b"}, r"x: RE2 does not read it"),
        ({"x": r"(a)\1"}, r"x: RE2 does not read it"),
        ({"x": r"a{1,5000}"}, r"x: RE2 does not read it"),
        ({"x": "a("}, r"x: RE2 does not read it"),
        ({"x": "a?"}, r"x: it matches nothing at all"),
        ({"X Y": "a"}, r"lower-case"),
    ],
)
def test_what_could_take_long_or_is_wrong_is_refused(own: dict[str, str], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        patterns(own, own)


@pytest.mark.parametrize("name", ["email", "phone", "iban", "credit_card", "ip", "nested"])
@pytest.mark.parametrize("unit", ["a", "a.", "a@", "a@a.", "0", "+1 ", "DE00 ", "1.1.1.", ":", "a:", "(", " ", "\u00fc"])
def test_pathological_text_takes_time_in_proportion(name: str, unit: str) -> None:
    (pattern,) = patterns([name], {"nested": "(a|aa|a?){1,20}b"})
    short, long = (_seconds(pattern.mask, unit * (size // len(unit))) for size in (10_000, 100_000))
    assert long < min(10 * 4 * max(short, 0.001), 1)


def _seconds(mask: object, text: str) -> float:
    started = time.process_time()
    assert callable(mask)
    assert len(mask(text)) == len(text)
    return time.process_time() - started
