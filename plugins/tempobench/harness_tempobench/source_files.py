"""Machines as sources give them; a user's directory of TLSF or HOA files, and one file as a machine.

Nothing here is opened by anybody's name but ours: files are read as bytes, and a name such as
``echo hi|.hoa`` is a name. What cannot be used is an `UnusableError`, whose text is the reason.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from harness_tlsf import lexer as tlsf_lexer
from harness_tlsf import specification as tlsf
from harness_tlsf.errors import TlsfError

from harness import canonical_json
from harness_tempobench import constraint, hoa, synthesis
from harness_tempobench.errors import TempobenchError
from harness_tempobench.machine import Machine
from harness_tempobench.notation import shown
from harness_tempobench.targets import CROSSING, UNCONSTRAINED

SUFFIXES = {"specs": (".tlsf",), "machines": (".hoa", ".ehoa", ".hoaf")}
"""What files are called, by the key of the configuration that names their directory."""

MAX_FILES = 10_000
"""Files and directories below the directory; the core refuses more files, too."""

_MOST = {"specs": tlsf_lexer.MAX_TEXT, "machines": hoa.MAX_TEXT}
_BYTES = 4  # of a character in UTF-8, at most
_MAX_REASON = 300


class UnusableError(TempobenchError):
    """A file that no items can be made from; the message is the reason, without the file's name."""


class UnfitError(UnusableError):
    """A machine that is sound, but not of the sizes asked for."""


class Limits(NamedTuple):
    """Which machines are wanted, and how long the synthesis of one may take."""

    min_states: int
    max_states: int
    max_inputs: int
    seconds: float

    def misfit(self, states: int, inputs: int) -> str:
        """Return why a machine of this size is not wanted; "" if it is."""
        if not inputs:
            return "it has no inputs, so nothing in it has a cause"
        if inputs > self.max_inputs:
            return f"it has {inputs} inputs, more than max_inputs={self.max_inputs}"
        if states < self.min_states:
            return f"its machine has {states} states, fewer than min_states={self.min_states}"
        if states > self.max_states:
            return f"its machine has {states} states, more than max_states={self.max_states}"
        return ""


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

    ``usable``: number of machines, or what makes them; ``skipped``: what is no machine: broken,
    unrealizable, out of time; ``unfit``: machines that are not of the sizes asked for.
    """

    usable: int | str
    skipped: dict[str, str] = field(default_factory=dict)
    unfit: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stamp:
    """A file as it was when the directory was listed.

    Attributes:
        name: path below the directory, with slashes.
        path: absolute.
        changed: nanoseconds since 1970.
        size: bytes; -1 for what is no regular file, nor a link to one.
    """

    name: str
    path: str
    changed: int
    size: int

    @property
    def shown(self) -> str:
        """The name, on one line whatever is in it."""
        return self.name if self.name.isprintable() else ascii(self.name)[1:-1]

    @property
    def stem(self) -> str:
        """The name without its suffix."""
        return self.shown.rpartition(".")[0]


def listed(key: str, root: str) -> tuple[Stamp, ...]:
    """Return the files with a suffix of this key's below a directory, in order of their names.

    Directories that are links are not entered.

    Raises:
        TempobenchError: no directory, one that cannot be read, is too big, or has no such file.
    """
    place = f"{key}={root if root.isprintable() else ascii(root)[1:-1]:.80}"
    kinds = " or ".join(f"*{suffix}" for suffix in SUFFIXES[key])
    top = os.path.abspath(root)  # noqa: PTH100 - resolving links would rename what the user named
    try:
        if not stat.S_ISDIR(os.stat(top).st_mode):  # noqa: PTH116 - thousands of them below
            raise TempobenchError(f"{place} is a file: give the directory with {kinds} files")
        stamps = [
            _stamp(path, top) for path in _below(top, place) if path.lower().endswith(SUFFIXES[key])
        ]
    except OSError as error:
        hint = (
            "" if isinstance(error, PermissionError) else f": give a directory with {kinds} files"
        )
        raise TempobenchError(f"{place} cannot be read ({error.strerror}){hint}") from None
    except ValueError:  # a null byte
        raise TempobenchError(f"{place} is no directory's name") from None
    if not stamps:
        raise TempobenchError(f"{place}: there is no {kinds} file in it or below it")
    return tuple(sorted(stamps, key=lambda stamp: stamp.name))


def _below(top: str, place: str) -> list[str]:
    paths: list[str] = []
    for directory, directories, files in os.walk(top, onerror=_raise):
        paths += [os.path.join(directory, name) for name in (*directories, *files)]  # noqa: PTH118
        if len(paths) > MAX_FILES:
            raise TempobenchError(f"{place}: a directory of more than {MAX_FILES:,} files")
    return paths


def _raise(error: OSError) -> None:
    raise error


def _stamp(path: str, top: str) -> Stamp:
    name = path[len(top) :].lstrip(os.sep).replace(os.sep, "/")
    try:
        status = os.stat(path)  # noqa: PTH116
    except OSError:  # a link that leads nowhere
        return Stamp(name, path, 0, -1)
    regular = stat.S_ISREG(status.st_mode)
    return Stamp(name, path, status.st_mtime_ns, status.st_size if regular else -1)


def load(key: str, stamp: Stamp, limits: Limits) -> tuple[Machine, str, dict[str, int]]:
    """Return a file's machine, canonical, its HOA text, and its specification's parameters.

    Raises `UnusableError`: no such machine, or none that is wanted; `TempobenchError`: the file has
    changed since it was listed.
    """
    text = _text(stamp, _MOST[key])
    try:
        if key == "specs":
            machine, parameters = _synthesised(text, limits)
        else:
            machine, parameters = hoa.read(text).canonical(), {}
        _fit(limits, len(machine.table), len(machine.inputs))
        _refuse(_unsayable(machine))
        written = hoa.write(machine)
    except UnfitError:
        raise
    except (TempobenchError, TlsfError) as error:
        raise UnusableError(" ".join(str(error).split())[:_MAX_REASON]) from None
    if len(written) > hoa.MAX_TEXT:
        _refuse(f"its machine is HOA text of {len(written):,} characters, more than are read")
    return machine, written, parameters


def _unsayable(machine: Machine) -> str:
    """Return which proposition an answer could not name; "" if it can name them all."""
    names = machine.propositions
    for name in names:
        if '"' in name or "\\" in name or name == CROSSING or not _read_back(name, names):
            return f"an answer cannot name its proposition {name[:60]!r}: rename it"
    return ""


def _read_back(name: str, names: Sequence[str]) -> bool:
    """Tell whether a literal of this name, as targets have it, is read as such."""
    try:
        read = [constraint.parse(sign + shown(name), names) for sign in ("", "!")]
        free = constraint.parse(UNCONSTRAINED, names)
    except TempobenchError:
        return False
    return [*read, free] == [("literal", name, True), ("literal", name, False), constraint.TRUE]


def _text(stamp: Stamp, most: int) -> str:
    if not stamp.name.isprintable():
        raise UnusableError("its name has characters that cannot be printed")
    if stamp.size < 0:
        raise UnusableError("it is no file")
    if stamp.size > _BYTES * most:
        raise UnusableError(f"it has {stamp.size:,} bytes, and at most {_BYTES * most:,} are read")
    try:
        # what has become a pipe meanwhile would never open
        with open(os.open(stamp.path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:  # noqa: PTH123
            now = os.fstat(file.fileno())
            if (now.st_mtime_ns, now.st_size) != (stamp.changed, stamp.size):
                raise TempobenchError(f"{stamp.shown[:80]} has changed meanwhile: start again")
            return file.read(stamp.size).decode("utf-8-sig")
    except OSError as error:
        raise UnusableError(f"it cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UnusableError("it is no text in UTF-8") from None


def _synthesised(text: str, limits: Limits) -> tuple[Machine, dict[str, int]]:
    spec = tlsf.load(text)
    if spec.target != "Mealy":
        _refuse(f"its target is a {spec.target} machine, and only Mealy machines are made")
    # before the work of synthesis, which changes neither
    _fit(limits, limits.min_states, len(spec.inputs))
    machine = synthesis.synthesise(spec, seconds=limits.seconds)
    if not isinstance(machine, Machine):
        raise UnusableError("it is unrealizable: no machine satisfies it")
    return machine, spec.parameters


def _fit(limits: Limits, states: int, inputs: int) -> None:
    if reason := limits.misfit(states, inputs):
        raise UnfitError(reason)


def _refuse(reason: str) -> None:
    if reason:
        raise UnusableError(reason)
