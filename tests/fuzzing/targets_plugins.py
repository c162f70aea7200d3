"""Targets of the plugins' hooks: score, read, check, adopt and stages, on real items."""

import json
import re
from dataclasses import replace
from functools import cache, partial

import harness_proof
from harness_errors import HarnessError, SpecError

from fuzzing import seeds, words
from fuzzing.mutation import text_of, whole
from fuzzing.target import Target, now_and_then, require
from harness.core.items import Item, Verdict, canonical_json, to_json
from harness.core.schemas import schema_errors
from harness.core.spec import make

UNPROVED = (
    "timepuzzles_convert",
    "vltl_lift",
    "vltl_translate",
    "vltl_ground",
    "vltl_end_to_end",
    "tempobench_full",
    "tempobench_tte",
)
_TAG = re.compile(r"[<\[◁|]|channel", re.IGNORECASE)


def _own(kind, data):
    chosen = seeds.items(kind)
    return chosen[(data[0] if data else 0) % len(chosen)], text_of(data[1:])


def _judged(item, text):
    found = seeds.plugin(item.plugin).hooks.score(item=item, completion=text)
    require(isinstance(found, Verdict), lambda: f"score() returned {type(found).__name__}")
    for breach in found.problems(seeds.plugin(item.plugin).benchmark.values):
        require(False, breach)
    require("while scoring" not in found.explanation, found.explanation)
    require(len(found.explanation) <= 4_000, "an explanation without bounds")
    require(len(found.answer or "") <= 200_000, "an answer without bounds")
    to_json(found).encode()  # what no log could hold
    return found


def _same(one, other):
    return (one.outcome, one.value, one.answer) == (other.outcome, other.value, other.answer)


def judge(kind, data):
    """Any text has a verdict that keeps the contract; what changes nothing for a reader changes nothing."""
    item, text = _own(kind, data)
    found = _judged(item, text)
    if "unscored" in (found.outcome,) or len(text) > 50_000:
        return
    if now_and_then(data):
        require(_judged(item, text) == found, "the same text has two verdicts")
    blank = (" ", "\n", "\n\n", "\t\n ")[len(text) % 4]
    if now_and_then(data, 3):
        require(
            _same(_judged(item, text + blank), found),
            f"{blank!r} behind the text changes its verdict",
        )
    if now_and_then(data, 5) and "\r" not in text:
        require(_same(_judged(item, text.replace("\n", "\r\n")), found), "CRLF changes the verdict")
    if now_and_then(data, 7):
        thought = _TAG.sub(" ", text)
        said = _judged(item, f"<think>{thought}</think>\n\nAnswer: {item.target}")
        full = said.outcome == "scored" and next(iter(said.value.values())) == 1
        require(full, f"a thought in front of the gold answer makes it {said.outcome}")


def read(name, data):
    """A prompt is a problem by the schema, or none."""
    plugin, prompt = seeds.plugin(name), text_of(data)
    try:
        found = plugin.hooks.read(prompt=prompt)
    except HarnessError:
        return
    if found is None:
        return
    for message in schema_errors(plugin.benchmark.problem_schema, found):
        require(False, f"read() returned what the schema refuses: {message}")
    canonical_json(found).encode()


def _prompts(name):
    return [item.prompt.encode() for item in seeds.all_items(name)]


def check(kind, data):
    """A certificate, tampered with or not, is looked at without failing, and proves no wrong label."""
    chosen, text = _own(kind, data)
    try:
        proof = json.loads(text)
    except (ValueError, RecursionError):
        return
    plugin = seeds.plugin(chosen.plugin)
    found = plugin.hooks.check(item=replace(chosen, certificate=proof))
    require(
        isinstance(found, list) and all(isinstance(one, str) for one in found),
        "check() returned no list",
    )
    wrong = _wrong(kind)[chosen.id]
    if wrong is not None:
        fake = replace(chosen, certificate=proof, target=wrong)
        require(plugin.hooks.check(item=fake), f"check() accepts the wrong label {wrong!r}")


@cache
def _wrong(kind):
    """Return another label for each item that is wrong, None where there is none to be had.

    That a formula holds on every path is what no certificate of ltlbench can prove, nor deny.
    """
    found = {}
    for item in seeds.items(kind):
        others = [*seeds.plugin(item.plugin).benchmark.choices_for(item.features)]
        others += [other.target for other in seeds.items(kind)]
        wrong = [o for o in others if next(iter(_judged(item, f"Answer: {o}").value.values())) != 1]
        wrong = [o for o in wrong if (item.plugin, o) != ("ltlbench", "True")]
        found[item.id] = wrong[0] if wrong else None
    return found


def _proofs(kind):
    own = enumerate(seeds.items(kind))
    return [bytes([at]) + json.dumps(item.certificate).encode() for at, item in own]


def proof(kind, data):
    """A complete certificate, tampered with or not, is looked at without failing, and proves no wrong label.

    Those of timepuzzles name the facts that a label rests on: with others it may be another one.
    """
    chosen, text = _own(kind, data)
    try:
        certificate = json.loads(text)
    except (ValueError, RecursionError):
        return
    record = {"plugin": chosen.plugin, "prompt": chosen.prompt, "proof": certificate}
    found, _ = harness_proof.outcome({**record, "target": chosen.target})
    require(found in (harness_proof.PROVED, harness_proof.REFUTED, harness_proof.UNCHECKED), found)
    wrong = _wrong(kind)[chosen.id] if chosen.plugin != "ltlbench" else str(chosen.target != "True")
    if wrong is not None and chosen.plugin != "timepuzzles":
        found, _ = harness_proof.outcome({**record, "target": wrong})
        require(found != harness_proof.PROVED, f"the wrong label {wrong!r} is proved")


def _complete(kind):
    own = enumerate(seeds.items(kind))
    found = ((at, seeds.plugin(item.plugin).call("prove", item=item)) for at, item in own)
    return [bytes([at]) + json.dumps(proof).encode() for at, proof in found if proof is not None]


def adopt(name, form, data):
    """A record becomes an item that the other hooks can take, or is refused."""
    try:
        record = json.loads(text_of(data))
    except (ValueError, RecursionError):
        return
    if not isinstance(record, dict) or not whole(json.dumps(record, ensure_ascii=False)):
        return  # the reader of files refuses it
    plugin = seeds.plugin(name)
    config = dict(_spec(name).config)
    try:
        item = plugin.hooks.adopt(record=dict(record), config=config, format=form)
    except HarnessError as error:
        require(str(error), "refused without a word")
        return
    if item is None:
        return
    require(isinstance(item, Item), "adopt() returned no item")
    if schema_errors(plugin.benchmark.problem_schema, item.problem):
        return  # the reader refuses it
    try:
        line = to_json(item)
        line.encode()
    except ValueError:
        return
    again = Item.from_dict(json.loads(line))
    require(again == item, "an adopted item does not come back from its line")
    _hooks(plugin, item, form, record)


def _hooks(plugin, item, form, record):
    for hook, arguments in (
        ("audit", {}), ("readings", {}), ("check", {}), ("render", {"format": "svg"}), ("explain", {}),
        ("publish", {"format": form, "record": record}), ("score", {"completion": item.target}),
    ):  # fmt: skip
        try:
            getattr(plugin.hooks, hook)(item=item, **arguments)
        except HarnessError:
            continue
    _judged(item, f"Answer: {item.target}")


@cache
def _spec(name):
    return make(seeds.plugin(name), {"n": 1})


def _records(name, form):
    return [json.dumps(record).encode() for record in seeds.records(name, form)]


def stages(data):
    """Whatever the stages were told, their replies make one completion that can be judged."""
    item, text = _own("vltl_end_to_end", data)
    parts = [*text.split("\n=====\n"), "", "", ""][:3]
    plugin, replies = seeds.plugin("vltl"), {}
    for stage, reply in zip(("lift", "translate", "ground"), parts, strict=True):
        try:
            asked = plugin.hooks.stage_prompt(item=item, stage=stage, replies=dict(replies))
        except SpecError:
            return
        require(isinstance(asked, str) and asked.strip(), "a stage asks nothing")
        replies[stage] = reply
    joined = plugin.hooks.stage_join(item=item, replies=replies)
    require(isinstance(joined, str), "stage_join() returned no text")
    joined_verdict = _judged(item, joined)
    if joined_verdict.outcome != "unscored":
        gold = [plugin.hooks.stage_gold(item=item, stage=stage) for stage in replies]
        if parts == gold:
            require(next(iter(joined_verdict.value.values())) == 1, "gold replies are not right")


def _stages():
    plugin, found = seeds.plugin("vltl"), []
    for at, item in enumerate(seeds.items("vltl_end_to_end")):
        gold = [
            plugin.hooks.stage_gold(item=item, stage=s) for s in ("lift", "translate", "ground")
        ]
        found.append(bytes([at]) + "\n=====\n".join(gold).encode())
    return found


def _targets():
    for kind, (name, _) in seeds.ASKED.items():
        yield Target(
            f"answers_{kind}",
            partial(judge, kind),
            partial(seeds.answers, kind),
            words.BY_PLUGIN[name],
            prefix=1,
        )
        yield Target(
            f"certificate_{kind}",
            partial(check, kind),
            partial(_proofs, kind),
            words.BY_PLUGIN[name],
            "tree",
            1,
            seconds=2.0,
        )
    for kind, (name, _) in seeds.ASKED.items():
        if kind not in UNPROVED:
            made = partial(_complete, kind)
            yield Target(
                f"proof_{kind}",
                partial(proof, kind),
                made,
                words.BY_PLUGIN[name],
                "tree",
                1,
                seconds=2.0,
            )
    for name in seeds.PLUGINS:
        yield Target(
            f"read_{name}", partial(read, name), partial(_prompts, name), words.BY_PLUGIN[name]
        )
    for name, form in (("ltlbench", "ltlbench_csv"), ("timepuzzles", "timepuzzles_json"), ("vltl", "vltl_jsonl"),
                       ("tempobench", "tempobench_jsonl"), ("tempobench", "tempobench_raw")):  # fmt: skip
        made = partial(_records, name, form)
        yield Target(
            f"adopt_{form}",
            partial(adopt, name, form),
            made,
            words.BY_PLUGIN[name],
            "tree",
            seconds=3.0,
        )
    yield Target("stages_vltl", stages, _stages, words.VLTL, prefix=1)


TARGETS = tuple(_targets())
