"""Records of the published formats as items, and items as records.

``tempobench_jsonl``: prebuilt records with ``prompt``, ``label`` and ``stats``; the formal content is read
from the prompt. ``tempobench_raw``: ``hoa``, ``trace``, ``aps``, ``effects``, ``causality``, ``hoax``,
``accepted``; the prompt is ours, or that of a field ``prompt``. Labels become targets of ours by
`label`; nothing in them is repaired.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from harness_answers.text import quoted

from harness import DatasetError, HarnessError, Item
from harness_tempobench import features, reading, targets, wording
from harness_tempobench import problem as problems
from harness_tempobench.answers.score_gold import is_texts
from harness_tempobench.config import JSONL, NAME, RAW
from harness_tempobench.published import audit, text
from harness_tempobench.published import content as published_content
from harness_tempobench.published import label as published_label
from harness_tempobench.published.content import Content, Formal
from harness_tempobench.published.label import RunStep, answer_of, steps_of
from harness_tempobench.targets import CROSSING, UNCONSTRAINED

VERSION = "published"

STATS = (
    "effect_depth", "hoa_states", "transition_count", "trace_length", "cycle_length",
    "unique_inputs_in_trace", "causal_inputs_count",
)  # fmt: skip


def adopt(record: Mapping[str, Any], config: Mapping[str, Any], form: str = "") -> Item | None:
    """Return the item of one published record, None where it is of neither format.

    ``record``: the record; ``config``: ``task`` decides which of its two labels a raw record that
    has both is adopted with; ``form``: the name of a format, or "" to recognise it.
    Raises `DatasetError`: the reason in one line, without the record's position.
    """
    raw = "hoa" in record and "trace" in record
    prebuilt = "prompt" in record and "label" in record
    wanted = form or (RAW if raw else JSONL if prebuilt or "prompt" in record else "")
    if wanted not in (RAW, JSONL) or not record.keys() & _SOME[wanted]:
        return None
    if record.get("error") is not None:
        raise DatasetError(f"the record says that making it failed: {quoted(str(record['error']))}")
    return (_raw if wanted == RAW else _prebuilt)(record, config)


_SOME = {JSONL: {"prompt", "label"}, RAW: {"hoa", "trace", "causality", "hoax"}}


def _prebuilt(record: Mapping[str, Any], config: Mapping[str, Any]) -> Item:
    prompt, label = _text(record, "prompt"), _text(record, "label")
    problem = reading.read(prompt)
    is_ours = problem is not None
    if problem is None:
        formal = published_content.formal(published_content.of_prompt(prompt))
    else:
        formal = Formal(problem, problems.case(problem).machine)
    if formal.problem["task"] == "tce":
        stated = published_label.fenced_json(label)
        formal.problem.setdefault("label", "per_step")
        target = published_label.cause(stated, formal, formal.problem["label"] == "full")
    else:
        # a run of no steps
        empty = label.count("{") == label.count("}") == 1 and "```json\n{}" in label
        stated = {} if empty else published_label.fenced_json(label)
        steps = published_label.run_steps(stated, formal)
        accepted = published_label.verdict(label)
        spoken = not is_ours and not _silent(steps, formal)
        target = published_label.run(steps, accepted, formal, spoken)
    return _item(record, formal, prompt, target, JSONL, label, is_ours)


def _silent(steps: list[RunStep], formal: Formal) -> bool:
    """Tell whether a label leaves out outputs on principle: it could name some at two steps, and does not."""
    trace, outputs = formal.problem["trace"], set(formal.machine.outputs)
    could = sum(bool(outputs & set(trace[s.number])) for s in steps if s.number < len(trace))
    return could > 1 and not published_label.speaks_of_outputs(steps, formal)


def _raw(record: Mapping[str, Any], config: Mapping[str, Any]) -> Item:
    task = _task(record, config)
    aps = _names(record, "aps")
    content = Content(
        task=task,
        hoa=_text(record, "hoa"),
        trace=_text(record, "trace"),
        effects=_names(record, "effects") or () if task == "tce" else (),
        aps=aps,
    )
    formal = published_content.formal(content)
    if task == "tce":
        causality = record["causality"]
        full = isinstance(causality, Mapping) and CROSSING in causality
        formal.problem["label"] = "full" if full else "per_step"
        target = published_label.cause(causality, formal, full)
        label: Any = {"causality": causality}
    else:
        hoax, accepted = record["hoax"], record.get("accepted")
        if not isinstance(hoax, str) or not isinstance(accepted, bool):
            raise DatasetError("hoax is text and accepted true or false: one of them is not")
        steps = published_label.hoax_steps(hoax, aps or ())
        target = published_label.run(steps, accepted, formal, with_outputs=True)
        label = {"hoax": hoax, "accepted": accepted}
    our_prompt = wording.write(formal.problem, "hoa", "names")
    prompt = record.get("prompt")
    if isinstance(prompt, str):
        formal.findings += _compared(prompt, formal)
    else:
        prompt = our_prompt
    return _item(record, formal, prompt, target, RAW, label, prompt == our_prompt)


def _task(record: Mapping[str, Any], config: Mapping[str, Any]) -> str:
    """Return which task a raw record is adopted for: the one it has a label of, else as configured."""
    causes, run = bool(record.get("causality")), record.get("hoax") is not None
    if not causes and not run:
        raise DatasetError("the record has neither causality nor hoax: there is no label")
    if causes and run:
        return "tte" if config.get("task") == "tte" else "tce"
    return "tce" if causes else "tte"


def _names(record: Mapping[str, Any], name: str) -> tuple[str, ...] | None:
    value = record.get(name)
    if value is None:
        return None
    if isinstance(value, str):
        value = text.strings(value, name)
    if not is_texts(value):
        raise DatasetError(f"{name} is no list of texts")
    return tuple(value)


def _compared(prompt: str, formal: Formal) -> list[str]:
    """Return how a prompt differs from the formal content beside it."""
    stated = reading.read(prompt) or published_content.read(prompt)
    if stated is None:
        return ["the prompt cannot be read as a problem"]
    names = {"hoa": "the machine", "trace": "the trace", "effect": "the effect", "task": "the task"}
    return [
        f"prompt and formal content differ in {part}"
        for key, part in names.items()
        if stated.get(key) != formal.problem.get(key)
    ]


def _text(record: Mapping[str, Any], name: str) -> str:
    value = record.get(name)
    if not isinstance(value, str) or not value.strip():
        fault = "is missing" if name not in record else "is empty or no text"
        raise DatasetError(f"field '{name}' {fault}")
    if len(value) > wording.MAX_PROMPT:
        raise DatasetError(f"field '{name}' has more than {wording.MAX_PROMPT:,} characters")
    return value


def _item(
    record: Mapping[str, Any],
    formal: Formal,
    prompt: str,
    target: str,
    form: str,
    label: Any,
    is_ours: bool,
) -> Item:
    wrote = "own" if is_ours else VERSION
    notes: dict[str, Any] = {"format": form, "label": label, "wording": wrote}
    if isinstance(record.get("id"), str | int):
        notes["source_id"] = str(record["id"])[:200]
    stats = record.get("stats")
    if isinstance(stats, Mapping):
        numbers = [name for name in STATS if type(stats.get(name)) is int]
        notes["stats"] = {name: stats[name] for name in numbers if abs(stats[name]) < 10**9}
    if formal.open:
        notes["hoa"] = record["hoa"] if form == RAW else published_content.of_prompt(prompt).hoa
    if formal.effects > 1:
        notes["effects"] = formal.effects
    if formal.findings:
        notes["findings"] = formal.findings
    return Item(
        plugin=NAME,
        version=VERSION,
        prompt=prompt,
        target=target,
        problem=formal.problem,
        features=_features(formal, target),
        split=VERSION,
        notes=notes,
    )


def _features(formal: Formal, target: str) -> dict[str, Any]:
    """Return the features of difficulty; of the label where they are about causes or runs."""
    problem, machine = formal.problem, formal.machine
    letters, _ = problems.steps(machine, problem["trace"])
    answer = answer_of(target)
    if problem["task"] == "tce":
        step, trivial = problem["effect"]["step"], not _pairs(answer)
        measured = {"task": "tce", "effect_depth": step, "depth": step, "trivial": trivial}
    else:
        taken = len(steps_of(answer))
        accepted = answer["accepted"] == "yes"
        measured = {"task": "tte", "run_length": taken, "depth": taken, "accepted": accepted}
    return measured | features.of_machine(machine, letters)


def publish(item: Item, form: str, record: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return a record of a format that says this item, on top of another record; None if it cannot.

    All fields of ``record`` but those that hold the label stay as they are, and so does the label where
    the item's target is what it states.
    """
    if form not in (RAW, JSONL):
        return None
    try:
        return _record(item, form, record)
    except (HarnessError, LookupError, TypeError, ValueError, AttributeError):
        return None  # an item that is damaged, or whose target is none


def _record(item: Item, form: str, record: Mapping[str, Any]) -> dict[str, Any] | None:
    if record:
        before = adopt(record, {"task": item.problem["task"]}, form)
        if before is not None and before.target == item.target:
            return dict(record)
    label = (_raw_label if form == RAW else _prebuilt_label)(item)
    if record:
        return dict(record) | label
    prebuilt = {"prompt": item.prompt, "label": "", "stats": _stats(item)}
    written = (_raw_content(item) if form == RAW else prebuilt) | label
    back = adopt(written, {"task": item.problem["task"]}, form)
    parts = ("problem", "prompt", "target")
    same = back and all(getattr(back, part) == getattr(item, part) for part in parts)
    return written if same else None


def _prebuilt_label(item: Item) -> dict[str, Any]:
    if item.problem["task"] == "tce":
        return {"label": published_label.write_cause(item.target)}
    trace = item.problem["trace"] if published_content.published(item.prompt) else None
    return {"label": published_label.write_run(item.target, trace)}


def _raw_label(item: Item) -> dict[str, Any]:
    answer = answer_of(item.target)
    if item.problem["task"] == "tce":
        return {"causality": answer}
    steps = [
        (step["current state"], step["next state"]) for _, step in sorted(steps_of(answer).items())
    ]
    return _raw_run(item, steps, answer["accepted"] == "yes")


def _raw_run(item: Item, steps: Sequence[tuple[int, int]], accepted: bool) -> dict[str, Any]:
    """Return the fields of a run, given states and next states; one of no step has the first step, refused.

    (The published loader wants a line at least, and a run beside each cause.)
    """
    trace = item.problem["trace"]
    start = problems.case(item.problem).machine.start
    moves: Sequence[tuple[int, int | None]] = steps or [(start, None)]
    lines = [(state, step, to) for (state, to), step in zip(moves, trace, strict=False)]
    return {"hoax": text.write_hoax(lines), "accepted": accepted}


def _raw_content(item: Item) -> dict[str, Any]:
    problem = item.problem
    machine = problems.case(problem).machine
    effect = problem.get("effect")
    content: dict[str, Any] = {
        "hoa": problem["hoa"],
        "aps": list(machine.propositions),
        "trace": text.write_trace(problem["trace"], machine.propositions),
        "effects": [targets.effect_name(effect)] if effect else [],
        "stats": _stats(item),
    }
    is_ours = item.prompt == wording.write(problem, "hoa", "names")
    states, accepted = problems.case(problem).run()
    run = _raw_run(item, list(pairwise(states)), accepted) if effect else {}
    return content | run | ({} if is_ours else {"prompt": item.prompt})


def _stats(item: Item) -> dict[str, Any]:
    """Return what the published records say of difficulty."""
    causes = len(_pairs(answer_of(item.target))) if "effect" in item.problem else None
    values = audit.figures(item, problems.case(item.problem), causes) | {"cycle_length": 1}
    return {name: values[name] for name in STATS}


def _pairs(answer: Mapping[str, Any]) -> set[tuple[str, str]]:
    """Return the pairs (step, literal) of a cause in our form."""
    name = next(key for key in answer if key != CROSSING)
    pairs = {
        (step, literal)
        for step, sentences in answer[name].items()
        for clause in sentences
        if clause != UNCONSTRAINED
        for literal in clause.split(" or ")
    }
    crossing = answer.get(CROSSING, {}).get(name, [])
    return pairs | {tuple(literal.split(":", 1)) for clause in crossing for literal in clause}


def _published_run(hoax: str) -> dict[str, Any]:
    """Return the JSON that the published code makes of a raw record's run."""
    return {
        f"step_{number}": {
            "current state": state,
            "defining inputs": " and ".join(sorted(names)) or "no inputs",
            "next state": following,
        }
        for number, (state, names, following) in enumerate(text.hoax(hoax))
    }


def gold(item: Item) -> str:
    """Return the JSON that the published scorer compares an answer with: the label's own, if there is one."""
    label = item.notes.get("label")
    try:
        if isinstance(label, str):
            return json.dumps(published_label.fenced_json(label), ensure_ascii=False)
        if isinstance(label, Mapping) and isinstance(label.get("causality"), Mapping):
            return json.dumps(label["causality"], ensure_ascii=False)
        if isinstance(label, Mapping) and isinstance(label.get("hoax"), str):
            return json.dumps(_published_run(label["hoax"]), ensure_ascii=False)
    except DatasetError:
        pass
    return item.target
