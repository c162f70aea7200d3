"""Everything that goes wrong, for real: the table of docs/reliability.md.

    python benchmarks/reliability.py [tries=3] [seed=1] [jobs=2] [rows=WORDS] [write=yes]

Each row is a fault, injected at random moments (``seed``) into a command in a process of its own, ``tries`` times,
``jobs`` rows at a time. What it leaves, once it was given again where it must be, is compared with what an
undisturbed run leaves, and with the number of times that each prompt reached the model's server. ``rows`` takes
those whose name holds all of its words (``rows=run,SIGKILL``). The exit code is 1 when a row fails, else 0;
``write=yes`` writes these rows into reliability.json and all of them, joined by fault, into the page. As root, file
systems are small, and read-only, for real.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
import traceback
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from random import Random

import reliability_engines
import reliability_generate
import reliability_outputs
import reliability_provider
import reliability_run
from reliability_kit import ROOT, Broken, Row, Tally

PAGE = ROOT / "docs" / "reliability.md"
RESULTS = ROOT / "benchmarks" / "reliability.json"
HEAD = ("what", "fault", "how it is injected", "tried", "lost", "duplicates", "asked twice")
BEGIN, END = "<!-- table: benchmarks/reliability.py -->", "<!-- end of table -->"
DEFAULTS = {"tries": "3", "seed": "1", "jobs": "2", "rows": "", "write": "no"}


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a row; ``wrong`` says what did not hold, if anything."""

    row: Row
    told: Tally
    wrong: str = ""

    @property
    def failed(self) -> bool:
        """Return whether anything was lost, there twice, asked for too often, or otherwise wrong."""
        told = self.told
        asked = told.bound is not None and told.again > told.bound
        return bool(self.wrong or told.lost or told.doubled or asked)

    @property
    def cells(self) -> tuple[str, ...]:
        """Return the line of the table."""
        told = self.told
        asked = "" if told.bound is None else f"{told.again} (at most {told.bound})"
        how = f"{self.row.how}. **FAILED**: {self.wrong}" if self.failed else self.row.how
        counts = (str(told.tried), str(told.lost), str(told.doubled), asked)
        cells = (self.row.command, self.row.fault, how, *counts)
        return tuple(" ".join(cell.replace("|", "/").split()) for cell in cells)


def all_rows() -> list[Row]:
    """Return all rows, in the order of the table."""
    parts = (
        reliability_generate,
        reliability_run,
        reliability_provider,
        reliability_outputs,
        reliability_engines,
    )
    return [row for part in parts for row in part.rows()]


def tried(row: Row, tries: int, seed: str) -> Result:
    """Try a row so often, each try in an empty folder; the first that fails ends it."""
    told = Tally(0)
    for number in range(min(tries, row.most or tries)):
        rng = Random(f"{seed} {row.command} {row.fault} {number}")
        with tempfile.TemporaryDirectory(prefix="reliability-") as folder:
            try:
                told += row.trial(Path(folder), rng)
            except Broken as broken:
                return Result(row, told + Tally(), str(broken))
            # The other rows are worth having whatever this one met.
            except Exception as error:
                traceback.print_exc()
                return Result(row, told + Tally(), f"{type(error).__name__}: {error}")
    return Result(row, told)


def table(head: tuple[str, ...], lines: Iterable[tuple[str, ...]]) -> str:
    """Return lines of cells as a table in Markdown."""
    lines = [head, tuple("---" for _ in head), *lines]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def updated(
    lines: Iterable[Sequence[str]], results: Iterable[Result], rows: Iterable[Row]
) -> list[tuple[str, ...]]:
    """Return the lines that were kept with these results among them; those of rows that are no more go."""
    known = {tuple(line[:2]): tuple(line) for line in lines}
    known |= {result.cells[:2]: result.cells for result in results}
    names = [(row.command, row.fault) for row in rows]
    return [known[name] for name in names if name in known]


def summary(lines: Sequence[Sequence[str]]) -> str:
    """Return what the page shows of all lines: their sums, and for the same commands one list of faults."""
    commands: dict[str, list[str]] = {}
    for line in lines:
        commands.setdefault(line[1], []).append(line[0])
    faults: dict[str, list[str]] = {}
    for fault, names in commands.items():
        faults.setdefault(_joined(names), []).append(fault)
    tried, lost, doubled = ([int(line[at]) for line in lines] for at in (3, 4, 5))
    sums = (
        f"{sum(tried)} faults met their command at work, {min(tried)} to {max(tried)} for each command and fault: "
        f"{sum(lost)} lost, {sum(doubled)} duplicates."
    )
    entries = [f"- **{names}**: {', '.join(found)}" for names, found in faults.items()]
    return "\n".join([sums, "", *entries, ""])


def _joined(names: Sequence[str]) -> str:
    """Return names of commands, the first word of neighbours said once."""
    return "; ".join(
        first + ",".join(name.removeprefix(first) for name in found)
        for first, found in groupby(names, lambda name: name.split()[0])
    )


def written(text: str, lines: Sequence[Sequence[str]]) -> str:
    """Return the text of the page with a summary of these lines."""
    part = f"{BEGIN}\n{summary(lines)}{END}"
    return re.sub(f"{re.escape(BEGIN)}.*{re.escape(END)}", lambda _: part, text, flags=re.DOTALL)


def main() -> int:
    """Make the table; return the exit code."""
    given = {**DEFAULTS, **dict(word.split("=", 1) for word in sys.argv[1:])}
    words = [word for word in given["rows"].split(",") if word]
    every = all_rows()
    rows = [row for row in every if all(word in f"{row.command} {row.fault}" for word in words)]

    def one(row: Row) -> Result:
        result = tried(row, int(given["tries"]), given["seed"])
        print(" | ".join(result.cells), file=sys.stderr, flush=True)
        return result

    with ThreadPoolExecutor(int(given["jobs"])) as pool:
        others = {id(row): pool.submit(one, row) for row in rows if not row.alone}
        own = {id(row): one(row) for row in rows if row.alone}
        results = [own[id(row)] if row.alone else others[id(row)].result() for row in rows]
    print(table(HEAD, [result.cells for result in results]))
    if given["write"] == "yes":
        lines = updated(json.loads(RESULTS.read_text(encoding="utf-8")), results, every)
        kept = ",\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
        RESULTS.write_text(f"[\n{kept}\n]\n", encoding="utf-8")
        text = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(written(text, lines), encoding="utf-8")
    return int(any(result.failed for result in results))


if __name__ == "__main__":
    sys.exit(main())
