# Two commands do everything: `make run` and `make test`; both set the environment up first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
ARGS ?= plugin=ltlbench
PACKAGES := $(wildcard libs/* plugins/*)
STAMP := $(VENV)/.installed

# Compiled once, not by each of the many processes that tests and shards are.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test lint docs wheels audit bench fuzz reliability setup clean

setup: $(STAMP)

$(STAMP): constraints.txt pyproject.toml $(PACKAGES:%=%/pyproject.toml)
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "harness needs Python 3.11 or newer, this is " + sys.version.split()[0])'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt setuptools wheel
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt --no-build-isolation -e '.[dev]' $(PACKAGES:%=-e ./%)
	touch $@

run: $(STAMP)
	$(BIN)/harness run $(ARGS)

# ROOM=report for the tests of one room of harness/, of one plugin or of one library; all of them without it.
# Three on two cores: some of the tests wait for other processes.
test: $(STAMP)
	$(BIN)/python -m pytest -n 3 --dist worksteal $(if $(ROOM),$(or $(wildcard tests/$(ROOM) plugins/$(ROOM)/tests libs/$(ROOM)/tests),$(error no room '$(ROOM)': see tests/, plugins/ and libs/)))

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo --no-cache

# The site, warnings as errors (with --quiet they would not be counted): open build/site/index.html.
docs: $(STAMP)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# The packages as users install them, on each Python of PYTHONS that is found; CHECK=yes for the conformance kit, too.
PYTHONS ?= 3.11,3.12,3.13
CHECK ?= no
wheels: $(STAMP)
	$(BIN)/python benchmarks/wheels.py pythons=$(PYTHONS) check=$(CHECK)

# --strict: a package that the database does not know is a failure, not a success.
audit: $(STAMP)
	$(PYTHON) -m venv $(VENV)/audit
	$(VENV)/audit/bin/python -m pip install --quiet --disable-pip-version-check pip-audit
	$(VENV)/audit/bin/pip-audit --strict --no-deps --disable-pip -r constraints.txt

bench: $(STAMP)
	$(BIN)/python benchmarks/ltlbench.py
	$(BIN)/python benchmarks/timepuzzles.py
	$(BIN)/python benchmarks/vltl.py
	$(BIN)/python benchmarks/tempobench.py
	$(BIN)/python benchmarks/reading.py
	$(BIN)/python benchmarks/auditing.py
	$(BIN)/python benchmarks/reporting.py
	$(BIN)/python benchmarks/rewards.py
	$(BIN)/python benchmarks/scale.py

# SECONDS a target, TARGET one of `make fuzz TARGET=?`, ENGINE mutate or atheris; see docs/fuzzing.md.
SECONDS ?= 60
ENGINE ?= mutate
fuzz: $(STAMP)
	PYTHONPATH=tests $(BIN)/python -m fuzzing seconds=$(SECONDS) engine=$(ENGINE) $(if $(TARGET),'target=$(TARGET)')

# The table of docs/reliability.md, anew; as root, or with less: see there.
reliability: $(STAMP)
	$(BIN)/python benchmarks/reliability.py write=yes

clean:
	rm -rf $(VENV)
