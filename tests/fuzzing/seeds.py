"""Real items, and valid texts made of them, for targets to begin with."""

import json
from functools import cache

from fuzzing.mutation import data_of
from harness.core import fresh
from harness.core.plugins import registry
from harness.core.spec import make

# What each plugin can be asked; a target of answers each.
ASKED = {
    "ltlbench_decide": ("ltlbench", {"task": "decide", "logic": "full"}),
    "ltlbench_default": ("ltlbench", {}),
    "ltlbench_counterexample": ("ltlbench", {"task": "counterexample", "wording": "can"}),
    "timepuzzles_implicit": ("timepuzzles", {}),
    "timepuzzles_explicit": ("timepuzzles", {"mode": "explicit", "extra": ["all"]}),
    "timepuzzles_convert": ("timepuzzles", {"task": "convert"}),
    "vltl_lift": ("vltl", {"task": "lift"}),
    "vltl_translate": ("vltl", {"task": "translate"}),
    "vltl_ground": ("vltl", {"task": "ground"}),
    "vltl_end_to_end": ("vltl", {"task": "end_to_end", "scenario": "search_and_rescue"}),
    "vltl_verify": ("vltl", {"task": "verify"}),
    "tempobench_tce": ("tempobench", {"task": "tce"}),
    "tempobench_full": ("tempobench", {"task": "tce", "label": "full", "notation": "prose"}),
    "tempobench_tte": ("tempobench", {"task": "tte", "notation": "table"}),
}
PLUGINS = ("ltlbench", "timepuzzles", "vltl", "tempobench")
COUNT = 4  # items of each kind


def plugin(name):
    return registry().get(name)


@cache
def items(kind, count=COUNT):
    name, config = ASKED[kind]
    return tuple(fresh.items(plugin(name), make(plugin(name), {"n": count, **config})))


def kinds(name):
    return [kind for kind, (own, _) in ASKED.items() if own == name]


def all_items(name):
    return [item for kind in kinds(name) for item in items(kind)]


@cache
def records(name, form):
    """Return records of a published format that say our items, as far as it can say them."""
    found = (
        plugin(name).call("publish", item=one, format=form, record={}) for one in all_items(name)
    )
    return [record for record in found if record is not None]


def answers(kind):
    """Return completions that state the targets of items in the ways of models, and other answers."""
    found = []
    for at, item in enumerate(items(kind)):
        gold = item.target
        texts = [
            gold,
            f"Answer: {gold}",
            f"Let me think about it.\nFirst, this. Then, that.\n\n**Answer:** {gold}\n",
            f"<think>Is it {gold[::-1]}?</think>\n\nSo the final answer is `{gold}`.",
            f"```json\n{json.dumps({'answer': gold})}\n```",
            f"\\boxed{{{gold}}}",
            f"Answer: maybe {gold}\n\nNo, wait.\n\nAnswer: {gold} (as shown above)",
            f"The answer is\n\n{gold}\n\nExplanation: clue 1 holds, (a) and {{b}}, too.",
        ]
        if gold.startswith("{"):
            texts += [
                json.dumps(json.loads(gold), indent=2),
                f"Here:\n```json\n{gold}\n```\nAccepted: yes",
            ]
        texts += plugin(item.plugin).benchmark.choices_for(item.features)
        explained = plugin(item.plugin).call("explain", item=item)
        texts += [f"{explained}\n\nAnswer: {gold}"] if explained else []
        found += [bytes([at]) + data_of(text) for text in texts]
    return found
