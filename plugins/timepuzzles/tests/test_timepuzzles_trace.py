"""Traces: the days of every step are found anew, and not one changed day, number or clue passes."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from random import Random

import pytest
from cases import some
from harness_timepuzzles import day_sets
from harness_timepuzzles.engines.arithmetic_clues import admitted
from harness_timepuzzles.engines.arithmetic_days import day_number
from harness_timepuzzles.traces import reader as trace_reader
from harness_timepuzzles.traces import writer as trace_writer
from tp_worlds import SKY, STRATEGIES, item_of, solvable_problem, some_problem

from harness import Item
from harness.core import fresh
from harness.core.plugins import registry
from harness.core.spec import make
from harness.datasets import solution
from harness.kit.checks_traces import mutants

PLUGIN = registry().get("timepuzzles")
QUICKLY = tuple(name for name in STRATEGIES if name not in SKY)
DRAWN = tuple(name for name in QUICKLY if name not in ("years", "periods"))
EXTRA = ("year_day", "weekday_of_year", "western_zodiac", "easter", "hebrew", "iso_week")
DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


@cache
def generated(n: int, **config: object) -> list[Item]:
    told = {key: list(v) if isinstance(v, tuple) else v for key, v in config.items()}
    return list(fresh.items(PLUGIN, make(PLUGIN, {"n": n, "split": "train", **told})))


def drawn(count: int) -> list[Item]:
    """Puzzles that no generator would make, of all types of clues that take no astronomy."""
    rng = Random(3)
    problems = [some_problem(rng, QUICKLY) for _ in range(count // 3)]
    problems += [solvable_problem(rng, DRAWN) for _ in range(count - count // 3)]
    return [item_of(problem) for problem in problems]


@pytest.mark.parametrize(
    "config",
    [{}, {"mode": "explicit"}, {"solutions": "0"}, {"solutions": "20-30"}, {"extra": EXTRA}],
    ids=str,
)
def test_every_trace_holds_and_scores_as_right(config: dict[str, object]) -> None:
    for item in generated(max(3, some(12)), **config):
        text = PLUGIN.call("trace", item=item)
        assert solution.findings(PLUGIN, item, text) == [], text
        assert text.splitlines()[-1] == f"Answer: {item.target}"


def test_so_do_those_of_puzzles_that_nobody_would_make() -> None:
    none, items = 0, drawn(max(15, some(60)))
    for item in items:
        text = trace_writer.written(item)
        if text is None:
            none += 1
            continue
        assert trace_reader.findings(item, text) == [], text
    assert none < len(items) / 2  # their lists of years and periods are endless


def test_days_that_the_second_engine_is_not_sure_of_are_no_fault() -> None:
    """Half an Islamic month may begin a day off: what the masks say of such a day passes, and nothing else."""
    for item in generated(max(4, some(12)), extra=("islamic",), necessary="none", clues="3"):
        text = trace_writer.written(item)
        assert text is not None
        assert trace_reader.findings(item, text) == [], text


def test_no_change_passes() -> None:
    rng = Random(1)
    count = 0
    items = [
        *generated(12)[:5],
        *generated(12, mode="explicit")[:3],
        *generated(12, solutions="0")[:3],
    ]
    for item in items:
        text = trace_writer.written(item) or ""
        changes = list(mutants(text, "2000-02-29"))
        for what, changed in rng.sample(changes, min(some(50), len(changes))):
            assert trace_reader.findings(item, changed), (what, text)
            count += 1
    assert count > some(400)


def test_no_day_is_a_day_off() -> None:
    """Each date in a trace, one day earlier or later, or one of another year.

    Only a day about which the reader's calendar is in doubt may pass: some first days of Chinese months.
    """
    rng = Random(2)
    count = 0
    for item in generated(12)[:8]:
        clues = item.problem["clues"]
        doubtful = frozenset[int]().union(*(admitted(clue).doubtful for clue in clues))
        text = trace_writer.written(item) or ""
        for found in rng.sample(list(DAY.finditer(text)), max(2, some(12))):
            day = date.fromisoformat(found[0])
            for off in (-1, 1, 7, 365):
                moved = str(day + timedelta(days=off))
                changed = text[: found.start()] + moved + text[found.end() :]
                unsure = not doubtful.isdisjoint({day_number(found[0]), day_number(moved)})
                assert unsure or trace_reader.findings(item, changed), (found[0], moved, text)
                count += not unsure
    assert count > some(370)


def test_no_clue_reads_as_another() -> None:
    for item in generated(12)[:8]:
        text = trace_writer.written(item) or ""
        sentences = re.findall(r"^\d+\. (.*)$", item.prompt, re.MULTILINE)
        for sentence in sentences:
            assert text.count(f" says: {sentence}") == 1
            other = "The month is May." if "June" in sentence else "The month is June."
            changed = text.replace(sentence, other)
            assert trace_reader.findings(item, changed)


def test_a_mask_that_is_wrong_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The writer's calendar is off by a day for one type of clue after the other."""
    items = generated(60)
    kinds = {clue["type"] for item in items for clue in item.problem["clues"]} - {"event"}
    real, found = trace_writer.mask, set()
    for kind in sorted(kinds):
        with monkeypatch.context() as patch:
            patch.setattr(
                trace_writer, "mask", lambda clue, kind=kind: real(clue) << (clue.type == kind)
            )
            for item in (i for i in items if kind in {clue["type"] for clue in i.problem["clues"]}):
                text = trace_writer.written(item)
                if trace_reader.findings(item, text or ""):
                    found.add(kind)
                    break
    assert found == kinds


def test_the_date_of_an_event_is_said() -> None:
    (item,) = [
        one for one in generated(12) if any(c["type"] == "event" for c in one.problem["clues"])
    ][:1]
    event = next(clue for clue in item.problem["clues"] if clue["type"] == "event")
    text = trace_writer.written(item) or ""
    said = f" The date of that event is {event['date']}."
    assert said in text
    assert trace_reader.findings(item, text.replace(said, ""))
    assert trace_reader.findings(item, text.replace(said, " The date of that event is 1850."))


def test_a_list_that_could_be_given_has_to_be() -> None:
    item = generated(12)[0]
    text = trace_writer.written(item) or ""
    (step, *_) = re.findall(r" dates are left(: [^.]+)\.", text)
    assert "is not said which dates" in trace_reader.findings(item, text.replace(step, ""))[0]
    meaning = re.search(r" From \S+ to \S+ it holds on [^.]+\.", text)
    assert meaning
    assert "on which days" in trace_reader.findings(item, text.replace(meaning[0], ""))[0]


def test_a_trace_beyond_the_bound_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    item = generated(12)[0]
    monkeypatch.setattr(trace_writer, "MAX_CHARACTERS", 100)
    assert trace_writer.written(item) is None


def test_an_item_whose_problem_was_changed_has_another_trace() -> None:
    for item in generated(12)[:6]:
        text = trace_writer.written(item) or ""
        first, last = item.problem["range"]
        narrow = {**item.problem, "range": [first, str(date.fromisoformat(last) - timedelta(366))]}
        other = replace(item, problem=narrow, id="")
        same = trace_writer.written(other) == text
        assert (trace_reader.findings(other, text) == []) is same
        assert day_sets.run(*map(date.fromisoformat, narrow["range"]))


def test_the_reader_shares_no_code_with_the_writer() -> None:
    assert _imports("traces.reader") & _imports("traces.writer") == set()


def _imports(module: str) -> set[str]:
    found: set[str] = set()
    todo = [module]
    for name in todo:
        source = inspect.getsource(importlib.import_module(f"harness_timepuzzles.{name}"))
        for node in ast.parse(source).body:
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("harness_time"):
                names = {_module(str(node.module), alias.name) for alias in node.names}
                todo += names - {*todo}
                found |= names
    return found


def _module(package: str, name: str) -> str:
    """Return the module that an import names, without the package of the plugin."""
    try:
        importlib.import_module(f"{package}.{name}")
    except ModuleNotFoundError:
        return package.partition(".")[2]
    return f"{package}.{name}".partition(".")[2]
