"""Conformance checks of what a plugin says of published datasets: formats, weaknesses, readings."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from harness_errors import Abstained, HarnessError

from harness.core.items import Item, canonical_json
from harness.kit.kit import Failure, Kit, failing, short

AUDIT_SECONDS = 2.0  # ten times what an audit of one item may take, for machines that are busy
FOREIGN: tuple[dict[str, Any], ...] = (
    {}, {"": None}, {"a": 1}, {"prompt": None}, {"prompt": 3, "label": []}, {"id": {"id": {}}},
    {"question": "What is the capital of France?", "answer": "Paris"}, {"prompt": "\ud800", "label": "x" * 10**5},
)  # fmt: skip


def published(kit: Kit) -> str:
    """What publish() writes is adopted as the same item, and no foreign record is taken for one."""
    if not kit.plugin.has("adopt"):
        return "no published format is read"
    _foreign(kit)
    if not kit.plugin.has("publish"):
        return "no published format is written"
    formats = kit.plugin.benchmark.dataset_formats
    counts = dict.fromkeys(formats, 0)
    for item in kit.items[:20]:
        for name in formats:
            counts[name] += _round_trip(kit, item, name)
    if not any(counts.values()):
        return "none of these items can be said in a published format: not checked"
    return ", ".join(f"{name} {count} of {len(kit.items[:20])}" for name, count in counts.items())


def _foreign(kit: Kit) -> None:
    for name in ("", *kit.plugin.benchmark.dataset_formats):
        for record in FOREIGN:
            try:
                item = _adopted(kit, record, name)
            except HarnessError as error:
                # A record like its own that it cannot understand is refused by name; anything else is a slip.
                if error.__cause__ is not None:
                    wrong = f"on the record {short(str(record))}: {error}"
                    raise Failure(wrong, hook_input=record) from error
                continue
            if item is not None:
                wrong = f"adopt() takes {short(str(record))} for a record of its own"
                raise Failure(wrong, hook_input=record)


def _adopted(kit: Kit, record: Mapping[str, Any], name: str) -> Item | None:
    # With what the items were made with: a key may say how a record is adopted.
    config = dict(kit.spec.config)
    item: Item | None = kit.plugin.call("adopt", record=dict(record), config=config, format=name)
    return item


def _published(kit: Kit, item: Item, name: str, record: dict[str, Any]) -> dict[str, Any] | None:
    with failing(item, {"format": name, "record": record}):
        return kit.plugin.call_json("publish", item=item, format=name, record=record)


def _round_trip(kit: Kit, item: Item, name: str) -> bool:
    """Write an item, read it, write it again, with and without the record and under another label."""
    record = _published(kit, item, name, {})
    if record is None:
        return False
    with failing(item, record):
        back = _adopted(kit, record, name)
    wrong = _changed(kit, item, back, name, record)
    if back is None or wrong:
        raise Failure(f"format {name}: {wrong}", item, record)
    _relabelled(kit, back, name, record)
    return True


def _changed(kit: Kit, item: Item, back: Item | None, name: str, record: dict[str, Any]) -> str:
    """Say what an item that was written and adopted has lost; empty where it is the same."""
    if back is None:
        return "adopt() does not know what publish() says"
    for part in ("problem", "prompt", "target"):
        ours, theirs = getattr(item, part), getattr(back, part)
        if canonical_json(ours) != canonical_json(theirs):
            return f"the {part} comes back as {short(str(theirs))}, it was {short(str(ours))}"
    if back.notes.get("format") != name:
        return "adopted without its name in notes['format']"
    if _published(kit, back, name, dict(record)) != record:
        return "written again on top of its record, that changes"
    return ""


def _relabelled(kit: Kit, item: Item, name: str, record: dict[str, Any]) -> None:
    """A record whose label is corrected keeps the fields it has, foreign ones too, and says the new label."""
    target = next((other.target for other in kit.items if other.target != item.target), None)
    if target is None:
        return
    extra = {**record, "kept by the check": "as it is"}
    relabelled = replace(item, target=target, certificate=None, id="")
    changed = _published(kit, relabelled, name, dict(extra))
    if changed is None:  # the format cannot say this label of this item
        return
    if changed.get("kept by the check") != "as it is" or set(changed) != set(extra):
        wrong = "with another label, publish() adds or loses fields of the record"
        raise Failure(f"format {name}: {wrong}", item, changed)
    if changed == extra:
        raise Failure(f"format {name}: publish() leaves the old label in the record", item, changed)


def weaknesses(kit: Kit) -> str:
    """audit() finds declared kinds only, says each in one line, the same again, and in time."""
    if not kit.plugin.has("audit"):
        return "items are not audited"
    kinds: Counter[str] = Counter()
    for item in kit.items:
        start = time.perf_counter()
        first = _audited(kit, item)
        spent = time.perf_counter() - start
        if spent > AUDIT_SECONDS:
            raise Failure(f"audit() took {spent:.1f} s, a fifth of one is allowed", item)
        if item.index < 10 and _audited(kit, item) != first:
            raise Failure("audit() says something else when it is asked again", item)
        kinds.update({weakness["kind"] for weakness in first})
    shares = [f"{kind} {count}" for kind, count in sorted(kinds.items())]
    return f"of {len(kit.items)} items: {', '.join(shares) or 'none is weak'}"


def _audited(kit: Kit, item: Item) -> list[dict[str, str]]:
    with failing(item):
        found = kit.plugin.call("audit", item=item)
    if found is None:
        raise Failure("audit() returned NoneType, expected a list", item)
    for weakness in found:
        if not isinstance(weakness, dict) or set(weakness) != {"kind", "message"}:
            wrong = f"audit() says {short(str(weakness))}, expected a kind and a message"
            raise Failure(wrong, item)
        kind, message = weakness["kind"], weakness["message"]
        if kind not in kit.plugin.benchmark.weaknesses:
            raise Failure(f"audit() finds {short(str(kind))}, which is no key of weaknesses", item)
        if not isinstance(message, str) or not message.strip() or len(message.splitlines()) > 1:
            wrong = f"audit() explains '{kind}' by {short(str(message))}, expected one line"
            raise Failure(wrong, item)
    return list(found)


def readings(kit: Kit) -> str:
    """Every question of readings() has two readings or more, and a confirmed label holds under one."""
    if not kit.plugin.has("readings"):
        return "nothing is open to interpretation"
    questions: set[str] = set()
    for item in kit.items[:20]:
        for variant in (item, *_as_published(kit, item)):
            answers_by_question = kit.same_again("readings", variant)
            _check_readings(answers_by_question, item)
            questions |= answers_by_question.keys()
            for question, answers in answers_by_question.items():
                if not any(answers.values()) and _confirmed(kit, variant):
                    wrong = f"the label is right, but holds under no reading of '{question}'"
                    raise Failure(wrong, item)
    return ", ".join(sorted(questions)) or "nothing is open in items of our own"


def _as_published(kit: Kit, item: Item) -> list[Item]:
    """Return the item as it would be adopted from each format: those are what is open to readings."""
    if not kit.plugin.has("publish"):
        return []
    formats = kit.plugin.benchmark.dataset_formats
    records = {name: _published(kit, item, name, {}) for name in formats}
    with failing(item, records):
        adopted = [_adopted(kit, record, name) for name, record in records.items() if record]
    return [back for back in adopted if back]


def _check_readings(found: Any, item: Item) -> None:
    """Refuse what is no dict of questions, each with two readings or more under which the label holds or not."""
    if not isinstance(found, dict):
        raise Failure(f"readings() returned {type(found).__name__}, expected a dict", item)
    for question, answers in found.items():
        if not isinstance(question, str) or not isinstance(answers, dict) or len(answers) < 2:
            raise Failure(f"readings(): {short(str(question))} has fewer than two readings", item)
        for reading, holds in answers.items():
            if not isinstance(reading, str) or not isinstance(holds, bool):
                wrong = f"{short(str(reading))} is {short(str(holds))}, expected a bool"
                raise Failure(f"readings(): {wrong}", item)


def _confirmed(kit: Kit, item: Item) -> bool:
    """Return whether the engine that makes labels gives the item's own."""
    benchmark = kit.plugin.benchmark
    with failing(item, item.problem):
        try:
            solution = kit.plugin.call("solve", problem=item.problem, engine=benchmark.engines[0])
        except Abstained:
            return False
    verdict = kit.judge(item, f"Answer: {solution.answer}")
    return bool(verdict.value.get(benchmark.agreement or benchmark.values[0]) == 1)
