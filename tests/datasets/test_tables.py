"""Tables whose separators and header are found, and records that a plugin declines."""

import csv

import pytest
from cases import each
from harness_errors import Abstained, DatasetError

from harness.audit import writers
from harness.core.spec import make
from harness.datasets import dataset, records

KEYS = {"q", "f"}


def rows(path, known=lambda record: set(record) == KEYS):
    """The records of a file as tuples, an error as its text."""
    found = records.Records(path, known)
    return [str(row) if isinstance(row, DatasetError) else tuple(row.items()) for _, row in found]


def numbered(*fields):
    return tuple((str(number), field) for number, field in enumerate(fields, 1))


def named(question, formula):
    return (("q", question), ("f", formula))


def by_number(record):
    """As a plugin that knows columns by their names, or two by their numbers where the second is a formula."""
    return set(record) == KEYS or (set(record) == {"1", "2"} and "G" in record["2"])


@each(
    ("name", "text", "expected"),
    [
        ("d.csv", "q;f\nIf a, then b.;G a\nb;G b\n", [named("If a, then b.", "G a"), named("b", "G b")]),
        ("d.csv", "q,f\n\"If a, then b; c\",G a\n", [named("If a, then b; c", "G a")]),
        ("d.csv", "q\tf\r\nIf a, then b.\tG a\r\n", [named("If a, then b.", "G a")]),
        ("d.txt", "If a, then b.;G a\nb;G b\n", [numbered("If a, then b.", "G a"), numbered("b", "G b")]),
        ("d.txt", "one, two;G a", [numbered("one, two", "G a")]),
        ("d.tsv", "q\tf\na; b, c\tG a\n", [named("a; b, c", "G a")]),
        ("d.tsv", '"a" holds\tG a\n5" pipe\tG b\n', [numbered('"a" holds', "G a"), numbered('5" pipe', "G b")]),
        ("d.TSV", '"a\tb"\tG a\n', [numbered("a\tb", "G a")]),
        # A file that nobody knows has a header, as ever, and so has one whose first rows are wrong.
        ("d.csv", "x,y\n1,2\n", [(("x", "1"), ("y", "2"))]),
        ("d.csv", "q,f\n1\n", ["has 1 of 2 fields"]),
        ("d.txt", "q;f\na;G a\nb;G b;c\n", [named("a", "G a"), "has 3 fields, expected 2"]),
        ("d.txt", "no separator\nat all\n", [(("no separator", "at all"),)]),
        ("d.csv", b"q;f\na;G \xff\nb;G b\n", ["not UTF-8 in the field 'f'", named("b", "G b")]),
        ("d.txt", '{"q": "a", "f": "G a"}\n', [named("a", "G a")]),
        # The same heading twice is none where the rows are known without it.
        ("d.txt", "G a;G a\nb;G b\n", [numbered("G a", "G a"), numbered("b", "G b")]),
    ],
)  # fmt: skip
def test_separators_and_headers_are_found(tmp_path, name, text, expected):
    path = tmp_path / name
    content = text if isinstance(text, bytes) else text.encode()
    for mark in (b"", records.BOM):
        path.write_bytes(mark + content)
        assert rows(path, by_number) == expected


@each(
    ("name", "text"),
    [
        ("d.csv", "q;f\r\n\"If a; then b.\";G a\r\nb;G b\r\n"),
        ("d.txt", "If a, then b.;G a\nb;G b\n"),
        ("d.tsv", "q\tf\na; b, c\tG a\n"),
        ("d.tsv", '"a" holds\tG a\n5" pipe\tG b\n'),
    ],
)  # fmt: skip
def test_a_table_is_written_as_it_was(tmp_path, name, text):
    source, copy = tmp_path / name, tmp_path / f"copy-{name}"
    source.write_bytes(text.encode())
    with copy.open("w", newline="") as file:
        writer = writers.writer(file, source)
        for _, row in records.Records(source, by_number):
            writer.record(row)
        writer.end()
    assert copy.read_bytes() == source.read_bytes()


def test_a_table_of_any_length_has_the_separator_of_its_beginning(tmp_path):
    path = tmp_path / "d.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file, delimiter=";")
        writer.writerow(["q", "f"])
        writer.writerows([f"a, b {n} " + "x" * 90, "G a"] for n in range(3_000))
    assert len(rows(path)) == 3_000


# ---------------------------------------------------------------------------- records declined


@pytest.fixture(scope="module")
def picky(toys):
    """A benchmark that declines the records whose x is above 5, and takes an id twice."""
    return toys("Picky")


def written(path, *numbers):
    path.write_text("x,y\n" + "".join(f"{number},1\n" for number in numbers))
    return path


def test_declined_records_are_left_out_and_told(picky, tmp_path):
    path = written(tmp_path / "d.csv", 1, 9, 2, 8, 1)
    left_out = []
    items = dataset.load(picky, make(picky, {"dataset": str(path)}), left_out)
    assert [item.problem["a"] for item in items] == [1, 2, 1]
    assert left_out == [f"{path}: record {n}: x is too large" for n in (2, 4)]
    # Its format says that ids repeat: the second one has none.
    assert [item.notes["source_id"] for item in items] == ["1", "2", ""]


def test_a_file_of_which_all_is_declined_is_refused(picky, tmp_path):
    path = written(tmp_path / "d.csv", 9, 8)
    spec = make(picky, {"dataset": str(path)})
    with pytest.raises(DatasetError, match="none of its 2 records can be asked; the first: "):
        dataset.load(picky, spec)
    with pytest.raises(DatasetError, match="its only record cannot be asked"):
        dataset.load(picky, make(picky, {"dataset": str(path), "n": 1}))


def test_a_wrong_record_still_ends_it(picky, tmp_path):
    path = written(tmp_path / "d.csv", 9, "?", 1)
    with pytest.raises(DatasetError, match="record 2: x and y must be natural numbers") as caught:
        dataset.load(picky, make(picky, {"dataset": str(path)}))
    assert not isinstance(caught.value, Abstained)
