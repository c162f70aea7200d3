"""Items in and out: fresh ones without duplicates, JSONL with a manifest, and published files."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import platform
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from importlib import metadata
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from harness_errors import (
    DatasetError,
    EngineError,
    ExhaustedError,
    HarnessError,
    OutputError,
    PluginError,
)

from harness.core import facts
from harness.core.files import fresh as fresh_file
from harness.core.files import opened
from harness.core.items import Item, canonical_json, digest, rng_for, salt_for, to_json
from harness.core.plugins import Plugin, one_line
from harness.core.spec import Spec
from harness.datasets.reading import Entry as Entry
from harness.datasets.reading import entries as entries
from harness.datasets.reading import manifest_path as manifest_path
from harness.datasets.reading import records as records
from harness.run.progress import Making

if TYPE_CHECKING:
    from harness.aids.pruning import Pruner

# Redraws of one position before the plugin is asked how much there is to find at all, and
# before the search ends even though it said there is more.
PATIENCE, LIMIT = 300, 30_000
CANARY = "harness-canary 5b1f3b0e-1d0c-4c8e-9d3e-7a6c2f0b9a11: benchmark data, not for training"


def one(plugin: Plugin, spec: Spec, index: int, attempt: int = 0) -> Item:
    """Return the item of one index: a pure function of (plugin, version, config, split, seed, index).

    Raises:
        EngineError: an engine of the plugin failed on this very item.
        PluginError: the plugin returned something other than an item of its own, or no JSON.
    """
    stream = (spec.plugin, spec.version, spec.config_json, spec.split, spec.seed)
    rng, salt = rng_for(*stream, index, attempt), salt_for(*stream)
    try:
        item = plugin.call("generate", config=dict(spec.config), index=index, rng=rng, salt=salt)
    except EngineError as error:
        own = f"plugin '{spec.plugin}': item {index} cannot be generated"
        raise EngineError(f"{own}: {error}") from error
    if not isinstance(item, Item):
        raise PluginError(f"plugin '{spec.plugin}': generate() returned {type(item).__name__}")
    if (item.plugin, item.version) != (spec.plugin, spec.version):
        raise PluginError(
            f"plugin '{spec.plugin}' {spec.version}: generate() returned an item that says it is "
            f"of '{item.plugin}' {item.version}"
        )
    try:
        # The id is made anew: a wrapper may have changed what it is the id of.
        return replace(item, split=spec.split, seed=spec.seed, index=index, attempt=attempt, id="")
    except (TypeError, ValueError) as error:
        raise PluginError(
            f"plugin '{spec.plugin}': generate() returned a problem that is not JSON: {one_line(error)}"
        ) from error


def fresh(
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
    ahead = (one(plugin, spec, index) for index in places) if firsts is None else firsts
    for index, first in zip(places, ahead, strict=True):
        item = _distinct(plugin, spec, index, first, seen) if spec.unique else first
        seen.add(item.problem_id)
        yield item


def _distinct(plugin: Plugin, spec: Spec, index: int, item: Item, seen: set[str]) -> Item:
    attempt = 0
    while item.problem_id in seen:
        give_up(plugin, spec, index, attempt, len(seen))
        attempt += 1
        item = one(plugin, spec, index, attempt)
    return item


def give_up(plugin: Plugin, spec: Spec, index: int, attempt: int, found: int) -> None:
    """Raise where a position was drawn in vain so often that there can be nothing left to find.

    ``attempt`` counts from 0, ``found`` are the distinct items there are.

    Raises:
        ExhaustedError: the configuration has fewer distinct problems than asked for, or seems to.
    """
    if attempt == PATIENCE:
        check_room(plugin, spec)
    if attempt + 1 >= LIMIT:
        raise ExhaustedError(
            f"no distinct item found for index {index} in {LIMIT} draws after {found} items; "
            f"use n={found} or less, larger settings, or unique=false"
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


def load(plugin: Plugin, spec: Spec) -> list[Item]:
    """Return all items of a spec, generated or read (the first ``n``); a bad record ends it."""
    if spec.shard is not None:
        from harness.rerun import slices  # it needs this module

        return list(slices.items(plugin, spec))
    if spec.dataset is None:
        return list(fresh(plugin, spec))
    items = []
    for found in records(plugin, spec):
        if isinstance(found, HarnessError):
            raise found
        items.append(found)
    return items


def versions(plugin: Plugin) -> dict[str, str]:
    """Return the versions of everything a label depends on: us, the plugin, what it requires."""
    names = {"temporal-harness", "pluggy", plugin.distribution} - {""}
    for name in [plugin.distribution] if plugin.distribution else []:
        for requirement in metadata.requires(name) or []:
            if "extra ==" not in requirement:
                names.add(_requirement_name(requirement))
    found = {"python": platform.python_version(), plugin.benchmark.name: plugin.benchmark.version}
    found |= {f"wrapper {name}": version for name, version in plugin.wrappers.items()}
    for name in sorted(names):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def _requirement_name(requirement: str) -> str:
    for at, char in enumerate(requirement):
        if not (char.isalnum() or char in "-_."):
            return requirement[:at]
    return requirement


def write(
    plugin: Plugin,
    spec: Spec,
    path: Path,
    ahead: Callable[[int], Iterable[Item]] | None = None,
) -> dict[str, Any]:
    """Generate a dataset into a JSONL file with a manifest beside it; return the manifest.

    ``ahead`` makes the first draws of all positions from one on, where workers do that.

    Lines go to ``<file>.partial`` and the file appears under its name only when complete, so
    an interrupted run leaves no half dataset; the same command picks the partial one up.

    Raises:
        OutputError: the file exists, another dataset is half written there, or writing fails.
    """
    pruner = _pruner(plugin, spec, path) if spec.prune_model else None
    partial = path.with_name(path.name + ".partial")
    head = path.with_name(path.name + ".partial.json")
    try:
        finished = _finished(path, head, spec)
        if finished is not None:
            return finished
        _must_be_new(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        with _locked(partial):
            _must_be_new(path, partial)  # again: another process may just have finished it
            done = _resume(partial, head, spec)
            # What was dropped is on file, so what is done already is found again.
            firsts = ahead(len(done)) if ahead else None
            rest = (
                islice(pruner.items(), len(done), None)
                if pruner
                else fresh(plugin, spec, done, firsts=firsts)
            )
            with _nothing_left(partial, head):
                _append(spec, partial, rest, len(done))
            manifest = _manifest(plugin, spec, partial)
            manifest |= {"pruning": pruner.summary()} if pruner else {}
            said = facts.about(plugin, spec)
            manifest |= {} if said is None else {"plugin": said}
            _atomic(manifest_path(path), json.dumps(manifest, indent=2, ensure_ascii=False) + "\n")
            partial.rename(path)
            head.unlink(missing_ok=True)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"finished items are kept in {partial}; the same command goes on from there"
        ) from None
    except OSError as error:
        kept = f"what is finished is kept in {partial.name}, the same command goes on from there"
        # Not Path.exists(), which raises where the name itself is at fault.
        more = f"; {kept}" if os.path.exists(partial) else ""  # noqa: PTH110
        raise OutputError(f"{path}: cannot be written: {error.strerror}{more}") from None
    return manifest


@contextmanager
def _nothing_left(partial: Path, head: Path) -> Iterator[None]:
    """Remove the unfinished file if what should fill it is refused before the first item."""
    try:
        yield
    except HarnessError:
        if not partial.stat().st_size:
            partial.unlink()
            head.unlink()
        raise


def _pruner(plugin: Plugin, spec: Spec, path: Path) -> Pruner:
    from harness.aids import pruning  # it needs Inspect, and this module

    return pruning.Pruner(plugin, spec, pruning.beside(path))


def _finished(path: Path, head: Path, spec: Spec) -> dict[str, Any] | None:
    """Return the manifest where all that an earlier try of this was killed before is to tidy up."""
    if not (path.exists() and head.exists()):
        return None
    try:
        manifest = json.loads(manifest_path(path).read_text(encoding="utf-8"))
        marks = [
            manifest["fingerprint"],
            json.loads(head.read_text(encoding="utf-8"))["fingerprint"],
        ]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    if marks != [spec.fingerprint] * 2:
        return None
    head.unlink(missing_ok=True)
    return cast(dict[str, Any], manifest)


def _must_be_new(path: Path, partial: Path | None = None) -> None:
    if path.exists():
        if partial is not None and partial.exists() and not partial.stat().st_size:
            partial.unlink()  # made only to be locked
        raise OutputError(f"{path} exists; choose another out= or remove it")


@contextmanager
def _locked(partial: Path) -> Iterator[None]:
    """Hold the unfinished file for this process alone; it is there, maybe empty, within."""
    with os.fdopen(opened(partial), "r+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise OutputError(
                f"{partial}: another process is writing this dataset; wait for it, "
                "or choose another out="
            ) from None
        yield


def _resume(partial: Path, head: Path, spec: Spec) -> list[str]:
    """Return the problem ids of the finished lines of an earlier try; cut off what is no item."""
    if not (head.exists() and partial.stat().st_size):
        _atomic(head, canonical_json({"fingerprint": spec.fingerprint}))
        os.truncate(partial, 0)
        return []
    try:
        same = json.loads(head.read_text(encoding="utf-8"))["fingerprint"] == spec.fingerprint
    except (ValueError, KeyError, TypeError, RecursionError):
        same = False
    if not same:
        raise OutputError(
            f"{partial} belongs to a dataset with other settings; remove it and {head.name}, "
            "or choose another out="
        )
    done, good = [], 0
    with partial.open("rb") as file:
        for line in file:
            try:
                done.append(Item.from_dict(json.loads(line)).problem_id)
            except (
                ValueError,
                RecursionError,
                DatasetError,
            ):  # torn, or what a crash of the machine left there
                break
            if not line.endswith(b"\n"):
                done.pop()
                break
            good += len(line)
    os.truncate(partial, good)
    return done


def _append(spec: Spec, partial: Path, items: Iterable[Item], done: int) -> None:
    # Line by line: what was generated is kept even when the process is killed.
    with (
        Making(spec.n, done) as shown,
        partial.open("a", encoding="utf-8", newline="\n", buffering=1) as file,
    ):
        tally = Tally()
        for number, item in enumerate(items, done + 1):
            try:
                line = to_json(item)
            except (TypeError, ValueError) as error:
                raise PluginError(
                    f"plugin '{spec.plugin}': item {item.index} is not JSON: {one_line(error)}"
                ) from error
            file.write(line + "\n")
            tally.add(item.notes)
            shown.at(number, tally.draws, tally.refused)
        file.flush()
        os.fsync(file.fileno())


def _manifest(plugin: Plugin, spec: Spec, partial: Path) -> dict[str, Any]:
    targets: Counter[str] = Counter()
    tally = Tally()
    sha = hashlib.sha256()
    items = 0
    with partial.open("rb") as file:
        for line in file:
            items += 1
            sha.update(line)
            item = json.loads(line)
            # The verdict of "False: (event1)"; an object has none.
            target = str(item["target"])
            targets[target if target.startswith("{") else target.split(":")[0]] += 1
            tally.add(item["notes"])
    return {
        "canary": CANARY,
        "spec": spec.data(),
        "fingerprint": spec.fingerprint,
        "versions": versions(plugin),
        "items": items,
        "targets": _few(targets),
        **tally.summary(),
        "sha256": sha.hexdigest(),
    }


def _few(targets: Mapping[str, int]) -> dict[str, int] | int:
    """Return the counts of targets where they are few and short, else how many there are."""
    few = len(targets) <= 20 and not any(target.startswith("{") for target in targets)
    return dict(sorted(targets.items())) if few else len(targets)


class Tally:
    """Sum of what the items say was drawn and rejected on the way to them (``notes``)."""

    def __init__(self) -> None:
        self.draws = 0
        self.rejected: Counter[str] = Counter()

    def add(self, notes: Mapping[str, Any]) -> None:
        """Add one item's notes."""
        draws, rejected = notes.get("draws", 1), notes.get("rejected", {})
        if isinstance(draws, int) and isinstance(rejected, dict):
            self.draws += draws
            self.rejected.update({k: v for k, v in rejected.items() if isinstance(v, int)})

    @property
    def refused(self) -> int:
        """How many draws were rejected."""
        return sum(self.rejected.values())

    def summary(self) -> dict[str, Any]:
        """Return the draws, the rejections by reason, and their share of all draws."""
        return tally_of(self.draws, self.rejected)


def tally_of(draws: int, rejected: Mapping[str, int]) -> dict[str, Any]:
    """Return draws, rejections by reason, and their share of all draws, as a manifest holds them."""
    return {
        "draws": draws,
        "rejected": dict(sorted(rejected.items())),
        "rejected_share": round(sum(rejected.values()) / draws, 4) if draws else 0.0,
    }


def _atomic(path: Path, text: str) -> None:
    # One name for all processes: whoever writes here holds the lock, and replaces what a kill left.
    temporary = path.with_name(f".{path.name}.new")
    try:
        with fresh_file(temporary) as file:
            file.write(text)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def sample_ids(items: list[Item]) -> list[str]:
    """Return one unique id per item: its content id, with a count behind a repeated one."""
    seen: Counter[str] = Counter()
    ids = []
    for item in items:
        seen[item.id] += 1
        ids.append(item.id if seen[item.id] == 1 else f"{item.id}-{seen[item.id]}")
    return ids


def dataset_digest(items: list[Item]) -> str:
    """Return 16 hexadecimal digits over the ids of a dataset in order."""
    return digest([item.id for item in items])[:16]
