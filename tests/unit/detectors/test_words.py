"""Words of any script."""

import time

import pytest

from detectors.words import entity_key, tokens, words


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


def test_words_stand_as_written_where_they_are() -> None:
    text = "Élodie won't pay 3,200.50 for a non-refundable 部屋"
    assert [word for word, _, _ in words(text)] == ["Élodie", "won't", "pay", "3,200.50", "for", "a", "non-refundable", "部", "屋"]
    assert all(text[start:end] == word for word, start, end in words(text))


@pytest.mark.parametrize("entity", ["the USA", "U.S.A.", "usa's", "The  U.S.A.’s"])
def test_entities_are_found_by_words(entity: str) -> None:
    assert entity_key(entity) in entity_key("Shipped to the U.S.A. by sea")


def test_an_entity_is_not_found_inside_a_word() -> None:
    assert entity_key("Art") not in entity_key("Smart parts")


@pytest.mark.parametrize("pattern", ["a.", "1,", "'", "'s ", "\u0301", "x"])
def test_time_is_linear(pattern: str) -> None:
    start = time.process_time()
    tokens(pattern * 200_000)
    words(pattern * 200_000)
    assert time.process_time() - start < 10
