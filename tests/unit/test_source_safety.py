"""The product's code runs nothing that it is given: no pickle, eval, exec, shell, unsafe YAML, nor SQL put together from strings."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CODE = ("schemas", "detectors", "worker")
RULES = "S"
EXCEPT = "S101,S311,S603"  # assertions, dice that guard nothing, and subprocesses that take a list: shells are S602, S604 and S605

UNSAFE = {
    "S301": "import pickle\npickle.loads(b'')\n",
    "S307": "eval('1')\n",
    "S102": "exec('1')\n",
    "S506": "import yaml\nyaml.load('', yaml.Loader)\n",
    "S602": "import subprocess\nname = ''\nsubprocess.run('ls ' + name, shell=True)\n",
    "S608": "name = ''\nquery = f'SELECT * FROM {name}'\n",
    "S501": "import requests\nrequests.get('https://h', verify=False, timeout=1)\n",
}


def findings(*arguments: str, code: str | None = None) -> str:
    """What the rules find, exemptions in the code notwithstanding."""
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--ignore-noqa", "--no-cache", "--output-format", "concise"]
    rules = ["--select", RULES, "--ignore", EXCEPT]
    ran = subprocess.run([*command, *rules, *arguments], input=code, capture_output=True, text=True, timeout=60, cwd=ROOT, check=False)
    assert ran.returncode in {0, 1}, ran.stderr
    return ran.stdout if ran.returncode else ""


def test_the_code_is_clean() -> None:
    assert findings(*CODE) == ""


@pytest.mark.parametrize("rule", UNSAFE)
def test_the_rules_would_find_it(rule: str) -> None:
    assert rule in findings("-", code=UNSAFE[rule])


def test_the_linter_of_every_change_has_these_rules() -> None:
    lint = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["ruff"]["lint"]
    assert RULES in lint["select"]
    assert not [rule for rule in lint["ignore"] if rule.startswith("S") and rule not in EXCEPT.split(",") and rule[1:].isdigit()]
