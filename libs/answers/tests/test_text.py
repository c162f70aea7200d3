"""Making completions plain: what has to go, and above all what has to stay."""

from __future__ import annotations

import time

import pytest
from harness_answers.cleaning import boxes, the_end, without_thinking
from harness_answers.json_reader import loads
from harness_answers.text import MAX_TEXT, Marked, bounded, last_marked, plain, quoted
from hypothesis import given, settings
from hypothesis import strategies as st

FORMULAS = [
    "[] (a -> <> b)", "[]<>a && <>[]b || !c", "a /\\ b \\/ ~c", "~~a & ~~b", "!(~~a)", "a <-> b <=> c",
    "G (prop_1 -> F prop_2)", "_a & b_ & __c", "□(a → ◇b) ∧ ¬c", "a ↔ (b 𝖴 c)".replace("𝖴", "U"),
    "\\Box (prop\\_1 \\rightarrow \\Diamond p_{2})", "$a \\land b$", "\\(a\\) and \\[b\\]", "X[3] a & F[0,3] b",
    "deliver(bench, loading_dock) U idle", '{"op": "G", "args": ["a"]}', "a * b * c", "a<b && c>d", "@{a}#b|c",
]  # fmt: skip


@pytest.mark.parametrize("formula", FORMULAS)
def test_formulas_stay_as_they_are(formula: str) -> None:
    assert plain(formula).strip() == formula
    assert plain(f"`{formula}`").strip() == formula
    assert plain(f"```ltl\n{formula}\n```").strip() == formula
    assert plain(f"**{formula}**").strip() == formula or "*" in formula
    assert plain(f"<answer>{formula}</answer>").strip() == f"Answer: {formula}"


@pytest.mark.parametrize(
    ("completion", "text"),
    [
        ("", ""),
        ("**bold** and *soft* and __both__ a_b", "bold and soft and both a_b"),
        ("***Answer:*** x", "Answer: x"),
        ("# Title\n> said\n>> more", "Title\nsaid\nmore"),
        ("a\n---\nb", "a\n\nb"),
        ("~~no~~ yes", "yes"),
        ("a<br>b<b>c</b>", "a\nbc"),
        ("\\boxed{a_{1} \\to {b}} .", "Answer: a_{1} \\to {b}\n ."),
        ("It is \\boxed{a} or \\boxed{b}!", "It is \nAnswer: a or  Answer: b\n!"),
        ("\\boxed{never closed", "\\boxed{never closed"),
        ("a\x00b\x1bc\ud800\u202ed\u200be", "a b c\ufffdde"),
        ("ａ＝１\u3000𝐛", "a=1 b"),
        ("“a” ‘b’ c‑d a –> b", "\"a\" 'b' c-d a -> b"),
        ("a\r\nb\rc\u2028d", "a\nb\nc\nd"),
        ("答案：x", "Answer:x"),
        ("yes<|im_end|>\n<|im_start|>user\nno", "yes"),
        ("yes</s> no", "yes"),
        ("yes\nUser: no", "yes"),
        ("User: is what I am", "User: is what I am"),
        ("[INST] a [/INST]", "a"),
    ],
)
def test_markup_goes(completion: str, text: str) -> None:
    assert plain(completion).strip() == text


@pytest.mark.parametrize(
    ("completion", "text"),
    [
        ("<think>a</think>b", "b"),
        ("<think>a", ""),
        ("a</think>b", "b"),
        ("<THINKING mode=1>a</thinking>b<think>c</think>d", "b\nd"),
        ("b <think>c", ""),
        ("[think]a[/think]b", "b"),
        ("◁think▷a◁/think▷b", "b"),
        ("<ns:think>a</ns:think>b", "b"),
        ("<|channel|>analysis<|message|>a", ""),
        ("<|channel|>analysis<|message|>a<|channel|>final<|message|>b<|return|>", "b"),
        ("<think>a</think><think>b", ""),
        ("I think <b>so</b>", "I think so"),
    ],
)
def test_thinking_goes(completion: str, text: str) -> None:
    assert plain(completion).strip() == text


@pytest.mark.parametrize(
    ("completion", "text"),
    [
        ("b <think>c", ""),
        ("<|channel|>commentary<|message|>a", ""),
        (f"<think {'x' * 70}>a</think>b", "b"),
        ("<rea\u017foning>a</rea\u017foning>b", "<rea\u017foning>a</rea\u017foning>b"),
    ],
)
def test_there_is_one_idea_of_what_is_thinking(completion: str, text: str) -> None:
    assert without_thinking(completion).strip() == text


def test_of_a_text_beyond_the_limit_the_end_stays() -> None:
    assert the_end("abcde", 5) == "abcde"
    assert the_end("abcdef", 5) == "xbcdef"


@pytest.mark.parametrize(
    ("completion", "text"),
    [
        ("\\textbf{a} * b_ \\quad \\text{c}", "a  b   c"),
        ("\\boxed{a} **b", "Answer: a\n b"),
        ("a ~~b~~c 【3†source】d", "a c d"),
        ("a_b __c__ `d`", "a_b c d"),
        ("> a\n# b", "> a\n# b"),
    ],
)
def test_of_words_more_markup_goes(completion: str, text: str) -> None:
    assert plain(completion, words=True).strip() == text


def test_lines_of_the_prompt_that_mislead_go_wherever_they_stand() -> None:
    prompt = "First look. Then look again, and again, and again.\nSay yes or no, and nothing else, or say it."
    said = f"You ask: {prompt.splitlines()[1]} No, I say, and that is that."
    assert plain(said, prompt) == said
    assert plain(said, prompt, echo=lambda line: "yes" in line).split("\n")[0] == "You ask: "
    assert plain(said, prompt, own=str.upper) == said.upper()


PROMPT = """Say what the sentence means in the notation of the examples below.
End with a line `Answer: X`, or with the line `Answer: none` if there is nothing.

Sentence: one thing always comes after the other thing.
Answer: G (one -> F other)

Sentence: nothing ever happens."""


@pytest.mark.parametrize(
    ("completion", "text"),
    [
        (PROMPT, ""),
        (f"{PROMPT}\nAnswer: a", "Answer: a"),
        (PROMPT[:150], ""),
        ("\n".join(PROMPT.splitlines()[:2]), ""),
        ("> " + "\n> ".join(PROMPT.splitlines()[:2]) + "\nAnswer: b", "Answer: b"),
        ("\n".join(PROMPT.splitlines()[3:5]) + "\n\nHm.", "Hm."),
        ("Answer: G (one -> F other)", "Answer: G (one -> F other)"),  # may well be right
        ("G (one -> F other)", "G (one -> F other)"),
        ("Answer: a\n\nSentence: the next thing.\nAnswer: b", "Answer: a"),
        (
            "Sentence: nothing ever happens.\nAnswer: a",
            "Sentence: nothing ever happens.\nAnswer: a",
        ),
        ("Sentence: in other words.\nAnswer: a", "Sentence: in other words.\nAnswer: a"),
    ],
)
def test_the_echo_of_the_prompt_goes(completion: str, text: str) -> None:
    assert plain(completion, PROMPT).strip() == text


def test_only_the_end_of_a_long_text_is_looked_at() -> None:
    text = plain("Answer: a\n" * MAX_TEXT + "Answer: b")
    assert len(text) <= MAX_TEXT + 1
    assert text.endswith("Answer: b")
    assert plain("y" * (MAX_TEXT + 5)).startswith("xy")
    assert plain("<think>" + "a" * MAX_TEXT + "</think>b").strip() == "b"


# ----------------------------------------------------------------------------------- quoting


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("a `b` c", "`a b c`"),
        ("```\n# x\n```", "`# x`"),
        ("a\x00\u202eb\ud800", "`a b`"),
        ("", "(nothing printable)"),
        ("``` \n", "(nothing printable)"),
        ("x" * 200, f"`{'x' * 100}…`"),
        ("x" * 100, f"`{'x' * 100}`"),
    ],
)
def test_foreign_text_cannot_break_out(said: str, code: str) -> None:
    assert quoted(said) == code


@given(st.text(max_size=300), st.integers(1, 120))
def test_quoted_text_is_one_short_line_of_code(said: str, limit: int) -> None:
    code = quoted(said, limit)
    assert len(code) <= max(limit + 3, 19)
    assert code.isprintable()
    assert code == "(nothing printable)" or (code[0] == code[-1] == "`" and "`" not in code[1:-1])


def test_an_explanation_is_cut_behind_a_line() -> None:
    assert bounded("a\nb") == "a\nb"
    assert bounded("a" * 2000) == "a" * 2000
    assert bounded("one\ntwo\nthree", 10) == "one\ntwo\n…"[:9].rpartition("\n")[0] + "\n…"
    assert bounded("x" * 2001) == "x" * 1998 + "\n…"
    assert len(bounded("ab\n" * 3000)) <= 2000


# ----------------------------------------------------------------------------------- answers


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Answer: a", "a"),
        ("1. Answer: a", "a"),
        ("So, the final answer is: a", "a"),
        ("Therefore the answer is a.", "a."),
        ("It holds. Answer: a", "a"),
        ("Final Answer\n\na\nb\n\nc", "a\nb"),
        ("Answer:\n$$\na\n$$", "a\n$$"),
        ("Answer (formula): a", "a"),
        ("Answer - a", "a"),
        ("Ans: a", "a"),
        ("Answer: b\n\nFinal ans = a", "a"),
        ("Answer = a", "a"),
        ("ANSWER -> a", "a"),
        ("Answer: a\nthen\nAnswer: b", "b"),
        ("Answer:", ""),
        ("Answer:\n\n \n", ""),
    ],
)
def test_the_last_mark_counts(text: str, content: str) -> None:
    found = last_marked(text)
    assert found is not None
    assert found.content == content


@pytest.mark.parametrize(
    "text",
    ["", "a", "the wrong answer: a", "no answer", "answers vary", "unanswered: a", "to answer: a",
     'Write "Answer: a"', "my_answer: a", "Ans a", "Means: a", "ans"],
)  # fmt: skip
def test_no_mark(text: str) -> None:
    assert last_marked(text) is None


@pytest.mark.parametrize("first", ["Answer: a", "\\boxed{a}", "<answer>a</answer>"])
@pytest.mark.parametrize("last", ["Answer: b", "\\boxed{b}", "<answer>b</answer>"])
def test_only_an_answer_directly_above_has_a_say(first: str, last: str) -> None:
    for between, above in (("\n", "a"), ("\n\n", ""), ("\n\n\n", ""), ("\nno\n", "")):
        found = last_marked(plain(f"{first}{between}{last}"))
        assert found is not None
        assert (found.content, found.above) == ("b", above)


def test_what_stands_around_a_mark() -> None:
    assert last_marked("Answer: a\nAnswer: b\nrest") == Marked("b", "rest", 10, "a", False)
    assert last_marked("Answer: a\n\nAnswer: b") == Marked("b", "", 11, "", False)
    assert last_marked("Answer:\n\na\nAnswer: b") == Marked("b", "", 11, "a", False)
    assert last_marked("Answer: a. Answer: b") == Marked("b", "", 11, "a.", False)
    assert last_marked("Answer: a\n\nno\nThe answer is b") == Marked("b", "", 14, "", True)
    assert last_marked("The answer is: b") == Marked("b", "", 0, "", False)
    assert last_marked("Verdict: b", "verdict") == Marked("b", "", 0, "", False)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": [1, 2]} rest', {"a": [1, 2]}),
        ("{'a': 'b', 'c': 1,}", {"a": "b", "c": 1}),
        ('{"a": "it\'s", // why\n"b": ["x",],}', {"a": "it's", "b": ["x"]}),
        ('{"a": "http://x"}', {"a": "http://x"}),
        ('{"a": 1, "a": 1}', {"a": 1}),
        ("[]", []),
        ("{a: True, “b”: None}", {"a": True, "b": None}),
        ('{"a": ' + "9" * 5_000 + "}", {"a": "9" * 5_000}),
        (r'{"a": "b \rightarrow c"}', {"a": r"b \rightarrow c"}),
        ('"a"', "a"),
    ],
)
def test_json_is_read(text: str, value: object) -> None:
    found = loads(text)
    assert found is not None
    assert found[0] == value


@pytest.mark.parametrize(
    "text",
    ["", "a", "1", "null", "{", "{a: b}", '{"a": 1, "a": 2}', '{"b": {"a": 1, "a": 2}}', "[" * 200_000,
     '{"a":' * 40_000, '{"a": "' + "x" * 100_000 + '"}', "[1 2]", "[]" [:1],
     "[" * 31 + "]" * 31, "{'a': 'b' 'c'}", '{"a": "\x00"}'],
)  # fmt: skip
def test_json_beyond_reading(text: str) -> None:
    assert loads(text) is None


HOSTILE = {
    "marks": "!" * 1_000_000,
    "nul": "\x00" * 200_000,
    "stars": "*a" * 100_000,
    "bold": "**a " * 50_000,
    "under": "_a " * 60_000,
    "struck": "~~a" * 60_000,
    "struck apart": " ~~a" * 50_000,
    "ticks": "`" * 200_000,
    "boxes": "\\boxed{" * 30_000,
    "tags": "<b " * 60_000,
    "angles": "<" * 200_000,
    "thinking": "<think " * 30_000,
    "lines": "\n" * 200_000,
    "quotes": ">" * 200_000,
    "combining": "a\u0301" * 100_000,
    "wide": "Ａ" * 200_000,
    "surrogates": "\ud800" * 200_000,
    "right to left": "\u202e" * 200_000,
    "echo": PROMPT * 500,
    "blanks": " " * 200_000,
    "answers": "the final answer " * 12_000,
    "apart": "Answer: a" + "\n *" * 60_000 + "x\nAnswer: b",
    "answer tags": "</answer>\n" * 20_000,
    "frame": "a" + "│" * 90_000 + "b",
    "dots": "…" * 200_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_settled_at_once(name: str) -> None:
    start = time.process_time()
    text = plain(HOSTILE[name], PROMPT)
    last_marked(text)
    quoted(HOSTILE[name])
    loads(HOSTILE[name])
    assert time.process_time() - start < 1.0  # a tenth on a machine that does nothing else
    assert len(text) <= MAX_TEXT + 100


@settings(max_examples=80, deadline=None)
@given(st.text(alphabet="Answer: ab*_`~<>/|\\{}[]boxed\n\"'think\ud800\x00é$>", max_size=80))
def test_any_text_becomes_plain(text: str) -> None:
    made = plain(text, "a prompt")
    assert not any(c < " " and c != "\n" for c in made)
    assert "\t" not in made or "\t" in text
    last_marked(made)
    loads(text)
    made.encode()


def test_a_short_reply_that_begins_the_prompt_is_no_echo() -> None:
    assert plain("True", "True or False?") == "True"
    task = "Tell whether the hypothesis below is True or False on every path."
    assert plain(task[:-1], task) == ""


@pytest.mark.parametrize(("levels", "known"), [(30, True), (31, False)])
def test_json_of_so_many_levels_is_read(levels: int, known: bool) -> None:
    assert (loads("[" * levels + "]" * levels) is not None) is known


def test_boxes_in_boxes_are_passed_over() -> None:
    text = r"\boxed{a \boxed{b} c} and \boxed{d}"
    assert [text[start:end] for _, start, end in boxes(text)] == [r"a \boxed{b} c", "d"]
