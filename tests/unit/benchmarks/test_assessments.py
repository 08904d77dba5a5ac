"""Each answer is scored once, in batches, and remembered on disk without its text."""

from pathlib import Path

from benchmarks.assessments import Assessor
from detectors import Answer
from tests.unit.benchmarks.stub_detector import WordDetector


def answers(count: int) -> list[Answer]:
    return [Answer(response=f"word{number}", contexts=(f"word{number} secret",)) for number in range(count)]


def test_answers_are_scored_in_batches_and_equal_ones_once(tmp_path: Path, detectors: list[WordDetector]) -> None:
    advanced: list[int] = []

    found = Assessor("default", tmp_path).assess([*answers(100), *answers(1)], advanced.append)

    assert len(found) == 101
    assert detectors[0].batches == [64, 36]
    assert sum(advanced) == 101


def test_a_second_run_reads_what_the_first_has_kept(tmp_path: Path, detectors: list[WordDetector]) -> None:
    first = Assessor("default", tmp_path).assess(answers(3))

    assert Assessor("default", tmp_path).assess(answers(4))[:3] == first
    assert detectors[1].batches == [1]
    (file,) = tmp_path.iterdir()
    assert file.name.startswith("default-0123456789abcdef.")
    assert b"secret" not in file.read_bytes()


def test_a_line_that_a_kill_has_cut_is_scored_again(tmp_path: Path, detectors: list[WordDetector]) -> None:
    Assessor("default", tmp_path).assess(answers(2))
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:-30])

    Assessor("default", tmp_path).assess(answers(2))

    assert detectors[1].batches == [1]
    assert len(Assessor("default", tmp_path).assess(answers(2))) == 2


def test_without_a_cache_nothing_is_written(tmp_path: Path, detectors: list[WordDetector]) -> None:
    Assessor("default").assess(answers(1))

    assert not list(tmp_path.iterdir())
