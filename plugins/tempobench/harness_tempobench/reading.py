"""The reader: from a prompt back to the formal problem, by the text alone.

What is said in `harness_tempobench.wording` is understood here by other code. At the end the
problem is written again, and the text must be that: where a prompt was altered in any way, even
one that the patterns here do not look at, it is none of ours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from harness_tempobench import joined, reading_machine, wording, wording_variants
from harness_tempobench import problem as problems
from harness_tempobench.errors import TempobenchError
from harness_tempobench.notation import HoaForm, Notation, Wording
from harness_tempobench.reading_machine import NAME, name_of, refuse, require

_TASKS = {
    "find what caused an output of a machine": "tce",
    "follow a trace through a machine": "tte",
    "run a machine on given inputs": "sim",
    "find the inputs that were necessary for an output of a machine": "min",
}
_FIRST = re.compile(f"^Task: ({'|'.join(_TASKS)})\\.$", re.M)
_LAST = re.compile("^Answer: <.*>$", re.M)
_START = re.compile("^The initial state is ([0-9]{1,4})\\.", re.M)
_LITERALS = f"-|!?{NAME}(?: & !?{NAME})*"
_STEP = re.compile(f"[0-9]{{1,6}}: ({_LITERALS})(?: / ({_LITERALS}))?")
_LITERAL = re.compile(f"(!?)({NAME})")
_WORD = f"(?:not )?{NAME}"
_TOLD = f"none|{_WORD}(?: and {_WORD})*"
_TOLD_STEP = re.compile(
    f"At step [0-9]{{1,6}}, the inputs are ({_TOLD})(?:, and the machine answers ({_TOLD}))?\\."
)
_TOLD_LITERAL = re.compile(f"(not )?({NAME})(?: and |$)")
_UNKNOWN = re.compile("in which state the machine is at step 0 is not said")
_KEPT = re.compile("^In such a run, outputs may be kept: ", re.MULTILINE)
_SHOWN = re.compile(f"Of the outputs, the trace shows only ({NAME}(?:, {NAME})*); ")
_EFFECT = re.compile(f"Effect: output ({NAME}) is (true|false) at step ([0-9]{{1,6}})\\.")
_PLACED = f"output ({NAME}) is (true|false) at step ([0-9]{{1,6}})"
_JOINED = re.compile(
    f"Effect: (all|at least one) of these holds?: ({_PLACED}(?:; {_PLACED}){{1,11}})\\. "
)
_PLACED_AT = re.compile(_PLACED)

# by the first letter of the description
_FORMS: dict[str, tuple[tuple[Notation, HoaForm], ...]] = {
    "H": (("hoa", "names"), ("hoa", "numbers")),
    "|": (("table", "names"),),
    "I": (("prose", "names"),),
}


def read(prompt: str) -> dict[str, Any] | None:
    """Return the problem that a prompt of ours states, None for any other text; never raises.

    Text may stand before the prompt and after it, on lines of its own, as examples and strategies
    add it; of several prompts in one text, the last one is read. Time is linear in the text, of
    which more than `wording.MAX_PROMPT` characters are refused.
    """
    if not isinstance(prompt, str) or len(prompt) > wording.MAX_PROMPT:
        return None
    text = _last_prompt(prompt)
    try:
        return _problem(text) if text else None
    except TempobenchError:
        return None


def _last_prompt(text: str) -> str:
    """Return the last prompt within a text, from its first line to its last; empty if there is none."""
    first = max((match.start() for match in _FIRST.finditer(text)), default=None)
    last = None if first is None else _LAST.search(text, first)
    return text[first : last.end()] if last else ""


def _problem(text: str) -> dict[str, Any]:
    lines = text.split("\n")
    inputs, outputs = _names(lines, "Inputs: "), _names(lines, "Outputs: ")
    described = _section(lines, "Machine:")
    start = _START.search(text)  # what HOA text says itself
    task = _TASKS[lines[0].removeprefix("Task: ").removesuffix(".")]
    limited = next(filter(None, map(_SHOWN.match, lines)), None)
    steps = _section(lines, "Inputs of each step:" if task == "sim" else "Trace:")
    problem: dict[str, Any] = {
        "task": task,
        "hoa": reading_machine.machine(
            "\n".join(described), inputs, outputs, start and int(start[1])
        ),
        "trace": list(map(_step, steps)),
    }
    problem |= {"shown": reading_machine.names(limited[1])} if limited else {}
    if task in problems.EFFECTS:
        problem |= _question(lines, task)
        problem |= {"contingencies": True} if _KEPT.search(text) else {}
        problem |= {"start": "unknown"} if _UNKNOWN.search(text) else {}
        # Nothing caused an effect that is not on the trace, or on one that is not the machine's.
        case, effect = problems.case(problem), problem["effect"]
        require(case.machine.deviation(case.letters, case.masks) is None)
        require(problems.value_at(case, effect) is effect["value"])
    told: Wording = "narrative" if wording_variants.TOLD in lines else "formal"
    forms = _FORMS.get(described[0][:1], ())
    require(any(wording.write(problem, notation, form, told) == text for notation, form in forms))
    return problem


def _names(lines: Sequence[str], opening: str) -> list[str]:
    line = next((line for line in lines if line.startswith(opening)), None)
    if line is None:
        refuse()
    listed = line.removeprefix(opening)
    return [] if listed == "none" else reading_machine.names(listed)


def _section(lines: Sequence[str], heading: str) -> list[str]:
    """Return the lines between a heading and the next empty line; at least one."""
    try:
        start = lines.index(heading) + 1
        end = lines.index("", start + 1)
    except ValueError:
        refuse()
    return list(lines[start:end])


def _step(line: str) -> list[str]:
    """Return the true propositions of a line of the trace; the others are seen when it is written again."""
    told = line.startswith("At step ")
    parts = (_TOLD_STEP if told else _STEP).fullmatch(line)
    if parts is None:
        refuse()
    listed = [part for part in parts.groups() if part not in (None, "none", "-")]
    literal = _TOLD_LITERAL if told else _LITERAL
    return [name_of(word) for part in listed for sign, word in literal.findall(part) if not sign]


def _question(lines: Sequence[str], task: str) -> dict[str, Any]:
    """Return the effect, and for causes the form of the label."""
    effect = next(filter(None, map(_effect, lines)), None)
    if effect is None:
        refuse()
    crossing = any(line.startswith('Under "cross_step_clauses", ') for line in lines)
    return {"effect": effect} | (
        {"label": "full" if crossing else "per_step"} if task == "tce" else {}
    )


def _effect(line: str) -> dict[str, Any] | None:
    """Return the effect that a line states, None if it states none."""
    one, several = _EFFECT.match(line), _JOINED.match(line)
    if one:
        return {"output": name_of(one[1]), "value": one[2] == "true", "step": int(one[3])}
    if not several:
        return None
    found = _PLACED_AT.findall(several[2])
    literals = [(int(step), name_of(word), value == "true") for word, value, step in found]
    return joined.effect("and" if several[1] == "all" else "or", literals)
