r"""Bounds on the steps of an operator: ``F[0,3] a`` (MTL), ``##[1:3] a`` (SVA), ``F<=3 a``, ``a U_{[1,4]} b``.

Steps are counted from the one in which the formula is judged, which is step 0. Intervals that are open at an end
hold the whole numbers within: ``(0,3]`` is ``[1,3]``. ``a U[m,n] b``: b in some step i of m to n, and a in every
step before i. R is its dual, as in metric temporal logic: b in every step i of m to n, but for those after an a.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness_vltl.formulas.formula import Formula, FormulaError

MAX_STEPS = 50  # in a bound: X[50] a
FOREVER = -1  # the upper end of F[2,inf]
Steps = tuple[int, int]
"""The first and the last step of a bound."""

_NUMBER = "[0-9]{1,9}"
_SIGN = r"<=?|>=?|[≤≥]|\\[lg]eq?(?:slant)?"
_BOUND = re.compile(
    rf"""[ ]{{0,3}}(?:
      (?P<mark>[_^]?)\{{?(?P<bracketed>[\[(][^\[\](){{}}]{{1,40}}[\])])\}}?
      |(?P<raising>[_^]?)\{{(?P<braced>[^\[\](){{}}]{{1,40}})\}}
      |_?(?P<bare>(?:{_SIGN})\s?{_NUMBER})
      |\^\s?(?P<power>{_NUMBER})
      |(?P<raised>[⁰¹²³⁴-⁹]{{1,9}}))""",
    re.VERBOSE,
)
_INTERVAL = re.compile(
    rf"\s?(?P<low>{_NUMBER})\s?(?:,|:|\.\.)\s?"
    rf"(?:(?P<high>{_NUMBER})|\+?(?:inf(?:ty|inity)?|∞|\\infty|\$)|)\s?"
)
_LIMIT = re.compile(rf"\s?(?P<sign>{_SIGN}|==?)\s?(?P<limit>{_NUMBER})\s?")
_EXACT = re.compile(rf"\s?(?P<count>{_NUMBER})\s?")
_DELAY = re.compile(
    rf"[ ]?(?:(?P<count>{_NUMBER})|\[(?:(?P<any>\*)|(?P<interval>[^\[\]]{{1,40}}))\])"
)
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


class NoBoundError(FormulaError):
    """A bound that its operator cannot have, or that cannot be told from something else."""


def bound(operator: str, text: str, place: int) -> tuple[Steps | None, int] | None:
    """Return the steps of the bound that stands behind an operator, and where it ends; None if there is none.

    The steps are None for ``X[!]``, which changes nothing on infinite words.

    Raises:
        NoBoundError: it is not one that this operator takes, or has more than `MAX_STEPS` steps.
    """
    found = _BOUND.match(text, place)
    if found is None:
        return None
    count = found["power"] or (found["raised"] or "").translate(_RAISED)
    if exact := _EXACT.fullmatch(found["braced"] or "") if found["raising"] == "^" else None:
        count = exact["count"]
    if count:
        return _checked(operator, _times(operator, int(count))), found.end()
    if (found["bracketed"] or "")[1:-1].strip() == "!" and operator in "GFX":
        if operator != "X":
            raise _refused(operator)
        return None, found.end()
    steps = _steps(operator, found)
    return None if steps is None else (_checked(operator, steps), found.end())


def delay(text: str, place: int) -> tuple[str, Steps, int]:
    """Return what SVA's ``##`` is: the operator X or F, its steps, and where the bound ends.

    Raises:
        NoBoundError: there is no number of steps behind it, or too large a one.
    """
    found = _DELAY.match(text, place)
    if found and found["count"]:
        return "X", _checked("##", (int(found["count"]),) * 2), found.end()
    interval = _INTERVAL.fullmatch(found["interval"] or "") if found else None
    if found is None or not (interval or found["any"]):
        raise NoBoundError("behind ## stands a number of steps: ##2 a, ##[0:3] a")
    steps = _closed(interval, "[", "]") if interval else (0, FOREVER)
    return "F", _checked("##", steps), found.end()


def _steps(operator: str, found: re.Match[str]) -> Steps | None:
    """Return the steps of an interval or a limit, None if what stands there is neither."""
    bracketed, inner = found["bracketed"], found["braced"] or found["bare"]
    opening, closing = "[", "]"
    if bracketed:
        opening, inner, closing = bracketed[0], bracketed[1:-1], bracketed[-1]
    if interval := _INTERVAL.fullmatch(inner):
        if opening + closing == "()" and not found["mark"]:
            if operator in "URWM":
                return None  # until(0, 1)
            raise NoBoundError(
                f"'{operator}({inner})' may be an open interval or not: write it as [first,last]"
            )
        return _closed(interval, opening, closing)
    if opening + closing != "[]":
        return None
    if limit := _LIMIT.fullmatch(inner):
        return _limited(limit["sign"], int(limit["limit"]))
    if operator in "GFX" and bracketed and (exact := _EXACT.fullmatch(inner)):
        return _times(operator, int(exact["count"]))
    return None


def _closed(interval: re.Match[str], opening: str, closing: str) -> Steps:
    first = int(interval["low"]) + (opening == "(")
    if interval["high"] is None:
        return first, FOREVER
    last = int(interval["high"]) - (closing == ")")
    if last < first:
        raise NoBoundError("a bound goes from fewer to more steps, and has at least one")
    return first, last


def _limited(sign: str, limit: int) -> Steps:
    if sign.startswith("="):
        return limit, limit
    strict = sign in "<>"
    if sign[0] in ">≥" or sign.startswith(r"\g"):
        return limit + strict, FOREVER
    if limit < strict:
        raise NoBoundError("a bound has at least one step")
    return 0, limit - strict


def _times(operator: str, count: int) -> Steps:
    """Return the steps of ``X[3]``; whether ``F[3]`` means the third step or those up to it nobody can say."""
    if operator != "X":
        raise _refused(operator)
    return count, count


def _checked(operator: str, steps: Steps) -> Steps:
    if operator in "WM" or (operator == "X" and steps[0] != steps[1]):
        raise _refused(operator)
    if max(steps) > MAX_STEPS:
        raise NoBoundError(f"a bound has at most {MAX_STEPS} steps")
    return steps


def _refused(operator: str) -> NoBoundError:
    return NoBoundError(
        f"'{operator}' takes no such bound (only X[3], X[!], F[0,3], G[<=3], U[1,4], R[0,2])"
    )


def expanded(operator: str, steps: Steps, operands: Sequence[Formula], step_on: str) -> Formula:
    """Return a bounded formula of F, G, X, U or R without bounds: ``a | X (a | X a)`` for ``F[0,2] a``.

    ``step_on`` is the operator that goes one step on.
    """
    first, last = steps
    *held, goal = operands
    joined, kept = ("|", "&") if operator in "FU" else ("&", "|")

    def later(formula: Formula) -> Formula:
        following = [step_on, formula]
        return [kept, *held, following] if held else following

    formula = [operator, *operands] if last == FOREVER else goal
    for _ in range(last - first):
        formula = [joined, goal, later(formula)]
    for _ in range(first):
        formula = later(formula)
    return formula
