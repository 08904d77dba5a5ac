"""Words, cues, numbers and units are checked on reading."""

import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml

from detectors import lexicon
from detectors.errors import ProfileError
from detectors.measures import Measures
from detectors.settings_file import Section, read
from detectors.word_lists import English, any_of, shown

Change = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("name", "kind", "change", "complaint"),
    [
        ("english", English, lambda words: words.update(stpo="a the"), "mine.yaml: stpo: is unknown"),
        ("english", English, lambda words: words.update(particles=False), "mine.yaml: particles: give words separated by spaces"),
        ("english", English, lambda words: words["opposites"].append("hot cold"), r"mine.yaml: opposites.\d+: give words on both sides"),
        (
            "english",
            English,
            lambda words: words["scope"]["still"].update(against="past"),
            "mine.yaml: scope: still.against: past is none of",
        ),
        ("english", English, lambda words: words["quantifiers"]["all"].update(unsaid=2), "mine.yaml: quantifiers.all.unsaid: "),
        ("quantities", Measures, lambda of: of["units"]["mass"].update({"stone": 0}), "mine.yaml: units.mass.stone: "),
        ("quantities", Measures, lambda of: of["units"]["mass"].update({"mile": 2}), "mine.yaml: units: mile belongs to two dimensions"),
        ("quantities", Measures, lambda of: of["ones"].update({"one un": 1}), "mine.yaml: ones: one stands twice"),
        ("quantities", Measures, lambda of: of["upward"].update({"sweet": "taste"}), "upward, downward: taste is none of the dimensions"),
        ("quantities", Measures, lambda of: of["months"].pop(), "mine.yaml: months: "),
        ("quantities", Measures, lambda of: of.pop("comparing"), "mine.yaml: comparing: is missing"),
        ("quantities", Measures, lambda of: of.update(years=[1000]), "mine.yaml: years"),
        ("english", English, lambda words: words["recognition"].update(stop=2), "mine.yaml: recognition.stop: should be less than"),
    ],
)
def test_a_wrong_file_is_refused_by_file_and_key(tmp_path: Path, name: str, kind: type[Section], change: Change, complaint: str) -> None:
    content = yaml.safe_load((files("configs") / "lexicon" / f"{name}.yaml").read_text(encoding="utf-8"))
    change(content)
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(content, allow_unicode=True), encoding="utf-8")
    with pytest.raises(ProfileError, match=complaint):
        read("lexicon", str(path), kind)


@pytest.mark.parametrize("name", lexicon.FILES)
def test_the_digest_covers_every_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    before = lexicon.lexicon_digest()
    for file in lexicon.FILES:
        path = tmp_path / file
        path.parent.mkdir(exist_ok=True)
        path.write_bytes((files("configs") / file).read_bytes() + (b"\n" if file == name else b""))
    monkeypatch.setattr(lexicon, "files", lambda _: tmp_path)
    assert lexicon.lexicon_digest() != before


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("At most ten may enter.", {"maximum"}),
        ("No more than ten may enter.", {"maximum"}),
        ("More than ten may enter.", {"minimum"}),
        ("Almost all may enter.", {"most"}),
        ("Most may enter, at most ten at a time.", {"most", "maximum"}),
        ("It exceeded all limits.", {"minimum", "all"}),
        ("The wall is tall.", set()),
    ],
)
def test_a_cue_inside_a_longer_one_does_not_count(text: str, expected: set[str]) -> None:
    assert shown(lexicon.english().quantifiers, text) == expected


@pytest.mark.parametrize(
    ("words", "text", "expected"),
    [({"in", "in case"}, "in case", "in case"), ({"a.m", "pm"}, "axm", None), ({"a.m", "pm"}, "a.m", "a.m"), (set(), "", None)],
)
def test_a_pattern_of_words_takes_the_longest_as_it_is_written(words: set[str], text: str, expected: str | None) -> None:
    match = re.match(any_of(words), text)
    assert (match and match[0]) == expected
