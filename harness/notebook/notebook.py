"""Items and evaluations for notebooks and scripts: what `harness.load` and `harness.evaluate` are.

Names, values and errors are those of the command line: ``harness run plugin=ltlbench operators=3`` is
``harness.evaluate("ltlbench", operators=3)``, and a list is a sweep where a comma is one there.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, cast, overload

from harness_errors import SpecError

from harness.cli import tables
from harness.core import fresh
from harness.core.features import keys_of, of_scope, options
from harness.core.items import Item
from harness.core.plugins import Plugin, registry
from harness.core.spec import Spec, find, make
from harness.datasets import reading
from harness.rerun import own_process
from harness.rerun.points import points

if TYPE_CHECKING:
    import pandas as pd  # type: ignore[import-untyped]
    from inspect_ai.log import EvalLog


def load(
    plugin: str,
    *,
    dataset: str | Path | None = None,
    preset: str | None = None,
    n: int | None = None,
    seed: int | None = None,
    split: str | None = None,
    **settings: Any,
) -> Items:
    """Return items of a benchmark: generated one by one as they are asked for, or read from a file.

    Args:
        plugin: name of an installed benchmark (`harness list`).
        dataset: a file of items or of published records, or a folder or URL of shards, to read instead.
        preset: name of a setting that the benchmark has ready.
        n: how many items; 100, or of a dataset all.
        seed: which items; 0 where nothing is said.
        split: which of the streams of a seed; ``test``.
        settings: keys of the benchmark (`harness describe`), and ``format`` and ``unique`` as on the command line.

    Raises:
        PluginError: no such benchmark, or it could not be loaded.
        SpecError: an unknown key or preset, a value that does not fit, or a sweep.
        DatasetError, ExhaustedError: later, where an item is asked for that cannot be had.

    >>> import harness
    >>> items = harness.load("ltlbench", operators=4, n=20)
    >>> items[0].features["operators"], items[-1].index, len(items[5:8])
    (4, 19, 3)
    >>> items[0] == harness.load("ltlbench", operators=4, n=5)[0]
    True
    >>> harness.load("ltlbench", operatos=4)
    Traceback (most recent call last):
        ...
    harness_errors.SpecError: unknown key 'operatos' for plugin ltlbench; did you mean 'operators'?
    """
    values = {
        "dataset": dataset,
        "preset": preset,
        "n": n,
        "seed": seed,
        "split": split,
        **settings,
    }
    keys = [key for key in keys_of("export") if key in of_scope("items")]
    owner = registry().get(plugin)
    first, *others = points(owner.benchmark, values, keys)
    if others:
        wide = next(key for key in first if first[key] != others[-1][key])
        given = str(values.get(wide, ""))[:80]
        raise SpecError(f"{wide}={given}: one value of each key is taken, not a sweep")
    return Items(owner, make(owner, first, keys))


class Items(Sequence[Item]):
    """The items of one setting, in order; each is made or read when it is first asked for, and kept.

    Nothing changes them. A slice is such a sequence, too. Several threads may use one at a time.
    In a notebook they show as a table of the first ones.

    Attributes:
        spec: the validated setting: ``spec.config``, ``spec.fingerprint``, ``spec.seed`` and so on. That of a
            slice is the setting that its items were taken from.
    """

    def __init__(self, plugin: Plugin, spec: Spec, kept: Iterable[Item] | None = None) -> None:
        self.spec = spec
        self._plugin = plugin
        self._items = [] if kept is None else list(kept)
        self._whole = kept is not None
        self._more: Iterator[Item] | None = None
        self._lock = RLock()

    def __len__(self) -> int:
        """How many items there are; a dataset is read to its end for that."""
        if not self._whole and self.spec.dataset is None:
            return int(self.spec.n)
        self._reach(None)
        return len(self._items)

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> Items: ...
    def __getitem__(self, index: int | slice) -> Item | Items:
        """Return the item of an index, negative ones from the end, or the items of a slice."""
        if isinstance(index, slice):
            places = range(*index.indices(self._size_for(index)))
            self._reach(max(places, default=-1) + 1)
            return Items(self._plugin, self.spec, [self._items[at] for at in places])
        at = operator.index(index)
        if at < 0:
            at += len(self)
        if at >= 0 and self._reach(at + 1):
            return self._items[at]
        raise IndexError(f"no item {index}: there are {len(self)}, counted from 0")

    def __iter__(self) -> Iterator[Item]:
        at = 0
        while self._reach(at + 1):
            yield self._items[at]
            at += 1

    def __repr__(self) -> str:
        size = "?" if self.spec.dataset and not self._whole else str(len(self))
        values = dict(self.spec.shown)
        for key in ("dataset", "n", "seed", "split"):
            if self.spec.options.get(key) not in (None, options()[key].default):
                values[key] = self.spec.options[key]
        shown = " ".join([self.spec.plugin, *(f"{key}={value}" for key, value in values.items())])
        return f"<{size} items of {shown}>"

    def _repr_html_(self) -> str:
        from harness.notebook import displays

        return displays.items(self)

    def frame(self) -> pd.DataFrame:
        """Return all items as a table, one row each.

        Columns: ``id``, ``index``, ``seed``, ``split``, ``target``, one of each feature under its own name,
        ``prompt``, and as Python objects ``problem``, ``certificate`` and ``notes``. A feature with the name of
        another column stands under ``NAME (feature)``.

        Raises:
            EngineError: pandas is not installed.
        """
        from harness.notebook import frames

        return frames.of_items(self)

    def _size_for(self, index: slice) -> int:
        """Return how many items there are, or as many as a slice can reach: a dataset may be long."""
        ends = [index.start or 0, index.stop if index.stop is not None else -1, index.step or 1]
        if self.spec.dataset is None or self._whole or min(map(operator.index, ends)) < 0:
            return len(self)
        self._reach(operator.index(index.stop))
        return len(self._items)

    def _reach(self, size: int | None) -> bool:
        """Have so many items (None: all of them) at hand; return whether there are as many."""
        with self._lock:
            if not self._whole and (size is None or len(self._items) < size):
                # Where an error stops it, what is there is kept, and who asks next begins behind it.
                more, self._more = self._more or self._begin(), None
                left = None if size is None else size - len(self._items)
                self._items.extend(islice(more, left))
                self._more, self._whole = more, size is None or len(self._items) < size
            return size is None or len(self._items) >= size

    def _begin(self) -> Iterator[Item]:
        if self.spec.dataset is None:
            done = [item.problem_id for item in self._items]
            return fresh.items(self._plugin, self.spec, done)
        return islice(reading.items(self._plugin, self.spec), len(self._items), None)


def evaluate(
    plugin: str | Sequence[str],
    *,
    model: str | Sequence[str] | None = None,
    strategy: str | Sequence[str] | None = None,
    dataset: str | Path | Sequence[str | Path] | None = None,
    preset: str | None = None,
    n: int | Sequence[int] | None = None,
    seed: int | Sequence[int] | None = None,
    log_dir: str | Path | None = None,
    **settings: Any,
) -> Evaluation:
    """Evaluate a model on a benchmark as ``harness run`` does, and return what came of it.

    A list is a sweep, one log for each of its values; of several lists, for each combination. (A key that takes
    a list is swept by a list of lists.) What `harness run` prints while it goes (warnings, which run is on)
    appears on standard error. Within a running event loop, as in a notebook, the runs are made by a process of
    their own; Ctrl-C (the notebook's *interrupt*) ends them as it ends ``harness run``, and the same call goes on
    with what is left.

    Args:
        plugin: name of an installed benchmark.
        model: a model in Inspect's words (``openai/gpt-5``); ``harness/reference`` where nothing is said.
        strategy: how the model is asked; ``direct``.
        dataset: a file of items or published records, or a folder or URL of shards, in place of generated items.
        preset: name of a setting that the benchmark has ready, a sweep perhaps.
        n: how many items; 100, or of a dataset all.
        seed: which items; 0.
        log_dir: where Inspect's logs go; ``logs``.
        settings: keys of the benchmark, and all others of ``harness run`` (``tools``, ``shots``, ``temperature``, …).

    Raises:
        PluginError, SpecError: a name, key or value that does not fit; no run is begun.
        DatasetError, ExhaustedError: items that cannot be read or made.
        EngineError, OutputError: a run failed as a whole, or its log cannot be written.

    >>> import harness
    >>> found = harness.evaluate("ltlbench", n=4, operators=[1, 2], log_dir="logs")
    >>> [run["metrics"]["accuracy"]["value"] for run in found.results]
    [1.0, 1.0]
    >>> found.frame().groupby("config.operators")["accuracy"].mean().tolist()
    [1.0, 1.0]
    >>> len(found.logs[0].samples)
    4
    """
    named = {"model": model, "strategy": strategy, "dataset": dataset, "preset": preset, "n": n, "seed": seed,
             "log_dir": log_dir}  # fmt: skip
    # Whatever else it is, the registry refuses.
    names = list(plugin) if isinstance(plugin, list | tuple) else [cast(str, plugin)]
    for name in names:
        find(registry().get(name).benchmark, settings)
    runs = sweep(names, {**named, **settings})
    return Evaluation(runs, own_process.results(runs, own_process.say))


def sweep(plugins: Sequence[str], values: Mapping[str, Any]) -> tuple[own_process.Point, ...]:
    """Return a run for each combination of the values of lists; each has been validated.

    Raises:
        PluginError: no such benchmark.
        SpecError: a key, value or preset that does not fit, an empty list, or too many combinations.
    """
    if not plugins:
        raise SpecError("plugin=[]: a sweep of nothing; give at least one name")
    known, runs = keys_of("run"), []
    for name in plugins:
        plugin = registry().get(name)
        for point in points(plugin.benchmark, values, known):
            make(plugin, point, known)
            runs.append(own_process.Point(name, point))
    return tuple(runs)


@dataclass(frozen=True)
class Evaluation:
    """What came of one or more runs; in a notebook it shows as a table with intervals, floors and outcomes.

    Attributes:
        points: the plugin and the settings of each run.
        results: of each run what ``harness run --json`` has under ``results`` (docs/json.md).
        paths: where the logs are, one per run (with ``shards=`` one per shard).
    """

    points: Sequence[own_process.Point] = field(repr=False)
    results: Sequence[dict[str, Any]]
    paths: tuple[Path, ...] = field(init=False)

    def __post_init__(self) -> None:
        # Now: a notebook may go elsewhere.
        object.__setattr__(self, "paths", tuple(Path(log).absolute() for log in self._logs()))

    def _logs(self) -> list[str]:
        return [log for result in self.results for log in result.get("shards", [result["log"]])]

    def __repr__(self) -> str:
        runs = [f"{run['plugin']} · {run['model']} · n={run['n']}" for run in self.results]
        return f"<{len(runs)} run{'s' * (len(runs) != 1)}: {'; '.join(runs)}>"

    def __str__(self) -> str:
        view = f"harness view log_dir={self.paths[0].parent}"
        return tables.run({"results": self.results, "logs": self._logs(), "view": view})

    def _repr_html_(self) -> str:
        from harness.notebook import results as notebook_results

        return notebook_results.evaluation(self)

    @cached_property
    def logs(self) -> list[EvalLog]:
        """The logs with all their samples, read when they are first asked for.

        Raises:
            DatasetError: a log is not there any more, or cannot be read.
        """
        from harness.rerun import logs

        return [logs.whole(path) for path in self.paths]

    def frame(self) -> pd.DataFrame:
        """Return all judged answers as a table, one row per item and run (votes counted), with epochs one per epoch.

        Columns: ``plugin``, ``model``, ``strategy``; ``config.KEY`` of each key that differs between the runs;
        ``id``, ``epoch``, ``target``, ``answer`` (as it was understood), ``outcome``, ``right`` (``right``,
        ``partial``, ``wrong``, ``unparsed`` or ``unscored``); one of each value of the verdict and of each feature,
        under its own name; ``output_tokens``, ``log``. A feature with the name of another column stands under
        ``NAME (feature)``.

        Raises:
            EngineError: pandas is not installed.
            DatasetError: a log is not there any more, or cannot be read.
        """
        from harness.notebook import frames

        return frames.of_results(self.results, self.paths)
