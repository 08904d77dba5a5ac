"""The seeds' own tokens and sentences, as published."""

from detectors.seed import latin_tokens, seed_sentences


def test_tokens_are_runs_of_latin_letters() -> None:
    assert latin_tokens("Élodie won't pay 3,200") == ["lodie", "won", "t", "pay"]


def test_sentences_are_cut_at_whitespace_after_a_mark_only() -> None:
    text = "Dr. Brandt came.\n\nOne\ntwo. "
    assert [text[at.start : at.end] for at in seed_sentences(text)] == ["Dr.", "Brandt came.", "One\ntwo."]
