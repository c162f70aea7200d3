"""Conformance checks of what is judged: answers, labels, certificates, and a run through Inspect.

A check takes the kit, returns a note and raises `Failure`; its docstring is what it demands.
`harness.testing.CHECKS` names it, and docs/conformance.md says why it is there. Checks of the
items themselves are in `harness.checks_items`.
"""

from __future__ import annotations

import tempfile
from dataclasses import replace

from harness import stats
from harness.errors import Abstained, HarnessError, SpecError
from harness.hookspecs import Row
from harness.items import Item
from harness.kit import HUGE, JUNK, READABLE, Failure, Kit, replace_options, short
from harness.plugins import one_line

EVAL = 16  # items that go through Inspect


def target(kit: Kit) -> str:
    """The gold answer scores full marks, bare and as a last line after reasoning."""
    for item in kit.items:
        for completion in (
            item.target,
            f"Answer: {item.target}",
            f"Let me think.\n\nAnswer: {item.target}",
        ):
            if not kit.full(item, completion):
                raise Failure(
                    f"item {item.index}: the gold answer {short(completion)} does not score full marks"
                )
    return f"{len(kit.items)} items"


def values(kit: Kit) -> str:
    """Verdicts keep the contract, and wrong answers are answers: scored, and not unparsed or unscored."""
    choices = kit.choices
    judged = 0
    for item in kit.items:
        wrong = [choice for choice in choices if not kit.full(item, f"Answer: {choice}")]
        for text in (
            f"Answer: {item.target}",
            "I don't know.",
            *(f"Answer: {choice}" for choice in wrong),
        ):
            judged += 1
            found = kit.judge(item, text)
            if text != "I don't know." and found.outcome != "scored":
                raise Failure(
                    f"item {item.index}: score() on {short(text)} is '{found.outcome}', expected 'scored'"
                )
    return f"{judged} verdicts"


def junk(kit: Kit) -> str:
    """Text that holds no answer scores nothing, is no answer, and is no failure of ours."""
    for item in kit.items[:10]:
        for text in JUNK:
            # An empty object is nothing, unless the plugin says it is one of its constant answers.
            if text in kit.plugin.benchmark.choices_for(item.features):
                continue
            _nothing(kit, item, text)
            if text not in READABLE and kit.judge(item, text).outcome != "unparsed":
                raise Failure(
                    f"item {item.index}: {short(text)} is taken for an answer, expected 'unparsed'"
                )
    for text in HUGE:
        _nothing(kit, kit.items[0], text)
    return f"{len(JUNK)} short texts, {len(HUGE)} of up to 1 MB"


def _nothing(kit: Kit, item: Item, text: str) -> None:
    found = kit.judge(item, text)
    if found.outcome == "unscored":
        raise Failure(
            f"item {item.index}: {short(text)} is 'unscored', which is for our own failures"
        )
    if any(found.value.values()):
        raise Failure(f"item {item.index}: {short(text)} scores {dict(found.value)}")


def hedge(kit: Kit) -> str:
    """Naming several answers is not answering."""
    choices = kit.choices
    if len(choices) < 2:
        return "one choice only: nothing to hedge between"
    tried = 0
    for item in kit.items[:10]:
        right = [choice for choice in choices if kit.full(item, f"Answer: {choice}")]
        others = [choice for choice in choices if choice not in right]
        # The right one first and last, for scorers that take the first or the last they find.
        for order in ([*right, *others], [*others, *right]):
            for text in (" or ".join(order), f"Answer: {' or '.join(order)}", f"Answer: {'/'.join(order)}",
                         "\n".join(f"Answer: {choice}" for choice in order)):  # fmt: skip
                tried += 1
                if kit.full(item, text):
                    raise Failure(f"item {item.index}: the hedge {short(text)} scores full marks")
    return f"{tried} hedges"


def constants(kit: Kit) -> str:
    """No two different constant answers are both right, and none is right everywhere."""
    choices = kit.choices
    right = dict.fromkeys(choices, 0)
    for item in kit.items:
        good = [choice for choice in choices if kit.full(item, f"Answer: {choice}")]
        if len(good) > 1:
            raise Failure(f"item {item.index}: both '{good[0]}' and '{good[1]}' score full marks")
        for choice in good:
            right[choice] += 1
    for choice, count in right.items():
        if count == len(kit.items) > 1:
            raise Failure(f"the constant answer '{choice}' is right on every item")
    shares = [f"{choice}: {count / len(kit.items):.0%}" for choice, count in right.items()]
    return ", ".join(shares) or "no constant answers"


def foreign(kit: Kit) -> str:
    """Another item's answer is right only where it is equally good."""
    tried = 0
    firsts = list({other.target: other for other in reversed(kit.items)}.values())
    for at, item in enumerate(kit.items):
        # A few others each, not the same few for all.
        turn = at % len(firsts)
        for other in [one for one in firsts[turn:] + firsts[:turn] if one.target != item.target][
            :6
        ]:
            tried += 1
            text = f"Answer: {other.target}"
            if not kit.full(item, text):
                continue
            # Another right answer (a second counterexample, say) is one for which ours is right as well.
            twin = kit.full(replace(item, target=other.target), f"Answer: {item.target}")
            if not twin or item.target in kit.choices:
                raise Failure(
                    f"item {item.index}: the answer of item {other.index}, {short(text)}, scores full marks"
                )
    return f"{tried} answers of other items"


def prefixes(kit: Kit) -> str:
    """A cut-off answer is not yet the answer."""
    tried = 0
    for item in kit.items[:10]:
        text = f"Answer: {item.target}"
        for end in range(len(text)):
            prefix = text[:end]
            if text[end:].strip(" .)\"'") == "":
                continue
            tried += 1
            if kit.full(item, prefix):
                raise Failure(
                    f"item {item.index}: the cut-off answer {short(prefix)} scores full marks"
                )
    return f"{tried} prefixes"


def stages(kit: Kit) -> str:
    """Asked in stages, the gold replies to all of them earn full marks together."""
    staged = [plan for plan in kit.plugin.benchmark.strategies if plan.stages]
    if not staged:
        return "no strategy asks in stages"
    notes = []
    for plan in staged:
        for item in kit.items[:10]:
            try:
                joined = _gold_replies(kit, item, plan.stages)
            except SpecError as error:  # how a plugin says that the strategy is not for such items
                notes.append(f"{plan.name}: {error}")
                break
            if not kit.full(item, joined):
                raise Failure(
                    f"item {item.index}: the gold replies to all stages of '{plan.name}' do not "
                    f"earn full marks: {short(joined)}"
                )
        else:
            notes.append(f"{plan.name}: {len(kit.items[:10])} items")
    return "; ".join(notes)


def _gold_replies(kit: Kit, item: Item, names: tuple[str, ...]) -> str:
    """Return what a plugin makes of its own gold replies, each stage having been asked."""
    replies: dict[str, str] = {}
    for stage in names:
        try:
            asked = kit.plugin.hooks.stage_prompt(item=item, stage=stage, replies=dict(replies))
            replies[stage] = kit.plugin.hooks.stage_gold(item=item, stage=stage)
            if not isinstance(asked, str) or not asked.strip():
                raise Failure(f"item {item.index}: stage_prompt() has nothing to ask at '{stage}'")
        except (Failure, SpecError):
            raise
        except Exception as error:
            raise Failure(f"item {item.index}: stage '{stage}' raised {one_line(error)}") from error
    joined = kit.plugin.hooks.stage_join(item=item, replies=replies)
    if not isinstance(joined, str):
        raise Failure(f"item {item.index}: stage_join() returned {type(joined).__name__}")
    return joined


def structure(kit: Kit) -> str:
    """The schema said of an item's answer is a JSON Schema, Inspect takes it, and it stays the same."""
    if not kit.plugin.has("structure"):
        return "no schema of answers is said"
    from jsonschema import Draft202012Validator

    from harness.structure import schema_of

    held = 0
    for item in kit.items[:10]:
        found = kit.plugin.call_json("structure", item=item)
        if kit.plugin.call_json("structure", item=item) != found:
            raise Failure(
                f"item {item.index}: structure() says another schema when it is asked again"
            )
        if found is None:
            continue
        try:
            Draft202012Validator.check_schema(found)
        except Exception as error:
            raise Failure(
                f"item {item.index}: structure() is no JSON Schema: {one_line(error)}"
            ) from error
        schema_of(kit.plugin, item)
        held += 1
    return f"{held} of {len(kit.items[:10])} items have one"


def engines(kit: Kit) -> str:
    """Every label is derived by at least two engines, and none contradicts it."""
    benchmark = kit.plugin.benchmark
    key = benchmark.agreement or benchmark.values[0]
    abstained = dict.fromkeys(benchmark.engines, 0)
    for item in kit.items:
        agreed = 0
        for engine in benchmark.engines:
            try:
                solution = kit.plugin.call("solve", problem=item.problem, engine=engine)
            except Abstained:
                abstained[engine] += 1
                continue
            except HarnessError as error:
                raise Failure(f"item {item.index}: {engine} failed: {error}") from error
            found = kit.judge(item, f"Answer: {solution.answer}")
            if found.outcome != "scored" or found.value[key] != 1:
                raise Failure(
                    f"item {item.index}: label {item.target}, {engine} derives {solution.answer}"
                )
            agreed += 1
        if agreed < 2:
            raise Failure(f"item {item.index}: only {agreed} engine decided it; a label needs two")
    shares = ", ".join(f"{name} {count}" for name, count in abstained.items())
    return f"{len(kit.items)} labels; abstained: {shares}"


def certificates(kit: Kit) -> str:
    """Certificates hold, and stop holding when label or evidence is tampered with."""
    choices = kit.choices
    tampered = 0
    for item in kit.items:
        for message in _checked(kit, item, "the genuine certificate"):
            raise Failure(f"item {item.index}: check() refuses the genuine certificate: {message}")
        wrong = {"no certificate": replace(item, certificate=None)}
        wrong["an empty certificate"] = replace(item, certificate={})
        for choice in choices:
            if not kit.full(item, f"Answer: {choice}"):
                wrong[f"the target '{choice}'"] = replace(item, target=choice)
        for other in kit.items[:5]:
            if not _same_label(item, other):
                wrong[f"the certificate of item {other.index}"] = replace(
                    item, certificate=other.certificate
                )
        wrong |= _nonsense(item)
        for what, fake in wrong.items():
            tampered += 1
            if not _checked(kit, fake, what):
                raise Failure(f"item {item.index}: check() accepts {what}")
    return f"{tampered} tamperings rejected"


def _checked(kit: Kit, item: Item, what: str) -> list[str]:
    try:
        return list(kit.plugin.hooks.check(item=item))
    except Exception as error:
        raise Failure(f"item {item.index}: check() raised {one_line(error)} on {what}") from error


def _same_label(item: Item, other: Item) -> bool:
    return item.target.split(":")[0] == other.target.split(":")[0]


def _nonsense(item: Item) -> dict[str, Item]:
    """Return the item with nonsense in each non-null part of its certificate in turn."""
    if not isinstance(item.certificate, dict):
        return {}
    parts = [key for key, value in item.certificate.items() if value is not None]
    return {
        f"nonsense in certificate['{key}']": replace(
            item, certificate={**item.certificate, key: {"tampered": [10**9]}}
        )
        for key in parts
    }


def inspect(kit: Kit) -> str:
    """Through Inspect the symbolic reference scores 1.0 and a constant its floor."""
    from harness import runs

    n = min(EVAL, len(kit.items))
    notes = []
    with tempfile.TemporaryDirectory() as folder:
        constants = [("harness/constant", choice) for choice in kit.choices[:1]]
        for model, choice in (("harness/reference", None), *constants):
            spec = replace_options(kit.spec, n=n, unique=False, model=model, log_dir=folder)
            result = runs.result(runs.run(spec))
            if result["unscored"]:
                raise Failure(
                    f"{model}: {result['unscored']} items could not be scored: {result['errors'][:1]}"
                )
            value = result["metrics"][kit.plugin.benchmark.headline]["value"]
            expected = 1.0 if choice is None else _constant_score(kit, n, choice)
            if value is None or abs(value - expected) > 1e-6:
                raise Failure(f"{model} scores {value}, expected {expected}")
            notes.append(f"{model} {value:.2f}")
    return ", ".join(notes)


def _constant_score(kit: Kit, n: int, choice: str) -> float:
    benchmark = kit.plugin.benchmark
    rows = []
    for item in kit.items[:n]:
        found = kit.judge(item, f"Answer: {choice}")
        rows.append(
            Row(
                item.target,
                found.answer,
                found.outcome,
                found.value,
                item.features,
                None,
                found.extra,
            )
        )
    headline = next(m for m in benchmark.metrics if m.name == benchmark.headline)
    return stats.value_of(headline, rows)
