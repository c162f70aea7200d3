from __future__ import annotations

from random import Random
from typing import Any

import harness_guard
import pytest
from harness_tempobench import hoa
from harness_tempobench import problem as problems
from harness_tempobench.engines import spot
from harness_tempobench.errors import CauseError, HoaError, TempobenchError
from harness_tempobench.machine import Machine
from tb_machines import cause_of, lazy_machine, random_letters, random_machine

from harness import Abstained, EngineError

Trace = list[list[str]]


def said(machine: Machine, letters: tuple[int, ...]) -> Trace:
    return problems.trace(machine, letters, machine.run(letters)[1])


def case_of(seed: int) -> tuple[Machine, tuple[int, ...], Trace, dict[str, Any]]:
    random = Random(seed)
    inputs = random.randrange(4)
    make = lazy_machine if inputs and seed % 2 else random_machine
    machine = make(random, random.randint(1, 7), inputs)
    letters = random_letters(random, machine, random.randint(1, 6))
    step = random.randrange(len(letters))
    value = bool(machine.run(letters)[1][step] >> 1 & 1)
    return machine, letters, said(machine, letters), {"output": "o1", "value": value, "step": step}


def exact(machine: Machine, letters: tuple[int, ...], effect: dict[str, Any]) -> list[Any]:
    found = cause_of(
        machine, letters, None, effect["step"], effect["output"], effect["value"]
    ).clauses
    return [[list(pair) for pair in clause] for clause in found]


def test_it_derives_and_confirms_what_the_exact_engine_says() -> None:
    for seed in range(60):
        machine, letters, trace, effect = case_of(seed)
        text, clauses = hoa.write(machine), exact(machine, letters, effect)
        assert spot.cause(text, trace, effect) == clauses, seed
        assert spot.confirm(text, trace, effect, clauses), seed
        for n, clause in enumerate(clauses):
            rest = clauses[:n] + clauses[n + 1 :]
            assert not spot.confirm(text, trace, effect, rest)
            assert not spot.confirm(text, trace, effect, [*rest, clause[1:]])
            assert not spot.confirm(text, trace, effect, [*clauses, clause])


def test_names_and_the_order_of_propositions_are_read_as_written() -> None:
    names = ('quo"te', "x1", "States: 2000000000", "/*")  # what names are is nothing to the header
    table = (((0, 1), (1, 1)) * 2, ((0, 2), (0, 0), (1, 3), (1, 0)))
    machine = Machine(names[:2], names[2:], 0, table)
    text, letters = hoa.write(machine), (1, 2, 1)
    effect = {"output": "/*", "value": False, "step": 2}
    clauses = exact(machine, letters, effect)
    assert clauses
    assert spot.cause(text, said(machine, letters), effect) == clauses
    assert spot.run(text, said(machine, letters))["accepted"]


MIXED = """HOA: v1
States: 2
Start: 1
AP: 4 "g" "r" "h" "s"
acc-name: all
Acceptance: 0 t
controllable-AP: 2 0
--BODY--
State: 0 [0&!2&1] 1 [0&!2&!1] 0
State: 1 [!0&2] 0
--END--
"""


def test_outputs_may_stand_before_inputs() -> None:
    machine = hoa.read(MIXED)
    assert machine.inputs == ("r", "s")
    letters = (2, 1, 0)
    effect = {"output": "g", "value": False, "step": 2}
    clauses = exact(machine, letters, effect)
    assert clauses == [[[1, 0]]]
    assert spot.cause(MIXED, said(machine, letters), effect) == clauses


def test_runs_are_the_machines_own() -> None:
    for seed in range(150):
        machine, letters, trace, _ = case_of(seed)
        states = list(machine.run(letters)[0])
        text = hoa.write(machine)
        assert spot.run(text, trace) == {"states": states, "accepted": True}
        step = seed % len(trace)
        name = machine.outputs[seed % 2]
        changed = [list(one) for one in trace]
        changed[step] = sorted(set(changed[step]) ^ {name})
        answer = {"states": states[: step + 1], "accepted": False}
        assert spot.run(text, changed) == answer, seed


def test_a_run_needs_no_complete_machine() -> None:
    text = MIXED.replace("[0&!2&!1] 0", "")
    assert spot.run(text, [["h"], ["g"]]) == {"states": [1, 0], "accepted": False}
    assert spot.run(text, []) == {"states": [1], "accepted": True}
    several = MIXED.replace("[0&!2&1] 1", "[0&!2] 1")
    assert spot.run(several, [["h"], ["g", "r"]])["states"] == [1, 0, 1]
    with pytest.raises(Abstained, match="step 1 leads from state 0 to several"):
        spot.run(several, [["h"], ["g"]])


EFFECT = {"output": "g", "value": False, "step": 0}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[0&!2&!1] 0", "", "state 0 has no answer to some letter"),
        ("[0&!2&1] 1", "[0&!2] 1", "state 0 has several answers"),
        ("[!0&2] 0", "[!0] 0", "state 1 leaves the output h open"),
        ("[!0&2] 0", "[!0&2] 0 [!0&!2&1] 0", "state 1 has several answers"),
    ],
)
def test_it_abstains_from_machines_that_are_none(old: str, new: str, message: str) -> None:
    text = MIXED.replace(old, new)
    assert text != MIXED
    with pytest.raises(Abstained, match=message):
        spot.cause(text, [["h"]], EFFECT)


def test_an_edge_said_twice_is_one() -> None:
    text = MIXED.replace("[!0&2] 0", "[!0&2] 0 [!0&2&1] 0")
    assert spot.cause(text, [["h"]], EFFECT) == []


@pytest.mark.parametrize(
    ("trace", "effect", "message"),
    [
        ([["g"]], EFFECT, "the outputs of step 0 are not those of the machine"),
        ([["h", "oops"]], EFFECT, "step 0 names 'oops'"),
        ([["h"]], EFFECT | {"step": 1}, "step 1 of a trace whose steps are 0 to 0"),
        ([["h"]], EFFECT | {"step": -1}, "step -1 of a trace"),
        ([["h"]], EFFECT | {"value": True}, "g is false at step 0"),
        ([["h"]], EFFECT | {"output": "r"}, "no output 'r'"),
    ],
)
def test_what_is_no_effect_is_refused(trace: Trace, effect: dict[str, Any], message: str) -> None:
    for call in (spot.cause, lambda *a: spot.confirm(*a, [])):
        with pytest.raises(CauseError, match=message):
            call(MIXED, trace, effect)


def test_a_run_of_other_propositions_is_refused() -> None:
    with pytest.raises(CauseError, match="step 1 names 'oops'"):
        spot.run(MIXED, [["h"], ["oops"]])


HOSTILE = [
    "touch oops |",
    "HOA: v1\ntouch oops |",
    "HOA: v1 States: 2 |",
    "HOA:",
    "",
    " " + MIXED,
    MIXED[: len(MIXED) // 2],
    MIXED.replace("--END--", "--ABORT--"),
    MIXED + MIXED,
    MIXED + "touch oops |",
    MIXED.replace("States: 2", "States: 2000000000"),
    MIXED.replace("States: 2", "States: /* */ 2000000000"),
    MIXED.replace("States: 2", '/* " */ States: 2000000000 /* " */'),
    MIXED.replace("States: 2", "States: 2 States: 2000000000"),
    MIXED.replace("States: 2", "States:\n2"),
    MIXED.replace("States: 2\n", ""),
    MIXED.replace("States: 2", "States: 9999"),
    MIXED.replace("States: 2", "States: 1"),
    MIXED.replace("State: 0", "State: 2000000000"),
    MIXED.replace("Start: 1", "Start: 2000000000"),
    MIXED.replace("Start: 1", "Start: 1 Start: 0"),
    MIXED.replace("Start: 1", "Start: 0&1"),
    MIXED.replace("] 0", "] 2000000000"),
    MIXED.replace("] 0", "] 0&1"),
    MIXED.replace("AP: 4", "AP: 9999"),
    MIXED.replace("AP: 4", "AP: 2000000000"),
    MIXED.replace("controllable-AP: 2 0\n", ""),
    MIXED.replace("controllable-AP: 2 0", "controllable-AP: 2 77"),
    MIXED.replace("Acceptance: 0 t", "Acceptance: 1 Inf(0)"),
    MIXED.replace("Acceptance: 0 t", "Acceptance: 0 f"),
    MIXED.replace("Acceptance: 0 t", "Acceptance: 40 Inf(39)"),
    MIXED.replace("Acceptance: 0 t", "Acceptance: 2000000000 t"),
    MIXED.replace("[!0&2]", "[" + "(" * 100_000 + "!0&2" + ")" * 100_000 + "]"),
    MIXED.replace("[!0&2]", "[" + "!" * 100_000 + "0&2]"),
    MIXED.replace("[!0&2]", "[" + "! " * 100_000 + "0&2]"),
    MIXED.replace("[!0&2]", "[" + "!(" * 100_000 + "0&2" + ")" * 100_000 + "]"),
    MIXED.replace("[!0&2]", "[77]"),
    MIXED.replace("[!0&2]", "[oops]"),
    MIXED.replace('"g"', '"g'),
    MIXED.replace('"g"', '"g\\'),
    MIXED.replace('"g"', '"' + '\\"' * 100_000),
    "HOA: v1" + " " * spot.MAX_TEXT,
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_gives_one_line(text: str) -> None:
    for function, rest in (("run", [[["h"]]]), ("cause", [[["h"]], EFFECT])):
        with pytest.raises(EngineError) as caught:
            harness_guard.call(
                f"harness_tempobench.engines.spot:{function}", text, *rest, seconds=300
            )
        message = str(caught.value)
        assert "\n" not in message
        assert "machine: " in message, message  # the function's own: no worker was lost


def test_it_works_in_a_worker() -> None:
    call, name = harness_guard.call, "harness_tempobench.engines.spot:"
    trace, effect = [["h"], ["g", "r"], ["h"]], EFFECT | {"step": 2}
    assert call(name + "cause", MIXED, trace, effect) == [[[1, 0]]]
    assert call(name + "confirm", MIXED, trace, effect, [[[1, 0]]]) is True
    assert call(name + "confirm", MIXED, trace, effect, []) is False
    assert call(name + "run", MIXED, trace)["states"] == [1, 0, 1, 0]


def test_errors_are_the_plugins_own() -> None:
    assert issubclass(HoaError, TempobenchError)
    with pytest.raises(HoaError):
        spot.run(HOSTILE[0], [])


def test_wide_machines_are_beyond_it() -> None:
    machine = lazy_machine(Random(1), 74, 12)
    text, letters = hoa.write(machine), (0, 1)
    trace = said(machine, letters)
    assert spot.run(text, trace)["accepted"]
    with pytest.raises(Abstained, match="74 states and 12 inputs"):
        spot.confirm(text, trace, {"output": "o0", "value": True, "step": 1}, [])
