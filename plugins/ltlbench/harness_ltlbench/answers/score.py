"""Judge a completion: right, wrong, unparsable, or not to be scored by us.

A counterexample is right when it *is* one: any path of the graph on which the hypothesis fails
counts, not only the one in the certificate. `harness_ltlbench.engines.lasso` decides that, no engine.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from harness_answers.kept import kept
from harness_answers.markdown import ending, formula_cell, table
from harness_answers.places import read_at
from harness_answers.text import bounded, quoted

from harness import HarnessError, Item, Verdict
from harness_ltlbench.answers.cleaning import plain
from harness_ltlbench.answers.extraction import Answer, extract
from harness_ltlbench.engines import lasso
from harness_ltlbench.formula import Formula, path_text, statements, text, validate

MAX_EXPLANATION = 2_000

_MAX_ROWS = 8
_MAX_COLUMNS = 12
_MAX_PATH_TEXT = 300
_MAX_TABULATED = 40  # positions of a path beyond which there is no table

_NUMBERED = re.compile(r"^C([0-9]{1,4}):", re.MULTILINE)
_BLOCKED = re.compile(r"event([0-9]+) cannot be followed by event[0-9]+")
# Two events in a row, or one in brackets: somebody has tried to write a path.
_ATTEMPTED = re.compile(
    r"\be(?:vent)?[ _]?\w{1,9}[\s,;:>→–—-]{1,6}(?:then )?[(\[<]?e(?:vent)?[ _]?(?:[0-9]|[a-z]\b)"
    r"|[(\[<]e(?:vent)?[ _]?[0-9]{1,9}\W",
    re.IGNORECASE,
)


class _BrokenItemError(Exception):
    """The item cannot be scored against; its message is shown."""


def score(item: Item, completion: str, explain: bool = True) -> Verdict:
    """Judge any text whatever; never raises, and a failure of ours is ``unscored``."""
    reply = completion if isinstance(completion, str) else ""
    words = _last_words(reply)
    extra = {"published": _published(*words)}
    if max(words) < 0:
        extra["published_unparsed"] = "yes"
    try:
        return _score(item, reply, extra, explain)
    except (_BrokenItemError, HarnessError) as error:
        reason = str(error)
    except Exception as error:  # whatever fails here is our defect, never the model's answer
        reason = f"{type(error).__name__} while scoring: {error}"
    return Verdict("unscored", _values(False, False), None, quoted(reason), extra)


def published(completion: str) -> str:
    """Return what the paper's scorer reads: the last ``true``/``false``, else "False"."""
    return _published(*_last_words(completion))


def _last_words(completion: str) -> tuple[int, int]:
    """Return where the last true and the last false stand; -1 if there is none."""
    low = completion.encode("ascii", "replace").lower()  # far cheaper to search than a text
    return low.rfind(b"true"), low.rfind(b"false")


def _published(true: int, false: int) -> str:
    return "True" if true > false else "False"


def _score(item: Item, reply: str, extra: dict[str, str], explain: bool) -> Verdict:
    gold, proof = _label(item)
    answer = _answer(item, reply)
    if isinstance(answer, str):
        head = f"**Unparsable**: {answer}. {ending(reply)}"
        why = _explanation(head, item, gold, proof) if explain else ""
        return Verdict("unparsed", _values(False, False), None, why, extra)
    extra["vote"] = str(answer.label)  # different counterexamples vote for the same label
    right, fault = answer.label is gold, ""
    if item.problem["task"] == "counterexample" and not answer.label:
        fault = _path_fault(item.problem, answer)
        if answer.path is None and (
            answer.path_text or _ATTEMPTED.search(plain(reply, item.prompt)[-3000:])
        ):
            extra["path_unread"] = "yes"
            if not answer.path_text:
                fault = "no path is given where it is asked for; what looks like one is not read."
        if not gold and fault:
            right = False
        elif gold and not fault:
            raise _BrokenItemError(
                "the label is True, but the path violates the hypothesis: the item is wrong"
            )
    shown = _shown(answer, item.problem["task"])
    values = _values(right, answer.label is gold)
    if not explain:
        return Verdict("scored", values, shown, "", extra)
    head = f"**{'Right' if right else 'Wrong'}**: answered {answer.label}, gold is {gold}."
    head += f"\n\n{read_at(answer.quote, reply)}"
    if fault:
        head += f"\n\nThe answer's path: {fault}"
    elif item.problem["task"] == "counterexample" and not answer.label:
        proof = answer.path
    return Verdict("scored", values, shown, _explanation(head, item, gold, proof), extra)


@lru_cache(maxsize=512)
def _hypothesis(prompt: str) -> str | None:
    """Return the name of the last statement that a prompt numbers, None where it numbers none."""
    numbers = _NUMBERED.findall(prompt)
    return f"C{max(map(int, numbers))}" if numbers else None


def _values(accuracy: bool, label: bool) -> dict[str, float]:
    return {"accuracy": float(accuracy), "label": float(label)}


def _gold(item: Item) -> bool:
    problem = item.problem
    if not isinstance(problem, dict) or problem.get("task") not in ("decide", "counterexample"):
        raise _BrokenItemError("the item's problem has no task 'decide' or 'counterexample'")
    for key in ("events", "initial"):
        if type(problem.get(key)) is not int:
            raise _BrokenItemError(f"the item's problem has no number of '{key}'")
    validate(problem.get("formula"), problem["events"])
    word = item.target.partition(":")[0].strip()
    if word not in ("True", "False"):
        raise _BrokenItemError("the item's target begins with neither True nor False")
    return word == "True"


@kept
def _label(item: Item) -> tuple[bool, dict[str, list[int]] | None]:
    """Return the label, and the path that an item gives for a False one."""
    gold = _gold(item)
    return gold, None if gold else _violation(item)


def _violation(item: Item) -> dict[str, list[int]] | None:
    """Return the certificate's path for a False label; None if the item comes without one."""
    path = item.certificate.get("violation") if isinstance(item.certificate, dict) else None
    if path is None:
        return None
    wrong = lasso.path_errors(item.problem, path)
    if wrong is None and lasso.holds(item.problem["formula"], path["prefix"], path["cycle"]):
        wrong = "the hypothesis holds on it"
    if wrong is not None:
        raise _BrokenItemError(f"the violating path in the item's certificate is none: {wrong}")
    violation: dict[str, list[int]] = path
    return violation


def _shown(answer: Answer, task: str) -> str:
    if task == "counterexample" and answer.path is not None:
        return f"False: {path_text(answer.path)}"
    return str(answer.label)


# ---------------------------------------------------------------------------------- the path


def _answer(item: Item, reply: str) -> Answer | str:
    """Return the answer of a reply, or why there is none; one that ends amid the path asked for is none."""
    answer = extract(reply, _hypothesis(item.prompt), item.prompt)
    if item.problem["task"] != "counterexample" or isinstance(answer, str) or answer.path:
        return answer
    path = answer.path_text
    opened = path.count("(") + path.count("[") > path.count(")") + path.count("]")
    ends = opened and plain(reply, item.prompt).rstrip().lower().endswith(path.lower())
    return "the path is cut off" if ends else answer


def _path_fault(problem: dict[str, Any], answer: Answer) -> str:
    """Return why an answer's path is no counterexample; empty if it is one."""
    if answer.path is None:
        if not answer.path_text:
            return "no path is given."
        return f"the path cannot be read for certain: {quoted(answer.path_text)}."
    error = lasso.path_errors(problem, answer.path)
    if error is not None:
        return f"{error}{_followers(problem, error)}."
    if lasso.holds(problem["formula"], answer.path["prefix"], answer.path["cycle"]):
        return "it follows the graph, but the hypothesis holds on it."
    return ""


def _followers(problem: dict[str, Any], error: str) -> str:
    match = _BLOCKED.fullmatch(error)
    if match is None:
        return ""
    event = int(match[1])
    names = [f"event{t}" for t in sorted({t for s, t in problem["edges"] if s == event})]
    if not names:
        return f": after event{event} no other event can happen, it repeats forever"
    more = ", …" if len(names) > _MAX_COLUMNS else ""
    return f": after event{event} only {', '.join(names[:_MAX_COLUMNS])}{more} can happen"


# -------------------------------------------------------------------------------- explaining


def _explanation(
    head: str, item: Item, gold: bool, violation: Mapping[str, list[int]] | None
) -> str:
    return bounded(f"{head}\n\n{_proof(item, gold, violation)}", MAX_EXPLANATION)


def _proof(item: Item, gold: bool, violation: Mapping[str, list[int]] | None) -> str:
    """Return why the gold label is what it is, as far as is known."""
    if gold:
        return "The hypothesis holds on every path of the graph."
    if violation is None:
        return "The hypothesis does not hold on every path; the item names none that violates it."
    path = path_text(violation)
    if len(path) > _MAX_PATH_TEXT:
        path = f"{path[:_MAX_PATH_TEXT]} …"
    return f"The hypothesis fails on the path {path}\n\n{_table(item, violation)}"


def _table(item: Item, path: Mapping[str, list[int]]) -> str:
    """Return where along a path each part of the hypothesis holds, its last row the whole."""
    prefix, cycle = path["prefix"], path["cycle"]
    length = len(prefix) + len(cycle)
    if length > _MAX_TABULATED:
        return f"It has {length} positions, too many for a table."
    width = min(length, _MAX_COLUMNS)
    parts = _parts(item)
    head = ["part, true (✓) at"]
    for at, event in enumerate([*prefix, *cycle][:width]):
        head.append(f"{'↻ ' if at == len(prefix) else ''}event{event}")
    rows = []
    for name, part in parts[-_MAX_ROWS:]:
        truth = lasso.positions(part, prefix, cycle)[:width]
        rows.append([name, *("✓" if true else "✗" for true in truth)])
    notes = ["The last row is the hypothesis, and it fails at the first event."]
    if len(parts) > _MAX_ROWS:
        notes.append(f"{len(parts) - _MAX_ROWS} smaller parts are left out.")
    if length > width:
        notes.append(f"{length - width} later events are left out.")
    else:
        notes.append("The events from ↻ on repeat forever.")
    return f"{table(head, rows)}\n\n{' '.join(notes)}"


def _parts(item: Item) -> list[tuple[str, Formula]]:
    """Return the distinct parts of the hypothesis with their names, operands first."""
    formula = item.problem["formula"]
    # Only our own wording states rules, and it numbers the statements in this order.
    numbered = "=== Rules ===" in item.prompt
    by_text: dict[str, tuple[list[str], Formula]] = {}
    for number, part in enumerate(statements(formula), 1):
        by_text.setdefault(text(part), ([], part))[0].append(f"C{number}")
    return [
        (f"{', '.join(names[:3])} {formula_cell(shown)}" if numbered else formula_cell(shown), part)
        for shown, (names, part) in by_text.items()
    ]
