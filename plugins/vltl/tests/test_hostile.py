"""Hostile answers: one verdict each, soon, in bounded memory, and the next answer is scored as if nothing had been.

A child process judges them all, so that the memory is what judging takes and nothing else.
"""

import contextlib
import json
import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import harness_guard
import psutil
import pytest
from cases import slow
from harness_vltl.answers.score import VALUES, score
from harness_vltl.engines import equivalence
from pace import pace
from vltl_items import TASKS, made, verification

from harness.core.items import to_json

pytestmark = slow

HERE = Path(__file__)
SECONDS = 5.0
MEGABYTES = (
    400  # Spot's worker has a limit of its own; here are Python, the plugin, and a few MB of text
)
MEGABYTE = 1_000_000
GOLD = "G (prop_1 -> F (prop_2 & prop_3))"
VERIFIED = verification(["G", "prop_1"], {"states": [["prop_1"], []], "loop": 0})


def chain(operator, parts):
    return f" {operator} ".join(parts)


def nested(operator, count, name):
    formula = f"{name}0"
    for i in range(1, count + 1):
        formula = f"({formula} {operator} {name}{i})"
    return formula


_EQUIVALENCES = chain("<->", [f"(F n{i})" for i in range(20)])
_OFTEN, _NEFTO = (
    chain("<->", [f"G F n{i}" for i in order]) for order in (range(12), range(11, -1, -1))
)
_UNTIL = nested("U", 12, "n")
_UNTILS = "n0"
for _i in range(1, 13):
    _UNTILS = f"({_UNTILS} U (n{_i} & X n{_i - 1}))"
_FAR = "X " * 14
_MORE = [f"n{i}" for i in range(36)]

# Formulas that take an automaton of astronomic size, and what may become of them. None of those that
# mean the same as gold, or would have to be looked at in full to see that they do not, is called wrong.
EXPLODING = {
    "F of many": (chain("&", [f"F {n}" for n in _MORE]), "wrong"),
    "F of the item's": ("F prop_1 & F prop_2 & F prop_3", "wrong"),
    "F of the item's and many": (chain("&", ["F prop_1", *(f"F {n}" for n in _MORE)]), "wrong"),
    "nested until": (_UNTIL, "wrong"),
    "nested until, right": (nested("R", 12, "n"), "wrong"),
    "equivalences": (_EQUIVALENCES, "wrong"),
    "deep next": ("F (prop_1 & " + "X " * 50 + "prop_2)", "wrong"),
    "gold and many F": (f"({GOLD}) & " + chain("&", [f"F {n}" for n in _MORE]), "wrong"),
    "gold or many F": (f"({GOLD}) | (" + chain("&", [f"G F {n}" for n in _MORE]) + ")", "wrong or not decided"),
    "gold and a tautology of F": (f"({GOLD}) & " + chain("&", [f"(F n{i} | G !n{i})" for i in range(25)]), "no"),
    "gold or a contradiction": (f"({GOLD}) | (({_EQUIVALENCES}) & !({_EQUIVALENCES}))", "no"),
    "gold and excluded middle": (f"({GOLD}) & (({_EQUIVALENCES}) | !({_EQUIVALENCES}))", "no"),
    "gold and until or not": (f"({GOLD}) & ({_UNTIL} | !{_UNTIL})", "no"),
    "gold or until and not": (f"({GOLD}) | ({_UNTILS} & !{_UNTILS})", "no"),
    "gold and a chain turned round": (f"({GOLD}) & (({_OFTEN}) <-> ({_NEFTO}))", "no"),
    "gold and what is far": (f"({GOLD}) & ((G F (n1 & {_FAR} n2)) -> !(F G !({_FAR} n2 & n1)))", "no"),
    "gold and what is farther": (f"({GOLD}) & (F (n1 & {'X ' * 30} G n2) | G (!n1 | {'X ' * 30} F !n2))", "no"),
}  # fmt: skip
MAY = {
    "wrong": {("scored", 0.0)},
    "wrong or not decided": {("scored", 0.0), ("unscored", 0.0)},
    "no": {("scored", 1.0), ("unscored", 0.0)},
}

SIXTY = "".join(f"{'GF'[i % 2]} (a{i} & " for i in range(60)) + "a60" + ")" * 60
FIXED = {
    "sixty propositions": SIXTY,
    "sixty propositions, symbols": SIXTY.replace("G", "[]").replace("F", "<>").replace("&", "&&"),
    "sixty propositions, open": SIXTY.rstrip(")"),
    "parentheses": "(" * 10_000 + "prop_1" + ")" * 10_000,
    "parentheses, few": "(" * 200 + GOLD + ")" * 200,
    "parentheses, open": "(" * 9_000 + GOLD,
    "negations": "!" * 19_000 + "prop_1",
    "tildes": "~" * 15_000 + "prop_1",
    "next": "X " * 9_000 + "prop_1",
    "next, a power": "X^{999999999} prop_1",
    "next, bracketed": "X[1000000000] prop_1",
    "next, a huge power": "X^" + "9" * 15_000 + " prop_1",
    "bounded": "F[0,1000000000] prop_1",
    "binary": "prop_1 & " * 2_000 + "prop_1",
    "implications": "prop_1 -> " * 1_900 + "prop_1",
    "untils": "prop_1 U " * 2_000 + "prop_1",
    "a long name": "a" * 19_000,
    "a long call": "deliver(" + "a," * 9_000 + "b)",
    "calls in calls": "f(" * 5_000 + ")" * 5_000,
    "null bytes": "\x00G\x00 (prop_1\x00 -> F\x00 (prop_2 & \x00prop_3))\x00",
    "control characters": "".join(map(chr, range(32))) + GOLD,
    "half a character": "\ud800" + GOLD + "\udfff",
    "half a character within": "G (prop\udc80_1 -> F prop_2)",
    "from the right": "\u202e" + GOLD + "\u202c\u2066\u200f\u061c",
    "combining": "G (prop_1" + "\u0301" * 15_000 + ")",
    "digits of other scripts": "G (prop_\u0661 -> F prop_\u0968)",
    "JSON within JSON": '["!", ' * 3_000 + '"prop_1"' + "]" * 3_000,
    "JSON objects": '{"answer": ' * 1_500 + '"x"' + "}" * 1_500,
    "JSON, not closed": '{"prop_1": [' * 1_500,
    "JSON, a long number": '{"prop_1": ' + "1" * 15_000 + "}",
    "JSON, a list of a long number": "[" + "1" * 15_000 + "]",
    "JSON, no numbers": "[NaN, Infinity, -Infinity, 1e999]",
    "JSON, one key often": "{" + ", ".join(['"prop_1": "idle"'] * 1_000) + "}",
    "JSON, many keys": "{" + ", ".join(f'"prop_{i}": "idle"' for i in range(900)) + "}",
    "JSON, null": '{"prop_1": null, "prop_2": {}, "prop_3": []}',
    "JSON, a formula of dictionaries": '{"op": "G", "args": ' * 900 + '"prop_1"' + "}" * 900,
    "many verdicts": "satisfied violated " * 1_000,
    "many negations of a verdict": "not " * 4_000 + "satisfied",
    "placeholders": "prop_1 " * 2_500,
    "placeholders, with commas": "prop_1, prop_2, " * 1_200,
    "numbers": str([1] * 6_000),
}  # fmt: skip

# A phrase over and over: 20,000 characters behind the mark, and a million without one.
PHRASES = (
    "!", "(", ")", "[]", "<>", "()", "{", "}", '"', "0", "1, ", "\\", "\\boxed{", "\\frac{", "$", "`", "~~a ", "a ",
    "prop_1: ", "prop_1 -> ", '{"prop_1": ', "Answer: ", "answer is ", "Formula: ", "where ", "not ", "satisfied, ",
    "either ", "\x00", "\ud800", "\u202e", "\u0301", "<think>", "</think>", "\n", "| ", "- ", "1. ", "prop_1 and ",
)  # fmt: skip


def texts():
    """Yield a name and a completion."""
    for name, (formula, _) in EXPLODING.items():
        yield f"exploding: {name}", f"Answer: {formula}"
    for name, said in FIXED.items():
        yield name, f"Answer: {said}"
    for phrase in PHRASES:
        yield f"20,000 characters: {phrase!r}", "Answer: " + phrase * (19_900 // len(phrase))
    for phrase in PHRASES[:12]:
        yield f"a megabyte: {phrase!r}", phrase * (MEGABYTE // len(phrase))
    yield "a megabyte, marked", "Answer: " + "!" * MEGABYTE
    yield "an answer before a megabyte", f"Answer: {GOLD}\n" + "!" * MEGABYTE
    yield "digits and braces", "Answer: " + "{1}" * (MEGABYTE // 3)


def items(name):
    """Return the items that a text is put to: one for what is the same with all tasks."""
    if name.startswith(("a megabyte", "exploding")):
        return [made("translate")]
    even = len(name) % 2 == 0
    asked = made("translate" if even else "end_to_end")  # formulas are read alike
    others = [made("lift"), made("ground"), VERIFIED]
    return [asked, *(others if name in FIXED else others[:1] if even else others[1:])]


def spent():
    """Return the seconds of the processor that this process and its workers, those that are gone, too, have had."""
    found = sum(os.times()[:4])
    for worker in (*harness_guard._shared._idle, *harness_guard._shared._busy):
        with contextlib.suppress(psutil.Error):
            found += sum(psutil.Process(worker.process.pid).cpu_times()[:2])
    return found


def main():
    """Judge everything and print what came of it as one JSON object."""
    equivalence.SECONDS = (
        300.0  # of the wall: it is its effort that is to end Spot, however busy the machine is
    )
    plain = {task: [VERIFIED if task == "verify" else made(task)] for task in TASKS}
    for (item,) in plain.values():
        assert score(item, f"Answer: {item.target}").value["correct"] == 1.0
    found = []
    for name, said in texts():
        for item in items(name):
            before = spent()
            verdict = score(item, said)
            seconds = spent() - before
            task = item.problem["task"]
            after = score(plain[task][0], f"Answer: {plain[task][0].target}")
            to_json(verdict).encode()
            value, why = verdict.value["correct"], verdict.explanation
            row = [name, task, verdict.outcome, value, seconds, len(why), why[:300]]
            found.append([*row, verdict.problems(VALUES), after.value["correct"]])
    print(json.dumps({"found": found, "megabytes": peak()}))


def peak():
    """Return the most memory this process has had, in MB, without what it was forked from had."""
    if sys.platform == "linux":
        (line,) = re.findall(r"VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text())
        return int(line) / 1_000
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_000_000


@pytest.fixture(scope="module")
def judged():
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE.parent), *sys.path])}
    command = [sys.executable, "-W", "error", "-c", f"import {HERE.stem} as tests; tests.main()"]
    done = subprocess.run(command, env=environment, capture_output=True, timeout=1200)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    return json.loads(done.stdout)


@slow
def test_each_is_one_verdict_soon(judged):
    late = [
        (name, task, seconds)
        for name, task, *_, seconds, _, _, _, _ in judged["found"]
        if seconds > SECONDS
    ]
    assert not late or max(seconds for *_, seconds in late) <= SECONDS * pace(), late
    assert len(judged["found"]) > 250
    assert [row for row in judged["found"] if row[7]] == []
    assert max(row[5] for row in judged["found"]) <= 2000
    assert {row[2] for row in judged["found"]} == {"scored", "unparsed", "unscored"}


def test_the_next_answer_is_scored_as_ever(judged):
    assert [row for row in judged["found"] if row[8] != 1.0] == []


def test_memory_is_bounded(judged):
    assert judged["megabytes"] < MEGABYTES


@pytest.mark.parametrize("name", EXPLODING)
def test_what_explodes_is_never_called_wrong_without_a_trace(judged, name):
    (row,) = [row for row in judged["found"] if row[0] == f"exploding: {name}"]
    outcome, correct, why = row[2], row[3], row[6]
    assert (outcome, correct) in MAY[EXPLODING[name][1]], why
    if outcome == "scored" and not correct:
        assert "on which" in why or len(why) == 300  # a trace follows a long formula
    if outcome == "unscored":
        assert "effort" in why or "ran longer than" in why


def test_only_gold_itself_is_right(judged):
    """Text that holds the gold formula undisturbed may be read; nothing else is ever right."""
    fine = {
        "parentheses, few", "null bytes", "control characters", "half a character", "from the right",
        "an answer before a megabyte",
    }  # fmt: skip
    right = {row[0] for row in judged["found"] if row[3] and not row[0].startswith("exploding")}
    assert right <= fine


def test_nothing_else_is_unscored(judged):
    """To be unscored is to be left out of the mean: no text may buy that, but what no engine can decide."""
    bought = [(row[0], row[1], row[6]) for row in judged["found"]
              if row[2] == "unscored" and not row[0].startswith("exploding")]  # fmt: skip
    assert bought == []
