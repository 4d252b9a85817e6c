# Everything a person or CI does here. `make` alone lists the targets.
#
# Needs make and Python 3.11+ with venv; the rest is installed into .venv, at the versions and hashes of
# constraints*.txt. PYTHON is what .venv is made with: `make clean` first to change it.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LINKS := build/editable
EXAMPLE := examples/checkout-incident
PIP := $(BIN)/python -m pip --quiet --quiet --disable-pip-version-check --no-input

.DEFAULT_GOAL := help
.PHONY: help demo test check lint types layers limits docs lock clean FORCE
MAKEFLAGS += --no-print-directory
.DELETE_ON_ERROR:

help: ## List the targets
	@echo "SuperBiz. Targets:"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | \
	  while IFS='|' read -r name text; do printf '%-24s %s\n' "$$name" "$$text"; done

# The exit codes of `superbiz diagnose`: 0 is PASS, and 3 an answer that says what it is unsure of.
demo: $(VENV)/.installed ## Install, then diagnose the bundled example and print the answer
	@question=$$(head -n 1 $(EXAMPLE)/question.txt) && \
	echo "Diagnosing $(EXAMPLE): $$question" && \
	{ $(BIN)/superbiz diagnose "$$question" --evidence $(EXAMPLE) || [ $$? -eq 3 ]; }

test: $(VENV)/.installed-test ## Install with the test extra, then run the suite with its coverage limit
	@echo "Running the tests"
	@$(BIN)/python -m pytest --quiet --cov --cov-report=term:skip-covered

check: lint types layers limits ## All four of these (make --keep-going check goes on after a failure)

lint: $(VENV)/.installed-test ## Lint and format
	@echo "Lint and format"
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check --diff .

types: $(VENV)/.installed-test ## Types, strictly
	@echo "Types"
	@MYPYPATH=$(LINKS):tests $(BIN)/mypy --no-error-summary $(LINKS)/superbiz tests .hatch/link.py

layers: $(VENV)/.installed-test ## Who may import whom
	@echo "Import layers"
	@$(BIN)/lint-imports --no-logo > build/layers.txt || { cat build/layers.txt; exit 1; }

limits: $(VENV)/.installed-test ## Length of files and functions
	@echo "Size limits"
	@$(BIN)/python -m pytest --quiet tests/repository/test_limits.py

docs: $(VENV)/.installed-test ## Write what is generated: tests of each requirement, drawing and transcript of the READMEs
	@$(BIN)/python -m pytest --quiet tests/repository/test_requirements.py tests/repository/test_readme.py --rewrite

# uv resolves for every supported Python and platform at once; pip can not. Only this target needs it.
LOCK := build/lock/bin/uv pip compile --quiet --no-header --no-annotate --universal --python-version 3.11 \
  --fork-strategy fewest --generate-hashes --no-emit-index-url --no-emit-find-links $(LOCK_FLAGS)
LOCK_READ := $(PYTHON) -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")'

lock: ## Write constraints*.txt anew from pyproject.toml (LOCK_FLAGS=--upgrade takes newer releases)
	@echo "Resolving the pinned environment"
	@$(PYTHON) -m venv build/lock && build/lock/bin/python -m pip --quiet --quiet --disable-pip-version-check install uv
	@$(LOCK_READ) | $(LOCK) pyproject.toml - --output-file constraints.txt
	@$(LOCK) pyproject.toml --extra test --constraints constraints.txt --output-file constraints-test.txt \
	  $$(sed -n 's/^\([a-z0-9._-]*\)==.*/--no-emit-package \1/p' constraints.txt)
	@rm -rf build/lock

clean: ## Remove the environment, the build output and the caches
	@echo "Removing .venv, build and caches"
	@rm -rf $(VENV) build dist .coverage .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	@find graph nodes prompts store tests .hatch -name __pycache__ -prune -exec rm -rf {} +

# An environment is made anew when it is missing, its Python is gone, or it was made for another checkout (an
# editable install holds absolute paths).
ifneq ($(shell grep -Fsq ' $(CURDIR)/$(VENV)' $(VENV)/pyvenv.cfg && $(BIN)/python -c 'import pip' 2>&1 || echo stale),)
VENV_STALE := FORCE
endif
# The installed package is nothing but these links.
ifeq ($(wildcard $(LINKS)/superbiz/graph/__init__.py),)
LINKS_STALE := FORCE
endif

$(VENV)/pyvenv.cfg: $(VENV_STALE)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "SuperBiz needs Python 3.11 or newer as '$(PYTHON)'; name another: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' || \
	  { echo "'$(PYTHON)' has no venv module (on Debian: apt-get install python3-venv)" >&2; exit 1; }
	@echo "Creating $(VENV)"
	@$(PYTHON) -m venv --clear $(VENV)

# pip refuses an editable project among hashed requirements, so the pins come first and the project after, alone.
$(VENV)/.installed: $(VENV)/pyvenv.cfg pyproject.toml constraints.txt .hatch/link.py $(LINKS_STALE)
	@echo "Installing SuperBiz and what it needs"
	@$(PIP) install --no-deps --require-hashes -r constraints.txt
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@$(PIP) check
	@touch $@

$(VENV)/.installed-test: $(VENV)/.installed constraints-test.txt
	@echo "Installing the test tools"
	@$(PIP) install --no-deps --require-hashes -r constraints-test.txt
	@$(PIP) check
	@touch $@
