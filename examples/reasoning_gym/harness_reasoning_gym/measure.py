"""Hold every dataset against the conformance kit, and its bare verifier against answers that are none.

    python -m harness_reasoning_gym.measure out=docs/reasoning-gym.md [n=8] [tasks=gcd,lcm] [rows=FILE.json]

What was measured is kept in a file of rows, so that an interrupted measurement goes on.
Datasets are tried in a process apart, which is ended and started anew where one takes longer than `SECONDS`.
"""

from __future__ import annotations

import builtins
import json
import os
import platform
import queue
import random
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

from harness import HarnessError, SpecError, __version__, canonical_json, digest, rng_for
from harness_reasoning_gym.names import LIBRARY, SEED_BITS, SHORT_SEEDS, TASKS

SECONDS = 900.0
"""Wall-clock time that a dataset has for everything."""

CHECKS = (
    *("schema", "values", "roundtrip", "order", "seeds", "target", "junk", "hedge"),
    *("constants", "foreign", "prefixes", "leak", "read", "engines", "certificates"),
)
ELSEWHERE = "processes"
"""The check that other processes make the same items: made in two for all datasets, and not in two for each."""

SAME = ("read", "engines", "certificates")  # fail for all of them, and why is said once

JUNK = (None, "", " ", "I don't know.", "?", "lorem ipsum dolor", "None of the above.")
MARKER = "qqmarkerqq"


def main(words: Sequence[str]) -> int:
    """Measure and write the page; return 0."""
    settings = dict(word.partition("=")[::2] for word in words)
    unknown = set(settings) - {"out", "n", "tasks", "rows"}
    if unknown or "out" not in settings:
        raise SpecError(
            "usage: python -m harness_reasoning_gym.measure out=FILE.md [n=8] [tasks=a,b]"
        )
    tasks = settings.get("tasks", ",".join(TASKS)).split(",")
    n = int(settings.get("n", "8"))
    kept = Path(settings.get("rows", settings["out"] + ".json"))
    measured_rows = _kept(kept, tasks, n)
    left = [task for task in tasks if task not in measured_rows]
    others = {seed: dict(_rows(left, n, "digests", seed)) for seed in ("1", "4242") if left}
    for row in measured(left, n):
        row["failures"] |= _elsewhere(row, others)
        measured_rows[row["task"]] = row
        outcome = ", ".join(row["failures"]) or "passes"
        sys.stderr.write(f"{len(measured_rows)}/{len(tasks)} {row['task']}: {outcome}\n")
        kept.write_text(
            json.dumps({"n": n, "rows": [*measured_rows.values()]}, indent=1), encoding="utf-8"
        )
    from harness_reasoning_gym.page import written

    page = written([measured_rows[task] for task in tasks], n, _facts())
    Path(settings["out"]).write_text(page, encoding="utf-8")
    return 0


def _kept(path: Path, tasks: Sequence[str], n: int) -> dict[str, dict[str, Any]]:
    """Return the rows that an interrupted measurement of as many items left; none that took too long."""
    if not path.exists():
        return {}
    saved = json.loads(path.read_text(encoding="utf-8"))
    rows = saved["rows"] if saved["n"] == n else []
    return {
        row["task"]: row for row in rows if row["task"] in tasks and "time" not in row["failures"]
    }


def _facts() -> dict[str, str]:
    return {
        "reasoning-gym": LIBRARY,
        "temporal-harness": __version__,
        "Python": platform.python_version(),
        "date": date.today().isoformat(),
    }


def _elsewhere(row: dict[str, Any], others: dict[str, dict[str, Any]]) -> dict[str, str]:
    """Return the failure of the check `ELSEWHERE`, if there is one."""
    here = row.pop("digests", [])
    for seed, digests in others.items():
        pairs = zip(here, digests.get(row["task"]) or [], strict=False)
        for index, (here_digest, other) in enumerate(pairs):
            if here_digest != other:
                message = f"item {index}: differs in another process under PYTHONHASHSEED={seed}"
                return {ELSEWHERE: message}
    return {}


def measured(tasks: Sequence[str], n: int) -> Iterator[dict[str, Any]]:
    """Yield what is found of each dataset, in order; of one that takes too long, that it does."""
    for task, row in _rows(tasks, n, "checks", "0"):
        failure = f"not done after {SECONDS:g} s, or its process died"
        yield row or {"task": task, "failures": {"time": failure}, "raw": {}}


def _rows(tasks: Sequence[str], n: int, what: str, hashseed: str) -> Iterator[tuple[str, Any]]:
    """Yield each dataset with what a process apart says of it; None where it took too long."""
    left = list(tasks)
    while left:
        for row in _child(left, n, what, hashseed):
            yield left.pop(0), row
        if left:
            yield left.pop(0), None


def _child(tasks: list[str], n: int, what: str, hashseed: str) -> Iterator[Any]:
    """Yield what a process says of dataset after dataset, until it is done or one of them takes too long."""
    command = [sys.executable, "-m", "harness_reasoning_gym.measure", what, str(n), *tasks]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "PYTHONHASHSEED": hashseed,
    }
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)  # noqa: S603 (our own)
    lines: queue.Queue[str | None] = queue.Queue()

    def read() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            lines.put(line)
        lines.put(None)

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        while (line := lines.get(timeout=SECONDS)) is not None:
            yield json.loads(line)
    except queue.Empty:
        pass
    finally:
        process.kill()
        process.wait()
        reader.join()
        if process.stdout is not None:
            process.stdout.close()


def _checks(task: str, n: int) -> dict[str, Any]:
    """Return what the conformance kit and the bare verifier say of a dataset."""
    from harness.testing import conformance, registry

    report = conformance(registry().get("reasoning_gym"), {"task": task}, n=n, only=CHECKS)
    failures = {check["name"]: check["failure"] for check in report["checks"] if check["failure"]}
    try:
        raw = bare(task, n)
    except Exception as error:  # the library's own, not behind the adapter here
        raw = {"error": f"{type(error).__name__}: {error}"[:200]}
    return {"task": task, "failures": failures, "raw": raw, "digests": _digests(task, n)}


def _digests(task: str, n: int) -> list[str]:
    """Return a digest of each item of a dataset, as this process makes it."""
    from harness_reasoning_gym.items import NAME, VERSION, item

    config = {"task": task, "options": {}}
    rngs = [rng_for(NAME, VERSION, canonical_json(config), "test", 0, index) for index in range(n)]
    try:
        return [digest(item(config, rng).to_dict()) for rng in rngs]
    except HarnessError:
        return []  # the check that makes items says so


def bare(task: str, n: int) -> dict[str, Any]:
    """Return what the bare verifier gives gold answers, no answers, hedges and other entries' answers."""
    from harness_reasoning_gym import library

    rng = random.Random(task)
    seeds = [rng.getrandbits(SHORT_SEEDS.get(task, SEED_BITS)) for _ in range(n)]
    golds = [library.entry(task, {}, seed).get("answer") for seed in seeds]
    raised: list[str] = []

    def grade(seed: int, answer: Any) -> float:
        try:
            return library.grade(task, {}, seed, answer)
        except HarnessError as error:
            raised.append(str(error))
            return 0.0

    texts = [gold for gold in golds if isinstance(gold, str)]
    pairs = [
        (seed, gold, other) for seed, gold in zip(seeds, golds, strict=True) for other in texts
        if isinstance(gold, str) and other != gold
    ]  # fmt: skip
    return {
        "gold": min(grade(seed, gold) for seed, gold in zip(seeds, golds, strict=True)),
        "without": sum(gold is None for gold in golds),
        "junk": max(grade(seed, junk) for seed in seeds for junk in JUNK),
        "hedge": max((grade(seed, f"{a} or {b}") for seed, a, b in _both(pairs)), default=None),
        "foreign": max((grade(seed, other) for seed, _, other in pairs), default=None),
        "raised": raised[0] if raised else None,
        "evaluates": _evaluates(task, seeds[0], grade),
        "global": any(_drawn(task, seed, 1) != _drawn(task, seed, 2) for seed in range(3 * n)),
        "neighbours": _neighbours(task, seeds[0] % 2**31),
    }


def _both(pairs: list[tuple[int, str, str]]) -> Iterator[tuple[int, str, str]]:
    for seed, gold, other in pairs:
        yield seed, gold, other
        yield seed, other, gold


def _evaluates(task: str, seed: int, grade: Callable[[int, Any], float]) -> bool:
    """Return whether a verifier runs an answer as Python: whether what it evaluates holds the answer's words."""
    with _watched() as seen:
        for answer in (f"{MARKER} + 1", MARKER, f"[{MARKER}]"):
            grade(seed, answer)
    return any(MARKER in code for code in seen)


@contextmanager
def _watched() -> Iterator[list[str]]:
    """Note the text of whatever is evaluated meanwhile."""
    seen: list[str] = []
    kept = {name: getattr(builtins, name) for name in ("eval", "exec", "compile")}

    def watching(act: Callable[..., Any]) -> Callable[..., Any]:
        def noting(source: Any, *rest: Any, **options: Any) -> Any:
            seen.append(source if isinstance(source, str) else "")
            if act is not kept["compile"] and not rest:  # they look for the caller's own names
                frame = sys._getframe(1)
                return act(source, frame.f_globals, frame.f_locals)
            return act(source, *rest, **options)

        return noting

    try:
        for name, act in kept.items():
            setattr(builtins, name, watching(act))
        yield seen
    finally:
        for name, act in kept.items():
            setattr(builtins, name, act)


def _drawn(task: str, seed: int, chance: int) -> Any:
    """Return a question as the library alone makes it, whatever the global generator has been through."""
    import numpy as np
    from reasoning_gym.factory import create_dataset

    random.seed(chance)
    np.random.seed(chance)
    return create_dataset(task, seed=seed, size=1)[0]["question"]


def _neighbours(task: str, seed: int) -> bool:
    """Return whether entry 1 of a seed is entry 0 of the next."""
    from reasoning_gym.factory import create_dataset

    second = create_dataset(task, seed=seed, size=2)[1]["question"]
    return bool(second == create_dataset(task, seed=seed + 1, size=2)[0]["question"])


_PARTS: dict[str, Callable[[str, int], Any]] = {"checks": _checks, "digests": _digests}

if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1] in _PARTS:
        out, sys.stdout = sys.stdout, sys.stderr  # datasets print, too
        for name in sys.argv[3:]:
            out.write(f"{json.dumps(_PARTS[sys.argv[1]](name, int(sys.argv[2])))}\n")
            out.flush()
    else:
        sys.exit(main(sys.argv[1:]))
