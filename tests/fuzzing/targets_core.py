"""Targets of the core's readers: words of the command line, dataset files, answers from elsewhere, logs."""

import csv
import io
import json
import os
import tempfile
import zipfile
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path

from harness_answers import json_reader
from harness_answers import text as plain_text
from harness_errors import DatasetError, HarnessError

from fuzzing import seeds, words
from fuzzing.mutation import text_of, whole
from fuzzing.target import Target, now_and_then, require
from harness.core.features import settings
from harness.core.items import Item, to_json
from harness.core.plugins import registry
from harness.core.spec import make
from harness.core.words import build

SUFFIXES = (".jsonl", ".json", ".csv", ".txt")
WORDS = (*words.DATA, "\ufeff", "\r\n", "\n", " ", "\t")


# ---------------------------------------------------------------------------- the command line


def command_line(data):
    """Words become specs, each with a fingerprint and a text of its own, or are refused in a line."""
    text = text_of(data).replace("/", "")  # no key names a file outside of the working directory
    given = [word for word in text.split("\n") if word and "=.." not in word and "=." not in word]
    try:
        specs = build(registry(), given, settings())
    except HarnessError as error:
        require(str(error), "refused without a word")
        return
    if len(specs) > 20:
        return
    for spec in specs:
        spec.fingerprint.encode()
        str(spec)
        if now_and_then(data, 3):
            values = {**spec.config, **{k: v for k, v in spec.options.items() if v is not None}}
            if spec.dataset is None:
                again = make(
                    registry().get(spec.plugin),
                    {k: v for k, v in values.items() if k not in ("dataset",)},
                )
                require(again.config == spec.config, "typed values make another configuration")


def _words():
    found = []
    for name in seeds.PLUGINS:
        schema = seeds.plugin(name).benchmark.config_schema["properties"]
        told = [f"{k}={json.dumps(s['default']).strip(chr(34)) or 'x'}" for k, s in schema.items()]
        usable = [word for word in told if not word.endswith(("=", "=x"))]
        found += [
            "\n".join([f"plugin={name}", *part])
            for part in (usable, usable[:2], ["n=5", "seed=3"], ["preset=paper"])
        ]
    found += [
        "plugin=ltlbench\nn=1,2\nseed=[1]\ntemperature=0.5\nstrategy=direct,cot\ntask=decide,counterexample"
    ]
    found += [
        "plugin=vltl\narity=1,2\nfamilies=response,absence\ngold=lift\nstrategy=staged",
        "n=3",
        "plugin=nobody",
    ]
    return [text.encode() for text in found]


# -------------------------------------------------------------------------------------- files


@contextmanager
def _file(name, data):
    with tempfile.TemporaryDirectory(dir=_memory()) as folder:
        path = Path(folder, name)
        path.write_bytes(data)
        yield path


@cache
def _memory():
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def _entries(name, path):
    """Return the entries of a dataset file, None where it cannot be read as a whole."""
    from harness.datasets.reading import entries

    plugin = seeds.plugin(name)
    spec = make(plugin, {"dataset": str(path)})
    found = []
    try:
        for entry in entries(plugin, spec):
            found.append(entry)
            require(entry.item is not None or entry.error is not None, "an entry that is nothing")
            require(str(path) in entry.where, "an entry without a place")
    except DatasetError as error:
        require(str(error), "refused without a word")
        return found or None
    return found


def records(data):
    """Every record of a file is counted, as an object or as an error that says where it is wrong."""
    from harness.datasets.records import Records

    suffix, body = SUFFIXES[(data[0] if data else 0) % len(SUFFIXES)], data[1:]
    with _file(f"x{suffix}", body) as path:
        try:
            reader = Records(path, lambda record: "prompt" in record)
            form = reader.form
            found = list(reader)
        except DatasetError as error:
            require(str(error), "refused without a word")
            return
    numbers = [number for number, _ in found]
    require(numbers == sorted(set(numbers)), "numbers of records are not in order")
    for _, row in found:
        require(isinstance(row, (dict, DatasetError)), f"a record is {type(row).__name__}")
    expected = _expected(form, body)
    if expected is not None:
        require(len(found) == expected, f"{len(found)} records of {expected} ({form})")


def _expected(form, body):
    """Return how many records there are by another way of counting; None where that is no simple matter."""
    if form == "lines":
        return sum(1 for line in body.removeprefix(b"\xef\xbb\xbf").split(b"\n") if line.strip())
    if form == "csv":
        text = body.decode("utf-8-sig", "surrogateescape")
        try:
            rows = [row for row in csv.reader(io.StringIO(text, newline=""), strict=True) if row]
        except csv.Error:
            return None
        return max(0, len(rows) - 1)
    try:
        whole = json.loads(body.decode("utf-8-sig"), parse_constant=_none)
    except (ValueError, RecursionError):
        return None
    return len(whole) if isinstance(whole, list) else None


def _none(name):
    raise ValueError(name)


def dataset(data):
    """Every record of a file is an item or an error, and the second reading is as the first."""
    head = data[:2] + b"\0\0"
    name, suffix = seeds.PLUGINS[head[1] % 4], SUFFIXES[head[0] % len(SUFFIXES)]
    with _file(f"x{suffix}", data[2:]) as path:
        first = _entries(name, path)
        if now_and_then(data):
            again = _entries(name, path)
            said = [
                [(e.where, e.item, str(e.error)) for e in found or ()] for found in (first, again)
            ]
            require(said[0] == said[1], "a second reading is another")
    for entry in first or ():
        if entry.item is not None:
            to_json(entry.item)
            Item.from_dict(entry.item.to_dict())


def _dataset(prefix):
    found = []
    for at, name in enumerate(seeds.PLUGINS):
        lines = [to_json(item) for item in seeds.all_items(name)[:2]]
        forms = seeds.plugin(name).benchmark.dataset_formats
        published = [record for form in forms for record in seeds.records(name, form)[:2]]
        texts = {
            0: ["\n".join(lines) + "\n", "\n".join(map(json.dumps, published)) + "\n"],
            1: [
                f"[{', '.join(lines)}]",
                json.dumps({"meta": {"v": 1}, "items": published}, indent=1),
                lines[0],
            ],
            2: [_csv(published)],
        }
        for suffix, bodies in texts.items():
            found += [bytes([suffix, at][:prefix]) + body.encode() for body in bodies]
    found.append(bytes([2, 0][:prefix]) + b'id,prompt\r\n1,"a\r\nb"\r\n\r\n2,"c""d"\r\n')
    return found


def _csv(rows):
    out = io.StringIO()
    names = list(dict.fromkeys(key for row in rows for key in row))
    writer = csv.DictWriter(out, names)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def manifest(data):
    """A manifest beside a dataset is held against it, or refused."""
    line = to_json(seeds.items("ltlbench_decide")[0]) + "\n"
    with _file("x.jsonl", line.encode()) as path:
        path.with_name("x.jsonl.manifest.json").write_bytes(data)
        _entries("ltlbench", path)


def _manifest():
    line = to_json(seeds.items("ltlbench_decide")[0]) + "\n"
    import hashlib

    right = {
        "spec": {"plugin": "ltlbench"},
        "sha256": hashlib.sha256(line.encode()).hexdigest(),
        "items": 1,
    }
    return [json.dumps(right).encode(), b"{}", b'{"spec": {"plugin": "vltl"}, "sha256": ""}']


def item(data):
    """A dict is an item that comes back from its line, or is refused."""
    try:
        found = json.loads(text_of(data))
    except (ValueError, RecursionError):
        return
    try:
        if not whole(json.dumps(found, ensure_ascii=False)):
            return  # the reader of files refuses it
        made = Item.from_dict(found)
    except DatasetError as error:
        require(str(error), "refused without a word")
        return
    line = to_json(made)
    line.encode()
    require(Item.from_dict(json.loads(line)) == made, "an item does not come back from its line")
    require(len(made.problem_id) in (12, 20), "no identity")


def _item():
    return [to_json(one).encode() for name in seeds.PLUGINS for one in seeds.all_items(name)[:2]]


def parquet(data):
    """Bytes that are no Parquet file of ours are refused, and no row of it is lost."""
    with _file("x.parquet", data) as path:
        _entries("ltlbench", path)


def _parquet():
    from harness.datasets.export_parquet import write
    from harness.datasets.features import Feature

    items = seeds.items("ltlbench_decide")[:2]
    kinds = {key: Feature() for one in items for key in one.features}
    for one in items:
        for key, value in one.features.items():
            kinds[key].add(value, tags=False)
    out = io.BytesIO()
    write(out, items, kinds, {"harness": "1"})
    return [out.getvalue()]


def responses(data):
    """Every record of a file of answers is an answer with an id, or an error."""
    from harness.rerun.responses import Source

    head = data[:1] or b"\0"
    with _file(f"x{SUFFIXES[head[0] % 3]}", data[1:]) as path:
        named = {"id": "a.0.b", "response": "choices.0.text"} if head[0] >= 128 else {}
        try:
            for reply in Source(path, **named).replies():
                require(
                    reply.error is not None or isinstance(reply.id, str), "a reply without an id"
                )
                require(reply.error is not None or reply.id, "an id that is empty")
                require(
                    reply.text is None or isinstance(reply.text, str), "an answer that is no text"
                )
        except DatasetError as error:
            require(str(error), "refused without a word")


def _responses():
    import harness.rerun.logs  # noqa: F401 (Inspect, which takes a second, is not what is measured)

    rows = [{"id": f"a{i}", "response": f"Answer: {i}", "prompt": "Is it?"} for i in range(4)]
    deep = [
        {"a": [{"b": "x1"}], "choices": [{"text": "Answer: True"}]},
        {"a": [{"b": 7}], "choices": [{"text": None}]},
    ]
    lines = "\n".join(map(json.dumps, rows)).encode()
    return [b"\0" + lines, b"\1" + json.dumps(rows).encode(), b"\2" + _csv(rows).encode(),
            b"\x81" + json.dumps({"data": deep}).encode(), bytes([129]) + json.dumps(deep).encode(),
            b"\2\xef\xbb\xbfuid;completion\r\n1;True\r\n"]  # fmt: skip


# --------------------------------------------------------------------------------------- logs


@cache
def _log():
    """Return the bytes of a small log, made by a run of the reference model."""
    from harness.run import evaluation

    with tempfile.TemporaryDirectory() as folder:
        spec = make(seeds.plugin("ltlbench"), {"n": 2, "log_dir": folder})
        evaluation.run(spec)
        (path,) = Path(folder).rglob("*.eval")
        return path.read_bytes()


def _read_log(path):
    from harness.report import log_studies
    from harness.rerun import log_samples, logs
    from harness.rerun.responses import Source

    def everything():
        yield lambda: list(logs.samples(path, logs.header(path)))
        yield lambda: logs.whole(path)
        yield lambda: list(Source(path).replies())
        yield lambda: list(log_samples.summaries(path))
        yield lambda: log_studies.load([path], lambda line: None)

    for read in everything():
        try:
            read()
        except HarnessError as error:
            require(str(error), "refused without a word")


def log(data):
    """Bytes that are no log are refused by every reader of logs."""
    with _file("x.eval", data) as path:
        _read_log(path)


def log_members(data):
    """An archive whose members hold something else is refused by every reader of logs, or read."""
    try:
        members = json.loads(text_of(data))
    except (ValueError, RecursionError):
        return
    if not isinstance(members, dict) or not members:
        return
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, value in members.items():
            if name.isascii() and "\0" not in name and name:
                archive.writestr(name, json.dumps(value))
    with _file("x.eval", out.getvalue()) as path:
        _read_log(path)
    if "header.json" in members and isinstance(members["header.json"], dict):
        whole = {
            **members["header.json"],
            "samples": [v for k, v in members.items() if k.startswith("samples/")],
        }
        with _file("x.json", json.dumps(whole).encode()) as path:
            _read_log(path)


def _members():
    with zipfile.ZipFile(io.BytesIO(_log())) as archive:
        return [
            json.dumps(
                {name: json.loads(archive.read(name)) for name in archive.namelist()}
            ).encode()
        ]


def plain(data):
    """Any text is made plain, its answer looked for and quoted, within bounds."""
    text = text_of(data)
    prompt = "Decide whether the hypothesis holds in every situation, and why.\nProblem: 1\nAnswer True or False."
    for asked in ("", prompt):
        found = plain_text.plain(text, asked)
        require(len(found) <= 4 * len(text) + 100, "plain text is longer than what it is made of")
        found.encode()
        marked = plain_text.last_marked(found)
        require(marked is None or 0 <= marked.start <= len(found), "a mark outside of the text")
    require("`" not in plain_text.quoted(text)[1:-1], "a quotation can be broken out of")
    require(plain_text.quoted(text).isprintable(), "a quotation that cannot be printed")
    json_reader.loads(text)
    require(len(plain_text.bounded(text)) <= 2_000, "a text without bounds")


def _plain():
    kinds = ("ltlbench_decide", "timepuzzles_implicit", "tempobench_tce")
    return [seed[1:] for kind in kinds for seed in seeds.answers(kind)]


TARGETS = (
    Target("words", command_line, _words, words.KEYS),
    Target("records", records, partial(_dataset, 1), WORDS, prefix=1),
    Target("dataset", dataset, partial(_dataset, 2), WORDS, prefix=2, seconds=3.0),
    Target("manifest", manifest, _manifest, WORDS, "tree"),
    Target("item", item, _item, WORDS, "tree"),
    Target("parquet", parquet, _parquet, kind="bytes"),
    Target("responses", responses, _responses, WORDS, prefix=1, seconds=3.0),
    Target("log", log, lambda: [_log()], kind="bytes", seconds=3.0),
    Target("log_members", log_members, _members, WORDS, "tree", seconds=3.0),
    Target(
        "plain", plain, _plain, ("Answer:", "**", "<answer>", "\\boxed{", "final", "the answer is")
    ),
)
