# `make demo` and `make test` set up everything they need, in .venv, on the first run.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
WORKERS ?= 2
VENV := .venv
BIN := $(VENV)/bin
PY := $(BIN)/python
READY := $(VENV)/.ready

# The tests start the package hundreds of times; without its bytecode each start compiles it again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo test lint types unit regenerate check-regenerated bench clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# pip learned dependency groups in 25.1; the one that comes with Python 3.11 is older.
$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(PY) -m pip install --quiet --upgrade "pip>=25.1"
	$(PY) -m pip install --quiet --editable ".[gen,serve]" --group dev
	@touch $@

demo: $(READY) ## make a server from a contract, talk to it, break it, mend it
	$(PY) examples/demo.py

test: lint types check-regenerated unit ## everything that CI checks

lint: $(READY) ## ruff: rules and format
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(READY) ## mypy and pyright, both strict
	$(BIN)/mypy
	PYRIGHT_PYTHON_IGNORE_WARNINGS=1 $(BIN)/pyright --pythonpath $(PY)

unit: $(READY) ## all test suites (pass ARGS="-k name" for a few)
	$(PY) -m pytest -n $(WORKERS) --dist loadgroup $(ARGS)

regenerate: $(READY) ## write again every file that is derived from another
	$(PY) tools/regenerate.py
	$(PY) -m pytest -q -n $(WORKERS) tests/cases --update

check-regenerated: $(READY) ## fail where a derived file is not what `make regenerate` writes
	$(PY) tools/regenerate.py --check

bench: $(READY) ## CPU time of what users wait for, against its budgets
	$(PY) bench/run.py

clean: ## remove the environment and all caches
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find codegen tests bench tools examples -name __pycache__ -type d -prune -exec rm -rf {} +
