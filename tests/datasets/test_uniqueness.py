"""Which positions are drawn again: what `fresh` does one after the other, found from first draws in any order."""

import hashlib
import random
import subprocess
import sys
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from cases import slow, some
from harness_errors import ExhaustedError
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.core import fresh
from harness.datasets import uniqueness
from harness.datasets.uniqueness import Index, redrawn

RECORD = np.dtype([("high", ">u8"), ("low", ">u2")])


class Universe:
    """A plugin whose problem at an index and attempt is one of ``size``, and how often it was asked."""

    def __init__(self, size, seed, near=0):
        self.size, self.seed, self.near = size, seed, near
        self.known = {}  # both ways ask for the same ones, many times
        self.benchmark = SimpleNamespace(name="u", version="1")

    def problem(self, index, attempt):
        if (index, attempt) not in self.known:
            self.known[index, attempt] = self.drawn(index, attempt)
        return self.known[index, attempt]

    def drawn(self, index, attempt):
        rng = random.Random(f"{self.seed}|{index}|{attempt}")
        if (
            self.near and rng.random() < 0.9
        ):  # chains: what a neighbour has first, another wants next
            return (index + rng.randrange(self.near)) % self.size
        return rng.randrange(self.size)

    def call(self, hook, **given):
        assert hook == "capacity"

    def identity(self, index, attempt):
        text = str(self.problem(index, attempt)).encode()
        return hashlib.blake2b(text, digest_size=10).digest()


def one_after_the_other(universe, n):
    """Return the attempts of all positions, as `fresh` comes to them."""
    seen, attempts = set(), {}
    for index in range(n):
        attempt = 0
        while universe.problem(index, attempt) in seen:
            fresh.give_up(universe, SimpleNamespace(n=n, config={}), index, attempt, len(seen))
            attempt += 1
        seen.add(universe.problem(index, attempt))
        if attempt:
            attempts[index] = attempt
    return attempts


def from_all_at_once(universe, n, folder, batch, order=None):
    index = Index(folder, n)
    cuts = sorted({0, n, *(order or [])})
    ranges = list(pairwise(cuts))
    random.Random(n).shuffle(ranges)
    for start, stop in ranges:
        found = b"".join(universe.identity(at, 0) for at in range(start, stop))
        index.add(start, np.frombuffer(found, RECORD))
    index.sort()

    def draw(wanted):
        assert 0 < len(wanted) <= batch
        return [universe.identity(*one) for one in wanted]

    def refused(position, attempt):
        fresh.give_up(universe, SimpleNamespace(n=n, config={}), position, attempt, position)

    return redrawn(index, draw, batch, refused)


@given(
    n=st.integers(1, 60), room=st.integers(0, 40), seed=st.integers(0, 10**6),
    near=st.sampled_from([0, 0, 1, 2, 5]), batch=st.integers(1, 9), part=st.integers(1, 30),
    cuts=st.lists(st.integers(0, 60), max_size=5), window=st.integers(1, 4), patience=st.integers(1, 9),
)  # fmt: skip
@settings(max_examples=some(400), deadline=None)
def test_the_same_positions_as_one_after_the_other(
    tmp_path_factory, n, room, seed, near, batch, part, cuts, window, patience
):
    universe = Universe(n + room, seed, near)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(uniqueness, "PART", part)
        patch.setattr(uniqueness, "WINDOW", window)
        patch.setattr(uniqueness, "PATIENCE", patience)
        folder = tmp_path_factory.mktemp("index")
        found = from_all_at_once(universe, n, folder, batch, [cut for cut in cuts if cut < n])
    assert found == one_after_the_other(universe, n)


def test_a_chain_of_displacements(tmp_path):
    """0 and 1 draw A; 1 then takes B, which was 2's; 2 takes C, which was 3's, and so on."""

    class Chain(Universe):
        def problem(self, index, attempt):
            return max(index - 1, 0) if attempt == 0 else index + attempt - 1

    chain = Chain(1000, 0)
    found = from_all_at_once(chain, 500, tmp_path, 7)
    assert found == one_after_the_other(chain, 500)
    assert len(found) == 499
    assert set(found.values()) == {1}


@pytest.mark.parametrize("limit", [3, 40, 700])
def test_where_there_is_nothing_left_it_is_the_same_line(tmp_path, monkeypatch, limit):
    monkeypatch.setattr(fresh, "LIMIT", limit)
    universe = Universe(30, 5)
    with pytest.raises(ExhaustedError) as expected:
        one_after_the_other(universe, 40)
    with pytest.raises(ExhaustedError) as found:
        from_all_at_once(universe, 40, tmp_path, 4)
    assert str(found.value) == str(expected.value)
    assert "index 30 in 700 draws after 30 items" in str(found.value) or limit < 700


FLAT = """
import resource, sys
from pathlib import Path
import numpy as np
from harness.datasets import uniqueness
from harness.datasets.uniqueness import Index, redrawn
n, folder = int(sys.argv[1]), Path(sys.argv[2])
uniqueness.PART = 50_000
record = np.dtype([("high", ">u8"), ("low", ">u2")])
index = Index(folder, n)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for start in range(0, n, 5_000):
    rows = np.zeros(5_000, record)
    rows["high"] = (np.arange(start, start + 5_000, dtype="u8") * 0x9E3779B97F4A7C15)
    rows["high"][:1] = rows["high"][1:2]
    index.add(start, rows)
index.sort()
fresh = iter(range(1 << 70, 1 << 71))
draw = lambda wanted: [next(fresh).to_bytes(10, "big") for _ in wanted]
assert len(redrawn(index, draw, 256, lambda *_: None)) == n // 5_000
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@slow
def test_memory_does_not_grow_with_the_number_of_items(tmp_path):
    grown = []
    for n in (100_000, 1_500_000):
        folder = tmp_path / str(n)
        folder.mkdir()
        done = subprocess.run(
            [sys.executable, "-c", FLAT, str(n), str(folder)], capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        grown.append(int(done.stdout) / 1024)
    # All identities are 27 MB; mapped pages of sorted parts count where they were looked at.
    assert grown[1] < grown[0] + 12
