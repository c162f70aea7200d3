"""Records of `harness prove` with one thing changed: in the prompt, the label or the certificate."""

import csv
import io
import json
import re
from functools import cache
from random import Random

import vltl_changes
from cases import SHARE
from harness_proof import outcome

from harness.core import fresh
from harness.core.plugins import registry
from harness.core.spec import make

SETTINGS = (
    ("ltlbench", {"n": 20}),
    ("ltlbench", {"n": 12, "logic": "full", "operators": 8}),
    ("ltlbench", {"n": 8, "preset": "paper"}),
    ("ltlbench", {"n": 8, "wording": "can"}),
    ("ltlbench", {"n": 8, "task": "counterexample"}),
    ("tempobench", {"n": 16}),
    ("tempobench", {"n": 8, "label": "per_step"}),
    ("tempobench", {"n": 8, "task": "tte"}),
    ("tempobench", {"n": 8, "task": "sim"}),
    ("tempobench", {"n": 8, "task": "min"}),
    ("timepuzzles", {"n": 16}),
    ("timepuzzles", {"n": 8, "mode": "explicit"}),
    ("vltl", {"n": 16, "task": "verify", "depth": 2}),
    *(("vltl", {"n": 8, "task": task, "depth": 2}) for task in ("lift", "ground")),
    *(("vltl", {"n": 12, "task": task}) for task in ("translate", "end_to_end")),
)
OTHERS = (
    ("tempobench", {"n": 8, "notation": "table", "unseen": 1}),
    ("tempobench", {"n": 8, "notation": "prose", "effects": "window"}),
    ("tempobench", {"n": 8, "task": "tte", "hoa": "numbers", "unseen": 1}),
    ("tempobench", {"n": 8, "task": "sim", "wording": "narrative"}),
    ("tempobench", {"n": 8, "wording": "narrative", "effects": "combined"}),
    ("tempobench", {"n": 8, "task": "min", "wording": "narrative", "start": "unknown"}),
    ("tempobench", {"n": 8, "start": "unknown", "unseen": 2}),
    ("tempobench", {"n": 8, "contingencies": True}),
    ("tempobench", {"n": 8, "task": "min", "contingencies": True, "wording": "narrative"}),
    ("timepuzzles", {"n": 24, "task": "convert"}),
    *(
        ("timepuzzles", {"n": 12, "task": "convert", "language": name})
        for name in ("de", "es", "zh")
    ),
    ("timepuzzles", {"n": 12, "extra": ["all"], "clues": "7"}),
    ("timepuzzles", {"n": 6, "language": "de", "extra": ["all"]}),
    ("timepuzzles", {"n": 6, "language": "es", "mode": "explicit"}),
    ("timepuzzles", {"n": 6, "language": "zh"}),
    ("vltl", {"n": 12, "task": "verify", "semantics": "ltlf"}),
    ("vltl", {"n": 8, "task": "end_to_end", "depth": 2, "semantics": "ltlf"}),
    ("vltl", {"n": 8, "task": "translate", "style": "timed"}),
    ("vltl", {"n": 8, "task": "ground", "world": "full", "scenario": "traffic_light"}),
)
"""Variants of tempobench, timepuzzles and vltl."""
ADDED = ("contrast", "walk")
"""What certificates of ltlbench say beside the label."""
_SIGNS = ((r"[!&|]|<->|->", ("!", "&", "|", "->")), (r"\b[XFGURWM]\b", tuple("XFGURWM")))


ITEMS = min(SHARE, 4)  # of so many of a setting one is looked at
CHANGES = SHARE // ITEMS  # of so many of its changes one


def some_records(path):
    """Return the text of a published table, of whose records one in so many stays."""
    with path.open(newline="", encoding="utf-8-sig") as file:
        head, *rows = csv.reader(file)
    text = io.StringIO()
    csv.writer(text).writerows([head, *rows[::SHARE]])
    return text.getvalue()


def records(of=SETTINGS):
    """Yield the records of some items of each setting."""
    for name, settings in of:
        yield from _records(name, json.dumps(settings))


@cache
def _records(name, settings):
    """Return them; several tests look at the same, and none changes them."""
    plugin, found, given = registry().get(name), [], json.loads(settings)
    given["n"] = max(given["n"] // ITEMS, 2)
    for item in fresh.items(plugin, make(plugin, given)):
        proof = json.loads(json.dumps(plugin.call("prove", item=item)))
        found.append({"plugin": name, "prompt": item.prompt, "target": item.target, "proof": proof})
    return found


def tried(of=SETTINGS):
    """Yield every record of the settings, what of it was changed, the new one, and what comes of that."""
    for name, settings in of:
        yield from _tried(name, json.dumps(settings))


@cache
def _tried(name, settings):
    """Return them; both checkers are asked of the same."""
    return [
        (record, what, new, outcome(new)[0])
        for record in _records(name, settings)
        for what, new in [*changed(record, Random(0))][::CHANGES]
    ]


def changed(record, rng):
    """Yield the record with one thing changed, each time with the name of what it is."""
    yield from ((what, new) for what, new in _changes(record, rng) if new != record)


def _changes(record, rng):
    if record["proof"] is not None:
        yield from (
            ("proof", {**record, "proof": proof}) for proof in _proofs(record["proof"], rng)
        )
    label = record["target"]
    if label in ("True", "False", "satisfied", "violated"):
        other = {"True": "False", "False": "True", "satisfied": "violated", "violated": "satisfied"}
        yield "label", {**record, "target": other[label]}
    for target in _texts(label, rng, 2):
        yield "label", {**record, "target": target}
    for prompt in _texts(record["prompt"], rng, 4):
        yield "prompt", {**record, "prompt": prompt}


def _proofs(proof, rng):
    text = json.dumps(proof, ensure_ascii=False)
    for number in _some([*re.finditer(r"\d+", text)], rng, 4):
        other = rng.randrange(int(number[0]) + 3)
        yield json.loads(f"{text[: number.start()]}{other}{text[number.end() :]}")
    for key, value in proof.items():
        if key in ADDED:
            yield from ({**proof, key: part} for _ in range(4) for part in _proofs(value, rng))
        if isinstance(value, list) and value:
            gone = rng.randrange(len(value))
            yield {**proof, key: [part for place, part in enumerate(value) if place != gone]}
        if isinstance(value, dict) and value:
            gone = rng.choice([*value])
            yield {**proof, key: {name: part for name, part in value.items() if name != gone}}


def _texts(text, rng, count):
    """Yield texts with a number, a sign, a word, two words or a line changed."""
    for number in _some([*re.finditer(r"\d+", text)], rng, count):
        other = int(number[0]) + rng.choice((-1, 1, 2))
        yield f"{text[: number.start()]}{abs(other)}{text[number.end() :]}"
    for pattern, signs in _SIGNS:
        for sign in _some([*re.finditer(pattern, text)], rng, 1):
            yield f"{text[: sign.start()]}{rng.choice(signs)}{text[sign.end() :]}"
    words, lines = text.split(" "), text.split("\n")
    at, line = rng.randrange(len(words)), rng.randrange(len(lines))
    yield " ".join(words[:at] + words[at + 1 :])
    yield " ".join([*words[:at], rng.choice(words), *words[at + 1 :]])
    yield " ".join(words[:at] + words[at : at + 2][::-1] + words[at + 2 :])
    if len(lines) > 1:
        yield "\n".join(lines[:line] + lines[line + 1 :])


def _some(values, rng, count):
    return rng.sample(values, min(count, len(values)))


def holds(record):
    """Return whether our reader and engine give a record's label (of a path, that there is one); None: not read."""
    if record["plugin"] == "vltl":
        return vltl_changes.right(record)
    plugin = registry().get(record["plugin"])
    problem = plugin.call("read", prompt=record["prompt"])
    if problem is None:
        return None
    answer = plugin.call("solve", problem=problem, engine=plugin.benchmark.engines[0]).answer
    if record["plugin"] == "tempobench":
        return _ordered(json.loads(answer)) == _ordered(json.loads(record["target"]))
    return answer.partition(":")[0] == record["target"].partition(":")[0]


def _ordered(value):
    """Return an answer without the order of its clauses and literals, which means nothing."""
    if isinstance(value, dict):
        return {key: _ordered(part) for key, part in value.items()}
    if isinstance(value, list):
        return sorted(map(_ordered, value), key=repr)
    return sorted(value.split(" or ")) if isinstance(value, str) else value
