"""Words of any script."""

import time

import pytest

from detectors.text import clean, entity_key, latin_tokens, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The U.S.A.'s Élodie won't pay 3,200.50", ["the", "usa", "elodie", "wont", "pay", "3200", "50"]),
        ("STRASSE Straße", ["strasse", "strasse"]),
        ("snake_case dash-ed", ["snake", "case", "dash", "ed"]),
        ("東京タワーは333m", [*"東京タワーは", "333m"]),
        ("... !?", []),
    ],
)
def test_tokens_are_folded_words(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


def test_the_seeds_tokens_are_runs_of_latin_letters() -> None:
    assert latin_tokens("Élodie won't pay 3,200") == ["lodie", "won", "t", "pay"]


def test_clean_shows_what_a_reader_sees() -> None:
    assert clean("Ro\u200blls &amp; keys\x00&nbsp;\ufeff") == "Rolls & keys\u00a0"


@pytest.mark.parametrize("entity", ["the USA", "U.S.A.", "usa's", "The  U.S.A.’s"])
def test_entities_are_found_by_words(entity: str) -> None:
    assert entity_key(entity) in entity_key("Shipped to the U.S.A. by sea")


def test_an_entity_is_not_found_inside_a_word() -> None:
    assert entity_key("Art") not in entity_key("Smart parts")


@pytest.mark.parametrize("pattern", ["a.", "1,", "&", "'", "'s ", "\u0301", "&#1;", "x"])
def test_time_is_linear(pattern: str) -> None:
    start = time.process_time()
    tokens(clean(pattern * 200_000))
    assert time.process_time() - start < 10
