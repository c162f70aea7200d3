"""Every answer of a study as one CSV: what somebody needs who wants to make other numbers of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from harness.core.hookspecs import Row
from harness.report.model import Answer, Study, answers_of
from harness.report.tables import record, safe_text
from harness.rerun.log_rows import outcome

LONGEST = 1_000  # characters of a cell


def write(path: Path, study: Study) -> None:
    """Write one line per series, item and repeat of it: outcome, answer, target, every value, every feature.

    Texts are cut at `LONGEST` characters (a summary in a log holds no more than 1,024); one that a
    spreadsheet would take for a formula gets an apostrophe in front.
    """
    features = list(dict.fromkeys(key for a in answers_of(study.series) for key in a.row.features))
    values = study.benchmark.values
    head = ("series", "item", "id", "repeat", "outcome", "answer", "target", *values, *features)
    with path.open("w", encoding="utf-8", errors="replace", newline="") as file:
        file.write(record([*map(_cell, head), "probability", "output_tokens", "searches", "log"]))
        for series in study.series:
            for answer in series.answers:
                for repeat, row in enumerate(answer.rows, 1):
                    line = _line(study, (series.label, answer, repeat), row, values, features)
                    file.write(record([*line]))


def _line(
    study: Study,
    whose: tuple[str, Answer, int],
    row: Row,
    values: Sequence[str],
    features: Sequence[str],
) -> Iterator[str]:
    label, answer, repeat = whose
    yield _cell(label)
    yield "" if answer.number is None else str(answer.number)
    yield _cell(answer.id)
    yield str(repeat)
    yield outcome(study.benchmark, row)
    yield _cell(row.answer or "")
    yield _cell(row.target)
    for name in values:
        yield f"{row.value[name]:.6g}" if name in row.value else ""
    for name in features:
        yield _cell(str(row.features.get(name, "")))
    yield "" if row.probability is None else f"{row.probability:.6g}"
    yield "" if row.output_tokens is None else str(row.output_tokens)
    yield "" if row.searches is None else str(row.searches)
    yield _cell(study.logs[answer.log].path)


def _cell(text: str) -> str:
    """Return a text for a cell; a number stays one, though it may begin with a minus."""
    cut = text[:LONGEST]
    return cut if _number(cut) else safe_text(cut)


def _number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
