"""A benchmark with every hook, in which it does what HARNESS_TOY_FAULT says: ``hook=fault[@index],…``.

The name reaches guarded workers, too.
"""

import math
import os
import sys
import time
import warnings
from dataclasses import replace
from functools import wraps
from signal import ITIMER_REAL, SIG_DFL, SIGALRM, getitimer, getsignal, setitimer

from toy_defects import Publishing, Staged, Telling, Traced

from harness import Item, Shortcut, Verdict, hookimpl
from harness.core import limits


def fail(error):
    raise error


def hurry():
    """Have a time limit that is long enough for honest hooks end now: this one will not return."""
    if getitimer(ITIMER_REAL)[0] > 60 and getsignal(SIGALRM) is limits._ring:
        setitimer(ITIMER_REAL, 0.01, 1)


def spin(*caught):
    hurry()
    while True:
        try:
            time.sleep(0.001)
        except caught:
            continue


def swallowed():
    try:
        spin()
    except BaseException:
        return Verdict("unparsed", {"correct": 0.0})


def deep():
    return deep()


def verdict(outcome="scored", correct=1.0, answer="one", explanation="", **extra):
    return Verdict(outcome, {"correct": correct}, answer, explanation, extra)


class Hostile:
    """An answer that is no string, and fails whoever looks at it."""

    @property
    def __class__(self):
        raise KeyError("none of your business")


class SpeechlessError(Exception):
    def __str__(self):
        raise ValueError("no words")


# Instead of the hook.
FAULTS = {
    "raise": lambda: fail(KeyError("slip\nof the pen")),
    "exit": lambda: sys.exit("bye"),
    "recursion": deep,
    "memory": lambda: fail(MemoryError()),
    "cancel": lambda: fail(__import__("asyncio").CancelledError("all")),
    "speechless": lambda: fail(SpeechlessError()),
    "loop": spin,
    "stubborn": lambda: spin(Exception),
    "sleep": lambda: time.sleep(1_000),
    "swallow": swallowed,
    "none": lambda: None,
    "number": lambda: 3,
    "text": lambda: "three",
    "set": lambda: {1, 2},
    "nan": lambda: math.nan,
    "numbers": lambda: [1, 2],
    "minus": lambda: -1,
    "nan_value": lambda: verdict(correct=math.nan),
    "inf_value": lambda: verdict(correct=math.inf),
    "huge_value": lambda: verdict(correct=10**400),
    "text_value": lambda: verdict(correct="1.0"),
    "other_keys": lambda: Verdict("scored", {"right": 1.0}, "one"),
    "no_value": lambda: Verdict("scored", None, "one"),
    "outcome": lambda: verdict("wrong"),
    "paid": lambda: verdict("unparsed", 0.5),
    "number_answer": lambda: verdict(answer=1),
    "hostile_answer": lambda: verdict(answer=Hostile()),
    "number_explanation": lambda: verdict(explanation=3),
    "half_explanation": lambda: verdict(explanation="\ud800"),
    "outcome_fact": lambda: Verdict("unscored", {}, extra={"outcome": "scored"}),
    "nan_fact": lambda: verdict(length=math.nan),
}


def noise():
    print('{"broken": ')
    warnings.warn("this is deprecated", DeprecationWarning, stacklevel=2)


# To the item that the hook returns.
SPOILT = {
    "nan_problem": lambda item: replace(item, problem={"a": math.nan}, id="x"),
    "nan_feature": lambda item: replace(item, features={"digits": math.nan}),
    "nan_certificate": lambda item: replace(item, certificate=[math.nan]),
    "set_note": lambda item: replace(item, notes={"a": {1}}),
    "half_feature": lambda item: replace(item, features={"digits": "\ud800"}),
    "half_prompt": lambda item: replace(item, prompt="\ud800", id="x"),
    "number_prompt": lambda item: replace(item, prompt=3),
    "number_target": lambda item: replace(item, target=3),
    "list_features": lambda item: replace(item, features=["digits"]),
    "list_notes": lambda item: replace(item, notes=["digits"]),
    "number_family": lambda item: replace(item, family=7),
    "word_family": lambda item: replace(item, family="siblings"),
    "deep_problem": lambda item: replace(item, problem=nested(20_000), id="x"),
    "huge": lambda item: replace(item, certificate="x" * 10_000_000),
    "same": lambda item: replace(item, problem={"a": 1, "b": 1}, prompt="p", target="two", id=""),
    "foreign_id": lambda item: replace(item, id="0123456789abcdef0123"),
}


def nested(depth):
    found = []
    for _ in range(depth):
        found = [found]
    return found


class Faulty(Traced, Telling, Staged, Publishing):
    def hooks(self):
        own = ("trace", "prove", "shortcuts", "shortcut")
        hooks = super().hooks() | {hook: getattr(self, hook) for hook in own}
        return {name: spoiling(name, hook) for name, hook in hooks.items()}

    @hookimpl
    def trace(self, item):
        return f"{self.explain(item)}\nAnswer: {item.target}"

    @hookimpl
    def prove(self, item):
        return {"sum": item.target}

    @hookimpl
    def shortcuts(self):
        return (Shortcut("first", "It answers with the first number.", "the second number"),)

    @hookimpl
    def shortcut(self, item, name, rng):
        return f"Answer: {item.problem['a']}"


def spoiling(name, hook):
    @wraps(hook)
    def spoilt(*arguments):
        told = os.environ.get("HARNESS_TOY_FAULT", "").split(",")
        kind, _, index = dict(one.split("=") for one in told if one).get(name, "").partition("@")
        at = [one.index for one in arguments if isinstance(one, Item)]
        at += [arguments[1]] if name == "generate" else []
        # The floors judge the items, too, and say no more than the answer.
        asked = name != "score" or arguments[1].startswith("Derived")
        if not kind or (index and (at != [int(index)] or not asked)):
            return hook(*arguments)
        if kind == "noise":
            noise()
            return hook(*arguments)
        return SPOILT[kind](hook(*arguments)) if kind in SPOILT else FAULTS[kind]()

    return spoilt


def alarm():
    """What a hook sees of the alarm of the guarded worker that it is called in."""
    return [getsignal(SIGALRM) is SIG_DFL, getitimer(ITIMER_REAL)[0] > 0]


def watched():
    """The same before, within and after the call of a hook."""
    within = []
    limits.call(lambda: within.extend(alarm()), {}, 60)
    return [*alarm(), *within, *alarm()]


globals().update(Faulty("toy_faulty").hooks())
