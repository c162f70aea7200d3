"""Records of the published formats: adopted, audited, corrected, refused, written again."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from cases import SHARE, each, some
from harness_tempobench import engines, hoa, hoa_open
from harness_tempobench.published import adopt as published
from harness_tempobench.published import content as published_content
from harness_tempobench.targets import CROSSING
from tb_items import PLUGIN, items_of
from tb_published import prebuilt, propositions, question, raw, text_of

from harness import DatasetError, Item
from harness.core.plugins import registry

JSONL, RAW = "tempobench_jsonl", "tempobench_raw"
CASES = Path(__file__).parents[4] / "shared/data/causality/cases.jsonl"
TABLE = {"notation": "table"}


def adopt(record: dict[str, Any], form: str = "", **config: Any) -> Item:
    found = PLUGIN.call("adopt", record=record, config={"task": "tce", **config}, format=form)
    assert isinstance(found, Item)
    return found


STEP = min(SHARE, 4)  # of each kind of item at least one is tried


@cache
def own() -> tuple[Item, ...]:
    return (*items_of(8, label="per_step"), *items_of(8, task="tte"), *items_of(4))


def plain(message: str) -> str:
    return message.replace("`", "'")


def kinds(item: Item) -> list[str]:
    found = PLUGIN.call("audit", item=item)
    assert {one["kind"] for one in found} <= set(PLUGIN.benchmark.weaknesses)
    return [one["kind"] for one in found]


@cache
def derived(text: str, engine: str) -> str:
    return engines.solve(json.loads(text), engine).answer


def says(item: Item, engine: str = "exact") -> float:
    """1 if the label of an item, as an answer, is right by an engine's answer, as the audit asks."""
    truth = derived(json.dumps(item.problem), engine)
    judge = replace(item, target=truth, id="")
    verdict = PLUGIN.call("score", item=judge, completion=f"Answer: {item.target}")
    assert verdict.outcome == "scored", verdict.explanation
    return float(verdict.value["correct"])


# ------------------------------------------------------------------------- taken over, and written


def test_records_of_both_formats() -> None:
    for item in own()[::STEP]:
        full = item.problem.get("label") == "full"
        records = [(raw(item), RAW)] + ([] if full else [(prebuilt(item), JSONL)])
        for record, form in records:
            found = adopt(record, form)
            assert found == adopt(record)
            assert (found.problem, found.target) == (item.problem, item.target)
            assert (found.version, found.notes["format"]) == ("published", form)
            assert "findings" not in found.notes
            assert PLUGIN.call("read", prompt=found.prompt) == item.problem
            assert says(found) == 1
            if form == JSONL:
                assert (found.prompt, found.notes["label"]) == (record["prompt"], record["label"])


def test_round_trip() -> None:
    for item in (*own()[::STEP], *items_of(3, **TABLE), *items_of(3, task="tte", notation="prose")):
        for form in (JSONL, RAW):
            record = PLUGIN.call("publish", item=item, format=form, record={})
            back = adopt(json.loads(json.dumps(record)), form, task=item.problem["task"])
            assert (back.problem, back.prompt, back.target) == (
                item.problem,
                item.prompt,
                item.target,
            )
            assert kinds(back).count("stats") == 0
    for item in own()[:16:STEP]:
        found = adopt(prebuilt(item))
        for form in (JSONL, RAW):
            record = PLUGIN.call("publish", item=found, format=form, record={})
            back = adopt(record, form)
            assert (back.problem, back.prompt, back.target) == (
                found.problem,
                found.prompt,
                found.target,
            )
    assert PLUGIN.call("publish", item=own()[0], format="other", record={}) is None


def test_corrections_change_the_label_alone() -> None:
    rng = random.Random(4)
    for item in own()[:16:STEP]:
        for make, form in ((prebuilt, JSONL), (raw, RAW)):
            record = make(item) | {"extra": [1, None], "id": "x"}
            same = PLUGIN.call("publish", item=adopt(record), format=form, record=record)
            assert same == record
            wrong = spoilt(rng, item, make)
            if wrong is None:
                continue
            fixed = replace(adopt(wrong), target=item.target, id="")
            found = PLUGIN.call("publish", item=fixed, format=form, record=wrong)
            assert adopt(found).target == item.target
            fields = {"label"} if form == JSONL else {"causality", "hoax", "accepted"}
            assert {k for k in wrong if wrong[k] != found[k]} <= fields
            assert list(found) == list(wrong)


# --------------------------------------------------------------------------------- wrong labels


def spoilt(rng: random.Random, item: Item, make: Any = prebuilt) -> dict[str, Any] | None:
    """A record whose label is wrong in one random place; None where there is nothing to spoil."""
    answer = json.loads(item.target)
    spoil = spoil_cause if item.problem["task"] == "tce" else spoil_run
    if not spoil(rng, item, answer):
        return None
    changed = replace(item, target=json.dumps(answer), id="")
    return dict(make(changed))


def spoil_cause(rng: random.Random, item: Item, answer: dict[str, Any]) -> bool:
    steps = next(iter(answer.values()))
    constrained = [step for step, said in steps.items() if said != ["no constraints"]]
    if not constrained:
        return False
    step = rng.choice(constrained)
    place = rng.randrange(len(steps[step]))
    way = rng.choice(("flip", "drop", "sentence"))
    if way == "flip":
        said = steps[step][place]
        steps[step][place] = said[1:] if said.startswith("!") else "!" + said
    elif way == "drop":
        del steps[step]
    else:
        del steps[step][place]
    return True


def spoil_run(rng: random.Random, item: Item, answer: dict[str, Any]) -> bool:
    steps = [key for key in answer if key != "accepted"]
    way = rng.choice(("next", "state", "drop", "accepted"))
    if way == "accepted" or not steps:
        answer["accepted"] = "no" if answer["accepted"] == "yes" else "yes"
    elif way == "drop":
        del answer[rng.choice(steps)]
    else:
        name = "next state" if way == "next" else "current state"
        answer[rng.choice(steps)][name] += rng.choice((-1, 1)) % 7
    return True


def test_a_hundred_wrong_labels_are_found() -> None:
    rng, found = random.Random(6), 0
    while found < some(100):
        item = rng.choice(own()[:16])
        make = rng.choice((prebuilt, raw))
        record = spoilt(rng, item, make)
        if record is None:
            continue
        wrong = adopt(record)
        assert wrong.problem == item.problem
        assert says(wrong) == 0, (item.target, wrong.target)
        assert says(wrong, "spot" if item.problem["task"] == "tte" else "sat") == 0
        for answer, right in ((item.target, 0), (wrong.target, 1)):
            verdict = PLUGIN.call("score", item=wrong, completion=f"Answer: {answer}")
            assert (verdict.outcome, verdict.value["correct"]) == ("scored", right)
            assert not verdict.problems(PLUGIN.benchmark.values)
        found += 1


def test_a_wrong_set_of_propositions_is_found() -> None:
    rng, tried = random.Random(8), 0
    for item in own()[8:16]:
        for make in (prebuilt, raw):
            for number in range(min(3, len(json.loads(item.target)) - 1)):
                trace = [list(step) for step in item.problem["trace"]]
                name = rng.choice(propositions(item.problem["hoa"]))
                trace[number] = sorted({*trace[number]} ^ {name})
                told = make(replace(item, problem=item.problem | {"trace": trace}, id=""))
                true = make(item)
                key = "label" if make is prebuilt else "hoax"
                wrong = adopt(true | {key: told[key]})
                assert says(adopt(true)) == 1
                assert says(wrong) == 0, (name, wrong.target)
                tried += 1
    assert tried >= 20


# ---------------------------------------------------------------------------- odd, and refused

TCE = '```json\n{"X g": {"0": %s, "1": ["no constraints"]}}```'
HOA = """HOA: v1
States: 2
Start: 0
AP: 3 "r" "s" "g"
acc-name: all
Acceptance: 0 t
controllable-AP: 2
--BODY--
State: 0
[!0&!1&!2] 0
[(0|1)&!2] 1
State: 1
[!0&!1&2] 0
[(0|1)&2] 1
--END--"""
TRACE = "r&s&!g;!r&!s&g;!r&!s&!g;cycle{1}"


def tce(said: str = '["r or s"]', **changed: Any) -> dict[str, Any]:
    told = {"aps": ["r", "s", "g"], "hoa": HOA, "trace": TRACE, "effects": ["X g"]} | changed
    return {"prompt": question("tce", **told), "label": TCE % said, "stats": {}}


def test_sentences_of_labels() -> None:
    assert json.loads(adopt(tce()).target) == {"X g": {"0": ["r or s"], "1": ["no constraints"]}}
    for said, clauses, right in (
        ('["r OR s"]', ["r or s"], 1),
        ('["(s | r)"]', ["s or r"], 1),
        ('"r or s"', ["r or s"], 1),
        ('["r AND s"]', ["r", "s"], 0),
        ('["r", "s"]', ["r", "s"], 0),
        ('["(r AND s) OR s"]', ["r or s", "s"], 0),
        ('["r or !s"]', ["r or !s"], 0),
        ('["r or s or g"]', ["r or s or g"], 0),
        ('["zz"]', ["zz"], 0),
        ('["false"]', ["false"], 0),
        ('["no constraints"]', ["no constraints"], 0),
        ("[]", ["no constraints"], 0),
    ):
        item = adopt(tce(said))
        assert json.loads(item.target)["X g"]["0"] == clauses
        assert says(item) == right, said


def test_readings_of_sentences() -> None:
    found = PLUGIN.call("readings", item=adopt(tce('["r", "s"]')))
    assert found == {"sentences of a step": {"all hold": False, "one holds": True}}
    found = PLUGIN.call("readings", item=adopt(tce('["r AND s"]')))
    assert found == {"AND in a sentence": {"and": False, "or": True}}
    assert PLUGIN.call("readings", item=adopt(tce())) == {}


def test_readings_of_runs() -> None:
    name = "defining inputs"
    item = own()[9]
    for record, true in ((raw(item), "all that is true"), (prebuilt(item), "all that is true")):
        found = PLUGIN.call("readings", item=adopt(record))[name]
        assert found[true], record["label"]
        assert not found["literals of all inputs"]
    record = PLUGIN.call("publish", item=item, format=JSONL, record={})
    assert PLUGIN.call("readings", item=adopt(record))[name]["literals of all inputs"]
    step = json.loads(text_of(item).split("```json\n")[1].split("```")[0])
    step["step_0"]["next state"] = 77
    wrong = prebuilt(item, label=f"```json\n{json.dumps(step)}\n```\nAccepted: Yes")
    assert not any(PLUGIN.call("readings", item=adopt(wrong))[name].values())


def test_literals_of_the_published_example_are_understood() -> None:
    """Its code writes "no inputs" where its worked example has "!g and !r"."""
    trace = "!r&!s&!g;r&!s&!g;cycle{1}"
    steps = {"step_0": (0, "!g and !r", 0), "step_1": (0, "r", 1)}
    keys = ("current state", "defining inputs", "next state")
    said = {key: dict(zip(keys, one, strict=True)) for key, one in steps.items()}
    record = {
        "prompt": question("tte", ["r", "s", "g"], HOA, trace, []),
        "label": f"```json\n{json.dumps(said)}```\n\nAccepted: Yes",
        "stats": {},
    }
    item = adopt(record)
    assert says(item) == 1
    assert json.loads(item.target)["step_0"]["defining inputs"] == "!r and !s"
    for said_inputs, right in (
        ("no inputs", 1), ("!r", 1), ("!r and !s and !g", 1), ("r", 0), ("g", 0), ("!r or s", 0),
        ("!r or s or g", 0), ("zz", 0),
    ):  # fmt: skip
        said["step_0"]["defining inputs"] = said_inputs
        answer = f"```json\n{json.dumps(said)}\n```\nAccepted: Yes"
        verdict = PLUGIN.call("score", item=item, completion=answer)
        assert (verdict.outcome, verdict.value["correct"]) == ("scored", right), said_inputs
    assert verdict.extra["published_f1_ap"] < 1
    for said_inputs, right in (("r and !s and !g", 1), ("r and s and !g", 0), ("r and g", 0)):
        said["step_0"]["defining inputs"] = "no inputs"
        said["step_1"]["defining inputs"] = said_inputs
        answer = f"```json\n{json.dumps(said)}\n```\nAccepted: Yes"
        assert PLUGIN.call("score", item=item, completion=answer).value["correct"] == right


def test_the_published_scorer_gets_the_published_label() -> None:
    item = adopt(tce('["r OR s"]'))
    verdict = PLUGIN.call("score", item=item, completion=item.notes["label"])
    assert (verdict.value["correct"], verdict.extra["published_correct"]) == (1, 1)


BROKEN: list[tuple[dict[str, Any], str]] = [
    ({"prompt": 5, "label": "x"}, "field 'prompt' is empty or no text"),
    ({"prompt": "words", "label": "x"}, "there is no line 'Automaton:'"),
    ({"prompt": tce()["prompt"]}, "field 'label' is missing"),
    (tce() | {"label": "words"}, "no '''json fence"),
    (
        tce() | {"label": '```json\n{"X g": {"0": ["r'},
        "no JSON (the fence is not closed: cut off?)",
    ),
    (tce() | {"label": '```json\n{"X g": {"0": ["r"], "0": []}}```'}, "'0' is given twice"),
    (tce("[5]"), "label, step 0: a list of sentences is due"),
    (tce('["r or"]'), "label, step 0: the sentence ends too early"),
    (tce(hoa=HOA.replace("[!0&!1&2] 0", "[2] 0")), "state 1 has two next states"),
    (tce(hoa=HOA.replace("--END--", "")), "no '--END--'"),
    (tce(hoa=HOA.replace("HOA: v1", "HOA: v2")), "only version 1"),
    (tce(trace="r&s;;"), "trace, step 1: a literal is missing"),
    (tce(trace="r | s;cycle{1}"), "trace, step 0: '| s;cycle{1}' stands where literals"),
    (tce(trace="r&!r;cycle{1}"), "trace, step 0: 'r' is both true and false"),
    (tce(trace="zz;cycle{1}"), "trace, step 0: 'zz' is no proposition"),
    (tce(trace="r&s&!g;cycle{r;s}"), "trace: 'cycle{r;s}' is not a cycle{1} at its end"),
    (tce(trace="cycle{1}"), "trace: it has no step"),
    (
        tce(trace="r&s&!g;!r&!s&!g;cycle{1}"),
        "trace, step 1: the machine has no such step in state 1",
    ),
    (tce(effects=["XX g"]), "effect 'XX g': it is not what the trace has at step 2"),
    (tce(effects=["XXXX g"]), "effect 'XXXX g': it is at step 4, and the trace has 3"),
    (tce(effects=["X r"]), "effect 'X r': not an output"),
    (tce(effects=[]), "effects: there is none"),
    ({"hoa": HOA, "trace": TRACE}, "neither causality nor hoax"),
    ({"hoa": HOA, "trace": TRACE, "hoax": "0: import os"}, "accepted true or false"),
    (
        {"hoa": HOA, "trace": TRACE, "accepted": True, "hoax": "0: (0, __import__('os'), 1)"},
        "hoax, line 1: ",
    ),
    (
        {"hoa": HOA, "trace": TRACE, "causality": {"X g": []}, "effects": ["X g"]},
        "label: an effect",
    ),
    ({"hoa": HOA, "trace": TRACE, "causality": [5], "effects": ["X g"]}, "no effect is explained"),
    (raw(items_of(8)[0]) | {"error": "timeout"}, "making it failed: 'timeout'"),
    ({"prompt": tce()["prompt"], "label": "```json\n" + "[" * 100_000}, "is no JSON"),
]


@each("record, said", BROKEN)
def test_what_cannot_be_understood(record: dict[str, Any], said: str) -> None:
    with pytest.raises(Exception) as caught:  # noqa: PT011
        adopt(record)
    assert said in plain(str(caught.value))
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, DatasetError) or "HOA" in str(caught.value)


def test_runs_that_cannot_be_understood() -> None:
    prompt = question("tte", ["r", "s", "g"], HOA, TRACE, [])
    step = {"current state": 0, "defining inputs": "r and s", "next state": 1}
    for said, verdict, why in (
        ({"step_0": step}, "", "does not say 'Accepted: Yes'"),
        ({"first": step}, "Accepted: Yes", "'first' is no step"),
        ({"step_0": step | {"next state": "x"}}, "Accepted: Yes", "step_0: 'x' is no number"),
        ({"step_0": step | {"next state": True}}, "Accepted: Yes", "step_0: 'True' is no number"),
        ({"step_0": step | {"defining inputs": "r or s"}}, "Accepted: Yes", "no set of"),
        ({"step_0": step | {"defining inputs": "r and !r"}}, "Accepted: Yes", "no set of"),
        ({"step_0": {"state": 0}}, "Accepted: Yes", "an object with current state"),
        ({"step_0": step | {"defining inputs": 4}}, "Accepted: No", "is not text"),
        ({"step_0": step | {"next state": 10**5000}}, "Accepted: No", "label"),
    ):
        try:
            label = f"```json\n{json.dumps(said)}\n```\n{verdict}"
        except ValueError:
            label = '```json\n{"step_0": ' + "9" * 6000 + "}\n```\nAccepted: No"
        with pytest.raises(DatasetError, match="label") as caught:
            adopt({"prompt": prompt, "label": label, "stats": {}})
        assert why in plain(str(caught.value))


def test_records_of_others() -> None:
    for record in ({}, {"question": "?", "answer": "yes"}, {"sentence": "", "tl": ""}):
        for form in ("", "ltlbench_csv", *((JSONL, RAW) if not record else ())):
            assert PLUGIN.call("adopt", record=record, config={}, format=form) is None


def test_findings() -> None:
    for record, said in (
        (tce(effects=["X g", "!g"]), "2 effects are named"),
        (tce(aps=["r", "g"]), "the propositions listed are 'r, g'"),
        (tce(trace="r&!g;!r&!s&g;cycle{1}"), "nothing is said of 's', which is read as false"),
        (tce(trace=TRACE.removesuffix(";cycle{1}")), "does not end in cycle{1}"),
        (tce() | {"label": '```json\n{"X g": {"0": ["r or s"]}}```'}, "the label has no step 1"),
        (tce() | {"label": '```json\n{"g": {"0": ["r or s"]}}```'}, "the label explains 'g'"),
        (
            raw(items_of(8)[0]) | {"prompt": tce()["prompt"]},
            "prompt and formal content differ in the machine",
        ),
        (raw(items_of(8)[0]) | {"prompt": "Hello."}, "the prompt cannot be read"),
    ):
        findings = adopt(record).notes["findings"]
        assert any(said in plain(one) for one in findings), (said, findings)
    assert says(adopt(tce() | {"label": '```json\n{"g": {"0": ["r or s"]}}```'})) == 0


def test_a_raw_record_with_both_labels() -> None:
    both = raw(items_of(8)[1]) | {"hoax": "0: (0, set(), 1)", "accepted": True}
    assert adopt(both).problem["task"] == "tce"
    assert adopt(both, task="tte").problem["task"] == "tte"


# ------------------------------------------------------------------------------- open machines

PARTIAL = HOA.replace("[!0&!1&2] 0\n", "")  # no edge in state 1 without r and s
LOOSE = HOA.replace("[!0&!1&!2] 0", "[!0&!1] 0")  # in state 0, without r and s, g may be either


def test_missing_edges() -> None:
    trace = "r&s&!g;r&!s&g;cycle{1}"
    item = adopt(tce('["r or s"]', hoa=PARTIAL, trace=trace))
    assert "the machine is incomplete: 1 pairs" in item.notes["findings"][0]
    assert "open_machine" in kinds(item)
    found = PLUGIN.call("readings", item=item)["missing edges"]
    assert found == {"loops": False, "no deviation that ends": True}
    run = {"step_0": {"current state": 0, "defining inputs": "r and s", "next state": 1}}
    label = f"```json\n{json.dumps(run)}\n```\nAccepted: No"
    for ending in ("!r&!s&!g", "!r&!s&g"):
        stopped = f"r&s&!g;{ending};cycle{{1}}"
        prompt = question("tte", ["r", "s", "g"], PARTIAL, stopped, [])
        rejected = adopt({"prompt": prompt, "label": label, "stats": {}})
        assert says(rejected) == says(rejected, "spot") == 1


def test_open_outputs() -> None:
    record = tce('["no constraints"]', hoa=LOOSE, trace="!r&!s&g;r&!s&!g;cycle{1}", effects=["g"])
    record["label"] = '```json\n{"g": {"0": ["no constraints"]}}```'
    item = adopt(record)
    assert "open outputs: 1 pairs" in item.notes["findings"][0]
    assert derived(json.dumps(item.problem), "exact") == '{"g": {"0": ["!r", "!s"]}}'
    found = PLUGIN.call("readings", item=item)["open outputs"]
    assert found == {"as in the trace, else the least": False, "any": False}
    with pytest.raises(DatasetError, match="steps 0 and 1: state 0 answers the same inputs in two"):
        adopt(tce(hoa=LOOSE, trace="!r&!s&g;!r&!s&!g;cycle{1}", effects=["g"]))
    later = "!r&!s&!g;r&!s&!g;!r&!s&g;cycle{1}"
    item = adopt(tce('["r"]', hoa=LOOSE, trace=later, effects=["XX g"]))
    assert set(PLUGIN.call("readings", item=item)) >= {"open outputs"}


def test_gaps_are_counted_without_looking_at_every_mask() -> None:
    names = [f"o{i}" for i in range(24)]
    listed = " ".join(f'"{name}"' for name in ["r", *names])
    odd = "(!1&2 | 1&!2)"
    for first, second in ((3, 4), (5, 6), (7, 8)):
        odd = f"({odd})&!({first}&{second})"
    text = (
        f"HOA: v1\nStates: 1\nStart: 0\nAP: 25 {listed}\nAcceptance: 0 t\n"
        f"controllable-AP: {' '.join(map(str, range(1, 25)))}\n--BODY--\nState: 0\n[0&{odd}] 0\n--END--"
    )
    opened = hoa.read_open(text)
    assert hoa_open.gaps(opened) == (1, 1)
    small = HOA.replace("[!0&!1&!2] 0", "[!0&!1] 0")
    assert hoa_open.gaps(hoa.read_open(small)) == (0, 1)
    assert hoa_open.gaps(hoa.read_open(HOA)) == (0, 0)
    assert hoa_open.gaps(hoa.read_open(PARTIAL)) == (1, 0)


def test_other_conventions_equal_brute_force() -> None:
    """Against runs of all choices, on small machines with gaps and open outputs."""
    rng = random.Random(12)
    for _ in range(25):
        states = 3
        edges = {
            (s, x, o): rng.randrange(states)
            for s in range(states) for x in (0, 1) for o in (0, 1) if rng.random() < 0.6
        }  # fmt: skip
        lines = [
            f"State: {s}\n"
            + "".join(
                f"[{'' if x else '!'}0&{'' if o else '!'}1] {t}\n"
                for (at, x, o), t in edges.items() if at == s
            )
            for s in range(states)
        ]  # fmt: skip
        opened = hoa.read_open(
            'HOA: v1\nStates: 3\nStart: 0\nAP: 2 "r" "g"\nAcceptance: 0 t\ncontrollable-AP: 1\n'
            f"--BODY--\n{''.join(lines)}--END--"
        )
        value = rng.random() < 0.5
        angry = hoa_open.adversary(opened, 0, value)
        ending = hoa_open.without_dead_ends(opened, 0, value)
        for word in product((0, 1), repeat=4):
            runs = {0}
            for step, x in enumerate(word):
                kept = {
                    (t, o) for s in runs for o in (0, 1)
                    for t in ([edges[s, x, o]] if (s, x, o) in edges else [])
                }  # fmt: skip
                stuck = {s for s in runs if (s, x, 0) not in edges and (s, x, 1) not in edges}
                found = {o for _, o in kept} | ({0} if stuck else set())
                fails = int(not value) in found
                assert angry.run(word[: step + 1])[1][step] == int(fails is not value)
                runs = {t for t, _ in kept} | stuck
            state, masks = 0, ending.run(word)[1]
            for step, x in enumerate(word):
                options = [o for o in (0, 1) if (state, x, o) in edges]
                goes = edges[state, x, options[0]] if options else None
                if not options or not _lives(edges, goes):
                    assert set(masks[step:]) == {int(value)}
                    break
                assert masks[step] == options[0]
                state = goes


def _lives(edges: dict[tuple[int, int, int], int], state: int | None) -> bool:
    """Whether a run with the least outputs can go on from a state for more steps than there are states."""
    reached = {state}
    for _ in range(5):
        reached = {
            edges[s, x, min(options)]
            for s in reached for x in (0, 1)
            if (options := [o for o in (0, 1) if (s, x, o) in edges])
        }  # fmt: skip
    return bool(reached)


# ----------------------------------------------------------------------------------- weaknesses


def test_weaknesses() -> None:
    plain = tce()
    assert kinds(adopt(plain)) == []
    stats = {"effect_depth": 1, "hoa_states": 2, "transition_count": 4, "trace_length": 3}
    assert kinds(adopt(plain | {"stats": stats})) == []
    wrong = adopt(plain | {"stats": {"unique_inputs_in_trace": 4, "causal_inputs_count": 1}})
    (one,) = PLUGIN.call("audit", item=wrong)
    assert one["message"] == (
        "unique_inputs_in_trace is 4, by definition 2; causal_inputs_count is 1, by definition 2"
    )
    first = tce(effects=["!g"]) | {"label": '```json\n{"!g": {"0": ["no constraints"]}}```'}
    assert kinds(adopt(first)) == ["first_step", "nothing_to_find"]
    mealy = HOA.replace("[!0&!1&2] 0", "[!0&!1&!2] 0")
    now = tce(hoa=mealy, trace="r&s&!g;r&!s&g;cycle{1}")
    assert "own_step" not in kinds(adopt(now))
    always = HOA.replace("&!2] 0", "&!2] 1").replace("&2] 0", "&!2] 1")
    assert kinds(adopt(tce(hoa=always, trace="r&s&!g;r&!s&g;cycle{1}"))) == ["own_step"]
    assert kinds(adopt(tce(effects=["X g", "g"]))) == ["several_effects"]
    loop = question("tte", ["r", "s", "g"], HOA, "!r&!s&!g;!r&!s&!g;cycle{1}", [])
    label = (
        '```json\n{"step_0": {"current state": 0, "defining inputs": "no inputs", "next state": 0}}'
    )
    item = adopt({"prompt": loop, "label": f"{label}\n```\nAccepted: Yes", "stats": {}})
    assert kinds(item) == ["one_state", "accepted"]
    sample = prebuilt(items_of(8)[0])["prompt"]
    start, end = sample.index("Problem start:"), sample.index("\n\nLabel:")
    given = sample[:start] + "Problem start:\n" + sample[sample.index("You are") : end]
    record = {"prompt": given, "label": '```json\n{"X g": {"0": ["r"], "1": []}}\n```'}
    assert "given_away" in kinds(adopt(record))


def test_causes_that_the_label_cannot_state() -> None:
    item = next(one for one in items_of(40, label="full") if "0:" in one.target)
    answer = json.loads(item.target)
    crossing = answer.pop(CROSSING)
    lossy = adopt(prebuilt(item, label=text_of(item, answer)))
    assert lossy.problem["label"] == "per_step"
    assert "several_steps" in kinds(lossy)
    assert says(lossy) == 0
    fixed = replace(lossy, target=derived(json.dumps(lossy.problem), "exact"), id="")
    record = PLUGIN.call("publish", item=fixed, format=JSONL, record=prebuilt(lossy))
    back = adopt(record)
    assert json.loads(back.target)[CROSSING] == crossing
    assert says(back) == 1


def test_hooks_take_damaged_items() -> None:
    item = adopt(tce('["r", "s"]'))
    for changed in (
        replace(item, problem={}, id=""),
        replace(item, problem=item.problem | {"hoa": "HOA:"}, id=""),
        replace(item, target="[]", notes={"label": ["?"]}, id=""),
        replace(item, notes={"label": {"causality": {}}}, id=""),
    ):
        assert isinstance(PLUGIN.call("audit", item=changed), list)
        assert PLUGIN.call("readings", item=changed) == {}
        PLUGIN.call("publish", item=changed, format=RAW, record={})


def test_other_prompts_are_none_of_ours() -> None:
    assert published_content.read(own()[0].prompt) is None
    for text in ("", "Automaton:\n", "Automaton:\nHOA: v1\n--END--", "\nAutomaton:\n" * 20_000):
        assert PLUGIN.call("read", prompt=text) is None


@pytest.mark.skipif(not CASES.exists(), reason=f"{CASES} is absent")
def test_the_cases_of_the_reference_implementation() -> None:
    seen = 0
    with CASES.open(encoding="utf-8") as file:
        for line in list(file)[::6]:
            case = json.loads(line)
            step, name = case["effect"]["step"], case["effect"]["ap"]
            names = case["inputs"] + case["outputs"]
            steps = ["&".join(n if s[n] else f"!{n}" for n in names) for s in case["trace"]]
            effect = f"{'X' * step} {name}"
            item = adopt(
                {
                    "hoa": case["machine"], "aps": names, "trace": ";".join([*steps, "cycle{1}"]),
                    "effects": [effect], "causality": {effect: {"0": ["no constraints"]}},
                }
            )  # fmt: skip
            made = engines.solve(item.problem, "exact")
            assert len(made.certificate["clauses"]) == case["clauses"]
            seen += 1
    assert seen == 50


def test_the_plugin_names_its_formats() -> None:
    assert registry().get("tempobench").benchmark.dataset_formats == (JSONL, RAW)
    assert published.adopt({}, {}) is None
