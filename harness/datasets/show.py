"""The command `show`: which items of a setting are meant, and one of them written to a file."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from harness_errors import OutputError, PluginError, SpecError

from harness.cli.command import Found, given, one_spec
from harness.core import facts
from harness.core.facts import printable
from harness.core.feature_hooks import Warn
from harness.core.items import Item, sample_ids
from harness.core.plugins import Plugin
from harness.core.spec import Spec
from harness.datasets import dataset, files, manifests, reading
from harness.datasets.plugin import check_reading

SHORTEST = 4  # characters of an id's beginning


def show(
    plugin: Plugin, spec: Spec, form: str | None, warn: Callable[[str], object]
) -> dict[str, Any]:
    """Return the items that a spec asks for, in full or in one of the plugin's formats; write ``out=``.

    Raises:
        SpecError: there is no such item, or more than one for one file, or it is not sayable in the format.
        OutputError: the file exists or cannot be written.
    """
    if spec.out is not None:
        _must_be_new(Path(spec.out))  # before items are made
        if form is None:
            raise SpecError("out=FILE is for items in a format: give format=, too")
    left_out: list[str] = []
    start, items = _items(plugin, spec, form, left_out)
    if spec.out is not None and len(items) > 1:
        raise SpecError(f"out=FILE takes one item, got {len(items)}; choose one with item= or n=1")
    out_lines = reading.left_out_lines(reading.Reasons(left_out).examples())
    for line in (*facts.warnings(manifests.about(plugin, spec)), *out_lines):
        warn(line)
    tally = manifests.Tally()
    for item in items:
        tally.add(item.notes)
    shown = [item.to_dict() if form is None else _rendered(plugin, item, form) for item in items]
    shown_items: dict[str, Any] = {
        "items": shown,
        "positions": list(range(start, start + len(items))),
        **({} if spec.dataset else tally.summary()),
    }
    if spec.out is not None:
        if shown[0]["text"] is None:
            raise SpecError(unsayable(shown[0]))
        _write(Path(spec.out), shown[0]["text"])
        shown_items["out"] = spec.out
    return shown_items


def unsayable(shown: dict[str, Any]) -> str:
    """Return one line for an item that the plugin does not say in a format."""
    what = "no drawing" if shown["format"] == "svg" else f"no form '{shown['format']}'"
    return f"item {printable(str(shown['id']), 80)} has {what}"


def _rendered(plugin: Plugin, item: Item, form: str) -> dict[str, Any]:
    text = plugin.call("render", item=item, format=form)
    if not isinstance(text, str | None):
        raise PluginError(
            f"plugin '{plugin.benchmark.name}': render() returned {type(text).__name__}, expected str or None"
        )
    return {"id": item.id, "text": text, **({"format": form} if text is None else {})}


def _items(
    plugin: Plugin, spec: Spec, form: str | None, left_out: list[str]
) -> tuple[int, list[Item]]:
    """Return the items, and the number of the first; ``left_out`` gets why records before them are none."""
    # A format to show items in is none to read a dataset as.
    kept = {"format": None} if form else {}
    if spec.item is not None:
        if spec.index:
            raise SpecError("item= and index= both say which item; give one of them")
        number, item = _item(plugin, replace(spec, options={**spec.options, **kept}))
        return number, [item]
    last = spec.index + spec.n
    wide = replace(spec, options={**spec.options, "n": None, **kept})
    items = _first(plugin, wide, last, left_out)[spec.index :]
    if not items:
        raise SpecError(f"index={spec.index} is beyond the dataset's last item")
    return spec.index, items


def _first(plugin: Plugin, spec: Spec, count: int, left_out: list[str] | None = None) -> list[Item]:
    """Return the first items, of a dataset those of as many records as that takes."""
    if spec.dataset is None:
        return dataset.load(plugin, replace(spec, options={**spec.options, "n": count}))
    return list(islice(reading.items(plugin, spec, left_out), count))


def _item(plugin: Plugin, spec: Spec) -> tuple[int, Item]:
    """Return an item and its number, by its index, its id or the beginning of one.

    A number that is no index may begin an id.
    """
    word = str(spec.item)
    name = printable(word, 80)
    number = int(word) if word.isascii() and word.isdecimal() and len(word) < 10 else None
    if number is not None and (spec.n is None or number < spec.n):
        few = _first(plugin, spec, number + 1)
        if number < len(few):
            return number, few[number]
    items = dataset.load(plugin, spec)
    ids = sample_ids(items)
    if word in ids:
        return ids.index(word), items[ids.index(word)]
    hint = "" if spec.dataset and not spec.n else "; a larger n= searches more"
    searched = f"the {len(items)} items of {spec.dataset or 'these settings'} that were searched"
    if number is not None and len(word) < SHORTEST:
        raise SpecError(f"item={name}: no such index among {searched}, 0 to {len(items) - 1}{hint}")
    if len(word) < SHORTEST:
        raise SpecError(
            f"item={name}: expected an index, or an id or at least its first {SHORTEST} characters"
        )
    places = [at for at, item_id in enumerate(ids) if item_id.startswith(word)]
    if not places:
        raise SpecError(f"item={name}: no such id or index among {searched}{hint}")
    if len(places) > 1:
        some = ", ".join(ids[at] for at in places[:3]) + (", …" if len(places) > 3 else "")
        raise SpecError(f"item={name}: {len(places)} of {searched} begin so: {some}")
    return places[0], items[places[0]]


def _must_be_new(path: Path) -> None:
    if os.path.isdir(path):  # noqa: PTH112 (Path.is_dir raises where the name is too long)
        raise OutputError(f"{str(path)[:200]} is a directory; out= takes the name of a new file")
    if os.path.lexists(path):
        raise OutputError(f"{str(path)[:200]} exists; choose another out= or remove it")


def _write(path: Path, text: str) -> None:
    """Write a new file whole or not at all."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with files.aside(path) as partial, files.fresh(partial) as file:
            file.write(text)
            _must_be_new(path)  # again: something may just have come to lie there
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise OutputError(f"{str(path)[:200]}: cannot be written: {why}") from None


def command(words: Sequence[str], warn: Warn) -> Found:
    """Run ``harness show``."""
    words = words if given(words) & {"n", "preset", "difficulty", "item"} else [*words, "n=1"]
    spec, plugin = one_spec(words, "show")
    # A format is one to show items in, or one that the dataset is to be read as.
    form = spec.format if spec.format in plugin.benchmark.formats else None
    if not form:
        check_reading(spec)
    return show(plugin, spec, form, warn), 0
