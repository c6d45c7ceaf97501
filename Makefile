# Every target sets itself up: a virtual environment in .venv, filled from the lock file.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: setup reproduce experiments test test-long bench profile lint format lock clean

setup: $(READY)

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

reproduce: $(READY)
	$(BIN)/lab reproduce

# Every question under experiments/, one after the other, into runs/; each page says how many games and how long.
experiments: $(READY)
	for file in experiments/*/experiment.toml; do $(BIN)/lab sweep $$file || exit; done

lint: $(READY)
	$(BIN)/ruff check engine lab tests experiments notebooks
	$(BIN)/ruff format --check engine lab tests experiments notebooks
	$(BIN)/basedpyright --level error

format: $(READY)
	$(BIN)/ruff check --fix engine lab tests experiments
	$(BIN)/ruff format engine lab tests experiments

test: lint
	$(BIN)/python -m pytest -m "not long"

test-long: $(READY)
	$(BIN)/python -m pytest

bench: $(READY)
	$(BIN)/python experiments/benchmarks/bench.py

profile: $(READY)
	$(BIN)/python experiments/benchmarks/where_time_goes.py

# The lock: every dependency of the project and its development tools, resolved for Python 3.11, with hashes.
lock:
	uv pip compile pyproject.toml --extra dev --python-version 3.11 --generate-hashes --no-header \
		--no-emit-index-url --no-emit-find-links --output-file requirements.lock

clean:
	rm -rf $(VENV) build dist *.egg-info
