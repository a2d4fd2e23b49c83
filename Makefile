# The two commands that a newcomer needs are `make run` and `make test`. Every target first sets up what it lacks;
# what is there already costs a look. Nothing has to be activated, and nothing outside this folder is written but
# Debian packages (where that is allowed) and pip's own cache.

PYTHON ?= python3
VENV := .venv
ARIA := $(VENV)/bin/aria
TEST_MODELS := faster-whisper-tiny.en qwen2.5-coder-0.5b-instruct

.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help setup run demo test test-security test-long lint eval eval-parts bench bench-bfcl lock clean models test-models debian debian-test

help:
	@echo 'make run     set up what is missing and open the window (without a display: the demonstration)'
	@echo 'make test    the checks and the whole test suite'
	@echo 'make test-security  the security tests alone, and a table of what was tried'
	@echo 'make test-long  the same as often as it was promised, for an hour or more'
	@echo 'make demo    one spoken command through the whole chain; needs no microphone, display or network'
	@echo 'make setup   Debian packages, environment, packages and starter models, and nothing more'
	@echo 'make lint    the checks alone'
	@echo 'make eval    the development cases on both starter models, for an hour or more, into artifacts/eval/'
	@echo 'make eval-parts  the same without one part of the agent at a time, for hours, into artifacts/'
	@echo 'make bench   speed and memory on this machine, into artifacts/'
	@echo 'make bench-bfcl  function calling on cases of a public leaderboard, for hours, into artifacts/'
	@echo 'make lock    choose the package versions anew'
	@echo 'make clean   remove the environment and all that was built; models and output stay'

setup: models
	@echo 'ARIA is set up: $(ARIA)'

# 9 is what `aria` ends with where there is no display.
run: models
	@$(ARIA) window; code=$$?; if [ $$code -ne 9 ]; then exit $$code; fi; \
	echo 'So the demonstration runs instead of the window.'; exec $(ARIA) demo

demo: models
	@$(ARIA) demo

test: debian-test test-models lint
	@$(VENV)/bin/python -m pytest

test-security: debian-test test-models
	@$(VENV)/bin/python -m pytest tests/safety

test-long: debian-test test-models
	@ARIA_LONG=1 $(VENV)/bin/python -m pytest --timeout 7200 tests/safety tests/ears/test_long_files.py

lint: $(VENV)/.packages
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/mypy
	@$(VENV)/bin/lint-imports

# Goes on where it was stopped; after a change of the program or its prompts: make eval FLAGS=--fresh
EVAL := $(ARIA) eval --cases tests/evals/commands.jsonl --cache artifacts/replies $(FLAGS)
LARGER := --model qwen2.5-coder-1.5b-instruct

eval: test-models
	@$(EVAL) $(LARGER) --model qwen2.5-coder-0.5b-instruct --out artifacts/eval

PARTS := grammar examples repair confidence rules

eval-parts: models
	@for part in $(PARTS); do \
	    $(EVAL) $(LARGER) --without $$part --out artifacts/eval-without-$$part > /dev/null || exit; \
	done
	@$(EVAL) $(LARGER) --out artifacts/eval-whole $(PARTS:%=--beside artifacts/eval-without-%)

bench: models
	@mkdir -p artifacts
	@$(ARIA) bench chain --out artifacts/bench-chain.json

# The wheel is only read as a zip and never installed; the command holds it against the same hash once more.
BFCL := bfcl_eval-2026.3.23-py3-none-any.whl
BFCL_SHA256 := 3bb6dfa5f0c68ad403c9ec50b00db2bb3b4cc9b38ab1ff33f48fe30d853d3a0a

artifacts/$(BFCL): | $(VENV)/.packages
	@mkdir -p artifacts
	@echo 'bfcl-eval==2026.3.23 --hash=sha256:$(BFCL_SHA256)' > artifacts/bfcl.txt
	@$(VENV)/bin/python -m pip download --disable-pip-version-check --quiet --no-deps --require-hashes \
	    -r artifacts/bfcl.txt -d artifacts

bench-bfcl: artifacts/$(BFCL) models
	@$(ARIA) bench bfcl --wheel artifacts/$(BFCL) --out artifacts/bench-bfcl.json

models: $(VENV)/.packages
	@$(ARIA) models fetch --quiet

test-models: models
	@$(ARIA) models fetch --quiet $(TEST_MODELS)

# Asked each time: dpkg answers at once, and a stamp would not notice a package that was removed.
debian:
	@scripts/debian-packages.sh setup

debian-test: debian
	@scripts/debian-packages.sh test

$(VENV)/.made: | debian
	@scripts/check-python.sh $(PYTHON)
	@echo 'Making the environment in $(VENV)'
	@$(PYTHON) -m venv --clear $(VENV)
	@touch $@

# llama.cpp comes as source and is built for this processor; pip says so, and is silent for a while.
$(VENV)/.packages: requirements.lock pyproject.toml $(VENV)/.made | debian
	@echo 'Installing the locked packages; building llama.cpp takes some minutes the first time'
	@$(VENV)/bin/python -m pip install --disable-pip-version-check --require-hashes -r requirements.lock
	@$(VENV)/bin/python -m pip install --disable-pip-version-check --quiet --no-deps --no-build-isolation -e .
	@$(VENV)/bin/python -m pip check
	@touch $@

lock: $(VENV)/.packages
	@scripts/lock.sh $(VENV)

clean:
	rm -rf $(VENV) build dist artifacts *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
