"""Conformance checks of hooks that a plugin need not have: stages, schemas, worked solutions, written formats."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

from harness_errors import HarnessError, SpecError

from harness.core.items import Item
from harness.core.plugins import one_line
from harness.kit.kit import Failure, Kit, failing, short

LARGEST = 300_000  # characters of a drawing: a report holds hundreds
ITEMS = 20  # that are rendered
SVG = "{http://www.w3.org/2000/svg}"
# What a picture on a page could act or fetch with.
FORBIDDEN = ("script", "foreignobject", "iframe", "image", "use", "a")


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
        prompt = _staged(kit, item, "stage_prompt", stage=stage, replies=dict(replies))
        if not prompt.strip():
            raise Failure(f"stage_prompt() has nothing to ask at '{stage}'", item, replies)
        replies[stage] = _staged(kit, item, "stage_gold", stage=stage)
    return _staged(kit, item, "stage_join", replies=dict(replies))


def _staged(kit: Kit, item: Item, hook: str, **arguments: Any) -> str:
    """Return what a hook of stages says; that a strategy is not for such items (`SpecError`) passes."""
    try:
        return str(kit.plugin.call(hook, item=item, **arguments))
    except SpecError:
        raise
    except HarnessError as error:
        raise Failure(str(error), item, arguments) from error


def structure(kit: Kit) -> str:
    """structure() returns a JSON Schema that Inspect takes, or None, and says the same again."""
    if not kit.plugin.has("structure"):
        return "no schema of answers is said"
    from jsonschema import Draft202012Validator

    from harness.aids.structure import schema_of

    with_schema = 0
    for item in kit.items[:10]:
        schema = kit.same_again("structure", item)
        if schema is None:
            continue
        try:
            Draft202012Validator.check_schema(schema)
        except Exception as error:
            wrong = f"structure() is no JSON Schema: {one_line(error)}"
            raise Failure(wrong, item, schema) from error
        with failing(item, schema):
            schema_of(kit.plugin, item)  # which is JSON, too
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
        text = kit.same_again("explain", item)
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


def formats(kit: Kit) -> str:
    """render() returns a text or None for every format; a drawing is a well-formed SVG that does nothing."""
    names = kit.plugin.benchmark.formats
    for item in kit.items[:ITEMS]:
        for name in names:
            where = f"render(format='{name}')"
            with failing(item, name):
                text = kit.plugin.call("render", item=item, format=name)
            if text is not None and not isinstance(text, str):
                wrong = f"{where} returned {type(text).__name__}, expected str or None"
                raise Failure(wrong, item)
            if name == "svg" and text is not None:
                for wrong in _wrong(text):
                    raise Failure(f"{where} {wrong}", item, text)
    return f"{', '.join(names)} of {len(kit.items[:ITEMS])} items" if names else "has no formats"


def _wrong(text: str) -> Iterator[str]:
    """Yield what is wrong with a drawing, to follow the name of what wrote it."""
    if len(text) > LARGEST:
        yield f"has {len(text)} characters, at most {LARGEST} are shown"
    if "<!" in text.replace("<!--", ""):
        yield "declares a document type or entities"
        return
    try:
        root = ET.fromstring(text)  # noqa: S314 (no entities: looked for above)
    except ET.ParseError as error:
        yield f"is no XML: {error}"
        return
    if root.tag != f"{SVG}svg":
        yield f"is no SVG: its root is '{root.tag[:60]}'"
    if root.find(f"{SVG}title") is None:
        yield "has no <title> first, which is what a screen reader says"
    for element in root.iter():
        name, *attributes = (
            key.rpartition("}")[2].casefold() for key in (str(element.tag), *element.attrib)
        )
        if name in FORBIDDEN:
            yield f"holds <{name}>, which a drawing has no use for"
        for attribute in attributes:
            if attribute.startswith("on") or attribute in ("href", "src"):
                yield f"has the attribute '{attribute}', which a drawing has no use for"
