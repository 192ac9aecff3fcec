# Needs nothing but make and Python 3.11 or newer; every target makes .venv first when it is missing.
#
#   PYTHON  the interpreter that makes .venv     make demo PYTHON=python3.12
#   ARGS    handed on to the command             make test ARGS="-k grab"

PYTHON ?= python3
VENV ?= .venv
ARGS ?=

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip -qq --disable-pip-version-check
READY := $(VENV)/.earsim-dev
FAST := .venv-fast
FAST_READY := $(FAST)/.earsim-fast
TORCH_READY := $(VENV)/.earsim-torch
DOCS_READY := $(VENV)/.earsim-docs
# The build for the CPU: what PyPI has for Linux brings several GB of CUDA along.
TORCH := torch==2.13.0
TORCH_INDEX := https://download.pytorch.org/whl/cpu
LOWEST := .venv-lowest
LOWEST_READY := $(LOWEST)/.earsim-lowest
# Without this, numerical libraries in several test workers fight over the cores.
PYTEST := OMP_NUM_THREADS=1 $(BIN)/python -m pytest

# What pytest exits with when nothing matches: no failure where no test is marked slow.
NO_TESTS := 5

.DEFAULT_GOAL := help
.PHONY: help demo test fast test-compiled test-slow-compiled check test-training test-slow test-lowest mutants bench docs ci clean

# What is in the wheel: a change of any of it makes an installed one old.
PACKED = $(shell find earsim agents generators training scenes -type f -not -path '*/__pycache__/*')

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-18s %s\n", $$1, $$2}' Makefile

demo: $(READY) ## watch an agent solve a task
	@$(BIN)/earsim demo
	@echo "First:  . $(BIN)/activate   puts earsim on your path."

test: $(READY) ## run the fast tests on all cores
	$(PYTEST) -q -n auto --dist worksteal -m "not slow" $(ARGS)

test-training: $(TORCH_READY) ## run the training tests with PyTorch, on the CPU
	$(PYTEST) -q -n auto --dist worksteal tests/training -m "not slow" $(ARGS)

test-slow: $(READY) ## run the tests that take longer
	$(PYTEST) -q -n auto --dist worksteal -m slow $(ARGS) || test $$? -eq $(NO_TESTS)

fast: $(FAST_READY) ## build the compiled wheel and install it into .venv-fast
	@echo "Use it:  . $(FAST)/bin/activate   and not from this folder with -m, where the source comes first."

# In a folder without the source, which would be imported instead of the wheel.
IN_WHEEL = rm -rf build/compiled && mkdir -p build/compiled/generators \
	  && cp -R generators/paraphrases build/compiled/generators \
	  && cp -R .ci CHANGELOG.md CONTRIBUTING.md Makefile README.md benchmarks docs examples hatch_build.py \
	    mkdocs.yml pyproject.toml scenes tests training build/compiled \
	  && cd build/compiled && OMP_NUM_THREADS=1 \
	    EAR_BENCH_DIR="$${EAR_BENCH_DIR:-$(abspath ../shared/ear-bench)}" \
	    $(abspath $(FAST))/bin/python -m pytest -q -n auto --dist worksteal -o "pythonpath=. examples/tiny"

test-compiled: $(FAST_READY) ## run the fast tests on the compiled wheel
	@$(IN_WHEEL) -m "not slow" $(ARGS)

test-slow-compiled: $(FAST_READY) ## run the tests that take longer on the compiled wheel
	@$(IN_WHEEL) -m slow $(ARGS)

test-lowest: $(LOWEST_READY) ## run the training tests with the oldest libraries allowed
	OMP_NUM_THREADS=1 $(LOWEST)/bin/python -m pytest -q tests/training -m "not slow" \
	  -W "default::DeprecationWarning" -p no:cacheprovider $(ARGS)

mutants: $(READY) ## break the code in small ways: which changes does no test notice?
	@$(BIN)/python -m tests.mutation $(ARGS)

check: $(READY) ## lint, format and types
	$(BIN)/python -m ruff check
	$(BIN)/python -m ruff format --check
	$(BIN)/python -m mypy

bench: $(READY) ## measure the speed on this machine
	@$(BIN)/python -m benchmarks $(ARGS)

docs: $(DOCS_READY) ## build the documentation into site/
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict
	@echo "The documentation is in site/index.html."

ci: ## all that must pass before a change goes in
	@.ci/run

clean: ## remove caches and build outputs (.venv and runs stay)
	rm -rf site dist build .coverage .coverage.* htmlcov .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -not -path './$(VENV)/*' -prune -exec rm -rf {} +

# A stamp, not the folder, says that .venv is ready: an interrupted install leaves no stamp.
$(READY): pyproject.toml
	@$(BIN)/python -m pip --version >/dev/null 2>&1 \
	  && $(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	    echo "EAR-Sim needs Python 3.11 or newer, and '$(PYTHON)' is not: try  make PYTHON=python3.12"; exit 1; }; \
	  $(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	    echo "'$(PYTHON)' cannot make virtual environments: install its venv module (Debian: apt install python3-venv)."; exit 1; }; \
	  $(PYTHON) -m venv --clear $(VENV); }
	@echo "Installing EAR-Sim into $(VENV) (once; one to two minutes) ..."
	@$(PIP) install --editable '.[dev]'
	@touch $@

$(FAST_READY): $(READY) hatch_build.py $(PACKED)
	@echo "Compiling the core (six and a half minutes on two cores; needs a C compiler) ..."
	@rm -rf dist/compiled
	@EARSIM_COMPILE=1 MYPY_CACHE_DIR=.mypy_cache/compiled $(BIN)/python -m build --wheel --outdir dist/compiled . > $(VENV)/compiling.log 2>&1 \
	  || { tail -n 30 $(VENV)/compiling.log; echo "No compiled wheel: $(VENV)/compiling.log says why."; exit 1; }
	@$(BIN)/python -m venv --clear $(FAST)
	@$(FAST)/bin/python -m pip -qq --disable-pip-version-check install "$$(ls dist/compiled/*.whl)[dev]"
	@cd $(FAST) && bin/python -c 'from earsim.installed import build; assert build() == "compiled", build()'
	@touch $@

$(TORCH_READY): $(READY)
	@echo "Installing PyTorch for the CPU and the extra 'train' into $(VENV) (once; 1.3 GB) ..."
	@$(PIP) install --no-deps --retries 1 --index-url $(TORCH_INDEX) '$(TORCH)'
	@$(PIP) install --editable '.[train]'
	@touch $@

# uv resolves to the lower bounds, which pip cannot; what only runs the tests is the newest.
$(LOWEST_READY): pyproject.toml
	@$(PYTHON) -m venv --clear $(LOWEST)
	@echo "Installing the lowest versions of the extra 'train' into $(LOWEST) (once; several GB) ..."
	@$(LOWEST)/bin/python -m pip -qq --disable-pip-version-check install uv
	@VIRTUAL_ENV=$(LOWEST) $(LOWEST)/bin/uv pip install -q --resolution lowest-direct -r pyproject.toml --extra train
	@VIRTUAL_ENV=$(LOWEST) $(LOWEST)/bin/uv pip install -q pytest pytest-xdist hypothesis jsonschema
	@VIRTUAL_ENV=$(LOWEST) $(LOWEST)/bin/uv pip install -q --no-deps --editable .
	@touch $@

$(DOCS_READY): $(READY)
	@$(PIP) install --editable '.[docs]'
	@touch $@
