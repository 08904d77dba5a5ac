"""What commands say while they work, where nobody watches a terminal."""

import pytest

from worker.cli import output


@pytest.mark.parametrize(
    ("total", "said"), [(200, "scoring: 32% done\nscoring: 64% done\n"), (None, "scoring: 64 done\nscoring: 128 done\n")]
)
def test_without_a_terminal_long_work_says_how_far_it_is(
    total: int | None, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(output, "LINE_SECONDS", 0)
    with output.progress("scoring", total) as advance:
        advance(64)
        advance(64)
    assert capsys.readouterr().err == said


def test_short_work_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with output.progress("scoring", 200) as advance:
        advance(64)
    assert capsys.readouterr().err == ""


def test_a_stderr_for_machines_stays_without_lines(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(output, "LINE_SECONDS", 0)
    with output.progress("scoring", 200, lines=False) as advance:
        advance(64)
    assert capsys.readouterr().err == ""
