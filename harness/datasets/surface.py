"""What the surface of items tells of their answers: generic shortcuts, learnt on some items and judged on others.

They are for every benchmark: nothing of a plugin's own is asked for. What is learnt is the target, by scikit-learn
where it is installed; where targets hardly ever repeat (sets of dates, formulas) nothing can be learnt so.
"""

from __future__ import annotations

import math
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from importlib.util import find_spec
from itertools import chain, starmap
from random import Random
from statistics import NormalDist
from typing import Any, TypeVar

from harness.core.hookspecs import Benchmark, Metric, Row, Shortcut
from harness.core.items import Item
from harness.datasets.extras import command_for
from harness.run import stats

# The name of each generic shortcut, how it answers, and what it ignores.
GENERIC = tuple(starmap(Shortcut, (
    ("commonest_answer", "The answer that is commonest on other items.", "the whole item"),
    ("prompt_length", "A decision tree on the length of the prompt.", "all that the prompt says"),
    ("word_bag", "Logistic regression on the words of the prompt.", "the order of the words"),
    ("boosted_words", "Gradient boosting on the words and pairs of words of the prompt.",
     "the order of the words beyond pairs"),
    ("boosted_features", "Gradient boosting on those features of the item that do not come of solving it.",
     "the prompt and the problem"),
)))  # fmt: skip
_COMMONEST, *_LEARNT = GENERIC
T = TypeVar("T")

FOLDS = 5  # of a cross-validation
TARGETS = 10  # that are predicted, the most frequent ones
RARE = 0.02  # share of the items that a frequent target has at least
COVERED = 0.1  # share of the items that frequent targets have at least, or answers do not repeat
FEWEST = 20  # items that something is learnt from
WORDS = {"word_bag": 2_000, "boosted_words": 300}  # columns
LARGEST, LONGEST = 1e30, 80  # number, and characters of a word, that are told from others
SEED = 20240229
Z = NormalDist().inv_cdf(0.975)


def hindrance(items: Sequence[Item]) -> str:
    """Return why nothing can be learnt of some items; empty where something can."""
    if len(items) < FEWEST:
        return f"generic shortcuts are not applicable: fewer than {FEWEST} items"
    repeat = any(_frequent(part) for part in _by_task(items).values())
    return "" if repeat else "generic shortcuts are not applicable: answers do not repeat"


def completion(guess: str | None) -> str:
    """Return what a shortcut says that guesses a target, or has no guess."""
    return "" if guess is None else f"Answer: {guess}"


def left_out() -> str:
    """Return which generic shortcuts need what is not installed, and the command that installs it; empty: none."""
    if find_spec("sklearn"):
        return ""
    names = ", ".join(shortcut.name for shortcut in _LEARNT)
    return f"{names} need scikit-learn: {command_for('report')}"


def guessed(
    benchmark: Benchmark, items: Sequence[Item], known: Sequence[Item] | None = None
) -> Iterator[tuple[Shortcut, list[str | None]]]:
    """Yield each generic shortcut that can be had with the target it guesses for every item, None for no guess.

    Learnt from ``known``, without those that share a source with an item; where it is None, by cross-validation on
    the items themselves, whole sources together.
    """
    if known is None:
        parts = [*_folds(benchmark, items)]
    else:
        seen = {key for item in items for key in _sources(benchmark, item)}
        apart = [item for item in known if seen.isdisjoint(_sources(benchmark, item))]
        parts = [(apart, range(len(items)))]
    for shortcut in GENERIC if find_spec("sklearn") else GENERIC[:1]:
        guesses: list[str | None] = [None] * len(items)
        for training, places in parts:
            asked = [items[place] for place in places]
            learnt = _by_tasks(benchmark, shortcut.name, training, asked)
            for place, guess in zip(places, learnt, strict=True):
                guesses[place] = guess
        yield shortcut, guesses


def _by_tasks(
    benchmark: Benchmark, name: str, known: Sequence[Item], asked: Sequence[Item]
) -> list[str | None]:
    """Return the guesses of a shortcut, each task by itself."""
    guesses: list[str | None] = [None] * len(asked)
    training = _by_task(known)
    for task, places in _places(asked).items():
        frequent = _frequent(training.get(task, ()))
        examples = [item for item in training.get(task, ()) if item.target in frequent]
        if len(examples) >= FEWEST:
            learnt = _learnt(benchmark, name, examples, [asked[place] for place in places])
            for place, guess in zip(places, learnt, strict=True):
                guesses[place] = guess
    return guesses


def _places(items: Sequence[Item]) -> dict[str, list[int]]:
    places = defaultdict(list)
    for place, item in enumerate(items):
        places[str(item.features.get("task", ""))].append(place)
    return places


def _by_task(items: Sequence[Item]) -> dict[str, list[Item]]:
    return {task: [items[place] for place in places] for task, places in _places(items).items()}


def _frequent(items: Sequence[Item]) -> set[str]:
    """Return the targets that items often have; none where these make up too little of them."""
    counts = Counter(item.target for item in items).most_common(TARGETS)
    often = {target: count for target, count in counts if count >= max(2, RARE * len(items))}
    return {*often} if sum(often.values()) >= COVERED * len(items) else set()


def _learnt(
    benchmark: Benchmark, name: str, known: Sequence[Item], asked: Sequence[Item]
) -> list[str]:
    """Return what a shortcut that has learnt from some items answers to others."""
    targets = [item.target for item in known]
    commonest = Counter(targets).most_common(1)[0][0]
    inputs, questions = (_inputs(benchmark, name, items) for items in (known, asked))
    # One target, or nothing to tell two items by.
    if name == _COMMONEST.name or len(set(targets)) == 1 or not any(inputs):
        return [commonest] * len(asked)
    from sklearn import config_context

    # Each of hundreds of trees would look through its own settings and numbers, which are ours.
    trusted = config_context(skip_parameter_validation=True, assume_finite=True)
    with trusted, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what has not converged is no worse a guess
        return [str(guess) for guess in _learner(name).fit(inputs, targets).predict(questions)]


def _inputs(benchmark: Benchmark, name: str, items: Sequence[Item]) -> list[Any]:
    if name == "prompt_length":
        texts = [item.prompt for item in items]
        return [[len(text), len(text.split()), text.count("\n")] for text in texts]
    if name == "boosted_features":
        hidden = benchmark.solution_features
        return [
            {key: _column(value) for key, value in item.features.items() if key not in hidden}
            for item in items
        ]
    return [" ".join(item.prompt.split()) for item in items]


def _column(value: Any) -> float | str:
    """Return the value of a feature as a number or a word; that of a foreign item may be anything."""
    number = isinstance(value, int | float) and abs(value) < LARGEST
    return float(value) if number else str(value)[:LONGEST]


def _learner(name: str) -> Any:
    """Return what fits inputs to targets; nothing in it runs in threads, so that a process can be forked."""
    from sklearn.ensemble import GradientBoostingClassifier
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.tree import DecisionTreeClassifier

    if name == "prompt_length":
        return DecisionTreeClassifier(max_leaf_nodes=8, min_samples_leaf=5, random_state=SEED)
    words = {"token_pattern": r"\w+|[^\w\s]", "lowercase": False, "max_features": WORDS.get(name)}
    if name == "word_bag":
        return make_pipeline(TfidfVectorizer(**words), LogisticRegression(C=10, max_iter=1_000))
    boosting = GradientBoostingClassifier(
        n_estimators=60, subsample=0.8, max_features="sqrt", random_state=SEED
    )
    if name == "boosted_words":
        return make_pipeline(CountVectorizer(ngram_range=(1, 2), **words), boosting)
    return make_pipeline(DictVectorizer(), boosting)


def _sources(benchmark: Benchmark, item: Item) -> Iterator[Hashable]:
    """Yield what an item may share with another, which then must not be learnt from: problem, sources, its pair."""
    yield "problem", item.problem_id
    facts = {**item.notes, **item.features}
    if any(name in facts for name in benchmark.sources):
        yield "sources", *(str(facts.get(name)) for name in benchmark.sources)
    for metric in benchmark.metrics:
        if metric.together in item.features:
            # A number of a pair says something within a dataset alone.
            yield metric.together, item.split, item.seed, str(item.features[metric.together])


def groups(benchmark: Benchmark, items: Sequence[Item]) -> list[list[int]]:
    """Return the places of items that share a source, directly or through others, as groups."""
    root = list(range(len(items)))

    def top(place: int) -> int:
        while root[place] != place:
            root[place] = root[root[place]]
            place = root[place]
        return place

    first: dict[Hashable, int] = {}
    for place, item in enumerate(items):
        for key in _sources(benchmark, item):
            root[top(place)] = top(first.setdefault(key, place))
    members = defaultdict(list)
    for place in range(len(items)):
        members[top(place)].append(place)
    return list(members.values())


def _folds(
    benchmark: Benchmark, items: Sequence[Item]
) -> Iterator[tuple[list[Item], Sequence[int]]]:
    """Yield for each fold the items to learn from and the places of those to guess."""
    parts = groups(benchmark, items)
    Random(SEED).shuffle(parts)
    # Every fold gets equally many of each target: where one had fewer, the others would foretell it.
    parts.sort(key=lambda part: (-len(part), items[part[0]].target))
    folds: list[list[int]] = [[] for _ in range(FOLDS)]
    for part in parts:
        min(folds, key=len).extend(part)
    for fold in filter(None, folds):
        inside = set(fold)
        yield [item for place, item in enumerate(items) if place not in inside], fold


def interval(
    metric: Metric, rows: Sequence[Row], together: Sequence[Sequence[int]]
) -> dict[str, float | int | None]:
    """Return ``items``, ``value``, ``ci_low`` and ``ci_high`` (95 %) of a metric; None where it is undefined.

    Wilson's interval of a share; the bootstrap's of all else, and where groups of items (``together``, their places)
    share a source: these are resampled whole.
    """
    units = [unit for places in together if (unit := stats.counted([rows[at] for at in places]))]
    numbers = _ends(metric, units)
    rounded = {k: None if math.isnan(n) else round(n, 6) for k, n in numbers.items()}
    return {"items": sum(map(len, units)), **rounded}


def _ends(metric: Metric, units: Sequence[Sequence[Row]]) -> dict[str, float]:
    if metric.compute is not None:
        ordered = sorted(units, key=lambda unit: sorted(map(stats.order, unit)))
        return _resampled(lambda some: stats.value_of(metric, [*chain(*some)]), ordered)
    parts = [numbers for unit in units if (numbers := stats.numbers_of(metric, unit))]
    values = {value for part in parts for value in part}
    # Where all groups are alike, each counts once: drawn anew they would never differ.
    if parts and values <= {0, 1} and (len(values) == 1 or all(len(part) == 1 for part in parts)):
        return _wilson([part[0] for part in parts])
    sums = sorted((sum(part), len(part)) for part in parts)
    return _resampled(lambda some: sum(s for s, _ in some) / sum(n for _, n in some), sums)


def _resampled(compute: Callable[[Sequence[T]], float], units: Sequence[T]) -> dict[str, float]:
    if not units:
        return dict.fromkeys(("value", "ci_low", "ci_high"), math.nan)
    ends = stats.bootstrap_of(compute, units)
    return {"value": ends["value"], "ci_low": ends["lower"], "ci_high": ends["upper"]}


def _wilson(hits: Sequence[float]) -> dict[str, float]:
    """Return a share with Wilson's score interval (1927)."""
    n, right = len(hits), sum(hits)
    share, z2 = right / n, Z * Z
    middle = (right + z2 / 2) / (n + z2)
    half = math.sqrt(z2 * (share * (1 - share) * n + z2 / 4)) / (n + z2)
    return {"value": share, "ci_low": max(0.0, middle - half), "ci_high": min(1.0, middle + half)}
