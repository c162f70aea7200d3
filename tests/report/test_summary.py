import re
from dataclasses import replace

import numpy as np
import pytest
from cases import each, slow
from toys.toy_base import Toy

from harness import Benchmark, Metric, Row, View
from harness.core.hookspecs import VIEWS
from harness.report import statistics, statistics_tests, views_forest
from harness.report.labels import number_text
from harness.report.model import ASKED, Answer, Estimate, LogFacts, Series, Study
from harness.report.summary import KINDS, show, summarise
from harness.report.views_base import TOGETHER
from harness.report.views_forest import Size

LABEL = "harness/random (baseline, not a language model)"
HOSTILE = ("<script>alert(1)</script>", "=1+1", "a|b\nc", "$\\frac{1}{2}$", "‮x", "../../etc")


def benchmark(**own):
    known = {
        "name": "hand", "version": "1", "summary": "by hand", "config_schema": {}, "engines": ("a", "b"),
        "values": ("right", "score"),
        "metrics": (
            Metric("right", "share right"),
            Metric("score", "mean score"),
            Metric("yes", "share of yes", lambda rows: sum(r.answer == "yes" for r in rows) / len(rows)),
        ),
        "headline": "right", "choices": ("yes", "no"), "problem_schema": {}, "answer_schema": {},
    }  # fmt: skip
    return Benchmark(**known | own)


def answer(
    at,
    right,
    score=None,
    outcome="scored",
    said="yes",
    target="yes",
    tokens=None,
    family="",
    **features,
):
    own = f"{at:020x}"
    name = f"{family}-{own}" if family else own
    value = (
        {}
        if outcome == "unscored"
        else {"right": right, "score": right if score is None else score}
    )
    row = Row(
        target,
        None if outcome != "scored" else said,
        outcome,
        value,
        features,
        output_tokens=tokens,
    )
    return Answer(row, name, family or name, 0)


def series(label, answers, kind="model", model=None, **asked):
    return Series(
        label, kind, model or label, dict.fromkeys(ASKED, "") | asked, (0,), tuple(answers)
    )


def study(own, *lines, constants=None):
    n = len({a.id for one in lines for a in one.answers})
    log = LogFacts(
        "a.eval", own.name, "1", "m", "2026-01-01T00:00:00", "success", dict.fromkeys(ASKED, ""),
        {}, None, "d", n, {}, {}, {},
    )  # fmt: skip
    return Study(own, (log,), lines, constants or {})


def constants(answers):
    return {
        one.id: {
            choice: replace(
                one.row, answer=choice, outcome="scored", output_tokens=None,
                value=dict.fromkeys(("right", "score"), float(choice == one.row.target)),
            )
            for choice in ("yes", "no")
        }
        for one in answers
    }  # fmt: skip


def view(kind, metrics=("right",), features=(), **own):
    return View("seen", kind, "Seen", metrics, features, **own)


def tables(found):
    return {table.name: table for one in found.sections for table in one.tables}


def figures(found):
    return {figure.name: figure for one in found.sections for figure in one.figures}


def plain(cell):
    return cell.value if isinstance(cell, Estimate) else cell


def rows(table):
    return [tuple(map(plain, row)) for row in table.rows]


def near(*numbers):
    return tuple(pytest.approx(one, abs=5e-4) if isinstance(one, float) else one for one in numbers)


def sound(found):
    """What holds of every report: safe unique names, alternative texts, nothing undefined, rows as wide as heads."""
    every = [*tables(found), *figures(found)]
    pieces = [x.name for one in found.sections for x in (*one.tables, *one.figures)]
    assert len(pieces) == len(set(pieces)) == len(every)
    assert all(re.fullmatch("[a-z0-9_]+", name) for name in pieces)
    for one in found.sections:
        assert one.tables or one.figures or one.note.startswith(("A fit takes", "No forest:"))
        assert one.title
    for table in tables(found).values():
        assert table.rows
        assert {len(row) for row in table.rows} == {len(table.head)}
        for cell in (cell for row in table.rows for cell in row):
            assert cell is None or isinstance(cell, str | int | Estimate)
            assert not isinstance(cell, Estimate) or cell.value == cell.value is not None
    for figure in figures(found).values():
        assert figure.alt
        assert "nan" not in figure.alt
        assert figure.panels
        for panel in figure.panels:
            assert panel.curves or panel.clouds or panel.samples or panel.swarm
            assert all(len(curve.points) == len(panel.places) for curve in panel.curves)
            assert all(any(curve.points) for curve in panel.curves)
    return found


# ------------------------------------------------------------------------------- results


def four():
    """Two right, one wrong, one unparsed, one unscored; targets: three yes, two no."""
    return [
        answer(1, 1.0, tokens=10),
        answer(2, 1.0, tokens=20, said="no", target="no"),
        answer(3, 0.0, 0.5, tokens=30, said="no"),
        answer(4, 0.0, outcome="unparsed", tokens=40),
        answer(5, 0.0, outcome="unscored", target="no"),
    ]


def test_results_have_every_metric_the_shares_and_the_floors():
    own = four()
    found = sound(summarise(study(benchmark(), series("m", own), constants=constants(own))))
    table = tables(found)["results"]
    head = ("series", "n", "right", "score", "yes", "output tokens", "unparsed", "unscored")
    assert table.head == head
    first, majority, random = table.rows
    assert tuple(map(plain, first)) == near("m", 4, 0.5, 0.625, 0.25, 25.0, 0.25, 1)
    # Wilson, 2 of 4: (2 + 1.9207) / 7.8415 ± 1.96 √(1 + 0.9604) / 7.8415
    assert (first[2].low, first[2].high, first[2].n) == near(0.1500, 0.8500, 4)
    # Wilson, 1 of 4: (1 + 1.9207) / 7.8415 ± 1.96 √(0.75 + 0.9604) / 7.8415
    assert (first[6].low, first[6].high) == near(0.0456, 0.6994)
    assert tuple(map(plain, majority)) == near(
        "majority and constant floor", None, 0.6, 0.6, 1.0, None, None, None
    )
    assert plain(random[2]) == pytest.approx(0.5)
    assert majority[2].low is None
    assert table.note == "5 items."


def test_the_bars_of_the_results_have_floor_lines():
    own = four()
    found = summarise(study(benchmark(), series("m", own), constants=constants(own)))
    figure = figures(found)["results_plot"]
    assert [panel.title for panel in figure.panels] == ["right", "score", "yes"]
    assert figure.panels[0].places == ("",)
    bar, majority, random = figure.panels[0].curves
    assert (bar.label, bar.floor, bar.points[0].value) == ("m", False, 0.5)
    assert (majority.label, majority.floor, majority.points[0].value) == (
        "majority and constant floor",
        True,
        0.6,
    )
    assert (random.label, random.floor) == ("random floor", True)
    assert figure.alt.startswith(
        "right: m 0.500; majority and constant floor 0.600; random floor 0.500."
    )


def test_outcomes_are_counted_and_never_mixed_up():
    own = [*four()[:2], answer(3, 0.5), answer(6, 0.0), *four()[3:]]
    found = summarise(study(benchmark(), series("m", own)))
    assert rows(tables(found)["outcomes"]) == [("m", 6, 2, 1, 1, 1, 1)]
    panel = figures(found)["outcomes_plot"].panels[0]
    assert [curve.label for curve in panel.curves] == [
        "right", "partly right", "wrong", "unparsed", "unscored",
    ]  # fmt: skip
    assert [curve.points[0].value for curve in panel.curves] == pytest.approx([2 / 6, *[1 / 6] * 4])


def test_what_is_no_language_model_is_said_to_be_none():
    own = four()
    lines = series("harness/reference", own, "reference"), series("harness/random", own, "baseline")
    table = tables(summarise(study(benchmark(), *lines)))["results"]
    assert [row[0] for row in table.rows] == [
        "harness/reference (symbolic reference, not a language model)",
        "harness/random (baseline, not a language model)",
    ]


def test_where_nothing_is_judged_nothing_is_zero():
    own = [answer(at, 0.0, outcome="unscored", size=at) for at in range(4)]
    found = sound(summarise(study(benchmark(groups=("size",)), series("m", own))))
    assert rows(tables(found)["results"]) == [("m", 0, None, None, 4)]
    assert set(tables(found)) == {"results", "outcomes"}
    assert set(figures(found)) == {"outcomes_plot"}
    assert summarise(study(benchmark(), series("m", []))).sections == ()
    assert summarise(study(benchmark())).sections == ()


def test_more_than_ten_metrics_are_in_a_second_table():
    more = tuple(
        Metric(f"m{i}", "a number", each=lambda row: row.value["score"]) for i in range(11)
    )
    own = benchmark(metrics=(*more, Metric("right", "share right")))
    found = sound(summarise(study(own, series("m", four()))))
    head = tables(found)["results"].head
    assert head[2:12] == ("right", *(f"m{i}" for i in range(9)))
    assert tables(found)["results_all_metrics"].head[2:14] == (
        "right",
        *(f"m{i}" for i in range(11)),
    )


def test_the_papers_own_metrics_are_there_by_its_convention_alone():
    own = benchmark(published=(Metric("paper", "theirs", each=lambda row: 0.25),))
    known = study(own, series("m", four()))
    assert "paper" not in tables(summarise(known))["results"].head
    log = replace(known.logs[0], asked={**known.logs[0].asked, "convention": "published"})
    assert "paper" in tables(summarise(replace(known, logs=(log,))))["results"].head


def test_series_with_different_items_are_said_to_have_them():
    found = summarise(study(benchmark(), series("a", four()), series("b", four()[:2])))
    assert "different items (5 in all, 2 of them" in tables(found)["results"].note
    found = summarise(study(benchmark(), series("a", four()), series("b", four())))
    note = tables(found)["results"].note
    assert note.startswith("Both series answered the same 5 items. All language models together: ")
    found = summarise(study(benchmark(), series("a", four()[:1]), series("b", four()[:1])))
    assert "Both series answered the same 1 item. " in tables(found)["results"].note
    found = summarise(study(benchmark(), series("a", four()[:1])))
    assert tables(found)["results"].note == "1 item."


def test_all_language_models_together_are_a_row_whose_answers_to_an_item_are_no_independent_ones():
    a = [answer(at, float(at < 6), kind="xy"[at % 2], tokens=10) for at in range(8)]
    b = [answer(at, float(at < 2), kind="xy"[at % 2], tokens=30) for at in range(8)]
    b[7] = answer(7, 0.0, outcome="unparsed", kind="y", tokens=30)
    lines = series("a", a), series("b", b), series("harness/random", a, "baseline")
    found = sound(summarise(study(benchmark(groups=("kind",)), *lines)))
    table = tables(found)["results"]
    assert [row[0] for row in table.rows] == ["a", "b", LABEL, TOGETHER]
    # 6 and 2 of 8 are right, 1 of 16 is unparsed; the baseline counts for nothing
    row = table.rows[3]
    assert tuple(map(plain, row)) == near(TOGETHER, 16, 0.5, 0.5, 15 / 16, 20.0, 1 / 16, 0)
    # Both answers to an item belong together: (2 right) × 2, (1 right) × 4, (0 right) × 2 of 2. The variance over
    # items, 8/7 · 4 / 256, is 15/14 of that of 16 answers, 1/4 / 15; t of 7 for the normal distribution.
    worth = 16 / (15 / 14) * (1.959964 / 2.364624) ** 2
    inside = statistics.wilson(worth / 2, worth)
    assert (row[2].low, row[2].high) == pytest.approx((inside.low, inside.high), abs=1e-6)
    assert (row[2].method, row[6].method) == ("Wilson over sources",) * 2
    assert "All language models together: the answers of 2 series;" in table.note
    assert [one[:4] for one in rows(tables(found)["by_kind"]) if one[1] == TOGETHER] == [
        near("x", TOGETHER, 8, 0.5), near("y", TOGETHER, 8, 0.5),
    ]  # fmt: skip
    # Figures and outcomes are of the series alone.
    for name in ("results_plot", "by_kind_plot"):
        assert TOGETHER not in [one.label for one in figures(found)[name].panels[0].curves]
    assert [row[0] for row in tables(found)["outcomes"].rows] == ["a", "b", LABEL]


def test_a_model_has_its_own_row_whatever_it_is_called():
    lines = series(TOGETHER, four()), series("b", four()[:2])
    table = tables(summarise(study(benchmark(), *lines)))["results"]
    assert [row[:3] for row in rows(table)] == [
        near(TOGETHER, 4, 0.5), near("b", 2, 1.0), near(f"{TOGETHER}*", 6, 4 / 6),
    ]  # fmt: skip


def test_answers_are_not_put_together_that_are_not_alike_or_not_of_their_own():
    first, second = series("a", four()), series("b", four())
    for other in (
        series("b", four(), convention="published"),
        replace(second, settings={"task": "counterexample"}),
        replace(second, again=True),
        replace(second, kind="reference"),
    ):
        table = tables(summarise(study(benchmark(), first, other)))["results"]
        assert TOGETHER not in [row[0] for row in table.rows]
        assert "together" not in table.note


def test_a_probabilistic_metric_says_what_it_is_made_from():
    sure = Metric("sure", "mean", lambda rows: 0.5, probabilistic=True)
    own = benchmark(metrics=(Metric("right", "share"), sure))
    soft = [replace(one, row=replace(one.row, probability=0.5)) for one in four()]
    note = tables(summarise(study(own, series("a", soft), series("b", four()))))["results"].note
    assert "sure: from probabilities of a; of the others from hard labels." in note
    note = tables(summarise(study(own, series("b", four()))))["results"].note
    assert "sure: from hard labels" in note


def test_tasks_are_kept_apart_and_what_a_task_lacks_is_left_out_of_it():
    only = Metric(
        "only_a",
        "of a",
        each=lambda row: row.value["score"] if row.features["task"] == "a" else None,
    )
    own = benchmark(metrics=(Metric("right", "share"), only), groups=("size",))
    made = [answer(at, float(at % 3 == 0), task="ab"[at % 2], size=at // 4) for at in range(12)]
    found = sound(summarise(study(own, series("m", made))))
    assert tables(found)["results_a"].head == (
        "series",
        "n",
        "right",
        "only_a",
        "unparsed",
        "unscored",
    )
    assert tables(found)["results_b"].head == ("series", "n", "right", "unparsed", "unscored")
    assert rows(tables(found)["results_a"]) == [near("m", 6, 2 / 6, 2 / 6, 0.0, 0)]
    assert {"by_size_a", "by_size_b"} <= set(tables(found))
    assert tables(found)["by_size_b"].head == ("size", "series", "n", "right", "unparsed")


# --------------------------------------------------------------------------------- splits


def test_numbers_make_lines_in_order_with_floors_at_every_place():
    made = [
        answer(
            at, float(at < 6), size=(2, 10)[at % 2], target="no" if at in (0, 1, 2, 4) else "yes"
        )
        for at in range(8)
    ]
    known = study(benchmark(groups=("size",)), series("m", made), constants=constants(made))
    found = sound(summarise(known))
    table = tables(found)["by_size"]
    assert table.head == ("size", "series", "n", "right", "score", "yes", "unparsed")
    assert [row[:4] for row in rows(table)] == [
        near("2", "m", 4, 0.75),
        near("2", "majority floor", None, 0.75),
        near("2", "constant floor", None, 0.25),
        near("2", "random floor", None, 0.5),
        near("10", "m", 4, 0.75),
        near("10", "majority floor", None, 0.75),
        near("10", "constant floor", None, 0.75),
        near("10", "random floor", None, 0.5),
    ]
    figure = figures(found)["by_size_plot"]
    panel = figure.panels[0]
    assert (figure.kind, panel.places, panel.numeric, panel.x) == (
        "lines",
        ("2", "10"),
        True,
        "size",
    )
    assert [(one.label, one.floor) for one in panel.curves] == [
        ("m", False), ("majority floor", True), ("constant floor", True), ("random floor", True),
    ]  # fmt: skip


def test_words_make_bars_and_tags_count_under_each_word():
    made = [
        answer(1, 1.0, kind="b", words="x y"), answer(2, 0.0, kind="a", words="y"), answer(3, 1.0, kind="a"),
    ]  # fmt: skip
    found = sound(summarise(study(benchmark(groups=("kind",), tags=("words",)), series("m", made))))
    assert [row[:4] for row in rows(tables(found)["by_kind"])] == [
        near("a", "m", 2, 0.5), near("b", "m", 1, 1.0),
    ]  # fmt: skip
    assert figures(found)["by_kind_plot"].kind == "bars"
    assert [row[:4] for row in rows(tables(found)["by_words"])] == [
        near("x", "m", 1, 1.0), near("y", "m", 2, 0.5),
    ]  # fmt: skip
    note = tables(found)["by_words"].note
    assert "under each of its words" in note
    assert "Items that have no words are left out (1)." in note


def test_many_numbers_are_put_in_bins_of_equal_size():
    made = [answer(at, float(at < 8), size=at + 1) for at in range(16)]
    figure = figures(summarise(study(benchmark(groups=("size",)), series("m", made))))[
        "by_size_plot"
    ]
    places = ("1–2", "3–4", "5–6", "7–8", "9–10", "11–12", "13–14", "15–16")
    assert (figure.kind, figure.panels[0].places, figure.panels[0].numeric) == (
        "lines",
        places,
        False,
    )
    assert [point.value for point in figure.panels[0].curves[0].points] == [1.0] * 4 + [0.0] * 4


def test_of_many_values_the_most_frequent_are_shown_and_it_is_said():
    made = [answer(at, 1.0, kind=f"k{at % 45:02}") for at in range(85)]
    table = tables(summarise(study(benchmark(groups=("kind",)), series("m", made))))["by_kind"]
    assert [row[0] for row in table.rows] == [f"k{at:02}" for at in range(40)]
    assert "Only the 40 most frequent of 45 values" in table.note


def test_a_feature_with_one_value_or_none_is_no_split():
    made = [answer(at, 1.0, kind="a") for at in range(4)]
    found = summarise(study(benchmark(groups=("kind", "absent")), series("m", made)))
    assert set(tables(found)) == {"results", "outcomes"}


def test_a_split_that_the_plugin_declares_is_not_made_twice():
    made = [answer(at, 1.0, kind="ab"[at % 2], form="xy"[at // 2 % 2]) for at in range(8)]
    part = view("split", features=("kind",), where={"form": "x"})
    own = benchmark(groups=("kind",), views=(part,))
    assert {"seen", "by_kind"} <= set(tables(summarise(study(own, series("m", made)))))
    own = benchmark(groups=("kind",), views=(part, replace(part, name="more", where={"form": "y"})))
    found = set(tables(summarise(study(own, series("m", made)))))
    assert found == {"results", "outcomes", "seen", "more"}


def test_settings_are_places_and_models_are_curves():
    lines = (
        series("a", [answer(1, 1.0, tokens=5), answer(2, 0.0, tokens=7)], model="a"),
        series(
            "a · calc",
            [answer(1, 1.0, tokens=1), answer(2, 1.0, tokens=1)],
            model="a",
            tools="calc",
        ),
        series("b", [answer(1, 0.0, tokens=9)], model="b"),
    )
    found = show(study(benchmark(), *lines), view("split", features=("tools",)))
    assert found.tables[0].head == ("tools", "model", "n", "right", "output tokens", "unparsed")
    assert rows(found.tables[0]) == [
        near("calc", "a", 2, 1.0, 1.0, 0.0), near("none", "a", 2, 0.5, 6.0, 0.0),
    ]  # fmt: skip
    panel = found.figures[0].panels[0]
    assert (panel.places, [one.label for one in panel.curves]) == (("calc", "none"), ["a"])
    assert show(study(benchmark(), *lines[1:]), view("split", features=("tools",))) is None


def test_a_second_run_of_a_setting_is_a_curve_of_its_own():
    one = [answer(1, 1.0)]
    lines = [
        series(f"{at}", one, model="a", tools=tools)
        for at, tools in enumerate(("", "calc", "", "calc"))
    ]
    found = show(study(benchmark(), *lines), view("split", features=("tools",)))
    assert [row[:3] for row in rows(found.tables[0])] == [
        (tools, name, 1) for tools in ("calc", "none") for name in ("a", "a (run 2)")
    ]


def test_more_than_twelve_series_are_all_in_tables_and_the_best_in_figures():
    lines = [
        series(f"m{k:02}", [answer(at, float(at < k), size=at % 2) for at in range(20)])
        for k in range(15)
    ]
    found = sound(summarise(study(benchmark(groups=("size",)), *lines)))
    assert len(tables(found)["results"].rows) == 15 + 1
    for name in ("results_plot", "by_size_plot"):
        labels = [curve.label for curve in figures(found)[name].panels[0].curves]
        assert labels == [f"m{k:02}" for k in range(3, 15)]
        assert (
            "Figures show the 12 of 15 series with the highest right" in figures(found)[name].note
        )


# ------------------------------------------------------------------------ the other kinds


def test_pairs_are_of_one_family_and_tested_as_pairs():
    made = []
    for at in range(8):  # five are right in form x alone, two in both, one in none
        own = f"{at:012x}"
        made.append(answer(2 * at, float(at < 7), form="x", family=own, tokens=10))
        made.append(answer(2 * at + 1, float(5 <= at < 7), form="y", family=own, tokens=30))
    made.append(answer(90, 1.0, form="y", family="f" * 12))
    made.append(answer(91, 1.0, form="y"))
    found = show(study(benchmark(), series("m", made)), view("pairs", features=("form",)))
    table = found.tables[0]
    assert table.head == ("series", "metric", "pairs", "x", "y", "difference", "p", "p (Holm)")
    # McNemar: 2 · (1/2)⁵; tokens: all eight differ by -20, two of 2⁸ flips are as far out
    assert rows(table) == [
        near("m", "right", 8, 0.875, 0.25, 0.625, 0.0625, 0.0625),
        near("m", "output tokens", 8, 10.0, 30.0, -20.0, 2 / 256, 4 / 256),
    ]
    assert 0 < table.rows[0][5].low < 0.625 < table.rows[0][5].high < 1
    assert "Tests: exact McNemar (right); paired permutation (output tokens)." in table.note
    panel = found.figures[0].panels[0]
    assert (panel.places, panel.curves[0].points[0].value) == (("x less y",), 0.625)
    assert not panel.unit  # a difference may be below 0


def test_pairs_leave_out_what_is_not_judged_and_take_whole_run_metrics():
    made = [
        answer(1, 1.0, form="x", family="0" * 12), answer(2, 0.0, form="y", family="0" * 12, said="no"),
        answer(3, 1.0, form="x", family="1" * 12), answer(4, 0.0, outcome="unscored", form="y", family="1" * 12),
    ]  # fmt: skip
    found = show(study(benchmark(), series("m", made)), view("pairs", ("right", "yes"), ("form",)))
    assert [row[1:6] for row in rows(found.tables[0])] == [
        near("right", 1, 1.0, 0.0, 1.0), near("yes", 1, 1.0, 0.0, 1.0),
    ]  # fmt: skip
    assert (
        show(study(benchmark(), series("m", made[:1])), view("pairs", features=("form",))) is None
    )


@pytest.fixture
def fits_of_few(monkeypatch):
    """Allow fits through so few items that their numbers can be worked out by hand."""
    for name in ("ITEMS", "SOURCES", "VALUES"):
        monkeypatch.setattr(statistics_tests, name, 2)


def test_no_fit_goes_through_few_items_few_values_baselines_or_references():
    def line(label, n, values, kind="model", sources=None):
        made = [answer(at, float(at % 3 == 0), size=at % values) for at in range(n)]
        made = [replace(one, source=f"s{at % (sources or n)}") for at, one in enumerate(made)]
        return series(label, made, kind)

    lines = [
        line("enough", 20, 3), line("recorded", 20, 3, "recorded"), line("few", 19, 3), line("flat", 30, 2),
        line("kin", 20, 3, sources=9), line("random", 50, 9, "baseline"), line("solver", 50, 9, "reference"),
    ]  # fmt: skip
    found = show(study(benchmark(), *lines), view("scatter", features=("size",)))
    assert [row[0] for row in found.tables[0].rows] == ["enough", "recorded"]
    assert [cloud.label for cloud in found.figures[0].panels[0].clouds] == ["enough", "recorded"]
    start = "A fit takes a language model and 20 items, of 10 sources, with 3 different values. None for "
    assert start in found.note
    assert len(found.note.splitlines()) == 1
    for own, why in (
        (lines[2], "few (19 items)."), (lines[3], "flat (2 values)."), (lines[4], "kin (9 sources)."),
        (lines[5], "random (no language model)."),
    ):  # fmt: skip
        alone = show(study(benchmark(), own), view("scatter", features=("size",)))
        assert (alone.note, alone.tables, alone.figures) == (start + why, (), ())
        forest = show(study(benchmark(), own), view("forest", features=("size",)))
        assert (
            forest.note
            == "No forest: one takes 50 answers of a language model that are not all equal."
        )
        assert not forest.tables


def test_scatter_has_r_p_holm_and_the_line(fits_of_few):
    scores = (0.2, 0.4, 0.5, 0.9)
    made = [
        answer(at, 0.0, s, size=at + 1, other=(1, 2, 2, 1)[at], same=3, word="x")
        for at, s in enumerate(scores)
    ]
    features = ("size", "other", "same", "word", "absent")
    found = show(study(benchmark(), series("m", made)), view("scatter", ("score",), features))
    # size: Sxy = 1.1, Sxx = 5, Syy = 0.26; t = r √(2 / (1 - r²)), p = 1 - |r| of four points (2 degrees)
    r = 1.1 / (5 * 0.26) ** 0.5
    other = -0.1 / (1 * 0.26) ** 0.5
    first, second = rows(found.tables[0])
    assert first == near("m", "score", "size", 4, r, 1 - r, 2 * (1 - r), 1.0)
    assert second[:7] == near("m", "score", "other", 4, other, 1 + other, 1 + other)
    cloud = found.figures[0].panels[0].clouds[0]
    assert (cloud.x, cloud.y, cloud.slope, cloud.intercept) == (
        (1, 2, 3, 4), scores, pytest.approx(0.22), pytest.approx(-0.05),
    )  # fmt: skip
    assert "share a source" not in found.tables[0].note.lower()


def test_scatter_takes_logarithms_of_what_is_above_zero_and_says_what_it_leaves_out(fits_of_few):
    sizes, scores = (1, 10, 100, 1000, 0, -5, "x"), (0.1, 0.3, 0.2, 0.9, 0.7, 0.6, 0.5)
    made = [answer(at, 0.0, s, size=n) for at, (n, s) in enumerate(zip(sizes, scores, strict=True))]
    made.append(answer(9, 0.0, 0.4))
    lines = series("m", made), series("n", made)
    found = show(study(benchmark(), *lines), view("scatter", ("score",), ("log10 size",)))
    # x 0, 1, 2, 3: Sxy = -1.5 × 0.1 - 0.5 × 0.3 + 0.5 × 0.2 + 1.5 × 0.9 = 1.15, Sxx = 5, Syy = 0.3875
    r = 1.15 / (5 * 0.3875) ** 0.5
    assert rows(found.tables[0])[0][:6] == near("m", "score", "log10 size", 4, r, 1 - r)
    note = "Items whose size is not above 0 have no logarithm and are left out (2)."
    assert note in found.tables[0].note
    panel = found.figures[0].panels[0]
    assert (panel.x, panel.clouds[0].x) == ("log10 size", (0, 1, 2, 3))
    assert panel.clouds[0].slope == pytest.approx(0.23)
    # A feature of just that name is taken as it is.
    named = [answer(at, 0.0, s, **{"log10 size": at, "size": 0}) for at, s in enumerate(scores)]
    found = show(
        study(benchmark(), series("m", named)), view("scatter", ("score",), ("log10 size",))
    )
    assert found.figures[0].panels[0].clouds[0].x == tuple(range(7))
    assert "logarithm" not in found.tables[0].note


def test_correlations_of_items_that_share_a_source_say_so(fits_of_few):
    made = [
        replace(answer(at, (0, 0, 1, 1, 0, 1, 1, 1)[at], size=at), source=f"s{at // 2}")
        for at in range(8)
    ]
    found = show(study(benchmark(), series("m", made)), view("scatter", features=("size",)))
    assert "Some items share a source, which p allows for" in found.tables[0].note
    r, p = statistics_tests.pearson(
        np.arange(8), [a.row.value["right"] for a in made], [0, 0, 1, 1, 2, 2, 3, 3]
    )
    assert rows(found.tables[0])[0][4:6] == pytest.approx((r, p))
    assert found.figures[0].panels[0].clouds[0].p == p


def test_features_that_vary_are_correlated_with_the_headline_by_default():
    made = [
        answer(at, float(at % 4 == 0), a=at, b=at % 4, c=1, d="x", e=at % 3, f=-at, g=at % 5)
        for at in range(20)
    ]
    found = sound(summarise(study(benchmark(), series("m", made))))
    table = tables(found)["features"]
    assert [row[2] for row in table.rows] == ["a", "b", "e", "f", "g"]
    assert len(figures(found)["features_plot"].panels) == 3
    assert figures(found)["features_plot"].panels[0].x == "b"
    constant = [answer(at, 1.0, a=at) for at in range(20)]
    assert "features" not in tables(summarise(study(benchmark(), series("m", constant))))


def test_of_a_headline_without_items_the_first_value_is_correlated(fits_of_few):
    own = benchmark(headline="yes")
    made = [answer(at, float(at > 3), a=at) for at in range(6)]
    assert rows(tables(summarise(study(own, series("m", made))))["features"])[0][1] == "right"


def test_scatter_draws_a_bounded_number_of_points_and_counts_all():
    made = [answer(at, float(at % 7 == 0), size=at) for at in range(5000)]
    found = show(study(benchmark(), series("m", made)), view("scatter", features=("size",)))
    assert len(found.figures[0].panels[0].clouds[0].x) == 2000
    assert rows(found.tables[0])[0][3] == 5000
    assert "Not all points are drawn" in found.figures[0].note


def test_distributions_have_quartiles_and_the_shares_of_the_ends():
    scores = (0.0, 0.0, 0.2, 0.6, 1.0)
    made = [answer(at, 0.0, one) for at, one in enumerate(scores)]
    made.append(answer(9, 0.0, outcome="unscored"))
    found = sound(summarise(study(benchmark(), series("m", made))))
    assert rows(tables(found)["spread"]) == [near("m", "score", 5, 0.0, 0.2, 0.6, 0.4, 0.2)]
    assert figures(found)["spread_plot"].panels[0].samples == (("m", scores),)
    own = benchmark(views=(view("distribution", ("score",)),))
    assert "spread" not in tables(summarise(study(own, series("m", made))))


def test_agreement_ranks_the_answers_of_language_models_alone():
    made = [
        answer(at, right, score)
        for at, (right, score) in enumerate(((1, 1), (0, 0.5), (0, 0), (1, 1)))
    ]
    lines = series("m", made), series("r", [answer(at, 1.0) for at in range(4)], "reference")
    found = show(study(benchmark(), *lines), view("agreement", ("right", "score")))
    # ranks of right 3.5 1.5 1.5 3.5 and of score 3.5 2 1 3.5: Sxy = 4, Sxx = 4, Syy = 4.5
    rho = 4 / (4 * 4.5) ** 0.5
    assert rows(found.tables[0]) == [near("right", 1.0, rho), near("score", rho, 1.0)]
    # of 0, -1/2, 0 and 0: squared deviations 9/64 + 3 × 1/64 = 3/16, over three 1/16
    assert rows(found.tables[1]) == [near("right", "score", 4, -0.125, 0.25, 0.75, rho)]
    assert found.tables[1].head[3:5] == ("mean difference", "standard deviation")
    once = show(study(benchmark(), series("m", made), replace(lines[0], again=True)), one := view(
        "agreement", ("right", "score")
    ))  # fmt: skip
    twice = show(study(benchmark(), series("m", made), series("n", made)), one)
    assert once.tables[1].rows == found.tables[1].rows
    assert rows(twice.tables[1])[0][2] == 8
    # Each item's two answers are one source: no interval is the narrower for them.
    assert twice.tables[1].rows[0][5].method == "Wilson over sources"
    assert [curve.label for curve in found.figures[0].panels[0].curves] == ["right", "score"]
    assert show(study(benchmark(), lines[1]), view("agreement", ("right", "score"))) is None


@slow
def test_a_forest_is_grown_where_there_are_fifty_answers():
    made = [
        answer(at, float(at % 8 > 3), size=at % 8, noise=at * 7 % 5, flag=at % 2 == 0, word="x")
        for at in range(80)
    ]
    # Some sizes are 0: there is no forest of their logarithms.
    features = ("noise", "size", "flag", "word", "log10 size", "log10 word", "log10 flag")
    own = study(benchmark(), series("many", made), series("few", made[:49]))
    found = show(own, view("forest", features=features))
    together, row = rows(found.tables[0])
    assert together[:2] == ("all language models together", 129)
    assert found.tables[0].head[:4] == ("series", "n", "R²", "the most important first")
    assert row[:2] == ("many", 80)
    assert row[2] > 0.9
    assert row[3].startswith("size, ")
    assert found.tables[0].head[4:] == ("effect of noise", "effect of size", "effect of flag")
    assert row[5] > max(row[4], row[6])
    first, panel = found.figures[0].panels
    assert first.title.startswith("all language models together: R²\N{NO-BREAK SPACE}1.000")
    assert (panel.places[0], len(panel.swarm), len(panel.swarm[0])) == ("size", 3, 80)


@slow
def test_forests_that_foretell_nothing_are_in_the_table_and_not_drawn(monkeypatch):
    monkeypatch.setattr(views_forest, "SMALL", Size(1_000, 10, 20))
    monkeypatch.setattr(views_forest, "FULL", Size(1_000, 10, 20))
    even = [answer(at, float(at % 2), size=at % 8, noise=at * 7 % 5) for at in range(80)]
    noise = [answer(at, float(at // 2 % 2), size=at % 8, noise=at * 7 % 5) for at in range(80)]
    own = view("forest", features=("noise",))
    found = show(study(benchmark(), series("m", even), series("n", noise)), own)
    assert all(row[2] <= 0 for row in rows(found.tables[0]))
    assert found.figures == ()
    every = ", ".join(row[0] for row in rows(found.tables[0]))
    assert f"foretell nothing (R² not above 0): {every}." in found.note
    told = [answer(at, float(at % 8 > 3), size=at % 8, noise=at * 7 % 5) for at in range(80)]
    own = view("forest", features=("noise", "size"))
    found = show(study(benchmark(), series("m", told), series("n", noise)), own)
    drawn = {row[0] for row in rows(found.tables[0]) if row[2] > 0}
    assert {panel.title.split(":")[0] for panel in found.figures[0].panels} == drawn
    for row in rows(found.tables[0]):
        assert (row[0] in found.figures[0].note.partition("): ")[2]) == (row[2] <= 0)


@each("value, said", [(-0.25, "−0.250"), (-0.0001, "0.000"), (0.5, "0.500"), (-1234.0, "−1,234")])
def test_a_number_in_words_has_a_real_minus(value, said):
    assert number_text(value) == said


def test_of_many_series_the_best_get_forests_and_figures_have_three_beside_the_common_one(
    monkeypatch,
):
    monkeypatch.setattr(views_forest, "GROWN", 5)
    monkeypatch.setattr(views_forest, "SMALL", Size(60, 3, 5))
    monkeypatch.setattr(views_forest, "FULL", Size(600, 3, 5))
    lines = [
        series(
            f"m{k}",
            [answer(at, float(at % 8 > 4 - k % 3), 0.1 * k, size=at % 8) for at in range(64)],
        )
        for k in range(7)
    ]
    lines.insert(0, series("harness/random", lines[2].answers, "baseline"))
    found = show(study(benchmark(), *lines), view("forest", features=("size",)))
    # right: m2 and m5 on 5 of 8, m1 and m4 on 4, the others on 3; the baseline would be among the best
    names = [row[0] for row in rows(found.tables[0])]
    assert names == ["all language models together", "m0", "m1", "m2", "m4", "m5"]
    assert rows(found.tables[0])[0][1] == 7 * 64
    assert "Of 2 more series, those with a lower right, no forest is grown." in found.tables[0].note
    assert [one.title.split(":")[0] for one in found.figures[0].panels] == names[:4]
    alone = show(study(benchmark(), *lines[:2]), view("forest", features=("size",)))
    assert [row[0] for row in rows(alone.tables[0])] == ["m0"]
    assert "not told which model" not in alone.tables[0].note


def test_labels_are_in_the_order_of_the_numbers_in_them():
    kinds = ("17 to 32 states", "9 to 16 states", "1 to 8 states", "b", "07", "7", "x" + "9" * 5000)
    made = [answer(at, 1.0, kind=kinds[at % 7]) for at in range(14)]
    table = tables(summarise(study(benchmark(groups=("kind",)), series("m", made))))["by_kind"]
    assert [row[0] for row in table.rows] == [
        "1 to 8 states", "07", "7", "9 to 16 states", "17 to 32 states", "b", kinds[-1],
    ]  # fmt: skip


# -------------------------------------------------------------------------- for everybody


def test_every_kind_of_view_is_made():
    assert tuple(KINDS) == VIEWS


@each("kind", VIEWS)
def test_a_view_of_nothing_is_nothing(kind):
    empty = study(benchmark(), series("m", [answer(1, 0.0, outcome="unscored")]))
    assert show(empty, view(kind, features=("absent",))) is None
    assert show(empty, view(kind, features=("absent",), where={"task": "absent"})) is None


def test_a_plugin_that_declares_nothing_gets_a_report():
    own = Toy("toy").describe()
    assert not own.views
    made = [
        Answer(
            Row("one", "one" if at % 3 else "two", "scored", {"correct": float(at % 3 > 0)}, {"digits": 1 + at % 4}),
            f"{at:020x}", f"{at:020x}", 0,
        )
        for at in range(24)
    ]  # fmt: skip
    found = sound(summarise(study(own, series("m", made))))
    assert set(tables(found)) == {"results", "outcomes", "by_digits", "features"}
    assert rows(tables(found)["results"])[0] == near("m", 24, 2 / 3, 2 / 3, 0.0, 0)
    assert [row[:4] for row in rows(tables(found)["by_digits"])] == [
        near(f"{d}", "m", 6, 2 / 3) for d in range(1, 5)
    ]


@slow
def test_hostile_words_come_through_unchanged_and_never_into_names_of_files():
    made = [
        answer(at, float(at % 2), kind=HOSTILE[at % 6], task=HOSTILE[at % 2]) for at in range(24)
    ]
    odd = [
        replace(one, row=replace(one.row, features={**one.row.features, "<b>../x": at}))
        for at, one in enumerate(made)
    ]
    own = benchmark(groups=("kind", "<b>../x"), tags=("kind",))
    lines = [series(name, odd) for name in HOSTILE]
    found = sound(summarise(study(own, *lines)))
    results = next(table for name, table in tables(found).items() if name.startswith("results"))
    assert [row[0] for row in results.rows] == [*HOSTILE, TOGETHER]
    untagged = summarise(study(replace(own, tags=()), *lines))
    places = {
        row[0]
        for one in untagged.sections
        for table in one.tables
        if table.head[0] == "kind"
        for row in table.rows
    }
    assert places == set(HOSTILE)


def test_the_same_study_makes_the_same_report():
    made = [
        answer(at, float(at % 3 == 0), at % 5 / 4, size=at % 4, kind="ab"[at % 2], words="x y")
        for at in range(60)
    ]
    own = study(
        benchmark(groups=("kind", "size"), tags=("words",)),
        series("m", made),
        constants=constants(made),
    )
    assert summarise(own) == summarise(own)


def test_figures_name_what_is_no_language_model_shortly():
    made = [answer(at, float(at % 2), at % 2 / 2, size=at % 3) for at in range(9)]
    line = series("harness/reference", made, "reference")
    found = figures(summarise(study(benchmark(groups=("size",)), line)))
    short = "harness/reference (symbolic reference)"
    assert {figure.order for figure in found.values()} == {(short,)}
    for name in ("results_plot", "by_size_plot"):
        assert found[name].panels[0].curves[0].label == short
        assert short in found[name].alt
    assert found["outcomes_plot"].panels[0].places == (short,)
    assert "features_plot" not in found
    assert found["spread_plot"].panels[0].samples[0][0] == short
