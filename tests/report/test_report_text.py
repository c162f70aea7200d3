"""The headlines of a report in a terminal: one table of all benchmarks."""

from harness.report.text import report


def estimate(value, low=None, high=None):
    return {"value": value, "low": low, "high": high, "n": 8, "method": ""}


def study(plugin, metric, *series, warnings=()):
    head = ["series", "n", metric, "other", "unparsed", "unscored"]
    floors = [["constant floor", None, estimate(0.25), None, None, None],
              ["random floor", None, estimate(0.5), None, None, None]]  # fmt: skip
    table = {
        "name": "results",
        "title": "Results",
        "head": head,
        "rows": [*series, *floors],
        "note": "",
        "digits": 3,
    }
    return {
        "plugin": plugin, "series": [{"answers": row[1]} for row in series], "logs": [1], "warnings": list(warnings),
        "tables": [table, {**table, "name": "other", "title": "Other", "head": ["series"], "rows": []}],
    }  # fmt: skip


def text(*studies):
    return report({"studies": studies, "page": "x/index.html", "usage": {}}).split("\n\n")


def test_series_of_all_benchmarks_stand_in_one_table():
    first = ["model/a", 8, estimate(0.75, 0.4, 0.9), None, estimate(0.25), 2]
    again = ["model/b", 8, estimate(None), None, estimate(0.3), 0]  # of several answers each
    heads, table, _ = text(
        study("one", "accuracy", first, again, warnings=["mind"]), study("two", "exact", first)
    )
    assert heads.splitlines() == [
        "one: 2 series, 16 answers, 1 logs", "warning: mind", "two: 1 series, 8 answers, 1 logs",
    ]  # fmt: skip
    rows = [line.split("  ") for line in table.splitlines()]
    assert [[cell.strip() for cell in row if cell] for row in rows if "-" not in row[0]] == [
        [
            "benchmark",
            "series",
            "n",
            "headline",
            "value",
            "95 % interval",
            "best floor",
            "unparsed",
            "unscored",
        ],
        ["one", "model/a", "8", "accuracy", "0.750", "0.400 – 0.900", "0.500", "2", "2"],
        ["one", "model/b", "8", "accuracy", "–", "–", "0.500", "30.0%", "0"],
        ["two", "model/a", "8", "exact", "0.750", "0.400 – 0.900", "0.500", "2", "2"],
    ]


def test_what_is_the_same_in_every_row_is_no_column():
    _, table, _ = text(
        study("one", "accuracy", ["m", 8, estimate(1.0, 0.6, 1.0), None, estimate(0.0), 0])
    )
    assert table.splitlines()[0].split()[:3] == ["series", "n", "accuracy"]
