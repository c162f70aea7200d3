"""Rows of the reliability table: engines in native code that crash, hang or take all memory, on one item in two."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random

import reliability_kit as kit
from reliability_kit import Broken, Command, Row, Tally

from harness.core.installed import GROUP

N = 5  # items, of which every second one has the fault
HIT = N // 2
TOY = "toy_engines"
FAULTS = {
    "segmentation fault": ("segfault", "a write to address 0", "SIGSEGV"),
    "abort": ("abort_loudly", "abort()", "SIGABRT"),
    "out of memory": ("hog", "takes memory beyond its limit of 300 MiB", "300 MB of memory"),
    "hang": ("hang_natively", "a loop in native code, limit 0.4 s", "ran longer than 0.4 s"),
}


def site(folder: Path) -> dict[str, str]:
    """Install the toy of tests/toys in a folder; return the environment of a process that finds it."""
    own = folder / "site"
    info = own / "engines_toy-0.1.dist-info"
    info.mkdir(parents=True)
    hooks = f"import toy_engines\n\nglobals().update(toy_engines.Engines({TOY!r}).hooks())\n"
    (own / "engines_toy.py").write_text(hooks)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: engines-toy\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n{TOY} = engines_toy\n")
    return {"PYTHONPATH": os.pathsep.join(map(str, (own, kit.TESTS / "toys", kit.TESTS)))}


def scored(fault: str, folder: Path, _: Random) -> Tally:
    """Have the engine of a scorer fail: its item is unscored, with the reason, and the others are right."""
    from inspect_ai.log import read_eval_log

    words = ("hook=score", f"faults={FAULTS[fault][0]}", f"n={N}", "model=harness/reference")
    command = Command(
        folder, "run", f"plugin={TOY}", *words, "log_dir=logs", "--json", env=site(folder)
    )
    (result,) = json.loads(command.ended(1))["results"]
    if (result["n"], result["unscored"], result["unparsed"]) != (N, HIT, 0):
        raise Broken(f"{result['unscored']} unscored, {result['unparsed']} unparsed of {N}")
    samples = read_eval_log(str(folder / result["log"])).samples or []
    right = 0
    for sample in samples:
        (score,) = (sample.scores or {}).values()
        bad = (score.metadata or {})["outcome"] == "unscored"
        if bad and FAULTS[fault][2] not in str(score.explanation):
            raise Broken(f"the reason is not told: {score.explanation}")
        right += not bad and score.value == {"correct": 1, "unparsed": 0}
    return Tally(HIT, N - HIT - right, len(samples) - len({one.id for one in samples}))


def solved(fault: str, folder: Path, _: Random) -> Tally:
    """Have an engine fail in an audit: one opinion is missing, and told; the others are there."""
    words = ("hook=solve", f"faults={FAULTS[fault][0]}", f"n={N}", "report=none")
    command = Command(folder, "verify", f"plugin={TOY}", *words, "--json", env=site(folder))
    found = json.loads(command.ended(1))
    told = [one for one in found["findings"] if FAULTS[fault][2] in one["message"]]
    if (len(told), found["kinds"]) != (HIT, {"engine": HIT}):
        raise Broken(f"findings {found['kinds']}")
    return Tally(HIT, N - found["agree"], found["records"] - N)


def rows() -> list[Row]:
    """Return the rows of both commands."""
    return list(_rows())


def _rows() -> Iterator[Row]:
    for command, trial in (("run: engine in score", scored), ("verify: engine in solve", solved)):
        for fault, (_, how, _said) in FAULTS.items():
            yield Row(command, fault, how, partial(trial, fault))
