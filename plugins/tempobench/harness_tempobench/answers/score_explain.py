"""Say why a stated cause is wrong, by counterfactual traces that refute its claims."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from harness_answers.text import quoted

from harness_tempobench.answers.score_gold import BrokenItemError, signed
from harness_tempobench.constraint import Formula
from harness_tempobench.equivalence import Difference, Trace
from harness_tempobench.formulas import Clause, Part, disjunction
from harness_tempobench.problem import Case
from harness_tempobench.targets import effect_text

_SHOWN = 5
_FLIPS = 6


class Explained:
    """An effect on a machine's trace, on which flips of inputs are tried.

    ``single``: what is asked for are the inputs that are necessary each alone.
    """

    def __init__(self, case: Case, effect: Mapping[str, Any], single: bool = False) -> None:
        self._case, self._effect, self._single = case, effect, single
        self._inputs = {name: index for index, name in enumerate(case.machine.inputs)}
        self._place = case.machine.outputs.index(effect["output"])

    def holds(self, flips: Iterable[tuple[int, str]]) -> bool:
        """Tell whether the effect is as in the trace when these (step, input) are flipped."""
        letters = list(self._case.letters[: self._effect["step"] + 1])
        for step, name in flips:
            letters[step] ^= 1 << self._inputs[name]
        masks = self._case.machine.run(letters)[1]
        return bool(masks[-1] >> self._place & 1) is self._effect["value"]

    def markdown(self, difference: Difference) -> str:
        """Return as Markdown what an answer misses and what it wrongly claims, the first few of each.

        Raises:
            BrokenItemError: what is said to be superfluous is necessary: the true cause is none.
        """
        sections = []
        if difference.missing:
            sections.append(f"Missing:\n\n{_list(map(self._missing, difference.missing))}")
        if difference.superfluous:
            lines = (
                f"{shown(part)}: {self._reason(part, values)}"
                for part, values in difference.superfluous
            )
            kind = "necessary alone" if self._single else "part of the cause"
            sections.append(f"Claimed, and not {kind}:\n\n{_list(lines)}")
        return "\n\n".join(sections)

    def _missing(self, clause: Clause) -> str:
        flips = sorted((step, name) for step, name, _ in clause)
        return f"{shown(disjunction(clause))}: {_flip(flips)} and {self._effect_is(False)}"

    def _reason(self, part: Formula, values: Trace) -> str:
        known: dict[Any, bool] = {}
        for variable in sorted(Part(part).variables):
            step, name = variable
            if name not in self._inputs:
                kind = "an output" if name in self._case.machine.outputs else "no input"
                return f"{quoted(name, 40)} is {kind} of the machine, and only inputs are causes"
            if not 0 <= step <= self._effect["step"]:
                return f"the effect depends on the steps 0 to {self._effect['step']} alone"
            known[variable] = self._case.value(step, self._inputs[name])
        if not true(part, known):
            return "it does not hold in the trace itself"
        if self._single and part[0] != "literal":
            return "single inputs are asked for, each of which is necessary alone"
        flips = {key for key, value in values.items() if known[key] != value}
        if not self.holds(flips):
            raise BrokenItemError(
                f"the item's target is wrong: {shown(part)} is necessary, and not in it"
            )
        return f"{_flip(sorted(flips))} and {self._effect_is(True)} all the same"

    def _effect_is(self, kept: bool) -> str:
        return effect_text(self._effect, kept, quoted(self._effect["output"], 40))


def true(formula: Formula, values: Mapping[Any, bool]) -> bool:
    """Return the truth value of a formula; all its variables have one."""
    if formula[0] == "literal":
        return values[formula[1]] is formula[2]
    parts = (true(part, values) for part in formula[1:])
    return all(parts) if formula[0] in ("and", "true") else any(parts)


def written(formula: Formula, steps: bool = True) -> str:
    """Return a formula as text, ``1:r or 1:!s``, with brackets where needed; without steps it is over names."""
    kind, *parts = formula
    if kind == "literal":
        variable, value = parts
        return f"{variable[0]}:{signed(variable[1], value)}" if steps else signed(variable, value)
    if not parts:
        return "true" if kind in ("and", "true") else "false"
    return f" {kind} ".join(
        f"({written(part, steps)})"
        if len(part) > 2 and part[0] != "literal"
        else written(part, steps)
        for part in parts
    )


def shown(formula: Formula) -> str:
    """Return a formula as Markdown, cut to a line."""
    return quoted(written(formula), 100)


def _flip(flips: list[tuple[int, str]]) -> str:
    named = [f"{quoted(name, 40)} at step {step}" for step, name in flips[:_FLIPS]]
    if len(flips) > _FLIPS:
        named.append(f"{len(flips) - _FLIPS} more inputs")
    return f"flip {', '.join(named)}"


def _list(lines: Iterable[str]) -> str:
    items = [f"- {line}" for line in islice(lines, _SHOWN + 1)]
    return "\n".join([*items[:_SHOWN], "- …"] if len(items) > _SHOWN else items)
