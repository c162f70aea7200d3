"""Many items once, or few items often: variances, half widths and power of the same number of calls."""

import json
import math

import numpy as np
import pytest
from cases import slow
from report_logs import items_of, scripted_log
from scipy import stats as scipy_stats

from harness.cli.main import main
from harness.report import plan_known
from harness.report.plan_known import Known, Spread


def known(values, within=math.nan, noise=math.nan, repeats=1):
    values = np.array(values, float)
    spread = Spread("m", values, [str(at) for at in range(len(values))], within, noise, repeats)
    return Known(0.5, "majority", len(values), False, series=spread)


def test_the_pilots_own_design_has_the_t_interval_of_its_items():
    means = [0.2, 0.4, 0.4, 0.8, 1.0, 0.6, 0.6, 0.2, 0.0, 0.8]
    pilot = known(means, within=0.2, noise=0.04, repeats=5)
    rows = plan_known.rows(pilot, 50, 0.2, 0.05, 0.5)
    row = next(row for row in rows if row["repeats"] == 5)
    error = np.std(means, ddof=1) / math.sqrt(10)
    low, high = scipy_stats.t.interval(0.95, 9, scale=error)
    assert (row["items"], row["half_width"]) == (10, round((high - low) / 2, 6))
    assert [row["items"] for row in rows] == [50, 25, 16, 10, 5]


def test_items_beat_repeats_where_all_variance_is_between_and_only_there():
    between = plan_known.rows(known([0, 1] * 20), 60, 0.2, 0.05, 1e-9)
    assert between[0]["half_width"] < between[3]["half_width"] / 2
    within = plan_known.rows(known([0, 1] * 20), 60, 0.2, 0.05, 1 - 1e-9)
    normal = [row["half_width"] / scipy_stats.t.isf(0.025, row["items"] - 1) for row in within]
    assert normal == pytest.approx([normal[0]] * len(normal), rel=1e-4)


def test_power_is_that_of_a_simulation():
    between, within, items, repeats, d = 0.04, 0.16, 10, 5, 0.2
    rng = np.random.default_rng(2)
    size = (4000, items)
    means = d + rng.normal(0, math.sqrt(between), size)
    means += rng.normal(0, math.sqrt(within / repeats), size)
    seen = (scipy_stats.ttest_1samp(means, 0, axis=1).pvalue < 0.05).mean()
    pilot = known([0.5, 0.5 + math.sqrt(2 * (between + within / 4))], within, within / 4, 4)
    (row,) = [r for r in plan_known.rows(pilot, 50, d, 0.05, 0.5) if r["repeats"] == repeats]
    assert row["power"] == pytest.approx(seen, abs=0.02)


@slow
def test_a_log_with_epochs_tells_and_without_one_the_assumption_is_named(tmp_path, capsys):
    wrong = {"True": "False", "False": "True"}
    said = [
        [f"Answer: {item.target if at < n else wrong[item.target]}" for at in range(5)]
        for (_, item), n in zip(
            items_of("ltlbench", n=8, seed=3), (5, 4, 3, 2, 1, 0, 5, 4), strict=True
        )
    ]
    log = scripted_log(tmp_path, "ltlbench", said, epochs=5, seed=3)
    found = plan(capsys, "d=0.1", f"pilot={log}")
    assert found["calls"] == 40
    designs = [(row["items"], row["repeats"]) for row in found["designs"]]
    assert designs[:4] == [(40, 1), (20, 2), (13, 3), (8, 5)]
    assert any("0.150 within items" in line for line in found["assumptions"])
    assert "of the mean of 5 answers" in found["rows"][0]["case"]
    assert main(["plan", "d=0.1", f"pilot={log}", "within=0.3"]) == 2
    assert "'within' has no effect" in capsys.readouterr().err
    found = plan(capsys, "plugin=ltlbench", "d=0.1", "n=60", "calls=50", "within=0.3")
    assert any("0.3 of it within items is assumed" in line for line in found["assumptions"])
    assert plan(capsys, "plugin=ltlbench", "d=0.1", "n=60")["designs"] is None


@pytest.mark.parametrize("words", [["calls=2"], ["calls=x"], ["calls=5,6"], ["within=1"]])
def test_what_is_no_number_is_one_line(words, capsys):
    assert main(["plan", "plugin=ltlbench", "d=0.1", *words]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def plan(capsys, *words):
    assert main(["plan", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)
