"""Exports: the same items and bytes in every form, nothing half written, foreign text stays text."""

import fcntl
import gc
import hashlib
import io
import json
import os
import re
import shlex
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
import yaml
from cases import each, slow, some
from harness_errors import DatasetError, HarnessError, OutputError, SpecError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from harness.core import fresh, plugins
from harness.core.hookspecs import hookimpl
from harness.core.items import Item, digest, to_json
from harness.core.spec import make
from harness.core.words import build
from harness.datasets import dataset, export_card, export_parquet, manifests, reading
from harness.datasets.export import export
from harness.datasets.export_card import block, code, text
from harness.datasets.export_items import Profile
from harness.datasets.export_parquet import rows_of_parquet
from harness.datasets.features import Feature

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
pytest.importorskip("matplotlib")

NASTY = "a|b `c` <script>alert(1)</script> [x](javascript:y) $z$ \n# head\n---\n```\n\x1b[31m \u202e ![i](u) é"
KINDS = {"jsonl": "a.jsonl", "parquet": "a.parquet", "huggingface": "a"}


@pytest.fixture
def good(toys):
    return toys("Good")


@pytest.fixture(scope="module", autouse=True)
def _few_figures():
    """A plot takes 40 ms."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("harness.datasets.export.FIGURES", 3)
        yield


def odd_toy():
    """A toy that publishes, with foreign text wherever a plugin or a dataset can put some."""

    class Odd(import_module("toy_base").Toy):
        silent = frozenset()  # numbers that its formats cannot say
        extra = None  # further fields of some records

        @hookimpl
        def describe(self):
            return replace(
                super().describe(), summary=NASTY, licence=NASTY, citation=NASTY, tags=("words",),
                choices=("one", NASTY), dataset_formats=("odd_csv", "odd_json", "odd_raw"),
            )  # fmt: skip

        def features(self, total):
            return {
                "digits": len(str(total)), "share": total / 3, "even": total % 2 == 0, "words": "xy"[: total % 3],
                NASTY: NASTY[: total % 5], "mixed": [1, "1", 2.5][total % 3], "half": [1, 0.5][total % 2],
            } | ({"rare": 10**18 + total} if total % 2 else {})  # fmt: skip

        @hookimpl
        def publish(self, item, format, record):  # noqa: A002
            if item.problem["a"] in self.silent:
                return None
            found = {"x": str(item.problem["a"]), "y": item.problem["b"]}
            if self.extra is not None and item.index in self.extra:
                found["more"] = "line\rend"
            return {**record, **found}

    toy = Odd("toy_odd")
    module = ModuleType("toy_odd")
    vars(module).update(toy.hooks(), publish=toy.publish)
    found = plugins.load([("toy_odd", lambda: module, "", "toy_odd")])
    assert not found.failures
    return SimpleNamespace(plugin=found.get("toy_odd"), toy=toy)


@pytest.fixture
def odd(toys):
    return odd_toy()


@pytest.fixture(scope="module")
def folder(toys, tmp_path_factory):
    """A Hugging Face folder of 30 odd items; only to be read."""
    path = tmp_path_factory.mktemp("folder") / "a"
    run(odd_toy().plugin, path, "huggingface", n=30)
    return path


def run(plugin, out, to="jsonl", **values):
    return export(plugin, make(plugin, {"out": str(out), "to": to, **values}))


def items_of(plugin, **values):
    return list(fresh.items(plugin, make(plugin, values)))


def items_in(path):
    """Return the items of a Parquet file."""
    return [Item.from_dict(row) for row in rows_of_parquet(path)]


def bytes_in(path):
    """Every file below a folder, or the one file."""
    files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
    return {p.name: p.read_bytes() for p in files}


def sha(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def in_one_line(error):
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 600
    return str(error.value)


class TestJsonLines:
    def test_the_bytes_are_those_of_generate(self, good, tmp_path):
        dataset.write(good, make(good, {"n": 9, "seed": 3}), tmp_path / "b.jsonl")
        found = run(good, tmp_path / "a.jsonl", n=9, seed=3)
        assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
        assert found["sha256"] == found["files"]["a.jsonl"] == sha(tmp_path / "a.jsonl")
        assert Path(found["manifest"]).exists()

    def test_items_that_were_read_come_out_as_they_were(self, good, tmp_path):
        run(good, tmp_path / "a.jsonl", n=9)
        found = run(good, tmp_path / "b.jsonl", dataset=str(tmp_path / "a.jsonl"))
        assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
        assert found["unreadable"] == {"count": 0, "first": []}
        again = make(good, {"dataset": str(tmp_path / "b.jsonl")})
        assert list(reading.records(good, again)) == items_of(good, n=9)

    def test_a_record_that_cannot_be_read_is_told(self, good, tmp_path):
        (tmp_path / "in.csv").write_text("x,y\n1,2\nno,2\n3,4\n")
        found = run(good, tmp_path / "a.jsonl", dataset=str(tmp_path / "in.csv"))
        assert (found["items"], found["unreadable"]["count"]) == (2, 1)
        assert "record 2" in found["unreadable"]["first"][0]
        assert json.loads(Path(found["manifest"]).read_text())["unreadable"]["count"] == 1

    def test_a_dataset_without_one_good_record(self, good, tmp_path):
        (tmp_path / "in.csv").write_text("x,y\nno,2\n")
        for kind, name in KINDS.items():
            with pytest.raises(DatasetError, match=r"no record can be read; .*record 1"):
                run(good, tmp_path / name, kind, dataset=str(tmp_path / "in.csv"))
        assert [p.name for p in tmp_path.iterdir()] == ["in.csv"]


class TestParquet:
    def test_what_comes_back_is_equal(self, odd, tmp_path, monkeypatch):
        monkeypatch.setattr(export_parquet, "ROWS", 8)
        found = run(odd.plugin, tmp_path / "a.parquet", "parquet", n=30)
        wanted = items_of(odd.plugin, n=30)
        back = items_in(tmp_path / "a.parquet")
        assert back == wanted
        # Not only equal: True is no 1, and 1 no "1". (1 in a column of floats is 1.0.)
        for name, one in product(("mixed", "even", "digits", "rare", NASTY), range(30)):
            old, new = wanted[one].features, back[one].features
            assert (name in old) == (name in new)
            assert type(old.get(name)) is type(new.get(name))
        with parquet.ParquetFile(tmp_path / "a.parquet") as file:
            assert file.num_row_groups == 4
            assert file.schema_arrow.metadata[b"harness.canary"] == manifests.CANARY.encode()
            types = {f.name: str(f.type) for f in file.schema_arrow}
        assert {types[f"feature_{n}"] for n in ("digits", "rare")} == {"int64"}
        assert {types[f"feature_{n}"] for n in ("share", "half")} == {"double"}
        assert (types["feature_even"], types["feature_mixed"]) == ("bool", "string")
        assert found["sha256"] == sha(tmp_path / "a.parquet")
        lines = "".join(to_json(item) + "\n" for item in wanted)
        assert found["items_sha256"] == hashlib.sha256(lines.encode()).hexdigest()

    def test_the_same_items_are_the_same_bytes(self, odd, tmp_path):
        for name in ("a.parquet", "b.parquet"):
            run(odd.plugin, tmp_path / name, "parquet", n=20)
        assert sha(tmp_path / "a.parquet") == sha(tmp_path / "b.parquet")
        for name in ("c", "d"):  # wherever they are read from
            run(odd.plugin, tmp_path / name / "items.jsonl", n=20)
            source = str(tmp_path / name / "items.jsonl")
            run(odd.plugin, tmp_path / f"{name}.parquet", "parquet", dataset=source)
            assert sha(tmp_path / f"{name}.parquet") == sha(tmp_path / "a.parquet")

    def test_a_large_item_ends_its_row_group(self, good, tmp_path, monkeypatch):
        monkeypatch.setattr(export_parquet, "BYTES", 1)
        run(good, tmp_path / "a.parquet", "parquet", n=3)
        assert parquet.ParquetFile(tmp_path / "a.parquet").num_row_groups == 3

    @settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(
        st.lists(
            st.dictionaries(
                st.sampled_from(["a", "b", "feature_", ""]),
                st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=4),
                          st.floats(allow_nan=False, allow_infinity=False), st.lists(st.integers(), max_size=2)),
            ),
            min_size=1, max_size=6,
        )
    )  # fmt: skip
    def test_any_features_come_back(self, tmp_path_factory, features):
        path = tmp_path_factory.getbasetemp() / "any.parquet"
        items = [Item("p", "1", "é", "t", {"n": n}, features=f) for n, f in enumerate(features)]
        known = {}
        for name, value in (pair for item in items for pair in item.features.items()):
            known.setdefault(name, Feature()).add(value, tags=False)
        with path.open("wb") as file:
            export_parquet.write(file, items, known, {})
        assert items_in(path) == items

    def spoilt(self, path, change):
        table = parquet.read_table(path)
        parquet.write_table(change(table), path)

    def test_what_is_no_export_is_refused_in_one_line(self, good, tmp_path):
        def column(name, values):
            return lambda t: t.set_column(
                t.schema.get_field_index(name), name, pyarrow.array(values)
            )

        cases = {
            "no column 'target'": lambda t: t.drop_columns(["target"]),
            r"record 1: .*does not match its content": column("target", ["none"] * 3),
            r"record 1: Expecting": column("problem", ["{", "{}", "{}"]),
            r"record 1: .*JSON object must be": column("notes", [1, 2, 3]),
            r"record 1: .*recursion": column("notes", ["[" * 200_000] * 3),
            r"record 1: .*'seed' is str": column("seed", ["1", "2", "3"]),
        }  # fmt: skip
        for number, (message, change) in enumerate(cases.items()):
            path = tmp_path / f"{number}.parquet"
            run(good, path, "parquet", n=3)
            self.spoilt(path, change)
            reading.manifest_path(path).unlink()
            with pytest.raises(DatasetError, match=message) as error:
                dataset.load(good, make(good, {"dataset": str(path)}))
            assert str(path) in in_one_line(error)

    def test_what_is_no_parquet_is_refused_in_one_line(self, good, tmp_path):
        path = tmp_path / "a.parquet"
        run(good, path, "parquet", n=30)
        content = path.read_bytes()
        (tmp_path / "folder").mkdir()
        (tmp_path / "folder" / "x").mkdir()
        for bad in (
            b"",
            b"PAR1",
            b"PAR1" * 9,
            content[:-9],
            content[9:],
            content[: len(content) // 2],
        ):
            path.write_bytes(bad)
            with pytest.raises(DatasetError, match=r"not readable as Parquet") as error:
                list(rows_of_parquet(path))
            in_one_line(error)
        for name in ("none.parquet", "folder/x"):
            with pytest.raises(DatasetError) as error:
                list(rows_of_parquet(tmp_path / name))
            in_one_line(error)

    def test_a_number_beyond_the_column_is_refused(self, good, tmp_path):
        for seed in (2**63, 10**300):
            with pytest.raises(OutputError, match="its seed does not fit the 64 bits") as error:
                run(good, tmp_path / "a.parquet", "parquet", n=2, seed=seed)
            in_one_line(error)
        assert not list(tmp_path.iterdir())


class TestProfile:
    def profile(self, good, features):
        found = Profile(good)
        for n, own in enumerate(features):
            found.add(Item("toy_good", "0.1", "p", "t", n, features=own), b"")
        return found

    def test_memory_is_bounded(self, good):
        found = self.profile(good, ({"n": n, "t": f"{n}"} for n in range(3_000)))
        assert [one.counts.values for one in found.features.values()] == [None, None]
        assert (found.features["n"].low, found.features["n"].high, found.features["n"].mean) == (
            0,
            2999,
            1499.5,
        )
        with pytest.raises(DatasetError, match="item 501: more than 500 different features"):
            self.profile(good, ({f"f{n}": 1} for n in range(600)))

    def test_the_largest_floats_have_a_histogram(self, good):
        big = sys.float_info.max
        found = self.profile(good, ({"x": x} for x in (-big, big, big)))
        one = found.features["x"]
        for x in (-big, 0.0, big, big):
            one.bin(x)
        assert (one.bins[0], sum(one.bins), one.bins[-1]) == (1, 4, 2)
        assert one.data()["type"] == "float"
        json.dumps(found.summary(), allow_nan=False)


@pytest.fixture(scope="module")
def shown():
    return MarkdownIt("commonmark", {"html": True}).enable("table")


def tokens_of(shown, markdown):
    for token in shown.parse(markdown):
        yield token
        yield from token.children or []


class TestHuggingFace:
    @slow
    def test_it_is_complete_and_the_same_twice(self, odd, folder, tmp_path):
        found = run(odd.plugin, tmp_path / "b", "huggingface", n=30)
        first, second = bytes_in(folder), bytes_in(tmp_path / "b")
        assert first == second
        assert {"README.md", "manifest.json", "test-00000-of-00001.parquet", "labels.svg"} <= set(
            first
        )
        assert found["files"] == {name: sha(tmp_path / "b" / name) for name in found["files"]}
        assert json.loads(first["manifest.json"])["baselines"]["items"] == 30
        assert items_in(folder / "data/test-00000-of-00001.parquet") == items_of(odd.plugin, n=30)
        for name, content in first.items():
            if name.endswith(".svg"):
                assert len(content) < 40_000
                assert b"<script" not in content
                assert not re.search(rb"\d{4}-\d\d-\d\d", content.partition(b"</metadata>")[0])

    @slow
    def test_many_items_are_sampled_and_binned(self, odd, tmp_path, monkeypatch):
        monkeypatch.setattr(export_card, "SAMPLE", 5)
        monkeypatch.setattr("harness.datasets.features.DISTINCT", 4)
        monkeypatch.setattr("harness.datasets.export.FIGURES", 24)
        found = run(odd.plugin, tmp_path / "a", "huggingface", n=30)
        readme = (tmp_path / "a/README.md").read_text()
        assert found["baselines"]["items"] == 5
        assert "score on 5 of the 30 items" in readme
        assert "Too many or too long to be counted one by one" in readme
        assert "![share](figures/" in readme
        assert "values" not in found["features"]["share"]

    def test_foreign_text_stays_text(self, folder, shown):
        readme = (folder / "README.md").read_text()
        front, _, body = readme.removeprefix("---\n").partition("\n---\n")
        head = yaml.safe_load(front)
        assert head["license"] == "other"
        assert head["configs"][0]["data_files"] == [
            {"split": "test", "path": "data/test-*.parquet"}
        ]
        found = list(tokens_of(shown, body))
        kinds = {token.type for token in found}
        assert not kinds & {"html_inline", "html_block", "link_open", "hr"}
        assert {t.attrs["src"] for t in found if t.type == "image"} == {
            f"figures/{p.name}" for p in (folder / "figures").iterdir()
        }
        assert "".join(c for c in readme if not c.isprintable()).strip("\n") == ""
        # A row has as many cells as its table's head: no | of anybody's made one more.
        for part in re.findall(r"(?:^\|.*\n)+", body, re.MULTILINE):
            cells = {len(re.findall(r"(?<!\\)\|", row)) for row in part.splitlines()}
            assert len(cells) == 1, part

    def test_the_command_makes_the_same_bytes(self, toys, tmp_path):
        good = plugins.registry().get("toy_good")  # with the wrapper that is installed
        words = {"n": 7, "seed": 5, "split": "dev", "top": 999, "style": "polite", "unique": False}
        found = run(good, tmp_path / "a", "huggingface", **words)
        readme = (tmp_path / "a/README.md").read_text()
        line = re.search(r"^harness generate (.*) out=items.jsonl$", readme, re.MULTILINE)[1]
        [again] = build(plugins.registry(), [*shlex.split(line)], ("n", "seed", "split", "unique"))
        manifest = dataset.write(good, again, tmp_path / "items.jsonl")
        assert manifest["sha256"] == found["sha256"]
        assert manifest["sha256"] in readme
        assert again.fingerprint == found["fingerprint"]

    def test_every_preset_can_be_said_in_a_command(self):
        registry = plugins.registry()
        for plugin in registry.benchmarks.values():
            for preset in plugin.benchmark.presets:
                words = [f"plugin={plugin.benchmark.name}", f"preset={preset}"]
                for spec in build(registry, words, ("n", "seed", "split", "unique", "strategy")):
                    line = export_card.command(spec.data(), plugin.benchmark)
                    if "FILE_" in line:
                        continue
                    [again] = build(registry, shlex.split(line), ("n", "seed", "split", "unique"))
                    assert again.data() == spec.data()

    def test_what_no_command_can_say_is_not_said(self, good):
        data = make(good, {"n": 3}).data()
        spoilt = [
            {**data, "split": "a,b"}, {**data, "split": ""}, {**data, "config": {"top": 1, "other": 2}},
            {**data, "config": None}, {"config": {}}, {**data, "seed": "1,2"},
        ]  # fmt: skip
        assert [export_card.command(one, good.benchmark) for one in spoilt] == [None] * len(spoilt)
        assert "seed=0" in export_card.command(data, good.benchmark)

    @slow
    def test_a_file_is_named_with_what_made_it(self, good, tmp_path):
        run(good, tmp_path / "own.jsonl", n=5, seed=2)
        run(good, tmp_path / "a", "huggingface", dataset=str(tmp_path / "own.jsonl"))
        readme = (tmp_path / "a/README.md").read_text()
        assert sha(tmp_path / "own.jsonl") in readme
        assert "harness generate plugin=toy_good n=5 seed=2 split=test out=items.jsonl" in readme
        with (tmp_path / "own.jsonl").open("a") as file:
            file.write("torn\n")
        (tmp_path / "own.jsonl.manifest.json").unlink()
        run(good, tmp_path / "b", "huggingface", dataset=str(tmp_path / "own.jsonl"))
        told = (tmp_path / "b/README.md").read_text()
        assert "1 records became no items" in told
        assert str(tmp_path) not in readme + told + (tmp_path / "b/manifest.json").read_text()

    def test_a_dataset_in_shards_is_named_with_what_made_it(self, good, tmp_path):
        folder = tmp_path / "own"
        folder.mkdir()
        made = run(good, folder / "part.jsonl", n=5, seed=2)
        (folder / "part.jsonl.manifest.json").unlink()
        one = {"file": "part.jsonl", "items": 5, "sha256": made["sha256"]}
        whole = {
            "spec": made["spec"],
            "items": 5,
            "shards": [one],
            "sha256": digest([one["sha256"]]),
        }
        (folder / "manifest.json").write_text(json.dumps(whole))
        run(good, tmp_path / "a", "huggingface", dataset=f"{folder}/")
        readme = (tmp_path / "a/README.md").read_text()
        assert f"From the dataset in 1 shards `own` with SHA-256 `{whole['sha256']}`" in readme
        assert "harness generate plugin=toy_good n=5 seed=2 split=test out=items.jsonl" in readme
        assert str(tmp_path) not in readme + (tmp_path / "a/manifest.json").read_text()

    def test_what_is_someone_elses_is_called_so(self, good, tmp_path):
        (tmp_path / "in.csv").write_text("x,y\n1,2\nno,2\n3,4\n")
        good_item = good.hooks.adopt(
            record={"x": "1", "y": "2"}, config={"style": "plain"}, format=""
        )
        foreign = replace(good_item, version="published", id="")
        profile = Profile(good)
        profile.add(foreign, b"")
        manifest = {
            "spec": {},
            "versions": {},
            "sha256": "0",
            "proofs": None,
            "unreadable": {"count": 2, "first": [NASTY]},
        }
        source = {"name": NASTY, "sha256": "1", "words": {"n": 3}}
        found = export_card.Card(manifest, profile, {"items": 0}, {}, {}, True, source)
        readme = export_card.card(good, found)
        assert "license: unknown" in readme
        assert "**not** checked" in readme
        assert "2 records became no items" in readme
        assert "… and 1 more" in readme
        left_out = readme.split("## Left out")[1].split("## Licence")[0]
        assert "<script" not in left_out.replace(r"\<", "")

    def test_splits_are_files(self, good, tmp_path):
        for split in ("test", "train"):
            run(good, tmp_path / f"{split}.jsonl", n=4, split=split)
        both = tmp_path / "both.jsonl"
        both.write_bytes(
            b"".join((tmp_path / f"{s}.jsonl").read_bytes() for s in ("test", "train"))
        )
        run(good, tmp_path / "a", "huggingface", dataset=str(both))
        for split in ("test", "train"):
            path = tmp_path / f"a/data/{split}-00000-of-00001.parquet"
            assert items_in(path) == items_of(good, n=4, split=split)

    def test_splits_with_names_that_are_none(self, good, tmp_path):
        for split in ("a/b", "../x", "all", "é", "a-b", "_", "a b"):
            with pytest.raises(OutputError, match="Hugging Face takes letters"):
                run(good, tmp_path / "a", "huggingface", n=2, split=split)
        assert not list(tmp_path.iterdir())

    @slow
    @pytest.mark.skipif(not find_spec("datasets"), reason="needs the package datasets")
    def test_datasets_loads_it_offline(self, odd, folder, tmp_path):
        program = (
            "import json, sys, warnings; warnings.simplefilter('error')\n"
            "from datasets import load_dataset\n"
            "found = load_dataset(sys.argv[1])\n"
            "row = found['test'][0]\n"
            "print(json.dumps([list(found), len(found['test']), row['prompt'], json.loads(row['problem'])]))"
        )
        home = {
            "HF_HOME": str(tmp_path / "home"),
            "HF_HUB_OFFLINE": "1",
            "HF_DATASETS_OFFLINE": "1",
        }
        done = subprocess.run(
            [sys.executable, "-c", program, folder],
            env=os.environ | home, capture_output=True, text=True, timeout=600, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        first = items_of(odd.plugin, n=1)[0]
        assert json.loads(done.stdout) == [["test"], 30, first.prompt, first.problem]


class TestMarkdown:
    @settings(max_examples=some(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(st.text(max_size=40) | st.text("`|\\<>[]()!*_#-+.=~$&:\n\r@x1 ", max_size=30))
    def test_no_text_is_markup(self, shown, foreign):
        plain = {"text", "inline", "code_inline", "text_special"}
        for one, before in product(
            (text(foreign), code(foreign)), ("x ", "- ", "| a |\n| --- |\n| ")
        ):
            assert "\n" not in one
            wanted = {t.type for t in tokens_of(shown, f"{before}x x")} | plain
            kinds = {t.type for t in tokens_of(shown, f"{before}{one} x")}
            assert kinds <= wanted, (before, one, kinds - wanted)
        [fence] = [t for t in shown.parse(f"x\n\n{block(foreign)}\n\nx") if t.type == "fence"]
        assert len(shown.parse(f"x\n\n{block(foreign)}\n\nx")) == 7
        assert fence.content.count("\n") == foreign.count("\n") + 1


class TestPublished:
    @each("name, suffix", [("odd_csv", "csv"), ("odd_json", "json"), ("odd_raw", "jsonl")])
    def test_a_round_trip(self, odd, tmp_path, name, suffix):
        out = tmp_path / f"{name}.{suffix}"
        found = run(odd.plugin, out, "published", n=6, format=name)
        assert (found["records"], found["format"], found["unsaid"]["count"]) == (6, name, 0)
        assert found["sha256"] == sha(out)
        again = make(odd.plugin, {"dataset": str(out)})
        back = list(reading.records(odd.plugin, again))
        assert [(i.problem, i.prompt, i.target) for i in back] == [
            (i.problem, i.prompt, i.target) for i in items_of(odd.plugin, n=6)
        ]

    def test_what_the_format_cannot_say_is_told(self, odd, tmp_path):
        items = items_of(odd.plugin, n=6)
        odd.toy.silent = {items[2].problem["a"], items[4].problem["a"]}
        found = run(odd.plugin, tmp_path / "a.csv", "published", n=6, format="odd_csv")
        assert (found["records"], found["unsaid"]["count"]) == (4, 2)
        assert items[2].id in found["unsaid"]["first"][0]
        odd.toy.silent = {item.problem["a"] for item in items}
        with pytest.raises(OutputError, match="format odd_csv can say none of the 6 items"):
            run(odd.plugin, tmp_path / "b.csv", "published", n=6, format="odd_csv")
        assert not (tmp_path / "b.csv.partial").exists()

    def test_fields_that_differ_make_no_table(self, odd, tmp_path):
        odd.toy.extra = {3}
        with pytest.raises(
            HarnessError, match=r"other fields for record 4 \(x, y, more\)"
        ) as error:
            run(odd.plugin, tmp_path / "a.csv", "published", n=6, format="odd_csv")
        in_one_line(error)
        assert not list(tmp_path.iterdir())
        run(odd.plugin, tmp_path / "a.json", "published", n=6, format="odd_json")
        assert json.loads((tmp_path / "a.json").read_text())[3]["more"] == "line\rend"

    def test_a_line_end_within_a_cell_comes_back(self, odd, tmp_path):
        odd.toy.extra = set(range(6))
        run(odd.plugin, tmp_path / "a.csv", "published", n=6, format="odd_csv")
        assert (tmp_path / "a.csv").read_bytes().count(b'"line\rend"') == 6

    def test_the_dataset_is_not_read_as_the_format_to_write(self, odd, tmp_path):
        run(odd.plugin, tmp_path / "a.csv", "published", n=6, format="odd_csv")
        found = run(
            odd.plugin, tmp_path / "b.json", "published", format="odd_json", dataset=str(tmp_path / "a.csv")
        )  # fmt: skip
        assert found["records"] == 6


class TestRefusals:
    @each(
        "values, message",
        [
            (
                {"to": "csv", "out": "a.csv"},
                r"to=csv; known: huggingface, jsonl, parquet, published",
            ),
            ({"to": "parket", "out": "a"}, "did you mean 'parquet'"),
            ({"out": None}, "out=… is missing"),
            ({"out": "a.json"}, r"ends in \.jsonl"),
            ({"out": "a.jsonl", "to": "parquet"}, r"ends in \.parquet"),
            (
                {"out": "a.csv", "to": "published"},
                "format=… is missing; known: odd_csv, odd_json, odd_raw",
            ),
            ({"out": "a.csv", "to": "published", "format": "odd_cvs"}, "did you mean 'odd_csv'"),
            ({"out": "a.json", "to": "published", "format": "odd_csv"}, r"ends in \.csv"),
            ({"out": "a.jsonl", "format": "odd_csv"}, "'format' has no effect with to=jsonl"),
        ],
    )
    def test_settings(self, odd, tmp_path, monkeypatch, values, message):
        monkeypatch.chdir(tmp_path)
        with pytest.raises(SpecError, match=message) as error:
            export(odd.plugin, make(odd.plugin, {"n": 2, **values}))
        in_one_line(error)
        assert not list(tmp_path.iterdir())

    def test_a_plugin_without_published_formats(self, good, tmp_path):
        with pytest.raises(SpecError, match="toy_good writes no published format"):
            run(good, tmp_path / "a.csv", "published", n=2)

    def test_packages_that_are_missing(self, good, tmp_path, monkeypatch):
        for name, to in (
            ("matplotlib", "huggingface"),
            ("pyarrow", "huggingface"),
            ("pyarrow", "parquet"),
        ):
            monkeypatch.setitem(sys.modules, name, None)
            with pytest.raises(
                SpecError,
                match=f"needs the package {name}: pip install 'matplotlib>=3.9' 'pyarrow>=15'",
            ):
                run(good, tmp_path / KINDS[to], to, n=2)
        run(good, tmp_path / "a.jsonl", n=2)
        with pytest.raises(SpecError, match="needs the package pyarrow"):
            items_in(tmp_path / "a.jsonl")

    def test_what_exists_stays(self, good, tmp_path):
        run(good, tmp_path / "own/own.jsonl", n=2)
        for to, name in KINDS.items():
            path = tmp_path / name
            path.write_text("mine")
            with pytest.raises(OutputError, match="exists; choose another out="):
                run(good, path, to, n=2)
            assert path.read_text() == "mine"
            path.unlink()
            path.symlink_to("nowhere")
            with pytest.raises(OutputError, match="exists; choose another out="):
                run(good, path, to, dataset=str(tmp_path / "own/own.jsonl"))
            path.unlink()
        assert [p.name for p in tmp_path.iterdir()] == ["own"]

    def test_places_that_cannot_be_written(self, good, tmp_path):
        (tmp_path / "file").write_text("")
        for to, name in KINDS.items():
            for place in (tmp_path / "file", tmp_path / ("n" * 300), Path("/proc/none")):
                with pytest.raises(OutputError, match="cannot be written") as error:
                    run(good, place / name, to, n=2)
                in_one_line(error)


class TestNothingHalf:
    def test_a_failure_leaves_nothing(self, odd, tmp_path, monkeypatch):
        source = tmp_path / "in.csv"
        source.write_text("x,y\n1,2\n")
        for failure in (OSError(28, "No space left on device"), KeyboardInterrupt()):

            def fail(*_, failure=failure):
                raise failure

            monkeypatch.setattr("harness.datasets.output_files.sync", fail)
            for to, name in [*KINDS.items(), ("published", "a.csv")]:
                expected = (
                    KeyboardInterrupt if isinstance(failure, KeyboardInterrupt) else OutputError
                )
                more = {"format": "odd_csv"} if to == "published" else {}
                with pytest.raises(expected):
                    run(odd.plugin, tmp_path / name, to, dataset=str(source), **more)
                assert [p.name for p in tmp_path.iterdir()] == ["in.csv"]

    def test_a_full_disk(self, good, tmp_path, monkeypatch):
        class Full(io.BytesIO):
            def write(self, data):
                if self.tell() > 100:
                    raise OSError(28, "No space left on device")
                return super().write(data)

        items = items_of(good, n=50)
        for rows in (10, 100):  # it shows within the items, or at their end
            monkeypatch.setattr(export_parquet, "ROWS", rows)
            with pytest.raises(OSError, match="No space left"):
                export_parquet.write(Full(), items, {"digits": self.digits(items)}, {})
        gc.collect()  # an error in a finaliser is a warning, and that an error

    def digits(self, items):
        found = Feature()
        for item in items:
            found.add(item.features["digits"], tags=False)
        return found

    def test_what_a_killed_export_left_is_written_anew(self, good, tmp_path):
        (tmp_path / "a.parquet.partial").write_bytes(b"x" * 100_000)
        run(good, tmp_path / "a.parquet", "parquet", n=2)
        assert items_in(tmp_path / "a.parquet") == items_of(good, n=2)
        left = tmp_path / "a.partial"
        (left / "data").mkdir(parents=True)
        (left / "data" / "test-00000-of-00001.parquet").write_text("torn")
        run(good, tmp_path / "a", "huggingface", n=2)
        assert not left.exists()

    @each("to", ["jsonl", "parquet"])
    def test_a_file_without_its_manifest_is_never_left(self, good, tmp_path_factory, to):
        folder = tmp_path_factory.mktemp("x")
        (folder / "in.csv").write_text("x,y\n1,2\n")
        path = folder / KINDS[to]
        manifest = path.with_name(f"{path.name}.manifest.json")
        manifest.mkdir()
        for _ in range(2):
            with pytest.raises(OutputError, match="cannot be written: Is a directory"):
                run(good, path, to, dataset=str(folder / "in.csv"))
            assert {one.name for one in folder.iterdir()} == {"in.csv", manifest.name}
        manifest.rmdir()
        run(good, path, to, dataset=str(folder / "in.csv"))
        assert json.loads(manifest.read_text())["sha256"] == sha(path)

    def test_what_is_not_ours_is_left_alone(self, good, tmp_path):
        left = tmp_path / "a.partial"
        left.mkdir()
        (left / "thesis.tex").write_text("mine")
        with pytest.raises(OutputError, match=r"holds what is not ours \('thesis.tex'\)"):
            run(good, tmp_path / "a", "huggingface", n=2)
        assert (left / "thesis.tex").read_text() == "mine"

    def test_an_unfinished_generate_is_left_alone(self, good, tmp_path):
        source = tmp_path / "in.csv"
        source.write_text("x,y\n1,2\n")
        (tmp_path / "a.jsonl.partial").write_text("finished items\n")
        (tmp_path / "a.jsonl.partial.json").write_text("{}")
        with pytest.raises(OutputError, match="belongs to an unfinished harness generate"):
            run(good, tmp_path / "a.jsonl", dataset=str(source))
        assert (tmp_path / "a.jsonl.partial").read_text() == "finished items\n"

    def test_two_do_not_write_the_same(self, good, tmp_path):
        (tmp_path / "a.partial").mkdir()
        (tmp_path / "a.parquet.partial").write_text("")
        for to in ("parquet", "huggingface"):
            held = os.open(tmp_path / f"{KINDS[to]}.partial", os.O_RDONLY)
            fcntl.flock(held, fcntl.LOCK_EX)
            with pytest.raises(OutputError, match="another process is writing this"):
                run(good, tmp_path / KINDS[to], to, n=2)
            os.close(held)

    @slow
    def test_a_killed_export_leaves_only_what_says_so(self, toys, tmp_path):
        program, kills = tmp_path / "killed.py", max(some(6), 3)  # one of each format
        program.write_text(KILLED)
        (tmp_path / "in.csv").write_text("x,y\n" + "".join(f"{n},{n}\n" for n in range(40)))
        done = subprocess.run(
            [sys.executable, program, tmp_path, str(kills)],
            env=os.environ | {"PYTHONPATH": f"{toys.path}:{Path(__file__).parents[1]}"},
            capture_output=True, text=True, timeout=600, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        killed, finished = json.loads(done.stdout)
        assert killed
        assert killed + finished == kills


# Forks once everything is imported, has each child killed at another step, and looks at what is left.
KILLED = """
import json, os, random, sys
from pathlib import Path
from children import killed_at, steps_of
from harness.core import plugins
from harness.datasets.export import export
from harness.core.items import Item
from harness.core.spec import make
from harness.datasets.export_parquet import rows_of_parquet
import pyarrow.parquet, matplotlib.figure, matplotlib.style, matplotlib.backends.backend_svg

base, rng, counts = Path(sys.argv[1]), random.Random(1), [0, 0]
plugin = plugins.registry().get("toy_good")


def write(out, to):
    export(plugin, make(plugin, {"dataset": str(base / "in.csv"), "out": str(out), "to": to}))


names = {"jsonl": "a.jsonl", "parquet": "a.parquet", "huggingface": "a"}
for folder in ("warm", "counted"):
    (base / folder).mkdir()
for to in names:
    write(base / "warm" / names[to], to)  # whatever is imported on the way is from here on
steps = {to: steps_of(lambda: write(base / "counted" / names[to], to)) for to in names}
for turn in range(int(sys.argv[2])):
    to = list(names)[turn % 3]
    name = names[to]
    folder = base / str(turn)
    folder.mkdir()
    child = os.fork()
    if not child:
        killed_at(rng.randint(1, steps[to] * 3 // 2))
        write(folder / name, to)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    assert os.WIFSIGNALED(status) or not status, "the export failed"
    counts[not os.WIFSIGNALED(status)] += 1
    left = {p.name for p in folder.iterdir()}
    whole = {n for n in left if not n.endswith(".partial")}
    assert whole <= {name, name + ".manifest.json"}, left
    if name not in whole:  # its manifest may be there: the file comes last
        assert whole <= {name + ".manifest.json"}, left
        write(folder / name, to)
    elif to == "jsonl":
        assert len((folder / name).read_text().splitlines()) == 40
    elif to == "parquet":
        assert len([Item.from_dict(row) for row in rows_of_parquet(folder / name)]) == 40
    else:
        assert (folder / name / "README.md").read_text().endswith("```\\n")
        assert json.loads((folder / name / "manifest.json").read_text())["items"] == 40
print(json.dumps(counts))
"""


def test_an_exported_parquet_file_is_a_dataset(good, tmp_path):
    path = tmp_path / "d.parquet"
    run(good, path, to="parquet", n=5)
    spec = make(good, {"dataset": str(path)})
    assert list(reading.records(good, spec)) == items_of(good, n=5)
    cut = tmp_path / "cut.parquet"
    cut.write_bytes(path.read_bytes()[:100])
    with pytest.raises(DatasetError, match=r"cut\.parquet: not readable as Parquet"):
        list(reading.records(good, make(good, {"dataset": str(cut)})))
