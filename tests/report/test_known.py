"""Real logs with answers chosen beforehand: each number of a report against one worked out here by other means.

Nothing of ``harness.report`` says what is expected: Wilson from its closed form, F1 and AUC from scikit-learn,
correlations from SciPy, Holm and McNemar by hand, bootstraps from the exact law that they sample.
"""

import csv
import io
import json
import math
import re
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import chain, groupby, product
from statistics import stdev
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest
from cases import slow
from inspect_ai.log import EvalError, EvalRetryError
from report_logs import edited, items_of, scripted_log
from scipy.stats import norm, pearsonr, spearmanr, t
from sklearn.metrics import f1_score, roc_auc_score

from harness.cli.main import main
from harness.report import statistics_tests

NOTHING = "I cannot say."
Z = 1.959963984540054
LOGGED = 1e-6  # a log holds a verdict's values with six digits


@pytest.fixture(scope="module", autouse=True)
def _fits_of_few():
    """Allow fits through as few items as these logs have."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("ITEMS", "SOURCES", "VALUES"):
            patch.setattr(statistics_tests, name, 2)
        yield


# ------------------------------------------------------------------- numbers by other means


def wilson(right, n):
    middle = (right + Z * Z / 2) / (n + Z * Z)
    half = Z * math.sqrt(right * (n - right) / n + Z * Z / 4) / (n + Z * Z)
    return right / n, middle - half, middle + half


def effective(groups):
    """Return what zeros and ones in groups of one size count as: items over the design effect, by Student's t.

    The robust variance by statsmodels' regression on a constant, not below that of independent items, and not above
    that of items that all say what their group says.
    """
    from statsmodels.regression.linear_model import OLS  # slow to import

    (size,) = {len(one) for one in groups}
    values, k = list(chain.from_iterable(groups)), len(groups)
    if len(set(values)) == 1:
        return k
    places = np.repeat(np.arange(k), size)
    fit = OLS(values, np.ones(len(values))).fit(cov_type="cluster", cov_kwds={"groups": places})
    alone = OLS(values, np.ones(len(values))).fit()
    effect = min(max(fit.bse[0] ** 2 / alone.bse[0] ** 2, 1), size)
    return len(values) / effect * (Z / t.ppf(0.975, k - 1)) ** 2


def share(flags):
    return wilson(sum(flags), len(flags))


def holm(chances):
    found, running = [0.0] * len(chances), 0.0
    for place, at in enumerate(sorted(range(len(chances)), key=chances.__getitem__)):
        running = max(running, min(1.0, chances[at] * (len(chances) - place)))
        found[at] = running
    return found


def law_of_means(groups):
    """Return every mean that a resample of the groups can have, each as likely as the others."""
    sums = np.array([sum(one) for one in groups], float)
    sizes = np.array([len(one) for one in groups], float)
    places = np.array(list(product(range(len(groups)), repeat=len(groups))))
    values = sums[places].sum(axis=1) / sizes[places].sum(axis=1)
    return values, np.full(len(values), 1 / len(values))


def law_of(statistic, kinds):
    """Return every value of a statistic of the counts of some kinds of rows, and how likely a resample has it."""
    total = sum(kinds.values())
    names, shares = list(kinds), [count / total for count in kinds.values()]
    values, chances = [], []
    for counts in _compositions(total, len(names)):
        found = statistic(dict(zip(names, counts, strict=True)))
        if not math.isnan(found):
            values.append(found)
            ways = math.factorial(total) / math.prod(map(math.factorial, counts))
            chances.append(
                ways * math.prod(p**count for p, count in zip(shares, counts, strict=True))
            )
    return np.array(values), np.array(chances) / sum(chances)


def _compositions(total, parts):
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _compositions(total - first, parts - 1):
            yield (first, *rest)


def assert_ends(cell, law, tail, draws):
    """Assert that an interval's ends are where so many draws from the law may put the quantiles of its tails."""
    values, chances = law
    slack = 4 * math.sqrt(tail * (1 - tail) / draws) + 1 / draws
    low, high, tiny = cell["low"], cell["high"], 2 * LOGGED
    assert low <= cell["value"] <= high
    assert all(np.isclose(values, end, rtol=0, atol=tiny).any() for end in (low, high))
    assert chances[values < low - tiny].sum() <= tail + slack
    assert chances[values <= low + tiny].sum() >= tail - slack
    assert chances[values > high + tiny].sum() <= tail + slack
    assert chances[values >= high - tiny].sum() >= tail - slack


def assert_mean(cell, values, sources=None):
    """Assert that a cell holds the mean of some numbers with the interval that its method says."""
    names = list(sources or range(len(values)))
    groups = {}
    for name, value in zip(names, values, strict=True):
        groups.setdefault(name, []).append(value)
    shared = len(groups) < len(values)
    assert cell["n"] == len(values)
    assert cell["value"] == pytest.approx(sum(values) / len(values), abs=LOGGED)
    if set(values) <= {0, 1} and not shared:
        assert_cell(cell, *wilson(sum(values), len(values)), method="Wilson")
    elif len(groups) == 1 or (len(set(values)) == 1 and not set(values) <= {0, 1}):
        assert (cell["low"], cell["high"]) == (None, None)
    elif set(values) <= {0, 1}:
        few = effective(list(groups.values()))
        low, high = wilson(cell["value"] * few, few)[1:]
        assert_cell(cell, sum(values) / len(values), low, high, n=len(values))
        assert cell["method"] == "Wilson over sources"
    else:
        k = len(groups)
        tail = float(norm.cdf(math.sqrt(k / (k - 1)) * t.ppf(0.025, k - 1)))
        assert cell["method"] == ("bootstrap over sources" if shared else "bootstrap")
        assert_ends(cell, law_of_means(list(groups.values())), tail, 2_000)


def assert_cell(cell, value, low=None, high=None, n=None, method=None):
    assert cell["value"] == pytest.approx(value, abs=LOGGED)
    if low is not None:
        assert (cell["low"], cell["high"]) == (
            pytest.approx(low, abs=LOGGED),
            pytest.approx(high, abs=LOGGED),
        )
    assert n is None or cell["n"] == n
    assert method is None or cell["method"] == method


# -------------------------------------------------------------------- logs and their reports


@dataclass
class One:
    """One item with what became of it: the answer given, ``right``, its values, and what a row is made of."""

    id: str
    item: object
    code: str
    right: bool = False
    values: dict = field(default_factory=dict)
    p: float | None = None

    @property
    def judged(self):
        return self.code != "F"


def read(plugin, plan, answer, **keys):
    """Return the items of a plan (a letter each) with their completions; ``F``: the provider fails."""
    items = items_of(plugin, n=len(plan), **keys)
    found = [One(own, item, code) for (own, item), code in zip(items, plan, strict=True)]
    return found, [NOTHING if one.code in "UF" else answer(one) for one in found]


def logged(folder, plugin, plan, answer, model="acme/wise-1", **keys):
    """Make the log of a plan; return its items, and the log's path."""
    found, said = read(plugin, plan, answer, **keys)
    path = scripted_log(folder, plugin, said, model=model, **keys)
    lost = {one.id for one in found if not one.judged}

    def fail(log):
        for sample in log.samples:
            if sample.id in lost:
                sample.scores = {}
                sample.error = EvalError(message="<b>overloaded", traceback="", traceback_ansi="")

    return found, edited(path, fail) if lost else path


def told(*words):
    """Run ``harness report … --json`` and return what it prints, read by a parser that knows no NaN."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(["report", *map(str, words), "--json"])
    assert (code, err.getvalue()) == (0, "")
    return json.loads(out.getvalue(), parse_constant=pytest.fail)


def tables_of(found, plugin):
    (study,) = (one for one in found["studies"] if one["plugin"] == plugin)
    return {
        table["name"].removeprefix(f"{plugin}_"): [
            dict(zip(table["head"], row, strict=True)) for row in table["rows"]
        ]
        for table in study["tables"]
    }


def row_of(rows, start, **cells):
    """Return the one row whose first or ``series`` cell begins so and that has these cells."""
    (found,) = (
        row
        for row in rows
        if str(row.get("series", row.get("metric"))).startswith(start)
        and all(row[key] == value for key, value in cells.items())
    )
    return found


# -------------------------------------------------------------------------------- ltlbench

# right, wrong, unparsed, failed
LTL = {2: "RRWURWF", 4: "WRURFR"}
SURE = (0.9, 0.35, 0.6, 0.5, 0.8, 0.15, 0.7, 0.2, 0.4, 0.5, 0.05, 0.95, 0.3)
OTHER = {"True": "False", "False": "True"}


def ltl_answer(one):
    one.right = one.code == "R"
    return f"So.\nAnswer: {one.item.target if one.right else OTHER[one.item.target]}"


def label_of(one):
    if one.code in "UF":
        return "none"
    return one.item.target if one.right else OTHER[one.item.target]


@pytest.fixture(scope="module")
def ltl(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ltl")
    ones, paths = [], []
    for operators, plan in LTL.items():
        found, path = logged(folder / "logs", "ltlbench", plan, ltl_answer, operators=operators)
        ones, paths = [*ones, *found], [*paths, path]
    for one, p in zip(ones, SURE, strict=True):
        one.p = p
    sure = {one.id: one.p for one in ones}

    def certain(log):
        log.eval.model, log.eval.eval_id = "acme/sure", f"{log.eval.eval_id}x"
        for sample in log.samples:
            if sample.scores:
                sample.scores["verdict"].metadata["probability"] = sure[sample.id]

    for path in list(paths):
        copy = path.with_name(f"sure-{path.name}")
        copy.write_bytes(path.read_bytes())
        paths.append(edited(copy, certain))
    out = folder / "out"
    found = told(*paths, f"out={out}")
    return SimpleNamespace(
        ones=ones, out=out, found=found, tables=tables_of(found, "ltlbench"), logs=paths
    )


def pairs_of(ones):
    return [(one.item.target, label_of(one)) for one in ones if one.judged]


def macro(ones):
    gold, said = zip(*pairs_of(ones), strict=True)
    return f1_score(gold, said, labels=["True", "False"], average="macro", zero_division=0)


def rank(one, soft):
    if one.code == "U":  # earns nothing: at the wrong end
        return -1.0 if one.item.target == "True" else 2.0
    return one.p if soft else float(label_of(one) == "True")


def area(ones, soft=False):
    there = [one for one in ones if one.judged]
    return roc_auc_score(
        [one.item.target == "True" for one in there], [rank(one, soft) for one in there]
    )


def counted(ones, key):
    found = {}
    for one in ones:
        if one.judged:
            found[key(one)] = found.get(key(one), 0) + 1
    return found


def macro_of_counts(counts):
    scores = []
    for name in ("True", "False"):
        right = counts.get((name, name), 0)
        named = sum(n * ((a == name) + (b == name)) for (a, b), n in counts.items())
        scores += [2 * right / named] if named else []
    return sum(scores) / len(scores)


def area_of_counts(counts):
    up = [(score, n) for (gold, score), n in counts.items() if gold == "True" and n]
    down = [(score, n) for (gold, score), n in counts.items() if gold == "False" and n]
    if not up or not down:
        return math.nan
    won = sum(n * m * ((a > b) + (a == b) / 2) for a, n in up for b, m in down)
    return won / (sum(n for _, n in up) * sum(m for _, m in down))


@pytest.mark.parametrize("model", ["acme/wise-1", "acme/sure"])
def test_ltlbench_results_are_those_of_scikit_learn(ltl, model):
    judged = [one for one in ltl.ones if one.judged]
    row, soft = row_of(ltl.tables["results"], model), model == "acme/sure"
    right = [one.right for one in judged]
    assert (row["n"], row["unscored"]) == (len(judged), 2) == (11, 2)
    assert_cell(row["accuracy"], *share(right), n=11, method="Wilson")
    assert_cell(row["label"], *share(right), n=11, method="Wilson")
    assert_cell(row["macro_f1"], macro(ltl.ones), n=11)
    assert_cell(row["auc"], area(ltl.ones, soft), n=11)
    assert_cell(row["path_unread"], *wilson(0, 11), n=11)
    assert_cell(row["unparsed"], *share([one.code == "U" for one in judged]), n=11)
    assert row["auc"]["method"].endswith("hard labels") is not soft
    kinds = counted(ltl.ones, lambda one: (one.item.target, label_of(one)))
    assert macro_of_counts(kinds) == pytest.approx(macro(ltl.ones))
    assert_ends(row["macro_f1"], law_of(macro_of_counts, kinds), 0.025, 300)
    if not soft:
        kinds = counted(ltl.ones, lambda one: (one.item.target, rank(one, False)))
        assert area_of_counts(kinds) == pytest.approx(area(ltl.ones))
        assert_ends(row["auc"], law_of(area_of_counts, kinds), 0.025, 300)


def ltl_floors(ones):
    """Return what always True, always False, and a coin score: metric by metric."""
    gold = [one.item.target for one in ones]
    found = {}
    for name in ("True", "False"):
        same = [one == name for one in gold]
        said = [name] * len(gold)
        f1 = f1_score(gold, said, labels=["True", "False"], average="macro", zero_division=0)
        found[name] = {"accuracy": sum(same) / len(same), "macro_f1": f1, "auc": 0.5}
    up, down = gold.count("True"), gold.count("False")
    law = []  # of a coin: i of the True ones and j of the False ones are called True
    for i, j in product(range(up + 1), range(down + 1)):
        counts = {("True", "True"): i, ("True", "False"): up - i, ("False", "True"): j,
                  ("False", "False"): down - j}  # fmt: skip
        law.append((macro_of_counts(counts), math.comb(up, i) * math.comb(down, j)))
    mean = sum(value * ways for value, ways in law) / 2 ** len(gold)
    found["random"] = {"accuracy": 0.5, "macro_f1": mean, "auc": 0.5}
    return found


def test_ltlbench_floors_are_what_constants_and_a_coin_score(ltl):
    known = ltl_floors(ltl.ones)
    best = max(("True", "False"), key=lambda name: known[name]["accuracy"])
    rows = [row for row in ltl.tables["results"] if row["series"].endswith("floor")]
    rows = [row for row in rows if "shortcut" not in row["series"]]
    names = " ".join(row["series"] for row in rows)
    assert "majority" in names
    assert "random" in names
    for row in rows:
        assert (row["n"], row["unparsed"], row["unscored"]) == (None, None, None)
        kind = "random" if "random" in row["series"] else best
        # Random answerers are drawn: their mean is right within what their number allows.
        slack = 0.08 if kind == "random" else 1e-9
        kind = "True" if row["series"].startswith("constant") else kind
        assert row["accuracy"]["value"] == pytest.approx(known[kind]["accuracy"], abs=1e-9)
        assert row["macro_f1"]["value"] == pytest.approx(known[kind]["macro_f1"], abs=slack)
        assert row["auc"]["value"] == pytest.approx(known[kind]["auc"], abs=slack)
        assert {cell["n"] for cell in row.values() if isinstance(cell, dict)} == {13}


@slow
@pytest.mark.parametrize("operators", LTL)
def test_ltlbench_by_operators_each_log_of_the_sweep_is_a_place(ltl, operators):
    ones = [one for one in ltl.ones if one.item.features["operators"] == operators]
    assert len(ones) == len(LTL[operators])
    judged = [one for one in ones if one.judged]
    place = {"operators": str(operators)}
    for model in ("acme/wise-1", "acme/sure"):
        row = row_of(ltl.tables["operators"], model, **place)
        assert row["n"] == len(judged)
        assert_cell(row["accuracy"], *share([one.right for one in judged]), n=len(judged))
        assert_cell(row["auc"], area(ones, model == "acme/sure"), n=len(judged))
        assert_cell(row["unparsed"], *share([one.code == "U" for one in judged]))
    known = ltl_floors(ones)
    best = max(known["True"]["accuracy"], known["False"]["accuracy"])
    (row,) = (
        row
        for row in ltl.tables["operators"]
        if row["series"].startswith("majority") and row["operators"] == str(operators)
    )
    assert_cell(row["accuracy"], best, n=len(ones))


def test_ltlbench_outcomes_count_every_answer_once(ltl):
    assert [
        (s["label"], s["answers"], len(s["logs"])) for s in ltl.found["studies"][0]["series"]
    ] == [
        ("acme/wise-1", 13, 2),
        ("acme/sure", 13, 2),
    ]
    for row in ltl.tables["outcomes"]:
        codes = "".join(LTL.values())
        assert list(row.values())[1:] == [13, codes.count("R"), 0, *map(codes.count, "WUF")]


def test_correlations_are_those_of_scipy_and_holms_correction_is_over_the_table(ltl):
    rows = ltl.tables["features"]
    judged = [one for one in ltl.ones if one.judged]
    y = [float(one.right) for one in judged]
    assert {"operators", "edges"} <= {row["feature"] for row in rows}
    for row in rows:
        x = [one.item.features[row["feature"]] for one in judged]
        r, p = pearsonr(x, y)
        assert (row["metric"], row["n"]) == ("accuracy", len(judged))
        assert_cell(row["Pearson r"], r)
        assert_cell(row["p"], p)
        assert_cell(row["Spearman"], spearmanr(x, y).statistic)
    adjusted = holm([row["p"]["value"] for row in rows])
    assert [row["p (Holm)"]["value"] for row in rows] == pytest.approx(adjusted)


def test_the_csv_of_answers_has_every_answer_as_it_was(ltl):
    with (ltl.out / "answers_ltlbench.csv").open(newline="") as file:
        rows = {(row["series"], row["id"]): row for row in csv.DictReader(file)}
    assert len(rows) == 26
    words = {"R": "right", "W": "wrong", "U": "unparsed", "F": "unscored"}
    for one in ltl.ones:
        for model in ("acme/wise-1", "acme/sure"):
            row = rows[model, one.id]
            assert row["outcome"] == words[one.code]
            assert row["target"] == one.item.target
            assert row["answer"] == ("" if one.code in "UF" else label_of(one))
            assert row["accuracy"] == ("" if one.code == "F" else str(int(one.right)))
            assert row["operators"] == str(one.item.features["operators"])
            sure = model == "acme/sure" and one.judged
            assert row["probability"] == (f"{one.p:g}" if sure else "")


# -------------------------------------------------- the same numbers in every form of a table


def shown(cell):
    """Return a cell as a reader is to see it: three digits, a dash for what is undefined."""
    if cell is None:
        return "–"
    if not isinstance(cell, dict):
        return str(cell)
    value, low, high = (
        None if cell[k] is None else f"{cell[k]:z.3f}" for k in ("value", "low", "high")
    )
    return value if low is None else f"{value} ({low} – {high})"


def test_report_json_is_what_the_command_prints(ltl):
    written = json.loads((ltl.out / "report.json").read_text(), parse_constant=pytest.fail)
    assert written["studies"] == ltl.found["studies"]


def test_csv_files_hold_the_numbers_of_report_json_in_full(ltl):
    for table in ltl.found["studies"][0]["tables"]:
        head, *rows = csv.reader(
            (ltl.out / "tables" / f"{table['name']}.csv").read_text().splitlines()
        )
        known = []
        for row in table["rows"]:
            line = {}
            for name, cell in zip(table["head"], row, strict=True):
                if isinstance(cell, dict):
                    ends = {"": "value", " low": "low", " high": "high", " n": "n"}
                    line |= {f"{name}{end}": cell[key] for end, key in ends.items()}
                else:
                    line[name] = cell
            known.append(
                {name: "" if value is None else str(value) for name, value in line.items()}
            )
        found = [dict(zip(head, row, strict=True)) for row in rows]
        assert [{k: v for k, v in one.items() if v} for one in found] == [
            {k: v for k, v in one.items() if v} for one in known
        ]


@pytest.mark.parametrize(("end", "between"), [("md", "|"), ("tex", "&")])
def test_markdown_and_latex_show_the_numbers_of_report_json(ltl, end, between):
    for table in ltl.found["studies"][0]["tables"]:
        text = (ltl.out / "tables" / f"{table['name']}.{end}").read_text()
        text = text.replace("--", "–").replace("$-$", "−") if end == "tex" else text
        text = text.replace("−", "-")
        text = re.sub(r"\\([_<])", r"\1", text).replace("textless{}", "<")
        lines = [
            [cell.strip() for cell in line.removesuffix("\\\\").strip("| ").split(between)]
            for line in text.splitlines()
        ]
        for row in table["rows"]:
            assert any(len(line) == len(row) and all(map(says, line, row)) for line in lines), (
                table["name"],
                row,
            )


def says(text, cell):
    """Say whether a text shows a cell; a p value may be told as ``<0.001``."""
    small = text.strip("\\ ") == "<0.001"
    return text == shown(cell) or (small and isinstance(cell, dict) and cell["value"] < 0.001)


class Page(HTMLParser):
    """The tables of a page: per table its head and rows of texts."""

    def __init__(self):
        super().__init__()
        self.tables, self._cell = [], None

    def handle_starttag(self, tag, attrs):
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self._cell = []
        elif tag == "small" and self._cell is not None:
            self._cell.append(" ")

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.tables[-1][-1].append("".join(self._cell).strip())
            self._cell = None

    def handle_data(self, data):
        if self._cell is not None:
            self._cell.append(data)


def numbers_in(text):
    return re.findall(r"-?\d+\.\d+|\d+|–$", text.replace("−", "-"))


def test_the_page_shows_the_numbers_of_report_json(ltl):
    page = Page()
    page.feed((ltl.out / "index.html").read_text())
    told_tables = ltl.found["studies"][0]["tables"]
    for table in told_tables:
        found = [one for one in page.tables if one[0] == table["head"]]
        rows = [
            [numbers_in(shown(cell)) if not isinstance(cell, str) else [cell] for cell in row]
            for row in table["rows"]
        ]
        same = False
        for one in found:
            seen = [
                [
                    [text] if isinstance(cell, str) else numbers_in(text)
                    for cell, text in zip(row, line, strict=True)
                ]
                for row, line in zip(table["rows"], one[1:], strict=False)
            ]
            same = same or (
                len(one) == len(rows) + 1 and all(map(_alike, chain(*rows), chain(*seen)))
            )
        assert same, table["name"]


def _alike(known, seen):
    """Say whether a page's cell has the numbers of a table's; a p value may be told as ``<0.001``."""
    return seen == known or (seen == ["0.001"] and float(known[0]) < 0.001)


# ------------------------------------------------------------------------- figures, read back

SVG = "{http://www.w3.org/2000/svg}"


def axes_of(path):
    """Return, per axes of a figure, the function from y to a value that its ticks say, and its elements by id."""
    root = ElementTree.parse(path).getroot()
    found = []
    for group in root.iter(f"{SVG}g"):
        own = group.get("id", "")
        if re.search(r"axes_\d+$", own):
            ticks = []
            for one in group.iter(f"{SVG}g"):
                if re.search(r"ytick_\d+$", one.get("id", "")):
                    text = next(one.iter(f"{SVG}text"), None)
                    use = next(one.iter(f"{SVG}use"), None)
                    if text is not None and use is not None:
                        ticks.append((float(use.get("y")), float(text.text.replace("−", "-"))))
            # A tick that two panels share is written at one of them only.
            parts = {one.get("id"): one for one in group.iter() if one.get("id")}
            found.append((_scale(ticks), parts, own))
    return root, found


def _scale(ticks):
    if len(ticks) < 2:
        return None
    (y0, v0), (y1, v1) = ticks[0], ticks[-1]
    return lambda y: v0 + (y - y0) * (v1 - v0) / (y1 - y0)


def points_of(element):
    path = element if element.tag == f"{SVG}path" else next(element.iter(f"{SVG}path"))
    return [
        (float(x), float(y)) for x, y in re.findall(r"[ML] (-?[\d.]+) (-?[\d.]+)", path.get("d"))
    ]


def part(parts, end):
    (found,) = (one for own, one in parts.items() if own.endswith(end))
    return found


def test_bars_of_the_results_are_as_high_as_the_table_says(ltl):
    _, axes = axes_of(ltl.out / "figures" / "ltlbench_results_plot.svg")
    rows = [row for row in ltl.tables["results"] if row["series"].startswith("acme")]
    for at, metric in enumerate(("accuracy", "macro_f1", "pairs")):
        value, parts, _ = axes[at]
        for which, row in enumerate(rows):
            ends = [y for _, y in points_of(part(parts, f"-bar-{at}-{which}-0"))]
            assert value(max(ends)) == pytest.approx(0, abs=1e-3)
            assert value(min(ends)) == pytest.approx(row[metric]["value"], abs=1e-3)
            spread = [value(y) for _, y in points_of(part(parts, f"-interval-{at}-{which}"))]
            assert sorted(spread) == pytest.approx(
                [row[metric]["low"], row[metric]["high"]], abs=1e-3
            )


def test_lines_over_the_operators_go_through_the_points_of_the_table(ltl):
    _, axes = axes_of(ltl.out / "figures" / "ltlbench_operators_plot.svg")
    for at, metric in enumerate(("accuracy", "auc")):
        value, parts, _ = axes[at]
        for which, model in enumerate(("acme/wise-1", "acme/sure")):
            known = [
                row[metric]["value"]
                for row in ltl.tables["operators"]
                if row["series"].startswith(model)
            ]
            way = points_of(part(parts, f"-curve-{at}-{which}"))
            assert [value(y) for _, y in way] == pytest.approx(known, abs=1e-3)
            assert way[0][0] < way[1][0]
        low = [
            row[metric]["value"]
            for row in ltl.tables["operators"]
            if row["series"].startswith("majority")
        ]
        # Where floors lie on each other, they are one line.
        floors = [points_of(one) for own, one in parts.items() if f"-floor-{at}-" in own]
        assert any([value(y) for _, y in way] == pytest.approx(low, abs=1e-3) for way in floors)


# ------------------------------------------------ votes, retries, the paper's own convention


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """Three samples an item, and another model judged by the paper's convention."""
    folder = tmp_path_factory.mktemp("asked")
    items = [item for _, item in items_of("ltlbench", n=5)]
    gold = [item.target for item in items]
    right = [f"Answer: {one}" for one in gold]
    wrong = [f"Answer: {OTHER[one]}" for one in gold]
    votes = [
        [wrong[0], right[0], right[0]],  # two to one: right
        [NOTHING, wrong[1], right[1]],  # a tie of the readable: the earlier one, wrong
        [NOTHING, NOTHING, right[2]],  # one readable: right
        [NOTHING, NOTHING, NOTHING],
        [right[4], wrong[4], wrong[4]],
    ]
    voted = scripted_log(folder, "ltlbench", votes, model="acme/voter")

    def retried(log):
        for sample in log.samples[:2]:
            sample.error_retries = [EvalRetryError(message="busy", traceback="", traceback_ansi="")]

    edited(voted, retried)
    # The paper reads the last "true" or "false" of a reply, and False where there is none.
    said = [
        right[0],
        f"{right[1]}\n",
        NOTHING,
        NOTHING,
        f"It is not {gold[4].lower()} but as I say: {OTHER[gold[4]]}!",
    ]
    paper = scripted_log(folder, "ltlbench", said, model="acme/paper", convention="published")
    found = told(voted, paper)
    return SimpleNamespace(gold=gold, tables=tables_of(found, "ltlbench"), found=found)


@slow
def test_three_samples_of_an_item_are_one_answer_by_their_vote(asked):
    row = row_of(asked.tables["results"], "acme/voter")
    assert row["n"] == 5
    assert_cell(row["accuracy"], *wilson(2, 5), n=5)
    assert_cell(row["unparsed"], *wilson(1, 5), n=5)
    said = [asked.gold[0], OTHER[asked.gold[1]], asked.gold[2], "none", OTHER[asked.gold[4]]]
    f1 = f1_score(asked.gold, said, labels=["True", "False"], average="macro", zero_division=0)
    assert_cell(row["macro_f1"], f1)
    counts = row_of(asked.tables["outcomes"], "acme/voter")
    assert list(counts.values())[1:] == [5, 2, 0, 2, 1, 0]


def test_the_papers_convention_has_its_own_columns_by_its_own_extraction(asked):
    gold = asked.gold
    said = [gold[0], gold[1], "False", "False", OTHER[gold[4]]]
    (row,) = (row for row in asked.tables["results"] if row["series"].startswith("acme/paper"))
    assert_cell(row["published_accuracy"], sum(a == b for a, b in zip(gold, said, strict=True)) / 5)
    f1 = f1_score(gold, said, labels=["True", "False"], average="macro", zero_division=0)
    assert_cell(row["published_f1"], f1)
    assert_cell(
        row["published_auc"],
        roc_auc_score([one == "True" for one in gold], [one == "True" for one in said]),
    )
    assert any("conventions" in line for line in asked.found["studies"][0]["warnings"])


# -------------------------------------------------------------------------------- the others


@pytest.fixture(scope="module")
def others(tmp_path_factory):
    """Logs of the three other plugins, and the report on all of them."""
    folder = tmp_path_factory.mktemp("others")
    known = SimpleNamespace(
        tempo=tempo_logs(folder / "tempo"), puzzles=puzzle_logs(folder / "puzzles"),
        lifted=vltl_logs(folder / "vltl"),
    )  # fmt: skip
    known.found = told(folder)
    known.tables = {
        plugin: tables_of(known.found, plugin) for plugin in ("tempobench", "timepuzzles", "vltl")
    }
    return known


def assert_row(row, ones, keys, source=None):
    """Assert that a row holds the means of the items' values, their number, and the unparsed ones' share."""
    judged = [one for one in ones if one.judged]
    sources = [source(one) for one in judged] if source else None
    assert row["n"] == len(judged)
    for key in keys:
        assert_mean(row[key], [one.values[key] for one in judged], sources)
    assert_mean(row["unparsed"], [float(one.code == "U") for one in judged], sources)


# ------------------------------------------------------------------------------ tempobench

# right, a literal dropped, one added, no constraints at all, unparsed, failed
TCE = {"normal": "RDNU", "hard": "RAF"}
TTE = "RSU"  # S: the last step's next state is another
SCORES = ("f1_ap", "precision_ap", "recall_ap", "f1_ts", "precision_ts", "recall_ts")


def stated(target):
    """Return the constraints of each step as sets of clauses, each a set of literals."""
    (steps,) = json.loads(target).values()
    found = {
        step: {frozenset(clause.split(" or ")) for clause in clauses if clause != "no constraints"}
        for step, clauses in steps.items()
    }
    return {step: clauses for step, clauses in found.items() if clauses}


def literals(steps):
    return {
        (step, word) for step, clauses in steps.items() for clause in clauses for word in clause
    }


def scored(level, gold, said, right):
    precision = right / said if said else 0.0
    recall = right / gold if gold else 0.0
    f1 = 2 * right / (gold + said) if gold + said else 0.0
    return {f"precision_{level}": precision, f"recall_{level}": recall, f"f1_{level}": f1}


def tce_answer(one):
    ((effect, steps),) = json.loads(one.item.target).items()
    gold = stated(one.item.target)
    first = min(gold)
    if one.code == "D":
        steps[first] = steps[first][1:] or ["no constraints"]
    if one.code == "A":
        (free,) = [step for step in steps if step not in gold][:1]
        steps[free] = [steps[first][0]]
    if one.code == "N":
        steps = {step: ["no constraints"] for step in steps}
    text = json.dumps({effect: steps})
    one.right = one.code == "R"
    said = stated(text)
    same = sum(said.get(step) == clauses for step, clauses in gold.items())
    ap, own = literals(gold), literals(said)
    one.values = {
        **scored("ap", len(ap), len(own), len(ap & own)), **scored("ts", len(gold), len(said), same),
        "counts": ((len(ap), len(own), len(ap & own)), (len(gold), len(said), same)),
    }  # fmt: skip
    return f"Answer: {text}"


def tte_answer(one):
    label = json.loads(one.item.target)
    steps = [step for step in label if step.startswith("step_")]
    if one.code == "S":
        label[steps[-1]]["next state"] += 1
    one.right = one.code == "R"
    n, right = len(steps), len(steps) - (one.code == "S")
    wide = sum(len(label[step]["defining inputs"].split(" and ")) for step in steps)
    one.values = {
        **scored("ap", wide, wide, wide), **scored("ts", n, n, right), "f1_state": right / n, "accepted": 1.0,
        "counts": ((wide, wide, wide), (n, n, right)),
    }  # fmt: skip
    return f"Answer: {json.dumps(label)}"


def finished(ones, keys, right):
    """Give the unparsed items their zeros, and every item whether it is right."""
    for one in ones:
        one.values = {
            **dict.fromkeys(keys, 0.0),
            **one.values,
            **dict.fromkeys(right, float(one.right)),
        }
    return ones


def source_of(one):
    return one.item.features["family"], str(one.item.notes["parameters"])


def tempo_logs(folder):
    paper = {"label": "per_step", "joint": 0, "trivial": 0}
    normal, _ = logged(folder, "tempobench", TCE["normal"], tce_answer, seed=0, **paper)
    hard, path = logged(folder, "tempobench", TCE["hard"], tce_answer, seed=13, **paper)

    def harden(log):  # what it takes to draw hard ones is put to the test elsewhere
        for sample in log.samples:
            sample.metadata["features"]["hardness"] = "hard"

    edited(path, harden)
    tte, _ = logged(folder, "tempobench", TTE, tte_answer, task="tte", **paper)
    for one in (*normal, *hard, *tte):
        if one.code in "UF":
            answer = tte_answer if one in tte else tce_answer
            whole = One(one.id, one.item, "R")
            answer(whole)
            one.values = {"counts": tuple((gold, 0, 0) for gold, _, _ in whole.values["counts"])}
    right = ("correct", "exact")
    return SimpleNamespace(
        normal=finished(normal, SCORES, right), hard=finished(hard, SCORES, right),
        tte=finished(tte, (*SCORES, "f1_state", "accepted"), right),
    )  # fmt: skip


@slow
def test_tempobench_has_a_table_per_task_with_f1_counted_over_the_sets(others):
    known, tables = others.tempo, others.tables["tempobench"]
    tce = [*known.normal, *known.hard]
    dropped, added = known.normal[1].values, known.hard[1].values
    assert 0 < added["f1_ap"] < 1
    assert 0 <= dropped["f1_ap"] < 1
    keys = ("correct", "exact", *SCORES)
    row = row_of(tables["results_tce"], "acme/wise-1")
    wide = row_of(tables["results_tce_all_metrics"], "acme/wise-1")
    assert_row(row, tce, [key for key in keys if key in row], source_of)
    assert_row(wide, tce, keys, source_of)
    assert row["unscored"] == wide["unscored"] == 1
    assert "accepted" not in wide
    row = row_of(tables["results_tte_all_metrics"], "acme/wise-1")
    assert_row(row, known.tte, (*keys, "accepted", "f1_state"), source_of)


@pytest.mark.parametrize("task", ["tce", "tte"])
def test_tempobench_pools_the_counts_of_all_items(others, task):
    known = others.tempo
    ones = known.tte if task == "tte" else [*known.normal, *known.hard]
    row = row_of(others.tables["tempobench"][f"results_{task}_all_metrics"], "acme/wise-1")
    for at, level in enumerate(("ap", "ts")):
        counts = [one.values["counts"][at] for one in ones if one.judged]
        gold, said, right = map(sum, zip(*counts, strict=True))
        assert_cell(row[f"pooled_precision_{level}"], right / said)
        assert_cell(row[f"pooled_recall_{level}"], right / gold)
        assert_cell(row[f"pooled_f1_{level}"], 2 * right / (gold + said))


@pytest.mark.parametrize("difficulty", TCE)
def test_tempobench_by_difficulty_as_in_the_paper(others, difficulty):
    ones, tables = getattr(others.tempo, difficulty), others.tables["tempobench"]
    place = {"hardness": difficulty}
    assert_row(row_of(tables["tce_hardness"], "acme", **place), ones, ("f1_ap", "f1_ts"), source_of)
    assert_row(row_of(tables["tce_precision_recall"], "acme", **place), ones, SCORES, source_of)
    row = row_of(tables["tce_pooled"], "acme", **place)
    for at, level in enumerate(("ap", "ts")):
        counts = [one.values["counts"][at] for one in ones if one.judged]
        gold, said, right = map(sum, zip(*counts, strict=True))
        assert_cell(row[f"pooled_precision_{level}"], right / said)
        assert_cell(row[f"pooled_recall_{level}"], right / gold)
        assert_cell(row[f"pooled_f1_{level}"], 2 * right / (gold + said))


def test_tempobench_scatters_and_spreads_are_those_of_scipy_and_numpy(others):
    known, tables = others.tempo, others.tables["tempobench"]
    judged = [one for one in (*known.normal, *known.hard) if one.judged]
    rows = tables["tce_features"]
    assert {row["feature"] for row in rows} <= {
        "log10 states",
        "log10 transitions",
        "log10 unique_inputs",
        "effect_depth",
    }
    assert len(rows) >= 4
    for row in rows:
        name = row["feature"].removeprefix("log10 ")
        x = [one.item.features[name] for one in judged]
        if name != row["feature"]:  # the figures 7 to 9 of the paper
            x = [math.log10(value) for value in x]
        y = [one.values[row["metric"]] for one in judged]
        r, p = pearsonr(x, y)
        assert (row["n"], row["Pearson r"]["value"], row["p"]["value"]) == (
            len(judged), pytest.approx(r, abs=1e-5), pytest.approx(p, abs=1e-5),
        )  # fmt: skip
        assert_cell(row["Spearman"], spearmanr(x, y).statistic)
    assert [row["p (Holm)"]["value"] for row in rows] == pytest.approx(
        holm([row["p"]["value"] for row in rows])
    )
    for row in tables["tce_spread"]:
        values = [one.values[row["metric"]] for one in judged]
        quarters = [row[name]["value"] for name in ("lower quartile", "median", "upper quartile")]
        assert quarters == pytest.approx(np.percentile(values, [25, 50, 75]))
        for end in (0, 1):
            hits = [float(value == end) for value in values]
            assert_mean(row[f"share of {end}"], hits, list(map(source_of, judged)))


def test_tempobench_outcomes_are_of_both_tasks(others):
    row = row_of(others.tables["tempobench"]["outcomes"], "acme")
    known = others.tempo
    every = [*known.normal, *known.hard, *known.tte]
    partly = [
        one.code
        for one in every
        if one.judged and not one.right and max(one.values[key] for key in SCORES) > 0
    ]
    assert {"A", "S"} <= set(partly) <= {"A", "S", "D"}  # N says nothing, U is unparsed
    assert list(row.values())[1:] == [10, 3, len(partly), 4 - len(partly), 2, 1]


# ----------------------------------------------------------------------------- timepuzzles

# right, partly right (one date of gold and one that is not), superfluous, no date, impossible, unparsed
PUZZLES = {"implicit": "RPSNIU", "explicit": "RRPRSR"}
MEASURES = ("exact", "precision", "recall", "f1", "jaccard")
TOKENS = {"implicit": (100, 250, 90, 30, 410, 7), "explicit": (80, 260, 70, 31, 300, 9)}


def puzzle_answer(one):
    gold = set(one.item.target.split(", "))
    other = "1901-01-01"
    assert other not in gold
    said = {
        "R": gold,
        "P": {min(gold), other},
        "S": gold | {other},
        "N": set(),
        "I": {"1999-02-30"},
    }[one.code]
    both, all_ = gold & said, gold | said
    one.right = gold == said
    one.values = {
        "exact": float(gold == said), "precision": len(both) / len(said) if said else 0.0,
        "recall": len(both) / len(gold), "jaccard": len(both) / len(all_),
        "f1": f1_score([day in gold for day in all_], [day in said for day in all_], zero_division=0),
    }  # fmt: skip
    return "Answer: " + (", ".join(sorted(said)) or "none")


def puzzle_logs(folder):
    found = {}
    for mode, plan in PUZZLES.items():
        found[mode], path = logged(folder, "timepuzzles", plan, puzzle_answer, mode=mode)
        finished(found[mode], MEASURES, ())
        written = {one.id: n for one, n in zip(found[mode], TOKENS[mode], strict=True)}

        def count(log, written=written):
            for sample in log.samples:
                sample.scores["verdict"].metadata["output_tokens"] = written[sample.id]

        edited(path, count)
    return found


def family_of(one):
    return one.item.family


def test_timepuzzles_results_are_set_arithmetic_over_the_dates(others):
    both = [*others.puzzles["implicit"], *others.puzzles["explicit"]]
    row = row_of(others.tables["timepuzzles"]["results"], "acme")
    assert_row(row, both, MEASURES, family_of)
    for name, code in (("none_claimed", "N"), ("impossible", "I")):
        assert_mean(
            row[name], [float(one.code == code) for one in both], list(map(family_of, both))
        )
    tokens = [n for mode in PUZZLES for n in TOKENS[mode]]
    assert_mean(row["output tokens"], tokens, [family_of(one) for one in both])
    rows = others.tables["timepuzzles"]["results"]
    for low in rows[1:]:  # "none" is the one constant
        if "shortcut" in str(low):
            continue
        assert [low[key]["value"] for key in MEASURES] == [0] * 5
        assert low["none_claimed"]["value"] == 1
    outcomes = row_of(others.tables["timepuzzles"]["outcomes"], "acme")
    # Partly right are two of P, two of S; none and the impossible date are wrong.
    assert list(outcomes.values())[1:] == [12, 5, 4, 2, 1, 0]


@pytest.mark.parametrize("mode", PUZZLES)
def test_timepuzzles_by_mode(others, mode):
    row = row_of(others.tables["timepuzzles"]["mode"], "acme", mode=mode)
    assert_row(row, others.puzzles[mode], ("exact", "f1", "jaccard"))
    assert_mean(row["output tokens"], TOKENS[mode])


def newcombe(both, only_a, only_b, neither):
    """Return the paired score interval of Newcombe (1998), method 10, from the four cells."""
    n = both + only_a + only_b + neither
    a, low_a, high_a = wilson(both + only_a, n)
    b, low_b, high_b = wilson(both + only_b, n)
    margins = (both + only_a) * (only_b + neither) * (both + only_b) * (only_a + neither)
    cross = both * neither - only_a * only_b
    cross = max(cross - n / 2, 0) if cross > 0 else cross
    phi = cross / math.sqrt(margins) if margins else 0
    down = math.sqrt((a - low_a) ** 2 - 2 * phi * (a - low_a) * (high_b - b) + (high_b - b) ** 2)
    up = math.sqrt((high_a - a) ** 2 - 2 * phi * (high_a - a) * (b - low_b) + (b - low_b) ** 2)
    return a - b, a - b - down, a - b + up


def flipped(differences):
    """Return the share of all sign patterns whose sum is as far from 0 as this one, or farther."""
    sums = [
        abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
        for signs in product((1, -1), repeat=len(differences))
    ]
    return sum(one >= abs(sum(differences)) - 1e-9 for one in sums) / len(sums)


def test_timepuzzles_pairs_the_same_puzzle_in_both_modes(others):
    known = {mode: {family_of(one): one for one in ones} for mode, ones in others.puzzles.items()}
    families = sorted(known["implicit"])
    assert families == sorted(known["explicit"])
    rows = others.tables["timepuzzles"]["mode_pairs"]
    assert [row["metric"] for row in rows] == ["exact", "f1", "jaccard", "output tokens"]
    tokens = {
        mode: dict(zip(map(family_of, others.puzzles[mode]), TOKENS[mode], strict=True))
        for mode in PUZZLES
    }
    chances = []
    for row in rows:
        name = row["metric"]
        a, b = (
            [
                tokens[mode][own] if name == "output tokens" else known[mode][own].values[name]
                for own in families
            ]
            for mode in ("explicit", "implicit")
        )
        apart = [x - y for x, y in zip(a, b, strict=True)]
        assert row["pairs"] == 6
        assert_cell(row["explicit"], sum(a) / 6)
        assert_cell(row["implicit"], sum(b) / 6)
        if name == "exact":
            cells = [
                sum((x, y) == pair for x, y in zip(a, b, strict=True))
                for pair in product((1, 0), repeat=2)
            ]
            assert_cell(row["difference"], *newcombe(*cells), n=6)
            only_a, only_b = cells[1], cells[2]
            n = only_a + only_b
            tail = sum(math.comb(n, k) for k in range(min(only_a, only_b) + 1)) / 2**n
            chances.append(min(1.0, 2 * tail))
        else:
            assert_mean(row["difference"], apart)
            chances.append(flipped(apart))
    assert [row["p"]["value"] for row in rows] == pytest.approx(chances)
    assert [row["p (Holm)"]["value"] for row in rows] == pytest.approx(holm(chances))


def test_timepuzzles_by_number_of_solutions_and_by_clue(others):
    both = [*others.puzzles["implicit"], *others.puzzles["explicit"]]
    tables = others.tables["timepuzzles"]
    key = lambda one: one.item.features["solutions"]  # noqa: E731
    for mode, known in others.puzzles.items():  # figures 2 and 4 of the paper
        for count, ones in groupby(sorted(known, key=key), key):
            row = row_of(tables[f"solutions_{mode}"], "acme", solutions=str(count))
            assert_row(row, list(ones), ("exact", "f1", "jaccard"), family_of)
    assert not {"solutions", "by_solutions"} & set(tables)
    words = {word for one in both for word in one.item.features["clue"].split()}
    assert {row["clue"] for row in tables["clue_types"]} == words
    for word in words:
        ones = [one for one in both if word in one.item.features["clue"].split()]
        assert_row(row_of(tables["clue_types"], "acme", clue=word), ones, ("exact",), family_of)


def test_timepuzzles_metrics_agree_as_spearman_says(others):
    both = [*others.puzzles["implicit"], *others.puzzles["explicit"]]
    values = {key: [one.values[key] for one in both] for key in MEASURES}
    for row in others.tables["timepuzzles"]["metrics_agreement"]:
        for name in MEASURES:
            rank = spearmanr(values[row["metric"]], values[name]).statistic
            assert row[name]["value"] == pytest.approx(rank)
    for row in others.tables["timepuzzles"]["metrics_agreement_pairs"]:
        a, b = values[row["first"]], values[row["second"]]
        assert_cell(row["mean difference"], (sum(a) - sum(b)) / 12)
        apart = [x - y for x, y in zip(a, b, strict=True)]
        assert_cell(row["standard deviation"], stdev(apart))  # table 3 of the paper
        equal = [float(x == pytest.approx(0)) for x in apart]
        assert_mean(row["share equal"], equal, list(map(family_of, both)))


# ------------------------------------------------------------------------------------ vltl

VLTL = {"ground": "RPU", "translate": "RAU", "verify": "RWUF", "lift": "RU", "end_to_end": "RRU"}


def vltl_answer(one):
    item, target = one.item, one.item.target
    one.right = one.code == "R"
    if item.problem["task"] == "ground":
        names = json.loads(target)
        if one.code == "P":
            names["prop_1"] = "sing(nothing)"
        one.values = {"right": len(names) - (one.code == "P")}
        target = json.dumps(names)
    if one.code == "A":  # holds on every trace
        target = "prop_1 | !prop_1"
    if one.code == "W":
        target = {"violated": "satisfied", "satisfied": "violated"}[target]
    return f"Answer: {target}"


def vltl_logs(folder):
    return {
        task: logged(folder, "vltl", plan, vltl_answer, task=task)[0] for task, plan in VLTL.items()
    }


@slow
def test_vltl_grounding_per_proposition_and_per_dictionary(others):
    ones = others.lifted["ground"]
    sizes = [len(json.loads(one.item.target)) for one in ones]
    assert sizes[1] > 1
    row = row_of(others.tables["vltl"]["results_ground"], "acme")
    right = sizes[0] + sizes[1] - 1
    assert_cell(row["grounding"], right / sum(sizes), n=3)
    assert_cell(row["grounding_dictionary"], *wilson(1, 3), n=3)
    assert_cell(row["correct"], *wilson(1, 3), n=3)
    assert_mean(row["partial"], [1.0, (sizes[1] - 1) / sizes[1], 0.0])
    assert_cell(row["unparsed"], *wilson(1, 3))


def test_vltl_translation_on_the_satisfying_and_the_violating_trace(others):
    row = row_of(others.tables["vltl"]["results_translate"], "acme")
    proof = others.lifted["translate"][1].item.certificate
    up, down = len(proof["satisfying"]), len(proof["violating"])
    for name, right in (
        ("translation", 1),
        ("exact_string", 1),
        ("sat", 2),
        ("unsat", 1),
        ("both", 1),
        ("suite_all", 1),
    ):
        assert_cell(row[name], *wilson(right, 3), n=3, method="Wilson")
    assert_mean(row["suite"], [1.0, up / (up + down), 0.0])


def test_vltl_verification_leaves_the_failed_item_out(others):
    row = row_of(others.tables["vltl"]["results_verify"], "acme")
    assert (row["n"], row["unscored"]) == (3, 1)
    assert_cell(row["verification"], *wilson(1, 3), n=3)
    golds = [one.item.target for one in others.lifted["verify"]]
    (low,) = (
        one
        for one in others.tables["vltl"]["results_verify"]
        if one["series"].startswith("majority")
    )
    assert_cell(low["verification"], max(map(golds.count, golds)) / 4)
    (low,) = (
        one for one in others.tables["vltl"]["results_verify"] if one["series"].startswith("random")
    )
    assert_cell(low["verification"], 0.5)


def test_vltl_outcomes_are_of_all_tasks(others):
    row = row_of(others.tables["vltl"]["outcomes"], "acme")
    # One proposition of a dictionary is wrong, and a formula that holds on every trace: partly right.
    assert list(row.values())[1:] == [15, 6, 2, 1, 5, 1]
    tables = others.tables["vltl"]
    codes = {task: row_of(tables[f"results_{task}"], "acme") for task in VLTL}
    assert [row["n"] for row in codes.values()] == [3, 3, 3, 2, 3]


def test_vltl_lifting_is_over_propositions_and_over_sentences(others):
    row = row_of(others.tables["vltl"]["results_lift"], "acme")
    sizes = [len(set(re.findall(r"prop_\d+", one.item.target))) for one in others.lifted["lift"]]
    assert_cell(row["lifting_iou"], sizes[0] / sum(sizes), n=2)
    assert_cell(row["lifting_exact"], *wilson(1, 2), n=2)


def test_vltl_end_to_end_and_by_scenario(others):
    row = row_of(others.tables["vltl"]["results_end_to_end"], "acme")
    for name in ("translation", "exact_string", "sat", "unsat", "both", "suite", "suite_all"):
        assert_cell(row[name], *wilson(2, 3), n=3)
    # One scenario is no split.
    assert not any("scenario" in row for rows in others.tables["vltl"].values() for row in rows)
