"""Whether the program still behaves as it did: every command from outside, compared with a record made before.

    python benchmarks/behaviour.py record=FILE.json [harness=EXECUTABLE] [only=run,show] [jobs=2]
    python benchmarks/behaviour.py compare=FILE.json [harness=EXECUTABLE] [only=run,show] [jobs=2]

Each of a fixed list of commands (`behaviour_commands`, `behaviour_results`, `behaviour_wrong`) is run in a fresh
folder. Recorded are its exit code, its ``--json`` object (or its lines), its lines on standard error, and what it
wrote: checksums of files, and of logs everything but what is drawn or timed. `behaviour_normal` has all rules by
which two runs may differ. `compare` prints a line for each difference, and its exit code is 1 if there is any.

``only`` takes groups of chains, or parts of their names (`only=tempobench`), ``keep=FOLDER`` leaves what was written
there, to be looked at. Published sets are taken from `../shared/data`; chains that need them end there, with a
note, where they are not. The list must be the same for both: a command that one side lacks is a difference.
"""

from __future__ import annotations

import json
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import behaviour_given
from behaviour_commands import CHAINS, Chain
from behaviour_results import RESULTS
from behaviour_seen import Folder, Seen
from behaviour_wrong import WRONG

DEFAULTS = {"record": "", "compare": "", "harness": "", "only": "", "jobs": "2", "keep": ""}
WIDTH = 110  # characters of a value in a line
ALL = (*CHAINS, *WRONG, *RESULTS)  # the long ones first


def main() -> int:
    """Record or compare; return 1 if anything differs, 2 for words that cannot be."""
    given = dict(word.partition("=")[::2] for word in sys.argv[1:])
    if set(given) - set(DEFAULTS) or bool(given.get("record")) == bool(given.get("compare")):
        print(str(__doc__).partition("\n\n")[2].partition("\n\nEach")[0], file=sys.stderr)
        return 2
    asked = DEFAULTS | given
    chains = _chosen(asked["only"])
    executable = Path(asked["harness"] or Path(sys.executable).parent / "harness").absolute()
    if not executable.is_file() or not chains:
        what = f"no chain fits only={asked['only']}" if executable.is_file() else f"no {executable}"
        print(what, file=sys.stderr)
        return 2
    old = json.loads(Path(asked["compare"]).read_text()) if asked["compare"] else None
    sources = old["examples"] if old else behaviour_given.examples()
    began = time.monotonic()
    found, notes = _run_all(chains, executable, sources, asked)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = f"{time.monotonic() - began:.0f} s, {used.ru_utime + used.ru_stime:.0f} s of CPU"
    print(f"{len(found)} commands in {took}", file=sys.stderr)
    if old is None:
        whole = {"harness": str(executable), "notes": notes, "examples": sources, "commands": found}
        Path(asked["record"]).write_text(json.dumps(whole, ensure_ascii=False))
        return 0
    return _compare(old, found, notes, chains)


def _chosen(only: str) -> list[Chain]:
    """Return the chains of these groups, or with these words in their names."""
    words = only.split(",") if only else [""]
    groups = {chain.group for chain in ALL}
    return [
        chain
        for chain in ALL
        if any(word == chain.group or (word not in groups and word in chain.name) for word in words)
    ]


def _run_all(
    chains: Sequence[Chain], executable: Path, sources: Mapping[str, str], asked: Mapping[str, str]
) -> tuple[dict[str, Seen], list[str]]:
    """Run the chains, some at a time; return what was seen of each command, and what was left out."""
    found: dict[str, Seen] = {}
    notes: list[str] = []
    root = Path(tempfile.mkdtemp(prefix="behaviour-")).resolve()
    try:
        for name in ("home", "tmp"):
            (root / name).mkdir()
        with ThreadPoolExecutor(max_workers=int(asked["jobs"])) as pool:
            tell = partial(_run, root, executable, sources)
            for number, (chain, seen, note) in enumerate(pool.map(tell, chains), 1):
                found |= seen
                notes += [note] if note else []
                print(f"{number}/{len(chains)} {chain.name} {note}".strip(), file=sys.stderr)
        if asked["keep"]:
            shutil.copytree(root, asked["keep"])
    finally:
        shutil.rmtree(root, ignore_errors=True)
    return found, notes


def _run(
    root: Path, executable: Path, sources: Mapping[str, str], chain: Chain
) -> tuple[Chain, dict[str, Seen], str]:
    """Run the lines of a chain; return what was seen of each by its name, and why the rest was left out."""
    folder = Folder(root, chain.name, executable)
    steps = behaviour_given.Steps(folder.path, sources)
    found: dict[str, Seen] = {}
    note = ""
    for number, line in enumerate(chain.lines):
        if not line.startswith("!"):
            began = time.monotonic()
            seen = folder.run(line)
            found[f"{chain.name} #{number}: {line}"] = seen | {
                "seconds": round(time.monotonic() - began, 1)
            }
            continue
        try:
            steps(line[1:])
        except behaviour_given.Absent as error:
            note = f"the rest of '{chain.name}' is left out: {error}"
            break
        except (OSError, ValueError, KeyError) as error:
            # A command before did not write what it should.
            why = f"{type(error).__name__}: {error}".replace(str(root), "<tmp>")
            found[f"{chain.name} #{number}: {line}"] = {"failed": why}
    return chain, found, note


# ------------------------------------------------------------------------------------- comparing


def _compare(
    old: Mapping[str, Any], found: Mapping[str, Seen], notes: Sequence[str], chains: Sequence[Chain]
) -> int:
    """Print each difference in a line; return the exit code."""
    names = {chain.name for chain in chains}
    before = {
        name: seen for name, seen in old["commands"].items() if name.partition(" #")[0] in names
    }
    apart = 0
    for note in sorted({*old["notes"], *notes}):
        print(f"note: {note}")
    # JSON and back: a tuple is a list, and a key a text.
    after = json.loads(json.dumps(found))
    for name in dict.fromkeys([*before, *after]):
        if name in before and name in after:
            lines = list(differences(before[name], after[name]))
        else:
            lines = [("", "recorded", "not run")] if name in before else [("", "not there", "run")]
        for path, one, other in lines:
            print(f"{name} | {path or 'all'} | {one} | {other}")
        apart += bool(lines)
    same = f"{len(after)} commands, no difference"
    print(f"{len(after)} commands, {apart} differ" if apart else same)
    return int(bool(apart))


def differences(before: Any, after: Any, path: str = "") -> Iterator[tuple[str, str, str]]:
    """Yield where two JSON values differ, with both values as short texts; the order of keys counts."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in dict.fromkeys([*before, *after]):
            place = f"{path}.{key}" if path else key
            if key in before and key in after:
                yield from differences(before[key], after[key], place)
            else:
                yield place, _short(before, key), _short(after, key)
        if set(before) == set(after) and list(before) != list(after):
            yield f"{path} (order of keys)", " ".join(before)[:WIDTH], " ".join(after)[:WIDTH]
    elif isinstance(before, list) and isinstance(after, list):
        for place in range(max(len(before), len(after))):
            if place < len(before) and place < len(after):
                yield from differences(before[place], after[place], f"{path}[{place}]")
            else:
                yield f"{path}[{place}]", _short(before, place), _short(after, place)
    elif before != after or type(before) is not type(after):
        yield path, *_both(before, after)


def _short(values: Any, key: Any) -> str:
    """Return the value of a key in one line, or that there is none."""
    there = key in values if isinstance(values, dict) else key < len(values)
    return json.dumps(values[key], ensure_ascii=False)[:WIDTH] if there else "(nothing)"


def _both(before: Any, after: Any) -> tuple[str, str]:
    """Return two values in one line each, long ones from a little before they differ."""
    texts = [json.dumps(one, ensure_ascii=False) for one in (before, after)]
    same = next((at for at, pair in enumerate(zip(*texts, strict=False)) if len(set(pair)) > 1), 0)
    start = max(same - 30, 0) if max(map(len, texts)) > WIDTH else 0
    shown = [f"{'…' if start else ''}{text[start : start + WIDTH]}" for text in texts]
    return shown[0], shown[1]


if __name__ == "__main__":
    sys.exit(main())
