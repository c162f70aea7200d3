"""Machines as a source gives them, and what it says of itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from harness import canonical_json
from harness_tempobench.machine import Machine


@dataclass(frozen=True)
class Loaded:
    """A machine that fits the configuration.

    Attributes:
        machine: canonical.
        hoa: the machine as `hoa.write` writes it, propositions by number.
        family: the shipped family, or the file's path below the directory, without its suffix.
        parameters: of the specification, by name; none for a machine read from a file.
        specification: the formula of a fresh machine, else "".
    """

    machine: Machine
    hoa: str
    family: str
    parameters: dict[str, int]
    specification: str = ""

    @cached_property
    def hoa_json(self) -> str:
        """The text as a canonical JSON string: it is part of what many items are told apart by."""
        return canonical_json(self.hoa)

    @cached_property
    def open(self) -> bool:
        """Whether some inputs and outputs of a step leave open which state it is taken in."""
        rows = self.machine.table
        columns = zip(*rows, strict=True)
        return any(len({mask for _, mask in column}) < len(rows) for column in columns)


@dataclass(frozen=True, slots=True)
class Survey:
    """What a source holds in all: for each path that cannot be used, a reason of one line.

    Attributes:
        usable: number of machines, or what makes them.
        skipped: what is no machine: broken, unrealizable, out of time.
        unfit: machines that are not of the sizes asked for.
    """

    usable: int | str
    skipped: dict[str, str] = field(default_factory=dict)
    unfit: dict[str, str] = field(default_factory=dict)
