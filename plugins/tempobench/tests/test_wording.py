"""Prompts: read back as they were meant, from the text alone; altered, cut or other text is refused."""

import itertools
import json
import random
import re
from functools import cache

import pytest
from cases import some
from harness_tempobench import hoa, machine, reading, reading_machine, targets, wording
from harness_tempobench import problem as problems
from harness_tempobench.errors import TempobenchError
from harness_tempobench.machine import Machine
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pace import within
from tb_items import PLUGIN, items_of

from harness import HarnessError

FORMS = [("hoa", "names"), ("hoa", "numbers"), ("table", "names"), ("prose", "names")]
KINDS = [("tce", "per_step"), ("tce", "full"), ("tte", None)]
NASTY = (
    "and", "or", "not", "If", "is", "true", "False", "none", "any", "are", "t", "f", "0", "-", "!", "a|b", "a b",
    '"x"', '"', "\\", "a\\", ", ", " ", "/", " / ", "| 0 |", "r is true", "r and s", "or if", "é", "✓", "]", "@a",
    "/*", "X g", "Inputs: none", "Trace:", "Machine:", "Answer: <x>", "--END--", "{}", "%s", "{a}", "_",
    "A" * 100,
)  # fmt: skip
NAMES = st.text(min_size=1, max_size=4).filter(str.isprintable) | st.sampled_from(NASTY)

HEAD = (
    "Task: follow a trace through a machine.\nThe initial state is 0.\n"
    "Inputs: a\nOutputs: b\n\nMachine:\n"
)


def a_machine(rng, states, inputs, outputs):
    """Few different cells, so that conditions have alternatives."""
    cells = [
        (rng.randrange(states), rng.randrange(1 << len(outputs))) for _ in range(rng.randint(1, 5))
    ]
    table = [[rng.choice(cells) for _ in range(1 << len(inputs))] for _ in range(states)]
    return Machine(tuple(inputs), tuple(outputs), rng.randrange(states), tuple(map(tuple, table)))


def a_problem(rng, subject, task="tce", label="per_step", steps=5):
    letters, masks = machine.walk(subject, steps, rng)
    problem = {"task": task, "hoa": hoa.write(subject)}
    if task == "tte":
        masks = [
            rng.randrange(1 << len(subject.outputs)) if rng.random() < 0.2 else m for m in masks
        ]
        return problem | {"trace": problems.trace(subject, letters, masks)}
    step, bit = rng.randrange(steps), rng.randrange(len(subject.outputs))
    effect = {"output": subject.outputs[bit], "value": bool(masks[step] >> bit & 1), "step": step}
    return problem | {
        "trace": problems.trace(subject, letters, masks),
        "effect": effect,
        "label": label,
    }


@cache
def usual(task="tce", label="per_step", seed=1):
    rng = random.Random(seed)
    return a_problem(rng, a_machine(rng, 4, ["r", "s_1"], ["g", "Busy"]), task, label)


@cache
def prompt_of(form, kind, seed=1):
    return wording.write(usual(*kind, seed), *form)


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=max(some(40), 10))
@given(
    st.lists(NAMES, min_size=1, max_size=8, unique=True),
    st.integers(0, 2**32),
    st.integers(1, 9),
    st.sampled_from(KINDS),
    st.integers(1, 12),
)
def test_every_problem_is_read_back_whatever_the_names(form, names, seed, states, kind, steps):
    rng = random.Random(seed)
    cut = rng.randint(max(0, len(names) - 4), len(names) - 1) if len(names) > 1 else 0
    cut = min(cut, 4)
    problem = a_problem(rng, a_machine(rng, states, names[:cut], names[cut:]), *kind, steps)
    prompt = wording.write(problem, *form)
    assert reading.read(prompt) == problem
    assert wording.write(json.loads(json.dumps(problem)), *form) == prompt


@pytest.mark.parametrize("form", FORMS)
def test_big_machines_are_read_back(form):
    rng = random.Random(3)
    subject = a_machine(rng, 128, [f"i{k}" for k in range(6)], [f"o{k}" for k in range(8)])
    problem = a_problem(rng, subject, steps=40)
    prompt = wording.write(problem, *form)
    assert reading.read(prompt) == problem


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", FORMS)
def test_text_around_a_prompt_does_not_matter_and_of_several_the_last_counts(form, kind):
    prompt, other = prompt_of(form, kind), prompt_of(form, kind, 2)
    assert reading.read(f"\n {other}\n\nQ:\n{prompt}\n\nThink step by step.\n") == usual(*kind)
    assert reading.read(f"{prompt}\n{other[: len(other) // 2]}") is None
    assert reading.read("See: " + prompt) is None
    assert reading.read(prompt + "!") is None


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", FORMS)
def test_truncated_prompts_are_refused(form, kind):
    prompt = prompt_of(form, kind)
    rng = random.Random(5)
    for cut in {1, 2, len(prompt) - 1, *(rng.randrange(1, len(prompt)) for _ in range(40))}:
        assert reading.read(prompt[:cut]) is None
        assert reading.read(prompt[cut:]) is None


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", FORMS)
def test_an_altered_prompt_is_refused_or_is_the_prompt_of_another_problem(form, kind):
    prompt, problem = prompt_of(form, kind), usual(*kind)
    rng = random.Random(7)
    for _ in range(60):
        place, length = rng.randrange(len(prompt)), rng.choice((0, 1, 1, 9))
        put = rng.choice(["", "", "!", "0", "1", " ", "\n", "|", '"', "é", "true", "r", "&"])
        altered = prompt[:place] + put + prompt[place + length :]
        found = reading.read(altered)
        if altered.strip() != prompt:
            assert found != problem
        if found is not None:
            assert wording.write(found, *form) == altered.strip()


ALTERATIONS = [
    ("Inputs: r, s_1", "Inputs: r"),
    ("Inputs: r, s_1", "Inputs: s_1, r"),
    ("Inputs: r, s_1", "Inputs: none"),
    ("Inputs: r, s_1", "Inputs: r, r"),
    ("Outputs: g, Busy", "Outputs: g, r"),
    ("Outputs: g, Busy", "Outputs: "),
    ("\nTrace:\n0: ", "\nTrace:\n1: "),
    ("\nTrace:\n0: ", "\nTrace:\n00: "),
    ("\nTrace:\n", "\nTrace:\n\n"),
    ("\nMachine:\n", "\n"),
    ("\nTrace:\n", "\n"),
    (" / ", " "),
    ("Steps are counted from 0", "Steps are counted from 1"),
    ("a machine.", "a machine"),
    ("JSON Schema of the object: {", "JSON Schema of the object: "),
    ("Answer: <", "Answer: "),
    ("End your reply with", "End"),
]
BY_NOTATION = {
    "hoa": [
        ("State: 1\n", "State: 0\n"), ("HOA: v1", "HOA: v2"), ("--END--\n", ""), ("] 0", "] 9"),
        ("States: 4", "States: 4000000000"), ("&", "|"), ('AP: 4 "r"', 'AP: 4 "q"'), ("[", "[f&"),
    ],
    "table": [
        ("| 1 |", "| 7 |"), ("| 1 |", "| 5000 |"), ("| 0 | ", "|0| "), ("| g &", "| q &"), ("| --- |", "| -- |"),
        (" & Busy |", " |"), (" & Busy |", " & g |"), ("| 3 |", "| 03 |"), ("initial state is", "initial state"),
        ("initial state is ", "initial state is 9"), ("| !r", "| !q"), ("| 0 | ", "| -1 | "),
    ],
    "prose": [
        ("In state 1:", "In state 0:"), ("In state 1:", "In state 9:"), (" is true", " is maybe"), ("If r", "If q"),
        (", and the next state is 0.", "."), ("next state is ", "next state is 7"), (" are false", " is false"),
        ("In state 2:", "In state x:"), ("initial state is ", "initial state is 1234567"), (" g is", " r is"),
    ],
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", KINDS)
def test_changes_of_substance_are_refused(form, kind):
    prompt = prompt_of(form, kind)
    changed = 0
    for old, new in ALTERATIONS + BY_NOTATION[form[0]]:
        altered = prompt.replace(old, new, 1)
        changed += altered != prompt
        assert altered == prompt or reading.read(altered) is None, (old, new)
    assert changed >= len(ALTERATIONS) + 5


@pytest.mark.parametrize("label", ["per_step", "full"])
def test_an_effect_that_the_run_does_not_have_is_refused(label):
    problem = usual("tce", label)
    effect = problem["effect"]
    wrong = [
        {"effect": effect | {"value": not effect["value"]}},
        {"effect": effect | {"step": 9}},
        {"effect": effect | {"output": "r"}},
        {"effect": effect | {"output": "zz"}},
        {"trace": [*problem["trace"][:-1], ["r", "s_1", "g", "Busy"]]},
        {"trace": [*problem["trace"][:-1], ["r", "s_1"]]},
    ]
    found = [reading.read(wording.write(problem | change, "table", "names")) for change in wrong]
    assert found[:4] == [None] * 4
    assert None in found[4:]  # at most one of the two can be the machine's


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "Answer: <x>", "Task: find what caused an output of a machine.", None, 7, b"Task", ["Task"],
        "Task: find what caused an output of a machine.\nAnswer: <x>",
        HEAD + "\n\nTrace:\n\nAnswer: <x>", HEAD + "x\n\nTrace:\n0: a / b\n\nAnswer: <x>",
        HEAD + "HOA: v1\n\nTrace:\n0: a / b\n\nAnswer: <x>",
        "=== Context ===\n\nInitially, event1 happened. After event1, no other events can happen.",
        "Task: mark the atomic propositions of a requirement.\nScenario: x\nRequirement: y\nAnswer: <z>",
        "HOA: v1\nStates: 1\nStart: 0\n", "\ud800", "\0",
    ],
)  # fmt: skip
def test_other_text_is_refused(text):
    assert reading.read(text) is None


def hostile():
    head = HEAD
    table = "| state | inputs | outputs | next state |\n| --- | --- | --- | --- |\n"
    tail = "\n\nTrace:\n0: a / b\n\nAnswer: <x>"
    return {
        "headers": "Task: follow a trace through a machine.\n" * 10_000,
        "row": head + table + "| 0 | " + "a & " * 100_000 + tail,
        "row or": head + table + "| 0 | a" + " or a" * 100_000 + " | b" + tail,
        "long condition": head + table + "| 0 | a" + " & !a or a" * 50_000 + " | b | 0 |" + tail,
        "rows": head + table + "| 1999 | any | b | 0 |\n" * 20_000 + tail,
        "quotes": head + table + '| 0 | "' + '\\"' * 100_000 + tail,
        "prose": head + "In state 0: If a is true" + " and a is true" * 30_000 + tail,
        "list": head + "In state 0: If a" + ", a" * 100_000 + " and a" * 50_000 + tail,
        "alternatives": head + "In state 0: If a is true" + ", or if a is true" * 30_000 + tail,
        "trace": head + "x\n\nTrace:\n" + "0: a" + " & a" * 100_000 + "\n\nAnswer: <x>",
        "names": head.replace("Inputs: a", "Inputs: " + "a, " * 100_000) + "x" + tail,
        "many names": head.replace("Inputs: a", "Inputs: " + ", ".join(f"a{i}" for i in range(50_000)))
        + table + "| 0 | any | b | 0 |" + tail,
        "hoa": head + "HOA: v1\nStates: 2000000000\nStart: 0\nAP: 1 \"b\"\n--BODY--\n--END--" + tail,
        "too long": "Task: " * 700_000,
    }  # fmt: skip


@pytest.mark.parametrize("name", hostile())
def test_hostile_text_is_refused_soon(name):
    text = hostile()[name]
    with within(1):
        assert reading.read(text) is None


def machine_lines(prompt):
    return re.search(r"\nMachine:\n(.*?)\n\nTrace:\n", prompt, re.S)[1].splitlines()


def by_table(prompt):
    """(state, true inputs) → list of (outputs that are true, next state), by splitting rows."""
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in machine_lines(prompt)[2:]]

    def step(state, true):
        found = []
        for own, when, then, following in rows:
            fits = when == "any" or any(
                all((part.strip("!") in true) != part.startswith("!") for part in way.split(" & "))
                for way in when.split(" or ")
            )
            if int(own) == state and fits:
                found.append(({o for o in then.split(" & ") if o[0] != "!"}, int(following)))
        return found

    return step


def by_prose(prompt):
    """The same, from sentences."""
    lines = dict(line.removeprefix("In state ").split(": ", 1) for line in machine_lines(prompt))

    def values(words):
        found = {}
        for part in re.findall(r"(.*?) (?:is|are) (true|false)(?: and |$)", words):
            found |= dict.fromkeys(re.split(", | and ", part[0]), part[1] == "true")
        return found

    def step(state, true):
        found = []
        for sentence in lines[str(state)].rstrip(".").split(". "):
            when, _, rest = sentence.partition(", then ")
            if not rest:
                when, rest = "", sentence.removeprefix("Whatever the inputs, ")
            then, following = rest.split(", and the next state is ")
            ways = when.removeprefix("If ").split(", or if ")
            if any(all((n in true) == v for n, v in values(way).items()) for way in ways):
                found.append(({n for n, v in values(then).items() if v}, int(following)))
        return found

    return step


@pytest.mark.parametrize(("notation", "interpreter"), [("table", by_table), ("prose", by_prose)])
@settings(max_examples=max(some(25), 8))
@given(st.integers(0, 2**32), st.integers(1, 6), st.integers(0, 4), st.integers(1, 4))
def test_a_described_machine_does_what_the_machine_does(
    notation, interpreter, seed, states, inputs, outputs
):
    rng = random.Random(seed)
    names = [f"i{k}" for k in range(inputs)], [f"o{k}" for k in range(outputs)]
    subject = a_machine(rng, states, *names)
    prompt = wording.write(a_problem(rng, subject), notation, "names")
    assert f"The initial state is {subject.start}." in prompt
    step = interpreter(prompt)
    for state, row in enumerate(subject.table):
        for letter, (following, mask) in enumerate(row):
            true = {name for k, name in enumerate(names[0]) if letter >> k & 1}
            then = {name for k, name in enumerate(names[1]) if mask >> k & 1}
            assert step(state, true) == [(then, following)]


def told(prompt):
    """The machine's step, the true inputs and outputs of each step, start, and the inputs' names."""
    steps = re.search(r"\nTrace:\n(.*?)\n\n", prompt, re.S)[1].split("\n")
    parts = [line.split(": ")[1].split(" / ") for line in steps]
    true = [[{n for n in side.split(" & ") if n[0] != "!"} for side in part] for part in parts]
    step = (by_table if "\n| state" in prompt else by_prose)(prompt)
    start = int(re.search(r"The initial state is (\d+)", prompt)[1])
    return step, true, start, re.search("^Inputs: (.*)$", prompt, re.M)[1].split(", ")


def a_small_problem(seed, task):
    rng = random.Random(seed)
    subject = a_machine(rng, rng.randint(1, 5), ["r", "s"], ["g", "h"])
    return a_problem(rng, subject, task, "full", rng.randint(1, 3))


@pytest.mark.parametrize("notation", ["table", "prose"])
@settings(max_examples=max(some(25), 8))
@given(st.integers(0, 2**32))
def test_doing_what_a_prompt_says_gives_the_target_of_a_cause(notation, seed):
    problem = a_small_problem(seed, "tce")
    prompt = wording.write(problem, notation, "names")
    step, trace, state, inputs = told(prompt)
    output, value, last, name = re.search(
        r'Effect: output (\w+) is (\w+) at step (\d+)\. .* as "(.*)":', prompt
    ).groups()
    places = [(k, i) for k in range(int(last) + 1) for i in inputs]
    minimal = []
    for size in range(len(places) + 1):
        for flips in map(frozenset, itertools.combinations(places, size)):
            at = state
            for k in range(int(last) + 1):
                true = trace[k][0] ^ {i for own, i in flips if own == k}
                ((outputs, at),) = step(at, true)
            if (output in outputs) is not (value == "true") and not any(m < flips for m in minimal):
                minimal.append(flips)
    answer = json.loads(target_of(problem, full=True))

    def literal(k, i):
        return i if i in trace[k][0] else f"!{i}"

    for k in range(int(last) + 1):
        own = {frozenset(literal(*p) for p in m) for m in minimal if {p[0] for p in m} == {k}}
        said = answer[name][str(k)]
        assert said if own else said == ["no constraints"]
        assert {frozenset(text.split(" or ")) for text in said if own} == own
    several = [m for m in minimal if len({p[0] for p in m}) > 1]
    assert {frozenset(c) for c in answer["cross_step_clauses"][name]} == {
        frozenset(f"{k}:{literal(k, i)}" for k, i in m) for m in several
    }


@pytest.mark.parametrize("notation", ["table", "prose"])
@settings(max_examples=max(some(25), 8))
@given(st.integers(0, 2**32))
def test_doing_what_a_prompt_says_gives_the_target_of_a_run(notation, seed):
    problem = a_small_problem(seed, "tte")
    step, trace, state, inputs = told(wording.write(problem, notation, "names"))
    answer = {}
    for k, (true, seen) in enumerate(trace):
        ((outputs, following),) = step(state, true)
        if outputs != seen:
            break
        answer[f"step_{k}"] = {
            "current state": state,
            "defining inputs": " and ".join(i if i in true else f"!{i}" for i in inputs),
            "next state": following,
        }
        state = following
    answer["accepted"] = "yes" if len(answer) == len(trace) else "no"
    assert target_of(problem, full=False) == json.dumps(answer)


@given(st.integers(0, 2**32), st.sampled_from(FORMS), st.sampled_from(KINDS))
@settings(max_examples=max(some(60), 15))
def test_a_prompt_holds_no_answer_and_its_schema_fits_the_answer(seed, form, kind):
    rng = random.Random(seed)
    subject = a_machine(rng, rng.randint(1, 6), ["r", "s"], ["g", "h"])
    problem = a_problem(rng, subject, *kind, rng.randint(1, 6))
    try:
        target = target_of(problem, kind[1] == "full")
    except ValueError:  # several steps, which per_step cannot state: no such problems are made
        return
    prompt = wording.write(problem, *form)
    assert target not in prompt
    schema = wording.schema.schema(problem)
    Draft202012Validator.check_schema(schema)
    check = Draft202012Validator(schema)
    answer = json.loads(target)
    assert check.is_valid(answer)
    assert list(schema["properties"])[: len(answer) - 1] == list(answer)[:-1]
    for wrong in ({}, answer | {"more": 1}, {"": answer}, [], target):
        assert not check.is_valid(wrong)
    for key in answer:
        assert not check.is_valid(answer | {key: 7})
    # the only JSON object in the text, where one begins a line's end, is the schema
    found = [
        line.split(": ", 1)[1] for line in prompt.split("\n") if line.startswith("JSON Schema")
    ]
    assert [json.loads(text) for text in found] == [schema]
    assert not any(check.is_valid(one) for one in objects(prompt))


def objects(text):
    decoder = json.JSONDecoder()
    for found in re.finditer(r"\{", text):
        try:
            yield decoder.raw_decode(text, found.start())[0]
        except ValueError:
            continue


def target_of(problem, full):
    case = problems.case(problem)
    names = case.machine.inputs
    if problem["task"] == "tte":
        end = case.machine.deviation(case.letters, case.masks)
        taken = case.letters if end is None else case.letters[:end]
        return targets.run_target(names, taken, case.machine.run(taken)[0], end is None)
    effect = problem["effect"]
    cause = case.engine.cause(case.letters, None, effect["step"], effect["output"], effect["value"])
    return targets.cause_target(effect, names, case.letters, cause.clauses, full)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", KINDS)
def test_what_a_prompt_says_of_the_answer(form, kind):
    prompt = prompt_of(form, kind)
    lines = prompt.split("\n")
    assert lines[-2:] == [
        "End your reply with one line of this form:",
        "Answer: <the JSON object, all of it on this line>",
    ]
    assert sum(line.startswith("Answer:") for line in lines) == 1
    assert "double quotes, they" not in prompt
    assert not re.search(r"\{(?:step|words|a|b|c|none|key|start|output|other)\}", prompt)
    if kind[0] == "tce":
        effect = usual(*kind)["effect"]
        said = (
            f"output {effect['output']} is {str(effect['value']).lower()} at step {effect['step']}."
        )
        assert said in prompt
        other = "false" if effect["value"] else "true"
        broken = f"then output {effect['output']} is {other} at step {effect['step']}."
        assert [line for line in lines if broken in line] == [
            line for line in lines if "breaks the effect if" in line
        ]
        assert f'it is written as "{targets.effect_name(effect)}"' in prompt
        assert ("cross_step_clauses" in prompt) == (kind[1] == "full")
        assert ("are at the same step" in prompt) == (kind[1] == "per_step")


def test_examples_use_no_name_of_the_machine_and_quotes_are_explained():
    rng = random.Random(1)
    letters = [chr(97 + k) for k in range(26)]
    for outputs, spare in ((["g"], "u or !v"), (["u"], "v or !w"), (letters, "u0 or !u1")):
        problem = a_problem(rng, a_machine(rng, 2, ["r_0"], outputs))
        assert f'["{spare}", "' in wording.write(problem, "hoa", "names")
    quoted = a_problem(rng, a_machine(rng, 2, ["a b"], ["|"]))
    for notation in ("hoa", "prose", "table"):
        assert "Where a name is in double quotes" in wording.write(quoted, notation, "names")
    assert '| "\\|" |' in wording.write(quoted, "table", "names") or '!"\\|" |' in wording.write(
        quoted, "table", "names"
    )


@pytest.mark.parametrize("step", [0, 1, 2, 7])
def test_the_form_names_the_first_and_the_last_step(step):
    rng = random.Random(step)
    subject = Machine((), ("g",), 0, (((0, 1),),))
    problem = a_problem(rng, subject, steps=8)
    problem["effect"] = {"output": "g", "value": True, "step": step}
    (form,) = re.findall("^Form of the object: (.*)$", wording.write(problem, "hoa", "names"), re.M)
    middle = {0: "", 1: ', "1": [<strings>]'}.get(step, f', …, "{step}": [<strings>]')
    name = ("X" * step + " g").strip()
    assert form == f'{{"{name}": {{"0": [<strings>]{middle}}}}}'


def test_a_machine_without_inputs_has_its_own_rule():
    rng = random.Random(1)
    subject = Machine((), ("g",), 0, (((0, 1),),))
    problem = a_problem(rng, subject, "tte", steps=2)
    for form in FORMS:
        prompt = wording.write(problem, *form)
        assert '"defining inputs" is always "no constraints"' in prompt
        assert "\n0: - / " in prompt
        assert reading.read(prompt) == problem


def test_a_prompt_that_could_not_be_read_is_not_written():
    rng = random.Random(1)
    subject = a_machine(rng, 2, ["i" * 100], ["o" * 100])
    problem = a_problem(rng, subject, "tte", steps=1)
    long = problem | {"trace": problem["trace"] * 20_000}
    with pytest.raises(
        TempobenchError, match="take a smaller machine or a shorter trace"
    ) as caught:
        wording.write(long, "prose", "names")
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, HarnessError)


def test_prompts_are_written_fast():
    rng = random.Random(1)
    subject = a_machine(rng, 20, ["a", "b", "c", "d"], ["e", "f", "g"])
    made = [a_problem(rng, subject, *kind, 8) for kind in KINDS for _ in range(20)]
    with within(0.001 * len(made) * len(FORMS)):
        for problem in made:
            for form in FORMS:
                wording.write(problem, *form)


def test_the_reader_of_machines_gives_reasons_not_crashes():
    head = "| state | inputs | outputs | next state |\n| --- | --- | --- | --- |"
    for rows in (
        "",
        "\n| 0 | any | g | 0 |\n| 0 | any | g | 0 |",
        "\n| 0 | r | g | 0 |",
        "\n| 0 | any | g | 1 |",
    ):
        with pytest.raises(TempobenchError):
            reading_machine.machine(head + rows, ["r"], ["g"], 0)
    text = reading_machine.machine(head + "\n| 0 | any | g | 0 |", ["r"], ["g"], 0)
    assert hoa.read(text) == Machine(("r",), ("g",), 0, (((0, 1), (0, 1)),))


@pytest.mark.parametrize("task", ["tce", "tte"])
def test_the_schema_that_models_are_held_to(task):
    for item in items_of(6, task=task, label="full"):
        held = PLUGIN.call("structure", item=item)
        assert "$" not in json.dumps(held)
        check, gold = Draft202012Validator(held), json.loads(item.target)
        assert check.is_valid(gold)
        for wrong in ({}, {"XXX nobody": {}}, {**gold, "more": 1}, [], "yes"):
            assert not check.is_valid(wrong)
