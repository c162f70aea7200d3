"""Machines of no file: drawn anew for each item, as their specification says, the same everywhere."""

from __future__ import annotations

import subprocess
import sys
from random import Random
from typing import Any

import harness_guard
import pytest
from cases import slow, some
from harness_tempobench import certificate, engines, generate, hoa, reading
from harness_tempobench.answers import score
from harness_tempobench.fresh_machines import Fresh, dull, satisfies, specification
from harness_tempobench.machine import Machine
from harness_tempobench.source_files import Limits, Loaded
from harness_tempobench.synthesis import synthesise
from tb_items import PLUGIN, Walker, items_of

from harness import HarnessError
from harness.core.items import to_json
from harness.core.spec import make


@pytest.fixture(autouse=True)
def cache(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the user's own."""
    monkeypatch.setenv("HARNESS_TEMPOBENCH_CACHE", str(tmp_path))


def machines(n: int, **limits: int) -> list[Loaded]:
    given = {"min_states": 3, "max_states": 32, "max_inputs": 6} | limits
    drawn = (Fresh(Limits(**given, seconds=60)).draw(Random(seed)) for seed in range(9_999))
    found = (one for one in drawn if isinstance(one, Loaded))
    return [next(found) for _ in range(n)]


def test_specifications_are_many_and_all_have_a_machine() -> None:
    specs = {specification(Random(seed), 4) for seed in range(300)}
    assert len(specs) > 295
    assert all(isinstance(synthesise(spec), Machine) for spec in list(specs)[: max(some(40), 10)])


@slow
def test_machines_are_of_the_sizes_asked_for_and_their_state_is_hidden() -> None:
    sizes = set()
    for loaded in machines(max(some(12), 6), min_states=5, max_states=12, max_inputs=3):
        assert 5 <= len(loaded.machine.table) <= 12
        assert 1 <= len(loaded.machine.inputs) <= 3
        assert hoa.read(loaded.hoa) == loaded.machine
        steps = [
            (letter, mask) for row in loaded.machine.table for letter, (_, mask) in enumerate(row)
        ]
        assert len(set(steps)) < len(steps)
        sizes.add(len(loaded.machine.table))
    assert len(sizes) > min(some(12), 3)


@slow
def test_a_machine_satisfies_its_specification_and_another_does_not() -> None:
    wrong = 0
    with harness_guard.Guard(1) as workers:
        for loaded in machines(5):
            machine = loaded.machine
            assert satisfies(machine, loaded.specification, workers)
            table = [list(row) for row in machine.table]
            following, mask = table[0][0]
            table[0][0] = (following, mask ^ 1)
            other = Machine(
                machine.inputs, machine.outputs, machine.start, tuple(map(tuple, table))
            )
            wrong += not satisfies(other, loaded.specification, workers)
    assert wrong >= 4  # an arbiter may give what nobody asked for


def test_dull_machines_are_told() -> None:
    row = ((0, 0), (0, 1))
    assert dull(Machine(("a",), ("p", "q"), 0, (row,))) == "its output q never changes"
    assert dull(Machine(("a",), ("p",), 0, (((0, 0), (0, 0)),))) == "nothing depends on its input a"
    assert dull(Machine(("a",), ("p",), 0, (row,))) == "its state can be read off every step"
    assert dull(Machine(("a",), ("p",), 0, (((1, 0), (0, 1)), ((0, 0), (1, 1))))) == ""


@slow
@pytest.mark.parametrize("task", ["tce", "tte"])
def test_items_have_a_machine_each_proven_and_answered(task: str) -> None:
    items = items_of(max(some(6), 2), machines="fresh", task=task)
    assert len({item.problem["hoa"] for item in items}) == len(items)
    for item in items:
        assert item.features["family"] == "fresh"
        assert certificate.errors(item) == []
        assert reading.read(item.prompt) == item.problem
        answer = engines.solve(item.problem, "spot").answer
        assert score.score(item, f"Answer: {answer}").value["correct"] == 1
        assert item.notes["spot"]
        assert set(Walker(item.problem["hoa"]).names) >= set("abpq")
        assert all(f"{name}" in item.notes["specification"] for name in "pq")


@slow
def test_items_do_not_depend_on_what_was_made_before() -> None:
    n = max(some(4), 2)
    code = (
        "import tb_items\n"
        "from harness.core.items import to_json\n"
        f"for item in reversed(tb_items.items_of({n}, machines='fresh')): print(to_json(item))"
    )
    made = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": ":".join(sys.path), "PYTHONHASHSEED": "7", "PATH": "", "HOME": "/nonexistent",
             "HARNESS_TEMPOBENCH_CACHE": "off"},
        capture_output=True,
        text=True,
        check=True,
    )  # fmt: skip
    assert made.stdout.splitlines()[::-1] == [
        to_json(item) for item in items_of.__wrapped__(n, machines="fresh")
    ]


def test_the_manifest_says_where_they_come_from() -> None:
    config = dict(make(PLUGIN, {"machines": "fresh", "trivial": 0}).config)
    assert str(generate.about(config)["machines"]).startswith("fresh, by Spot 2.")


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"families": ("lift",)}, "families are those shipped: they have no effect with machines="),
        ({"machines": "./fresh"}, "fresh"),
    ],
    ids=str,
)
def test_keys_that_contradict_it(config: dict[str, Any], said: str) -> None:
    with pytest.raises(HarnessError, match=said):
        items_of(1, **{"machines": "fresh", **config})
