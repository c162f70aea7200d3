"""Tables of a report as CSV, Markdown, LaTeX and text for a terminal, and every answer as CSV; all text escaped.

A number that is undefined is ``–`` (in CSV: nothing), an interval that is undefined is left away.
"""

from __future__ import annotations

import csv as csv_module
import io
import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from harness.cli.tables import grid, paragraph
from harness.core.facts import printable
from harness.report.labels import MINUS, apart, decimal
from harness.report.model import Cell, Estimate, Study, Table, answers_of
from harness.rerun.log_rows import outcome

P = "two-sided p"  # an estimate's method that is a probability of a test
UNDEFINED = "–"
WIDEST = 60  # characters of a cell in a terminal
LONGEST = 500  # characters of a cell in Markdown and LaTeX


def number(value: float | None, digits: int, comma: str = "") -> str:
    """Return a number as `decimal` does; – where it is undefined."""
    return UNDEFINED if value is None or not math.isfinite(value) else decimal(value, digits, comma)


def value_text(cell: Estimate, digits: int, comma: str = "") -> str:
    """Return an estimate without its interval; a p below the least that the digits can say is only said to be so."""
    if cell.method == P and cell.value is not None and 0 <= cell.value < 10**-digits:
        return f"<{10**-digits:.{digits}f}"
    return number(cell.value, digits, comma)


def cell_text(cell: Cell, digits: int) -> str:
    """Return a cell in words, not escaped: ``0.713 (0.660 – 0.761)``."""
    if cell is None:
        return UNDEFINED
    if not isinstance(cell, Estimate):
        return cell if isinstance(cell, str) else str(cell).replace("-", MINUS)
    value, *ends = (number(part, digits) for part in (cell.value, cell.low, cell.high))
    bare = UNDEFINED in (value, *ends)
    return value_text(cell, digits) + ("" if bare else f" ({' – '.join(ends)})")


def numeric(table: Table, column: int) -> bool:
    """Return whether a column holds numbers only, and so is set flush right."""
    cells = [row[column] for row in table.rows if row[column] is not None]
    return bool(cells) and not any(isinstance(cell, str) for cell in cells)


def _short(table: Table, limit: int) -> list[list[str]]:
    """Return the head and all rows in words of at most so many characters; a column's different texts stay so."""
    rows = [list(table.head), *([cell_text(c, table.digits) for c in row] for row in table.rows)]
    columns = zip(*rows, strict=True)
    forms = [apart(column, limit, lambda text: _one_line(text, len(text))) for column in columns]
    return [[form[text] for form, text in zip(forms, row, strict=True)] for row in rows]


def _one_line(text: str, limit: int) -> str:
    """Return foreign text on one line, its controls spelled out, half characters too, and not too long."""
    return printable(" ".join(text.split()), limit)


# A spreadsheet takes a text that begins like this for a formula, and runs it.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def csv(table: Table) -> str:
    """Return a table as CSV, lines ending in LF; an estimate's value, low, high and n are columns of their own.

    Numbers are written in full. A text that a spreadsheet would take for a formula has a ``'`` before it.
    """
    places = range(len(table.head))
    wide = [any(isinstance(row[at], Estimate) for row in table.rows) for at in places]
    head: list[str] = []
    for column, estimate in zip(map(safe_text, table.head), wide, strict=True):
        head += [column, f"{column} low", f"{column} high", f"{column} n"] if estimate else [column]
    rows = [[text for at in places for text in _fields(row[at], wide[at])] for row in table.rows]
    return "".join(map(record, (head, *rows)))


def record(fields: Sequence[str]) -> str:
    """Return one line of a CSV, its end included."""
    out = io.StringIO()
    # A lone CR in a text is quoted only where one ends lines, too.
    csv_module.writer(out, lineterminator="\r\n").writerow(fields)
    return out.getvalue().removesuffix("\r\n") + "\n"


def _fields(cell: Cell, wide: bool) -> Iterator[str]:
    """Yield what a cell is in CSV: one field, or the four of a column of estimates."""
    if isinstance(cell, Estimate):
        for value in (cell.value, cell.low, cell.high):
            yield repr(float(value)) if value is not None and math.isfinite(value) else ""
        yield str(cell.n)
        return
    yield "" if cell is None else str(cell) if isinstance(cell, int) else safe_text(cell)
    if wide:
        yield from ("", "", "")


def safe_text(text: str) -> str:
    """Return a text that a file can hold, and that a spreadsheet does not take for a formula."""
    # Half a character cannot be written to a file, and a NUL ends a text for many readers.
    bad = (char for char in set(text) if char == "\0" or unicodedata.category(char) == "Cs")
    text = text.translate({ord(char): char.encode("unicode_escape").decode() for char in bad})
    return f"'{text}" if text.startswith(_FORMULA) else text


# What means something within a line of GitHub's Markdown: also its formulas, mentions, emojis and links.
# A colon before a blank begins none of them.
_MARKS = re.compile(r"([\\`*_{}\[\]#!|<>&~$@]|:(?!\s|$))")
_LINK = re.compile(r"(www)(\.)", re.IGNORECASE)
_BLOCK = re.compile(r"^(\d*)([-+=.)])")  # begins a list, or turns the line above into a heading


def markdown(table: Table) -> str:
    """Return a table as GitHub's Markdown, titled in bold, its note below; all text is literal text."""
    head, *short = _short(table, LONGEST)
    rules = ["---:" if numeric(table, at) else "---" for at in range(len(table.head))]
    rows = _written(table, short, _marked, lambda text: text.replace("<", r"\<"))
    lines = [f"| {' | '.join(cells)} |" for cells in (map(_marked, head), rules, *rows)]
    title, note = _marked(table.title), _BLOCK.sub(r"\1\\\2", _marked(table.note))
    parts = (f"**{title}**" if title else "", "\n".join(lines), note)
    return "\n\n".join(filter(None, parts)) + "\n"


def _written(
    table: Table,
    short: Sequence[Sequence[str]],
    word: Callable[[str], str],
    other: Callable[[str], str],
) -> list[list[str]]:
    """Return a table's short rows, texts written as ``word`` does and all else as ``other`` does."""
    return [
        [(word if isinstance(c, str) else other)(text) for c, text in zip(row, texts, strict=True)]
        for row, texts in zip(table.rows, short, strict=True)
    ]


def _marked(text: str) -> str:
    return _LINK.sub(r"\1\\\2", _MARKS.sub(r"\\\1", _one_line(text, LONGEST)))


_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "%": r"\%",
    "#": r"\#", "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "`": r"\textasciigrave{}",
    # After the end of a row these two would be its options; a quote is a shorthand of some languages.
    "[": "{[}", "]": "{]}", "*": "{*}", '"': '{"}',
    "–": "--", "…": r"\ldots{}", "·": r"\textperiodcentered{}",
}  # fmt: skip


def latex(table: Table) -> str:
    """Return a table as LaTeX for ``booktabs``; no text of it is a command."""
    columns = "".join("r" if numeric(table, at) else "l" for at in range(len(table.head)))
    head, *short = _short(table, LONGEST)
    rows = _written(table, short, _tex, lambda text: _tex(text).replace(MINUS, "$-$"))
    note = [rf"\par\smallskip\footnotesize {_tex(table.note)}"] if table.note else []
    lines = [
        "% needs \\usepackage{booktabs} and UTF-8",
        r"\begin{table}", r"\centering", rf"\caption{{{_tex(table.title)}}}",
        rf"\label{{tab:{table.name.replace('_', '-')}}}", rf"\begin{{tabular}}{{{columns}}}", r"\toprule",
        _line(map(_tex, head)), r"\midrule", *map(_line, rows), r"\bottomrule", r"\end{tabular}", *note,
        r"\end{table}",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _line(cells: Iterable[str]) -> str:
    return f"{' & '.join(cells)} \\\\"


def _tex(text: str) -> str:
    # Two hyphens would be set as a dash.
    plain = _one_line(text, LONGEST).replace("--", "-\0-").replace("--", "-\0-")
    return "".join(_LATEX.get(char, char) for char in plain).replace("\0", "{}")


def terminal(table: Table) -> str:
    """Return a table as aligned text under its title, numbers flush right; nothing in it steers a terminal."""
    right = [at for at in range(len(table.head)) if numeric(table, at)]
    note = [paragraph(_one_line(table.note, LONGEST))] if table.note else []
    title = _one_line(table.title, LONGEST)
    return "\n".join([title, "", grid(_short(table, WIDEST), right), *note])


ANSWER = 1_000  # characters of a cell


def write_answers(path: Path, study: Study) -> None:
    """Write one line per series, item and repeat of it: outcome, answer, target, every value, every feature.

    Texts are cut at `ANSWER` characters (a summary in a log holds no more than 1,024); one that a
    spreadsheet would take for a formula gets an apostrophe in front.
    """
    features = list(dict.fromkeys(key for a in answers_of(study.series) for key in a.row.features))
    values = study.benchmark.values
    head = ("series", "item", "id", "repeat", "outcome", "answer", "target", *values, *features)
    with path.open("w", encoding="utf-8", errors="replace", newline="") as file:
        file.write(record([*map(_cell, head), "probability", "output_tokens", "searches", "log"]))
        for series in study.series:
            for answer in series.answers:
                item = "" if answer.number is None else str(answer.number)
                log = _cell(study.logs[answer.log].path)
                for repeat, row in enumerate(answer.rows, 1):
                    fields = [
                        _cell(series.label), item, _cell(answer.id), str(repeat), outcome(study.benchmark, row),
                        _cell(row.answer or ""), _cell(row.target),
                        *(f"{row.value[key]:.6g}" if key in row.value else "" for key in values),
                        *(_cell(str(row.features.get(key, ""))) for key in features),
                        "" if row.probability is None else f"{row.probability:.6g}",
                        *("" if n is None else str(n) for n in (row.output_tokens, row.searches)), log,
                    ]  # fmt: skip
                    file.write(record(fields))


def _cell(text: str) -> str:
    """Return a text for a cell; a number stays one, though it may begin with a minus."""
    cut = text[:ANSWER]
    try:
        float(cut)
    except ValueError:
        return safe_text(cut)
    return cut
