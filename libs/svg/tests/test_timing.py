"""Timing diagrams: levels, marks and loops as given, sizes as foretold, texts shortened and escaped."""

from random import Random

import pytest
from cases import each
from drawn import assert_inside, every, levels, parsed, texts
from harness_svg.drawing import Drawing
from harness_svg.text import columns, plain, shortened, wrapped
from harness_svg.timing import LONGEST, MOST_ROWS, MOST_STEPS, ROW, timing, timing_size


def drawn(names, values, **more):
    """A drawing of just one diagram, its lower edge at the height that was foretold."""
    steps = len(values[0]) if values else 0
    width, height = timing_size(names, steps, loop=more.get("loop"))
    drawing = Drawing(width, height, "a trace")
    assert timing(drawing, 0, 0, names, values, **more) == height
    root = parsed(drawing.svg())
    assert_inside(root)
    return root


def table(rows, steps, seed=0):
    rng = Random(seed)
    return [[rng.random() < 0.5 for _ in range(steps)] for _ in range(rows)]


@each("rows, steps", [(1, 1), (1, 60), (40, 1), (3, 7), (40, 60), (5, 2)])
def test_every_wave_has_the_levels_of_its_row(rows, steps):
    names = [f"p{at}" for at in range(rows)]
    values = table(rows, steps)
    found = levels(drawn(names, values))
    assert [name for name, _ in found] == names
    for at, ((_, line), row) in enumerate(zip(found, values, strict=True)):
        low, high = 20 + at * ROW + 21, 20 + at * ROW + 5
        assert line == [high if value else low for value in row]


def test_what_is_too_much_is_counted():
    root = drawn([f"p{at}" for at in range(43)], table(43, 72))
    assert len(levels(root)) == MOST_ROWS
    assert {len(line) for _, line in levels(root)} == {MOST_STEPS}
    assert texts(root)[-1] == "… 12 steps and 3 rows more"
    assert texts(drawn(["p"], table(1, 61)))[-1] == "… 1 step more"
    assert texts(drawn([f"p{at}" for at in range(41)], table(41, 3)))[-1] == "… 1 row more"


def test_marks_are_where_they_are_asked_for():
    names = ["a", "b"]
    root = drawn(
        names,
        table(2, 4),
        marks={(0, "b"): "right", (3, "a"): "cause", (9, "a"): "right", (1, "z"): "right"},
    )
    marks = every(root, "rect", mark=None)
    assert [(one.get("data-mark"), one.get("data-step"), one.get("class")) for one in marks] == [
        ("a", "3", "cause"), ("b", "0", "right"),
    ]  # fmt: skip
    for one, (row, step) in zip(marks, ((0, 3), (1, 0)), strict=True):
        wave = every(root, "path", name=names[row])[0].get("d")
        left = float(wave[1:].split(" ")[0])
        assert left + step * 26 < float(one.get("x")) < left + (step + 1) * 26
        assert 20 + row * ROW <= float(one.get("y")) < 20 + (row + 1) * ROW


@each("loop, steps, said", [
    (3, 4, "the last state repeats"), (0, 1, "the last state repeats"), (0, 4, "after step 4 back to step 1"),
    (70, 80, "after step 80 back to step 71"), (None, 4, None),
])  # fmt: skip
def test_a_loop_is_drawn_and_said(loop, steps, said):
    root = drawn(["p"], table(1, steps), loop=loop)
    assert (said in texts(root)) is (said is not None)
    heads = [one.get("data-loop") for one in every(root, "polygon")]
    assert heads == ([str(loop)] if loop is not None and steps <= MOST_STEPS else [])


def test_steps_are_numbered_from_the_first():
    assert [said for said in texts(drawn(["p"], table(1, 3), first=0)) if said.isdecimal()] == list(
        "012"
    )
    assert [said for said in texts(drawn(["p"], table(1, 3))) if said.isdecimal()] == list("123")


def test_names_that_stand_out_are_bold():
    root = drawn(["a", "b"], table(2, 2), strong={"b"})
    assert [one.text for one in every(root, "text") if one.get("font-weight")] == ["b"]


def test_nothing_is_drawn_of_nothing():
    assert levels(drawn([], [])) == []
    assert levels(drawn(["p"], [[]])) == []


@each("names, values, loop", [
    (["a"], [], None), ([], [[True]], None), (["a", "b"], [[True], [True, False]], None),
    (["a"], [[True]], 1), (["a"], [[True]], -1),
])  # fmt: skip
def test_a_table_that_is_none_is_refused(names, values, loop):
    with pytest.raises(ValueError, match=r"one row of values per name|a loop back to step"):
        timing(Drawing(9, 9, ""), 0, 0, names, values, loop=loop)


HOSTILE = [
    "</text><script>alert(1)</script>", "\x00\x1b[31m\ud800\ufffe", "\u202eabc", "&lt;&amp;]]>",
    "w" * 5000, "漢" * 300, '" onload="x', "a\nb\tc", "", "👩‍🚀" * 40, "e\u0301" * 200,
]  # fmt: skip


@each("name", HOSTILE)
def test_hostile_names_are_escaped_and_cut(name):
    root = drawn([name, "p"], table(2, 3), marks={(0, name): "marked"}, strong={name}, loop=0)
    label = next(one.text or "" for one in every(root, "text") if one.get("font-weight"))
    assert columns(label) <= LONGEST
    assert "\n" not in label
    assert all(char.isprintable() for char in label)


@each("words, room, most, lines", [
    ("a bb ccc", 4, 9, ["a bb", "ccc"]), ("a bb ccc", 4, 1, ["a b…"]), ("", 4, 2, []),
    ("abcdefgh", 4, 2, ["abc…"]), (" a \n b ", 9, 1, ["a b"]), ("漢漢漢", 4, 2, ["漢…"]),
    ("aaaa bbbb", 4, 1, ["aaa…"]), ("aa bb cc dd", 5, 2, ["aa bb", "cc dd"]),
])  # fmt: skip
def test_words_are_wrapped(words, room, most, lines):
    assert wrapped(words, room, most) == lines


def test_whatever_is_wrapped_or_shortened_fits():
    rng = Random(1)
    for _ in range(2_000):
        words = "".join(rng.choice("ab漢  \n\u202e") for _ in range(rng.randrange(60)))
        room, most = rng.randrange(3, 12), rng.randrange(1, 4)
        assert columns(shortened(words, room)) <= room
        assert shortened(words, 200) == plain(words)
        lines = wrapped(words, room, most)
        assert len(lines) <= most
        assert all(0 < columns(line) <= room for line in lines)
        whole = "".join(plain(words).split())
        said = "".join("".join(lines).split())
        if all(columns(word) <= room for word in plain(words).split()):
            assert whole.startswith(said.rstrip("…"))
            assert said.endswith("…") or said == whole
