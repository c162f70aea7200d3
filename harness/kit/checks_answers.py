"""Conformance checks of what is judged: answers, labels, certificates, and a run through Inspect."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import harness_proof
from harness_errors import Abstained, HarnessError

from harness.core.items import Item
from harness.kit.kit import HUGE, JUNK, READABLE, Failure, Kit, failing, short
from harness.rerun import own_process
from harness.run import judging, stats

EVAL = 16  # items that go through Inspect


def target(kit: Kit) -> str:
    """The gold answer scores full marks, bare and as a last line `Answer: …`."""
    for item in kit.items:
        marked = f"Answer: {item.target}"
        for completion in (item.target, marked, f"Let me think.\n\n{marked}"):
            if not kit.full(item, completion):
                wrong = f"the gold answer {short(completion)} does not score full marks"
                raise Failure(wrong, item, completion)
    return f"{len(kit.items)} items"


def values(kit: Kit) -> str:
    """A verdict has a known outcome and exactly the keys of values, all finite; a wrong choice is scored; whether an
    explanation is asked for changes nothing else.
    """
    judged = 0
    for item in kit.items:
        answers = [f"Answer: {choice}" for choice in kit.choices]
        others = [text for text in answers if not kit.full(item, text)]
        for text in (f"Answer: {item.target}", "I don't know.", *others):
            judged += 1
            verdict, where = kit.judge(item, text), f"score() on {short(text)}"
            if text != "I don't know." and verdict.outcome != "scored":
                raise Failure(f"{where} is '{verdict.outcome}', expected 'scored'", item, text)
            brief = kit.judge(item, text, explain=False)
            if replace(brief, explanation="") != replace(verdict, explanation=""):
                wrong = f"{where} judges otherwise where no explanation is wanted"
                raise Failure(wrong, item, text)
    return f"{judged} verdicts"


def junk(kit: Kit) -> str:
    """Text without an answer is unparsed: it scores nothing, raises nothing, is judged within two seconds, and is
    never our failure.
    """
    for item in kit.items[:10]:
        for text in JUNK:
            # An empty object is nothing, unless the plugin says it is one of its constant answers.
            if text in kit.plugin.benchmark.choices_for(item.features):
                continue
            _nothing(kit, item, text)
            if text not in READABLE and kit.judge(item, text).outcome != "unparsed":
                wrong = f"{short(text)} is taken for an answer, expected 'unparsed'"
                raise Failure(wrong, item, text)
    for text in HUGE:
        _nothing(kit, kit.items[0], text)
    return f"{len(JUNK)} short texts, {len(HUGE)} of up to 1 MB"


def _nothing(kit: Kit, item: Item, text: str) -> None:
    verdict = kit.judge(item, text)
    if verdict.outcome == "unscored":
        raise Failure(f"{short(text)} is 'unscored', which is for our own failures", item, text)
    if any(verdict.value.values()):
        raise Failure(f"{short(text)} scores {dict(verdict.value)}", item, text)


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
                    raise Failure(f"the hedge {short(text)} scores full marks", item, text)
    return f"{tried} hedges"


def constants(kit: Kit) -> str:
    """Two different constant answers are never both right, and none is right on every item."""
    right = dict.fromkeys(kit.choices, 0)
    for item in kit.items:
        good = [choice for choice in right if kit.full(item, f"Answer: {choice}")]
        if len(good) > 1:
            raise Failure(f"both '{good[0]}' and '{good[1]}' score full marks", item, good[1])
        for choice in good:
            right[choice] += 1
    for choice, count in right.items():
        if count == len(kit.items) > 1:
            wrong = f"the constant answer '{choice}' is right on every item"
            raise Failure(wrong, hook_input=choice)
    shares = [f"{choice}: {count / len(kit.items):.0%}" for choice, count in right.items()]
    return ", ".join(shares) or "no constant answers"


def foreign(kit: Kit) -> str:
    """The answer of another item is right only where it is equally good."""
    tried = 0
    firsts = list({other.target: other for other in reversed(kit.items)}.values())
    for at, item in enumerate(kit.items):
        # A few others each, not the same few for all.
        turn = at % len(firsts)
        others = (other for other in firsts[turn:] + firsts[:turn] if other.target != item.target)
        for other in islice(others, 6):
            tried += 1
            text = f"Answer: {other.target}"
            if not kit.full(item, text):
                continue
            # Another right answer (a second counterexample, say) is one for which ours is right as well.
            twin = kit.full(replace(item, target=other.target), f"Answer: {item.target}")
            if not twin or item.target in kit.choices:
                wrong = f"the answer of item {other.index}, {short(text)}, scores full marks"
                raise Failure(wrong, item, text)
    return f"{tried} answers of other items"


def prefixes(kit: Kit) -> str:
    """An answer that is cut off does not score full marks."""
    tried = 0
    for item in kit.items[:10]:
        text = f"Answer: {item.target}"
        for end in range(len(text.rstrip(" .)]}\"'"))):  # without such marks it is still whole
            tried += 1
            prefix = text[:end]
            if kit.full(item, prefix):
                wrong = f"the cut-off answer {short(prefix)} scores full marks"
                raise Failure(wrong, item, prefix)
    return f"{tried} prefixes"


def engines(kit: Kit) -> str:
    """Every label is derived by two engines at least, and no engine contradicts it."""
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
                raise Failure(f"{engine} failed: {error}", item, item.problem) from error
            verdict = kit.judge(item, f"Answer: {solution.answer}")
            if verdict.outcome != "scored" or verdict.value[key] != 1:
                wrong = f"label {item.target}, {engine} derives {solution.answer}"
                raise Failure(wrong, item, item.problem)
            agreed += 1
        if agreed < 2:
            wrong = f"only {agreed} engine decided it; a label needs two"
            raise Failure(wrong, item, item.problem)
    shares = ", ".join(f"{name} {count}" for name, count in abstained.items())
    return f"{len(kit.items)} labels; abstained: {shares}"


def certificates(kit: Kit) -> str:
    """check() accepts every certificate, and none once the label or the evidence is changed."""
    tampered = 0
    for item in kit.items:
        for message in _checked(kit, item):
            wrong = f"check() refuses the genuine certificate: {message}"
            raise Failure(wrong, item, item.certificate)
        for what, change in _tamperings(kit, item):
            tampered += 1
            fake = replace(item, **change)
            if not _checked(kit, fake):
                hook_input = {"target": fake.target, "certificate": fake.certificate}
                raise Failure(f"check() accepts {what}", item, hook_input)
    return f"{tampered} tamperings rejected"


def _tamperings(kit: Kit, item: Item) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield changes of an item's label or evidence, each as what was changed and the new fields."""
    yield "no certificate", {"certificate": None}
    yield "an empty certificate", {"certificate": {}}
    for choice in kit.choices:
        if not kit.full(item, f"Answer: {choice}"):
            yield f"the target '{choice}'", {"target": choice}
    for other in kit.items[:5]:
        # Evidence that both have, as that nothing breaks the effect, is no tampering.
        label, others = item.target.split(":")[0], other.target.split(":")[0]
        if item.certificate != other.certificate and label != others:
            yield f"the certificate of item {other.index}", {"certificate": other.certificate}
    parts = item.certificate if isinstance(item.certificate, dict) else {}
    for key in (key for key, value in parts.items() if value is not None):
        tampered = {**parts, key: {"tampered": [10**9]}}
        yield f"nonsense in certificate['{key}']", {"certificate": tampered}


def proofs(kit: Kit) -> str:
    """prove() says the same again, harness_proof finds no fault with it, and it proves no other label."""
    if not kit.plugin.has("prove"):
        return "has no complete certificates"
    outcomes: Counter[str] = Counter()
    for item in kit.items:
        proof = kit.same_again("prove", item)
        record = {"plugin": item.plugin, "prompt": item.prompt, "target": item.target}
        record = json.loads(json.dumps({**record, "proof": proof}))
        outcome, why = harness_proof.outcome(record)
        outcomes[outcome] += 1
        if outcome == harness_proof.REFUTED:
            raise Failure(f"the certificate of prove() is refuted: {short(why)}", item, proof)
        for other in {other.target for other in kit.items} - {item.target}:
            if harness_proof.outcome({**record, "target": other})[0] == harness_proof.PROVED:
                raise Failure(f"prove() proves the label {short(other)}, too", item, proof)
    return ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items()))


def _checked(kit: Kit, item: Item) -> list[str]:
    with failing(item, item.certificate):
        return list(kit.plugin.call("check", item=item))


def inspect(kit: Kit) -> str:
    """Through a real Inspect run the symbolic reference scores 1.0 and a constant answer its floor."""
    n = min(EVAL, len(kit.items))
    spec, benchmark, notes = kit.spec, kit.plugin.benchmark, []
    headline = benchmark.headline_metric
    expected = {"harness/reference": 1.0}
    if kit.choices:
        answer = f"Answer: {kit.choices[0]}"
        rows = [judging.row(kit.plugin, item, answer) for item in kit.items[:n]]
        expected["harness/constant"] = stats.value_of(headline, rows)
    with tempfile.TemporaryDirectory() as folder:
        settings = {
            "n": n,
            "unique": False,
            "log_dir": folder,
            "seed": spec.seed,
            "split": spec.split,
        }
        for model, score in expected.items():
            point = own_process.Point(spec.plugin, {**spec.config, **settings, "model": model})
            (result,) = own_process.results([point], lambda line: None)
            if count := result["unscored"]:
                why = result["errors"][:1]
                raise Failure(f"{model}: {count} items could not be scored: {why}")
            value = result["metrics"][headline.name]["value"]
            if value is None or abs(value - score) > 1e-6:
                raise Failure(f"{model} scores {value}, expected {score}")
            notes.append(f"{model} {value:.2f}")
    return ", ".join(notes)
