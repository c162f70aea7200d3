"""Labels of what stands beside each other: short, and never the same for different things."""

import pytest
from cases import each, slow
from matplotlib import style

from harness.report.figures import compose, separate_panels
from harness.report.figures_style import STYLE
from harness.report.labels import apart, told_apart
from harness.report.model import Curve, Estimate, Figure, Panel, Table
from harness.report.tables import csv, latex, markdown, terminal

MODEL = "openrouter/some-provider-of-models/a-model-with-a-very-long-name-2025-01-01"
GRID = [
    f"{MODEL}{size} · {strategy} · temperature={heat}"
    for size in ("-8b", "-70b") for strategy in ("direct", "few_shot_cot") for heat in (0.1, 0.7)
]  # fmt: skip


@each("limit", [1, 2, 3, 6, 10, 20, 30, 45, 60, 100, 400])
def test_short_labels_of_different_texts_differ_and_are_short(limit):
    texts = [*GRID, *(f"{'x' * 300}{at}{'y' * 300}" for at in range(4)), "a", ""]
    short = apart([*texts, *texts], limit)
    assert list(short) == texts
    assert len(set(short.values())) == len(texts)
    # A number that alone tells texts apart may need more room than there is.
    assert all(len(label) <= max(limit, 6) for label in short.values())
    assert all(short[text] == text for text in texts if len(text) <= limit < 6)


def test_what_labels_share_goes_first_and_what_differs_stays():
    for text, label in apart(GRID, 45).items():
        assert ("8b" in label, "direct" in label) == ("-8b" in text, "direct" in text)
        assert label.endswith(text[-3:])
    assert list(apart([f"{MODEL}-mini", f"{MODEL}-nano"], 20).values()) == [
        "openrouter/some…mini", "openrouter/some…nano",
    ]  # fmt: skip


def test_words_tell_apart_and_only_where_they_must():
    rows = [("n 12", "seed 0", "a"), ("n 12", "seed 0", "b"), ("n 50", "seed 0", "a")]
    assert told_apart(rows) == [["n 12", "a"], ["n 12", "b"], ["n 50"]]
    assert told_apart([("x", "y")] * 2) == [["run 1"], ["run 2"]]
    assert told_apart([("x", "y")]) == [[]]
    assert told_apart([]) == []


def panel(kind):
    points = tuple(Estimate(0.5, 0.4, 0.6, 9) for _ in GRID)
    if kind == "series":
        return Panel("accuracy", places=("a",), curves=tuple(Curve(g, points[:1]) for g in GRID))
    curves = tuple(Curve(name, points) for name in (GRID if kind == "matrix" else ["m"]))
    return Panel("accuracy", places=tuple(GRID), curves=curves)


def names_in(figure):
    """Return the names along each axis and in the legend of a figure, as they are drawn."""
    with style.context(["default", STYLE]):
        sheet = compose(figure, 1)
        (axes,) = sheet.axes
        ticks = axes.get_xticklabels(), axes.get_yticklabels()
        legend = [text for legend in sheet.legends for text in legend.get_texts()]
        return [[text.get_text() for text in texts] for texts in (*ticks, legend)]


@slow
@pytest.mark.parametrize(
    ("kind", "drawn"),
    [("bars", "series"), ("bars", "places"), ("stack", "places"), ("matrix", "matrix")],
)
def test_a_figure_has_as_many_names_as_series(kind, drawn):
    every = names_in(Figure("f", "T", kind, (panel(drawn),), "alt"))
    assert all(len(names) == len(set(names)) for names in every)
    assert max(map(len, every)) == len(GRID)
    if kind == "matrix":
        assert [len(names) for names in every] == [len(GRID), len(GRID), 0]


@slow
def test_panels_that_share_a_beginning_keep_titles_of_their_own():
    panels = tuple(
        Panel(name, places=("a",), curves=(Curve("m", (Estimate(0.5, n=3),)),)) for name in GRID
    )
    with style.context(["default", STYLE]):
        pages = separate_panels(Figure("f", "T", "bars", panels, "alt"))
    titles = [axes.get_title(loc="left") for page in pages for axes in page.axes]
    assert len(set(titles)) == len(titles) == len(GRID)


def test_a_tables_rows_stay_different_in_every_form():
    ends = ("a", "b")
    for size in (100, 800):
        rows = tuple((f"{'same ' * (size // 5)}{end}{' same' * 30}", 1) for end in ends)
        table = Table("t", "T", ("series", "n"), rows)
        for form in (terminal, markdown, latex, csv):
            lines = [line for line in form(table).splitlines() if "same" in line]
            assert len(lines) == len(set(lines)) == 2
