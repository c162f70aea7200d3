"""Two problems, a plain one and one with every operator, and all prompts of them."""

from harness_ltlbench.wording import write

WORDINGS = ("must", "can")
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


def prompts():
    return [write(dict(p, task=t), w) for p in (PROBLEM, RICH) for t in TASKS for w in WORDINGS]
