"""Reading answers: realistic replies, and mostly broken, contradictory and hostile ones."""

import json
import random
import time

import pytest
from harness_tempobench import answers, targets
from harness_tempobench.answers import StatedCause, StatedRun, StatedStep, Unreadable
from harness_tempobench.constraint import TRUE
from hypothesis import given, settings
from hypothesis import strategies as st

EFFECT = {"output": "g", "value": True, "step": 3}
PROMPT = """Explain the effect.
The answer is JSON, such as {"XXX g": {"0": [...], "1": [...]}}.
Here is an example with its answer.
Answer: {"XX h": {"0": ["no constraints"], "1": ["a"], "2": ["b"]}}
Now it is your turn. The last line is to be
Answer: {"XXX g": {"0": ["..."]}}"""
CLAIM = '{"XXX g": {"0": ["no constraints"], "1": ["r"], "2": ["a or !b", "c"]}}'
R, A, NOT_B, C = (
    ("literal", name, value)
    for name, value in (("r", True), ("a", True), ("b", False), ("c", True))
)
STEPS = {0: (), 1: (R,), 2: (("or", A, NOT_B), C)}
STATED = StatedCause(STEPS, ())
FIRST = StatedStep(0, ("and", R, ("literal", "s", False)), 2)
STEP = '"step_0": {"current state": 0, "defining inputs": "r and !s", "next state": 2}'


def cause(reply, prompt=PROMPT, effect=EFFECT, names=()):
    """Return what is stated, or the reason why nothing can be read."""
    return checked(lambda: answers.cause(reply, prompt, effect, names))


def run(reply, prompt="", names=()):
    return checked(lambda: answers.run(reply, prompt, names))


def checked(read):
    try:
        return read()
    except Unreadable as error:
        reason = error.reason
    assert reason.isprintable()
    assert 0 < len(reason) < 250
    return reason


# ------------------------------------------------------------------------------ finding them

PYTHON = "{'XXX g': {0: ['no constraints'], 1: ['r'], 2: ['a or !b', 'c']}}"
PRETTY = json.dumps(json.loads(CLAIM), indent=2)
REPLIES = [
    CLAIM,
    f"Answer: {CLAIM}",
    f"**Answer:** `{CLAIM}`",
    f"Answer:\n```json\n{PRETTY}\n```",
    f"Thus:\n\n```\n{PRETTY}\n```\nThat is all.",
    f"### JSON Ground Truth ###\n{PRETTY}",
    f"The answer is {CLAIM}.",
    f"<answer>{CLAIM}</answer>",
    f"\\boxed{{{CLAIM}}}",
    "> " + PRETTY.replace("\n", "\n> "),
    PYTHON,
    f"```python\n{PYTHON}\n```",
    PYTHON.replace("}}", ",},}"),
    PRETTY.replace("],", "],  // as x holds, see {above}\n/* and */ # so"),
    CLAIM.replace('"', "”"),
    CLAIM.replace('"XXX g"', "“XXX g”"),
    CLAIM.replace(" ", "\u00a0\u200b"),
    f"<think>{CLAIM.replace('r', 'z')}</think>{CLAIM}",
    f"{CLAIM.replace('r', 'z')}</think>\n{CLAIM}",
    f"Answer: {CLAIM.replace('r', 'z')}\n\nWait.\n\nAnswer: {CLAIM}",
    f'{CLAIM}\n{{"note": "done"}}',
    f'{CLAIM}\n{{"confidence": 0.9, "steps": 4}}',
    f"{CLAIM} is not {{}}, nor {{r}} or [0], [1].",
    f'{CLAIM}\nFor comparison: {{"XX h": {{"0": ["r"]}}}}',
    f"The set {{a, b}} and [0]; f(x) = {{x}}. {CLAIM}",
    f"An open {{ brace [ here. {CLAIM}",
    f'{{"XXX g": {{"0": [\n\nI start anew.\n\nAnswer: {CLAIM}',
    f'```json\n{{"XXX g": {{"0": [\n```\n{CLAIM}',
    f"{CLAIM}<|im_end|>\nAnswer: {{}}",
    f"{CLAIM}\n\nHuman: Another one.\n\nAnswer: {{}}",
    f'{{"answer": {CLAIM}}}',
    f'{{"reasoning": "{{", "answer": {CLAIM}, "trace": []}}',
    f'{{"result": {{"causes": {CLAIM}}}}}',
    f'{{"whatever": {CLAIM}}}',
    f"[{CLAIM}]",
    f'{CLAIM[:-1]}, "XX h": {{"0": ["z"]}}}}',
    f'{CLAIM[:-2]}, "explanation": "as {{x}} holds"}}}}',
    "{" + CLAIM[10:-1] + "",
    CLAIM.replace('"0"', '"step_0"').replace('"1"', '"Step 1"').replace('"2"', '"t2"'),
    CLAIM.replace('["r"]', '"r"').replace('["no constraints"]', "null"),
    CLAIM.replace('["r"]', '[["r"]]').replace('["no constraints"]', "[]"),
    CLAIM.replace('["r"]', '{"r": true}').replace('["no constraints"]', '""'),
    CLAIM.replace('["a or !b", "c"]', '["a or !b"], "2": ["c"]'),
    CLAIM.replace('["a or !b", "c"]', '["a or !b"], "step 2": "c"'),
    CLAIM.replace('"no constraints"', '"no constraints", "true"'),
    CLAIM.replace('{"0"', "{0").replace("{0:", '{"0":'),
    PROMPT + "\n" + CLAIM,
    f'{CLAIM}\nIt has the form {{"XXX g": {{"0": [...]}}}}.',
]


@pytest.mark.parametrize("reply", REPLIES)
def test_the_answer_is_found(reply):
    assert cause(reply) == STATED


NO_ANSWERS = [
    "",
    " ",
    "I do not know.",
    "g holds because r held.",
    "{",
    "}",
    "[]",
    "{r}",
    "null",
    '"r"',
    "[1, 2]",
    "Answer:",
    "Answer: {r: }",
    "Answer: r and !s",
    '{"note": "none"}',
    '{"confidence": 1}',
    '["0", "1"]',
    '[["r"]]',
    "<think>" + CLAIM,
    f"<think>{CLAIM}</think>",
    PROMPT,
    PROMPT[30:],
    PROMPT + "\nI cannot.",
    CLAIM[:-1],
    CLAIM[:-2],
    CLAIM[:30],
    CLAIM[1:-2],
    f"{CLAIM}\nAnswer: {CLAIM[:-2]}",
    f"{CLAIM}\n\n{CLAIM[:-9]}",
    f'{{"answer": {CLAIM}',
    f"Answer: {CLAIM[:40]}...",
    f'{CLAIM}\nAnswer: {{"XXX g": {{"0": ["r"], ...}}}}',
    CLAIM.replace('"r"', "r and"),
    CLAIM.replace(",", " "),
    CLAIM.replace(":", "="),
    CLAIM.replace('"r"', "NaN"),
    CLAIM.replace('["r"]', "1"),
    CLAIM.replace('["r"]', "[1]"),
    CLAIM.replace('["r"]', '[["r", "s"]]'),
    CLAIM.replace('["r"]', '[[["r"], "s"]]'),
    CLAIM.replace('["r"]', "[[]]"),
    CLAIM.replace('["r"]', "[null]"),
    CLAIM.replace('["r"]', '{"r": "high"}'),
    CLAIM.replace('["r"]', '{"r": 2}'),
    CLAIM.replace('["r"]', "true"),
    CLAIM.replace('"r"', '"r s"'),
    CLAIM.replace('"r"', '"..."'),
    CLAIM.replace('"r"', '"a, b or c"'),
    CLAIM.replace('"1"', '"-1"'),
    CLAIM.replace('"1"', '"1e9"'),
    CLAIM.replace('"1"', '"1.0"'),
    CLAIM.replace('"1"', '"step -1"'),
    CLAIM.replace('"1"', '"0-1"'),
    CLAIM.replace('"1"', '"others"'),
    CLAIM.replace('"1"', '""'),
    CLAIM.replace('"1"', "null"),
    CLAIM.replace('"1"', '"9999999"'),
    CLAIM.replace('"1"', "9" * 5000),
    CLAIM.replace('"1"', f'"{"9" * 30}"'),
    CLAIM.replace('"1"', '"t-1"'),
    '{"XXX g": null}',
    '{"XXX g": "r"}',
    '{"XXX g": [["r"]]}',
    '{"XXX g": 1}',
    '{"XXX g": {"0": ["r"]}, "X X X g": {"0": ["s"]}}',
    '{"XXX g": {"0": ["r"]}, "XXX g": {"0": ["s"]}}',
    'Answer: {"XX h": {"0": ["no constraints"], "1": ["a"], "2": ["b"]}}',
    f'{CLAIM[:-1]}, "cross_step_clauses": 1}}',
    "{" + STEP + "}",
    '{"0": ["r"',
    '{"XXX g": {"0": ["r\n"]}}',
    '{"XXX g": {"0": ["r" "s"]}}',
    '{"XXX g": {"0": [,]}}',
    '{"XXX g": {"0": [r]}}',
    '{"XXX g": {"0": ["r"]]}',
    '{"XXX g": {"0": ["\\ud800"]}}',
    '{"XXX g": {"0": ["\x00"]}}',
    '{"XXX g": {"0": ["r\\u0000"]}}',
    "{__import__('os').system('true'): 1}",
    '{"XXX g": {"0": [f("r")]}}',
]


@pytest.mark.parametrize("reply", NO_ANSWERS)
def test_what_is_no_answer_or_cannot_be_read_for_certain_is_unreadable(reply):
    assert isinstance(cause(reply), str)


def test_the_reason_says_where():
    assert cause(CLAIM.replace('"r"', '"r s"')).startswith("step 1: `s` ")
    assert cause(f'{CLAIM[:-1]}, "cross_step_clauses": [["r"]]}}').startswith(
        "cross-step clauses: `r` "
    )
    assert "`-1`" in cause(CLAIM.replace('"1"', '"-1"'))
    assert "where the reply ends" in cause(CLAIM[:-1])
    assert cause("nothing") == "no JSON object in the reply"


def test_an_empty_object_is_an_answer_that_states_nothing():
    nothing = StatedCause({}, ())
    for reply in (
        "{}",
        "Answer: {}",
        f"{CLAIM}\nAnswer: {{}}",
        '{"XXX g": {}}',
        "```json\n{}\n```",
        '{"answer": {}}',
    ):
        assert cause(reply, PROMPT + " {}") == nothing
    assert cause(f"{{}}\n{CLAIM}") == STATED


def test_an_answer_that_equals_the_examples_is_no_echo_unless_its_line_above_is_copied_too():
    prompt = f"Example of an answer for you:\nAnswer: {CLAIM}\nNow you."
    assert cause(f"I think so too.\nAnswer: {CLAIM}", prompt) == STATED
    assert isinstance(cause(prompt, prompt), str)
    assert isinstance(cause(f"Example of an answer for you:\nAnswer: {CLAIM}", prompt), str)
    assert isinstance(cause(f"It said {CLAIM}", prompt), str)


# ------------------------------------------------------------------------------------ causes


@pytest.mark.parametrize(
    "name",
    [
        "XXX g",
        "XXXg",
        "X X X g",
        "XXX(g)",
        "X^3 g",
        "X[3] g",
        "X^{3} g",
        "X(X(X(g)))",
        "X X[2] g",
        "XXX !!g",
        " XXX  g ",
        "`XXX g`",
        "XXX not not g",
        "!XXX !g",
        "X^(3) g",
        "(XXX g)",
    ],
)
def test_names_of_the_effect(name):
    assert cause(CLAIM.replace("XXX g", name)) == STATED


@pytest.mark.parametrize(
    "name",
    [
        "g",
        "XX g",
        "XXXX g",
        "XXX !g",
        "XXX not g",
        "¬XXX g",
        "XXX G",
        "XXX gg",
        "XXX h",
        "X^2 g",
        "XXX (g",
    ],
)
def test_another_effect(name):
    assert cause(CLAIM.replace("XXX g", name)) == StatedCause(STEPS, (), name)


@pytest.mark.parametrize("name", ["!g", "not g", "¬g", "~ g", "not(g)", "! (g)"])
def test_negative_effects_at_step_0(name):
    effect = {"output": "g", "value": False, "step": 0}
    assert cause(f'{{"{name}": {{"0": ["r"]}}}}', "", effect) == StatedCause({0: (R,)}, ())


@pytest.mark.parametrize(
    "output",
    ["X", "Xg", "not_g", "t0", "0", "answer", "cross_step_clauses_", "g h", "g)", "effect", "note"],
)
def test_odd_outputs(output):
    for step in (0, 2):
        effect = {"output": output, "value": True, "step": step}
        name = targets.effect_name(effect)
        assert cause(f'{{"{name}": {{"0": ["r"]}}}}', "", effect) == StatedCause({0: (R,)}, ())


def test_another_effect_is_taken_only_without_the_one_asked_about():
    other = '{"XX g": {"0": ["s"]}}'
    assert cause(f"{CLAIM}\n{other}") == cause(f"{other}\n{CLAIM}") == STATED
    assert cause(f"{CLAIM}\nAnswer: {other}").other == "XX g"
    assert cause('{"effect": "XX g", "causes": {"0": ["r"]}}').other == "XX g"
    assert cause('{"effect": "X[3] g", "causes": {"0": ["r"]}}') == StatedCause({0: (R,)}, ())
    assert cause('{"a b": {"0": ["r"]}, "h": {"0": ["s"]}}').other == "a b"


CROSSING = (((0, "a", True), (2, "b", False)),)


@pytest.mark.parametrize(
    "said",
    [
        '{"XXX g": [["0:a", "2:!b"]]}',
        '{"X^3 g": [["0:a", "2:!b"]], "XX g": [["0:z"]]}',
        '[["0:a", "2:!b"]]',
        '["0:a or 2:!b"]',
        '"0:a or 2:not b"',
        '["0: a | 2: ¬b"]',
        '[["step 0: a", "t2:!b"]]',
        '[["0:a or 2:!b"]]',
        '[[{"step": 0, "literal": "a"}, {"step": "2", "literal": "!b"}]]',
        '[["0:a", "2:!b"], "none"]',
        "[('0:a', '2:!b')]",
    ],
)
def test_clauses_of_several_steps(said):
    full = StatedCause(STEPS, CROSSING)
    assert cause(f'{CLAIM[:-1]}, "cross_step_clauses": {said}}}') == full
    assert cause(f'{CLAIM[:-2]}, "cross-step clauses": {said}}}}}') == full
    assert cause(f'{{"crossStepClauses": {said}, {CLAIM[1:]}') == full
    assert cause(f'{{"cross_step_clauses": {said}}}') == StatedCause({}, CROSSING)


@pytest.mark.parametrize(
    "said",
    ["[]", "null", '{"XXX g": []}', "{}", '{"XX g": [["0:a"]]}', '"none"', '["no constraints"]'],
)
def test_no_clauses_of_several_steps(said):
    assert cause(f'{CLAIM[:-1]}, "cross_step_clauses": {said}}}') == STATED


@pytest.mark.parametrize(
    "said",
    [
        "[[]]",
        "[1]",
        "[null]",
        "[[1]]",
        '[["a"]]',
        '["a or b"]',
        '["0:a and 2:b"]',
        '["0:a, 2:b"]',
        '[["0:a or b"]]',
        '[["-1:a"]]',
        '[["1e9:a"]]',
        '[["0:"]]',
        '[["0:true"]]',
        '[[["0:a"]]]',
        '[["9999999:a"]]',
        '[[{"step": 0}]]',
        '[[{"step": -1, "literal": "a"}]]',
        '[[{"step": 0, "literal": 1}]]',
        '[["0:a -> b"]]',
        "true",
        '[{"0": "a"}]',
    ],
)
def test_clauses_that_cannot_be_read(said):
    assert isinstance(cause(f'{CLAIM[:-1]}, "cross_step_clauses": {said}}}'), str)


def test_names_of_propositions_are_used():
    reply = (
        '{"XXX g": {"0": ["door open or a-b"]}, "cross_step_clauses": [["0:!door open", "1:and"]]}'
    )
    assert isinstance(cause(reply), str)
    stated = cause(reply, names=["door open", "a-b", "and"])
    assert stated.steps == {0: (("or", ("literal", "door open", True), ("literal", "a-b", True)),)}
    assert stated.crosses == (((0, "door open", False), (1, "and", True)),)


# -------------------------------------------------------------------------------------- runs

RUN = StatedRun({0: FIRST}, True)


@pytest.mark.parametrize(
    "reply",
    [
        f'{{{STEP}, "accepted": "yes"}}',
        f'Answer: {{{STEP}, "accepted": true}}',
        f"{{{STEP}}}\nAccepted: Yes",
        f"```json\n{{{STEP}}}\n```\n**Accepted:** yes.",
        f'{{{STEP}, "Accepted": "Accepted"}}',
        f'{{{STEP}}}\n\n{{"accepted": "yes"}}',
        f"{{{STEP}}}\nAccepted: no\nAccepted: yes (a run exists)",
        f'{{"answer": {{{STEP}}}, "accepted": "yes"}}',
        f'{{"steps": {{{STEP}}}, "accepted": "yes"}}',
        f'{{{STEP}, "accepted": null}}\nAccepted: yes',
        "{'0': {'current_state': '0', 'inputs': ['r', 'not s'], 'next_state': 'state 2'}, 'accepted': True}",
        '{"Step 0": {"State": "q0", "Inputs": {"r": true, "s": false}, "next": "s2", "z": 1}, "verdict": "accepted"}',
        '{"steps": [{"step": 0, "state": 0, "defining inputs": "r & ~s", "next state": 2}], "accepted": "yes"}',
        '[{"current state": 0, "defining inputs": "r, !s", "next state": 2}]\nAccepted: true',
        f'{{{STEP}, "accepted": "no"}}\nWait, no.\n{{{STEP}, "accepted": "yes"}}',
        f'{{{STEP}, {STEP}, "accepted": "yes"}}',
        f'{{"trace": ["r"], "answer": {{{STEP}}}, "accepted": "yes"}}',
    ],
)
def test_runs(reply):
    assert run(reply) == RUN


def test_verdicts():
    assert run('{"accepted": "no"}') == StatedRun({}, False)
    assert run("{}") == StatedRun({}, None)
    assert run(f"{{{STEP}}}").accepted is None
    assert run(f'{{{STEP}, "accepted": "yes"}}\nAccepted: No').accepted is None
    assert run(f'Accepted: yes\n{{{STEP}, "accepted": "no"}}').accepted is False
    for said in ('"maybe"', "1", "[]", "{}", '"yes and no"', '""', "null"):
        assert run(f'{{{STEP}, "accepted": {said}}}').accepted is None
    for line in (
        "Accepted: yes or no",
        "Accepted: yes/no",
        "Accepted: yes | no",
        "accepted",
        "If accepted: yes",
    ):
        assert run(f"{{{STEP}}}\n{line}").accepted is None


def test_fields_may_be_missing():
    assert run('{"0": {"current state": 1}}') == StatedRun({0: StatedStep(1, None, None)}, None)
    assert run('{"4": {"defining inputs": "no constraints", "next state": "none"}}').steps == {
        4: StatedStep(None, TRUE, None)
    }
    assert run('{"0": {"state": -1, "inputs": []}}').steps == {0: StatedStep(-1, TRUE, None)}


@pytest.mark.parametrize(
    "reply",
    [
        "",
        '{"note": 1}',
        CLAIM,
        f"{{{STEP}",
        f'{{{STEP}, "step_1": {{"current',
        '{"0": {"state": true}}',
        '{"0": {"state": 1.5}}',
        '{"0": {"state": "first"}}',
        '{"0": {"state": [0]}}',
        '{"0": {"state": {}}}',
        '{"0": {"state": 99999999999}}',
        '{"0": {"a": 1}}',
        '{"0": {"state": 1, "current state": 2}}',
        f'{{{STEP}, "step 0": {{"state": 1}}}}',
        f'{{{STEP}, "step_1": 1}}',
        '{"0": {"inputs": "r s"}}',
        '{"0": {"inputs": 1}}',
        '{"0": {"inputs": [["r", "s"]]}}',
        '[{"step": 1, "state": 0}, {"state": 1}]',
        '[{"step": 1, "state": 0}, {"step": 1, "state": 1}]',
        '[{"step": -1, "state": 0}]',
        '{"steps": []}',
        "[]",
        "[{}]",
        f"{{{STEP}, {STEP.replace('2', '3')}}}",
        '{"current state": 0, "next state": 1}',
        '[{"step": [0], "state": 0}]',
        f'{{"answer": {{"answer": {{"answer": {{"answer": {{{STEP}}}}}}}}}}}',
    ],
)
def test_runs_that_cannot_be_read(reply):
    assert isinstance(run(reply), str)


def test_an_echo_of_the_examples_run_is_no_answer():
    example = f'Answer: {{{STEP}, "accepted": "yes"}}'
    assert isinstance(run(f"Example:\n{example}\n", f"Example:\n{example}\nYou:"), str)
    assert isinstance(run(example, example), str)


# ----------------------------------------------------------------------------------- hostile

HOSTILE = [
    "{" * 1_000_000,
    "[" * 1_000_000,
    "}" * 1_000_000,
    "{}" * 500_000,
    '{"a":' * 200_000,
    '{"XXX g":' * 100_000,
    "[{" * 500_000,
    "Answer: {" * 100_000,
    'Answer: {"0": ' * 70_000,
    '{"a}' * 25_000,
    "{“a}" * 25_000,
    '{"a":/*' * 14_000,
    '{"' + "\\" * 99_000,
    '{"XXX g": {"0": ' + "[" * 50_000,
    '{"XXX g": {"0": ' + "[" * 10 + '"r"' + "]" * 10 + "}}",
    " " * 99_000 + CLAIM,
    "\n" * 1_000_000,
    '{"XXX g": {' + ", ".join(f'"{i}": ["r"]' for i in range(100_000)) + "}}",
    "answer " * 140_000,
    "\\a" * 49_000 + "{",
    '{"XXX g": {' + ", ".join(f'"{i}": "a&b|c"' for i in range(5_000)) + "}}",
    '{"0":["' + "(" * 90_000 + '"]}',
    "accepted: " * 99_000,
    '{"XXX g": {"0": [' + '"a or b and !c",' * 5_900 + "]}}",
    '{"XXX g": {"0": [' + '"",' * 19_000 + "]}}",
    '{"' + "X" * 99_000 + ' g": {}}',
    '{"XXX g": {"0": ["' + "a<->" * 400 + 'a"]}}',
    '{"0": ' + "9" * 90_000 + "}",
    '{"a": -' + "1" * 90_000,
    "<think>" * 140_000,
    '{"cross_step_clauses": [' + '"0:a or 2:!b",' * 6_000 + "]}",
    '{"cross_step_clauses": ["' + "0:a or " * 13_000 + '"]}',
    f"{{{STEP}}}" + "\naccepted:" * 9_000,
    f"{{{STEP}}}" + "\n" + "*" * 90_000,
    f"{{{STEP}}}\nAccepted" + " " * 90_000,
    "{ " * 49_000,
    "{" + ", ".join(STEP.replace("_0", f"_{i}") for i in range(1_100)) + "}",
    '{"answer":' * 9_000 + "{}" + "}" * 9_000,
    "\ud800" * 99_000,
    '{"0": {"answer":' * 5_000,
    "```\n{" * 20_000,
    "Human:" * 150_000,
    "\x00" * 1_000_000,
    '{"XXX g": {"0": [' + "'\\u0000'," * 9_000,
    "{'effect': " * 9_000,
    "{#" * 49_000,
    "{//" * 33_000,
    "{/*" * 33_000,
    '{"a":1,' + "/**/" * 24_000 + "}",
    "X" * 99_000,
    "{“" * 49_000,
    '{"' + "X(" * 40_000 + 'g": {}}',
    "{" + ",".join(f'"{"X" * i} g": {{"0": "r"}}' for i in range(300)) + "}",
    '{"a":"' * 19_000,
]


@pytest.mark.parametrize("reply", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_replies_are_judged_quickly(reply):
    started = time.perf_counter()
    stated = cause(reply, PROMPT, names=["door open", "a-b"])
    between = time.perf_counter()
    ran = run(reply, PROMPT)
    ended = time.perf_counter()
    assert isinstance(stated, StatedCause | str)
    assert isinstance(ran, StatedRun | str)
    assert max(between - started, ended - between) < 0.5


def test_inner_parts_of_an_answer_that_is_too_long_are_no_answer():
    inner = ", ".join(f'"{i}": ["r"]' for i in range(20_000))
    crossing = '"cross_step_clauses": {"XXX g": [["0:a"]]}, "more": {"XXX g": {"0": ["r"]}}'
    assert isinstance(cause(f'{{"XXX g": {{{inner}}}, {crossing}}}'), str)
    assert cause(f"{'prose } ' * 20_000}\n{CLAIM}") == STATED


# -------------------------------------------------------------------------------- round trips

NAMES = ["a", "command", "G_req", "req[0]", "sensor"]
steps = st.dictionaries(
    st.integers(0, 12),
    st.lists(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True), max_size=3),
)


def rendered(value, rng):
    """Write an object in one of many ways, in prose or none."""
    items = list(value.items())
    rng.shuffle(items)
    value = dict(items)
    text = rng.choice(
        [
            json.dumps(value),
            json.dumps(value, indent=rng.choice([0, 1, 4])),
            repr(value),
            json.dumps(value, ensure_ascii=False),
        ]
    )
    if rng.random() < 0.3:
        text = text.replace("}", ", }").replace("{, }", "{}")
    text = rng.choice(
        ["{}", "```json\n{}\n```", "```\n{}\n```", "Answer: {}", "**Answer**: {}"]
    ).replace("{}", text)
    before = rng.choice(
        [
            "",
            "So {r, g} it is.\n",
            "Draft:\n{'XXX g': {'0': ['z']}}\n\n",
            "<think>{</think>",
            '{"note": 1}\n',
        ]
    )
    return (
        before
        + text
        + rng.choice(["", "\n", "\nDone.", '\n{"note": "ok"}', "\nThe set {a} holds."])
    )


@settings(max_examples=60, deadline=None)
@given(steps, st.integers(0, 2**32))
def test_random_causes_are_read_as_stated(said, seed):
    rng = random.Random(seed)
    spelled, stated = {}, {}
    for step, clauses in said.items():
        values = [[(name, rng.random() < 0.5) for name in clause] for clause in clauses]
        sentences = [
            " or ".join(("" if value else "!") + name for name, value in clause)
            for clause in values
        ]
        key = rng.choice(["{}", "step_{}", "Step {}", "t{}"]).format(step)
        spelled[key] = sentences or rng.choice([["no constraints"], [], "none", ""])
        if len(sentences) == 1 and rng.random() < 0.5:
            spelled[key] = sentences[0]
        formulas = [[("literal", *literal) for literal in clause] for clause in values]
        stated[step] = tuple(
            clause[0] if len(clause) == 1 else ("or", *clause) for clause in formulas
        )
    assert cause(rendered({"XXX g": spelled}, rng)) == StatedCause(stated, ())


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_targets_are_read_as_stated(seed):
    rng = random.Random(seed)
    letters = [rng.randrange(1 << len(NAMES)) for _ in range(rng.randint(0, 6))]
    states = [rng.randrange(50) for _ in range(len(letters) + 1)]
    stated = run("Answer: " + targets.run_target(NAMES, letters, states, bool(seed % 2)))
    values = [
        [("literal", name, bool(letter >> i & 1)) for i, name in enumerate(NAMES)]
        for letter in letters
    ]
    assert stated == StatedRun(
        {i: StatedStep(states[i], ("and", *said), states[i + 1]) for i, said in enumerate(values)},
        bool(seed % 2),
    )
    effect = {"output": "g h", "value": seed % 3 > 0, "step": 5}
    letters = [rng.randrange(32) for _ in range(6)]
    clauses = [
        tuple(sorted((rng.randrange(6), rng.randrange(5)) for _ in range(2))) for _ in range(4)
    ]
    reply = targets.cause_target(effect, NAMES, letters, clauses, full=True)
    crosses = [
        tuple((step, NAMES[i], bool(letters[step] >> i & 1)) for step, i in clause)
        for clause in clauses
        if clause[0][0] != clause[1][0]
    ]
    read = cause(reply, "", effect)
    assert (read.crosses, read.other, list(read.steps)) == (tuple(crosses), "", list(range(6)))
    assert sum(map(len, read.steps.values())) == len(clauses) - len(crosses)


@settings(max_examples=100, deadline=None)
@given(
    st.text(st.sampled_from("{}[]\"':,01 rgX\n`") | st.characters(), max_size=80),
    st.integers(0, len(CLAIM)),
)
def test_any_text_is_read_or_refused(text, place):
    for reply in (
        text,
        CLAIM[:place] + text,
        text + CLAIM[place:],
        CLAIM[:place] + text + CLAIM[place:],
    ):
        cause(reply)
        run(reply)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, len(CLAIM) - 1))
def test_what_breaks_off_is_unreadable(place):
    assert isinstance(cause(CLAIM[:place]), str)
    assert isinstance(cause(f"{CLAIM}\nAnswer: {CLAIM[:place]}"), str)
