"""What stands in the place of what a document's commands need and a test has not: each with its reason."""

from __future__ import annotations

import re
from typing import NamedTuple

ALL = ""  # in the place of a page: on every page


class Rule(NamedTuple):
    """In the commands of a page, ``by`` takes the place of what the pattern finds."""

    page: str
    pattern: str
    by: str
    reason: str

    def of(self, page: str, text: str) -> str:
        return re.sub(self.pattern, self.by, text) if self.page in (ALL, page) else text


# Placeholders, filled in. What this yields is what the document says, and is held against the real parser.
FILLED = (
    Rule("docs/guide.md", r"\bplugin=…(?=.* prune_model=)", "plugin=vltl", "one with a question to ask of its items"),
    Rule("docs/guide.md", r"\bplugin=…(?=.* structured=)", "plugin=tempobench", "one with a schema of its answers"),
    Rule(ALL, r"\bplugin=(?:…|NAME\b)", "plugin=ltlbench", "any benchmark"),
    Rule(ALL, r"\bitem=(?:…|ID\b)", "item=0", "any item"),
    Rule(ALL, r"\bmodel=…", "model=harness/random", "any model; this one needs no network"),
    Rule(ALL, r"\bmodel=together/…", "model=together/some", "any model of theirs"),
    Rule(ALL, r"^harness show format=…", "harness show plugin=ltlbench format=svg", "any format"),
    Rule("docs/scale.md", r'"\$SLURM_\w+"', "8", "a number that Slurm sets"),
    Rule("docs/published-sets.md", r"\bPATH/TO/", "", "files of ours in the published form"),
    Rule(ALL, r"2026-….eval", "A.eval", "a log, whose name is a time and an id"),
    Rule(ALL, r"\bLOG\b", "run.eval", "any log"),
    Rule(ALL, r"\bNEW\.eval", "new.eval", "any name"),
    Rule(ALL, r"=FILE\.jsonl", "=some.jsonl", "any name"),
    Rule(ALL, r"^(pip install -e) FOLDER", r"\1 ./examples/timetables", "any plugin's folder"),
    Rule(ALL, r"^(pip install \./examples)/NAME", r"\1/timetables", "any of them"),
    Rule("examples/timetables/README.md", r"'\.\[test\]'", "'./examples/timetables[test]'", "behind a cd to there"),
    Rule("docs/conformance.md", r"import MODULE", "import harness_ltlbench", "any plugin's module"),
    Rule("docs/export.md", r"\bformat=NAME", "format=ltlbench_csv", "any format of the benchmark"),
    Rule("docs/fuzzing.md", r"target=NAME input=FILE", "target=ltl input=some", "any of them"),
    Rule("plugins/tempobench/README.md", r"^harness export … to=published format=…",
         "harness export plugin=tempobench to=published format=tempobench_raw", "any items and format"),
    Rule("plugins/timepuzzles/README.md", r"^harness export …", "harness export plugin=timepuzzles", "any items"),
    Rule("plugins/tempobench/README.md", r"\b(specs|machines)=DIR", r"\1=\1", "any folder of such files"),
    Rule("plugins/tempobench/README.md", r"\bharness_tlsf FILE", "harness_tlsf arbiter.tlsf", "any such file"),
)  # fmt: skip

# What would take minutes, a network or a cluster. As little as possible of a command is replaced.
SMALLER = (
    Rule(ALL, r"(\bn=|--n )\d{2,}\b", r"\g<1>2", "two items show what three hundred show"),
    Rule(ALL, r"^(harness (?:run|verify|traces|score(?= plugin)) (?!\S*\.yaml|.*(?:\b(?:n|dataset)=|--n )).*)$",
         r"\1 n=2", "100 items by default"),
    Rule(ALL, r"^(harness check .*?)$", r"\1 n=3 only=read,engines,golden",
         "all of the kit takes 10 s; test_examples.py and test_scaffold.py run it"),
    Rule(ALL, r"\boperators=1,2,3,4,5,7,9\b", "operators=1,9", "a sweep of two is a sweep"),
    Rule(ALL, r"anthropic/[\w-]+", "harness/constant", "its client is no dependency; other providers are asked"),
    Rule(ALL, r"=http://localhost:8000/v1", "={server}", "the port is this test's server's"),
    Rule(ALL, r"^export OPENAI_API_KEY=…", "export OPENAI_API_KEY=none", "nobody's key"),
    Rule(ALL, r"\bout=s3://bucket/", "out=bucket/", "no bucket; test_storage.py has one"),
    Rule(ALL, r" engine=ray\b", "", "no cluster; test_ray.py has one"),
    Rule(ALL, r" shards=\d+(?: workers=\d+)?", "", "a process of 4 s each; test_run_shards.py has some"),
    Rule(ALL, r"\blog_dir=/shared/", "log_dir=shared/", "no folder that nodes share"),
    Rule("README.md", r" out=report\b", "", "the page is drawn for docs/reports.md"),
    Rule("docs/scale.md", r" out=page\b", "", "the page is drawn for docs/reports.md"),
)  # fmt: skip

# What is not run, word by word; the words of ours in it are held against the real parser all the same.
_SANDBOX = "needs a Docker engine; test_tools.py"
_SLURM = "a line of the script for Slurm, which has to be a script (below)"
_RAY = "a cluster; test_ray.py starts one, and Ray's own parser takes the words"
_LIBRARY = "needs reasoning-gym, and a quarter of an hour"
LISTED = {
    "harness run plugin=timepuzzles model=openai/gpt-5 tools=code,both sandbox=docker": _SANDBOX,
    "harness run plugin=… model=openai/gpt-5 tools=code sandbox=docker": _SANDBOX,
    "docker run --rm $(docker build -q .)": "needs a Docker engine",
    "harness view": "serves until Ctrl-C; test_viewing.py",
    "set -euo pipefail": _SLURM,
    'source "$HOME/harness/.venv/bin/activate"': _SLURM,
    'head=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)': _SLURM,
    'srun --nodes="$SLURM_JOB_NUM_NODES" --ntasks="$SLURM_JOB_NUM_NODES" ray symmetric-run --address "$head:6379" '
    '--min-nodes "$SLURM_JOB_NUM_NODES" --num-cpus "$SLURM_CPUS_PER_TASK" -- harness generate plugin=ltlbench '
    'n=1000000000 engine=ray out="$SCRATCH/ltl"': _SLURM,
    "harness generate plugin=ltlbench n=1000000000 engine=ray workers=512 out=s3://bucket/ltl":
        "the entry point of a RayJob on Kubernetes",
    "ray job submit --address http://HEAD:8265 --no-wait -- "
    "harness generate plugin=ltlbench n=1000000000 engine=ray out=s3://bucket/ltl": _RAY,
    "ray symmetric-run": _RAY,
    "python -m harness_reasoning_gym.measure out=docs/reasoning-gym.md": _LIBRARY,
    "python -m harness_reasoning_gym.measure out=docs/reasoning-gym.md n=8": _LIBRARY,
    "umask 077": "the shell's own",
    "ulimit -v": "the shell's own",
    "ruff check .": "test_scaffold.py runs it on what `harness new` writes",
}  # fmt: skip

# Benchmarks whose library may be missing: their examples are run where it is not.
NEEDED = {"reasoning_gym": "reasoning_gym"}

# Packages of others that pip is asked for.
FOREIGN = ("pandas", "jupyterlab", "openai")

# Blocks that are no commands, by page and first line, where they are not called `text` and stand below what prints
# them: the command that does, …
PRINTED = {
    ("docs/comparing.md", "question                      case                                                      "
     "discordant  items  decided by  ± half width"): "harness plan plugin=ltlbench operators=3 d=0.05",
    ("docs/comparing.md", "items  answers to each  ± half width  power, one model  power, two models"):
        "harness plan plugin=ltlbench d=0.15 calls=50",
}  # fmt: skip
# … or they say which files there are then, …
MADE = {("docs/export.md", "folder/README.md                              the dataset card")}
_FILE = "figures of a published file"
# … or why they are not compared with anything here.
LEFT = {
    ("docs/comparing.md", "A: recorded/acme/small-1"): "figures of two made-up models, 300 answers each",
    ("docs/conformance.md", "FAIL  read: item 0: read() does not recognise the prompt 'There were 7 events, A to G, "
     "no two of t'… (673 characters)"): "a test of its own, below",
    ("docs/contract.md",
     "warning: plugin 'mybench': the hook render() is deprecated and goes with contract 2: write draw() instead"):
        "no hook is deprecated now; test_contract.py deprecates one",
    ("docs/explain-timepuzzles.md", "1832-04-30, 1844-04-29, 1928-04-30, 1940-04-29, 2012-04-30, 2024-04-29"):
        "worked out by hand",
    ("docs/proofs.md", "formulas  0: not 2    1: G 0    2: F 1"): "worked out by hand; libs/proof/tests",
    ("docs/proofs.md", "chance    [1, 2]"): "worked out by hand; libs/proof/tests",
    ("docs/published-sets.md",
     "ltlbench: 300 items, labels: 300 agree, 0 wrong, 0 undecided, 0 unscored; unreadable records: 0"): _FILE,
    ("docs/published-sets.md", "accuracy            0.740"): _FILE,
    ("docs/published-sets.md", "LunarDate(1900, 1, -36553, 0)"): "printed by Python; test_gallery.py",
    ("docs/published-sets.md",
     "vltl: 790 items, labels: 789 agree, 1 wrong (1 by every engine and the record), 0 undecided, 0 unscored; "
     "unreadable records: 0"): _FILE,
    ("docs/guide.md", "metric                       value   95 % interval    majority  random  shortcut"):
        "figures of some model",
    ("docs/traces.md",
     "Look at the sequence event3, (event1, event2), of which the part in parentheses repeats forever."):
        "an item that no command names",
    ("plugins/tempobench/README.md",
     '{"XXX g": {"0": ["no constraints"], "1": ["r"], "2": ["a or !b", "c"], "3": ["no constraints"]}}'): "an answer",
    ("plugins/timepuzzles/CLUES.md",
     '{"range": ["1800-01-01", "2050-12-31"], "clues": [{"type": "month", "month": 3}, …]}'): "a problem",
    ("plugins/timepuzzles/FACTS.md", "kind,name,start,end"): "facts in CSV and YAML",
}  # fmt: skip

# What looks like a setting in running text, and is none that every installation takes.
_FORM = "how settings are written"
_PYTHON = "an argument in Python"
_NAMED = "stands for a file or folder"
_SCRIPT = "of benchmarks/behaviour.py"
_DATA = "in a formula of a dataset"
NO_SETTINGS = {
    "key=value": _FORM,
    "key=a,b": _FORM,
    "key=a,b,c": _FORM,
    "key=[a],[b,c]": _FORM,
    "shards=N": _FORM,
    "fail_on_error=False": _PYTHON,
    "any_version=True": _PYTHON,
    "truncated=True": _PYTHON,
    "facts=FILE": _NAMED,
    "facts=FILE.csv": _NAMED,
    "facts=FILE.yaml": _NAMED,
    "scenario=FILE.yaml": _NAMED,
    "p=0": _DATA,
    "p=1": _DATA,
    "light=red": _DATA,
    "compare=FILE.json": _SCRIPT,
    "journal=FILE": "of examples/journal, which is not installed",
}
