"""Mutation testing of what decides a number: would a test notice if a line of it were another? Makes docs/mutants.md.

    make mutants [N=40] [GROUPS=answers,lassos]

Cosmic Ray makes the mutants (a comparison turned round, a number one off, …); of each group ``N`` of them are drawn
by a fixed seed, ``all`` takes all. Each is tried in a copy of the checkout, with the tests of its group, until the
first fails. A mutant that survives stands by the reason that ``mutants.toml`` gives, by the line it changes; one that
does the same as the program is counted only.
Not counted are mutants of annotations, which nothing evaluates.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from cosmic_ray.commands import init
from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.work_db import WorkDB, use_db

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "mutants.md"
REASONS = ROOT / "benchmarks" / "mutants.toml"
BEGIN = "<!-- made by benchmarks/mutants.py -->"
SEED = 20261124
DRAWN = 40
SECONDS = 120  # that the tests of one mutant may take

# Of each group the modules, and the tests, the quickest first.
GROUPS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "answers": (
        ("libs/answers/harness_answers/*.py",),
        (
            "libs/answers/tests", "tests/project/test_replies.py", "plugins/ltlbench/tests/test_ltlbench_trace.py",
            "plugins/ltlbench/tests/test_answers.py",
            "plugins/timepuzzles/tests/test_answers.py", "plugins/vltl/tests/test_answers.py",
            "plugins/tempobench/tests/test_answers.py", "plugins/vltl/tests/test_hostile.py",
        ),
    ),
    "score, ltlbench": (
        ("plugins/ltlbench/harness_ltlbench/answers/score.py",),
        ("plugins/ltlbench/tests/test_score.py", "plugins/ltlbench/tests/test_published.py"),
    ),
    "score, timepuzzles": (
        ("plugins/timepuzzles/harness_timepuzzles/answers/score.py",),
        ("plugins/timepuzzles/tests/test_score.py", "plugins/timepuzzles/tests/test_published.py"),
    ),
    "score, tempobench": (
        ("plugins/tempobench/harness_tempobench/answers/score*.py",),
        tuple(
            f"plugins/tempobench/tests/test_{name}.py"
            for name in ("score", "explanations", "runs_and_necessary_inputs", "answers", "published")
        ),
    ),
    "score, vltl": (
        ("plugins/vltl/harness_vltl/answers/score.py", "plugins/vltl/harness_vltl/answers/formula_score.py"),
        tuple(f"plugins/vltl/tests/test_{name}.py" for name in ("score", "evaluate", "staged", "published")),
    ),
    "metrics": (
        ("harness/run/metrics.py", "harness/run/repeats.py", "plugins/*/harness_*/metrics.py"),
        (
            "plugins/ltlbench/tests/test_metrics.py", "plugins/tempobench/tests/test_metrics.py",
            "tests/run/test_stats.py", "tests/run/test_repeats.py",
            "tests/datasets/test_wrong.py", "plugins/vltl/tests/test_score.py",
            "plugins/tempobench/tests/test_score.py",
            "plugins/timepuzzles/tests/test_score.py", "tests/run/test_floors.py",
        ),
    ),
    "statistics": (
        ("harness/run/stats.py", "harness/report/statistics*.py", "harness/report/power.py"),
        (
            "tests/run/test_stats.py", "tests/report/test_statistics.py", "tests/report/test_power.py",
            "tests/run/test_repeats.py", "tests/report/test_numbers.py", "tests/report/test_compare.py",
        ),
    ),
    "lassos": (
        ("libs/logic/harness_logic/lassos.py", "plugins/ltlbench/harness_ltlbench/engines/lasso.py",
         "plugins/vltl/harness_vltl/lassos.py"),
        (
            "libs/logic/tests", "plugins/ltlbench/tests/test_lasso.py", "plugins/vltl/tests/test_traces.py",
            "plugins/ltlbench/tests/test_score.py", "plugins/vltl/tests/test_engines.py",
            "plugins/ltlbench/tests/test_answers.py", "plugins/vltl/tests/test_suites.py",
        ),
    ),
    "proofs": (
        ("libs/proof/harness_proof/*.py",),
        (
            "libs/proof/tests",
            *(f"plugins/{name}/tests/test_proof.py" for name in ("ltlbench", "vltl", "tempobench", "timepuzzles")),
        ),
    ),
}  # fmt: skip


class Mutant(NamedTuple):
    """A mutant that was tried: its group, where it is, the line before and after, and whether a test noticed."""

    group: str
    place: str
    before: str
    after: str
    killed: bool


def mutations(patterns: Sequence[str]) -> list[Any]:
    """Return all mutations of some modules, in a fixed order, but those of annotations."""
    paths = sorted(path.relative_to(ROOT) for one in patterns for path in ROOT.glob(one))
    with use_db(":memory:", WorkDB.Mode.create) as db:
        init(paths, db, {})
        found = [item.mutations[0] for item in db.work_items]
    idle = {str(path): set(annotated(path)) for path in paths}
    found = [one for one in found if tuple(one.start_pos) not in idle[str(one.module_path)]]
    return sorted(found, key=lambda one: (str(one.module_path), one.operator_name, one.occurrence))


def annotated(path: Path) -> Iterator[tuple[int, int]]:
    """Yield the places, (line, column), of a module's annotations."""
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        for part in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if part is None:
                continue
            for line in range(part.lineno, (part.end_lineno or 0) + 1):
                first = part.col_offset if line == part.lineno else 0
                last = part.end_col_offset if line == part.end_lineno else 200
                yield from ((line, column) for column in range(first, last or 0))


def copy() -> Path:
    """Copy the files of the checkout to a folder of their own, and go there."""
    folder = Path(tempfile.mkdtemp(prefix="mutants"))
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True
    )
    for name in listed.stdout.decode().splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    packages = [folder, *(folder / "libs").iterdir(), *(folder / "plugins").iterdir()]
    os.environ |= {
        "PYTHONPATH": os.pathsep.join(map(str, packages)),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    os.chdir(folder)
    return folder


_folder: list[Path] = []  # of this process


def tests(group: str) -> list[str]:
    """Return the command that runs the tests of a group, in a copy, until the first fails."""
    if not _folder:
        _folder.append(copy())
    return [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-x",
        "-p",
        "no:cacheprovider",
        "--hypothesis-seed=0",
        *GROUPS[group][1],
    ]


def fault(group: str) -> str:
    """Run the tests of a group without a mutant; return what fails, nothing if they pass."""
    run = subprocess.run(tests(group), capture_output=True, text=True)
    return f"{group}, without a mutant:\n{run.stdout[-2000:]}" if run.returncode else ""


def tried(group: str, mutation: Any) -> Mutant:
    """Try one mutant in this process's copy of the checkout."""
    result = mutate_and_test([mutation], " ".join(tests(group)), SECONDS)
    lines = [line for line in (result.diff or "").splitlines() if line[:3] not in ("---", "+++")]
    before, after = (
        next((" ".join(line[1:].split()) for line in lines if line[:1] == sign), "?")
        for sign in "-+"
    )
    place = f"{mutation.module_path}:{mutation.start_pos[0]}"
    return Mutant(group, place, before, after, str(result.test_outcome) != "TestOutcome.SURVIVED")


def page(mutants: Sequence[Mutant], total: dict[str, int]) -> str:
    """Return a table of what was killed by group, and the survivors by their reasons."""
    reasons = tomllib.loads(REASONS.read_text(encoding="utf-8"))
    why = {
        one: reasons.get(one.place.partition(":")[0], {}).get(one.after, "**No test notices it.**")
        for one in mutants
        if not one.killed
    }
    rows = [
        "|group|mutants|tried|equal|killed|survived|",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for group in [*total, "**all**"]:
        ours = [one for one in mutants if group in (one.group, "**all**")]
        left = [one for one in ours if not one.killed]
        equal = sum(why[one].startswith("Equal") for one in left)
        killed = len(ours) - len(left)
        share = killed / (len(ours) - equal)
        many = total.get(group, sum(total.values()))
        rows.append(
            f"|{group}|{many:,}|{len(ours)}|{equal}|{killed} ({share:.0%})|{len(left) - equal}|"
        )
    rows.append("")
    for reason in sorted({reason for reason in why.values() if not reason.startswith("Equal")}):
        places = (f"`{one.place}`" for one in why if why[one] == reason)
        rows.append(f"- {reason.removesuffix('.')}: {', '.join(places)}")
    return "\n".join(rows)


def main(words: Sequence[str]) -> int:
    """Try the mutants and write the page; all of the groups are needed for that."""
    given = dict(word.partition("=")[::2] for word in words)
    groups = [one.strip() for one in given.get("groups", "").split(";") if one.strip()] or [*GROUPS]
    os.chdir(ROOT)
    known = {group: mutations(GROUPS[group][0]) for group in groups}
    many = given.get("n") or str(DRAWN)
    jobs = [
        (group, one)
        for group, found in known.items()
        for one in (
            found if many == "all" else Random(SEED).sample(found, min(int(many), len(found)))
        )
    ]
    mutants = []
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        if wrong := "".join(pool.map(fault, groups)):
            sys.exit(f"mutants.py: tests fail: {wrong}")
        for mutant in pool.map(tried, *zip(*jobs, strict=True)):
            mutants.append(mutant)
            sign = "killed  " if mutant.killed else "SURVIVED"
            print(
                sign,
                mutant.group,
                mutant.place,
                mutant.before,
                "→",
                mutant.after,
                sep="  ",
                flush=True,
            )
        for folder in {folder for found in pool.map(_own, range(8)) for folder in found}:
            shutil.rmtree(folder, ignore_errors=True)
    text = page(mutants, {group: len(found) for group, found in known.items()})
    print(text)
    if groups == [*GROUPS]:
        old = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(f"{old.partition(BEGIN)[0]}{BEGIN}\n\n{text}\n", encoding="utf-8")
    return 0


def _own(_: int) -> list[Path]:
    return _folder


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
