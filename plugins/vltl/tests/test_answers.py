"""Reading answers: realistic replies, and mostly texts that are hedged, hostile or no answer."""

from __future__ import annotations

import json
from typing import Any

import pytest
from cases import each, slow, some
from harness_vltl.answers import extraction, verdicts
from harness_vltl.answers.extraction import Answer, Failure
from hypothesis import given, settings
from hypothesis import strategies as st
from pace import within

KNOWN = ["prop_1", "prop_2"]
RESPONSE = ["G", ["->", "prop_1", ["F", "prop_2"]]]
PROMPT = (
    "Translate the sentence into a formula of linear temporal logic over prop_1 and prop_2.\n"
    "Conventions: time is a sequence of steps, beginning with the present one, and goes on.\n"
    "End your reply with a line `Answer: FORMULA`, for example `Answer: G prop_1`.\n\n"
    "Sentence: It never happens that the robot prop_1 at any one of the steps.\nAnswer: G !prop_1\n\n"
    "Sentence: Whenever the robot prop_1, the robot prop_2 at that moment or later."
)


def formula(reply: str, prompt: str = PROMPT) -> Any:
    """Return the formula, a pair ("unreadable", reason) for a failure, or None."""
    found = extraction.formula(reply, prompt, KNOWN)
    return found.value if isinstance(found, Answer) else found and ("unreadable", found.reason)


# --------------------------------------------------------------------------------- formulas

RESPONSES = [
    "Answer: LTLSPEC G (prop_1 -> F prop_2);",
    "Answer: ltl p { [] (prop_1 -> <> prop_2) }",
    "Answer: phi := G (prop_1 -> F prop_2)",
    "Answer: assert always (prop_1 -> eventually! prop_2);",
    "Answer: a1: assert property (always (prop_1 |-> eventually! prop_2));",
    "Answer: _G (prop_1 -> F prop_2)_",
    "Answer: *G (prop_1 -> F prop_2)*",
    "Answer: G (prop_1 -&gt; F prop_2)",
    "Answer: (G (-> prop_1 (F prop_2)))",
    "Answer: (always (implies prop_1 (eventually prop_2)))",
    "Answer: prop_1 leads to prop_2",
    "Answer: G -> prop_1 F prop_2",
    "Answer: prop_1 ~> prop_2",
    "Answer: □(prop_1 → ◇prop_2)",
    "3. *FINAL:* G (prop_1 -> F prop_2) FINISH",
    "PATTERN: G (prop_1 -> F prop_2)",
    "Answer: G (prop_1 -> F prop_2)",
    "answer: G(prop_1 -> F(prop_2))",
    "**Answer:** G (prop_1 -> F prop_2)",
    "**Answer: G (prop_1 -> F prop_2)**",
    "Answer: `G (prop_1 -> F prop_2)`",
    "Answer: **`G(prop_1 -> F prop_2)`**.",
    "### Final Answer\n\n`G (prop_1 -> F prop_2)`",
    "## Answer\n\n```ltl\nG (prop_1 -> F prop_2)\n```",
    "Answer:\n```\n[] (prop_1 -> <> prop_2)\n```",
    "Answer:\nG (prop_1 -> F prop_2)",
    "Answer: [](prop_1 -> <>prop_2)",
    "Answer: □(prop_1 → ◇prop_2)",
    "Answer: globally ( prop_1 implies finally prop_2 )",
    "Final answer: always (prop_1 implies eventually prop_2)",
    "The final answer is: G (prop_1 -> F prop_2).",
    "So the answer is G (prop_1 -> F prop_2).",
    "Therefore, the correct answer is **G (prop_1 -> F prop_2)**",
    "$$\\boxed{G (prop_1 \\rightarrow F prop_2)}$$",
    "Thus \\(\\boxed{\\mathbf{G}(\\text{prop\\_1} \\to \\mathbf{F}\\,\\text{prop\\_2})}\\).",
    "Answer: $\\boxed{\\Box(prop\\_1 \\rightarrow \\Diamond prop\\_2)}$",
    "Answer:\n$$\n\\square (prop\\_1 \\rightarrow \\Diamond prop\\_2)\n$$",
    "Answer: \\[ G(prop\\_1 \\implies F(prop\\_2)) \\]",
    "<answer>G (prop_1 -> F prop_2)</answer>",
    "<think>Answer: F prop_1</think>\nAnswer: G (prop_1 -> F prop_2)",
    "Answer: F prop_1 first.</think>\n\nAnswer: G (prop_1 -> F prop_2)",
    "Step 1: whenever is G.\nStep 2: later is F.\n\nAnswer: G (prop_1 -> F prop_2)",
    "Answer: F prop_2\n\nLet me recheck: it has to be every time.\n\nAnswer: G (prop_1 -> F prop_2)",
    '{"answer": "G (prop_1 -> F prop_2)"}',
    '```json\n{"formula": "G (prop_1 -> F prop_2)"}\n```',
    'Answer: {"answer": {"formula": "G (prop_1 -> F prop_2)"}}',
    'Answer: {"formula": "G (prop_1 -> F prop_2)"}',
    '{"reasoning": "The answer is F x.", "answer": "[](prop_1 -> <>prop_2)"}',
    'Answer: ["G", ["->", "prop_1", ["F", "prop_2"]]]',
    "G (prop_1 -> F prop_2)",
    "```\nG (prop_1 -> F prop_2)\n```",
    "`G (prop_1 -> F prop_2)`",
    "Here is the formula:\n\n```ltl\nG (prop_1 -> F prop_2)\n```",
    "LTL formula: G (prop_1 -> F prop_2)",
    "**Formula:** G (prop_1 -> F prop_2)\n\nG is globally, F is finally.",
    "Answer: φ = G (prop_1 -> F prop_2)",
    "Answer: G (prop_1 -> F prop_2), where F means eventually.",
    "Final answer in LTL: G (prop_1 -> F prop_2)",
    "Answer: The formula is G (prop_1 -> F prop_2)",
    "Answer: G (prop1 -> F prop2)",
    "Answer: G (p1 -> F p2) ✅",
    "Answer: G (prop_1 ->\n   F prop_2)",
    "Sure! Here's the LTL formula:\n```\nG (prop_1 -> F prop_2)\n```\nLet me know if you need more!",
    "**Answer:**\n\\[\n\\boxed{G(\\text{prop}_1 \\to F\\,\\text{prop}_2)}\n\\]",
    "Answer: G (prop_1 -> F prop_2)\n\nThis says that every prop_1 is followed by prop_2.",
    "Answer: G (prop_1 -> F prop_2)\nThis says that every prop_1 is followed by prop_2.",
    "Answer:\nG (prop_1 -> F prop_2)\nThis is the response pattern.",
    "> **Answer:** G (prop_1 -> F prop_2)",
    "答案：G (prop_1 -> F prop_2)",
    "Ａｎｓｗｅｒ： G (prop_1 -> F prop_2)",
    "Answer: \u202eG (prop_1 -> F prop_2)\u202c",
    "Answer: G\u00a0(prop_1 –> F prop_2)",
    "Answer: G (prop_1 -> F prop_2)<|im_end|>\n<|im_start|>user\nAnswer: F prop_1",
    "Answer: G (prop_1 -> F prop_2)\n\nUser: next one\nAnswer: F prop_1",
    "Answer: G (prop_1 -> F prop_2)\n\nSentence: The robot prop_1 at last.\nAnswer: F prop_1",
    "Answer: G (prop_1 -> F prop_2)\nAnswer: [](prop_1 -> <>prop_2)",
    "Answer: F prop_1\n\nAnswer: G (prop_1 -> F prop_2)",
    "Answer: F prop_1. Actually, that's wrong.\n\nAnswer: G (prop_1 -> F prop_2)",
    "\\boxed{F prop_1}\n\nNo.\n\n\\boxed{G (prop_1 -> F prop_2)}",
    "Answer: G (P1 -> F P2)",
    "Answer: G (PROP1 -> F P_2)",
    "Answer: G (Prop_1 -> F proposition_2)",
    "Answer: G (prop 1 -> F prop 2)",
    "Answer: <G (prop_1 -> F prop_2)>",
    "Answer: `<G (prop_1 -> F prop_2)>`",
    "Answer: <formula>G (prop_1 -> F prop_2)</formula>",
    "<formula>\nG (prop_1 -> F prop_2)\n</formula>",
    "Answer: <formula G (prop_1 -> F prop_2)>",
    "Answer: In LTL: G (prop_1 -> F prop_2)",
    "In LTL: G (prop_1 -> F prop_2)",
    "In LTL, G (prop_1 -> F prop_2)",
    "Whenever is G.\n\nIn LTL: G (prop_1 -> F prop_2)",
    "Answer: The formula G (prop_1 -> F prop_2)",
    "The formula G (prop_1 -> F prop_2)",
    "The LTL formula is G (prop_1 -> F prop_2)",
    "Ans: G (prop_1 -> F prop_2)",
    "**Ans:** G (prop_1 -> F prop_2)",
    "Answer: G[0,∞) (prop_1 -> F_{[0,\\infty)} prop_2)",
    "Answer: g (prop_1 -> f prop_2)",
    "<|channel|>analysis<|message|>Answer: F prop_1<|end|><|start|>assistant<|channel|>final"
    "<|message|>Answer: G (prop_1 -> F prop_2)<|return|>",
]


@each("reply", RESPONSES)
def test_a_formula_is_read(reply: str) -> None:
    assert formula(reply) == RESPONSE


@each(
    ("reply", "value"),
    [
        ("Answer: G !prop_1", ["G", ["!", "prop_1"]]),  # one of the prompt's examples, and right
        ("Answer: prop_1", "prop_1"),
        ("Answer: not globally prop_1", ["!", ["G", "prop_1"]]),
        ("Answer: ~~prop_1 & ~~prop_2", ["&", *(["!", ["!", p]] for p in KNOWN)]),
        (
            "Answer: [] <> prop_1 || <>[]prop_2",
            ["|", ["G", ["F", KNOWN[0]]], ["F", ["G", KNOWN[1]]]],
        ),
        ("Answer: prop_1 /\\ prop_2", ["&", *KNOWN]),
        (
            "Answer: F prop_1\n\nNo: it is always.\n\nSo the answer is:\n```\nG prop_1\n```",
            ["G", "prop_1"],
        ),
        ("Answer: prop_1 <-> prop_2", ["<->", *KNOWN]),
        ("Answer: prop_1 ≡ !prop_2", ["<->", "prop_1", ["!", "prop_2"]]),
        ("Answer: G (prop_1 ≡ X prop_2)", ["G", ["<->", "prop_1", ["X", "prop_2"]]]),
        ("Answer: prop_1 != prop_2", ["!", ["<->", *KNOWN]]),
        ("Answer: G (prop_1 ⇎ prop_2)", ["G", ["!", ["<->", *KNOWN]]]),
        ("Answer: F prop_2 (eventually)", ["F", "prop_2"]),
    ],
)
def test_other_formulas_are_read_as_they_stand(reply: str, value: Any) -> None:
    assert formula(reply) == value


REMARKS = [
    ", i.e. whenever prop_1 holds, prop_2 follows",
    " (i.e., whenever prop_1 holds, prop_2 follows)",
    ", i.e., prop_1 cannot happen without prop_2.",
    " (i.e. [](prop_1 -> <>prop_2))",
    " i.e. always",
    ", i.e. always\nThis is the response pattern.",
    " (globally, if prop_1 then eventually prop_2)",
    " (always, each prop_1 is followed by prop_2)",
    " (response pattern)",
    " (response)\n\nThis is a liveness property.",
    " (response)\nIt is a liveness property.",
    " (or equivalently, G (!prop_1 | F prop_2))",
    ", or equivalently G (!prop_1 | F prop_2)",
    ", equivalently G (!prop_1 | F prop_2)",
    ". Equivalently, G (!prop_1 | F prop_2).",
    " [always]",
    " -- response",
    " - response",
    " % LTL",
    ", as required",
    ", that is, whenever prop_1 then prop_2",
    " (meaning prop_2 follows prop_1)",
    " ✔ verified",
    " ✅ (checked)",
    " (none of the bounds exceed)",
]


@each("remark", REMARKS)
@each("written", ["{}", "`{}`", "**{}**", "${}$"])
def test_a_remark_behind_a_formula_is_left_out(remark: str, written: str) -> None:
    shown = written.format("G (prop_1 -> F prop_2)")
    assert formula(f"Answer: {shown}{remark}") == RESPONSE
    assert formula(f"It has to hold always.\n\nAnswer:\n{shown}{remark}") == RESPONSE


NO_REMARKS = [
    " & F prop_2)", " -> -> prop_1", " prop_1", " U (prop_2", " (prop_1)", " (F prop_1)", ", F prop_1",
    " - F prop_1", "; F prop_2", " (response) & F prop_2", " (a) (b) | prop_1", " vs F prop_1",
    " (or G prop_1)", ", or F prop_1", " — or F prop_1", " -- or F prop_1", " % or F prop_1",
    ", i.e. that or F prop_1", " (G prop_1 is also fine)", " (wait, no)", "\n(wait, no)",
    ", i.e. whenever. Wait, no, F prop_1", ". Wait, no.", ". Hmm, F prop_1.", ", which is wrong",
    " (wrong)", " (not F prop_1)", " (negated)", " (within three steps)", " [0,5]", " (5)", " [2]",
    " (until prop_2)", ", unless prop_2", " (only if prop_1)", " (if prop_1)", ", whenever prop_1",
    ", eventually prop_2", ", always next", " (next)", " (strong)", " (swapped)", " (maybe)",
    " (not sure)", " (prop_3 is missing)", " (none of these formulas is right)", " (approximately)",
    " (none of the formulas is exact)", " (cannot be expressed)", " (isn't it)", ", infinitely often",
    " ≡ G (!prop_1 | F prop_2)", " ≈ G (!prop_1 | F prop_2)", " = G (!prop_1 | F prop_2)",
    " is equivalent to G (!prop_1 | F prop_2)", " \\equiv G (!prop_1 | F prop_2)",
    " ⟺ by definition G (!prop_1 | F prop_2)",
]  # fmt: skip


@each("rest", NO_REMARKS)
def test_what_may_change_a_formula_is_no_remark(rest: str) -> None:
    for reply in ("Answer: G (prop_1 -> F prop_2){}", "Answer: `G (prop_1 -> F prop_2)`{}"):
        found = formula(reply.format(rest))
        assert found is None or found[0] == "unreadable"


@each(
    "reply",
    [
        "F prop_1 (infinitely often)", "F prop_1, infinitely often", "prop_1 (eventually)",
        "prop_1, eventually", "F prop_2 (whenever prop_1)", "F prop_2 (prop_1 comes earlier)",
        "G (prop_1 -> F prop_9) (response)", "prop_1 ≡ F prop_2", "G prop_1 ≡ prop_2 ≡ F prop_2",
        "word (response)", "G (prop_1 -> F(0,3) prop_2)", "prop_1 & prop_2 != prop_1",
    ],
)  # fmt: skip
def test_a_doubtful_formula_is_not_read(reply: str) -> None:
    found = formula(f"Answer: {reply}")
    assert found is None or found[0] == "unreadable"


def test_numbers_name_propositions_only_where_no_other_has_that_name() -> None:
    def value(reply: str, known: list[str]) -> Any:
        found = extraction.formula(reply, PROMPT, known)
        return found.value if isinstance(found, Answer) else None

    assert value("Answer: F P1", ["p1", "prop_1"]) == ["F", "P1"]
    assert value("Answer: F p1", ["P1", "prop_1"]) == ["F", "p1"]
    assert value("Answer: F P1", ["prop_2"]) == ["F", "P1"]
    assert value("Answer: g f", ["g", "prop_1"]) is None
    assert value("Answer: F prop 1", ["prop", "prop_1"]) is None


ACTIONS = ["pickup(refrigerator)", "idle"]


@each(
    "reply",
    [
        "G (prop_1 -> F prop_2) where prop_1 = pickup(refrigerator), prop_2 = idle",
        "G (prop_1 -> F prop_2), where prop_1 = pickup(refrigerator) and prop_2 = idle.",
        "G (prop_1 -> F prop_2) (where prop_1 = pickup(refrigerator), prop_2 = idle)",
        "G (prop_1 -> F prop_2) (where prop_2 = idle, prop_1 = pickup(refrigerator))",
        "G (prop_1 -> F prop_2)\nwhere prop_1 = pickup(refrigerator), prop_2 = idle()",
        "G (prop_1 -> F prop_2)\n\nwhere\n- prop_1: pickup(refrigerator)\n- prop_2: idle\n\nDone.",
        "G (p1 -> F p2) where p1 is Pickup(Refrigerator), p2 is idle",
        "G (pickup[refrigerator] -> F idle)",
        "G (pickup(refrigerator) -> F idle) (response)",
        "G (pickup(refrigerator) -> F idle) (idle comes after pickup)",
    ],
)
def test_actions_are_read_also_where_they_are_named_behind(reply: str) -> None:
    found = extraction.formula(f"Answer: {reply}", PROMPT, ACTIONS)
    assert isinstance(found, Answer)
    assert found.value == ["G", ["->", "pickup(refrigerator)", ["F", "idle"]]]


@each(
    "where",
    [
        "prop_1 = pickup(refrigerator)", "prop_1 = idle, prop_1 = pickup(refrigerator), prop_2 = idle",
        "prop_1 and prop_2 are actions", "prop_1 = idle or pickup(refrigerator), prop_2 = idle",
        "prop_2 = idle, prop_3 = pickup(refrigerator)", "prop_1 = pickup(refrigerator, prop_2 = idle",
    ],
)  # fmt: skip
def test_names_that_are_not_all_defined_stay(where: str) -> None:
    found = extraction.formula(f"Answer: G (prop_1 -> F prop_2) where {where}", PROMPT, ACTIONS)
    assert isinstance(found, Answer)
    assert found.value == RESPONSE


def test_known_names_are_not_defined_anew() -> None:
    reply = "Answer: G (prop_1 -> F prop_2) where prop_1 = prop_2, prop_2 = prop_1"
    assert formula(reply) == RESPONSE


NO_FORMULA = [
    "", " \n ", "Answer:", "**Answer:**", "Answer: \n\n", "\x00", "...", "Answer: ?", "Answer: N/A",
    "I'm sorry, but I can't help with that.",
    "Answer: not determinable", "Answer: none", "Answer: I don't know", "Answer: unclear",
    "Answer: cannot be expressed in LTL", "The answer is not G prop_1.", "Answer: ...",
    "I think it's either G prop_1 or F prop_1.",
    "Answer: either G prop_1 or F prop_1", "Answer: G prop_1 or possibly F prop_1",
    "Answer: G prop_1, or maybe F prop_1", "Answer: G prop_1? F prop_1?",
    "Answer: G prop_1\nAnswer: F prop_1",
    "Answer: G prop_1\n\nWait, that is not right.",
    "Answer:\nG prop_1\nF prop_1",
    "<think>Answer: G prop_1", "<think>hm</think>", "<|channel|>analysis<|message|>Answer: G prop_1",
    PROMPT, PROMPT[: len(PROMPT) // 2],
    "Formula: G prop_1\nFormula: F prop_1",
    "Formula: G prop_1\n\nAnother formula: F prop_1",
    "G prop_1\n\nF prop_1",
    "G prop_1 is one way to put it.\n\nF prop_1 another.",
    "First we read the sentence. Whenever means G. So G (prop_1 -> F prop_2) is plausible, I guess.",
    "The formula G prop_1 is wrong.", "Done", "Answer: yes", "Answer: satisfied", "Unparsed",
    "Answer: G prop_1. Wait, no.", "Answer:\nG prop_1\nThis is the safety pattern.\nWait, that is not it.",
    "Answer: none of the bounds exceed", "Answer:\nG prop_1 (response)\nor F prop_1",
    "Answer: <formula over prop_1, prop_2, …>", "The formula is never G prop_1",
    "\\boxed{F prop_1}\n\\boxed{G prop_1}", "<answer>F prop_1</answer>\n<answer>G prop_1</answer>",
    '{"formula": null}', '{"answer": ""}', '{"answer": "none"}', '{"answer": "F prop_1", "answer": "G prop_1"}',
    "Not a valid formula:\n\nG prop_1",
]  # fmt: skip


@each("reply", NO_FORMULA)
def test_no_formula_is_guessed(reply: str) -> None:
    found = formula(reply)
    assert found is None or found[0] == "unreadable"


@each(
    "reply",
    [
        "Answer: G (prop_1 ->", "Answer: G (prop_1 -> F prop_2", "Answer: prop_1 prop_2",
        "Answer: prop_1 -> -> prop_2", f"Answer: {'(' * 10_000}prop_1{')' * 10_000}",
        f"Answer: {'G ' * 9_000}prop_1", f"Answer: {'G ' * 30_000}prop_1",
        "Answer: " + " & ".join(f"a{n}" for n in range(60)),
    ],
)  # fmt: skip
def test_a_marked_formula_that_cannot_be_read_says_why(reply: str) -> None:
    found = extraction.formula(f"F prop_1\n\n{reply}", PROMPT, KNOWN)
    assert isinstance(found, Failure)
    assert found.reason
    assert "\n" not in found.reason
    assert len(found.reason) < 300
    assert len(found.quote) <= 200


@pytest.mark.parametrize(
    "reply",
    ["The answer isn't clear.", "Draft answer: G prop_9", "Answer 1: G a\nAnswer 2: F b", "prop"],
)
def test_unmarked_prose_is_no_failed_formula(reply: str) -> None:
    assert extraction.formula(reply, PROMPT, KNOWN) is None


# ---------------------------------------------------------------------------------- lifting

SENTENCE = (
    "Whenever the robot picks up the dining fork, the robot drops off the bench at the dock "
    "at that moment or later."
)
TOKENS = SENTENCE.split()
IDS = (0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 2, 2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 0)
LIFT = f"Replace every phrase by prop_1, prop_2.\n\nSentence: {SENTENCE}"
WHOLE = "Whenever the robot prop_1, the robot prop_2 at that moment or later."


def lifted(reply: str, tokens: list[str] = TOKENS) -> tuple[int, ...] | None:
    found = extraction.lifted(reply, LIFT, tokens)
    return found and found.value


LIFTED = [
    f"Answer: {WHOLE}",
    f"**Answer:** {WHOLE}",
    f"Answer:\n{WHOLE}",
    f"Answer:\n\n> {WHOLE}",
    f"```\n{WHOLE}\n```",
    f"Answer: \"{WHOLE}\"",
    f"<answer>{WHOLE}</answer>",
    WHOLE,
    f"Lifted sentence: {WHOLE}",
    f"The lifted sentence is:\n\n{WHOLE}",
    f"Answer: {WHOLE}\n\nprop_1: picks up the dining fork\nprop_2: drops off the bench at the dock",
    f"prop_1 is picking up the fork.\n\nAnswer: {WHOLE}",
    f"<think>Whenever prop_1</think>Answer: {WHOLE}",
    "Answer: Whenever the robot prop1, the robot prop2 at that moment or later.",
    "Answer: Whenever the robot [prop_1], the robot [prop_2] at that moment or later.",
    "Answer: Whenever the robot **prop_1**, the robot **prop_2** at that moment or later.",
    "Answer: Whenever the robot PROP_1, the robot PROP_2 at that moment or later",
    "Answer: whenever the robot prop 1, the robot prop 2 at that moment or later.",
    "Answer: Whenever the robot <prop_1>, the robot <prop_2> at that moment or later.",
    "Answer: Whenever the robot {prop_1} , the robot {prop_2} at that moment or later .",
    "Answer: Whenever the robot p1, the robot p2 at that moment or later.",
    "Answer: Whenever the robot prop\\_1, the robot prop\\_2 at that moment or later.",
    "Answer: Whenever the robot prop_1 the robot prop_2 at that moment or later.",
    f"Answer: {json.dumps(WHOLE.split())}",
    f"Answer: <{WHOLE}>",
    f"Answer: {WHOLE} (where prop_1 = picks up the dining fork, prop_2 = drops off the bench)",
    f"Answer: {WHOLE[:-1]}, where prop_1 is the pickup",
    'Answer: {"p1": "picks up the dining fork", "P_2": "drops off the bench at the dock"}',
    "Answer: Whenever the robot <prop_1>picks up the dining fork</prop_1>, the robot prop_2 at that "
    "moment or later.",
    "Answer: Whenever the robot \\text{prop\\_1}, the robot prop_{2} at that moment or later.",
    "Sure! Here is the lifted sentence:\n\n> " + WHOLE,
    f"Answer: {json.dumps(IDS)}",
    json.dumps({"lifted_sentence": WHOLE}),
    json.dumps({"answer": WHOLE, "prop_1": "picks up the dining fork"}),
    'Answer: {"prop_1": "picks up the dining fork", "prop_2": "drops off the bench at the dock"}',
    'Answer:\n```json\n{\n  "prop_1": "picks up the dining fork",\n'
    '  "prop_2": "drops off the bench at the dock",\n}\n```',
    "Answer:\nprop_1: picks up the dining fork\nprop_2: drops off the bench at the dock",
    "Answer: prop_1 = picks up the dining fork, prop_2 = drops off the bench at the dock",
    "Answer: Whenever the robot prop_1, then the robot prop_2 at that moment or later.",  # a word more
    "Answer: Whenever the robot prop_1, the robot prop_2 at that time or later.",  # another word
]  # fmt: skip


@each("reply", LIFTED)
def test_a_lifted_sentence_is_read(reply: str) -> None:
    assert lifted(reply) == IDS


def test_a_clause_that_was_replaced_whole_is_told_apart_by_its_comma() -> None:
    clauses = (0, *[1] * 7, *[2] * 9, 0, 0, 0, 0, 0)
    assert lifted("Answer: Whenever prop_1, prop_2 at that moment or later.") == clauses
    assert lifted("Answer: Whenever prop_1 prop_2 at that moment or later.") is None


@each(
    ("sentence", "reply", "ids"),
    [
        ("This controller must always avoid waiting.", "Answer: This controller must always avoid "
         "prop_1", (0, 0, 0, 0, 0, 1)),
        ("This controller must always avoid waiting.", "This controller must always avoid prop_1ing.",
         (0, 0, 0, 0, 0, 1)),
        ("In this task, return home, then begin recording gas leak.", "Answer: In this task, prop_1 "
         "then prop_2", (0, 0, 0, 1, 1, 0, 2, 2, 2, 2)),
        ("Wait holds until wait holds.", "Answer: prop_1 holds until prop_1 holds.",
         (1, 0, 0, 1, 0)),
        ("Wait holds until wait holds.", 'Answer: {"prop_1": "wait"}', (1, 0, 0, 1, 0)),
        ("Wait holds until he waits again.", "Answer: prop_1 holds until prop_2 again.",
         (1, 0, 0, 2, 2, 0)),
        ("Go on and on and stop.", "Answer: prop_1 and stop.", (1, 1, 1, 1, 0, 0)),
        ("Go on and idle and stop.", "Answer: Go prop_1 and prop_2", (0, 1, 0, 2, 2, 2)),
        ("Wait.", "prop_1.", (1,)),
    ],
)  # fmt: skip
def test_alignment(sentence: str, reply: str, ids: tuple[int, ...]) -> None:
    assert lifted(reply, sentence.split()) == ids


@settings(max_examples=max(some(60), 20), deadline=None)
@given(st.lists(st.booleans(), min_size=1, max_size=25), st.data())
def test_what_was_lifted_is_found_again(cuts: list[bool], data: st.DataObject) -> None:
    words = [f"w{at}" for at in range(len(cuts))]
    spans, answer, last = [], [], 0
    for word, cut in zip(words, cuts, strict=True):
        last = 0 if cut or data.draw(st.booleans()) else last or max([0, *spans]) + 1
        if not last or not answer or answer[-1] != f"prop_{last}":
            answer.append(f"prop_{last}" if last else word)
        spans.append(last)
    places = sum(part.startswith("prop_") for part in answer)
    bare = 6 * (len(answer) - places) < len(words) and len(words) > 10 * places
    expected = None if places and bare else tuple(spans)
    assert lifted(f"Answer: {' '.join(answer)}", words) == expected


NOT_LIFTED = [
    "", "Answer:", SENTENCE, "Answer: prop_1 until prop_2",
    "Answer: I cannot replace anything.", "Answer: G (prop_1 -> F prop_2)",
    "Answer: Whenever the robot prop_0, the robot prop_1 at that moment or later.",
    "Answer: Always when a machine prop_1, then it prop_2 right then or at some time.",
    "Answer: the robot prop_2 at that moment or later, whenever the robot prop_1.",
    'Answer: {"prop_1": "lifts the fork"}', 'Answer: {"prop_1": ""}', 'Answer: {"prop_1": null}',
    'Answer: {"prop_1": "the bench", "prop_2": "bench at"}', 'Answer: {"1": "the bench"}',
    'Answer: {"prop_1": "the bench", "prop_1": "the dock"}', "Answer: [1, 2]", "Answer: []",
    "Answer: [0, 0, 0]", f"Answer: {json.dumps([0] * 22)}", f"Answer: {json.dumps([-1] * 22)}",
    "Answer: Whenever the robot picks up the dining fork (prop_1), the robot drops off the bench.",
    "Answer: Whenever prop_1 happens, prop_2 at that moment or later.",
    f"<think>{WHOLE}", LIFT,
    f"Answer: {WHOLE}\nAnswer: Whenever prop_1, prop_2 at that moment or later.",
    f"Answer: {WHOLE}\n\nWait, this is wrong.",
    "Answer: prop_1 prop_2 prop_3", "Answer: " + "prop_1 " * 5_000,
    "Answer: prop_1", "Answer: !!!…prop_1", f"Answer: {'!' * 10_000}prop_1", "Answer: Whenever prop_1 later.",
]  # fmt: skip


@each("reply", NOT_LIFTED)
def test_no_lifted_sentence_is_guessed(reply: str) -> None:
    assert lifted(reply) is None


def test_the_sentence_as_an_answer_replaces_nothing() -> None:
    assert lifted(f"Answer: {SENTENCE}") == (0,) * len(TOKENS)


# -------------------------------------------------------------------------------- grounding

GROUNDED = (("prop_1", "idle"), ("prop_2", "deliver(bench,loading_dock)"))


def grounding(reply: str) -> tuple[tuple[str, str], ...] | None:
    found = extraction.grounding(reply, "Ground the propositions.")
    return found and found.value


READ = [
    'Answer: {"p1": "idle", "P_2": "deliver(bench, loading_dock)"}',
    "Answer: p1 = idle, p2 = deliver(bench, loading_dock)",
    'Answer: {"prop_1": "idle", "prop_2": "deliver(bench, loading_dock)"}',
    '{"prop_1": "idle", "prop_2": "deliver(bench,loading_dock)"}',
    '```json\n{\n  "prop_1": "idle",\n  "prop_2": "deliver(bench, loading_dock)"\n}\n```',
    'Here is the grounding:\n\n```json\n{"prop_1": "idle()", "prop_2": "deliver(bench, loading dock)"}'
    "\n```\n\nBoth are in the scenario.",
    'Answer:\n```json\n{\n  "prop_1": "idle",\n\n  "prop_2": "deliver(bench, loading_dock)"\n}\n```',
    "Answer: {'prop_1': 'idle', 'prop_2': 'deliver(bench, loading_dock)'}",
    'Answer: {"prop_1": "idle", "prop_2": "deliver(bench, loading_dock)",}',
    'Answer: {"prop_1": "idle", // waiting\n"prop_2": "deliver(bench, loading_dock)"}',
    '{"prop_1": {"action": "idle", "args": []}, "prop_2": {"action": "deliver", '
    '"args": ["bench", "loading_dock"]}}',
    '{"prop_1": {"action_canon": "idle", "action_ref": "wait", "args_canon": [], "args_ref": []}, '
    '"prop_2": {"action_canon": "deliver", "action_ref": "drop off", "args_canon": ["bench", '
    '"loading_dock"], "args_ref": ["seat", "dock"]}}',
    '{"prop_1": {"action": "idle", "arguments": null}, "prop_2": {"action": "deliver", '
    '"parameters": {"item": "bench", "location": "loading_dock"}}}',
    '{"prop_2": {"name": "Deliver", "args": "bench, loading_dock"}, "prop_1": {"name": "Idle"}}',
    '{"answer": {"prop_1": "idle", "prop_2": "deliver(bench, loading_dock)"}}',
    '{"propositions": {"prop_1": ["idle"], "prop_2": ["deliver", "bench", "loading_dock"]}}',
    '[{"prop_1": "idle"}, {"prop_2": "deliver(bench, loading_dock)"}]',
    'Answer: [{"id": "prop_1", "action": "idle"}, {"id": "prop_2", "action": "deliver", '
    '"args": ["bench", "loading-dock"]}]',
    "prop_1: idle\nprop_2: deliver(bench, loading_dock)",
    "Answer:\nprop_1: idle\nprop_2: deliver(bench, loading_dock)",
    "Answer:\n\n- **prop_1**: `idle`\n- **prop_2**: `deliver(bench, loading_dock)`\n",
    "Answer:\n1. prop_1 = idle()\n2. prop_2 = Deliver(Bench, Loading Dock)",
    "Answer: prop_1: idle, prop_2: deliver(bench, loading_dock)",
    "Answer: prop_1 = idle; prop_2 = deliver(bench, loading-dock).",
    "Answer: prop_1 -> idle and prop_2 -> deliver(bench, loading_dock)",
    "Answer:\n\n| prop_1 | idle |\n| prop_2 | deliver(bench, loading_dock) |",
    "Answer:\nprop_1: idle\n\nprop_2: deliver(item=bench, location=loading_dock)  # at the dock",
    'Answer: ```json {"prop_1": "idle", "prop_2": "deliver(bench, loading_dock)"} ```',
    "| Proposition | Action |\n|---|---|\n| prop_1 | idle |\n| prop_2 | deliver(bench, loading_dock) |",
    "Answer: {prop_1: idle, prop_2: deliver(bench, loading_dock)}",
    '\\boxed{\\{"prop_1": "idle", "prop\\_2": "deliver(bench, loading\\_dock)"\\}}',
    "<answer>\nprop1: idle\nprop2: deliver(bench, loading_dock)\n</answer>",
    'Answer: {"Prop 1": "idle", "prop-2": "deliver(\'bench\', \'loading_dock\')"}',
    '{"prop_1": "idle", "prop_2": "deliver(bench, loading_dock)", "note": "sure"}',
    '{"prop_1": "go_home", "prop_2": "idle"}</think>\n'
    '{"prop_1": "idle", "prop_2": "deliver(bench, loading_dock)"}',
    '{"prop_1": "idle", "prop_1": "idle", "prop_2": "deliver(bench, loading_dock)", "prop_3": null}',
]


@each("reply", READ)
def test_a_grounding_is_read(reply: str) -> None:
    assert grounding(reply) == GROUNDED


NOT_GROUNDED = [
    "", "Answer:", "Answer: {}", "{}", "[]", "null", "Answer: idle", "Answer: unknown", "I cannot.",
    '{"prop_1": null}', '{"prop_1": 3}', '{"prop_1": ""}', '{"prop_1": []}', '{"prop_1": {}}',
    '{"prop_1": "idle", "prop_1": "go_home"}', '{"prop_1": "idle", "prop1": "go_home"}',
    "prop_1: idle\nprop_1: go_home", "Answer: prop_1: idle\nprop_1: go_home",
    '{"first": "idle"}', '{"a": {"b": {"c": {"d": {"prop_1": "idle"}}}}}',
    '{"a": {"prop_1": "idle"}, "b": {"prop_1": "go_home"}}',
    "I think prop_1 is idle.", "prop_1 could be: idle", "<think>prop_1: idle",
    '{"prop_1": "idle"', 'First {"prop_1": "idle"}\n{"prop_1": "go_home"}\n{"prop_1": "idle"}',
    '{"prop_1": "idle"}\n{"prop_1": "go_home"}', '{"prop_1": "idle or go_home?"}',
    '{"prop_1": "éviter(x)"}', '{"prop_1": "deliver(a(b))"}', '{"prop_1": "deliver(a, b"}',
    '{"prop_1": {"action": "deliver", "args": [1, [2]]}}', '{"prop_1": {"action": ["deliver"]}}',
    'Answer: {"prop_1": "idle"}\n\nWait, that is wrong.', f'{{"prop_1": "{"a" * 5_000}"}}',
    '{"prop_1": ' + "9" * 10_000 + "}", '{"prop_1": "\\ud800"}',
]  # fmt: skip


@each("reply", NOT_GROUNDED)
def test_no_grounding_is_guessed(reply: str) -> None:
    assert grounding(reply) is None


@each(
    ("value", "name"),
    [
        ("pickup(teddy-bear)", "pickup(teddy_bear)"),
        ("Deliver( Dining Table , 'Loading  dock' )", "deliver(dining_table,loading_dock)"),
        ("idle()", "idle"),
        (["change", "light_south", "red"], "change(light_south,red)"),
        ({"action": "idle", "args": []}, "idle"),
        ({"deliver": ["bench", "dock"]}, "deliver(bench,dock)"),
        (None, None),
        ("", None),
        ("()", None),
        ("a(b)(c)", "a(b)"),
        ("a(b) or c(d)", None),
        ("not, idle", None),
        ("1st(a)", None),
        (["a", 1], None),
        ({"a": 1, "b": 2}, None),
        ("a(" + ",".join("bcdefgh") + ")", None),
    ],
)
def test_canonical_propositions(value: Any, name: str | None) -> None:
    assert extraction.canonical(value) == name


# ------------------------------------------------------------------------------------ truth


def truth(reply: str) -> bool | None:
    found = verdicts.truth(reply, "End with a line `Answer: satisfied` or `Answer: violated`.")
    return found and found.value


SATISFIED = [
    "Answer: satisfied", "**Answer: Satisfied**", "Answer: SATISFIED.", "Answer:\nsatisfied", "satisfied",
    "Answer: the formula is satisfied", "Answer: The trace satisfies the formula.", "Answer: true",
    "Answer: yes", "Answer: Yes, the formula holds.", "Answer: holds", "Answer: not violated",
    "Answer: not falsified",
    "Answer: The formula is not violated by the trace.", "Answer: it isn't violated", "Answer: SAT",
    "Answer: satisfied, because prop_1 never holds.", "Answer: satisfied (vacuously)",
    "Answer: no violation", "$\\boxed{\\text{satisfied}}$", "\\boxed{\\text{Satisfied}}",
    "<answer>satisfied</answer>", '{"answer": "satisfied"}', '{"satisfied": true}',
    '{"reasoning": "not violated at 2", "answer": "satisfied"}', '{"answer": true}', "Verdict: satisfied",
    "Answer: violated\n\nStep 2 was misread; prop_2 is there.\n\nAnswer: satisfied",
    "The answer is satisfied.", "The trace is never violated, so the answer is: **satisfied**",
    "Answer: satisfied ✅", "Answer: probably satisfied", '{"violated": false}', "Answer: `satisfied`",
    "The trace **satisfies** the formula.", "Answer: vacuously satisfied", "Answer: It's satisfied",
    "Answer: satisfied\nAnswer: true", "Answer: satisfied 👍", "Answer: satisfied, as prop_1 cannot occur",
    "Answer: satisfied since it is impossible to violate it", "Answer to the question: satisfied",
    "Answer: satisfied. At step 3 prop_2 holds, though not at 2.",
]  # fmt: skip
VIOLATED = [
    "Answer: violated", "**Answer:** violated.", "Answer: The trace violates the formula", "Answer: no",
    "Answer: false", "Answer: does not hold", "Answer: The formula doesn't hold", "Violated.",
    "Answer: not satisfied", "Answer: The formula is not satisfied by the trace.", "Answer: unsatisfied",
    "Answer: The trace fails to satisfy the formula.", "Answer: No, it does not hold.",
    "Answer: violated because prop_1 is satisfied at step 2 and prop_2 never is.", '{"satisfied": false}',
    "Therefore, the formula is violated.", "Answer: violated from step 2 on", "Result: ❌ violated",
    "Answer: violated at step 2, where prop_1 is satisfied but prop_2 is not", "Answer: \"violated\"!!",
    "Answer: falsified", "Answer: The trace falsifies the formula.", "Answer: satisfied\n\nAnswer: falsified",
    "Answer: violated, not satisfied", "Answer: not-satisfied",
    "Answer: violated - prop_2 never holds", "Answer: the formula fails", '{"answer": "violated"}',
    "### Conclusion\n\nThe formula is **violated**.", "Answer: ~~satisfied~~ violated",
]  # fmt: skip
UNDECIDED = [
    "", "Answer:", "Answer: ?", "Answer: either satisfied or violated", "Answer: satisfied or violated",
    "Answer: satisfied/violated", "Answer: satisfied, violated", "Answer: not determinable",
    "I think it's either satisfied or violated.", "Answer: maybe satisfied", "Answer: unknown",
    "Answer: satisfied?", "Answer: satisfied at step 1 but violated at step 2", "Answer: Yes, it is violated",
    "Answer: No, it is satisfied", "Answer: prop_1", "Answer: 42", "Answer: G prop_1", "Answer: not",
    "Answer: satisfied\nAnswer: violated",
    "<think>Answer: satisfied", "The formula would be satisfied if prop_1 held.", "Answer: cannot say",
    "End with a line `Answer: satisfied` or `Answer: violated`.", "Answer: possibly violated",
    "It is satisfied at the first step.\n\nIt is violated at the second.", '{"answer": "either"}',
    '{"satisfied": true, "violated": true}', "I'm sorry, I can't.", "Answer: [satisfied | violated]",
    '{"satisfied": "perhaps"}', "Answer: it depends", "Answer: neither satisfied nor violated",
    "Answer: partly satisfied", "If it loops, answer: satisfied", "Answer: satisfied. Wait, violated.",
    "Answer: satisfied = false", "Answer: true, the formula is violated", "satisfied\nviolated",
    "Answer: always satisfied", "Answer: satisfied, I guess",
    "Answer: falsify", "Answer: falsified or satisfied",
    "Violated\n\nor so it seems at first, but see below", "Answer: satisfied until step 2",
]  # fmt: skip


@each("reply", SATISFIED)
def test_satisfied(reply: str) -> None:
    assert truth(reply) is True


@each("reply", VIOLATED)
def test_violated(reply: str) -> None:
    assert truth(reply) is False


@each("reply", UNDECIDED)
def test_undecided(reply: str) -> None:
    assert truth(reply) is None


# ---------------------------------------------------------------------------------- hostile

HOSTILE = {
    "marks": "!" * 1_000_000,
    "parentheses": "Answer: " + "(" * 10_000 + "a" + ")" * 10_000,
    "nul": "\x00" * 100_000,
    "json": "Answer: " + '{"prop_1":' * 20_000,
    "lists": "[" * 200_000,
    "lines": "Answer: a\n" * 20_000,
    "blanks": "Answer:" + " " * 190_000 + "x",
    "new lines": "Answer:" + "\n" * 190_000 + "x",
    "brackets": "Answer: " + "\\[" * 90_000,
    "surrogates": "Answer: \ud800\udfff" * 10_000,
    "right to left": "\u202e" * 200_000,
    "places": "Answer: " + "prop_1 a " * 20_000,
    "pairs": "Answer: " + "prop_1: a, " * 17_000,
    "quotes": "Answer: " + "'a', " * 40_000,
    "commas": '{"prop_1": "a"' + "," * 180_000,
    "nots": "Answer: " + "not " * 45_000 + "satisfied",
    "remarks": "Answer: " + "a (where " * 20_000,
    "remark signs": "Answer: " + "prop_1 (" * 2_400,
    "remark commas": "Answer: " + "prop_1 , " * 2_200,
    "remark blanks": "Answer: prop_1" + " " * 19_000 + "(",
    "explained": "Answer: prop_1 &" + " or prop_1 & F" * 1_400 + ", i.e. (",
    "sameness": "Answer: " + "a ≡ " * 5_000,
    "defined": "Answer: G x where " + "prop_1 = a, " * 1_600 + "(",
    "angles": "Answer: <formula>" + "</formula>" * 1_900,
    "lifted where": "Answer: " + "word prop_1 , where " * 1_000,
    "waits": "Answer: prop_1 (wait" + " wait " * 3_000,
    "labels": "Answer: a\n" + "Sentence: b\n" * 16_000,
}


@slow
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_replies_are_settled_at_once(name: str) -> None:
    reply = HOSTILE[name]
    prompt = PROMPT + "\nSentence: x"
    for read in (formula, lifted, grounding, truth):
        with within(1.0):  # 0.2 s on a machine that does nothing else
            found = extraction.formula(reply, prompt, KNOWN) if read is formula else read(reply)
        assert found is None or isinstance(found, Failure) or name in ("lines", "labels"), read


@settings(max_examples=max(some(60), 20), deadline=None)
@given(st.text(alphabet="Answer: prop_12{}[]()\"',\n\\$*`~<>-|GFXU! \ud800\x00é", max_size=80))
def test_any_text_is_read_or_not_without_an_error(reply: str) -> None:
    for text in (reply, f"Answer: {reply}", f'Answer: {{"prop_1": {reply}}}'):
        formula(text)
        lifted(text)
        grounding(text)
        truth(text)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("always (prop_1 -> next! prop_2)", ["G", ["->", "prop_1", ["X", "prop_2"]]]),
        ("prop_1 until! prop_2", ["U", "prop_1", "prop_2"]),
        ("X! prop_1", ["X", "prop_1"]),
        ("next![3] prop_1", ["X", ["X", ["X", "prop_1"]]]),
        ("next!(prop_1)", ["X", "prop_1"]),
        ("X!prop_1", ["X", ["!", "prop_1"]]),
        ("X !prop_1", ["X", ["!", "prop_1"]]),
        ("X!(prop_1)", ["X", ["!", "prop_1"]]),
        ("next !prop_1", ["X", ["!", "prop_1"]]),
        ("G (prop_1 |=> prop_2)", ["G", ["->", "prop_1", ["X", "prop_2"]]]),
        ("infinitely often prop_1", ["G", ["F", "prop_1"]]),
        ("never prop_1", ["G", ["!", "prop_1"]]),
        ("(and prop_1 (not prop_2) (next prop_1))",
         ["&", ["&", "prop_1", ["!", "prop_2"]], ["X", "prop_1"]]),
        ("always prop_1 or eventually prop_2", ["|", ["G", "prop_1"], ["F", "prop_2"]]),
    ],
)  # fmt: skip
def test_what_other_notations_mean(text: str, meaning: Any) -> None:
    assert formula(f"Answer: {text}") == meaning


@pytest.mark.parametrize(
    "text",
    [
        "G (prop_1 -> F prop_2) or G (prop_1 -> X prop_2)",
        "`G prop_1` or `F prop_2`",
        "(G prop_1) & F prop_2 or F prop_2",
        "G (-> prop_1)",
        "-> prop_1",
        "(-> prop_1 prop_2 prop_1)",
        "prop_1 & | prop_2",
    ],
)
def test_two_answers_and_broken_prefix_forms_are_none(text: str) -> None:
    found = formula(f"Answer: {text}")
    assert found is None or found[0] == "unreadable"


@pytest.mark.parametrize("word", ["satisfied", "violated"])
def test_the_instruction_above_an_answer_takes_neither_word_away(word: str) -> None:
    prompt = (
        "Task: decide whether a trace satisfies a formula of linear temporal logic (LTL).\n"
        "End your reply with one of these two lines:\nAnswer: satisfied\nAnswer: violated"
    )
    reply = f"End your reply with one of these two lines:\nAnswer: {word}"
    found = verdicts.truth(reply, prompt)
    assert found is not None
    assert found.value is (word == "satisfied")
    assert verdicts.truth("\n".join(prompt.splitlines()[1:]), prompt) is None


@pytest.mark.parametrize(
    "said",
    ["Actually, it should be @.", "Correction: @", "Wait, no: @.", "That is wrong. It should be @"],
)
def test_an_answer_is_what_it_is_revised_to(said: str) -> None:
    assert formula(f"Answer: G prop_1\n\n{said.replace('@', 'F prop_1')}") == ["F", "prop_1"]
    assert truth(f"Answer: satisfied\n\n{said.replace('@', 'violated')}") is False
    nothing = formula(f"Answer: G prop_1\n\n{said.replace('@', 'another one')}")
    assert nothing is None or nothing[0] == "unreadable"
    assert truth(f"Answer: satisfied\n\n{said.replace('@', 'unclear')}") is None


@pytest.mark.parametrize(
    ("said", "meaning"),
    [
        ("G (F (prop_1 = 1))", ["G", ["F", "prop_1"]]),
        ("G (prop_1 = 0)", ["G", ["!", "prop_1"]]),
        ("G (prop_1 != 0)", ["G", ["!", ["<->", "prop_1", False]]]),
        ("G (prop_1 == FALSE -> prop_2)", ["G", ["->", ["!", "prop_1"], "prop_2"]]),
        ("prop_1 holds infinitely often", ["G", ["F", "prop_1"]]),
        ("prop_1 never happens", ["G", ["!", "prop_1"]]),
        ("it is always the case that prop_1 will eventually occur", ["G", ["F", "prop_1"]]),
        ("if prop_1 holds then prop_2 always holds", ["->", "prop_1", ["G", "prop_2"]]),
        ("G F prop_1 (always eventually prop_1)", ["G", ["F", "prop_1"]]),
        ("G F prop_1 -- infinitely often", ["G", ["F", "prop_1"]]),
        ("assert property (always s_eventually prop_1);", ["G", ["F", "prop_1"]]),
        ("property p; always (s_eventually prop_1); endproperty", ["G", ["F", "prop_1"]]),
    ],
)
def test_what_checkers_and_people_say_of_a_proposition(said: str, meaning: object) -> None:
    assert formula(f"Answer: {said}") == meaning


@pytest.mark.parametrize(
    "said",
    [
        "prop_1 = 2",
        "prop_1 = prop_2 = 1",
        "G F prop_1 (always prop_1)",
        "prop_1 seldom holds",
        "if prop_1 holds",
    ],
)
def test_what_says_nothing_certain_of_a_proposition(said: str) -> None:
    found = formula(f"Answer: {said}")
    assert found is None or found[0] == "unreadable"


@each(
    ("reply", "read"),
    [
        ("The formula for this sentence is: G (prop_1 -> F prop_2)", RESPONSE),
        ("This corresponds to: globally (prop_1 implies finally prop_2)", RESPONSE),
        ("- The entire sentence is an implication: prop_1 -> F prop_2", ["->", "prop_1", ["F", "prop_2"]]),
        # Over other propositions: read, so that it is wrong and not unread.
        ("( request ⇒ finally wait )", ["->", "request", ["F", "wait"]]),
        ("globally ( request implies finally wait )", ["G", ["->", "request", ["F", "wait"]]]),
        ("globally ( not ( farm animal ) )", None), ("( farm animal ⇒ F wait )", None), ("stop and wait", None),
        ("This is not right: G prop_1", None), ("The sentence is ambiguous: G prop_1 or F prop_1?", None),
        ("This cannot be translated as: G prop_1", None), ("request", None), ("(G)", None),
        ("A & B", ["&", "A", "B"]), ("It could be read as: G prop_1, or as: F prop_1", None),
    ],
)  # fmt: skip
def test_what_a_lead_states_and_formulas_over_other_propositions(reply: str, read: Any) -> None:
    found = formula(reply)
    assert (None if found and found[0] == "unreadable" else found) == read
