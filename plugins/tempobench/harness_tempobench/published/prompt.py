"""Prompts as published, read back: the last automaton, trace and question of the text.

Everything is found by its headings, in linear time. The worked example that precedes the question has the
same headings; it is not looked at, but for `example`.
"""

from __future__ import annotations

import re
from typing import Any

from harness import DatasetError
from harness_tempobench.published import text as published_text
from harness_tempobench.published.content import Content, formal
from harness_tempobench.wording import MAX_PROMPT

_START = "Problem start:"
_MACHINE = "\nAutomaton:\n"
_END = "--END--"
_APS = re.compile(r"APs:?\s*+(\[[^\[\]]{0,20000}\])")
_TRACE = re.compile(r"\s*+Trace:[ \t]*+\n?([^\n]++)")
_EFFECTS = re.compile(r"Effects to analyze:\s*+(\[[^\[\]]{0,20000}\])")
_ACCEPTS = "Does the automaton accept this trace?"


def published(prompt: Any) -> bool:
    """Tell whether a text has the headings of a published prompt."""
    return isinstance(prompt, str) and _MACHINE in f"\n{prompt}" and "Task: " not in prompt[:6]


def read(prompt: str) -> dict[str, Any] | None:
    """Return the problem that a published prompt states, None if it cannot be understood; never raises."""
    if not published(prompt):
        return None
    try:
        problem = formal(content(prompt)).problem
    except DatasetError:
        return None
    return problem | ({"label": "per_step"} if problem["task"] == "tce" else {})


def content(prompt: str) -> Content:
    """Return the formal content of a published prompt.

    Raises `DatasetError`: the part that is missing.
    """
    if len(prompt) > MAX_PROMPT:
        raise DatasetError(f"prompt: more than {MAX_PROMPT:,} characters")
    text = "\n" + prompt[max(0, prompt.rfind(_START)) :]
    before, machine, rest = _machine(text)
    trace = _TRACE.match(rest)
    if trace is None:
        raise DatasetError("prompt: there is no line 'Trace:' with a trace after the automaton")
    effects = _EFFECTS.search(rest)
    if effects is None and _ACCEPTS not in rest:
        raise DatasetError("prompt: it asks for no effects, nor whether the trace is accepted")
    aps = _APS.search(before)
    return Content(
        task="tte" if effects is None else "tce",
        hoa=machine,
        trace=trace[1],
        effects=tuple(published_text.strings(effects[1], "prompt, effects")) if effects else (),
        aps=tuple(published_text.strings(aps[1], "prompt, APs")) if aps else None,
    )


def _machine(text: str) -> tuple[str, str, str]:
    """Return what is before the last automaton, its text, and what follows."""
    start = text.rfind(_MACHINE)
    if start < 0:
        raise DatasetError("prompt: there is no line 'Automaton:'")
    end = text.find(_END, start)
    if end < 0:
        raise DatasetError("prompt: the automaton has no '--END--'")
    end += len(_END)
    return text[:start], text[start + len(_MACHINE) : end].strip() + "\n", text[end:]


def gives_away(prompt: str) -> bool:
    """Tell whether the worked example of a published prompt is the problem itself."""
    if not published(prompt):
        return False
    example, begins, _ = prompt.rpartition(_START)
    asked, labelled, _ = example.rpartition("Label:")
    if not begins:
        return False
    try:
        return _key(content(prompt)) == _key(content(asked if labelled else example))
    except DatasetError:
        return False


def _key(parts: Content) -> tuple[str, ...]:
    return (parts.task, "".join(parts.hoa.split()), "".join(parts.trace.split()), *parts.effects)
