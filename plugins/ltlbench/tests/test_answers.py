"""Reading answers: mostly texts that are wrong, hostile, undecided or no answer at all."""

from __future__ import annotations

import csv
import random
import re
from pathlib import Path

import pytest
from cases import SHARE, each, slow, some
from harness_answers.languages import TRUTH, meaning
from harness_ltlbench.answers import extraction
from harness_ltlbench.answers.extraction import MAX_PATH, MAX_TEXT, Answer
from harness_ltlbench.wording import write
from hypothesis import given, settings
from hypothesis import strategies as st
from pace import within

RESPONSES = Path(__file__).parents[4] / "shared/data/ltlbench/responses"


def extract(*given: str | None) -> Answer | None:
    """What is read; None where there is a reason instead."""
    found = extraction.extract(*given)
    assert isinstance(found, Answer) or re.fullmatch(r"[\w ,]{10,80}", found)
    return found if isinstance(found, Answer) else None


def label(text: str, hypothesis: str | None = "C3", prompt: str = "") -> bool | None:
    answer = extract(text, hypothesis, prompt)
    return None if answer is None else answer.label


# ----------------------------------------------------------------------------- what is read

TRUE = [
    "=== Step 1: Breakdown ===\n\n=== Step 2: Solution ===\nTrue\n\nReason: C1 is false.",
    "Thus, C3 is **True**.\n\n=== Step 2: Solution ===\n\n", "### Solution\nTrue", "Final: True",
    'Therefore, C3: "C1 holds until event1 happens" is True.', "The statement is true.",
    "Therefore, C3: C1 holds until event1 happens is True.", "The truth value of C3 is True.",
    "Conclusion: C3 is a tautology and therefore True.", "Solution: True\n\nSources: https://a.org",
    "So the answer is:\n\n> ✅ **True** — C3 is **not necessarily false** here.",
    "Based on the context and hypothesis, C3 is True.\n\nThe context says that event1",
    # what is taken back for something else
    "Answer: False\nActually, no: True", "Answer: False\n\nOn reflection, the hypothesis is True.",
    "Answer: False\n\nCorrection: True", "Answer: False\n\nEDIT: True", "False\n\nWait, no, it's True.",
    "Answer: False\n\nFinal answer: True", "Answer: False\n\nOn second thought, C3 is True.",
    "Answer: False\n\nI was wrong: C3 must be True.", "Answer: True\n\nThat said, C1 is false.",
    "Answer: True\n\nActually, C1 is false here, which is why.",
    "True", "true", "TRUE.", "**True**", "“True”", "'True'", "(True)", "> **True**", "True\n\n---",
    "# True", "\n\n  True  \n\n", "`True`", "__True__", "**Tr**ue", "```\nTrue\n```", "True 👍",
    "Answer: True", "answer : true", "ANSWER: TRUE!!!", "**Answer: True**", "**Answer:** True",
    "Answer:\nTrue", "Answer:\n\n\nTrue", "Answer - True", "Answer — True", "Answer => True",
    "### Final Answer:\n\n**True**", "## Answer\nTrue", "✅ **Answer: True** ✅", "Answer: [True]",
    "**Final Answer**\n\n$$\\boxed{\\text{True}}$$", "\\boxed{True}", "$\\boxed{\\mathrm{True}}$.",
    "The answer is $\\boxed{\\text{C3 is True}}$", "The answer is **True**.", "My answer: true",
    "So the correct answer is:\n\n> **True**", "The answer should be True.", "Verdict: True",
    'So, the answer to the question **"C3 is True or False?"** is:\n\n**True**.',
    "Conclusion: True", "### Conclusion\n\n**C3 is True.**", "Answer (C3): True",
    "Answer: C3 is true", "Answer: C3: True", "Answer: the hypothesis is true.",
    "Answer: C3 = True", "Answer: probably True", "Answer: vacuously true", "Answer: not False",
    "The answer is not False.", "Answer: True, not False", "Answer: True (not False)",
    "Answer: True because C1 is false", "Answer: True (since C1 is false)",
    "Answer: True. C1 is false though.", "Answer: True, event1 or event2 always happens.",
    "Answer: ~~False~~ True", "**True** (assuming \"eventually\" includes now)", "Answer:True",
    '```json\n{"answer": true}\n```', '{"reasoning": "C1 is false", "answer": "True"}',
    '{"final_answer": true, "confidence": 0.5}', "final_answer = True",
    "<answer>True</answer>", "<answer>\nTrue\n</answer>", "<b>Answer:</b> <i>True</i><br>",
    "答案：True。", "最终答案是 True。", "正确答案是：**True**", "Réponse : True",
    "Respuesta: True",
    "Ответ: True", "Окончательный ответ: **True**", "답: True", "答えは True です。",
    "الإجابة: True", "Ａｎｓｗｅｒ：Ｔｒｕｅ", "𝐓𝐫𝐮𝐞", "An\u200bswer: Tr\u00adue",
    "Answer: True\x00",
    "C3 is True.", "Thus, **C3 is True**.", "Therefore, C3 is also **true**.", "So C₃ = True",
    "Therefore the hypothesis is true.", "Therefore, true.", "Yes, C3 is True.",
    "Since C1 is false where event2 is true, C3 is true.", "C1: False\nC2: False\nC3: True",
    '4. Therefore C3 ("C2 does not hold") is true.',
    '2. Therefore "C1 does not hold" (C3) is true.',
    '5. C3 is "C1 always holds" — since C1 holds at every state, C3 is True.',
    "So **C1 does not hold**, which makes **C3 (\"C1 does not hold\")** **True**.",
    "- Therefore C3 (C1 holds or event1 happens) is true because C1 holds.",
    "(Elsewhere C3 would be false, but it is judged at the start, so C3 is True.)",
    "C3 is True or False? True.", "True\n\nC1 is false at event2, which does not matter here.",
    "C3 is True.\n\nReasoning: C1 is false.", "True. The rest follows from C1, which is false.",
    "<think>Answer: False</think>Answer: True", "Answer: False</think>\n\nAnswer: True",
    "<thinking>\nFalse?\n</thinking>\nTrue", "<think><think>x</think>Answer: False</think>True",
    "[THINK]Answer: False[/THINK]Answer: True", "◁think▷False◁/think▷True",
    "<|channel|>analysis<|message|>Answer: False<|end|><|start|>assistant"
    "<|channel|>final<|message|>Answer: True<|return|>",
    "Answer: True<|im_end|>", "Answer: True\nAnswer: True", "True. True.",
    "Answer: False\n\nWait, C1 holds after all.\n\nFinal answer: True",
    "**Answer: False**\n\nC1 always holds, hence C3 does.\n\n### Final Answer: **True**",
    "Is C3 True or False?\n\nAnswer: True", "We are asked: **Is C3 True or False?**\n\n**True**",
]  # fmt: skip


def _flip(text: str) -> str:
    swap = {"true": "false", "false": "true", "True": "False", "False": "True"}
    swap |= {"TRUE": "FALSE", "Ｔｒｕｅ": "Ｆａｌｓｅ", "𝐓𝐫𝐮𝐞": "𝐅𝐚𝐥𝐬𝐞"}
    swap |= {"Tr\u00adue": "Fa\u00adlse", "**Tr**ue": "**Fa**lse"}
    return re.sub("|".join(map(re.escape, swap)), lambda found: swap[found[0]], text)


@each("text", TRUE)
def test_an_answer_is_read_whichever_it_is(text: str) -> None:
    assert label(text) is True
    assert label(_flip(text)) is False


@pytest.mark.parametrize("language", TRUTH)
def test_both_words_of_a_language_are_read(language: str) -> None:
    for truth, words in zip((True, False), TRUTH[language], strict=True):
        assert words
        for word in words:
            for text in (
                f"Answer: {word}",
                f"**{word.capitalize()}.**",
                f"答案：{word}",
                f"Risposta è {word}",
            ):
                assert label(text) is truth, text
            assert label(f"Answer: {word} or not") is None


# ------------------------------------------------------------------------- what is not read

NO_ANSWER = [
    "", " ", "\n\n", "\x00", "\ud800", "…", "```\n```", "**", "Answer:", "Answer", "Answer: Tru",
    "Answer: Fals", "T", "F", "Yes", "No.", "1", "Answer: T", "Answer: yes", "Answer: 0",
    # words that only contain the words, or stand in a longer phrase
    "The truth is out there", "This is a falsehood", "untrue", "Answer: untrue", "truthful",
    "Answer: True-ish", "Answer: half-true", "Answer: true_positive", "truefalse", "Falsely so",
    "Answer: True statements are rare", "True answer false answer",
    "False positives abound", "T r u e",
    "print('True')", "return False", "if (true) { }",
    # the question again
    "True or False?", "True or False", "true/false", "True|False", "C3 is True or False?",
    "Is C3 true?", "Is C3 True?\nIs it?", "Answer: True?", "Answer: True or False",
    "Answer: [True/False]", "Answer: <True or False>", "Answer: either True or False",
    "We must decide whether C3 is true.", "The question is whether the answer is True.",
    "Answer: True / False", "Answer: True, False", "Answer: both True and False",
    "`Answer: True` or `Answer: False`", 'I would end with "Answer: True" or "Answer: False".',
    "The format is \"Answer: True\".", "I must end my reply with the line 'Answer: True",
    "Choose one:\n- True\n- False", "True\nFalse", "1. True\n2. False", "- [ ] True",
    "( ) True\n( ) False", "(x) True\n(x) False", "Options: True. False.",
    # hedges, refusals, conditions
    "I cannot tell.", "I can't say whether it is True", "Either.", "Maybe true", "50/50",
    "Answer: 50/50", "Answer: True (50/50)", "Answer: maybe True", "Answer: perhaps", "Answer: N/A",
    "Answer: unknown", "Answer: it depends", "Answer: I cannot tell", "Answer: neither",
    "Answer: True, or maybe False", "Answer: True. Or False?", "Answer: True (or False)",
    "Answer: True but could be False", "Answer: True if event1 happens", "Answer: True unless C1",
    "If C1 holds, then C3 is true.", "If C1 holds, C3 is true.", "C3 is true if C1 holds.",
    "C3 would be true", "C3 could be true.", "The answer could be True", "C3 is true only if C1",
    "When event1 happens, C3 is true.", "Assuming C1, C3 is true.",
    "If C1 holds the answer is True; otherwise the answer is False",
    "I'm sorry, but I can't help with that.", "I cannot answer True or False.",
    "True\n\nHmm, I cannot determine this.", "Answer: True\n\nActually I can't tell.",
    "Answer: True\n\nWait, that is wrong.", "Answer: True... wait, no",
    "Answer: True\n\nAnswer: I cannot tell", "True.\n\nIt cannot be determined.",
    # negations are the other word only as the answer
    "not True", "It is not necessarily true.",
    "Answer: not necessarily true", "I doubt that C3 is true.",
    "Nobody claims C3 is true.", "If C3 is not true, C1 fails.", "We check that C3 isn't true.",
    # contradictions
    "Answer: True\nAnswer: False",
    "Answer: True ... Answer: False", "Answer: True, Answer: False",
    "Answer: True. False.", "Answer: True. No, False.", "**True**\n\n**False**",
    "Answer: True\n\nThus C3 is False.", "True\n\nTherefore, C3 is false.", "True\n\nFalse",
    "\\boxed{True} or \\boxed{False}", "\\boxed{True}\\boxed{False}", "C3 is true, so C3 is false.",
    "False. C3 is true.", "Answer: True (path below)\nAnswer: False",
    # another statement than the one asked about
    "C1 is true.", "Therefore C2 is False.", "Answer: C1 is true", "C1: True\nC2: False",
    "C33 is true",
    "Because the conclusion is true, so is the whole.", "In logic, that statement is true.",
    # wording of the hypotheses
    "Thus, C3 holds.", "Thus, C3 does not hold.", "C3: C2 holds.",
    # thinking that has not ended, or nothing behind it
    "<think>Answer: True", "<think>hm</think>", "Answer: True</think>", "<thinking>\nTrue",
    "<think>a</think><think>Answer: True", "<|channel|>analysis<|message|>Answer: True",
    "[THINK]True", "<think>Answer: True</think>I cannot tell.",
    # the word is in the middle
    "I first thought True, then looked again and ran out of",
    "C1 is true. C2 is false. Next I look at C3, and", "event1 makes it true somewhere along",
]  # fmt: skip


@each("text", NO_ANSWER)
def test_what_is_no_answer_is_never_made_one(text: str) -> None:
    assert label(text) is None
    assert label(_flip(text)) is None


# What a tester found: never the opposite, and no conclusion where there is none.
NEVER_OPPOSITE = [
    "There is no path where C3 is False.",
    "No sequence makes C3 False.",
    "We cannot find a path where C3 is False.",
    "It is impossible that C3 is False.",
    "I found no sequence in which C3 is False.",
    "None of the paths makes C3 False.",
    "C3 is False in no sequence.",
    "No path exists where C3 is True.",
    "Neither path makes C3 True.",
    "C3 is True in none of the sequences.",
    "We need to show that C3 is True.",
    "Let us check that C3 is True.",
    "To prove: C3 is True.",
    "Goal: decide that C3 is False.",
    "To refute it we need a path on which C3 is False.",
    "We look for a sequence that makes C3 False.",
    "On the first path, C3 is True.",
    "At moment 1, C3 is True.",
    "C3 is True at the second moment.",
    "C3 is True on some paths only.",
    "C3 is True on all paths but the last one.",
    "Let us check path event1, (event2): C1 is false, so C3 is True.",
    "Answer: !True",
    "Answer: ¬True",
    "Answer: ~True",
    "Answer: ≠ True",
    "Answer: != True",
    "Answer: True. Alternatively, False.",
    "Answer: True\n\nAlternatively, C3 is False.",
    "Answer: True\n\nBut strictly speaking, C3 is False.",
    "Answer: False\n\nThat said, the hypothesis is true.",
    "Answer: True\n\nEDIT: this was wrong.",
    "Answer: True\n\nCorrection: the above is wrong, C3 fails.",
    "Answer: True\n\nHowever, this is not correct, since C1 fails.",
    "Answer: True (incorrect)",
    "Answer: True, which is wrong",
    "Answer: True for some paths, but not all",
    "Answer: True in some sequences",
    "Answer: True on one path only",
    "Answer: True, but not on every path",
    "The naive answer is True. But C3 fails at event2.",
    "A common wrong answer is True, but C3 fails at event2.",
    "I was told the answer is True, but this is a trap.",
    "The user says the answer is True.",
]
CLEAR = [
    ("C3 isn't true.", False),
    ("C3 is not true.", False),
    ("It is not the case that C3 is true.", False),
    ("Based on the given context, C3 is False.\n\nEach path may end at once.", False),
    ("Answer: True\n\nThere is no sequence in which C3 is False.", True),
    ("**Answer: True**\n\nC1 holds. No possible sequence makes C3 false.", True),
    ("Answer: ( ) True (x) False", False),
    ("(x) True\n( ) False", True),
    ("- [x] True\n- [ ] False", True),
    ("Answer: False\n\nHuman: And now?\nAnswer: True", False),
    ('```json\n{"answer": "False", "reasoning": "C1 is true but C2 is false"}\n```', False),
    ('{"answer":"False","explanation":"If C3 were True, event2 would repeat."}', False),
    ("My answer would be False.", False),
    ("I choose False.", False),
    ("So True is the answer.", True),
    ("The correct option is False", False),
    ("\\textcolor{red}{False}", False),
    ("The answer should be False rather than True.", False),
    ("Réponse : Vrai", True),
    ("Antwort: Falsch", False),
    ("Respuesta: **Verdadero**.", True),
    ("答案：假", False),
    ("Ответ: Ложь", False),
    ("Therefore C3 is False. Counterexample: event1, (event2, event3)", False),
]


@each("text", NEVER_OPPOSITE)
def test_what_only_mentions_a_verdict_is_no_answer(text: str) -> None:
    assert label(text) is None
    assert label(_flip(text)) is None


@each(("text", "expected"), CLEAR)
def test_a_clear_answer_is_read(text: str, expected: bool) -> None:
    assert label(text) is expected


def test_without_a_name_the_highest_hypothesis_counts() -> None:
    assert label("C1 is false, C2 is true.\nSo C4 is true.", None) is True
    assert label("C4 holds.\nSo C2 is true.", None) is None
    assert label("C4 holds.\nSo it is true.", None) is True
    assert label("C4 holds.\nSo it is true.", "C5") is None
    assert label("C3 is true.", "nonsense") is None


def test_the_quote_is_where_it_was_read() -> None:
    assert extract("**Answer: True**\n\nNo.\n\n### Final Answer: **False**.") == Answer(
        False, None, "Answer: False."
    )
    long = extract("Answer: True because " + "x " * 1000)
    assert long is not None
    assert len(long.quote) <= 120


# ------------------------------------------------------------------------------------ paths

PATHS = [
    ("Answer: False: event1, event2 repeated forever, beginning with event1", [], [1, 2]),
    (
        "Answer: False. It begins with event3, goes to event1 and alternates between event2 and event1 forever.",
        [3, 1],
        [2, 1],
    ),
    (
        "| Verdict | False |\n| Prefix | (empty) |\n| Cycle (repeats forever) | event1, event2 |",
        [],
        [1, 2],
    ),
    ("Answer: False: event3, event1, (event2, event1)", [3, 1], [2, 1]),
    ("Answer: False: event3 -> event1 → (event2 ⇒ event1)", [3, 1], [2, 1]),
    ("Answer: False: event3 => event1 ⟶ (event2 ⟶ event1)", [3, 1], [2, 1]),
    ("False: event 3, then (Event1)", [3], [1]),
    ("False: event3 then event1 then (event2 then event1)", [3, 1], [2, 1]),
    ("Answer: False: EVENT3 event1 (event2 event1)", [3, 1], [2, 1]),
    ("Answer: False: 3, 1, (2, 1)", [3, 1], [2, 1]),
    ("Answer: False: (event1, event2)", [], [1, 2]),
    ("Answer: False: event3, [event1]", [3], [1]),
    ("Answer: False: [event3, (event1)]", [3], [1]),
    ("Answer: False (path: event3, event1, (event2, event1))", [3, 1], [2, 1]),
    ("Answer: False: event3, (event1)^ω", [3], [1]),
    ("Answer: False: event3, (event1)ω", [3], [1]),
    ("Answer: False: event3, event1^ω", [3], [1]),
    ("Answer: False: event3, (event1)*", [3], [1]),
    ("Answer: False: event3, (event1)...", [3], [1]),
    ("Answer: False: event3, (event1) repeats forever.", [3], [1]),
    ("Answer: False: event3, (event1), and so on", [3], [1]),
    ("Answer: False: event3, (event1) because C2 fails at event1 (see above)", [3], [1]),
    ("\\boxed{\\text{False: } event_3, (event_1)^{\\omega}}", [3], [1]),
    ("$\\boxed{\\text{False: event3} \\to \\left(event1\\right)}$", [3], [1]),
    ("Answer: **False**: `event3, event1, (event2)`", [3, 1], [2]),
    ("**Answer: False: event3, event1, (event2)**", [3, 1], [2]),
    ("Answer: False: event3、event1（event2）。", [3, 1], [2]),
    ("Answer: False\nevent3, (event1)", [3], [1]),
    ("Answer: False:\n\nevent3, (event1)", [3], [1]),
    ("**False**\n\nCounterexample: event3, (event1)\n\nHere C1 fails.", [3], [1]),
    ('{"answer": "False: event3, (event1)"}', [3], [1]),
    ('{"answer": false, "path": "event3, (event1)"}', [3], [1]),
    ("Answer: False: event3, (event1)\nAnswer: False: event3, (event1)", [3], [1]),
    ("Answer: True\n\nNo: C1 fails.\n\nAnswer: False: event3, (event1)", [3], [1]),
    ("Answer: False: event1, (event999999999)", [1], [999999999]),
    ("Answer: False: event0, (event1)", [0], [1]),
    ("Answer: False: event1, {event2, event3}", [1], [2, 3]),
    ("Answer: False, for example event1, (event2, event3)", [1], [2, 3]),
    ("Answer: False, e.g. event1, (event2, event3)", [1], [2, 3]),
    ("Answer: False: e1, (e2, e3)", [1], [2, 3]),
    ("Answer: False: event1–(event2–event3)", [1], [2, 3]),
    ("Answer: False: [event1], [event2, event3]", [1], [2, 3]),
    ("Answer: False: event1, (event2, event3, …)", [1], [2, 3]),
    ("Answer: False: event1, (event2, event3), ...", [1], [2, 3]),
    ('{"answer": false, "prefix": [1], "cycle": [2,3]}', [1], [2, 3]),
    ("C3 is False: event1, (event2, event3)", [1], [2, 3]),
    ("Answer: False: prefix event1, cycle (event2, event3)", [1], [2, 3]),
    ("Answer: False, because event1, (event2, event3) violates it", [1], [2, 3]),
    ("Counterexample: event1, (event2, event3)\nAnswer: False", [1], [2, 3]),
    ("Therefore C3 is False. Counterexample: event1, (event2, event3)", [1], [2, 3]),
]

NO_PATH = [
    "Answer: False", "Answer: False.", "Answer: False: ", "Answer: False: event3, event1",
    "Answer: False: event3, (event1", "Answer: False: event3, event1)", "Answer: False: event3, ()",
    "Answer: False: event3, (event1), (event2)", "Answer: False: event3, (event1, (event2))",
    "Answer: False: event3, ((event1))", "Answer: False: (((event1)))",
    "Answer: False: (event1)(event2)",
    "Answer: False: event3, (event1), event2", "Answer: False: event3, (event1) then event2",
    "Answer: False: event3, (event1) or event3, (event2)", "Answer: False: event3/event1, (event2)",
    "Answer: False: event3, (event1 or event2)", "Answer: False: event3, (event1, ..., event2)",
    "Answer: False: event3, ..., (event1)", "Answer: False: event3, 1, (event2)",
    "Answer: False, because event3 (event1) may happen",
    "Answer: False: event1–event3, (event2)", "Answer: False: [event1], [event2], [event3]",
    "Answer: False: [event3, event1]", "Answer: False: event3, event1, forever",
    "Answer: False: e3, (event1)",
    "Answer: False: event3a, (event1)", "Answer: False: event1234567890, (event1)",
    "Answer: False: evento3, (evento1)", "Answer: False: event-3, (event1)",
    "Answer: False: event3 (initially), (event1)", "Answer: False: event1.5, (event1)",
    "Answer: False. Explanation: event3, (event1)",
    "Answer: False: after event3 (event1) may happen",
    "Answer: False\n\nExplanation: event3 leads to (event1)", "Answer: False: <event3>, (event1)?",
    "Answer: False: the run alternates between event3 and event1 for a while, then stays in event2 forever",
    "Answer: False: event1, event2 and then event3, event4 repeated forever",
    "Answer: False: event1, event2, event3 repeats forever",
    "event3, (event1)\n\nAnswer: False", "Answer: False: event3 & event1, (event2)",
]  # fmt: skip


@each(("text", "prefix", "cycle"), PATHS)
def test_a_path_is_read(text: str, prefix: list[int], cycle: list[int]) -> None:
    answer = extract(text)
    assert answer is not None
    assert (answer.label, answer.path) == (False, {"prefix": prefix, "cycle": cycle})


@each("text", NO_PATH)
def test_a_path_that_is_unclear_is_none_and_the_label_stands(text: str) -> None:
    answer = extract(text)
    assert answer is not None
    assert (answer.label, answer.path) == (False, None)


def test_true_has_no_path_and_two_paths_contradict() -> None:
    answer = extract("Answer: True: event3, (event1)")
    assert answer is not None
    assert (answer.label, answer.path) == (True, None)
    assert extract("Answer: False: event3, (event1)\nAnswer: False: event3, (event2)") is None


@slow
def test_a_path_is_bounded() -> None:
    fits = extract("Answer: False: " + "event1, " * (MAX_PATH - 1) + "(event1)")
    assert fits is not None
    assert fits.path is not None
    longer = extract("Answer: False: " + "event1, " * MAX_PATH + "(event1)")
    assert longer is not None
    assert longer.path is None


# -------------------------------------------------------------------------- echo and prefixes

PROBLEM = {"events": 3, "initial": 3, "edges": [[1, 2], [2, 1], [3, 1]]}
PROMPTS = {
    task: write({**PROBLEM, "task": task, "formula": ["->", ["G", 1], ["F", 2]]})
    for task in ("decide", "counterexample")
}


@pytest.mark.parametrize("task", PROMPTS)
@pytest.mark.parametrize("known", [True, False], ids=["prompt known", "prompt unknown"])
def test_no_beginning_of_an_echoed_prompt_is_an_answer(task: str, known: bool) -> None:
    prompt = PROMPTS[task]
    begin = len(prompt) - 900
    words = (found.end() for found in re.finditer(r"\w+", prompt) if found.end() > begin)
    for end in {*range(begin, len(prompt) + 1, SHARE), *words, len(prompt)}:
        if not known and prompt[:end].rstrip().endswith("\nC3 is True"):
            continue  # nobody could tell that from an answer
        assert label(prompt[:end], "C3", prompt if known else "") is None, prompt[:end][-80:]


@pytest.mark.parametrize("task", PROMPTS)
def test_an_answer_behind_an_echo_is_read(task: str) -> None:
    prompt = PROMPTS[task]
    assert label(f"{prompt}\n\nAnswer: False", "C3", prompt) is False
    assert label(f"{prompt}\n\nC1 holds. Therefore C3 is true.", "C3", prompt) is True
    quoted = "\n".join(f"> {line}" for line in prompt.split("\n"))
    assert label(f"{quoted}\n\nAnswer: True", "C3", prompt) is True
    assert label(f"{quoted}\n\nI do not know.", "C3", prompt) is None


@pytest.mark.parametrize(
    "text",
    [
        "C1 is true and C2 is false.\n\nAnswer: True",
        "C1 holds; is C3 true or false?\n\n### Final Answer:\n\n**True**",
        "<think>Answer: True</think>\n\nAnswer: True",
        "$$\\boxed{\\text{True}}$$",
    ],
)
def test_no_answer_is_read_before_its_word_is_complete(text: str) -> None:
    for right in (text, _flip(text)):
        word = max(right.rfind("True"), right.rfind("False"))
        end = word + (4 if right[word] == "T" else 5)
        for cut in range(end):
            assert label(right[:cut]) is None, right[:cut]
        assert label(right[:end]) is (right[word] == "T")


# -------------------------------------------------------------------------- any text whatever

WORDS = [
    "True", "False", "true", "false", "not", "or", "and", "if", "Answer:", "answer", "is", "Final",
    "C1", "C2", "C3", "(", ")", "[", "]", "**", "`", "~~", "\n", ".", ",", "?", ":", "event1",
    "event2", "<think>", "</think>", "\\boxed{", "}", "{", "$", "ω", "^", "->", "|", "/", "the",
    "答案", "\ud800", "\x00", "\u0301", "because", "maybe", "wait", "50/50", "-", ">", "#", '"',
    "'",
]  # fmt: skip


@settings(max_examples=some(300), deadline=None)
@given(st.text() | st.lists(st.sampled_from(WORDS)).map(" ".join))
def test_no_text_raises(text: str) -> None:
    answer = extract(text, "C3")
    if answer is not None:
        assert re.search("true|false", answer.quote, re.IGNORECASE)
        assert answer.path is None or (not answer.label and answer.path["cycle"])


@settings(max_examples=some(100), deadline=None)
@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz ,.()!?:*#\n"))
def test_a_text_without_either_word_is_no_answer(text: str) -> None:
    words = ("true", "false", *meaning(TRUTH))
    if not any(word in text.replace("*", "") for word in words):
        assert label(text) is None


@settings(max_examples=some(100), deadline=None)
@given(st.text(max_size=200).filter(lambda text: "<" not in text and "~" not in text))
def test_a_last_answer_line_counts_whatever_stands_before(text: str) -> None:
    assert label(f"{text}\n\nLet us sum up.\n\nAnswer: False") in (False, None)
    assert label(f"{text}\n\nAnswer: I cannot tell") is None


HOSTILE = {
    "brackets": "(" * 10**6,
    "nested": "(" * 500_000 + ")" * 500_000,
    "answers": "Answer:" * 100_000,
    "answers apart": "Answer: " * 100_000,
    "answers to": "answer to x " * 80_000,
    "quoted": 'answer to "a ' * 70_000,
    "paths": "Answer: False: " + "event1, " * 120_000,
    "path brackets": "Answer: False: " + "(event1, " * 100_000,
    "groups": "Answer: False: event1, (event1)\n" * 30_000,
    "digits": "Answer: False: event" + "1" * 10**6,
    "number": "C" + "1" * 10**6,
    "statements": "C3 is " * 160_000,
    "adverbs": "C3 is " + "always " * 140_000,
    "clauses": "C3, which " * 100_000,
    "both": "True or False " * 70_000,
    "words": "truefalse" * 110_000,
    "nul": "\0" * 10**6,
    "surrogates": "\ud800" * 10**6,
    "combining": "a" + "\u0301\u0323" * 500_000,
    "full-width": "Ａ" * 10**6,
    "growing": "İ" * 10**6,
    "ideographs": "答:" * 500_000,
    "quotes": '"' * 10**6,
    "angles": "<" * 10**6,
    "thinking": "<think>" * 150_000,
    "thought": "</think>" * 130_000,
    "boxed": "\\boxed{" * 140_000,
    "backslashes": "\\" * 10**6,
    "stars": "*" * 10**6,
    "struck": "~~a" * 300_000,
    "fences": "```\n" * 250_000,
    "newlines": "\n" * 10**6,
    "spaces": "Answer:" + " " * 10**6,
    "one word": "x" * 10**6 + "true",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_fast_and_no_answer(name: str) -> None:
    with within(0.5):  # 0.1 s here; a loaded machine gets room
        answer = extract(HOSTILE[name], "C3")
    if name == "groups":
        assert answer is not None  # the same answer over and over is an answer
        assert answer.path == {"prefix": [1], "cycle": [1]}
    elif answer is not None:
        assert name in ("paths", "path brackets", "digits")
        assert (answer.label, answer.path) == (False, None)


def test_only_the_end_of_a_long_text_is_read() -> None:
    assert label("x " * MAX_TEXT + "\n\nAnswer: True") is True
    assert label("Answer: True\n\n" + "x " * MAX_TEXT) is None
    assert label("<think>" + "x " * MAX_TEXT + "</think>\n\nTrue") is True
    assert label("<think>" + "x " * MAX_TEXT + "\n\nAnswer: True") is None
    # A cut through "not True" must not leave an answer.
    assert label("not True".rjust(MAX_TEXT + 4)) is None


# --------------------------------------------------------------------------- real responses

# (True, False, unreadable) read from each file, each checked by hand; and the rows where the
# published column says something else. Row 73 and 194 stop in the middle of a sentence on C1.
REAL = {
    "300_2_events_2_deepseek-reasoner_direct.csv": ((147, 123, 30), {"73", "194"}),
    "300_2_events_2_gpt-5-mini_few_shot_cot.csv": ((149, 151, 0), set()),
    "300_2_events_2_qwen-turbo_direct.csv": ((128, 172, 0), set()),
}


@pytest.mark.skipif(not RESPONSES.is_dir(), reason=f"no published responses at {RESPONSES}")
@pytest.mark.parametrize("name", REAL)
def test_real_responses(name: str) -> None:
    with (RESPONSES / name).open(newline="") as file:
        rows = list(csv.DictReader(file))
    seen: dict[bool | None, int] = {True: 0, False: 0, None: 0}
    different = set()
    for row in rows:
        found = label(row["prediction_raw"], "C2", row["question"])
        seen[found] += 1
        if {True: "1", False: "0", None: "-1"}[found] != row["prediction"]:
            different.add(row["id"])
            assert found is None
        if row["prediction"] == "-1":
            assert row["prediction_raw"].strip() in ("", _CUT_OFF)
    assert ((seen[True], seen[False], seen[None]), different) == REAL[name]


_CUT_OFF = "Based on the context, event1 happened initially, and after"


@each(
    "text, reason",
    [
        ("", "no answer is stated"),
        (
            "Answer: True\nAnswer: False",
            "what is marked as the answer is doubted, or says two things",
        ),
        ("Answer: True\nAlternatively, False.", "the answer is doubted"),
        (
            "Answer: True\n\nI can't decide.",
            "the answer is taken back",
        ),
        ("C3 is true.\nIt follows.\nTherefore C3 is false.", "the reply states both answers"),
    ],
)
def test_what_is_not_read_has_a_reason(text: str, reason: str) -> None:
    assert extraction.extract(text, "C3") == reason


@each(
    ("said", "prefix", "cycle"),
    [
        ("event5, event1, event6, event5, event1, event6, ...", [], [5, 1, 6]),
        ("event3, event1, event2, event1, event2, …", [3], [1, 2]),
        ("event3 -> event1 -> event1 -> ...", [3], [1]),
        ("event3, event1, event2, event1, … (repeating)", [3], [1, 2]),
        ("event3, event1, event2, then back to event1", [3], [1, 2]),
        ("event3 → event1 → event2 and loops back to event1 forever", [3], [1, 2]),
        ("event3, event1, event2, event1 (loop)", [3], [1, 2]),
        ("{event3, event1}^ω", [], [3, 1]),
        ("event3, \\{event1, event2\\}^{\\omega}", [3], [1, 2]),
        ("event3 · (event1 · event2)^ω", [3], [1, 2]),
        ("event3 | (event1, event2)", [3], [1, 2]),
        ("event3, ⟲(event1, event2)", [3], [1, 2]),
    ],
)
def test_a_path_that_is_written_out_is_rolled_up(
    said: str, prefix: list[int], cycle: list[int]
) -> None:
    answer = extract(f"Answer: False: {said}", "C3")
    assert answer is not None
    assert (answer.label, answer.path) == (False, {"prefix": prefix, "cycle": cycle})


@each(
    "said",
    [
        *(
            "event3, event1, ...",
            "event3, event1, event2, …",
            "event1, event2, event1, event3, event1, …",
        ),
        *("event3, event1 and repeat forever", "event3, event1, back to event7", "event3 | event1"),
        *(
            "event3, event1, event3, event1",
            "event3, ⟲event1",
            "event3, event1, event3, event1, and event2",
        ),
    ],
)
def test_a_path_that_may_go_on_in_two_ways_is_none(said: str) -> None:
    answer = extract(f"Answer: False: {said}", "C3")
    assert answer is not None
    assert (answer.label, answer.path) == (False, None)


def test_what_is_rolled_up_is_the_same_sequence() -> None:
    rng = random.Random(7)
    for _ in range(some(2_000)):
        prefix = [rng.randrange(1, 4) for _ in range(rng.randrange(4))]
        cycle = [rng.randrange(1, 4) for _ in range(rng.randrange(1, 4))]
        events = (prefix + cycle * 9)[: len(prefix) + 3 * len(cycle)]
        answer = extract("Answer: False: " + ", ".join(f"event{n}" for n in events) + ", ...", "C3")
        assert answer is not None
        assert answer.path is not None
        told = (answer.path["prefix"] + answer.path["cycle"] * len(events))[: len(events)]
        assert told == events  # what was written, whatever its shortest loop is


@each(
    ("reply", "label"),
    [
        ("Therefore the LTL formula is **TRUE**.", True), ("The statement is therefore: TRUE", True),
        ("TL;DR: False", False),
        ("The formula evaluates to False on this trace graph.", False), ("结论：正确", True), ("结论：错误", False),
        ("判断：假", False), ("If the formula is true, we are done.", None), ("The formula is true at event2.", None),
        ("The formula C1 is true.", None), ("The inner formula is true.", None), ("TL;DR: True or False", None),
        ("The specification is false on some path.", None), ("The formula is not true", False),
        ("结论：正确还是错误？", None),
        ("We must check whether the LTL formula is true.", None), ("The formula is true on this path.", None),
    ],
)  # fmt: skip
def test_what_the_formula_is_and_conclusions_in_short(reply: str, label: bool | None) -> None:
    read = extract(reply, "C3")
    assert (read.label if read else None) is label
