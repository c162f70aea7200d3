"""Reading long replies: the worst time for a megabyte of the same thing, over and over, and for ten.

    python benchmarks/long_answers.py [only=PLUGIN]

CPU time of scoring one reply of each filling, the best of three. A reader that is linear takes ten times as long for
ten times as much, or less, as of long replies only the end is looked at.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import harness
from harness.core.items import Item
from harness.core.plugins import registry

MEGABYTE = 1_000_000
GOALS = {1: 0.1, 10: 1.0}  # seconds by megabytes
SHOWN = 6
FILLINGS = (
    "a", " ", "\n", "\t\n", "0", "a b ", "word\n", "Answer: ", "Answer: \n", "Answer: True ", "answer is ",
    "the answer is not ", "Final answer\n", "<think>", "</think>", "<think>a</think>", "<|channel|>analysis",
    "<answer>", "</answer>", "<b>", "<br", "<a ", "</", "\\boxed{", "\\boxed{a}", "\\text{", "\\", "\\\\[", "$",
    "$$ ", "{", "}", "{}", "[", "]", "(", ")", "()", '{"a":', '{"answer": "', '{"step_0": 1}', '"', "'", "['",
    "```\n", "```json\n{}\n", "~~", "~~a", "**", "*a", "_a", "_a_ ", "`", "`a` ", "#", "# a\n", "> ", ">",
    "- a\n", "| a ", "| a |\n", "|--", "---\n", "===\n", "=== a ===\n", "True ", "False or ", "not ", "True. ",
    "C3 is true. ", "if ", "because ", "Actually, no: ", "Alternatively, ", "wait ", "No, ", "or ", "?",
    "Human: \n", "user:\n", "&amp;", "&", "&#65;", "\uff21", "\u200b", "\u0430b ", "\u202e", "“", "…",
    "[x](http://a", "[1]", "[^1]", "[^1]: a\n", "【1†a】", "http://a ", "1999-01-01", "1999-01-01, ",
    "1999-01-01 and ", "May 5, 1999 ", "5 May 1999; ", "(a Monday) ", "none ", "event1, ", "event1 -> ",
    "(event1)", "event", "[ ] True ", "(x) False ", "{event1, event2} ", "G (", "G ", "! ", "a -> ", "a & ",
    "prop_1 U ", "always ", "X[3] ", "where a is b ", "Let p = a; ", "let a = b, ", "LTLSPEC ", "ltl p {",
    "satisfied ", "violated. ", "prop_1: a\n", "step 1: a\n", "at step 0: ", '"0": ["a"], ', "a or b, ",
    "no constraints ", "// ", "/* ", "# ", "\r", "\r\n", "\x00", "\x85", "\ud800", "é", "答案：", "真",
    "the answer ", "Formula: ", "Task: a\n", "Answer: True ~~~~\n", "; :$Reasoning:\n", "a├b", "answer: a\nunsure ",
    "1999-01-01 and step 0: answer \\boxed{a}\\text{</answer>", "```yaml\na: &a b\n```", "| 0 | a |\n|---|---|\n",
)  # fmt: skip
SETTINGS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("ltlbench", {}),
    ("ltlbench", {"task": "counterexample"}),
    *(("timepuzzles", {"language": language}) for language in ("en", "de", "es", "zh")),
    *(
        ("timepuzzles", {"task": "convert", "calendars": [calendar, "gregorian"]})
        for calendar in ("ordinal", "iso_week", "hebrew", "islamic", "chinese")
    ),
    *(("vltl", {"task": task}) for task in ("end_to_end", "translate", "lift", "ground", "verify")),
    *(
        ("vltl", {"task": task, "semantics": "ltlf"})
        for task in ("end_to_end", "translate", "verify")
    ),
    *(("tempobench", {"task": task}) for task in ("tce", "min", "tte", "sim")),
)


def seconds(item: Item, filling: str, megabytes: int) -> float:
    """Return the time to score so much of a filling, best of three, alone or with an answer behind it."""
    plugin = registry().get(item.plugin)
    reply = filling * (megabytes * MEGABYTE // len(filling))
    worst = 0.0
    for completion in (reply, f"{reply}\nAnswer: x"):
        best = 9e9
        for _ in range(3):
            start = time.process_time()
            plugin.call("score", item=item, completion=completion)
            best = min(best, time.process_time() - start)
        worst = max(worst, best)
    return worst


def main() -> None:
    """Print the slowest fillings of each benchmark, and whether the goals are met."""
    only = dict(word.partition("=")[::2] for word in sys.argv[1:]).get("only")
    worst = dict.fromkeys(GOALS, 0.0)
    for name, config in SETTINGS:
        if only not in (None, name):
            continue
        item = next(harness.stream(name, config))
        fillings = [*FILLINGS, *(f"{line}\n" for line in item.prompt.splitlines() if line.strip())]
        rows = sorted(((seconds(item, filling, 1), filling) for filling in fillings), reverse=True)
        worst[1] = max(worst[1], rows[0][0])
        print(f"\n{name} {config or ''}")
        for took, filling in rows[:SHOWN]:
            ten = seconds(item, filling, 10)
            worst[10] = max(worst[10], ten)
            print(
                f"  {filling[:30]!a:32} {took * 1000:5.0f} ms, ten times as much {ten * 1000:5.0f} ms"
            )
    for size, goal in GOALS.items():
        print(f"\n{size} MB: {worst[size]:.2f} s at most, the goal is {goal:g} s", end="")
    print()


if __name__ == "__main__":
    main()
