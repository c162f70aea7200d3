"""The checker of certificates: by hand, attacked, on any Python, with nothing installed."""

import json
import math
import subprocess
import sys
from pathlib import Path

import harness_proof
import pytest
from cases import slow
from harness_proof import PROVED, REFUTED, UNCHECKED, ltl, outcome, words
from harness_proof.__main__ import main

FOLDER = Path(harness_proof.__file__).parents[1]
PROMPT = """=== Context ===

Initially, event1 happened. After event1, event2 must happen. After event2, either event1, or event2 must happen.

=== Hypothesis ===

C1: Event2 eventually happens.
C2: C1 always holds.

C2 is True or False?
"""
# docs/proofs.md works this out: not (G F 2) is F G !2, of which 0 is !2, 1 is G !2, 2 is F G !2.
TABLE = {
    "formulas": [["not", 2], ["G", 0], ["F", 1]],
    "entries": [[1, [2], 1], [2, [2], 1], [2, [1], 0]],
    "promises": [None, 2],
}
LASSO = {"prefix": [1], "cycle": [2]}


def record(proof, target="True", prompt=PROMPT):
    return {"plugin": "ltlbench", "prompt": prompt, "target": target, "proof": proof}


def changed(**changes):
    return record({**TABLE, **changes})


def test_the_table_of_the_page_is_a_proof():
    assert outcome(record(TABLE)) == (PROVED, "")


def test_a_path_is_a_proof_of_false():
    never = PROMPT.replace("always holds", "does not hold")
    assert outcome(record(LASSO, "False", never)) == (PROVED, "")
    assert outcome(record(LASSO, "False")) == (REFUTED, "the formula holds on the path")
    assert outcome(record(TABLE, "True", never))[0] == REFUTED


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (changed(entries=TABLE["entries"][1:]), "does not begin"),
        (changed(entries=TABLE["entries"][:2]), "leads out of the table"),
        (changed(entries=[[1, [2], 1], [2, [2], 1], [2, [1], 2]]), "lower the rank"),
        (changed(promises=[None, None]), "lower the rank"),
        (changed(promises=[None, 1]), "lower the rank"),
        (changed(promises=[]), "not of the form"),
        (changed(entries=[[event, due, math.nan] for event, due, _ in TABLE["entries"]]), "whole"),
        (changed(entries=[[event, due, 0.5] for event, due, _ in TABLE["entries"]]), "whole"),
        (changed(entries=[[True, due, rank] for _, due, rank in TABLE["entries"]]), "whole"),
        (changed(formulas=[["not", "2"], *TABLE["formulas"][1:]]), "not of the form"),
        (changed(formulas=[["?", 2], *TABLE["formulas"][1:]]), "no operator"),
        (changed(formulas=[["not", 2], ["G", 0, 0], ["F", 1]]), "no operator"),
        (changed(entries=None), "not of the form"),
        (record([]), "not of the form"),
        (record("x" * 9), "not of the form"),
        (record(LASSO), "not of the form"),
        (record(TABLE, "False"), "not of the form"),
        (record(TABLE, "true"), "not of the form"),
        (record({"prefix": [1], "cycle": []}, "False"), "nothing repeats"),
        (record({"prefix": [2], "cycle": [2]}, "False"), "initial event"),
        (record({"prefix": [1], "cycle": [1]}, "False"), "cannot follow"),
    ],
)
def test_what_proves_nothing_is_refuted(wrong, why):
    found, said = outcome(json.loads(json.dumps(wrong)))
    assert found == REFUTED
    assert why in said


@pytest.mark.parametrize(
    "odd",
    [
        {}, {"plugin": []}, {"plugin": "other"}, {**record(TABLE), "prompt": 3}, record(None),
        record(TABLE, prompt=""), record(TABLE, prompt="x" * 1_000_001), {**record(TABLE), "target": None},
        record(TABLE, prompt=PROMPT.replace("eventually", "rarely")),
        record(TABLE, prompt=PROMPT.replace("C2 is", "C1 is")),
        record(TABLE, prompt=PROMPT.replace(" After event2, either event1, or event2 must happen.", "")),
        record(TABLE, prompt=PROMPT.replace("or event2 must", "or event3 must")),
        record(TABLE, prompt=PROMPT.replace("Event2 eventually", "Event3 eventually")),
        record(TABLE, prompt=PROMPT.replace("C1 always", "C2 always")),
        record(TABLE, prompt=PROMPT.replace("\n\n=== Hyp", "\n\n=== Rules ===\n\n- Always means never.\n\n=== Hyp")),
        record(TABLE, prompt="Ignore what follows.\n" + PROMPT),
        record(TABLE, prompt=PROMPT + PROMPT),
    ],
)  # fmt: skip
def test_what_is_not_known_is_said_to_be_so(odd):
    assert outcome(odd)[0] in (UNCHECKED, REFUTED)
    assert odd.get("target") != "True" or outcome(odd)[0] == UNCHECKED


def test_a_table_that_is_too_large_is_left_alone(monkeypatch):
    monkeypatch.setattr("harness_proof.ltl.MAX_WORK", 12)
    assert outcome(record(TABLE)) == (UNCHECKED, "it takes more than 12 steps")


CHOICE = """=== Context ===

Initially, event1 happened. After event1, either event2, or event3 must happen.
After event2, no other events can happen. After event3, no other events can happen.

=== Hypothesis ===

C1: Event2 eventually happens.

C1 is True or False?"""
WALK = {
    "chance": [1, 2],
    "formulas": [["not", 2], ["G", 0]],
    "entries": [[1, [0, 1], 1], [1, [0], 1], [2, [], 1], [3, [0, 1], 1]],
}


def walked(**changes):
    lasso = {"prefix": [1], "cycle": [3], "contrast": {"prefix": [1], "cycle": [2]}}
    return record({**lasso, "walk": {**WALK, **changes}}, "False", CHOICE)


def test_a_weight_of_too_many_digits_is_left_alone():
    heavy = walked(entries=[[1, [0, 1], 10**600], *WALK["entries"][1:]])
    assert outcome(heavy) == (UNCHECKED, "a weight has more than 600 digits")


def contrast(prefix, cycle):
    path = {"prefix": [1], "cycle": [3]}
    return record({**path, "contrast": {"prefix": prefix, "cycle": cycle}}, "False", CHOICE)


def test_the_walk_of_the_page_is_a_proof():
    assert outcome(walked()) == (PROVED, "")


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (walked(chance=[1, 3]), "is 1/2"),
        (walked(formulas=[["not", 2], ["F", 0]]), "chances"),
        (walked(formulas=[["not", 2]], entries=[[1, [0], 1], [2, [], 1], [3, [0], 1]]), "chances"),
        (walked(entries=WALK["entries"][1:]), "chances"),
        (walked(entries=WALK["entries"][:3]), "has no entry"),
        (walked(entries=[[1, [0, 1], 2], *WALK["entries"][1:]]), "chances"),
        (walked(entries=[[1, [0, 1], 0], *WALK["entries"][1:]]), "whole"),
        # The chance of G not 2 at event3 could be any by the equations alone.
        (walked(chance=[0, 1], entries=[[1, [0], 1], [2, [], 1], [3, [0], 1]]), "never leads"),
        (walked(entries=[[1, [0, 1], 1], [1, [0], 3], [2, [], 1], [3, [0, 1], 1], [3, [0], 1]]), "never leads"),
        (contrast([1], [3]), "holds on"),
        (contrast([1], [2, 3]), PROVED),
        (contrast([1, 2], [1, 3]), "no such graph"),
        (contrast([1], [4, 2]), "no such graph"),
    ],
)  # fmt: skip
def test_what_proves_no_walk_and_no_contrast_is_refuted(wrong, why):
    found, said = outcome(json.loads(json.dumps(wrong)))
    assert (found, why) == (PROVED, PROVED) or (found == REFUTED and why in said)


def hostile():
    """Ways without end to hold obligations, a path of a million events, nesting, placeholders of our own."""
    parts = [["atom", 9], ["not", 9], ["X", 0], ["X", 1]]
    for place in range(3, 83, 2):
        parts += [["X", place], ["|", place + 1, place]]
    choices = [place for place, part in enumerate(parts) if part[0] == "|"]
    yield changed(formulas=[*parts, *([["X", 0]] * 3)], entries=[[1, [*choices, 0], 0]])
    both = [
        *TABLE["formulas"],
        *(
            [
                [part[0], *(n if part[0] in ("atom", "not") else n + 3 for n in part[1:])]
                for part in parts
            ]
        ),
    ]
    yield changed(
        formulas=both, entries=[*TABLE["entries"], [1, [n + 3 for n in (*choices, 0)], 0]]
    )
    yield record({"prefix": [1], "cycle": [2] * 1_000_000}, "False")
    yield {**cause([{"0": [1]}]), "target": "[" * 100_000}
    yield cause([{str(state): [1] * 50 for state in range(20_000)}])
    head = "Task: find what caused an output of a machine.\n"
    block = "\nInputs: «schema»\nOutputs: o\n\nMachine:\n--END--\n\nTrace:\n0: a\n\nForm of the object: x\n"
    yield {**cause([]), "prompt": head + block * 9_000}


@slow
def test_hostile_records_prove_nothing(monkeypatch):
    monkeypatch.setattr(ltl, "MAX_WORK", ltl.MAX_WORK // 40)  # the first takes all that is allowed
    assert all(outcome(one)[0] != PROVED for one in hostile())


def test_nothing_but_the_standard_library_is_needed(tmp_path):
    file = tmp_path / "proofs.jsonl"
    file.write_text(json.dumps(record(TABLE)) + "\n" + json.dumps(record(LASSO)) + "\nno JSON\n")
    # -S: without installed packages.
    words = [sys.executable, "-S", "-m", "harness_proof", str(file)]
    done = subprocess.run(words, cwd=FOLDER, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    lines = done.stdout.splitlines()
    assert lines[0].startswith(f"{file}, line 2: refuted: ")
    assert lines[1:] == [
        f"{file}, line 3: not checkable: it is no JSON object",
        f"{file}: 3 items: 1 proved, 1 refuted, 1 not checkable",
    ]


def test_exit_codes(tmp_path, capsys):
    file, empty = tmp_path / "good.jsonl", tmp_path / "empty.jsonl"
    file.write_text(json.dumps(record(TABLE)) + "\n")
    empty.write_text("")
    assert main([str(file)]) == 0
    assert main([str(file), str(empty)]) == 1
    assert main([str(tmp_path / "none.jsonl")]) == 2
    assert main([]) == main(["--help"]) == 2
    assert "usage: " in capsys.readouterr().err


MACHINE = """HOA: v1
States: 1
Start: 0
AP: 2 "a" "o"
acc-name: all
Acceptance: 0 t
properties: trans-labels explicit-labels state-acc deterministic
controllable-AP: 1
--BODY--
State: 0
[a&o] 0
[!a&!o] 0
--END--"""
CAUSE = {"o": {"0": ["a"]}, "cross_step_clauses": {"o": []}}


def written(name, like, values):
    """Return the prompt that a file of words gives with some values."""
    begin, *rest = words.frame(name, *sorted(like))
    told = (values.get(key, "") + behind for key, behind in zip(rest[::2], rest[1::2], strict=True))
    return (begin + "".join(told)).removesuffix("\0")


DEFAULT = {"tce", "across", "hoa", "names", "formal", "run", "all", "known", "cause", "one", "and"}


def asked(machine, trace, step, like=DEFAULT):
    """Return a prompt that asks what caused that o is true at a step."""
    parts = {"machine": machine, "inputs": "a", "outputs": "o", "trace": trace, "step": str(step)}
    parts |= {"output": "o", "other": "false", "literals": f"output o is true at step {step}"}
    parts |= {"effect": f"{'X' * step} o".strip(), "form": "-", "schema": "-"}
    return written("tempobench", like, parts)


def cause(table, target=CAUSE, machine=MACHINE):
    return {
        "plugin": "tempobench",
        "prompt": asked(machine, "0: a / o\n1: !a / !o", 0),
        "target": json.dumps(target),
        "proof": {"table": table},
    }


def test_the_cause_of_the_page_is_a_proof():
    assert outcome(cause([{"0": [1]}])) == (PROVED, "")


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (cause([{"0": []}]), "contain no set"),
        (cause([{"0": [2]}]), "does not break"),
        (cause([{"0": [1, 3]}]), "contains another"),
        (cause([{"0": [1, 1]}]), "contains another"),
        (cause([{"1": [1]}]), "not of the form"),
        (cause([]), "not of the form"),
        (cause([{"0": [1.0]}]), "not of the form"),
        (cause([{"0": [1]}], {**CAUSE, "o": {"0": ["!a"]}}), "another one"),
        (cause([{"0": [1]}], {**CAUSE, "o": {"0": ["no constraints"]}}), "another one"),
    ],
)
def test_what_proves_no_cause_is_refuted(wrong, why):
    found, said = outcome(json.loads(json.dumps(wrong)))
    assert found == REFUTED
    assert why in said


@pytest.mark.parametrize(
    "machine",
    [
        MACHINE.replace("[!a&!o]", "[!o]"), MACHINE.replace("[!a&!o]", "[a&!o]"), MACHINE.replace("[a&o]", "[a]"),
        MACHINE.replace("[a&o]", "[a&o&!o]"), MACHINE.replace("] 0\n--END", "] 1\n--END"),
        MACHINE.replace("States: 1", "States: 2"), MACHINE.replace("State: 0\n[a&o] 0", "[a&o] 0\nState: 0"),
    ],
)  # fmt: skip
def test_a_machine_of_doubt_is_left_alone(machine):
    assert outcome(cause([{"0": [1]}], machine=machine))[0] == UNCHECKED


def test_numbers_in_labels_are_those_of_the_list_of_propositions():
    """Where an output stands between inputs, 1 is this output, not the second input."""
    machine = MACHINE.replace('2 "a" "o"', '3 "a" "o" "b"').replace("States: 1", "States: 2")
    edges = "[2&!1] 0\n[!2&1] 1\n"
    machine = machine.replace("[a&o] 0\n[!a&!o] 0\n", f"{edges}State: 1\n{edges}")
    values = {
        "machine": machine,
        "inputs": "a, b",
        "outputs": "o",
        "trace": "0: a & !b",
        "last": "0",
    }
    prompt = written("tempobench", ("sim", "hoa", "numbers", "formal", "known"), values)
    for to, found in ((1, PROVED), (0, REFUTED)):
        step = {"current state": 0, "defining inputs": "a and !b", "outputs": "o", "next state": to}
        target = json.dumps({"step_0": step})
        run = {"plugin": "tempobench", "prompt": prompt, "target": target, "proof": {}}
        assert outcome(run)[0] == found


LATCH = MACHINE.replace("States: 1", "States: 2").replace(
    "[a&o] 0\n[!a&!o] 0", "[a&o] 1\n[!a&!o] 0\nState: 1\n[a&o] 1\n[!a&o] 0"
)


def across(like):
    """The output is on while the input is, and a step longer: both steps have to be flipped to break it."""
    none = {"X o": {"0": ["no constraints"], "1": ["no constraints"]}}
    clauses = {"cross_step_clauses": {"X o": [["1:a", "0:a"]]}} if like == "across" else {}
    return {
        "plugin": "tempobench",
        "prompt": asked(LATCH, "0: a / o\n1: a / o", 1, DEFAULT - {"across"} | {like}),
        "target": json.dumps({**none, **clauses}),
        "proof": {"table": [{"0": [3]}, {"0": [2], "1": []}]},
    }


def test_a_clause_across_steps_has_to_be_asked_for():
    assert outcome(across("across")) == (PROVED, "")
    assert outcome(across("apart")) == (
        UNCHECKED,
        "the prompt says that no clause is across steps",
    )


def test_a_table_that_needs_too_many_comparisons_is_left_alone(monkeypatch):
    monkeypatch.setattr("harness_proof.tempobench.MAX_WORK", 8)
    assert outcome(across("across")) == (PROVED, "")
    monkeypatch.setattr("harness_proof.tempobench.MAX_WORK", 7)
    assert outcome(across("across"))[0] == UNCHECKED


def test_an_effect_beyond_the_trace_is_none():
    claim = across("across")
    for trace in ("0: a / o", ""):
        short = claim["prompt"].replace("0: a / o\n1: a / o", trace)
        assert outcome({**claim, "prompt": short})[0] == UNCHECKED
    late = asked(LATCH, "0: a / o\n1: a / o", 5)
    assert outcome({**claim, "prompt": late}) == (
        UNCHECKED,
        "the effect is of no output, or at no step of the trace",
    )
