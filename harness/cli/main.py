"""The command line: the words of a user to one command, and its result to text or JSON."""

from __future__ import annotations

import io
import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from harness_errors import HarnessError, SpecError, did_you_mean

from harness.cli.colour import coloured
from harness.cli.command import FLAGS, WORDS, Command, commands, discard, group, warn
from harness.core.features import FAILURES
from harness.run import home
from harness.run.startup import settle


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return the exit code (docs/json.md): 0, 1 a finding, 2 bad input, 130 Ctrl-C, 143 SIGTERM."""
    if arguments is None:
        _open_standard_streams()
        home.replace_unwritable()
        settle()
    words = list(sys.argv[1:] if arguments is None else arguments)
    hidden = group().commands.get(words[0]) if words else None
    if isinstance(hidden, Command) and hidden.hidden:  # for programs: all words are its own
        result, code, text = hidden.invoke(hidden.make_context(words[0], words[1:]))
        return _print(text(result)) or code
    as_json = "--json" in words
    for stream in (sys.stdout, sys.stderr):
        if isinstance(
            stream, io.TextIOWrapper
        ):  # a terminal's encoding may lack what a prompt holds
            stream.reconfigure(errors="backslashreplace")
    stopped: list[int] = []
    try:
        with _terminable(stopped):
            result, code, text = _act([word for word in words if word != "--json"])
    except HarnessError as error:
        return _fail(str(error), type(error).__name__, error.exit_code, as_json)
    except KeyboardInterrupt as error:
        kept = f"; {error}" if str(error) else ""
        what, code = ("terminated", 143) if stopped else ("interrupted", 130)
        return _fail(f"{what}{kept}", what.capitalize(), code, as_json)
    if as_json:
        return _print(json.dumps(result, default=dict)) or code
    with coloured(sys.stdout):
        shown = text(result)
    return _print(shown) or code


def _open_standard_streams() -> None:
    """Let a process that was begun without a standard stream (``>&-``) have one that leads nowhere.

    Without it the next file that is opened takes its number, and what is printed goes into that file.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            number = os.open(os.devnull, os.O_RDWR)  # the lowest that is free
            os.set_inheritable(number, True)
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8"))


@contextmanager
def _terminable(stopped: list[int]) -> Iterator[None]:
    """Take SIGTERM for Ctrl-C, so that whatever is under way ends as carefully; ``stopped`` tells the two apart."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    this_process = os.getpid()

    def stop(number: int, frame: object) -> None:
        if os.getpid() != this_process:  # a fork of ours, which nobody waits for
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
            return
        stopped.append(number)
        if not callable(signal.getsignal(signal.SIGINT)):  # ignored, as in a shell's background
            raise KeyboardInterrupt
        signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _fail(message: str, kind: str, code: int, as_json: bool) -> int:
    line = " ".join(message.split())
    if as_json:
        _print(json.dumps({"error": {"kind": kind, "message": line}}))
    from harness.core.facts import printable  # only here: the help does without it

    # What a message quotes may be foreign text, and steer a terminal.
    warn(f"harness: {printable(line, len(line))}")
    return code


def _print(text: str) -> int:
    """Print the result; return 1 if that fails, but 0 if the reader (`head`) has seen enough."""
    try:
        print(text, flush=True)
    except OSError as error:
        discard(sys.stdout)
        if not isinstance(error, BrokenPipeError):
            return _fail(
                f"standard output cannot be written: {error.strerror}", "OutputError", 1, False
            )
    return 0


def _act(words: list[str]) -> tuple[dict[str, Any], int, Callable[[dict[str, Any]], str]]:
    """Return what the words ask for, the exit code, and how the result reads as text."""
    words = [WORDS.get(word, word) for word in words]
    flags = [word for word in words if word in FLAGS]
    rest = [word for word in words if word not in FLAGS]
    if rest and rest[0].startswith("-"):
        hint = did_you_mean(rest[0], (*FLAGS, *WORDS))
        raise SpecError(f"unknown option '{rest[0][:80]}'; {hint}")
    if "--version" in flags:
        from harness import __version__

        return {"version": __version__}, 0, lambda data: f"harness {data['version']}"
    if rest and rest[0] not in commands():
        raise SpecError(f"no command '{rest[0][:80]}'; {did_you_mean(rest[0], commands())}")
    if flags or not rest:
        from harness.cli import help_pages

        page = help_pages.of_command(rest[0], rest[1:]) if rest else help_pages.of_program()
        return {"help": page}, 0, lambda data: str(data["help"])
    try:
        command = commands()[rest[0]]
        return command.invoke(command.make_context(rest[0], rest[1:]))
    finally:
        _warn_of_plugins()


def _warn_of_plugins() -> None:
    """Say which features failed, and which hooks of loaded plugins go with a later contract."""
    for name, why in FAILURES.items():
        warn(f"warning: feature '{name}' could not be loaded: {why}")
    loaded = sys.modules.get("harness.core.plugins")
    if loaded is not None and loaded.registry.cache_info().currsize:
        for line in loaded.registry().warnings:
            warn(f"warning: {line}")
