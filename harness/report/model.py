"""What the parts of a report hand to each other: plain frozen data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Literal

from harness.core.hookspecs import Benchmark, Row
from harness.run import models, stats

ASKED = (
    "strategy", "tools", "context", "structured", "gold", "generation", "wrappers", "convention",
)  # fmt: skip
"""How a model was asked: what tells two series of one model apart, in this order."""

Kind = Literal["model", "reference", "baseline", "recorded"]


@dataclass(frozen=True, slots=True)
class LogFacts:
    """What one log says of its run, without its samples."""

    path: str
    plugin: str
    version: str  # of the plugin that made the items, or "published"
    model: str
    created: str  # ISO 8601
    status: str  # Inspect's: success, started, cancelled, error
    asked: Mapping[str, str]  # every key of ASKED
    config: Mapping[str, Any]
    dataset: str | None
    items_digest: str
    n: int  # samples of its dataset
    floors: Mapping[str, Mapping[str, float]]  # {"majority": {metric: value}, "random": {…}}
    versions: Mapping[str, str]
    wrappers: Mapping[str, str]
    task_id: str = ""  # Inspect's: logs of a run that was gone on with share it
    usage: Mapping[str, models.Usage] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """One judged answer. ``row.outcome`` may be ``unscored``: then ``row.value`` is empty.

    ``repeats``: the rows of several answers to the item that all count; ``row`` is what they say together.
    ``number``: of the item, from 0; None where the log does not tell.
    """

    row: Row
    id: str  # of the sample; equal ids are equal items
    source: str  # items with the same source are resampled together; unique where nothing is shared
    log: int  # index into `Study.logs`
    repeats: tuple[Row, ...] = ()
    number: int | None = None

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows of every answer to the item."""
        return self.repeats or (self.row,)

    @property
    def judged(self) -> tuple[Row, ...]:
        """The rows of the answers that enter a mean."""
        return tuple(stats.counted(self.rows))

    @property
    def counts(self) -> bool:
        """Whether it enters a mean: all but the unscored ones do."""
        return self.row.outcome != "unscored"


@dataclass(frozen=True, slots=True)
class Series:
    """All answers of one model asked in one way about items of one kind: a line of a plot, a row of a table.

    Ordered by item id; one `Answer` per item (several samples of an item are one by their vote, or its repeats).
    ``settings`` are the keys (``dataset``, or of the configuration) that tell its items from those of other series of
    the study; empty where none differs. ``again``: another series holds the same answers of the same run, judged at
    another time; they are no answers of their own. ``words``: what follows the model in the label, by what it says
    (keys of `ASKED`, of ``settings``, and ``run``: what tells runs of the same thing apart).
    """

    label: str  # unique within a study
    kind: Kind
    model: str
    asked: Mapping[str, str]
    logs: tuple[int, ...]
    answers: Sequence[Answer]
    settings: Mapping[str, str] = field(default_factory=dict)
    again: bool = False
    words: Mapping[str, str] = field(default_factory=dict)

    @property
    def of_model(self) -> bool:
        """Whether a language model answered, and no baseline or symbolic reference."""
        return self.kind in ("model", "recorded")


def answers_of(all_series: Iterable[Series]) -> Iterator[Answer]:
    """Yield the answers of several series, one series after the other."""
    return chain.from_iterable(series.answers for series in all_series)


@dataclass(frozen=True, slots=True)
class Study:
    """All that is known of one benchmark's runs."""

    benchmark: Benchmark
    logs: tuple[LogFacts, ...]
    series: tuple[Series, ...]
    # Item id → constant answer → its row; may lack items.
    constants: Mapping[str, Mapping[str, Row]]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its 95 % interval; None where undefined. ``method`` says how the interval was made."""

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0
    method: str = ""


Cell = str | int | Estimate | None


@dataclass(frozen=True, slots=True)
class Table:
    """``head`` names the columns of ``rows``; ``name`` is a file's stem: small letters, digits, ``_``."""

    name: str
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    digits: int = 3


@dataclass(frozen=True, slots=True)
class Curve:
    """One series (or floor) of a panel: a number for each of the panel's places, None where there is none."""

    label: str
    points: tuple[Estimate | None, ...]
    floor: bool = False


@dataclass(frozen=True, slots=True)
class Cloud:
    """One series of a scatter: points, the least-squares line (None: undefined), Pearson's r and its p."""

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    slope: float | None
    intercept: float | None
    r: float | None
    p: float | None


@dataclass(frozen=True, slots=True)
class Panel:
    """One pair of axes. Which fields are used depends on the figure's kind.

    ``lines`` and ``bars``: ``places`` (the labels along x, in order) and ``curves``; ``numeric``: the places are
    numbers on a scale. ``stack``: ``places`` are series, ``curves`` are the parts of each (they add up to 1).
    ``scatter``: ``clouds``. ``distribution``: ``samples``, the numbers of each series. ``matrix``: ``places``
    along both axes, ``curves`` the rows. ``beeswarm``: ``places`` are features, the most important first,
    ``swarm[i]`` their (effect on the prediction, the feature's value scaled to 0…1) per item.
    """

    title: str
    x: str = ""
    y: str = ""
    places: tuple[str, ...] = ()
    numeric: bool = False
    curves: tuple[Curve, ...] = ()
    clouds: tuple[Cloud, ...] = ()
    samples: tuple[tuple[str, tuple[float, ...]], ...] = ()
    swarm: tuple[tuple[tuple[float, float], ...], ...] = ()
    unit: bool = True  # y lies in 0…1


FigureKind = Literal["lines", "bars", "stack", "scatter", "distribution", "matrix", "beeswarm"]


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a report; ``alt`` says in words what it shows, for whoever cannot see it.

    ``order``: all series of the study as figures name them. Colours and signs go by it, so that a series has the same
    ones in every figure.
    """

    name: str
    title: str
    kind: FigureKind
    panels: tuple[Panel, ...]
    alt: str
    note: str = ""
    order: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A table, a figure, or both, that belong together."""

    title: str
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a report says of one study."""

    study: Study
    sections: tuple[Section, ...]

    @property
    def tables(self) -> list[Table]:
        """The tables of all sections."""
        return [table for section in self.sections for table in section.tables]

    @property
    def figures(self) -> list[Figure]:
        """The figures of all sections."""
        return [figure for section in self.sections for figure in section.figures]
