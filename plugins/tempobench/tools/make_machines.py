"""`python tools/make_machines.py [--check]`: make harness_tempobench/machines anew, byte for byte.

``--check`` writes nothing: it compares what would be written with what is there, and checks every
machine against its specification with Spot, and that its HOA text is read back.
Synthesis is never taken from the cache here.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import harness_guard
import yaml
from harness_tempobench import hoa, shipped_machines, synthesis
from harness_tempobench.fresh_machines import satisfies
from harness_tempobench.machine import Machine
from harness_tlsf import specification as tlsf

PACKAGE = Path(shipped_machines.__file__).parent
MAX_STATES = 256
"""The largest machine shipped; three families have larger ones."""


def main(arguments: Sequence[str]) -> int:
    """Run the script; 0 if all is as it should be."""
    os.environ["HARNESS_TEMPOBENCH_CACHE"] = "off"
    files = {f"{name}.jsonl": text for name, text in texts().items()}
    directory = PACKAGE / "machines"
    if arguments == ["--check"]:
        there = {path.name: path.read_text("ascii") for path in directory.iterdir()}
        wrong = sorted(name for name in {*files, *there} if files.get(name) != there.get(name))
        return _report([f"{name}: not what synthesis gives" for name in wrong] + list(_defects()))
    directory.mkdir(exist_ok=True)
    for path in directory.iterdir():
        path.unlink()
    for name, text in files.items():
        (directory / name).write_text(text, "ascii", newline="\n")
    return _report([])


def families() -> dict[str, list[dict[str, int]]]:
    """Return the families by name, each with the parameters of its machines that are shipped."""
    index = yaml.safe_load((PACKAGE / "specs" / "INDEX.yaml").read_text("utf-8"))
    return {
        family["file"].removesuffix(".tlsf"): [
            {name: value for name, value in measured.items() if name != "states"}
            for measured in family["measured"]
            if measured["states"] <= MAX_STATES
        ]
        for family in index["families"]
    }


def specification(family: str, parameters: dict[str, int]) -> tlsf.Specification:
    """Return what a shipped machine was synthesised from."""
    text = (PACKAGE / "specs" / f"{family}.tlsf").read_text("utf-8")
    return tlsf.load(text, parameters)


def synthesised(family: str, parameters: dict[str, int]) -> Machine:
    """Return the machine that is to be shipped."""
    machine = synthesis.synthesise(specification(family, parameters))
    if not isinstance(machine, Machine):
        raise TypeError(f"{family} {parameters} is unrealizable")
    return machine


def texts() -> dict[str, str]:
    """Return the files by name, without their suffix."""
    index, files = [], {}
    for family, combinations in families().items():
        machines = [synthesised(family, parameters) for parameters in combinations]
        files[family] = "".join(map(machine_line, machines))
        pairs = zip(combinations, machines, strict=True)
        index += [index_line(family, parameters, machine) for parameters, machine in pairs]
    return {"index": "".join(index)} | files


def index_line(family: str, parameters: dict[str, int], machine: Machine) -> str:
    """Return a machine's line of the index."""
    return _line(
        family=family,
        parameters=parameters,
        states=len(machine.table),
        inputs=len(machine.inputs),
        outputs=len(machine.outputs),
        transitions=machine.transitions,
    )


def machine_line(machine: Machine) -> str:
    """Return a machine's line in the file of its family; `shipped_machines.machine` reads it."""
    rows = []
    for row in machine.table:
        cells = list(dict.fromkeys(row))
        digits = "".join(shipped_machines.DIGITS[cells.index(cell)] for cell in row)
        rows.append(" ".join([digits, *(f"{following}.{mask}" for following, mask in cells)]))
    return _line(inputs=machine.inputs, outputs=machine.outputs, rows=rows)


def _defects() -> Iterator[str]:
    with harness_guard.Guard(1) as workers:
        for entry in shipped_machines.shipped():
            machine, parameters = shipped_machines.machine(entry), dict(entry.parameters)
            started = time.perf_counter()
            if not satisfies(
                machine, specification(entry.family, parameters).ltl, workers, seconds=300.0
            ):
                yield f"{entry.family} {parameters}: the machine violates its specification"
            took = time.perf_counter() - started
            if took > 1:
                sys.stderr.write(f"{entry.family} {parameters}: checked in {took:.1f} s\n")
            if hoa.read(shipped_machines.hoa_text(entry)) != machine:
                yield f"{entry.family} {parameters}: its HOA text is not read back equal"


def _line(**values: Any) -> str:
    return json.dumps(values, separators=(",", ":")) + "\n"


def _report(wrong: list[str]) -> int:
    sys.stdout.write("".join(f"{line}\n" for line in wrong or ["all is as it should be"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
