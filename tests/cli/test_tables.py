"""Tables: groups in the order of numbers, an interval for every number or for none, no wider than a screen."""

import io
from types import SimpleNamespace

import pytest

from harness.cli import tables


class Terminal(io.StringIO):
    """An output that says it is a terminal."""

    def isatty(self):
        return True


@pytest.fixture
def narrow(monkeypatch):
    monkeypatch.setattr(tables, "sys", SimpleNamespace(stdout=Terminal()))
    monkeypatch.setenv("COLUMNS", "80")


def test_a_table_is_no_wider_than_the_terminal_and_loses_no_word(narrow):
    meaning = " ".join(f"word{number}" for number in range(40))
    rows = [["key", "values", "meaning"], ["k", " | ".join(["choice"] * 9), meaning]]
    lines = tables.grid(rows).splitlines()
    assert max(map(len, lines)) <= 80
    assert (
        " ".join(line[len("key") + 2 + 28 :].strip() for line in lines[2:]).split()
        == meaning.split()
    )
    assert tables.paragraph(f"  {meaning}").split() == meaning.split()
    assert max(map(len, tables.paragraph(f"  {meaning}").splitlines())) <= 80


def test_elsewhere_lines_stay_whole():
    assert tables.paragraph("x " * 200) == "x " * 200
    assert "y " * 99 in tables.grid([["a", "b"], ["x " * 99, "y " * 99 + "z"]])


def test_groups_stand_by_feature_and_number():
    labels = [
        "10 depth",
        "9 depth",
        "17 to 32 states size",
        "9 to 16 states size",
        "a kind",
        "A kind",
    ]
    lines = tables._groups({"groups": {f"m at {label}": 0.5 for label in labels}})[1].splitlines()
    assert [line.rsplit("  ", 1)[0].strip() for line in lines[2:]] == [
        "depth 9", "depth 10", "size 9 to 16 states", "size 17 to 32 states", "kind A", "kind a",
    ]  # fmt: skip


def test_a_table_of_groups_has_at_most_eight_metrics_and_always_the_count():
    groups = {f"m{i} at x": i for i in range(12)} | {"n at x": 4, "output_tokens at x": 3}
    head = tables._groups({"groups": groups})[1].splitlines()[0].split()
    assert head == ["group", *(f"m{i}" for i in range(8)), "n", "output_tokens"]
