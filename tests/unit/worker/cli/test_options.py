"""Global options may stand anywhere; flags are YAML scalars."""

import pytest

from worker.cli.options import hoisted, parse_flags


@pytest.mark.parametrize(
    ("given", "in_order"),
    [
        (["doctor", "--json"], ["doctor", "--json"]),
        (["doctor", "--config", "f"], ["--config", "f", "doctor"]),
        (["doctor", "--config=f", "--json"], ["--config=f", "doctor", "--json"]),
        (["emit", "a", "--set", "x=1", "--set", "y=2"], ["--set", "x=1", "--set", "y=2", "emit", "a"]),
        (["score", "f", "--traceback"], ["--traceback", "score", "f"]),
        (["score", "--", "--config", "f"], ["score", "--", "--config", "f"]),
        (["doctor", "--config"], ["--config", "doctor"]),
    ],
)
def test_global_options_are_moved_to_the_front(given, in_order):
    assert hoisted(given) == in_order


@pytest.mark.parametrize(
    ("pair", "key", "value"),
    [("a.b=1", "a.b", 1), ("a=true", "a", True), ("a=", "a", None), ("a=x=y", "a", "x=y"), ("a=0.5", "a", 0.5), ("a='1'", "a", "1")],
)
def test_a_flags_value_is_a_yaml_scalar(pair, key, value):
    assert parse_flags([pair]) == {key: value}
