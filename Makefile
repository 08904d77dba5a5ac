# Each target sets up what it needs: a virtual environment in the tree, made once and again when the pins change.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test lint types check clean

demo: .venv/made
	$(BIN)/python -m worker.demo $(DEMO)

test: .venv/made
	$(BIN)/pytest

check: lint types

lint: .venv/made
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: .venv/made
	$(BIN)/mypy

.venv/made: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $@

clean:
	rm -rf .venv build dist *.egg-info
