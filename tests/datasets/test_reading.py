"""Files of every form, sound and malformed: no record is dropped, none stops the others, memory is flat."""

import csv
import json
import os
import random
import subprocess
import sys
import threading
import tracemalloc
from dataclasses import replace

import pytest
from cases import each, slow
from harness_errors import DatasetError, HarnessError, SpecError
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.core.hookspecs import hookimpl
from harness.core.spec import make
from harness.datasets import foreign_json, reading, records, tables

A, B, C = ({"x": str(n), "y": "1"} for n in (1, 2, 3))


@pytest.fixture(scope="module")
def good(toys):
    return toys("Good")


def entries(plugin, path, **values):
    return list(reading.entries(plugin, make(plugin, {"dataset": str(path), **values})))


def told(plugin, path, **values):
    """What became of each record: its x, or what is said of it behind the file's name."""
    found = entries(plugin, path, **values)
    assert all(entry.item or entry.error for entry in found)
    return [
        str(entry.error).removeprefix(str(path)) if entry.error else entry.item.problem["a"]
        for entry in found
    ]


def refusal(plugin, path, **values):
    with pytest.raises(HarnessError) as caught:
        entries(plugin, path, **values)
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value).removeprefix(f"{path}: ")


LIST = json.dumps([A, B])
FORMS = [
    ("d.jsonl", f"{json.dumps(A)}\n{json.dumps(B)}\n"),
    ("d.jsonl", f"\n\n{json.dumps(A)}\r\n \r\n{json.dumps(B)}"),
    ("d.json", f"{json.dumps(A)}\n{json.dumps(B)}\n"),
    ("d", f"{json.dumps(A)}\n{json.dumps(B)}\n"),
    ("d.json", LIST),
    ("d.jsonl", LIST),
    ("d.txt", f"\n {LIST}\n\n"),
    ("d.json", json.dumps([A, B], indent=2)),
    ("d.jsonl", json.dumps([A, B], indent=2)),
    ("d.json", f"[{json.dumps(A)},\n{json.dumps(B)}]"),
    ("d.json", f'{{"data": {LIST}}}'),
    ("d.json", json.dumps({"of": ["a", "b"], "n": 2, "data": [A, B], "last": {"k": []}}, indent=1)),
    ("d.csv", "x,y\n1,1\n2,1\n"),
    ("d.csv", 'y,x\r\n"1",1\r\n\r\n1,2'),
]


@each(("name", "text"), FORMS)
def test_forms_are_recognised_by_what_is_in_them(good, tmp_path, name, text):
    for mark in (b"", records.BOM):
        (tmp_path / name).write_bytes(mark + text.encode())
        assert told(good, tmp_path / name) == [1, 2]
        assert told(good, tmp_path / name, n=1) == [1]


def test_a_lone_record_is_one(good, tmp_path):
    for name in ("d.json", "d.jsonl", "d.txt"):
        for indent in (None, 2):
            (tmp_path / name).write_text(json.dumps(A, indent=indent))
            assert told(good, tmp_path / name) == [1]
    (tmp_path / "d.json").write_text(json.dumps({"x": "?", "y": [A]}, indent=1))
    assert told(good, tmp_path / "d.json") == [": record 1: x and y must be natural numbers"]


def test_an_entry_says_what_the_file_holds(good, tmp_path):
    path = tmp_path / "d.json"
    path.write_text(json.dumps([A, {"x": 1}, 3, A]))
    first, other, number, again = entries(good, path)
    assert (first.where, first.record, first.error) == (f"{path}: record 1", A, None)
    assert (other.record, other.item) == ({"x": 1}, None)
    assert (number.record, number.item) == (None, None)
    # Whoever looks for duplicates has the item, everybody else an error.
    assert (again.record, again.item) == (A, first.item)
    assert str(again.error).endswith(
        f"record 4: id '{first.item.id}' was used before at {first.where}"
    )
    found = list(reading.records(good, make(good, {"dataset": str(path)})))
    assert [str(one) for one in found] == [
        str(one) for one in (first.item, other.error, number.error, again.error)
    ]


LONG = "9" * 90
J = json.dumps(A) + "\n"
K = json.dumps(C) + "\n"
MALFORMED = [
    # JSON lines: one record is lost, those behind it are not.
    ("d.jsonl", J + '{"x": "2", "y": \n' + K,
     [1, ":2: not a line of JSON (Expecting value at character 18)", 3]),
    ("d.jsonl", J + '{"x": "2", "y"', [1, ":2: not a line of JSON (the file ends in mid-line: cut off?)"]),
    ("d.jsonl", (J + '{"x": "2\xff"}\n' + K).encode("latin-1"),
     [1, ":2: not UTF-8: byte 0xff at byte 9", 3]),
    ("d.jsonl", J + '{"x": NaN, "y": 1}\n' + K, [1, ":2: not a line of JSON (NaN is not JSON)", 3]),
    ("d.jsonl", J + '{"x": "1", "x": "2", "y": "1"}\n' + K,
     [1, ":2: not a line of JSON (the key 'x' is there twice)", 3]),
    ("d.jsonl", J + "[" * 100_000 + "\n" + K, [1, ":2: not a line of JSON (nested too deep)", 3]),
    ("d.jsonl", J + "9" * 5000 + "\n" + K, [1, ":2: not a line of JSON (Exceeds the limit", 3]),
    ("d.jsonl", J * 2 + K, [1, ":2: id '", 3]),
    ("d.jsonl", J.replace("1", "7") + "\n" * 5 + "junk\n" + K,
     [7, ":7: not a line of JSON (Expecting value at character 1)", 3]),
    ("d.jsonl", "[]\n" + J, [":1: list instead of an object", 1]),
    ("d.jsonl", "[1\n" + J, [":1: not a line of JSON (Expecting ',' delimiter", 1]),
    # A JSON list: what can be told apart is read on behind.
    ("d.json", f"[{J}, nope, {K}]", [1, ": record 2: not JSON (Expecting value at character 1)", 3]),
    ("d.json", f"[{J}, {{'x': [1]}}, {K}]", [1, ": record 2: not JSON (Expecting property name", 3]),
    ("d.json", f"[{J}, {{\"x\": NaN}}, {K}]", [1, ": record 2: not JSON (NaN is not JSON)", 3]),
    ("d.json", f"[{J}, {'[' * 9999 + ']' * 9999}, {K}]", [1, ": record 2: not JSON (nested too deep)", 3]),
    ("d.json", f"[{J}, {'[' * 200_000}", [1, ": record 2: nested too deep; nothing after it is read"]),
    ("d.json", f'[{J}, {{"x": "2\xff"}}, {K}]'.encode("latin-1"), [1, ": record 2: not UTF-8", 3]),
    ("d.json", f"[{J}, 5, null, {K}]",
     [1, ": record 2: int instead of an object", ": record 3: NoneType instead of an object", 3]),
    ("d.json", f"[{J},, {K}]", [1, ": record 2: not JSON (Expecting value at character 1)", 3]),
    ("d.json", f"[{J}, {K}", [1, 3, ": record 3: the file ends within the list (cut off?); nothing"]),
    ("d.json", f"[{J}, {K},", [1, 3, ": record 3: cut off: the file ends within it; nothing after"]),
    ("d.json", f"[{J}, {K[:9]}", [1, ": record 2: cut off: the file ends within it; nothing after it"]),
    ("d.json", f'[{J}, {{"x": "', [1, ": record 2: cut off: the file ends within it; nothing after"]),
    ("d.json", f"[{J} {K}]", [1, ": record 2: not JSON: expected ',' or ']'; nothing after it is read"]),
    ("d.json", f"[{J}] {K}", [1, ": record 2: the document has ended, but the file goes on; nothing"]),
    ("d.json", f'{{"a": [{J}], "b": [{K}]}}',
     [1, ": record 2: 'b' is a second list of objects, after 'a'; nothing after it is read"]),
    ("d.json", f'{{"a": [{J}], "b": ', [1, ": record 2: cut off: the file ends within it; nothing"]),
    ("d.json", f'{{"a": [{J}], b: 1}}', [1, ": record 2: not JSON (Expecting value at character 1)"]),
    ("d.json", f'{{"a": [{J}], "b"; 1}}', [1, ": record 2: not JSON: expected a key and ':'; nothing"]),
    ("d.json", "{]", [": record 1: not JSON (Expecting value at character 1); nothing after it is read"]),
    # CSV.
    ("d.csv", "x,y\n1,1\n2\n3,1\n", [1, ": record 2: has 1 of 2 fields", 3]),
    ("d.csv", "x,y\n1,1\n2,1,1\n3,1\n", [1, ": record 2: has 3 fields, expected 2", 3]),
    ("d.csv", b"x,y\n1,1\n2,\xff\n3,1\n", [1, ": record 2: not UTF-8 in the field 'y'", 3]),
    ("d.csv", 'x,y\n1,1\n"2,1\n', [1, ": record 2: cut off or malformed: unexpected end of data; nothing"]),
    ("d.csv", 'x,y\n1,1\n"2"2,1\n3,1\n', [1, ": record 2: cut off or malformed: ',' expected after"]),
    ("d.csv", "x,y\n1,1\n2,é\n", [1, ": record 2: x and y must be natural numbers"]),
]  # fmt: skip


@each(("name", "text", "expected"), MALFORMED)
def test_each_malformed_record_is_one_line(good, tmp_path, name, text, expected):
    (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    found = told(good, tmp_path / name)
    assert len(found) == len(expected), found
    for got, wanted in zip(found, expected, strict=True):
        assert got == wanted or (isinstance(wanted, str) and str(got).startswith(wanted)), got
        assert len(str(got).splitlines()) == 1


@each(("name", "text", "message"), [
    ("d.json", "", "the dataset is empty"),
    ("d.json", "[]", "the dataset is empty"),
    ("d.jsonl", "[ ]\n", "the dataset is empty"),
    ("d.csv", "", "the dataset is empty"),
    ("d.csv", "x,y\n", "the dataset is empty"),
    ("d.json", "{}", "an object that is no record and holds no list of them"),
    ("d.json", '{"a": {"b": [{}]}, "c": [], "d": [1]}', "an object that is no record and holds no list"),
    ("d.csv", "x,y,x\n1,1,1\n", "two columns are called 'x'"),
    ("d.csv", b"x,\xff\n1,1\n", "not UTF-8 in the first line, which names the columns"),
])  # fmt: skip
def test_a_file_that_is_none_is_refused(good, tmp_path, name, text, message):
    (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    assert refusal(good, tmp_path / name).startswith(message)


def test_no_file_at_all(good, tmp_path):
    assert refusal(good, tmp_path).startswith("no manifest.json: not a dataset in shards")
    assert refusal(good, "/dev/zero") == "/dev/zero is a device, expected a file"
    assert refusal(good, "no\0file").endswith("cannot be the name of a file")
    assert refusal(good, tmp_path / "no.json") == f"there is no file {tmp_path / 'no.json'}"


def test_what_comes_through_a_pipe(good, tmp_path):
    for name, text in FORMS:
        path = tmp_path / f"pipe-{name}"
        path.unlink(missing_ok=True)
        os.mkfifo(path)
        writer = threading.Thread(target=path.write_text, args=(text,))
        writer.start()
        assert told(good, path) == [1, 2]
        writer.join()


def test_pieces_may_end_anywhere(good, tmp_path, monkeypatch):
    """A document read a few characters at a time yields what it yields at once."""
    texts = [text for name, text in FORMS if name == "d.json"]
    texts += [text for name, text, _ in MALFORMED if name == "d.json" and len(text) < 999]
    path = tmp_path / "d.json"
    for text in texts:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        whole = told(good, path)
        for chunk in (1, 2, 3, 7):
            with monkeypatch.context() as patch:
                patch.setattr(foreign_json, "CHUNK", chunk)
                patch.setattr(foreign_json, "LONE", 0 if chunk < 7 else foreign_json.LONE)
                assert told(good, path) == whole


PIECES = [
    b'"',
    b"[",
    b"]",
    b"{",
    b"}",
    b",",
    b":",
    b"\\",
    b"\xff",
    b"\n",
    b"\r",
    b"\0",
    b"1",
    b"e",
    b"-",
    b"\\ud8",
]


def test_whatever_is_in_a_file_it_is_told_by_record(tmp_path, monkeypatch):
    """Damaged at random: never more than `DatasetError`, and the same however the pieces fall."""
    rng = random.Random(6)
    for _ in range(200):
        name, text = rng.choice(FORMS)
        damaged = bytearray(text.encode())
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(damaged) + 1)
            damaged[at : at + rng.randint(0, 3)] = rng.choice(PIECES)
        path = tmp_path / name
        path.write_bytes(damaged)
        seen = []
        for chunk in (1, 1 << 16):
            monkeypatch.setattr(foreign_json, "CHUNK", chunk)
            try:
                rows = list(records.Records(path, lambda _: False))
                seen.append([(number, str(row)) for number, row in rows])
            except DatasetError as error:
                seen.append(str(error))
        assert seen[0] == seen[1], bytes(damaged)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(-9e9, 9e9) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


@settings(max_examples=30, deadline=None)
@given(st.lists(JSON, max_size=6), st.sampled_from([None, 1]), st.integers(1, 9))
def test_a_list_is_read_as_json_reads_it(tmp_path_factory, values, indent, chunk):
    path = tmp_path_factory.getbasetemp() / "any.json"
    path.write_text(json.dumps(values, indent=indent, ensure_ascii=True), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(foreign_json, "CHUNK", chunk)
        found = [row for _, row in records.Records(path, lambda _: False)]
    assert [row for row in found if isinstance(row, dict)] == [
        v for v in values if isinstance(v, dict)
    ]
    assert len(found) == len(values)


@each(
    ("name", "text", "expected"),
    [
        ("d.jsonl", f'{{"x": "{LONG}"}}\n{K}', [":1: longer than the 60 bytes of a record", 3]),
        ("d.jsonl", f'{{"x": "{LONG}"}}', [":1: longer than the 60 bytes of a record"]),
        (
            "d.json",
            f'[{{"x": "{LONG}"}}, {K}]',
            [": record 1: longer than the 60 characters of a re"],
        ),
        (
            "d.json",
            f'[{{"x": "{LONG * 4}',
            [": record 1: longer than the 60 characters of a record; no"],
        ),
        (
            "d.csv",
            f"x,y\n{LONG},1\n3,1\n",
            [": record 1: longer than the 60 characters of a record;"],
        ),
        (
            "d.csv",
            'x,y\n"' + "9\n" * 90,
            [": record 1: longer than the 60 characters of a record;"],
        ),
    ],
)
def test_a_record_without_end_is_not_taken_in(good, tmp_path, name, text, expected):
    path = tmp_path / name
    path.write_text(text)
    with pytest.MonkeyPatch.context() as patch:
        for module in (records, foreign_json, tables):
            patch.setattr(module, "MAX_RECORD", 60)
        for module in (records, foreign_json):
            patch.setattr(module, "CHUNK", 16)
        found = told(good, path)
    assert len(found) == len(expected), found
    assert all(
        got == want or str(got).startswith(str(want))
        for got, want in zip(found, expected, strict=True)
    )


class TestFormat:
    @pytest.fixture
    def path(self, tmp_path):
        path = tmp_path / "d.csv"
        with path.open("w", newline="") as file:
            csv.writer(file).writerows([["x", "y"], ["5", "6"]])
        return path

    def test_it_reaches_the_plugin(self, toys, path):
        plugin = toys("Publishing")
        (plain,), (forced,) = entries(plugin, path), entries(plugin, path, format="toy_csv")
        assert plain.item.notes["format"] == forced.item.notes["format"] == "toy_csv"
        (other,) = entries(plugin, path, format="toy_json")
        assert str(other.error) == (
            f"{path}: record 1: not a record of the format toy_json that plugin 'toy_publishing' knows "
            "(fields: x, y)"
        )

    def test_only_formats_of_datasets_are_read(self, toys, path):
        plugin = toys("Publishing")
        assert refusal(plugin, path, format="sum") == (
            "format=sum is no format of published datasets; known: toy_csv, toy_json"
        )
        with pytest.raises(SpecError, match="no format 'toy_cvs'; did you mean 'toy_csv'"):
            make(plugin, {"dataset": str(path), "format": "toy_cvs"})

    def test_a_hook_that_takes_no_format_is_called_without(self, good, path):
        assert entries(good, path)[0].item.target == "four"

    def test_what_adopting_does_to_a_record_does_not_change_it(self, good, path):
        def adopt(record, config, **_):
            return good.hooks.explain if record.pop("x") else None

        spoiled = replace(good, hooks=replace_hook(good.hooks, adopt))
        (entry,) = entries(spoiled, path)
        assert entry.record == {"x": "5", "y": "6"}
        assert "adopt() returned" in str(entry.error)

    def test_what_adopting_raises_is_said_of_the_record(self, good, path):
        @hookimpl
        def adopt(record, config):
            return 1 // 0

        (entry,) = entries(replace(good, hooks=replace_hook(good.hooks, adopt)), path)
        assert isinstance(entry.error, DatasetError)
        assert "record 1: plugin 'toy_good': adopt() failed: TypeError" in str(entry.error)


def replace_hook(hooks, adopt):
    return type(hooks)(**{**vars(hooks), "adopt": adopt})


MEASURE = """
import resource, sys
from pathlib import Path
from harness.datasets.records import Records
from harness.datasets.reading import _Seen
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
seen = _Seen()
for number, row in Records(Path(sys.argv[1]), lambda row: False):
    assert seen.add(row["x"], number) is None
print(number, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@slow
@pytest.mark.parametrize("name", ["d.jsonl", "d.json"])
def test_memory_does_not_grow_with_the_records(tmp_path, name):
    """The same at 40,000 records as at few; benchmarks/reading.py has the million."""
    path, n = tmp_path / name, 40_000
    ends = ("", "\n", "") if name == "d.jsonl" else ("[", ",\n", "]")
    path.write_text(
        ends[0] + ends[1].join(f'{{"x": "{i}", "y": "{"z" * 99}"}}' for i in range(n)) + ends[2]
    )
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(path)], capture_output=True, text=True, check=True
    )
    count, kilobytes = map(int, done.stdout.split())
    assert count == n
    assert kilobytes < 12_000  # the file alone has 5,000; all records at once would take 20,000


@slow
def test_ids_that_are_many(tmp_path):
    from harness.datasets.reading import _Seen

    tracemalloc.start()
    seen = _Seen()
    for number in range(20_000):
        assert seen.add(str(number), number) is None
    assert tracemalloc.get_traced_memory()[1] < 200_000
    tracemalloc.stop()
    assert [seen.add(str(n), 0) for n in (0, 77, 19_999)] == [0, 77, 19_999]
    assert seen.add("\ud800", 5) is None
    seen.close()
    with pytest.raises(DatasetError, match="no temporary file for the ids"):
        seen.add("x", 1)


def test_files_that_are_no_text_are_called_what_they_are(good, tmp_path):
    for start, said in (
        (b"PAR1\x00", "a Parquet file"), (b"PK\x03\x04", "a zip archive"),
        (b"\x1f\x8b\x08", "compressed with gzip"), ("a,b\n".encode("utf-16"), "text in UTF-16"),
    ):  # fmt: skip
        (tmp_path / "d.csv").write_bytes(start + b"more")
        assert f"d.csv is {said}" in refusal(good, tmp_path / "d.csv")
