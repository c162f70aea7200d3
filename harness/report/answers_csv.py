"""Every answer of a study as one CSV: what somebody needs who wants to make other numbers of them."""

from __future__ import annotations

from pathlib import Path

from harness.report.model import Study, answers_of
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
    cut = text[:LONGEST]
    return cut if _number(cut) else safe_text(cut)


def _number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
