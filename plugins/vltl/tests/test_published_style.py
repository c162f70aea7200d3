"""``style=published``: only records whose sentence plainly says their formula; the others are counted."""

from __future__ import annotations

import json
import re
from functools import cache

import pytest
from cases import SHARE, each, slow
from harness_logic import spot_library
from harness_vltl.config import FORMAT, TASKS
from harness_vltl.published import publish
from harness_vltl.published.adopt import adopt
from vltl_items import generated
from vltl_records import DATA, needs_data, records

import harness
from harness import Abstained
from harness.cli.main import main

# What people say, and its formula in Spot's notation; read from the sentences, with no code of the project.
READ_HERE = [
    (r"from some point onwards, A never occurs again", "FG!A"),
    (r"A and B will each happen at some point", "FA & FB"),
    (r"either A happens infinitely often, or B happens in the next step", "GFA | XB"),
    (r"globally, it is not the case that both A and B hold simultaneously", "G!(A & B)"),
    (r"A and B are mutually exclusive at all times", "G!(A & B)"),
    (r"if A happens infinitely often, then so does B", "GFA -> GFB"),
    (r"either A or B happens infinitely often", "GFA | GFB"),
    (r"WHO must always avoid A", "G!A"),
    (r"WHO must eventually A or B", "F(A | B)"),
    (r"WHO must always have either A or B", "G(A | B)"),
    (r"WHO must always maintain both A and B", "G(A & B)"),
    (r"both A and B hold at every step", "G(A & B)"),
    (r"A holds at all times", "GA"),
    (r"whenever A holds, B holds as well", "G(A -> B)"),
    (r"every A is directly followed by B in the next step", "G(A -> XB)"),
    (r"globally, if A occurs then finally B happens", "G(A -> FB)"),
    (r"whenever A holds, eventually B will hold", "G(A -> FB)"),
    (r"whenever A holds, B holds exactly three steps later", "G(A -> XXXB)"),
    (r"at every step, A equals the value of B in the next step", "G(A <-> XB)"),
    (r"whenever A and B are equal, C and D are equal as well", "G((A <-> B) -> (C <-> D))"),
    (r"whenever neither A nor B holds, C eventually holds", "G(!A & !B -> FC)"),
    (r"A must hold until B does, or else (?P=A) holds forever", "(A U B) | G A"),
]  # fmt: skip


def read_here(lifted):
    """Return the formula of a sentence by the list above, over its propositions; None if it is not in it."""
    sentence = lifted.lower().rstrip(". ")
    for words, formula in READ_HERE:
        pattern = re.sub(r"(?<!=)\b([A-D])\b", r"(?P<\1>prop_[0-9]+)", words)
        found = re.fullmatch(pattern.replace("WHO", r"(?:\w+ )?\w+"), sentence)
        if found:
            said = re.sub("([FGX])", r" \1 ", formula)
            return re.sub("([A-D])", r" {\1} ", said).format(**found.groupdict())
    return None


@cache
def equivalent(one, other):
    spot = spot_library.modules()[0]
    return spot.are_equivalent(spot.formula(one), spot.formula(other))


@slow
@needs_data
def test_of_the_published_records_those_are_kept_whose_sentence_says_the_formula(tmp_path):
    kept, path = 0, tmp_path / "some.jsonl"
    for file in sorted(DATA.glob("*.jsonl")):
        path.write_text("".join(file.read_text().splitlines(keepends=True)[::SHARE]))
        for item in harness.load("vltl", dataset=str(path), style="published", task="translate"):
            kept += 1
            assert equivalent(item.target, read_here(item.problem["lifted"])), item.problem[
                "lifted"
            ]
    assert (kept, len(records())) == ({1: 1574, 8: 195}[SHARE], 2317)


@needs_data
def test_records_with_a_wrong_formula_for_a_plain_sentence_are_left_out():
    wrong = 0
    for at, record in enumerate(records()):
        if at % SHARE and "neither" not in record["sentence"]:
            continue
        said = read_here(" ".join(record["lifted_sentence"]))
        label = adopt(record, {"task": "translate"}).target
        if said and not equivalent(label, said):
            wrong += 1
            with pytest.raises(Abstained, match="its label"):
                adopt(record, {"task": "translate", "style": "published"})
    assert wrong == 10


# ------------------------------------------------------------------------------- sentences of our own


@pytest.fixture
def file(tmp_path):
    """Return a file of six records with sentences of our own: of the second and fifth the formula is another one."""
    rows = [publish.publish(item, FORMAT, {}) for item in generated("end_to_end", 12)]
    rows = [row for row in rows if row][:5]
    for row in (rows[1], rows[4]):
        row["tl"] = ["not", "(", *row["tl"], ")"]
        row["grounded_tl"] = ["not", "(", *row["grounded_tl"], ")"]
    rows.append({**rows[0], "id": 6, "lifted_sentence": ["prop_1,", "give", "or", "take"]})
    path = tmp_path / "own.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


@each("task", TASKS)
def test_records_of_our_own_are_kept_and_left_out_for_every_task(file, task):
    every = harness.load("vltl", dataset=str(file), task=task)
    kept = list(harness.load("vltl", dataset=str(file), task=task, style="published"))
    assert len(every) == 6
    assert kept == [every[0], every[2], every[3]]


def test_every_command_says_how_many_are_left_out_and_why(file, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = ["plugin=vltl", f"dataset={file}", "style=published"]
    why = [
        "2 like {}:2: style=published: `",
        "1 like {}:6: style=published: no one plain reading of `prop_1, give or take`",
    ]
    for command, said in (
        (["run", "model=harness/reference"], ["n=3", "WARNING: 3 records are left out:", *why]),
        (["show", "n=3"], ["item 2", "WARNING: 1 record is left out; the first: {}:2: style=published: `"]),
        (["verify", "report=none"], ["3 items, labels: 3 agree, 0 wrong", "declined records: 3"]),
        (["export", "to=published", "format=vltl_jsonl", "out=kept.jsonl"], ["3 items", "left out: 3"]),
    ):  # fmt: skip
        code = main([*command, *words])
        told = "".join(capsys.readouterr())
        assert code == 0, told
        for line in said:
            assert line.format(file) in told, (command, line, told)
    rows = file.read_text().splitlines()
    assert (tmp_path / "kept.jsonl").read_text().splitlines() == [rows[0], rows[2], rows[3]]


def test_pairs_are_read_too(tmp_path):
    path = tmp_path / "pairs.txt"
    path.write_text(
        "Whenever p holds, q holds as well.;G(p -> q)\n"
        "Whenever p holds, q holds as well.;G(p -> F q)\nIf p then q.;p -> q\n"
    )
    (item,) = harness.load("vltl", dataset=str(path), task="translate", style="published")
    assert item.target == "G (p -> q)"


@each(
    ("words", "said"),
    [
        (["style=published"], "give VLTL-Bench's records, or pairs of sentence and formula, as dataset=FILE"),
        (["dataset=d.jsonl", "style=exact"], "style=exact has no effect with dataset=…; known: published"),
        (["dataset=d.jsonl", "style=plublished"], "did you mean 'published'?"),
        (["dataset=d.jsonl", "style=published"], "d.jsonl: its only record cannot be asked; the first: d.jsonl:1: "
         "style=published: no one plain reading of `Now and then p.`"),
    ],
)  # fmt: skip
def test_one_line_says_what_is_missing(words, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d.jsonl").write_text('{"sentence": "Now and then p.", "ltl": "F p"}\n')
    assert main(["show", "plugin=vltl", "task=translate", *words]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
