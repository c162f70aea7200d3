"""Items in and out: fresh ones without duplicates, JSONL with a manifest, and published files."""

from __future__ import annotations

import csv
import fcntl
import hashlib
import json
import os
import platform
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from importlib import metadata
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from harness import facts
from harness.errors import DatasetError, ExhaustedError, HarnessError, OutputError, PluginError
from harness.items import Item, canonical_json, digest, rng_for, salt_for, to_json
from harness.plugins import Plugin, one_line
from harness.spec import Spec, schema_errors

if TYPE_CHECKING:
    from harness.pruning import Pruner

MAX_LINE = 50_000_000
# Redraws of one position before the plugin is asked how much there is to find at all, and
# before the search ends even though it said there is more.
PATIENCE, LIMIT = 300, 30_000
CANARY = "harness-canary 5b1f3b0e-1d0c-4c8e-9d3e-7a6c2f0b9a11: benchmark data, not for training"


def one(plugin: Plugin, spec: Spec, index: int, attempt: int = 0) -> Item:
    """Return the item of one index: a pure function of (plugin, version, config, split, seed, index).

    Raises:
        PluginError: the plugin returned something other than an item of its own, or no JSON.
    """
    stream = (spec.plugin, spec.version, spec.config_json, spec.split, spec.seed)
    rng, salt = rng_for(*stream, index, attempt), salt_for(*stream)
    item = plugin.call("generate", config=dict(spec.config), index=index, rng=rng, salt=salt)
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
    plugin: Plugin, spec: Spec, done: list[str] | None = None, avoid: Iterable[str] = ()
) -> Iterator[Item]:
    """Yield the ``n`` items of a spec; a position whose problem came before is drawn again.

    ``done`` are the problem ids of leading items that exist already (resuming), ``avoid``
    those that must not come at all.

    Raises:
        ExhaustedError: the configuration has fewer distinct problems than asked for.
    """
    seen = {*(done or ()), *avoid}
    for index in range(len(done or ()), spec.n):
        item = _distinct(plugin, spec, index, seen) if spec.unique else one(plugin, spec, index)
        seen.add(item.problem_id)
        yield item


def _distinct(plugin: Plugin, spec: Spec, index: int, seen: set[str]) -> Item:
    for attempt in range(LIMIT):
        item = one(plugin, spec, index, attempt)
        if item.problem_id not in seen:
            return item
        if attempt == PATIENCE:
            room = plugin.call("capacity", config=dict(spec.config))
            if room is not None and room < spec.n:
                raise ExhaustedError(
                    f"these settings can yield {room} distinct items, {spec.n} were asked for; "
                    f"use n={room} or less, larger settings, or unique=false"
                )
    raise ExhaustedError(
        f"no distinct item found for index {index} in {LIMIT} draws after {len(seen)} items; "
        f"use n={len(seen)} or less, larger settings, or unique=false"
    )


def load(plugin: Plugin, spec: Spec) -> list[Item]:
    """Return all items of a spec, generated or read (the first ``n``); a bad record ends it."""
    if spec.dataset is None:
        return list(fresh(plugin, spec))
    items = []
    for found in records(plugin, spec):
        if isinstance(found, HarnessError):
            raise found
        items.append(found)
    return items


def records(plugin: Plugin, spec: Spec) -> Iterator[Item | HarnessError]:
    """Yield every record of a dataset as an item, or as the error that says why it is none.

    Understands our own JSONL and whatever the plugin adopts (CSV or JSONL records).

    Raises:
        DatasetError: the file as a whole cannot be read.
    """
    path = Path(spec.dataset)
    try:
        _check_manifest(path, spec)
    except OSError as error:
        raise DatasetError(f"{str(path)[:200]}: cannot be read: {error.strerror}") from None
    rows = _csv_rows(path) if path.suffix.lower() == ".csv" else _json_rows(path)
    seen: dict[str, str] = {}
    count = own_items = 0
    for where, row in islice(rows, spec.n):
        count += 1
        if isinstance(row, DatasetError):
            yield row
            continue
        own_items += _is_own(row)
        try:
            item = _item(plugin, spec, row)
            own = str(item.notes.get("source_id", item.id)) or where
            if own in seen:
                raise DatasetError(f"id '{own[:60]}' was used before at {seen[own]}")
            seen[own] = where
            yield item
        except HarnessError as error:
            yield DatasetError(f"{where}: {error}")
    if count == 0:
        raise DatasetError(f"{path}: the dataset is empty")
    if own_items == count and spec.adopting:
        raise DatasetError(
            f"'{spec.adopting[0]}' has no effect: {path} holds items, not published records"
        )


def _is_own(row: Mapping[str, Any]) -> bool:
    """Return whether a record is an item as we write it, not one to be adopted."""
    return {"plugin", "problem", "prompt"} <= set(row)


def _item(plugin: Plugin, spec: Spec, row: dict[str, Any]) -> Item:
    if _is_own(row):
        if "id" not in row:
            raise DatasetError("item lacks 'id', so nothing shows whether it was changed")
        item = Item.from_dict(row)
        if item.plugin != spec.plugin:
            raise DatasetError(f"made for plugin '{item.plugin}', not '{spec.plugin}'")
        if item.version != spec.version:
            raise DatasetError(
                f"made by {item.plugin} {item.version}, installed is {spec.version}; "
                "generate it again or install that version"
            )
    else:
        item = plugin.call("adopt", record=row, config=dict(spec.config))
        if item is None:
            raise DatasetError(
                f"not a record that plugin '{spec.plugin}' knows (fields: {', '.join(map(str, row))[:200]})"
            )
    for message in schema_errors(plugin.benchmark.problem_schema, item.problem):
        raise DatasetError(f"problem.{message}")
    return item


def _open(path: Path) -> IO[str]:
    try:
        if path.is_dir():
            raise DatasetError(f"{path} is a directory, expected a file")
        # Excel begins a UTF-8 file with a byte order mark.
        return path.open(encoding="utf-8-sig", newline="")
    except FileNotFoundError:
        raise DatasetError(f"no dataset at {path}") from None
    except OSError as error:
        raise DatasetError(f"{path}: cannot be read: {error.strerror}") from None


def _csv_rows(path: Path) -> Iterator[tuple[str, dict[str, Any] | DatasetError]]:
    csv.field_size_limit(MAX_LINE)
    with _open(path) as file:
        reader = csv.DictReader(file, strict=True)
        number = 0
        try:
            for row in reader:
                number += 1
                where = f"{path}: record {number}"
                if None in row or None in row.values():
                    got = sum(v is not None for k, v in row.items() if k is not None)
                    fields = len(reader.fieldnames or ())
                    more = " or more" if None in row else ""
                    yield where, DatasetError(f"{where}: has {got}{more} of {fields} fields")
                else:
                    yield where, row
        except UnicodeDecodeError as error:
            raise DatasetError(
                f"{path}: not UTF-8 (after record {number}): {error.reason}"
            ) from None
        except csv.Error as error:
            raise DatasetError(
                f"{path}: cut off or malformed after record {number}: {error}"
            ) from None


def _json_rows(path: Path) -> Iterator[tuple[str, dict[str, Any] | DatasetError]]:
    with _open(path) as file:
        number = 0
        try:
            while line := file.readline(MAX_LINE):
                number += 1
                where = f"{path}:{number}"
                if not line.strip():
                    continue
                yield where, _json_row(where, line)
        except UnicodeDecodeError as error:
            raise DatasetError(f"{path}: not UTF-8 (after line {number}): {error.reason}") from None


def _json_row(where: str, line: str) -> dict[str, Any] | DatasetError:
    try:
        row = json.loads(line, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        cut = "" if line.endswith("\n") else " (the file ends in mid-line: cut off?)"
        return DatasetError(f"{where}: not a line of JSON{cut}")
    if not isinstance(row, dict):
        return DatasetError(f"{where}: {type(row).__name__} instead of an object")
    return row


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def manifest_path(path: Path) -> Path:
    """Return where the manifest of a dataset file lies: beside it."""
    return path.with_name(path.name + ".manifest.json")


def _check_manifest(path: Path, spec: Spec) -> None:
    """Hold a dataset of ours against its manifest, if it has one: checksum and maker."""
    if not path.is_file():
        return
    beside = manifest_path(path)
    if not beside.exists():
        return
    try:
        manifest = json.loads(beside.read_text(encoding="utf-8"))
        maker, checksum = manifest["spec"]["plugin"], manifest["sha256"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DatasetError(f"{beside}: not a readable manifest ({type(error).__name__})") from None
    if maker != spec.plugin:
        raise DatasetError(f"{path} was made for plugin '{maker}', not '{spec.plugin}'")
    with path.open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != checksum:
            raise DatasetError(f"{path}: contents do not match the checksum in {beside.name}")


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


def write(plugin: Plugin, spec: Spec, path: Path) -> dict[str, Any]:
    """Generate a dataset into a JSONL file with a manifest beside it; return the manifest.

    Lines go to ``<file>.partial`` and the file appears under its name only when complete, so
    an interrupted run leaves no half dataset; the same command picks the partial one up.

    Raises:
        OutputError: the file exists, another dataset is half written there, or writing fails.
    """
    pruner = _pruner(plugin, spec, path) if spec.prune_model else None
    partial = path.with_name(path.name + ".partial")
    head = path.with_name(path.name + ".partial.json")
    try:
        _must_be_new(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        with _locked(partial):
            _must_be_new(path)  # again: another process may just have finished it
            done = _resume(partial, head, spec)
            # What was dropped is on file, so what is done already is found again.
            rest = islice(pruner.items(), len(done), None) if pruner else fresh(plugin, spec, done)
            with _nothing_left(partial, head):
                _append(spec, partial, rest)
            manifest = _manifest(plugin, spec, partial)
            manifest |= {"pruning": pruner.summary()} if pruner else {}
            said = facts.about(plugin, spec)
            manifest |= {} if said is None else {"plugin": said}
            _atomic(manifest_path(path), json.dumps(manifest, indent=2, ensure_ascii=False) + "\n")
            partial.rename(path)
            head.unlink()
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
    from harness import pruning  # it needs Inspect, and this module

    return pruning.Pruner(plugin, spec, pruning.beside(path))


def _must_be_new(path: Path) -> None:
    if path.exists():
        raise OutputError(f"{path} exists; choose another out= or remove it")


@contextmanager
def _locked(partial: Path) -> Iterator[None]:
    """Hold the unfinished file for this process alone; it is there, maybe empty, within."""
    with partial.open("ab") as file:
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
    except (ValueError, KeyError, TypeError):
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
            except (ValueError, DatasetError):  # torn, or what a crash of the machine left there
                break
            if not line.endswith(b"\n"):
                done.pop()
                break
            good += len(line)
    os.truncate(partial, good)
    return done


def _append(spec: Spec, partial: Path, items: Iterable[Item]) -> None:
    # Line by line: what was generated is kept even when the process is killed.
    with partial.open("a", encoding="utf-8", newline="\n", buffering=1) as file:
        for item in items:
            try:
                line = to_json(item)
            except (TypeError, ValueError) as error:
                raise PluginError(
                    f"plugin '{spec.plugin}': item {item.index} is not JSON: {one_line(error)}"
                ) from error
            file.write(line + "\n")
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

    def summary(self) -> dict[str, Any]:
        """Return the draws, the rejections by reason, and their share of all draws."""
        total = sum(self.rejected.values())
        return {
            "draws": self.draws,
            "rejected": dict(sorted(self.rejected.items())),
            "rejected_share": round(total / self.draws, 4) if self.draws else 0.0,
        }


def _atomic(path: Path, text: str) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_text(text, encoding="utf-8")
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
