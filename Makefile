# Two commands do everything: `make run` and `make test`; both set the environment up first.
PYTHON ?= python3
VENV := .venv
# --system-site-packages: a Spot of conda's is seen where PYTHON is conda's.
VENVFLAGS :=
BIN := $(VENV)/bin
ARGS ?= plugin=ltlbench
PACKAGES := $(wildcard libs/* plugins/*)
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# Compiled once, not by each of the many processes that tests and shards are.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run setup test lint docs wheels extras pins audit bench fuzz mutants reliability clean

# What a run needs: the core, the libraries, the four benchmarks. EXTRAS="report ray" for parts of pyproject.toml beside.
setup: $(VENV)/.run $(EXTRAS:%=$(VENV)/.%)

$(VENV)/.run: constraints.txt pyproject.toml $(PACKAGES:%=%/pyproject.toml)
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "harness needs Python 3.11 or newer, this is " + sys.version.split()[0])'
	$(PYTHON) -m venv $(VENVFLAGS) $(VENV)
	$(PIP) -c constraints.txt setuptools wheel
	$(PIP) -c constraints.txt --no-build-isolation -e . $(PACKAGES:%=-e ./%)
	@$(BIN)/python -c 'from harness_logic import spot_library as s; s.installed() or print("note: " + s.MISSING)'
	touch $@

# An extra of pyproject.toml, with its pins; a file of its own holds those that do not go with the others'.
$(VENV)/.%: $(VENV)/.run $(wildcard constraints-*.txt)
	$(PIP) -c $(firstword $(wildcard constraints-$*.txt) constraints.txt) --no-build-isolation -e '.[$*]'
	touch $@

run: $(VENV)/.run
	$(BIN)/harness run $(ARGS)

# ROOM=report for the tests of one room of harness/, of one plugin or of one library; all of them without it.
# CASES=all runs every test on every random case, as CI does; without it one case of eight, and no slow
# test (tests/cases.py).
# Three on two cores: some of the tests wait for other processes.
CASES ?= some
test: $(VENV)/.test
	HARNESS_CASES=$(if $(findstring |$(CASES)|,|some|all|),$(CASES),$(error CASES is some or all)) $(BIN)/python -m pytest -n 3 --dist worksteal $(if $(ROOM),$(or $(wildcard tests/$(ROOM) plugins/$(ROOM)/tests libs/$(ROOM)/tests),$(error no room '$(ROOM)': see tests/, plugins/ and libs/)))

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo --no-cache

# The site, warnings as errors (with --quiet they would not be counted): open build/site/index.html.
docs: $(VENV)/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# The packages as users install them, on each Python of PYTHONS that is found; CHECK=yes for the conformance kit, too.
PYTHONS ?= 3.11,3.12,3.13
CHECK ?= no
wheels: $(VENV)/.run
	$(BIN)/python benchmarks/wheels.py pythons=$(PYTHONS) check=$(CHECK)

# Every extra with its pins; those that no other target installs in environments of their own, with their tests.
extras: $(VENV)/.run
	$(BIN)/python benchmarks/extras.py

# The pins that lag behind, and what holds each back.
pins: $(VENV)/.run
	$(BIN)/python benchmarks/pins.py

# --strict: a package that the database does not know is a failure, not a success.
audit: $(VENV)/.run
	$(PYTHON) -m venv $(VENV)/audit
	$(VENV)/audit/bin/python -m pip install --quiet --disable-pip-version-check pip-audit
	$(VENV)/audit/bin/pip-audit --strict --no-deps --disable-pip -r constraints.txt

bench: $(VENV)/.test
	$(BIN)/python benchmarks/ltlbench.py
	$(BIN)/python benchmarks/timepuzzles.py
	$(BIN)/python benchmarks/vltl.py
	$(BIN)/python benchmarks/tempobench.py
	$(BIN)/python benchmarks/tempobench_causes.py
	$(BIN)/python benchmarks/tempobench_items.py
	$(BIN)/python benchmarks/reading.py
	$(BIN)/python benchmarks/auditing.py
	$(BIN)/python benchmarks/blind.py
	$(BIN)/python benchmarks/reporting.py
	$(BIN)/python benchmarks/rewards.py
	$(BIN)/python benchmarks/long_answers.py
	$(BIN)/python benchmarks/scale.py
	$(BIN)/python benchmarks/proofs.py

# SECONDS a target, TARGET one of `make fuzz TARGET=?`, ENGINE mutate or atheris; see docs/fuzzing.md.
SECONDS ?= 60
ENGINE ?= mutate
fuzz: $(VENV)/.test $(if $(filter atheris,$(ENGINE)),$(VENV)/.fuzz)
	PYTHONPATH=tests $(BIN)/python -m fuzzing seconds=$(SECONDS) engine=$(ENGINE) $(if $(TARGET),'target=$(TARGET)')

# The tables of docs/mutants.md, anew: N mutants of each group, all of N=all; GROUPS='lassos;metrics' prints some only.
mutants: $(VENV)/.test $(VENV)/.mutants
	$(BIN)/python benchmarks/mutants.py $(if $(N),n=$(N)) $(if $(GROUPS),'groups=$(GROUPS)')

# The table of docs/reliability.md, anew; as root, or with less: see there.
reliability: $(VENV)/.test
	$(BIN)/python benchmarks/reliability.py write=yes

clean:
	rm -rf $(VENV)
