"""Conformance checks of hooks that a plugin need not have: stages, schemas of answers, worked solutions."""

from __future__ import annotations

from harness_errors import SpecError

from harness.core.items import Item
from harness.core.plugins import one_line
from harness.kit.kit import Failure, Kit, failing, short


def stages(kit: Kit) -> str:
    """Of a strategy in stages each has something to ask, and the gold replies to all earn full marks."""
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
                wrong = f"the gold replies to all stages of '{plan.name}' do not earn full marks"
                raise Failure(f"{wrong}: {short(joined)}", item, joined)
        else:
            notes.append(f"{plan.name}: {len(kit.items[:10])} items")
    return "; ".join(notes)


def _gold_replies(kit: Kit, item: Item, names: tuple[str, ...]) -> str:
    """Return what a plugin makes of its own gold replies, each stage having been asked."""
    replies: dict[str, str] = {}
    for stage in names:
        prompt = _staged(kit, item, "stage_prompt", stage, replies=dict(replies))
        if not prompt.strip():
            raise Failure(f"stage_prompt() has nothing to ask at '{stage}'", item, replies)
        replies[stage] = _staged(kit, item, "stage_gold", stage)
    return _staged(kit, item, "stage_join", "", replies=dict(replies))


def _staged(kit: Kit, item: Item, hook: str, stage: str, **replies: dict[str, str]) -> str:
    """Call a hook of stages, and refuse what is no text."""
    at = {"stage": stage} if stage else {}
    where = f"{hook}()" + (f" at '{stage}'" if stage else "")
    hook_input = replies.get("replies")
    try:
        text = getattr(kit.plugin.hooks, hook)(item=item, **at, **replies)
    except SpecError:
        raise
    except Exception as error:
        raise Failure(f"{where} raised {one_line(error)}", item, hook_input) from error
    if not isinstance(text, str):
        wrong = f"{where} returned {type(text).__name__}, expected str"
        raise Failure(wrong, item, hook_input)
    return text


def structure(kit: Kit) -> str:
    """structure() returns a JSON Schema that Inspect takes, or None, and says the same again."""
    if not kit.plugin.has("structure"):
        return "no schema of answers is said"
    from jsonschema import Draft202012Validator

    from harness.aids.structure import schema_of

    with_schema = 0
    for item in kit.items[:10]:
        with failing(item):
            schema = kit.plugin.call_json("structure", item=item)
            again = kit.plugin.call_json("structure", item=item)
        if again != schema:
            raise Failure("structure() says another schema when it is asked again", item, again)
        if schema is None:
            continue
        try:
            Draft202012Validator.check_schema(schema)
        except Exception as error:
            wrong = f"structure() is no JSON Schema: {one_line(error)}"
            raise Failure(wrong, item, schema) from error
        with failing(item, schema):
            schema_of(kit.plugin, item)
        with_schema += 1
    return f"{with_schema} of {len(kit.items[:10])} items have one"


def explain(kit: Kit) -> str:
    """explain() returns a text or None, says the same again, and followed by the line `Answer: …` with the target
    it scores full marks.
    """
    if not kit.plugin.has("explain"):
        return "nothing is explained"
    explained = 0
    for item in kit.items[:20]:
        with failing(item):
            text = kit.plugin.call("explain", item=item)
            again = kit.plugin.call("explain", item=item)
        if again != text:
            raise Failure("explain() says something else when it is asked again", item, again)
        if text is None:
            continue
        explained += 1
        example = f"{text}\n\nAnswer: {item.target}"  # as the core shows it to a model
        if not text.strip():
            raise Failure("explain() returned an empty text, expected None or an explanation", item)
        if not kit.full(item, example):
            wrong = "explain(), followed by the right answer, does not score full marks"
            raise Failure(f"{wrong}: {short(example)}", item, example)
    return f"{explained} of {len(kit.items[:20])} items"
