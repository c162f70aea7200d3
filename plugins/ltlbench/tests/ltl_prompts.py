"""Two problems, a plain one and one with every operator, and all their prompts that state rules."""

from harness_ltlbench.wording import write

RULED = ("must", "can")
BARE = ("published", "paper")
WORDINGS = (*RULED, *BARE)
TASKS = ("decide", "counterexample")

PROBLEM = {
    "task": "decide",
    "events": 3,
    "initial": 3,
    "edges": [[1, 2], [1, 3], [3, 1], [3, 2]],
    "formula": ["->", 1, ["G", ["F", 2]]],
}
RICH = {
    "task": "counterexample",
    "events": 4,
    "initial": 2,
    "edges": [[1, 1], [1, 4], [2, 3], [4, 1], [4, 2], [4, 3]],
    "formula": [
        "|",
        ["U", ["!", 1], ["W", ["X", 2], 3]],
        ["&", ["R", 1, ["G", 2]], ["->", ["M", 3, 4], ["F", ["X", ["G", ["!", 1]]]]]],
    ],
}

# as printed in the paper, of PROBLEM
LISTING = """=== Context ===

Initially, event3 happened. After event1, event2 can happen. After event1, event3 can
happen. After event2, no other events can happen. After event3, event1 can happen. After
event3, event2 can happen.

=== Hypothesis ===

C1: Event2 will happen eventually.
C2: C1 will always be true at any future time.

C3: That event1 happens implies that C2 holds.

C3 is True or False? Answer with "True" or "False" directly:
"""


def prompts():
    return [write(dict(p, task=t), w) for p in (PROBLEM, RICH) for t in TASKS for w in RULED]
