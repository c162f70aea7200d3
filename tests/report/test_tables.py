"""Tables of a report, read back by parsers that are not ours."""

import csv
import io
import re

import pytest
from cases import each
from markdown_it import MarkdownIt

from harness.report import tables
from harness.report.model import Estimate, Table

HOSTILE = (
    r"a_b & 50% $x$ \input{/etc/passwd} ^~{}#", "a|b", "`code` ``more``", "<script>alert(1)</script>",
    "[x](javascript:alert(1))", "![x](http://x.org/y.png)", "two\nlines\r\nand\tmore", "www.example.org",
    "https://example.org/?a=b&c=d", "me@example.org @someone :smile: #12", "**bold** _it_ ~~gone~~", "&lt;&#60;",
    "\\", "\\\\ \\hline", "ends with \\", "*", "[2cm]", "1. one", "- one", "+ one", "# one", "> one", "---",
    "a--b---c", "", " ", "é 測試 ✓ – …", "\\|", "x\\`y`", "<!-- x", "<a@b.c>", "\\begin{tabular}", "%", "~", "^^5c",
    "'\"", "-\\0-", "=cmd|' /C calc'!A0", "+1", "@x", "-2",
)  # fmt: skip
CONTROL = ("\x1b[2J\x07", "a\0b", "\u202eabc", "half \ud800 a character", "\x9b1m", "a\u2028b\x85c")
FOLDED = re.compile(r"\s+")


def folded(text):
    return FOLDED.sub(" ", text).strip()


def table(*rows, head=None, **facts):
    head = head or tuple(f"c{at}" for at in range(len(rows[0])))
    return Table("t", "Title", head, rows, **facts)


FIGURES = table(
    ("model", Estimate(0.7128, 0.66, 0.7606, 300, "wilson"), 12, None),
    ("other", Estimate(0.5), 7, Estimate(None)),
    ("third", Estimate(-0.0001, -0.02, 0.0300, 5), 0, Estimate(float("nan"), 0.1, 0.2, 4)),
    ("fourth", None, -3, Estimate(1.0, float("nan"), 1.0, 2)),
    head=("name", "accuracy", "count", "rest"),
)


def read_csv(text):
    return list(csv.reader(io.StringIO(text, newline="")))


def test_csv_has_value_low_high_and_n_and_nothing_where_undefined():
    assert read_csv(tables.csv(FIGURES)) == [
        ["name", "accuracy", "accuracy low", "accuracy high", "accuracy n", "count",
         "rest", "rest low", "rest high", "rest n"],
        ["model", "0.7128", "0.66", "0.7606", "300", "12", "", "", "", ""],
        ["other", "0.5", "", "", "0", "7", "", "", "", "0"],
        ["third", "-0.0001", "-0.02", "0.03", "5", "0", "", "0.1", "0.2", "4"],
        ["fourth", "", "", "", "", "-3", "1.0", "", "1.0", "2"],
    ]  # fmt: skip


@each("text", HOSTILE + CONTROL)
def test_csv_reads_back_and_starts_no_formula(text):
    source = tables.csv(table((text, text), head=("h", text)))
    source.encode()
    (_, head), row = read_csv(source)
    assert row == [head, head]
    assert head[:1] not in ("=", "+", "-", "@", "\t", "\r", "\n")
    plain = text.replace("\0", "\\x00").replace("\ud800", "\\ud800")
    assert head == (f"'{plain}" if text[:1] and text[:1] in "=+-@" else plain)


@each("text", ["\t=1", "\r=1", "\n=1", "＝1+1", "＠x"])
def test_other_ways_to_begin_a_formula_are_stopped(text):
    ((_,), (cell,)) = read_csv(tables.csv(table((text,))))
    assert cell == f"'{text}"


def test_a_number_in_a_spreadsheet_stays_a_number():
    assert tables.csv(table((-3, Estimate(-0.5, -1.0, 0.25, 2)))).splitlines()[1] == (
        "-3,-0.5,-1.0,0.25,2"
    )


def parsed(source):
    """The cells of the one table in a Markdown text, as a reader sees them; no markup may be in them."""
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(source)
    kinds = [token.type for token in tokens if token.nesting == 1]
    assert kinds.count("table_open") == 1
    assert set(kinds) <= {
        "table_open", "thead_open", "tbody_open", "tr_open", "th_open", "td_open", "paragraph_open",
    }  # fmt: skip
    rows, here = [], False
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        elif token.type in ("th_open", "td_open"):
            here = True
        elif token.type == "inline" and here:
            assert all(child.type in ("text", "text_special") for child in token.children), (
                token.children
            )
            rows[-1].append("".join(child.content for child in token.children))
            here = False
    return rows


def test_markdown_shows_intervals_and_dashes():
    assert parsed(tables.markdown(FIGURES)) == [
        ["name", "accuracy", "count", "rest"],
        ["model", "0.713 (0.660 – 0.761)", "12", "–"],
        ["other", "0.500", "7", "–"],
        ["third", "0.000 (−0.020 – 0.030)", "0", "–"],
        ["fourth", "–", "−3", "1.000"],
    ]
    assert "| --- | ---: | ---: | ---: |" in tables.markdown(FIGURES)


def test_a_colon_is_escaped_only_where_it_could_begin_something():
    assert _title("Results: tte") == "**Results: tte**"
    assert _title("a :smile: http://x a:") == r"**a \:smile: http\://x a:**"


def _title(text):
    return tables.markdown(Table("t", text, ("h",), ((1,),))).split("\n")[0]


@each("text", HOSTILE)
def test_markdown_reads_back_as_the_same_text(text):
    source = tables.markdown(table((text, "x", 1), head=("h", text, "n"), note=text))
    assert parsed(source) == [["h", folded(text), "n"], [folded(text), "x", "1"]]


@each("text", HOSTILE)
def test_markdown_titles_and_notes_are_text(text):
    source = tables.markdown(Table("t", folded(text), ("h",), ((1,),), note=text))
    html = MarkdownIt("gfm-like", {"linkify": False}).render(source)
    tags = {"p", "strong", "table", "thead", "tbody", "tr", "th", "td"}
    assert set(re.findall(r"<(?:/|!)?([a-z]*)", html)) <= tags


@each("write", [tables.markdown, tables.latex, tables.terminal])
def test_controls_are_spelled_out(write):
    for text in CONTROL:
        source = write(Table("t", text, (text,), ((text,),), note=text))
        assert all(char.isprintable() or char == "\n" for char in source), text
        source.encode()


@each("write", [tables.markdown, tables.latex, tables.terminal])
def test_long_texts_are_cut(write):
    assert len(write(table(("x" * 1_000_000, "a b " * 300_000)))) < 3_000


COMMANDS = (
    r"\textbackslash{}", r"\textasciitilde{}", r"\textasciicircum{}", r"\textless{}", r"\textgreater{}",
    r"\textbar{}", r"\textasciigrave{}", r"\ldots{}", r"\textperiodcentered{}",
    r"\{", r"\}", r"\$", r"\&", r"\%", r"\#", r"\_", "{[}", "{]}", "{*}", '{"}', "{}",
)  # fmt: skip
MEANS = {
    r"\textbackslash{}": "\\", r"\textasciitilde{}": "~", r"\textasciicircum{}": "^", r"\textless{}": "<",
    r"\textgreater{}": ">", r"\textbar{}": "|", r"\textasciigrave{}": "`", r"\ldots{}": "…",
    r"\textperiodcentered{}": "·", "{[}": "[", "{]}": "]", "{*}": "*", '{"}': '"', "{}": "",
}  # fmt: skip
_TOKEN = re.compile("|".join(map(re.escape, COMMANDS)) + "|.", re.DOTALL)


def typeset(source):
    """What a piece of LaTeX prints, if nothing in it is a command but those that stand for a character."""
    found = []
    for token in _TOKEN.findall(source):
        assert token in COMMANDS or token not in "\\{}$&%#_^~", source
        found.append(MEANS.get(token, token[-1]))
    return "".join(found)


@each("text", HOSTILE)
def test_latex_prints_the_same_text_and_runs_nothing(text):
    source = tables.latex(Table("a_b", text, (text, "n"), ((text, 1),), note=text))
    lines = source.splitlines()
    row = lines[lines.index(r"\midrule") + 1]
    assert row.endswith(r" & 1 \\")
    assert row[0:1] not in ("[", "*")
    wanted = folded(text).replace("–", "--")
    assert typeset(row.removesuffix(r" & 1 \\")) == wanted
    caption = next(line for line in lines if line.startswith(r"\caption{"))
    assert typeset(caption[len(r"\caption{") : -1]) == wanted
    assert r"\label{tab:a-b}" in lines


def test_latex_is_a_booktabs_table():
    source = tables.latex(FIGURES)
    assert r"\begin{tabular}{lrrr}" in source
    assert r"model & 0.713 (0.660 -- 0.761) & 12 & -- \\" in source
    marks = [source.index(rf"\{name}rule") for name in ("top", "mid", "bottom")]
    assert marks == sorted(marks)
    assert "a-{}-b" in tables.latex(table(("a--b",)))


def test_a_terminal_gets_aligned_columns():
    found = tables.terminal(
        Table("t", "Results", FIGURES.head, FIGURES.rows, note="A note.")
    ).split("\n")
    assert found == [
        "Results",
        "",
        "name                  accuracy  count   rest",
        "------  ----------------------  -----  -----",
        "model    0.713 (0.660 – 0.761)     12      –",
        "other                    0.500      7      –",
        "third   0.000 (−0.020 – 0.030)      0      –",
        "fourth                       –     −3  1.000",
        "A note.",
    ]


def test_wide_characters_keep_the_columns_of_a_terminal():
    lines = tables.terminal(table(("測試", 1), ("abcd", 2), ("e\u0301", 3))).split("\n")
    assert lines[4:] == ["測試   1", "abcd   2", "e\u0301      3"]


@each("digits, shown", [(0, "1 (0 – 1)"), (1, "0.7 (0.1 – 1.0)"), (4, "0.7100 (0.1000 – 0.9999)")])
def test_the_table_says_how_many_digits(digits, shown):
    one = table(("x", Estimate(0.71, 0.1, 0.9999, 9)), digits=digits)
    assert shown in tables.markdown(one)


@pytest.mark.parametrize("write", [tables.csv, tables.markdown, tables.latex, tables.terminal])
def test_a_table_without_rows_is_a_table(write):
    assert "name" in write(Table("t", "Nothing", ("name", "n"), ()))


@each("p, shown", [(0.0, "<0.001"), (3e-9, "<0.001"), (0.00099, "<0.001"), (0.001, "0.001"), (0.0421, "0.042"),
                   (1.0, "1.000")])  # fmt: skip
def test_a_p_value_that_is_too_small_for_the_digits_is_said_to_be_below(p, shown):
    found = table(("m", Estimate(p, n=9, method=tables.P)), ("n", Estimate(p, n=9)))
    assert tables.terminal(found).splitlines()[4].split() == ["m", shown]
    assert tables.terminal(found).splitlines()[5].split() == ["n", f"{p:.3f}"]
    parser = MarkdownIt("commonmark").enable("table")
    assert f'<td style="text-align:right">{shown.replace("<", "&lt;")}</td>' in parser.render(
        tables.markdown(found)
    )
    assert shown.replace("<", r"\textless{}") in tables.latex(found)
    assert read_csv(tables.csv(found))[1] == ["m", repr(p), "", "", "9"]
