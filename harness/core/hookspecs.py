"""The contract between the core and a plugin: plain functions and the data they exchange."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pluggy

from harness.core.items import Item, Solution, Verdict

PROJECT = "harness"
hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)
"""Marks a function of a plugin as the implementation of the hook of its name."""


@dataclass(frozen=True, slots=True)
class Row:
    """One judged answer as a metric sees it; ``probability`` is that of the positive answer.

    ``extra`` is `Verdict.extra`, handed on unchanged; ``output_tokens`` is what the model wrote for
    the item in all its turns, where it says so; ``searches`` is how many web searches it made, where it could.
    """

    target: str
    answer: str | None
    outcome: str
    value: Mapping[str, float]
    features: Mapping[str, Any] = field(default_factory=dict)
    probability: float | None = None
    extra: Mapping[str, str | float] = field(default_factory=dict)
    output_tokens: int | None = None
    searches: int | None = None


@dataclass(frozen=True, slots=True)
class Metric:
    """One number over a run.

    Without ``compute`` it is the mean of ``Verdict.value[name]``; with it, any function of
    all rows (unscored ones left out) to a float; the confidence interval is then bootstrapped.
    With ``each`` it is the mean of a number per row, over the rows that have one (not None); the interval
    is that of a mean. Undefined (nan) where no row has one.
    Where items have several answers that all count (epochs), ``compute`` gets the rows of all of them, and a mean is
    that of the items' means; intervals are over items.
    ``together`` names a feature whose equal values mark items that ``compute`` judges together, such as the two of a
    pair: intervals are then over these groups.
    ``probabilistic``: it uses ``Row.probability`` where every readable answer has one, and hard
    labels else; tables then say which.
    """

    name: str
    summary: str
    compute: Callable[[Sequence[Row]], float] | None = None
    probabilistic: bool = False
    each: Callable[[Row], float | None] | None = None
    together: str = ""


def both_right(value: str, feature: str = "twin") -> Callable[[Sequence[Row]], float]:
    """Return a function for `Metric`: the share of pairs whose two items are both answered right.

    Two items of one feature value and of different targets are a pair; a coin has 1/4 where there are two
    targets. Of several answers to an item it is the chance that one drawn for each of the two is right for
    both. No pair: nan.

    Args:
        value: the value of a verdict that says how right an answer is, from 0 to 1.
        feature: the feature that both items of a pair have in common; items without it are left out.
    """

    def compute(rows: Sequence[Row]) -> float:
        pairs: dict[str, dict[str, list[float]]] = {}
        for row in rows:
            if feature in row.features:
                halves = pairs.setdefault(str(row.features[feature]), {})
                halves.setdefault(row.target, []).append(float(row.value[value]))
        right = total = 0.0
        for halves in pairs.values():
            if len(halves) == 2:
                first, second = halves.values()
                # Above 1 where an item has several answers, or is resampled.
                weight = min(len(first), len(second))
                right += weight * (sum(first) / len(first)) * (sum(second) / len(second))
                total += weight
        return right / total if total else math.nan

    return compute


@dataclass(frozen=True, slots=True)
class Shortcut:
    """A cheap way to answer that uses only a part of the problem: what it scores, an answer is worth nothing.

    ``name``: small letters, digits, ``_``. ``summary``: how it answers, in one sentence. ``ignores``: what of
    the problem it does not use, in a few words. ``tasks``: the values of the feature ``task`` of the items it is for;
    empty means all.
    """

    name: str
    summary: str
    ignores: str
    tasks: tuple[str, ...] = ()


WEAKNESS_LEVELS = ("grave", "by_design", "note")


@dataclass(frozen=True, slots=True)
class Weakness:
    """A way in which an item can be weak, whatever its label: what that means, in one line, and how much it weighs.

    ``level``: ``grave``, the item does not measure what it claims; ``by_design``, settings that people choose lead to
    it; ``note``, it is worth knowing. Grave ones alone change the exit code of ``harness verify``.
    """

    meaning: str
    level: str


VIEWS = ("split", "pairs", "scatter", "forest", "distribution", "agreement")


@dataclass(frozen=True, slots=True)
class View:
    """A table and figure that a report shows of a benchmark, beside those that every benchmark gets.

    ``name`` (small letters, digits, ``_``) becomes part of file names. ``kind`` says what is done with
    ``metrics`` (names of metrics or of keys of ``values``) and ``features``:

    - ``split``: every metric at every value of each feature; lines where the values are numbers, bars else.
      Its table has a row of all language models together where there are several.
      A feature may also be how the model was asked: ``strategy``, ``tools``, ``context``, ``structured``.
    - ``pairs``: the difference of every metric between two values of one feature, over items that share a
      family and differ in it (the same puzzle in two forms).
    - ``scatter``: each item's value against each numeric feature, with fit and Pearson's r.
      Here and in forests ``log10 NAME`` is the logarithm of the feature NAME: where that is not above 0, a
      scatter leaves out the item, and a forest the feature.
    - ``forest``: a random forest that predicts the one metric from the features, its R² on items it has not
      seen and the effect of every feature on each prediction (SHAP).
    - ``distribution``: how the items' values spread.
    - ``agreement``: rank correlations between the metrics, item by item.

    ``where`` restricts it to items with these features (``{"task": "tce"}``).
    """

    name: str
    kind: str
    title: str
    metrics: tuple[str, ...]
    features: tuple[str, ...] = ()
    where: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, slots=True)
class Strategy:
    """How a model is asked. Texts are the plugin's own; empty ones fall back to the core's.

    ``suffix`` is appended to the prompt, ``examples`` worked examples precede it as chat
    turns, ``samples`` answers are drawn and voted on, ``steps`` are asked first, one a turn.
    ``stages`` are asked instead of the prompt, each in a conversation of its own; the hooks
    ``stage_prompt`` and ``stage_join`` say what with, and what is judged. Suffix, examples and
    steps do not combine with them. ``tasks``: the values of the feature ``task`` of the items that the
    strategy is for; empty means all.
    """

    name: str
    summary: str
    suffix: str = ""
    examples: bool = False
    rationale: bool = False
    samples: int = 1
    steps: tuple[str, ...] = ()
    stages: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()


LEVELS = 10
_NAMED = {"easy": 2, "medium": 5, "hard": 8}
DIFFICULTIES = {str(number): number for number in range(1, LEVELS + 1)} | _NAMED
"""The level of each word for ``difficulty``."""

DIFFICULTY = f"1 to {LEVELS}, {', '.join(f'{word} ({number})' for word, number in _NAMED.items())}"


@dataclass(frozen=True, slots=True)
class Benchmark:
    """What a plugin says of itself.

    ``config_schema`` is a JSON Schema object whose properties all carry a ``default``. A property
    with ``"format": "path"`` names a file (or is empty): its content, not its name, decides the
    items, unless it is one of ``"x-names"``, which name something built in.
    One with ``"x-form": true`` changes the form a problem is put in, never which one it is.
    One with ``"x-added": true`` came after items had been made: at its default, which changes nothing, it enters
    neither seed nor fingerprint.
    One with ``"x-adopt": true`` says (also) how a published record is adopted; with a list, these values do.
    ``engines``: the first makes the label, the second confirms it, all of them ``verify``.
    ``values``: the keys of every `Verdict.value`. ``agreement``: the one that is 1 when an
    engine's answer agrees with a label (default: the first). ``choices``: the answers that a baseline
    which never reads the problem would give; where there are two, the first is the positive
    class. ``choices_by_task``: other choices, perhaps none, for items whose feature ``task`` is a key of
    it. ``published``: metrics of the paper's own convention (``convention=published``).
    ``groups``: features that results are split by. ``tags``: features that hold several words with
    blanks between them; results are split by every word. ``formats``: what ``render`` understands.
    ``dataset_formats``: names of the published formats that ``adopt`` reads and ``publish`` writes.
    ``weaknesses``: what ``audit`` can find an item to be, kind by kind, with what that means and how much it weighs.
    ``pruning``: what a model is asked about an item, with ``{text}`` for ``render(item, "text")``;
    it answers yes to keep the item and no to drop it.
    ``views``: what a report shows beside what it shows of every benchmark. ``sources``: features or notes that
    together name what items share (the machine they are about): such items are no independent draws, and
    intervals allow for it.
    ``collision_rate``: the share of equal problems to expect between two seeds of ``n=1000``.
    ``shortcut_ceiling``: the headline that no shortcut passes on the default settings.
    ``solution_features``: features that come of solving an item, so that no look at it tells them: generic shortcuts
    do without them.
    ``levels``: the settings of ``difficulty=1`` to ``difficulty=10``, from easy to hard.
    """

    name: str
    version: str
    summary: str
    config_schema: Mapping[str, Any]
    engines: tuple[str, ...]
    values: tuple[str, ...]
    metrics: tuple[Metric, ...]
    headline: str
    choices: tuple[str, ...]
    problem_schema: Mapping[str, Any]
    answer_schema: Mapping[str, Any]
    strategies: tuple[Strategy, ...] = ()
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    agreement: str = ""
    published: tuple[Metric, ...] = ()
    groups: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    dataset_formats: tuple[str, ...] = ()
    weaknesses: Mapping[str, Weakness] = field(default_factory=dict)
    pruning: str = ""
    views: tuple[View, ...] = ()
    sources: tuple[str, ...] = ()
    collision_rate: float = 0.0
    choices_by_task: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    citation: str = ""
    licence: str = ""
    shortcut_ceiling: float | None = None
    solution_features: tuple[str, ...] = ()
    levels: tuple[Mapping[str, Any], ...] = ()

    @property
    def headline_metric(self) -> Metric:
        """The metric that stands for a run."""
        return next(metric for metric in self.metrics if metric.name == self.headline)

    def choices_for(self, facts: Any) -> tuple[str, ...]:
        """Return the choices of an item by its features, or by its problem where that names the task."""
        task = facts.get("task") if isinstance(facts, Mapping) else None
        return self.choices_by_task.get(str(task), self.choices)


@hookspec(firstresult=True)
def describe() -> Benchmark:  # type: ignore[empty-body]
    """Return what the plugin is: names, schemas, engines, metrics. A plugin without it is a wrapper."""


@hookspec(firstresult=True)
def generate(  # type: ignore[empty-body]
    config: dict[str, Any], index: int, rng: Random, salt: str, split: str, attempt: int
) -> Item:
    """Return item ``index``, a pure function of its arguments; ``salt`` is the same for a whole dataset.

    A plugin may leave out ``split``, and ``attempt``: how many draws of this position gave problems that came before.
    """


@hookspec(firstresult=True)
def solve(problem: Any, engine: str) -> Solution:  # type: ignore[empty-body]
    """Derive the answer from the formal problem with the engine named; raise `Abstained` beyond its bounds."""


@hookspec(firstresult=True)
def read(prompt: str) -> Any:
    """Parse the prompt text alone back into the formal problem; None means it is not this plugin's."""


@hookspec(firstresult=True)
def score(item: Item, completion: str, explain: bool) -> Verdict:  # type: ignore[empty-body]
    """Judge any text whatever: never raise, use bounded time and memory.

    ``explain``: whether anybody wants the explanation, which may be left empty otherwise. All else is the same.
    """


@hookspec(firstresult=True)
def check(item: Item) -> list[str]:  # type: ignore[empty-body]
    """Return what is wrong with the item's certificate, using no engine; an empty list means it proves the label."""


@hookspec(firstresult=True)
def adopt(record: dict[str, Any], config: dict[str, Any], format: str) -> Item | None:
    """Turn a record of a published dataset, of the format named or ("") of any, into an item; None: none of ours."""


@hookspec(firstresult=True)
def publish(item: Item, format: str, record: dict[str, Any]) -> dict[str, Any] | None:
    """Return a record of a published format that says this item, on top of ``record``; None: it cannot say it.

    ``record`` is the one that the item was adopted from, all of whose fields but those that hold the
    label stay as they are, or empty.
    """


@hookspec(firstresult=True)
def audit(item: Item) -> list[dict[str, str]]:  # type: ignore[empty-body]
    """Return in what way an item is weak, each a ``kind`` of `weaknesses` and a ``message``; in some 0.2 s."""


@hookspec(firstresult=True)
def readings(item: Item) -> dict[str, dict[str, bool]]:  # type: ignore[empty-body]
    """Return whether the label holds under each reading of each question that its format leaves open.

    ``{"trace semantics": {"last state repeats": True, "weak next": False}}``; ``{}``: nothing is open.
    """


@hookspec(firstresult=True)
def shortcuts() -> tuple[Shortcut, ...]:  # type: ignore[empty-body]
    """Return the cheap ways to answer whose scores say what a score is worth."""


@hookspec(firstresult=True)
def shortcut(item: Item, name: str, rng: Random) -> str:  # type: ignore[empty-body]
    """Return the completion that a shortcut gives to an item, from its prompt or problem and never from its label.

    Empty: it has no answer. It takes a few milliseconds at most.
    """


@hookspec(firstresult=True)
def capacity(config: dict[str, Any]) -> int | None:
    """Return how many distinct problems a configuration can yield; None means too many to count."""


@hookspec(firstresult=True)
def explain(item: Item) -> str | None:
    """Return a worked solution in words, for few-shot examples; it leads to the target without stating it last."""


@hookspec(firstresult=True)
def trace(item: Item) -> str | None:
    """Return the complete solution step by step, each step in a regular sentence, the answer last; None: too long."""


@hookspec(firstresult=True)
def reread(item: Item, text: str) -> list[str]:  # type: ignore[empty-body]
    """Return what is wrong with a trace of the item, every claim computed anew by another way; empty: nothing."""


@hookspec(firstresult=True)
def prove(item: Item) -> dict[str, Any] | None:
    """Return the complete certificate of the label, for `harness_proof` (docs/proofs.md); None: there is none."""


@hookspec(firstresult=True)
def render(item: Item, format: str) -> str | None:
    """Return the item in one of the plugin's own formats (a model checker's source, say)."""


@hookspec(firstresult=True)
def about(config: dict[str, Any], salt: str) -> dict[str, Any] | None:
    """Return what a dataset's manifest (and a run's log) should say beside the core's facts.

    Sizes of pools, thresholds, what was skipped and why; ``warnings``, a list of strings, are printed.
    """


@hookspec(firstresult=True)
def structure(item: Item) -> dict[str, Any] | None:
    """Return the JSON Schema of this item's answer, for models that can be held to one; None: there is none."""


@hookspec(firstresult=True)
def stage_prompt(item: Item, stage: str, replies: dict[str, str]) -> str:  # type: ignore[empty-body]
    """Return the complete prompt of a stage, given the replies to the stages before."""


@hookspec(firstresult=True)
def stage_gold(item: Item, stage: str) -> str:  # type: ignore[empty-body]
    """Return the reply that a perfect model would give to a stage."""


@hookspec(firstresult=True)
def stage_join(item: Item, replies: dict[str, str]) -> str:  # type: ignore[empty-body]
    """Return the completion to score, made of the replies to all stages."""
