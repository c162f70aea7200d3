"""Reading answers: realistic replies, and mostly broken, contradictory and hostile ones."""

import json
import random

import pytest
from cases import slow
from harness_tempobench import targets
from harness_tempobench.answers import extraction
from harness_tempobench.answers.extraction import StatedCause, StatedRun, StatedStep, Unreadable
from harness_tempobench.constraint import TRUE
from hypothesis import given, settings
from hypothesis import strategies as st
from pace import within

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
    return checked(lambda: extraction.cause(reply, prompt, effect, names))


def run(reply, prompt="", names=()):
    return checked(lambda: extraction.run(reply, prompt, names))


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


@pytest.mark.parametrize(
    "reply",
    [
        "```python\nresult = {}\nfor step in trace: ...\n```",
        "```python\nanswer = {}\n```",
        'print("Answer: {}".format(found))',
        "Start with S = {} and consider step 0: flipping",
        "$s^{}_{0}$ then",
        "$B = \\{\\}$ so far",
        'format("state {}", s)',
        "I cannot determine the cause, so I leave it empty: {}",
        "The breaking sets are {}.",
        "{}\nis what I begin with",
        "```\n{}\n```\n```\nx\n```",
        "```\nx\n{}\n```",
    ],
)
def test_a_stray_empty_object_is_no_answer(reply):
    assert isinstance(cause(reply), str)
    assert isinstance(run(reply), str)
    assert cause(f"{CLAIM}\n{reply}") == STATED


def test_an_empty_object_that_stands_alone_is_an_answer():
    for reply in (
        "I give\n{}",
        "`{}`",
        "So:\n\n```json\n{}\n```\nNo input matters.",
        "**Answer:** `{}`.",
    ):
        assert cause(reply) == StatedCause({}, ())
        assert run(reply) == StatedRun({}, None)
    assert cause("Answer: {} (no input could have prevented it)") == StatedCause({}, ())


KEYLESS = CLAIM[10:-1]
WRONG = CLAIM.replace('"r"', '"z"')


def test_what_is_marked_counts_more_than_what_stands_amid_words():
    note = f"(Note: a naive reading would give {WRONG}, which is wrong.)"
    assert cause(f"Answer: {CLAIM}\n\n{note}") == STATED
    assert cause(f"Answer: {CLAIM}\n\nOne could write {CLAIM[:-4]} too") == STATED
    assert cause(f"Answer: {WRONG}\n\nSo this is it:\n\n{CLAIM}") == STATED
    assert cause(f"Draft:\n{WRONG}\nThus the cause is {CLAIM}") == STATED
    assert cause(f"Answer: {WRONG}\nStep 1 is off. Corrected: {CLAIM}") == STATED
    corrected = cause(f"Answer: {WRONG}\n\nCorrected:\n\n```json\n{KEYLESS}\n```")
    assert corrected == STATED
    for word in ("Corrected JSON:", "The correct one is", "Correction:", "Revised answer:"):
        assert cause(f"Answer: {WRONG}\n\nI erred. {word} {CLAIM}") == STATED
    table = f"The inputs that matter:\n```json\n{KEYLESS.replace('r', 'z')}\n```"
    assert cause(f"Answer: {CLAIM}\n\n{table}") == STATED
    assert cause(f"Answer: {CLAIM}\n\nThis is not correct: {WRONG}") == STATED
    remark = 'Here {"1": ["!en"]} means that en is false at step 1.'
    for answer in (f"```json\n{KEYLESS}\n```", f"```json\n{CLAIM}\n```", CLAIM):
        assert cause(f"{answer}\n\n{remark}") == STATED
    assert cause(remark).steps == {1: (("literal", "en", False),)}


def test_a_made_up_next_task_is_not_looked_at():
    task = "\n\nTask: find what caused an output of a machine.\n\nEffect: x.\nAnswer: "
    prompt = f"Task: find what caused an output of a machine.\n{PROMPT}"
    for head in ("Answer: ", "", "```json\n"):
        assert cause(f'{head}{CLAIM}{task}{{"X x": {{"0": ["a"]}}}}', prompt) == STATED
        assert cause(f"{head}{CLAIM}{task}{WRONG}", prompt) == STATED
    assert cause(f"{prompt}\n\nAnswer: {CLAIM}", prompt) == STATED
    assert cause(f"**Task 2:** I find it.\n\nAnswer: {CLAIM}", prompt) == STATED
    mine = f'{{{STEP}, "accepted": "no"}}'
    other = f"{task}{{{STEP.replace('2}', '3}')}}}\nAccepted: yes"
    assert run(f"Answer: {mine}{other}") == StatedRun({0: FIRST}, False)


def test_the_thinking_that_never_ends_is_named():
    assert "thinking" in cause(f"<think>\nSo\n\nAnswer: {CLAIM}")


ESCAPED = CLAIM.replace('"', '\\"')


@pytest.mark.parametrize(
    "reply",
    [
        "\\boxed{" + CLAIM.replace("{", "\\{").replace("}", "\\}") + "}",
        f"$\\boxed{CLAIM}$",
        json.dumps({"answer": CLAIM}),
        f'Answer: "{ESCAPED}"',
        f"Answer: {ESCAPED}",
        "Answer: " + CLAIM.replace('"', "&quot;"),
        f'States: {{0: "g", 1: "h"\nSo the result is\n{CLAIM}',
        f"{'{0: 1} ' * 600}\nAnswer: {CLAIM}",
        f"Answer: {CLAIM}\n{'{0: 1} ' * 150}",
        CLAIM.replace("!b", "\\neg b").replace(' or "', ' or "'),
    ],
)
def test_json_in_other_wrappings(reply):
    assert cause(reply) == STATED


def test_more_objects_than_are_read():
    assert "more than 3,000 objects" in cause(f"{'{0: 1} ' * 4_000}\nAnswer: {CLAIM}")
    assert "more than 500 objects" in cause('{"a" 1} ' * 600)
    assert isinstance(cause(f'{{"XXX g": {{"0": ["r"\nThat is all of it {KEYLESS}'), str)


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
        "XXX NOT NOT g",
        "XXX \\\\neg \\\\lnot g",
        "**XXX g**",
        "$XXX g$",
        "$XXX \\\\neg ! g$",
        "XXX g = true",
        "XXX g is not false",
        "X³ g",
        "X³g",
        "XXX g (output g is true at step 3)",
        "g at step 3",
        "g@3",
        "XXX g at step 3",
        "output g is true at step 3",
        "The output g is true at step 3",
        "xxx g",
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
        "g@2",
        "XX g at step 2",
        "XXX g = false",
        "output g is true at step 2",
        "xxg",
        "h at step 3",
    ],
)
def test_another_effect(name):
    assert cause(CLAIM.replace("XXX g", name)) == StatedCause(STEPS, (), name)


@pytest.mark.parametrize(
    "name",
    [
        "XXX !g = false",
        "XX g at step 3",
        "XXX g (output g is true at step 2)",
        "XXX g (see above)",
        "the red g, always",
        "G XXX g",
    ],
)
def test_an_effect_that_is_unclear_is_not_taken_for_another(name):
    assert "unclear" in cause(CLAIM.replace("XXX g", name))


def test_the_effect_in_a_field():
    for said in ("output g is true at step 3", "g@3", {"output": "g", "value": True, "step": 3}):
        assert cause(json.dumps({"effect": said, "cause": json.loads(KEYLESS)})) == STATED
    for said in ("XX g", "g is false at step 3", {"output": "g", "value": True, "step": 2}):
        assert cause(json.dumps({"effect": said, "cause": json.loads(KEYLESS)})).other
    for said in ("the red light", 3, ["XXX g"], "g or so", None):
        assert "unclear" in cause(json.dumps({"effect": said, "cause": json.loads(KEYLESS)}))
    assert cause(json.dumps({"effect": None, "cause": json.loads(CLAIM)})) == STATED


def test_the_effect_right_before_the_braces():
    for other in ("XX g", "XXX !g", "XXX h", "!g", "g", "!h"):
        for reply in (f"Answer: {other}: {KEYLESS}", f"**{other}** =\n```json\n{KEYLESS}\n```"):
            assert cause(reply) == StatedCause(STEPS, (), other), reply
    assert cause(f"Hence the cause of XX g is {KEYLESS}").other == "XX g"
    assert cause(f"\\boxed{{{CLAIM[1:-1].replace('XXX', 'XX')}}}").other == "XX g"
    for own in (
        "XXX g:",
        "`XXX g`:",
        "output g is true at step 3:",
        "The cause of XXX g is",
        "XOR:",
        "r:",
    ):
        assert cause(f"Answer: {own} {KEYLESS}") == STATED, own
    assert cause(f"Unlike XX g,\n{KEYLESS}") == STATED
    assert cause(f"Unlike XX g\n{KEYLESS}") == STATED
    assert cause(f"XX g: {CLAIM}") == STATED


def test_case_is_overlooked_where_it_is_certain():
    loud = CLAIM.replace("XXX g", "XXX G").replace('"r"', '"R"')
    assert cause(loud, names=["g", "r"]) == STATED
    assert cause(loud, names=["g", "G", "r"]).other == "XXX G"
    named = cause(CLAIM.replace('"r"', '"R"'), names=["g", "r", "R"])
    assert named.steps[1] == (("literal", "R", True),)
    assert cause(CLAIM.replace('"r"', '{"R": "true"}'), names=["g", "r"]) == STATED


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
        '["0:a", "2:!b"]',
        '[["a@0", "!b@2"]]',
        '[["a at step 0", "!b at step 2"]]',
        '[["a[0]", "!b[2]"]]',
        '[[[0, "a"], [2, "!b"]]]',
        '[[{"0": "a"}, {"2": "!b"}]]',
        '["(0:a) or (2:!b)"]',
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
    [
        "[]",
        "null",
        '{"XXX g": []}',
        "{}",
        '{"XX g": [["0:a"]]}',
        '"none"',
        '["no constraints"]',
        '[["no constraints"]]',
        '{"XXX g": {}}',
    ],
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
        '["0:a", "0:b"]',
        '[[0, "a"]]',
        '[[[0, "a", "b"]]]',
        '[[{"0": "a", "2": "b"}]]',
        '[["a@0@1"]]',
        '["(0:a or 2:!b) or 1:c)"]',
    ],
)
def test_clauses_that_cannot_be_read(said):
    assert isinstance(cause(f'{CLAIM[:-1]}, "cross_step_clauses": {said}}}'), str)


def test_effect_and_clauses_in_two_objects():
    crossing = '{"cross_step_clauses": {"XXX g": [["0:a", "2:!b"]]}}'
    full = StatedCause(STEPS, CROSSING)
    for between in ("\n", ", ", "\n```\n```json\n"):
        assert cause(f"```json\n{CLAIM}{between}{crossing}\n```") == full
    assert cause(f"\\boxed{{{CLAIM[1:-1]}, {crossing[1:-1]}}}") == full
    assert cause("\n".join(f'{{"{step}": ["r"]}}' for step in range(3))).steps == dict.fromkeys(
        range(3), (R,)
    )


@pytest.mark.parametrize(
    "said",
    ['"no constraints"', "[]", '["no constraints"]', '"none"', "{}", "[[], [], [], []]"],
)
def test_an_effect_without_constraints(said):
    assert not any(cause(f'{{"XXX g": {said}}}').steps.values())


@pytest.mark.parametrize(
    "said",
    [
        '[["no constraints"], ["r"], ["a or !b", "c"], []]',
        '[{"step": 0, "constraints": []}, {"step": 1, "constraint": "r"}, {"t": 2, "clauses": ["a or !b", "c"]}]',
        '[{"0": ["no constraints"]}, {"1": ["r"]}, {"2": ["a or !b", "c"]}]',
        '{"(0)": [], "at step 1": ["r"], "step[2]": ["a or !b", "c"]}',
        '{"cycle 0": [], "[1]": ["r"], "2.": ["a or !b", "c"]}',
        '{"0": [], "1": {"constraints": ["r"]}, "2": ["a or !b", {"c": true}]}',
        '{"0": [], "1": [{"r": "true"}], "2": ["2:a or 2:!b", "c at step 2"]}',
        '{"0": [], "1": ["step 1: r"], "2": ["a@2 or !b[2]", "2:c"]}',
    ],
)
def test_steps_in_other_forms(said):
    stated = cause(f'{{"XXX g": {said}}}', names=["a", "b", "c", "g", "r"])
    assert stated.steps | {3: ()} == {**STEPS, 3: ()}


@pytest.mark.parametrize(
    "said",
    [
        '[["r"], ["a"]]',
        '[{"step": 0, "constraints": []}, {"step": 0, "constraints": "r"}]',
        '["r", "a", "b", "c"]',
        '{"0": ["1:r"]}',
        '{"0": ["0:r or 1:a"]}',
        '{"0": ["r@1"]}',
        '{"0": ["r[1] and a"]}',
        '{"0": ["r at step 1"]}',
        '{"0": ["0: true"]}',
        '{"0": [{"r": true, "a": true}, {"b": true}]}',
        '{"0": {"r": "high"}}',
        '{"s0": ["r"]}',
    ],
)
def test_steps_that_may_mean_something_else(said):
    assert isinstance(cause(f'{{"XXX g": {said}}}', names=["a", "b", "c", "g", "r"]), str)


def test_names_that_look_like_steps():
    names = ["a@1", "a", "t0", "b[1]", "g"]
    said = '{"XXX g": {"0": ["a@1", "t0: true", "b[1]"]}}'
    assert cause(said, names=names).steps == {
        0: tuple(("literal", name, True) for name in ("a@1", "t0", "b[1]"))
    }


def test_all_literals_are_bounded_together():
    sentence = "a<->b<->c<->d<->e<->f<->g"
    many = json.dumps([sentence] * 110)
    assert "more than 40,000 literals" in cause(f'{{"XXX g": {{"0": {many}, "1": {many}}}}}')
    steps = {f"step_{i}": {"state": 0, "inputs": [sentence] * 50} for i in range(5)}
    assert "more than 40,000 literals" in run(json.dumps(steps))
    crossing = json.dumps([["0:a", "1:b"]] * 100)
    assert len(cause(f'{{"cross_step_clauses": {crossing}}}').crosses) == 100


def test_the_object_that_counts_is_given():
    assert extraction.chosen(f'{CLAIM}\nHere {{"1": ["!en"]}}', PROMPT, EFFECT) == json.loads(CLAIM)
    assert list(extraction.chosen(f"{{{STEP}}}\n{{{NEXT_STEP}}}", "")) == ["step_0", "step_1"]
    with pytest.raises(Unreadable):
        extraction.chosen("no", PROMPT, EFFECT)


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
    for said in ('""', "null", '" "'):
        assert run(f'{{{STEP}, "accepted": {said}}}').accepted is None
    for line in (
        "Accepted: yes or no",
        "Accepted: yes/no",
        "Accepted: yes | no",
        "accepted",
        "If accepted: yes",
    ):
        assert run(f"{{{STEP}}}\n{line}").accepted is None


YES = (
    "Yes, all steps valid|yes (accepted)|1|**yes**|Accepted by the machine|is accepted|yes ✅|Y|valid"
    "|The trace is accepted."
)
NO = "no (rejected at step 2)|no, at step 2|not_accepted|0|The trace is rejected|No: it is not accepted|n"


def test_verdicts_with_remarks():
    for said, accepted in ((YES, True), (NO, False)):
        for one in said.split("|"):
            assert run(f'{{{STEP}, "accepted": "{one}"}}') == StatedRun({0: FIRST}, accepted), one
        number = int(accepted)
        assert run(f'{{{STEP}, "accepted": {number}}}') == StatedRun({0: FIRST}, accepted)
    for key in ("trace_accepted", "isAccepted", "accepts", "result", "accepted?", "outcome"):
        assert run(f'{{{STEP}, "{key}": "yes"}}') == RUN
    for key in ("rejected", "isRejected"):
        assert run(f'{{{STEP}, "{key}": false}}') == RUN
    assert run(f'{{{STEP}, "accepted": "yes", "result": "all good"}}') == RUN


@pytest.mark.parametrize(
    "said",
    [
        '"maybe"',
        "[]",
        "{}",
        "2",
        '"yes and no"',
        '"yes or no"',
        '"yes/no"',
        '"yes, if all fits"',
        '"yes, but not step 1"',
        '"no, accepted"',
        '"unless"',
    ],
)
def test_a_verdict_that_is_not_understood_is_not_dropped(said):
    assert "accepted: " in run(f'{{{STEP}, "accepted": {said}}}')


def test_verdicts_outside():
    for text in (
        "**Accepted: yes**\n\n```json\n{}\n```",
        "Accepted: yes\n{}",
        '```json\n{{"accepted": "yes"}}\n```\n```json\n{}\n```',
        "{}\nThe trace is accepted.",
        "{}\n| accepted | yes |",
        "{}\nSo the machine accepts the trace.",
        "{}\nAccepted: no\nVerdict: accepted",
    ):
        assert run(text.format(f"{{{STEP}}}")) == RUN, text
    no = f'{{{STEP}, "accepted": "no"}}'
    for remark in (
        "`accepted`: yes, if every output matches; here it does not.",
        "accepted: yes or no, see above",
        "Accepted: yes unless it is rejected",
        "If output were different, the trace would be\nAccepted: yes, when so",
        "The trace is accepted by another machine.",
    ):
        assert run(f"{no}\n{remark}") == StatedRun({0: FIRST}, False), remark
    for remark in ("Is it accepted: yes?", "The trace is accepted if r holds.", "I said yes."):
        assert run(f"{remark}\n{{{STEP}}}").accepted is None


SECOND = StatedStep(2, ("literal", "r", True), 0)
NEXT_STEP = '"step_1": {"current state": 2, "defining inputs": "r", "next state": 0}'


@pytest.mark.parametrize(
    "reply",
    [
        f'{{{STEP}}}\n{{{NEXT_STEP}}}\n{{"accepted": "yes"}}',
        f"Step 0: {{{STEP}}}\nStep 1: {{{NEXT_STEP}}}\nAccepted: yes",
        f"As r holds: {{{STEP}}}\nThen r holds again, hence\n{{{NEXT_STEP}}}\nAccepted: yes",
        f'```json\n{{{STEP}}}\n```\n```json\n{{{NEXT_STEP}, "accepted": "yes"}}\n```',
        f'[{{{STEP}}}, {{{NEXT_STEP}}}, {{"accepted": "yes"}}]',
        '{"step_0": [0, "r and !s", 2], "step_1": [2, "r", 0], "accepted": "yes"}',
        '[{"from": 0, "inputs": "r, !s", "to": 2}, {"from": 2, "inputs": "r", "to": 0}, {"accepted": "yes"}]',
        f'{{"states": {{{STEP}, {NEXT_STEP}}}, "accepted": "yes"}}',
        json.dumps({"answer": f'{{{STEP}, {NEXT_STEP}, "accepted": "yes"}}'}),
    ],
)
def test_runs_in_pieces_and_other_forms(reply):
    assert run(reply) == StatedRun({0: FIRST, 1: SECOND}, True)


def test_a_run_in_pieces_begins_anew():
    again = f'Wait.\n{{{STEP}, {NEXT_STEP}, "accepted": "no"}}'
    assert run(f"{{{STEP}}}\n{again}") == StatedRun({0: FIRST, 1: SECOND}, False)
    assert run(f"{{{STEP}}}\nWait.\n{{{STEP.replace('2}', '3}')}}}").steps[0].next == 3


@pytest.mark.parametrize(
    "fields",
    [
        "from/inputs/to",
        "start state/defining inputs/end state",
        "state_before/inputs/state_after",
        "currentState/definingInputs/nextState",
        "Current-State/inputs/new state",
        "source/input/target",
    ],
)
def test_names_of_fields(fields):
    step = dict(zip(fields.split("/"), (0, "r and !s", 2), strict=True))
    assert run(json.dumps({"step_0": step, "accepted": "yes"})) == RUN


@pytest.mark.parametrize(
    "state",
    ["0 (idle)", "State: 0", "**0**", "(0)", "s_{0}", "$s_{0}$", "`0`", "node 0", "state=0", "[0]"],
)
def test_spellings_of_states(state):
    assert run(json.dumps({"0": {"state": state}})).steps == {0: StatedStep(0, None, None)}
    assert run('{"0": {"state": 0.0}}').steps == {0: StatedStep(0, None, None)}


@pytest.mark.parametrize(
    "state", ["0 (or 1)", "0, 1", "0.5", "s0s1", "0 to 2", "((0))", "(0", "0*1"]
)
def test_what_is_no_state_is_not_dropped(state):
    assert isinstance(run(json.dumps({"0": {"state": state}})), str)


@pytest.mark.parametrize(
    "last",
    [
        "null",
        '"cannot be taken"',
        '{"current state": 2, "defining inputs": "r", "next state": null}',
        '{"current state": 2, "defining inputs": "r", "next state": "rejected"}',
        '{"current state": 2, "defining inputs": "r", "next state": "none (output mismatch)"}',
        '{"current state": null, "defining inputs": null, "next state": null}',
        '[2, "r", null]',
    ],
)
def test_a_step_that_cannot_be_taken_is_not_stated_in_a_rejected_run(last):
    assert run(f'{{{STEP}, "step_1": {last}, "accepted": "no"}}') == StatedRun({0: FIRST}, False)
    both = f'{{{STEP}, "step_1": {last}, "step_2": {last}, "accepted": "no"}}'
    assert run(both) == StatedRun({0: FIRST}, False)
    accepted = run(f'{{{STEP}, "step_1": {last}, "accepted": "yes"}}')
    assert isinstance(accepted, str) or 1 in accepted.steps


@pytest.mark.parametrize(
    "reply",
    [
        f'{{"step_0": "rejected", {NEXT_STEP}, "accepted": "no"}}',
        f'{{{STEP}, "step_1": "see above", "accepted": "no"}}',
        '{"s0": {"current state": 0, "next state": 2}, "accepted": "yes"}',
        f'{{{STEP}, "state_1": {{"current state": 2, "next state": 0}}, "accepted": "yes"}}',
        '{"step_0": "0 to 2", "accepted": "yes"}',
        '{"path": [0, 2], "accepted": "yes"}',
        '{"step_0": {"source": 0, "label": "r", "target": 2}}',
        '{"step_0": {"current state": 0, "arrives in": 2}}',
        '{"step_0": [0, 2], "accepted": "yes"}',
    ],
)
def test_what_stands_there_and_is_not_understood_is_not_dropped(reply):
    assert isinstance(run(reply), str)


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


# ------------------------------------------------------------------------------ without JSON

WHOLE = [
    "| Step | Necessary |\n|---|---|\n| 0 | – |\n| 1 | `r` |\n| 2 | !b |\n| 3 | none |",
    "| | 0 | 1 | 2 | 3 |\n|-|-|-|-|-|\n| necessary | - | r | !b | - |",
    "Step 0: none\nStep 1: r, or so?\n\nThe answer:\n- 0: none\n- 1: r\n- 2: !b\n- 3: none",
    "Step 0 and step 3: no constraints. Step 1: r — without it the state is 4. Step 2: !b",
    "**Step 1**\n- r\n\n**Step 2**\n- !b\n\nAll other steps: no constraints",
    "So the only necessary literals are r at step 1 and !b at step 2.",
    "r is needed at step 1 and !b at step 2; steps 0 and 3 have no constraints.",
    "Necessary literals:\n1. r at step 1\n2. !b at step 2\n\nThat is all.",
    'In the form: "0": ["no constraints"], "1": ["r"], "2": ["!b"], "3": ["no constraints"]',
    "Answer: {0: none, 1: r, 2: !b, 3: none}",
    "Notwendig sind r in Schritt 1 und !b in Schritt 2, in den übrigen Schritten keines.",
    "Para XXX g son necesarios r en el paso 1 y !b en el paso 2; en los pasos 0 y 3 no hay ninguno.",
    "| Étape | Littéraux nécessaires |\n|-|-|\n| 0 | aucun |\n| 1 | r |\n| 2 | ¬b |\n| 3 | aucun |",
    "| literal | step |\n|-|-|\n| r | 1 |\n| !b | 2 |\n\nNo other literal is necessary.",
    r"Necessary literals: $\{(1, r),\ (2, \lnot b)\}$, and none at the steps $0$ and $3$.",
    "Two literals are necessary: r being true at step 1, and b being false at step 2.",
    "The only exception is b at step 3. So the necessary literals are r at step 1 and !b at step 2.",
]
OPEN = [
    "No sé si r en el paso 1 es necesario; en los pasos 0, 2 y 3 no hay ninguno.",
    "Someone claims that r is necessary at step 1, !b at step 2, and nothing else.",
    "Step 0: none. Step 1: r. Step 2: I don't know. Step 3: none.",
    "The necessary literals are r at step 1, !b at step 2 and",
    "The necessary literals: r and b are false at step 1; none at the other steps.",
    "- 0: none\n- 1: r → g is false\n- 2: !b → g is false\n- 3: none",
    "Necessary literals: r at step 1, !b at step 2. I could not check the others.",
    "| step | inputs |\n|---|---|\n| 0 | none |\n| 1 | r |\n| 2 | !b |\n| 3 | none |",
    "- 0: none\n- 1: r\n- 2: !b",
    "r at step 1 is necessary, and probably !b at step 2; no constraints elsewhere.",
    "Necessary: r at step 1 or !b at step 2, nothing else.",
    "So far: r at step 1, !b at step 2, nothing else.",
    f"{WHOLE[0]}\n\nWait, step 2 has to be checked again.",
    f"Option 1:\n\n{WHOLE[0]}\n\nOption 2:\n\n{WHOLE[0].replace('!b', 'none')}",
    "Necessary literals:\n- r at step 1\n- !b at step 2, or maybe c",
    'Either {"XXX g": {"1": ["r"]}} with no constraints elsewhere, or the same with "2": ["!b"].',
    '(1) {"XXX g": {"1": ["r"]}}\n(2) {"XXX g": {"2": ["!b"]}}\n\nOne of them is right.',
]
LINE = "Step {}: state {}, inputs: r & !s, outputs: g, next state: {}"
RUNS = [
    f"{LINE.format(0, 0, 2)}\n{LINE.format(1, 2, 1)}",
    "| step | state | inputs | outputs | next |\n|-|-|-|-|-|\n| 0 | 0 | r, !s | g | 2 |\n| 1 | 2 | r, !s | g | 1 |",
    "Step 0\n- current state: 0\n- inputs: r, !s\n- outputs: g\n- next state: 2\n\n"
    "Step 1\n- current state: 2\n- inputs: r, !s\n- outputs: g\n- next state: 1",
    "step 0: 0 –r,!s/g→ 2; step 1: 2 –r,!s/g→ 1",
    "| step | state | r | s | g | next |\n|-|-|-|-|-|-|\n| 0 | 0 | T | F | T | 2 |\n| 1 | 2 | T | F | T | 1 |",
    "In Schritt 0 liest sie in 0 r und !s, gibt g aus und geht nach 2. In Schritt 1 liest sie in 2 r und !s, "
    "gibt g aus und geht nach 1.",
]
UNSTATED = [
    "step 0: state 0, r and s are false, g, next 2; step 1: state 2, r and s are false, g, next 1",
    "step 0: state 0, r or !s, g, next 2; step 1: state 2, r or !s, g, next 1",
    "step 0: state 0, r, !s, next 2; step 1: state 2, r, !s, next 1",
    "step 0: state 0, r, !s, g, next 2; step 1: state 2 would read r, !s, give g and go to 1",
    "step 0: state 0 or 1, r, !s, g, next 2; step 1: state 2, r, !s, g, next 1",
]


@pytest.mark.parametrize("reply", WHOLE)
def test_a_whole_cause_is_read_without_json(reply):
    stated = extraction.cause(reply, PROMPT, EFFECT, "abcgrs", single=True)
    said = {step: parts for step, parts in stated.steps.items() if parts}
    crossing = {step: (("literal", name, value),) for ((step, name, value),) in stated.crosses}
    assert said | crossing == {1: (R,), 2: (NOT_B,)}
    assert stated.other == ""


@pytest.mark.parametrize("reply", OPEN)
def test_a_cause_without_json_that_is_not_whole_or_left_open_is_none(reply):
    assert isinstance(cause(reply, names="abcgrs"), str)


def test_sets_are_read_without_json():
    reply = "| step | breaking sets |\n|-|-|\n| 0 | {a, !b} |\n| 1 | none |\n| across steps | {0:c, 1:r} |"
    stated = cause(reply, effect=EFFECT | {"step": 1}, names="abcgrs")
    assert stated.steps == {0: (("or", A, NOT_B),), 1: ()}
    assert stated.crosses == (((0, "c", True), (1, "r", True)),)


@pytest.mark.parametrize("reply", RUNS)
def test_a_whole_run_is_read_without_json(reply):
    for said, accepted in (("accepted", True), ("rejected", False)):
        ran = extraction.run(f"{reply}\n\nSo the trace is {said}.", "", "grs", count=2, inputs="rs")
        assert ran.steps == {0: FIRST, 1: StatedStep(2, FIRST.inputs, 1)}
        assert ran.accepted is accepted
    ran = extraction.run(reply, "", "grs", simulated=True, count=2, inputs="rs")
    assert [step.next for step in ran.steps.values()] == [2, 1]
    for count, end in ((2, ""), (2, "If it is accepted, fine."), (3, "It is accepted.")):
        with pytest.raises(Unreadable):
            extraction.run(f"{reply}\n\n{end}", "", "grs", count=count, inputs="rs")


@pytest.mark.parametrize("reply", UNSTATED)
def test_a_run_without_json_that_does_not_say_all_of_a_step_is_none(reply):
    with pytest.raises(Unreadable):
        extraction.run(reply, "", "grs", simulated=True, count=2, inputs="rs")


SETS = [
    "Minimal sets:\n\n- {a at step 0, !b at step 0}\n- {0:c, 1:r}\n\nThese are all.",
    "Es gibt zwei minimale Mengen:\n1. a und !b in Schritt 0\n2. c in Schritt 0 und r in Schritt 1",
    "Step 0: {a, !b}. Step 1: nothing. Several steps: c at step 0 together with r at step 1.",
    "step 0: a and !b together; step 1: none\n\nAcross steps:\n- (0:c or 1:r)",
    r"Breaking sets: $\{\{(0, a), (0, \neg b)\}, \{(0, c), (1, r)\}\}$",
    "| breaking set | steps |\n|-|-|\n| {a, !b} | 0 |\n| c (step 0) with r (step 1) | 0, 1 |",
]
UNCLEAR = [
    "Breaking sets: a at step 0, !b at step 0, c at step 0 and r at step 1.",
    "Step 0: {a, !b}. Step 1: nothing. I have not looked at sets over several steps.",
    "Step 0: {a, !b}. Step 1: nothing. Several steps: c at step 0 together with r at step 1, maybe.",
    "Step 0: {a, !b}. Step 1: nothing. Several steps:",
]


@pytest.mark.parametrize("reply", SETS)
def test_sets_of_several_literals_are_read_without_json(reply):
    stated = cause(reply, effect=EFFECT | {"step": 1}, names="abcgrs")
    assert {step: said for step, said in stated.steps.items() if said} == {0: (("or", A, NOT_B),)}
    assert stated.crosses == (((0, "c", True), (1, "r", True)),)


@pytest.mark.parametrize("reply", UNCLEAR)
def test_sets_that_are_unclear_or_left_open_are_none(reply):
    assert isinstance(cause(reply, effect=EFFECT | {"step": 1}, names="abcgrs"), str)


# ----------------------------------------------------------------------------------- hostile

HOSTILE = [
    "step 1: a-b\n" * 80_000,
    "a-b at step 1 and " * 50_000,
    "| step | necessary |\n|-|-|\n" + "| 0 | a-b |\n" * 80_000,
    "necessary literals: " * 50_000,
    "step 1: state 0; inputs: g; next state 1\n" * 25_000,
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
    "{0: 1} " * 14_000,
    "\n".join(f'{{"{i}": ["r"]}}' for i in range(5_000)),
    '{"XXX g": {"0": [' + '"a<->b<->c<->d<->e<->f<->g",' * 3_500 + "]}}",
    '{"XXX g": {"0": [' + ('"' + "0:a & " * 190 + 'a",') * 60 + "]}}",
    '\\boxed{"a":{' * 8_000,
    '{0: "x"\nSo the result is\n' * 4_000,
    "Answer: {" + KEYLESS + "\nTask:\n" * 9_000,
    "{" + STEP + "}" + "\nthe trace is accepted by the machine" * 1_500,
]


@slow
@pytest.mark.parametrize("reply", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_replies_are_judged_quickly(reply):
    with within(0.5):  # 0.2 s at most on one quiet core
        stated = cause(reply, PROMPT, names=["door open", "a-b"])
    with within(0.5):
        ran = checked(lambda: extraction.run(reply, PROMPT, "gr", count=8, inputs="r"))
    assert isinstance(stated, StatedCause | str)
    assert isinstance(ran, StatedRun | str)


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
