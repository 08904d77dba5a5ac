# Each target sets up what it needs: a virtual environment in the tree, made once and again when the pins change.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test fast acceptance faults faults-short soak speed lint types rules check audit clean

demo: .venv/made
	$(BIN)/python -m worker.demo $(DEMO)

test: .venv/made
	$(BIN)/pytest --numprocesses 3 --dist worksteal -m 'not faults'

# What needs no service and no model: seconds.
fast: .venv/made
	$(BIN)/pytest --numprocesses 2 tests/unit -m 'not services and not models'

# The main job over every labelled set, whole; test runs a subset of it.
acceptance: .venv/made
	ACCEPTANCE=full $(BIN)/pytest tests/acceptance/test_main_job.py

# Faults of every kind on whole deployments: some 40 minutes; the short form leaves out what takes longest and waits less.
faults: .venv/made
	FAULTS=full $(BIN)/pytest -m faults tests/faults

faults-short: .venv/made
	$(BIN)/pytest -m faults tests/faults

# An hour at 70 % of the capacity with a fault every minute.
soak: .venv/made
	SOAK_MINUTES=60 $(BIN)/pytest -s tests/faults/test_soak.py

# Ratios of speed against yardsticks in the same run, with generous floors; needs a real Kafka (KAFKA_HOME, or beside the tree).
speed: .venv/made
	$(BIN)/python -m benchmarks.throughput --short --check

check: lint types

lint: .venv/made
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: .venv/made
	$(BIN)/mypy

# Prometheus' own check of the alerts, where it is installed.
rules:
	@command -v promtool >/dev/null || { echo "rules: promtool is not on PATH; it comes with Prometheus (Debian: apt-get install prometheus)" >&2; exit 2; }
	promtool check rules deploy/prometheus/alerts.yaml

# The pinned packages held against known weaknesses. Fails, too, where one cannot be asked about: without the network none can.
audit: .venv-audit/made
	@.venv-audit/bin/pip-audit --strict --requirement constraints.txt --no-deps --disable-pip --progress-spinner off \
		|| { echo "audit: a package has a known weakness or could not be asked about; the lines above say which" >&2; exit 1; }

.venv-audit/made:
	$(PYTHON) -m venv .venv-audit
	.venv-audit/bin/pip install --quiet pip-audit==2.10.1
	touch $@

.venv/made: pyproject.toml constraints.txt
	@echo "setting up .venv once: about 2 GB and some minutes, most of it PyTorch"
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $@

clean:
	rm -rf .venv .venv-audit build dist *.egg-info
