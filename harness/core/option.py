"""One setting of the command line and of Python, said once by whoever owns it; all that is known of it is derived."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from harness.core.hookspecs import Benchmark

Type = Literal["integer", "number", "boolean", "string", "list"]
Scope = Literal["items", "ask", "model", "service", "place", "command"]
"""What a setting decides.

``items``: which items there are. It is part of their fingerprint.
``ask``: how items are put to a model, and how its answers are judged. With ``items``, the parameters of a task.
``model``: which model answers, with which settings.
``service``: how often and how long it is asked.
``place``: where work is done and where things lie; it changes no result.
``command``: something of one command alone, which reads it itself; no part of a `Spec`.
"""


@dataclass(frozen=True, slots=True)
class Option:
    """A setting ``name=value``.

    ``commands`` take it. ``default`` None means "not given". ``least`` is the smallest number. ``help`` says in a
    line what it means, ``help_for`` what it means for one command. ``choices`` are all values there are; ``words``
    yields (value, meaning) of some, given the benchmark that is named, if one is, and the settings before.
    ``path``: a file or folder. ``source``: it goes only with items that are generated, or read from a dataset.
    ``keeps``: what it made is found again in ``log_dir``, so that a task with it names that folder, too.
    """

    name: str
    type: Type
    help: str
    scope: Scope
    commands: tuple[str, ...] = ()
    default: Any = None
    least: int | None = None
    choices: tuple[str, ...] = ()
    words: Callable[[Benchmark | None, Mapping[str, str]], Iterable[tuple[str, str]]] | None = None
    path: bool = False
    source: Literal["generated", "read"] | None = None
    keeps: bool = False
    help_for: Mapping[str, str] = field(default_factory=dict)
