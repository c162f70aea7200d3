"""The items of a specification, made one after the other so that no problem comes twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from harness_errors import EngineError, ExhaustedError, PluginError

from harness.core.items import Item, rng_for, salt_for
from harness.core.plugins import Plugin, one_line
from harness.core.spec import Spec

# Redraws of one position before the plugin is asked how much there is to find at all, and
# before the search ends even though it said there is more.
PATIENCE, LIMIT = 300, 30_000


def item_at(plugin: Plugin, spec: Spec, index: int, attempt: int = 0) -> Item:
    """Return the item of one index: a pure function of (plugin, version, config, split, seed, index).

    Raises:
        EngineError: an engine of the plugin failed on this very item.
        PluginError: the plugin returned something other than an item of its own, or no JSON.
    """
    split, seed = spec.split, spec.seed
    stream = (spec.plugin, spec.version, spec.config_json, split, seed)
    rng, salt = rng_for(*stream, index, attempt), salt_for(*stream)
    try:
        item = plugin.call(
            "generate", config=dict(spec.config), index=index, rng=rng, salt=salt, split=split, attempt=attempt
        )  # fmt: skip
    except EngineError as error:
        subject = f"plugin '{spec.plugin}': item {index} cannot be generated"
        raise EngineError(f"{subject}: {error}") from error
    if not isinstance(item, Item):
        raise PluginError(f"plugin '{spec.plugin}': generate() returned {type(item).__name__}")
    if (item.plugin, item.version) != (spec.plugin, spec.version):
        raise PluginError(
            f"plugin '{spec.plugin}' {spec.version}: generate() returned an item that says it is "
            f"of '{item.plugin}' {item.version}"
        )
    try:
        # The id is made anew: a wrapper may have changed what it is the id of.
        return replace(item, split=split, seed=seed, index=index, attempt=attempt, id="")
    except (TypeError, ValueError) as error:
        raise PluginError(
            f"plugin '{spec.plugin}': generate() returned a problem that is not JSON: {one_line(error)}"
        ) from error


def items(
    plugin: Plugin,
    spec: Spec,
    done: list[str] | None = None,
    avoid: Iterable[str] = (),
    firsts: Iterable[Item] | None = None,
) -> Iterator[Item]:
    """Yield the ``n`` items of a spec; a position whose problem came before is drawn again.

    ``done`` are the problem ids of leading items that exist already (resuming), ``avoid``
    those that must not come at all, ``firsts`` the first draws of all positions that are left, where
    somebody makes them ahead.

    Raises:
        ExhaustedError: the configuration has fewer distinct problems than asked for.
    """
    seen = {*(done or ()), *avoid}
    places = range(len(done or ()), spec.n)
    ahead = (item_at(plugin, spec, index) for index in places) if firsts is None else firsts
    for index, first in zip(places, ahead, strict=True):
        yield _distinct(plugin, spec, index, first, seen) if spec.unique else first


def _distinct(plugin: Plugin, spec: Spec, index: int, item: Item, seen: set[str]) -> Item:
    attempt = 0
    while (problem_id := item.problem_id) in seen:
        give_up(plugin, spec, index, attempt, len(seen))
        attempt += 1
        item = item_at(plugin, spec, index, attempt)
    seen.add(problem_id)
    return item


def give_up(plugin: Plugin, spec: Spec, index: int, attempt: int, distinct: int) -> None:
    """Raise where a position was drawn in vain so often that there can be nothing left to find.

    ``attempt`` counts from 0, ``found`` are the distinct items there are.

    Raises:
        ExhaustedError: the configuration has fewer distinct problems than asked for, or seems to.
    """
    if attempt == PATIENCE:
        check_room(plugin, spec)
    if attempt + 1 >= LIMIT:
        raise ExhaustedError(
            f"no distinct item found for index {index} in {LIMIT} draws after {distinct} items; "
            f"use n={distinct} or less, larger settings, or unique=false"
        )


def check_room(plugin: Plugin, spec: Spec) -> None:
    """Refuse more items than the plugin says there are distinct problems, if it can tell.

    Raises:
        ExhaustedError: there are fewer.
    """
    room = plugin.call("capacity", config=dict(spec.config))
    if room is not None and room < spec.n:
        raise ExhaustedError(
            f"these settings can yield {room} distinct items, {spec.n} were asked for; "
            f"use n={room} or less, larger settings, or unique=false"
        )
