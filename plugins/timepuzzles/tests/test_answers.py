"""Reading answers: the same dates come back from any dress, and what is no answer stays none."""

from __future__ import annotations

import locale
import random
import re
import time
from datetime import date
from itertools import product

import pytest
from cases import each, slow, some
from harness_timepuzzles.answers import extraction
from harness_timepuzzles.answers.cleaning import MAX_TEXT, plain
from harness_timepuzzles.answers.statements import Answer
from hypothesis import given, settings
from hypothesis import strategies as st
from pace import within

from harness.kit.kit import HUGE, JUNK, READABLE

PROMPT = """Which dates satisfy all of the clues below?

Clues:
1. It is a Sunday or a Thursday.
2. It is in 2001 or on 2003-01-02.

How to read the clues:
- Only dates of the Gregorian calendar from 1800-01-01 to 2050-12-31 count, both days included.

There may be one such date, several, or none. Find all of them. End your reply with one line that \
lists them in ascending order, in the form
Answer: YYYY-MM-DD, YYYY-MM-DD
or, if no date satisfies all clues,
Answer: none"""

BOTH = ["2001-05-06", "2003-01-02"]
D1, D2 = BOTH


def extract(*given: str | None) -> Answer | None:
    """What is read; None where there is a reason instead."""
    found = extraction.extract(*given)
    assert isinstance(found, Answer) or re.fullmatch(r"[\w ,]{10,80}", found)
    return found if isinstance(found, Answer) else None


def dates(text: str, prompt: str = PROMPT) -> list[str] | None:
    answer = extract(text, prompt)
    return None if answer is None else sorted([*answer.dates, *answer.impossible])


# ----------------------------------------------------------------------------- what is read

READ = [
    "Answer: @", "answer: @", "ANSWER: @", "ANSWER：@", "Ａｎｓｗｅｒ： @", "**Answer:** @", "**Answer**: @",
    "**Answer: @**", "__Answer:__ @", "*Answer*: @", "`Answer: @`", "Answer : @", "Answer = @",
    "Answer => @", "Answer -> @", "Answer → @", "Answer - @", "Answer — @", "Answers: @", "Answer is: @",
    "Answer (dates): @", "'Answer': @", "Answer:@", "Answer:\n@", "Answer:\n\n\n@", "## Answer\n@",
    "### Final Answer\n\n@", "**Final Answer**\n\n@", "Final answer: @", "final_answer = @", "FINAL ANSWER: @",
    "My answer: @", "So the final answer: @", "The answer is @", "The answer is @.", "So the answer is **@**.",
    "The answers are @", "Thus, the answer is: @", "The correct answer is @.", "Therefore the answer is @",
    "I found them. The answer is @.", "Ok. Answer: @", "3. Answer: @", "- Answer: @", "> Answer: @",
    "> **Answer:** @", "✅ Answer: @", "Answer: Answer: @", "Answer:\n```\n@\n```", "```\nAnswer: @\n```",
    "Answer:\n~~~text\n@\n~~~", "```text\nAnswer: @\n```\n", "Answer: `@`", "Answer: (@)", "Answer: [@]",
    "Answer: {@}", "Answer: {@}.", "Answer: \"@\"", "Answer: “@”", "Answer: «@»", "Answer: $@$", "Answer: \\(@\\)",
    "Answer:\n$$@$$", "\\boxed{@}", "$\\boxed{@}$", "$$\\boxed{@}$$", "\\[\\boxed{@}\\]", "\\fbox{@}",
    "\\boxed{\\text{@}}", "\\boxed{\\mathrm{@}}", "Answer: \\boxed{@}", "The answer is $\\boxed{\\text{@}}$.",
    "\\boxed{\\text{Answer: @}}", "The dates are $\\boxed{@}$.", "<answer>@</answer>", "<answer>\n@\n</answer>",
    "<final_answer>@</final_answer>", "<b>Answer:</b> @<br>", "<p>Answer: <code>@</code></p>",
    '{"answer": "@"}', "{'answer': '@'}", '{"dates": "@"}', '{"final_answer": "@"}', '{"Answer": "@"}',
    '{"reasoning": "not 2010-10-10", "answer": "@", "confidence": 0.5}', '{"answer": {"dates": "@"}}',
    '```json\n{\n  "answer": "@"\n}\n```', "Answer: the dates are @", "Answer: The only dates: @",
    "Answer: the following dates: @", "Answer: the dates that satisfy all clues are @",
    "Let me think: 2010-10-10?\n\nAnswer: @", "Answer: none\n\nAnswer: @",
    "Answer: 2010-10-10\n\nWait, no.\n\nFinal answer: @", "The answer is 2010-10-10.\nAnswer: @",
    "Answer: maybe 2010-10-10\n\nAnswer: @", "\\boxed{2010-10-10}\n\nNo.\n\\boxed{@}",
    "<think>Answer: 2010-10-10</think>Answer: @", "2010-10-10</think>\nAnswer: @",
    "<thinking>\nx\n</thinking>@", "[THINK]Answer: none[/THINK]Answer: @", "◁think▷none◁/think▷Answer: @",
    "<think><think>x</think>Answer: @", "<|channel|>analysis<|message|>none<|end|><|start|>assistant"
    "<|channel|>final<|message|>Answer: @<|return|>", "Answer: @<|im_end|>", "Answer: @</s>",
    "Answer: @\n\nThis satisfies all clues.", "Answer: @\n\nClue 1 rules out 2010-10-10.", "Answer: @\n---",
    "Answer: @\nConfidence: 95%", "Answer: @. All clues hold.", "Answer: @\n\n- Clue 1 holds.\n- Clue 2 too.",
    "Answer: @\n\n1. Check of clue 1: fine.", "Answer: @\n\nThe answer is complete.", "Answer: @\n\nHuman: and now?",
    "Answer: ~~2010-10-10~~ @", "An\u200bswer: @", "Answer:\u00a0@", "Answer: @\x00", "\ufeffAnswer: @", "Answer:\t@",
    "Answer: @\r\n", "\r\nAnswer:\r\n@\r\n", "Answer:\n\n\n\n@\n\nNone of the other dates is on a Sunday.",
    "I think the answer is @", "In conclusion, the answer is @.", "Hence: answer: @", "@", "**@**", "\n\n@\n", "`@`",
    "- @", "> @", "[@]", "(@)", "\"@\"", "```\n@\n```", "{@}",
]  # fmt: skip


@each("text", READ)
def test_an_answer_is_read_in_any_dress(text: str) -> None:
    assert dates(text.replace("@", f"{D1}, {D2}")) == BOTH
    assert dates(text.replace("@", D2)) == [D2]
    assert dates(text.replace("@", "2001-02-30")) == ["2001-02-30"]
    assert dates(text.replace("@", "none")) == []


BARE_ONLY_DATES = ("@", "**@**", "\n\n@\n", "`@`", "- @", "> @", "[@]", "(@)", '"@"', "{@}")


@each("text", [text for text in READ if text not in BARE_ONLY_DATES])
@each(
    "said",
    ["unknown", "not 2001-05-06", "2001-05-06?", "2001-05-0", "2001-05-06, 2003-01-0", "2001-05-06, …",
     "none, or 2001-05-06", "N/A", "before 2001-05-06", "03/04/1999", "YYYY-MM-DD", "none of the above"],
)  # fmt: skip
def test_no_answer_is_read_in_no_dress(text: str, said: str) -> None:
    assert dates(text.replace("@", said)) is None


DRESSES = {
    "Answer:\n- 2001-05-06\n- 2003-01-02": BOTH,
    "Answer:\n* 2001-05-06\n* 2003-01-02\n\nLet me know if you need more.": BOTH,
    "Answer:\n1. 2001-05-06\n2. 2003-01-02": BOTH,
    "Answer:\n1. **2001-05-06** (Sunday)\n2. **2003-01-02** (Thursday)": BOTH,
    "Answer:\n\n2001-05-06\n2003-01-02\n\nThese are all.": BOTH,
    "Answer: 2001-05-06,\n2003-01-02": BOTH,
    "Answer: 2001-05-06\n\n2003-01-02": BOTH,
    "Answer: 2001-05-06\nand 2003-01-02": BOTH,
    "Answer:\n| Date | Day |\n|---|---|\n| 2001-05-06 | Sunday |\n| 2003-01-02 | Thursday |": BOTH,
    "Answer:\n\n| # | Date |\n|--:|:--|\n| 1 | 2001-05-06 |\n| 2 | 2003-01-02 |\n\nThat is all.": BOTH,
    'Answer: ["2001-05-06", "2003-01-02"]': BOTH,
    "Answer: ['2001-05-06', '2003-01-02']": BOTH,
    'Answer:\n```json\n[\n  "2001-05-06",\n  "2003-01-02"\n]\n```': BOTH,
    '{"answer": ["2001-05-06", "2003-01-02"]}': BOTH,
    '{"dates": ["2001-05-06", "2003-01-02"], "n": 2}': BOTH,
    "{'answer': ['2001-05-06', '2003-01-02']}": BOTH,
    '{"answer": ["2001-05-06", "2003-01-02"], "dates": ["2010-10-10"]}': BOTH,
    '{"dates": ["2010-10-10"], "answer": ["2001-05-06", "2003-01-02"]}': BOTH,
    '{"dates": ["2010-10-10"]}\n\nAnswer: 2001-05-06, 2003-01-02': BOTH,
    '["2001-05-06", "2003-01-02"]': BOTH,
    "$\\boxed{2001-05-06}$ and $\\boxed{2003-01-02}$": BOTH,
    "\\boxed{2001-05-06}\n\n\\boxed{2003-01-02}": BOTH,
    "\\boxed{2001-05-06,\\; 2003-01-02}": BOTH,
    "\\boxed{2001\\text{-}05\\text{-}06,\\ 2003\\text{-}01\\text{-}02}": BOTH,
    "\\boxed{\\{2001-05-06, 2003-01-02\\}}": BOTH,
    "\\boxed{2001-05-06 \\\\ 2003-01-02}": BOTH,
    "\\boxed{\\boxed{2001-05-06}, 2003-01-02}": None,  # nobody writes that; it is not guessed at
    "Answer: 2001‑05‑06, 2003–01–02": BOTH,
    "Answer: 2001−05−06、2003—01—02": BOTH,
    "Answer: ２００１－０５－０６，２００３－０１－０２": BOTH,
    "Answer: 𝟐𝟎𝟎𝟏-𝟎𝟓-𝟎𝟔, 2003-01-02": BOTH,
    "Answer: 6 May 2001; January 2nd, 2003": BOTH,
    "Answer: Sunday, May 6, 2001 and Thursday, January 2, 2003.": BOTH,
    "Answer: 20010506, 20030102": BOTH,
    "20010506, 20030102": None,
    "20010506": None,
    "Answer: 2001-05-06T00:00:00Z, 2003-01-02T00:00:00Z": BOTH,
    "Answer: 2001-05-06 – 2001-05-08": ["2001-05-06", "2001-05-07", "2001-05-08"],
    "Answer: May 6–8, 2001": ["2001-05-06", "2001-05-07", "2001-05-08"],
    "6 May 2001": [D1], "May 6, 2001\nJanuary 2, 2003": BOTH,
    "Answer: 2001-05-06, 2001-02-30": ["2001-02-30", "2001-05-06"],
    "Answer: []": [], "Answer: {}": [], "Answer: ∅": [], "Answer: $\\emptyset$": [], "Answer: \\{\\}": [],
    "Answer: \\varnothing": [], "\\boxed{\\varnothing}": [], '{"answer": []}': [], '{"answer": "none"}': [],
    '{"answer": 20010506}': [D1], '{"dates": []}': [], "Answer:\n```json\n[]\n```": [],
    "Answer: no dates": [], "Answer: **None**": [],
    "Answer: there is no such date.": [], "Answer: the empty set": [], "Answer: no solution": [],
    "Answer: No date satisfies all the clues.": [], "Answer: none. There is no such date.": [],
    "The answer is none.": [], "Answer: none (no date satisfies all clues)": [], "None": [], "none.": [],
    "Answer:\nnone\n\nNo Sunday is left.": [], "Answer: none\n\nNo. 2001-05-06 it is.": None,
    "Answer: 2001-05-06\n\nNo other date satisfies the clues.": [D1], "Answer: 2001-05-06\n\nNo, 2003-01-02.": [D2],
    "Answer: 2001-05-06\n\nOther dates fail clue 1.": [D1], "Answer: 2001-05-06\n\nOther dates: 2003-01-02": None,
    "Answer: 2001-05-06\n\nFrom clue 1, it is not a Monday.": [D1], "Answer: 2001-05-06\n\nTo 2003-01-02": None,
    "Answer: 2001-05-06\n\nCheck: the date is not a Monday. OK.": [D1], "Answer: 2001-05-06\nDone!": [D1],
    "The answer is therefore 2001-05-06.": [D1], "Answer: The dates are as follows:\n- 2001-05-06": [D1],
    "Answer: 2001-05-06\n\nThe date is not certain.": None, "Answer: 2001-05-06\n\nThis is not complete.": None,
    "Answer:\nnone\n\nThere is no Sunday left.": [], "date: 2001-05-06": [D1],
    "Results: 2001-05-06\nAll good": [D1],
    "Dates: 2001-05-06\n\nExcluded: 2003-01-02": [D1],
}  # fmt: skip


@each(("text", "expected"), DRESSES.items())
def test_lists_in_their_own_dress(text: str, expected: list[str] | None) -> None:
    assert dates(text) == expected


# ------------------------------------------------------------------------- what is not read

UNREAD = [
    *JUNK, "Answer", "answer:", "**Answer:**", "## Answer\n", "Answer: ?", "Answer: -", "Answer: ,", "Answer: ()",
    "Answer: null", "Answer: nil", "Answer: N/A", "Answer: n/a", "Answer: unknown", "Answer: no", "Answer: No.",
    "Answer: cannot determine", "Answer: I could not find any", "Answer: I don't know", "Answer: undefined",
    "Answer: none of the above", "Answer: None?", "Answer: TBD", "Answer: see above", "Answer: 42", "Answer: 2",
    "Answer: two dates", "Answer: not applicable", "Answer: error", "Answer: nothing found", "Answer: impossible",
    "no date", "∅", "no solution", "there is no such date", "empty set", "none none of the above", "()", '""',
    "no dates satisfy the clues", "None of the dates", "[none of them]", '{"example": "2001-05-06"}',
    '{"answer": null}', '{"answer": 2001}', '{"answer": true}', '{"answer": {}}', '{"answer": [1999]}',
    '{"answer": [["2001-05-06"]]}', '{"answer": ["2001-05-06"', '{"answer": "2001-05-06', '{"answer": }',
    '{"answer": ["2001-05-06", null]}', '{"answer": {"a": "2001-05-06", "b": "2003-01-02"}}', '{"answers": ',
    "{'answer': ['2001-05-06',", '{"answer": ["2001-05-06", "unknown"]}', '{"answer": "2001-05-06 or so"}',
    '{"answer": ["not 2001-05-06"]}', '{"answer": []}\n\nWait, 2001-05-06 works as well.',
    # a text without a marker has to be nothing but dates
    "2001-05-06 is the date", "I think 2001-05-06", "2001-05-06?",
    "Clue 1: 2001-05-06", "Result: 2001-05-06\n\nHm.",
    "not none", "none or 2001-05-06", "2001-05-06, none", "2001-05-06 no", "x 2001-05-06",
    # a marker with nothing behind it does not go back
    "2001-05-06\n\nAnswer:", "Answer: 2001-05-06\n\nAnswer:", "The date 2001-05-06 fits.\nAnswer:\n",
    "Answer: 2001-05-06\nAnswer: unknown", "Answer: 2001-05-06\n\nFinal answer: I cannot decide.",
    "2001-05-06 fits.\n\nAnswer: the date above", "Answer: 2001-05-06\n\n\\boxed{}",
    "\\boxed{}", "\\boxed{2001-05-06",
    "Answer: 2001-05-06\n<answer></answer>", "Answer: 2001-05-06\n## Answer\n\n",
    "The answer is", "answer is not clear",
    # thinking that has not ended
    "<think>Answer: 2001-05-06", "<think>\nhm\nAnswer: none", "Answer: 2001-05-06\n<think>", "[THINK]Answer: none",
    "<think>x</think>y<think>Answer: none", "<|channel|>analysis<|message|>Answer: 2001-05-06",
    "Answer: 2001-05-06</think>", "Answer: none</think>\n", "◁think▷2001-05-06", "<reasoning>Answer: none",
    # the form
    "Answer: YYYY-MM-DD", "Answer: YYYY-MM-DD, YYYY-MM-DD", "Answer: YYYY-MM-DD, YYYY-MM-DD, …",
    "Answer: 2001-MM-DD", "`Answer: YYYY-MM-DD` or `Answer: none`", "Answer: <dates>", "Answer: [dates]",
    "Answer: YYYY-MM-DD\nor\nAnswer: none", "Answer: YYYY-MM-DD, …\n\nor if there is none\n\nAnswer: none",
    'I must end with "Answer: none"', 'The form is "Answer: 2001-05-06".', "I write Answer: 2001-05-06",
    "Answer: 2001-05-06 or Answer: none", "e.g. Answer: none", "Use the format Answer: none",
    # not this answer
    "The wrong answer: 2001-05-06", "A naive answer is 2001-05-06", "If the answer is 2001-05-06, clue 2 fails.",
    "Is the answer 2001-05-06?", "The answer is 2001-05-06?",
    "The answer is not 2001-05-06.", "No answer: 2001-05-06",
    "The answer is 2001-05-06, unless clue 3 is wrong.", "The answer might be 2001-05-06", "unanswered: 2001-05-06",
    "The answer is either of those", "The answer would be 2001-05-06 if clue 2 held.", "non-answer: 2001-05-06",
    # changed or doubted on the same line
    "Answer: not 2001-05-06", "Answer: 2001-05-06 is excluded", "Answer: 2001-05-06 (not certain)",
    "Answer: all dates except 2001-05-06", "Answer: before 2001-05-06", "Answer: > 2001-05-06", "Answer: >2001-05-06",
    "Answer: 2001-05-06 maybe", "Answer: 2001-05-06, probably",
    "Answer: 2001-05-06 and others", "Answer: ~2001-05-06",
    "Answer: 2001-05-06 ❌", "Answer: 2001-05-06, 2003-01-02, ...", "Answer: 2001-05-06 etc", "Answer: 2001-05-06 if",
    "Answer: neither 2001-05-06 nor 2003-01-02", "Answer: 2001-05-06 rather than none", "Answer: none but 2001-05-06",
    "Answer: 2001-05-06. Not a Sunday.", "Answer: 2001-05-06. Or none.", "Answer: 2001-05-06 = Sunday",
    "Answer: the dates are not 2001-05-06", "Answer: the date is before 2001-05-06", "Answer: ≠ 2001-05-06",
    "\\boxed{2001-05-06} or so", "\\boxed{\\neg 2001-05-06}", "\\boxed{\\neq 2001-05-06}", "$\\not= 2001-05-06$",
    "<del>Answer: 2001-05-06</del>", "Answer: <s>2001-05-06</s>", "Answer: <del>2001-05-06</del> none",
    "~~Answer: 2001-05-06~~", "Answer: ~~2001-05-06~~", "Answer: 2001-05-06 <!-- no -->",
    # changed or doubted behind it
    "Answer: 2001-05-06\nis wrong", "Answer: 2001-05-06\n\nis what I would say", "Answer: 2001-05-06\nexcept in 1900",
    "Answer: 2001-05-06\n\nExcept that clue 2 fails.", "Answer: 2001-05-06\n\nWait, that is wrong.",
    "Answer: 2001-05-06\n\nActually, 2003-01-02 fits too.", "Answer: 2001-05-06\n\nHmm.", "Answer: none\n\nOops.",
    "Answer: 2001-05-06\n\nAlso 2003-01-02.", "Answer: 2001-05-06\n2003-01-0", "Answer: 2001-05-06\n\n2003-01-0",
    "Answer: 2001-05-06\n- 2003-01-0", "Answer: 2001-05-06\n- ", "Answer:\n1. 2001-05-06\n2. 2003-01-0",
    "Answer:\n1. 2001-05-06\n2.", "Answer: 2001-05-06\n2003-01-02 is also valid", "Answer: 2001-05-06\nJanuary 2",
    "Answer: May 6, 2001\nJanuary 2, 200", "Answer: none\n2001-05-06",
    "Answer: 2001-05-06\nnone", "Answer: 2001-05-06\n\nBut I'm not sure.", "Answer: 2001-05-06\n\nNot certain.",
    "Answer: 2001-05-06\n\nThe list is incomplete.", "Answer: 2001-05-06\n\nThe answer is wrong.", "Answer: none?\n",
    "Answer: 2001-05-06\n\nHowever, clue 2 fails.", "Answer: none\n\nI could not find any.", "Answer: none\nor not",
    "Answer: 2001-05-06\n\nThis is only a guess.",
    "Answer:\n| Date | Valid |\n|---|---|\n| 2001-05-06 | no |",
    "Answer:\n| Date | Not |\n|---|---|\n| 2001-05-06 | |",
    "Answer:\n- [ ] 2001-05-06\n- [ ] 2003-01-02", "Answer:\n- [x] 2001-05-06\n- [ ] 2003-01-02",
    "Answer:\n- 2001-05-06 ✓\n- 2003-01-02 ✗", "Answer:\n- 2001-05-06: yes\n- 2003-01-02: no",
    "Answer:\nI don't know\n\n2001-05-06", "Answer:\n\nThe clues contradict each other.", "Answer: 2001-05-06\n, and",
]  # fmt: skip


@each("text", [text for text in UNREAD if text])
def test_what_is_no_answer_is_none(text: str) -> None:
    assert extract(text, PROMPT) is None
    assert extract(text) is None


def test_the_empty_text_is_no_answer() -> None:
    assert extract("") is None
    assert set(READABLE) <= set(JUNK)


# ------------------------------------------------- what stands around the list (@A, @B, @: both)

AROUND_BOTH = [
    "Answer: @A\nAnswer: @B", "Answer: @A\n\nAnswer: @B", "**Answer:** @A\n**Answer:** @B",
    "1. \\boxed{@A}\n2. \\boxed{@B}", "- $\\boxed{@A}$ (Sunday)\n- $\\boxed{@B}$ (Thursday)",
    "Answer: @ ([en.wikipedia.org](https://en.wikipedia.org/wiki/X_(y)?utm_source=openai))", "Answer: @ [1][2]",
    "Answer: @[^1]", "Answer: @[^1]\n\n[^1]: https://x.org/a", "Answer: @【1†source】",
    "Answer: [@A](https://x.org/a), [@B](https://x.org/b)",
    "Answer: @ [1]\n\n[1] https://x.org/a\n[2] https://x.org/b", "Answer: @\n\n[1]: https://x.org/a",
    "Answer: @\n\nIf you have any questions, let me know!", "Answer: @\nIf you need more detail, just ask.",
    "Answer: @\n\nMay I help with anything else?", "Answer: @\n\nMay 2001 had four Sundays.",
    "Answer: @\n\nSunday is the weekday.", "Answer: @\n\nI couldn't find any other date.",
    "Answer: @\n\nOther candidates like 2003-01-09 were ruled out by clue 4.",
    "Answer: @\n\nFrom 1869 to 1900 no other date fits.",
    "Answer: @\n\nHowever, please double-check the lunar calendar.",
    "Answer: @\n\nNote that 2003-01-09 is excluded because it is no Sunday.",
    "Answer: @\n\nAll other Sundays are excluded by clue 2.", "Answer: @\n\nNot included: 2003-01-09",
    "Answer: @\n\nNot included: 2003-01-09 (fails clue 4), 9 January 2003.",
    "Answer: @\n\n2001-05-06 is a Sunday, and it is in 2001.", "Answer: @\n\n- 2001-05-06 is a Sunday.",
    "Answer: @\n\n| Date | Clue 1 | Clue 2 |\n|---|---|---|\n| @A | ✓ | ✓ |\n| @B | ✓ | ✓ |",
    "Answer: @\n\n| Date | Weekday | Year |\n|---|---|---|\n| @A | Sunday | 2001 |\n| @B | Thursday | 2003 |",
    "Answer: @\n\n(2001-05-13 is out by clue 2.)", "Answer: @ (2 dates)", "Answer: @ (in ascending order)",
    "Answer: @ (both verified)", "Answer: @ (confidence 0.9)", "Answer: @A (Year of the Snake), @B",
    "Answer: @A（星期日）, @B（星期四）", "Answer: @ — both are Sundays.", "Answer: @ | Confidence: high",
    "Step 5: Answer: @", "## Step 5: Answer\n@", "Output: Answer: @", "So the final line: Answer: @",
    "The clues leave two → Answer: @", "I'm done, answer: @", "因此，Answer: @", "Here is the answer:\n@",
    "Answer below:\n@", "All clues were checked.\n\n@", "The dates are:\n\n@", "Solution: @", "Result: @",
    "Dates: @", "Final dates: @", "Answer: @<end_of_turn>", "Answer: @<eos>", "Answer: @ [/INST]",
    "Answer: $2001{-}05{-}06, 2003{-}01{-}02$", '{"answer":[{"date":"@A"},{"date":"@B"}]}',
    '{"solutions":["@A","@B"]}',
    "Answer:\n| Date | Weekday | Year |\n|---|---|---|\n| @A | Sunday | 2001 |\n| @B | Thursday | 2003 |", "答案：@",
    "Antwort: @A und @B", "Réponse : @A et @B", "Respuesta: @A y @B", "答え: @A和@B", "Ответ: @",
    "<answer>@A</answer>\n<answer>@B</answer>", "- \\boxed{@A}: Sunday\n- \\boxed{@B}: Thursday",
    "Answer: @\n\n**Verification:**\n- @A: Sunday ✓\n- @B: Thursday ✓",
    "Answer: @\n\nVerification: @A is in May (clue 2); @B is in January.",
    "Answer: @\n\nSources:\n- [Wikipedia](https://x.org)\n- https://y.org",
    "Answer: @\n\nThe Chinese New Year of 2001 was 2001-01-24.", "Answer: @ and more\nAnswer: @",
    "Answer: @\n\nThe following Thursday, 2003-01-09, is too late.", "Answer: @A\n\nAnswer: @B\n\nAll clues hold.",
    "Answer: @A\nAnswer: @A\nAnswer: @B", "Answer: none\nAnswer: @",
]  # fmt: skip
AROUND_ONE = [
    "Answer: @A (only one date)", "Answer: @A (one date)", "Answer: @A satisfies all the clues.",
    "Answer: @A is the only date.", "Answer: @A, i.e. 6 May 2001", "Answer below:\n@A",
    "Answer: @B\n\nI erred.\n\nAnswer: @A", "Answer: @B\n\nThat was a slip.\n\nAnswer: @A",
    "Answer: @B\nFinal answer: @A", "Answer: @B\n\n\\boxed{@A}", "Answer: @A\n\n2010-10-10 fails",
    "Dates: @B\n\nSolution: @A",
    "Answer: @A [Wikipedia](https://en.wikipedia.org/wiki/X)", "Answer: @A https://en.wikipedia.org/wiki/X",
    "Answer: @A (day 126)", "Answer: @A (the 126th day of the year)", "Answer: @A (source: Wikipedia)",
    "Answer: @A (when the bridge was opened)", "Answer: @A, because the bridge was opened then",
    "Answer: @A — a Sunday, as asked.", "Answer: @A [example.org](https://example.org/a)",
]  # fmt: skip
AROUND_NONE = [
    "Answer: none\n\nBut 2001-05-06 comes close.", "Answer: none\n\nHowever, 2001-05-06 satisfies all but clue 3.",
    "Answer: none (no date satisfies all five clues)", "Answer: none, because the clues contradict each other.",
    "Answer: none (since 1969 was not a leap year)", "Answer: none - the clues contradict each other.",
    "Answer: none (the clues are contradictory)", "Answer: none; the year 1969 was not a leap year.",
    "Answer: There are no dates satisfying all six clues.", "Answer: No date meets every clue", "Answer: 无",
    '{"answer": []}', "Answer: none (as no Sunday is left)", "Answer: none; no Sunday in 2001 fits clue 3.",
    "Answer: none — clue 2 rules out all Sundays.", "Answer: none\n\n2001-05-06 fails clue 3.",
]  # fmt: skip
TOUCHED = [
    "Answer: @A or @B", "Answer: @A or else @B", "Answer: possible dates: @", "Possible dates: @",
    "Answer: @A (or @B)",
    "Answer: @A (when it may have happened)", "Answer: @A (source: unsure)", "Answer: none (source: Wikipedia)",
    "Answer: @A, because @B is out", "Answer: @A - a guess", "Answer: @A, which I am not sure of",
    "Answer: @A (day 126, but not certain)", "Answer: @A [unsure about this](https://x.org)",
    "Answer: @A\n\nThe second date @B also satisfies.", "Answer: @A\n\nSecond: @B",
    "Answer: @A\n\nThere may be others.", "```python\nanswer = []\n```", "```python\nx = 1\nanswers = []\n```",
    "So:\n```\nanswers = []", "Answer: no date range given", "Answer: no date given",
    "Answer: none, except 2001-05-06", "Answer: none (but 2001-05-06 comes close)",
    "Answer: none (unless clue 3 is ignored)", "Answer: none, the only date is 2001-05-06",
    "Answer: none (the clues leave 2001-05-06)", "Answer: either @A or @B", '{"answer": null}',
    "Answer: @A\nAnswer: none", "Answer: @A (discounted)", "Answer: @A\n\n@B is not excluded.",
    "Answer: @A\n\n@B it is.", "Answer: @A\n\n@A fails clue 3.",
    "Answer: @A\n\n@A is excluded because @B fits better.", "Answer: @\n\nOnly @A works.",
    "Answer: @A\n\nAnother date works.", "Answer: @A\n\nJanuary 2 works.", "Sundays in May:\n\n@A",
    "Sundays:\n- @A", "Result: @A\n\nLet me check.", "Use the form: Answer: @A", 'I said "x", so not: Answer: @A',
    "1. \\boxed{@A} fails\n2. \\boxed{@B}", "Answer: @A\n\nNo doubt @B fits.",
    "Answer: @A\n\n@B is not bad either.", "Answer: @A\n\nWhy not @B?", "Answer: @A\n\nI almost missed @B.",
    "Answer: @A\n\nNot only that, @B works.", "Answer: @A\n\nAnd the following Thursday.",
    "Answer: @A\n\nMoreover @B.", "Answer: @A\n\nThe date @B would also be a solution, if not excluded.",
    "Answer: @A\n\nUnless the range is different.", "Answer: @A\n\nThat's wrong.",
    "Answer: @A\n\nThis violates clue 2.", "Answer: @A\n\nStrike that.", "Answer: @A\n\nIgnore the above.",
    "Answer: @A\n\nDisregard this answer.", "Answer: @A\n\nI take that back.",
    "Answer: @A\n\nThe real answer is B.", "Answer: @A\n\nMy mistake: January 2nd, 2003.",
    "Answer: @A\n\nMissing: @B", "Answer: @A\n\nAdd @B.", "Answer: @A\n\nIn 2003, January 2 works.",
    "Answer: @A\n\n02.01.2003 works.", "Answer: @A\n\n20030102 works.", "Answer: @A\n\nThe 13th works as well.",
    "Answer: @A\n\nBoth May 6 and May 13 fit.", "Answer: @A\n\nI am not confident.",
    "Answer: @A\n\nClue 3 is violated.", "Answer: @A\n\nNone of these work.", "Answer: @A\n\nNo date fits.",
    "Answer: @A\n\nSo there is no date.", "Answer: @A\n\nNothing fits.", "Answer: none\n\nSo the 6 May 2001 is it.",
    "Answer: none\n\nThe date is @A.", "Answer: none\n\nThere is one date.", "Answer: none, the answer is @A",
    "Answer: none - the clues fit 6 May 2001", "Answer: none (there is one)",
    "Answer: none (the clues have a solution)", "Answer: none (all dates fit)",
    "Answer: none (it is valid for all dates)", "Answer: none, all the dates work",
    "Answer: none (no clue excludes it)", "If clue 3 were dropped: Answer: @A", "Attempt 1 (failed): Answer: @A",
    "Old version, Answer: @A", "Student: Answer: @A", "Expected output: Answer: @A", "Template: Answer: none",
    "Answer format: Answer: none", "Example answer, Answer: @A", "Answer: @A\n```\nanswer = []\n```",
    "Answer: @A (first candidate)", "Answer: @A (leap year only)", "Answer: @A (1 of 2)", "Answer: @A (is it?)",
    "Answer: @A (@B)", "Answer: @A, i.e. @B", "Answer: @A to @B (Sundays)",
    "Answer: 2001-05-01 to 2001-05-31 (sunday)", "Answer: 2001-05-01 to 2001-05-31 (first sunday)",
    "Answer: 2001-05-01 to 2001-05-31, all are Sundays", "Answer: 2001-05-01 to 2001-05-31 (week)",
    "Answer: 2001-05-01 to 2001-05-31 (both are valid)", "Result: none yet", "Step 1. Dates: @A",
    "The following are wrong:\n\n@A", "Check this.\n\n@A",
    "Is it this one?\n\n@A", "Nothing fits except this.\n\n@A", "It is not this one.\n\n@A", "Answer: 无法确定",
    "答案：不知道", "Answer: 2001-05-[06]", "Answer: [1] @A [2] @B", "Answer: @A [not sure](https://x.org)",
    "Answer: @A\nAnswer: @B\n\nAnswer: none", "Answer: @A\nAnswer: @B and more", "Answer: @A May",
    "Answer: 2001-05-06/2003-01-02", "Answer: none (all dates fit)", "Answer: @A\n\nThe date 20030102 works.",
    "Answer: @A\nTo", "Answer: @A\n\nThe 13th works as well.",
    "Answer: @A\n\nThe next one, a week later, is valid as well.", "Answer: @A\n\nAs is January 2nd, 2003.",
    "Answer: @A\n\nBut it breaks clue 3.", "Answer: @A\n\nPS: @B fits.",
    "Answer: @A\n\nRejected: none. @B included.", "Answer: @A\n\nExcluded: none; @B.", "Answer: @A\n\nThe rest: @B",
    "Answer: @A\n\nThe excluded date @B was wrongly excluded.", "Answer: @A\n\n@B was excluded by mistake.",
    "Answer: @A\n\n@B was excluded. It fits after all.", "Answer: @A\n\n@B was excluded in error.",
    "Answer: @A\n\nI excluded @B wrongly.", "Answer: @A\n\nOn reflection @B is not out of range.",
    "Answer: @A\n\n@B fits, no clue rules it out.", "Answer: none\n\n@A fits all clues.",
    "Answer: none\n\n@A breaks no clue.", "Answer: none\n\n@A doesn't fail anything.",
    "Answer: none\n\n@A never fails.", "Answer: none\n\nOnly @A.",
    "Answer: none\n\n@A is the only date not ruled out.",
    "Answer: none\n\nThe only date that is not excluded is @A.", "Answer: none\n\nAll but @A are excluded.",
    "Answer: none\n\nEverything except 2001-05-06 is excluded.", "Answer: none\n\nEvery date fails except @A.",
    "Answer: none, since every date other than @A fails", "Answer: none (no date besides @A fits)",
    "Answer: none (no other date fits)", "Answer: none\n\nNo date but @A fits.",
    "Answer: none\n\nNo date other than @A fits.", "Answer: none (no date fits except 6 May)",
    "Answer: none (no date is excluded)", "Answer: none (no date violates the clues)",
    "Answer: none (the clues are not contradictory)", "Answer: none, no clue is broken",
    "Answer: none of these (no date given)", "Answer: none (no dates were given)",
    "Answer: none (no dates in the prompt)", "Answer: none (no time to compute)",
    "Answer: none (no tools were available)", "Answer: none (the computation timed out)",
    "Answer: none (the prompt is truncated)", "Answer: none - as an AI model I do not compute dates",
    "Answer: none (all five clues are satisfied)", "Answer: none; the rest follows",
    "Answer: none (since no date was found yet)", "Solution: @A is wrong", "These dates fail: \nDates: @A",
    "The dates that satisfy clue 1 are:\n\n@A", "All Sundays satisfying clue 2:\n\n@A, @B",
    "Result: clue 1.\n\nFine.\n\n@A", "Checking the final clue:\n\n@A",
]  # fmt: skip


@each(
    ("text", "expected"),
    [(text, expected) for texts, expected in (
        (AROUND_BOTH, BOTH), (AROUND_ONE, [D1]), (AROUND_NONE, []), (TOUCHED, None)
    ) for text in texts],
)  # fmt: skip
def test_what_stands_around_a_list(text: str, expected: list[str] | None) -> None:
    text = text.replace("@A", D1).replace("@B", D2).replace("@", f"{D1}, {D2}")
    assert dates(text) == expected
    assert dates(text, "") == expected


RETRACTING = ["Wait, that is wrong.",
              "Scratch that.", "2003-01-02 also fits.", "That's wrong.", "Strike that.",
              "Ignore the above.", "I take that back.", "The real answer is different.", "I am not confident.",
              "None of these work.", "No date fits.", "So there is no date.", "Nothing fits.", "I forgot 2003-01-02.",
              "Another Thursday fits: 2003-01-02.", "This violates clue 2.", "I may have missed some."]  # fmt: skip


@each("said", RETRACTING)
def test_prose_that_retracts_is_found_behind_harmless_prose(said: str) -> None:
    for between in ("\n\n", "\n", "\n\nAll clues hold. ", "\n\n- Clue 1 holds.\n- "):
        assert dates(f"Answer: {D1}{between}{said}") is None
        assert dates(f"Answer:\n- {D1}{between}{said}") is None


@each(
    "said",
    [
        *(
            "Correction: @.",
            "Actually, @.",
            "Sorry, @.",
            "It should be @.",
            "**Edit:** @",
            "Wait, no: @",
        ),
        *(
            "On reflection, that is wrong: @",
            "I made a mistake. The correct answer is @.",
            "Oops — @",
        ),
    ],
)
def test_an_answer_is_what_it_is_revised_to(said: str) -> None:
    for between in ("\n\n", "\n"):
        assert dates(f"Answer: {D1}{between}{said.replace('@', D2)}") == [D2]
        assert dates(f"Answer: {D1}{between}{said.replace('@', 'see above')}") is None
        assert dates(f"Answer: {D1}{between}{said.replace('@', D2)} Or {D1}.") is None


# --------------------------------------------------------------- negatives, crossed with forms

SHOWN = ["2001-05-06", "6 May 2001", "May 6, 2001", "Sunday, May 6, 2001", "2001/05/06", "2001-02-30",
         "2001-05-06, 2003-01-02", "2001-05-06 to 2001-05-08", "none"]  # fmt: skip
NEGATED = ["not @", "never @", "@ is wrong", "@ is excluded", "anything but @", "@ fails", "@?", "@ (rejected)",
           "except @", "@ not", "no: @", "wrong: @", "@ doesn't fit", "@ …", "@ (?)", "I doubt @", "x@",
           "@ if clue 3 is ignored", "@ or later", "@ ± 1 day", "@ does not satisfy clue 2"]  # fmt: skip
MARKS = ["Answer: ", "**Answer:** ", "The answer is ", "Final answer = ", "Answer:\n- ", "\\boxed{", "", "<answer>",
         "## Answer\n\n"]  # fmt: skip


@slow
@each("mark", MARKS)
def test_negated_dates_are_no_answer(mark: str) -> None:
    for negated, shown in product(NEGATED, SHOWN):
        text = (
            mark
            + negated.replace("@", shown)
            + {"\\boxed{": "}", "<answer>": "</answer>"}.get(mark, "")
        )
        assert extract(text, PROMPT) is None, text


# -------------------------------------------------------------------------------- the prompt


def test_the_prompt_repeated_is_no_answer() -> None:
    lines = PROMPT.splitlines()
    quoted = "\n".join(f"> {line}" for line in lines)
    for text in (
        PROMPT, f"{PROMPT}\n", f"{PROMPT}\n\n{PROMPT}", f"Sure:\n\n{PROMPT}", quoted, PROMPT.replace("\n", "\r\n"),
        f"```\n{PROMPT}\n```", "\n".join(lines[-3:]), "\n".join(lines[-2:]), "\n\n".join(lines), f"**{PROMPT}**",
        "I repeat the task.\n" + "\n".join(lines[2:]), PROMPT.upper(), PROMPT[40:], "\n".join(lines[:-1]),
    ):  # fmt: skip
        assert extract(text, PROMPT) is None, text


def test_every_beginning_and_end_of_the_prompt_is_no_answer() -> None:
    for at in range(1, len(PROMPT)):
        assert extract(PROMPT[:at], PROMPT) is None
        if len(PROMPT) - at > 40:
            assert extract(PROMPT[at:], PROMPT) is None


def test_an_answer_behind_the_repeated_prompt_is_read() -> None:
    for said, expected in ((f"{D1}, {D2}", BOTH), ("none", [])):
        for text in (PROMPT, "\n".join(PROMPT.splitlines()[-3:]), "> Clues: none?"):
            assert dates(f"{text}\n\nAnswer: {said}") == expected


def test_an_answer_that_is_a_line_of_the_prompt_is_read() -> None:
    assert dates("No Sunday is left.\n\nAnswer: none") == []


# ----------------------------------------------------------------------------------- cut off


@pytest.mark.parametrize(
    "target", [f"{D1}, {D2}", D1, "none", "1999-12-10, 1999-12-11, 2000-01-20"]
)
def test_a_cut_off_answer_is_read_only_up_to_a_whole_date(target: str) -> None:
    for lead in ("Answer: ", "", "Hm.\n\n**Answer:** "):
        text = lead + target
        for end in range(len(text)):
            if text[end:].strip(" .)\"'") == "":
                continue
            found = dates(text[:end])
            assert found != dates(text)
            assert found is None or text[:end].rstrip(", ").endswith(found[-1])


# ----------------------------------------------------------------------- any set, any writing

MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
          "November", "December")  # fmt: skip
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def _suffix(day: int) -> str:
    return "th" if 10 < day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


FORMATS = [
    lambda d: d.isoformat(),
    lambda d: d.isoformat().replace("-", "/"),
    lambda d: d.isoformat().replace("-", "."),
    lambda d: d.isoformat().replace("-", "\u2011"),
    lambda d: d.isoformat().replace("-", "–"),
    lambda d: d.isoformat().replace("-", "−"),
    lambda d: f"**{d}**",
    lambda d: f"`{d}`",
    lambda d: f'"{d}"',
    lambda d: f"{d}T00:00:00Z",
    lambda d: f"{d} ({WEEKDAYS[d.weekday()]})",
    lambda d: f"{WEEKDAYS[d.weekday()]} {d}",
    lambda d: f"{d.day} {MONTHS[d.month - 1]} {d.year}",
    lambda d: f"{d.day} {MONTHS[d.month - 1][:3]} {d.year}",
    lambda d: f"{MONTHS[d.month - 1]} {d.day}, {d.year}",
    lambda d: f"{MONTHS[d.month - 1][:3]}. {d.day}{_suffix(d.day)} {d.year}",
    lambda d: f"{d.day}{_suffix(d.day)} of {MONTHS[d.month - 1]}, {d.year}",
    lambda d: f"{WEEKDAYS[d.weekday()]}, {MONTHS[d.month - 1]} {d.day}, {d.year}",
    lambda d: f"{d.day:02}-{MONTHS[d.month - 1][:3]}-{d.year}",
    lambda d: f"{d.year}年{d.month}月{d.day}日",
]
SEPARATORS = [
    ", ",
    ",",
    "; ",
    "\n",
    "\n- ",
    "\n* ",
    " and ",
    ", and ",
    " & ",
    ",\n",
    "\n\n",
    " | ",
    "、",
]
MARKERS = ["Answer: ", "**Answer:** ", "Final answer: ", "Answer = ", "The answer is ", "ANSWER：", "Answer:\n",
           "Answer:\n\n- ", "## Answer\n\n", "So the final answer is: ", "Answer:\n1. ", "> Answer: "]  # fmt: skip
WRAPPERS = [
    "@", "Let me see. 2010-10-10 is no Sunday.\n\n@", "<think>Answer: 1900-01-01</think>\n@", "@\n\nThese are all.",
    "Answer: 1900-01-01\n\nI forgot one.\n\n@", "1900-01-01, 1901-01-01\n\n@", "@\n", "@<|im_end|>",
]  # fmt: skip
DAYS = st.dates(date(1000, 1, 1), date(2999, 12, 31))
CASES = st.tuples(
    st.lists(st.tuples(DAYS, st.sampled_from(FORMATS)), max_size=8),
    st.sampled_from(SEPARATORS), st.sampled_from(MARKERS), st.sampled_from(WRAPPERS),
)  # fmt: skip


@settings(max_examples=some(500), deadline=None)
@given(CASES)
def test_any_set_comes_back_from_any_writing(case: tuple) -> None:
    days, separator, marker, wrapper = case
    listed = separator.join(form(day) for day, form in days) if days else "none"
    text = wrapper.replace("@", marker + listed)
    assert dates(text) == sorted({day.isoformat() for day, _ in days}), text


def test_every_format_with_every_separator_and_marker() -> None:
    days = [date(1999, 12, 31), date(2000, 2, 29), date(2001, 5, 6)]
    expected = [str(day) for day in days]
    written = [*product(FORMATS, SEPARATORS, MARKERS)]
    for form, separator, marker in random.Random(5).sample(written, some(len(written))):
        text = marker + separator.join(map(form, days))
        assert dates(text) == expected, text


@settings(max_examples=some(200), deadline=None)
@given(st.text(max_size=200))
def test_any_text_at_all_is_read_without_failing(text: str) -> None:
    for said in (
        text,
        f"Answer: {text}",
        f"{text}\nAnswer: {D1}",
        f"\\boxed{{{text}}}",
        f'{{"answer": {text}}}',
    ):
        answer = extract(said, PROMPT)
        if answer is not None:
            assert all(date.fromisoformat(day) for day in answer.dates)
            assert len(answer.quote) <= 120


def test_random_pieces_in_a_row_are_read_without_failing() -> None:
    rng = random.Random(4)
    pieces = [*MARKERS, *SEPARATORS, D1, D2, "none", "\\boxed{", "}", "<think>", "</think>", "[", '"answer": ', "|",
              "{", "not", "March 4", "1999", "to", "~~", "```", "\n", "(", ")", "wait"]  # fmt: skip
    for _ in range(some(3_000)):
        extract("".join(rng.choices(pieces, k=rng.randrange(1, 12))), PROMPT)


# --------------------------------------------------------------------- surroundings and bounds


def test_the_locale_does_not_matter() -> None:
    before = locale.setlocale(locale.LC_ALL)
    available = []
    for name in ("de_DE.UTF-8", "tr_TR.UTF-8", "ja_JP.UTF-8", "C.UTF-8", "C"):
        try:
            locale.setlocale(locale.LC_ALL, name)
        except locale.Error:
            continue
        available.append(name)
        try:
            assert dates("ANSWER: 6 MAY 2001, JANUARY 2ND, 2003") == BOTH
            assert dates("Answer: 6 mayıs 2001") == [D1]
            assert dates("Answer: 6 tháng 5 2001") is None
        finally:
            locale.setlocale(locale.LC_ALL, before)
    assert available


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC"])
def test_the_time_zone_does_not_matter(zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", zone)
        time.tzset()
        assert dates(f"Answer: {D1}T00:00:00Z, January 2, 2003") == BOTH
        assert dates("Answer: May 6") is None
    time.tzset()


def test_of_a_long_text_only_the_end_is_read() -> None:
    filler = "word " * (MAX_TEXT // 5)
    assert dates(f"{filler}\nAnswer: {D1}") == [D1]
    assert dates(f"Answer: {D1}\n{filler}") is None
    assert dates(f"<think>{filler}</think>Answer: {D1}") == [D1]
    assert dates(f"<think>{filler}\nAnswer: {D1}") is None
    # The cut falls directly before a word that would be a marker at the start of a line.
    tail = f"answer: {D1}"
    assert dates("a " * MAX_TEXT + tail + " " * (MAX_TEXT - len(tail))) is None


@slow
@pytest.mark.parametrize(
    "text",
    [*HUGE, *(phrase * max(1, 30_000 // len(phrase)) for phrase in (
        "Answer: 2001-05-06, ", "the answer is ", "the answer is none\n", '{"answer": [', "\\boxed{2001-05-06} ",
        "4 March, ", "none, ", "2001-05-06\n", "| 1 | 2001-05-06 |\n", "no such valid ", "1) ", "- ", "( ", "~~x",
        "Answer: 2001-05-06\n", "none (no ", "none, because " + " " * 90_000,
                    "[a](https://x", "May 6 is out. ",
        "(the ", "Result: ", "```\nanswer = []\n", "Fine. ", "[1]", "1. \\boxed{2001-05-06}\n",
                    "<think>", "</think>",
        "human: ", "\\text{", "Answer: YYYY\nor\n", "the only possible ", "[ ] ", "x" + "\x00" * 30_000 + "x"))],
    ids=lambda text: ascii(text[:14]),
)  # fmt: skip
def test_long_texts_take_no_time(text: str) -> None:
    with within(1):  # 0.01 to 0.1 s; quadratic reading takes two and more
        for said in (text, f"Answer: {text}", f"Answer: {D1}\n{text}", f"{text}\nAnswer: {D1}"):
            extract(said, PROMPT)


def test_a_mark_far_into_a_line_does_not_begin_it() -> None:
    assert dates("the " * 20 + f"answer: {D1}") == [D1]
    for words in (20, 29, 30, 31, 60, 1_000):
        assert dates("no " + "the " * words + f"answer: {D1}") is None


def test_the_quote_is_what_the_answer_was_read_from() -> None:
    answer = extract(f"2010-10-10 is no Sunday.\n\n**Answer:** {D1}, {D2}\n\nThese are all.")
    assert answer is not None
    assert answer.quote == f"Answer:{D1}, {D2}"
    long = extract("Answer: " + ", ".join([D1] * 50))
    assert long is not None
    assert len(long.quote) <= 120


def test_of_a_line_of_the_prompt_that_holds_another_one_nothing_stays():
    # In whatever order a set has them: that of texts is another one in every process.
    lines = ["The year is one of the ten years from 1990 to 1999" + " or so" * n for n in range(6)]
    for line in lines:
        assert "or so" not in plain(f"Let me see.\n{line}\nAnswer: none", "\n".join(lines))


@each(
    "text, reason",
    [
        ("", "no answer is stated"),
        (f"{D1} it may be", "no answer is stated"),
        (
            f"Answer: {D1} or {D2}",
            "what is marked as the answer is no list of dates, or is taken back",
        ),
        (f'{{"answer": ["{D1}", 5]}}', "the JSON answer is no list of dates, or is taken back"),
    ],
)
def test_what_is_not_read_has_a_reason(text: str, reason: str) -> None:
    assert extraction.extract(text, PROMPT) == reason


@each(
    ("text", "expected"),
    [
        ("Answer: 06.05.2001", [D1]), ("Answer: 6. Mai 2001", [D1]), ("Answer: 6 maggio 2001", [D1]),
        ("Resposta: 6 de maio de 2001", [D1]), ("Antwoord: 6 mei 2001", [D1]), ("Ответ: 6 мая 2001 года", [D1]),
        ("정답: 2001년 5월 6일", [D1]), ("Antwort: keine", []), ("Réponse : aucune", []), ("정답: 없음", []),
        (f'final_answer(["{D1}", "{D2}"])', BOTH), (f"The only date that satisfies all clues is {D1}.", [D1]),
        (f"So the only dates are {D1} and {D2}.", BOTH), ("The date is May 6, 2001.", [D1]),
        (f"The dates that satisfy all clues are {D1} and {D2}.", BOTH),
        (f"Answer: {D1}.\nExplanation: it is a Sunday after 2000-01-01.", [D1]),
        (f"Answer: {D1}.\nExplanation: {D2} fits, too.", None), (f"The possible dates are {D1} and {D2}.", None),
        (f"The dates that satisfy clue 1 are {D1} and {D2}.", None), (f"The date is not {D1}.", None),
        ("Answer: 05.13.2001.2", None), (f"Answer: {D1}.\nExplanation: wait, that is wrong.", None),
    ],
)  # fmt: skip
def test_dates_and_words_of_more_languages_and_more_ways_to_state_them(
    text: str, expected: list[str] | None
) -> None:
    assert dates(text) == expected


# What each of these says, in the words of many languages or in a sentence (@A, @B)
SAID = [
    (
        None,
        [
            "If clue 3 is dropped, no date satisfies all clues.",
            "Perhaps no date satisfies all clues.",
            "I doubt that no date satisfies all clues.",
            "It is not true that no date satisfies all clues.",
            "No date satisfies clue 3.",
            "No date in 2001 satisfies all clues.",
            "No date satisfies all clues except @A.",
            "No date satisfies all clues?",
            "No date seems to satisfy all the clues.",
            "No date but @A or @B satisfies all clues.",
            "No date other than perhaps @A satisfies all clues.",
            "The only date is @A or @B.",
            "Die einzige Lösung ist nicht der 6. Mai 2001.",
            "Die einzige Lösung ist der 6. Mai 2001 oder der 2. Januar 2003.",
            "La única fecha es el 6 de mayo de 2001 o el 2 de enero de 2003.",
            "Resposta: 6 de maio de 2001 o 2 de janeiro de 2003",
            "Antwort: weder 6. Mai 2001 noch 2. Januar 2003",
            "Antwort: 6. Mai 2001 oder 2. Januar 2003",
            "Antwort: nicht 6. Mai 2001",
            "Antwort: keine Ahnung",
            "Antwort: kein Zugriff",
            "Réponse : aucune idée",
            "答案:没有办法确定",
            "答案:无法确定",
            "答案：没有工具",
            "Ответ: нет данных",
            "Ответ: не 6 мая 2001",
            "Ответ: 6 мая 2001 или 2 января 2003",
            "Cevap: bilmiyorum",
            "उत्तर: पता नहीं",
            "الإجابة: لا أعرف",
            "الإجابة: لا",
            "Yanıt: 6 Mayıs 2001 veya 2 Ocak 2003",
            "Answer: @A (@B is not excluded)",
            "Answer: @A (@B fails only clue 3?)",
            "Answer: @A (@B was wrongly excluded)",
            "Answer: none (@A fails no clue)",
            "Answer: none (but @A is not far off)",
            "Answer: @A (@A is not certain)",
            "Answer: @A (2003 does not fail)",
            "Answer: @A, not @A",
            "Answer: @A, not sure",
            "Answer: @A and not only @B",
            "Answer: @A, not necessarily @B",
            "Answer: May 6 of 2001, 2002 or 2003",
            "Answer: May 6 in 2001 and maybe 2003",
            "Answer: every May 6 from 2001",
            "Answer: every May 6",
            "Answer: every May 6 from 2001 to 2003 except 1999",
            "Answer: every May 6 from 2001 to 2003 or so",
            "Answer: May 6 2001 to 2003",
            "Answer: @A\n\nFinal: not @A.",
            "Answer: @A\n\nFinal: @A or @B",
            "Final: I do not know",
            "Final: see above",
            "Answer: @A. No other dates satisfy all clues; I also checked @B, and it fits.",
            "Answer: @A. I also checked @B.",
            "Answer: @A\n\nI also: @B to @B.",
            "Answer: @A\n\nSecond date: @B to @B.",
            "My own answer, if clue 3 holds, is @A.",
            "My own answer, however, is not @A.",
            "/* Answer: @A */ I do not know",
            "Exactly two dates: @A or @B",
            "Exactly one date: not @A",
            "If clue 3 holds, this leaves exactly one: @A.",
            "<solution>I do not know</solution>",
            "The set of solutions is not empty.",
            "The set of solutions is empty if clue 3 holds.",
            "Is it true that the set of solutions is empty.",
            "The set of solutions is not @A.",
            "The set of solutions contains @A or @B.",
            "Answer: @A (11th or 12th lunar month)",
            "Answer: @A (the 13th fits)",
            "Answer: @A 🤔",
            "Answer: @A 👎",
            "Answer: @A 🚫",
            "Answer: @A [1]\n\n[1] @B",
            "Answer: no other date",
            "Answer: no others",
            "Answer: und",
            "Answer: i",
            "Answer: none other than a guess",
            "Answer: none other than @A or @B",
            "Answer: no date but one",
            "Answer: see the list above",
            "Answer: 1er mai 2001?",
            "Answer: not every May 6 from 2001 to 2003",
            "Answer: @A or @B, so only @A remains.",
            "Answer: @B, so @A remains possible",
            "Answer: @A [1]\n\n[1] @B",
        ],
    ),
    (
        BOTH,
        [
            "Antwort: der 6. Mai 2001 (Sonntag) und der 2. Januar 2003 (Donnerstag)",
            "Svar: 6. mai 2001 og 2. januar 2003",
            "Réponse : dimanche 6 mai 2001 et jeudi 2 janvier 2003",
            "Only two dates remain: @A and @B",
            "<solution>\n<date>@A</date>\n<date>@B</date>\n</solution>",
        ],
    ),
    (
        [D1],
        [
            "Vastaus: 6. toukokuuta 2001",
            "Válasz: 2001. május 6.",
            "Răspuns: 6 mai 2001",
            "Jawaban: 6 Mei 2001",
            "Odpověď: 6. května 2001",
            "Απάντηση: 6 Μαΐου 2001",
            "答案：2001年5月6日，没有其他日期",
            "Antwort: 6. Mai 2001 (keine weiteren)",
            "Answer: @A, no others.",
            "唯一的日期是2001年5月6日。",
            "唯一满足所有条件的日期是2001年5月6日。",
            "L'unica data che soddisfa tutti gli indizi è il 6 maggio 2001.",
            "La seule date qui satisfait à toutes les conditions est le 6 mai 2001.",
            "Das einzige Datum, das alle Hinweise erfüllt, ist der 6. Mai 2001.",
            "De enige datum die aan alle voorwaarden voldoet is 6 mei 2001.",
            "Answer: ۲۰۰۱-۰۵-۰۶",
            "उत्तर: २००१-०५-०६",
            "Answer: @A (@B is a Thursday, not a Sunday)",
            "Answer: @A (2003 fails clue 2)",
            "Answer: @A, but not @B.",
            "Answer: no date other than @A",
            "Final: @A",
            "Updated answer: @A",
            "Corrected answer: @A",
            "정답: 2001년 5월 6일 (다른 날짜는 없습니다)",
            "Answer: @A (5th lunar month)",
            "Answer: @A and @B, but @B fails clue 2, so only @A remains.",
            "Answer: @A [1]\n\n[1] Almanac of @B",
            "/* not @B */ Answer: @A",
        ],
    ),
    (
        [],
        [
            "Réponse : aucune",
            "Réponse : aucune solution",
            "Es gibt keine Lösung, die alle Bedingungen erfüllt.",
            "Aucune date ne satisfait à toutes les conditions.",
            "No hay ninguna fecha que cumpla todas las pistas.",
            "Ninguna fecha cumple todas las pistas.",
            "Nessuna data soddisfa tutti gli indizi.",
            "Nenhuma data satisfaz todas as pistas.",
            "Geen enkele datum voldoet aan alle aanwijzingen.",
            "没有任何日期满足所有线索。",
            "Thus there is no date that satisfies all clues.",
            "There are no dates that meet all the conditions.",
            "Hence, zero dates fit all of the clues.",
            "Odpowiedź: żadna",
            "Odpověď: žádné datum",
            "Cevap: böyle bir tarih yok",
            "Ответ: ни одной даты",
            "Ответ: таких дат нет.",
            "الإجابة: لا يوجد تاريخ",
            "答え：該当する日はない",
            "答え:該当なし。",
        ],
    ),
    (
        ["2001-05-06", "2003-05-06"],
        [
            "Answer: 6 May of 2001 and 2003",
        ],
    ),
    (
        ["2001-05-06", "2002-05-06", "2003-05-06"],
        [
            "Answer: May 6, in each year from 2001 to 2003",
        ],
    ),
]


@each(
    ("text", "expected"),
    [(text, expected) for expected, texts in SAID for text in texts],
)
def test_sentences_and_words_of_many_languages(text: str, expected: list[str] | None) -> None:
    assert dates(text.replace("@A", D1).replace("@B", D2)) == expected
