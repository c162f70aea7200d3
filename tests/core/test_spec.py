"""From words to specs: sweeps, types, ranges, suggestions, fingerprints."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from harness_errors import SpecError

from harness.core import spec as spec_module
from harness.core.features import reserved, settings
from harness.core.hookspecs import Benchmark, Metric, Strategy
from harness.core.plugins import Hook, Plugin, Registry
from harness.core.schemas import schema_errors
from harness.core.spec import make
from harness.core.words import MAX_WORD, build, parse

BENCHMARK = Benchmark(
    name="toy",
    version="1",
    summary="",
    config_schema={
        "type": "object",
        "properties": {
            "size": {"type": "integer", "minimum": 1, "maximum": 9, "default": 3},
            "ratio": {"type": "number", "default": 0.5},
            "name": {"type": "string", "default": "x"},
            "deep": {"type": "boolean", "default": False},
            "parts": {"type": "array", "items": {"type": "integer"}, "default": [1]},
            "words": {"type": "array", "items": {"type": "string"}, "default": []},
            "kind": {"enum": ["a", "b", 1], "default": "a"},
            "free": {"default": None},
            "span": {
                "type": "string",
                "pattern": "^[0-9]$",
                "default": "1",
                "description": "a digit",
            },
        },
        "additionalProperties": False,
    },
    engines=("one", "two"),
    values=("right",),
    metrics=(Metric("right", ""),),
    headline="right",
    published=(Metric("published_right", "", len),),
    choices=("yes", "no"),
    problem_schema={},
    answer_schema={},
    strategies=(
        Strategy("sketch", "draw first"),
        Strategy("staged", "part by part", stages=("lift", "translate", "ground")),
    ),
    pruning="Does this read well? {text}",
    formats=("drawn",),
    dataset_formats=("paper_csv", "paper_json"),
    presets={"paper": {"size": (2, 4), "ratio": 0.1, "n": 7, "model": "harness/random"}},
)
# As pluggy's: all that a spec asks of the hooks is whether this one is there.
OWN = [SimpleNamespace(wrapper=False, hookwrapper=False)]
HOOKS = SimpleNamespace(
    structure=Hook("toy", "structure", SimpleNamespace(get_hookimpls=lambda: OWN), 1)
)
PLUGIN = Plugin(BENCHMARK, HOOKS)
OTHER = Plugin(replace(BENCHMARK, name="other"), None)
REGISTRY = Registry({"toy": PLUGIN, "other": OTHER})
ALLOWED = (
    "n",
    "seed",
    "split",
    "unique",
    "strategy",
    "convention",
    "model",
    "temperature",
    "shots",
    "dataset",
    "gold",
    "prune_model",
)


def specs(*words, allowed=ALLOWED):
    return build(REGISTRY, ["plugin=toy", *words], allowed)


def points(key, *words):
    return [spec.config[key] for spec in specs(*words)]


def refusal(*words, **options):
    with pytest.raises(SpecError) as caught:
        specs(*words, **options)
    return str(caught.value)


def test_defaults():
    (spec,) = specs()
    assert spec.config == {
        "size": 3, "ratio": 0.5, "name": "x", "deep": False, "parts": [1], "words": [], "kind": "a",
        "free": None, "span": "1",
    }  # fmt: skip
    assert (spec.n, spec.seed, spec.split, spec.unique, spec.model) == (
        100, 0, "test", True, "harness/reference",
    )  # fmt: skip


def test_every_core_key_is_reserved():
    assert set(settings()) <= reserved()


@pytest.mark.parametrize(
    ("value", "parts"),
    [
        ("1", ["1"]),
        ("1,2", ["1", "2"]),
        (" 1 , 2 ", ["1", "2"]),
        ("[1,2]", ["[1,2]"]),
        ("[1,2],[3]", ["[1,2]", "[3]"]),
        ("[[1,2],3],4", ["[[1,2],3]", "4"]),
        ("{a: 1, b: 2},3", ["{a: 1, b: 2}", "3"]),
        ("'a,b',c", ["'a,b'", "c"]),
        ('"a,b"', ['"a,b"']),
        ('"[",1', ['"["', "1"]),
        ("a=b", ["a=b"]),
    ],
)
def test_commas_outside_brackets_and_quotes_split(value, parts):
    assert parse([f"key={value}"]) == {"key": parts}


def test_a_sweep_is_every_combination_in_the_order_given():
    got = [
        (s.config["size"], s.config["deep"], s.seed)
        for s in specs("size=1,2", "deep=true,false", "seed=5,6")
    ]
    assert got == [
        (1, True, 5), (1, True, 6), (1, False, 5), (1, False, 6),
        (2, True, 5), (2, True, 6), (2, False, 5), (2, False, 6),
    ]  # fmt: skip


def test_a_sweep_of_lists_is_written_with_brackets():
    assert points("parts", "parts=[1],[2,3],[]") == [[1], [2, 3], []]
    assert points("words", "words=[a],[b, c]") == [["a"], ["b", "c"]]
    assert len(points("parts", "parts=1,2", "size=1,2")) == 2


def test_a_sweep_over_plugins():
    both = build(REGISTRY, ["plugin=toy,other", "size=1,2"], ALLOWED)
    assert [(s.plugin, s.config["size"]) for s in both] == [
        ("toy", 1), ("toy", 2), ("other", 1), ("other", 2),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("size", "4", 4),
        ("ratio", "1", 1),
        ("ratio", "0.25", 0.25),
        ("name", "4", "4"),
        ("name", "true", "true"),
        ("name", "2024-99-99", "2024-99-99"),
        ("deep", "true", True),
        ("parts", "[1,2]", [1, 2]),
        ("parts", "[]", []),
        ("parts", "1", [1]),
        ("parts", "1, 2", [1, 2]),
        ("words", "a", ["a"]),
        ("words", "no,1", ["no", "1"]),
        ("words", "[no, 1]", ["no", "1"]),
        ("words", "['a,b']", ["a,b"]),
        ("kind", "1", 1),
        ("kind", "b", "b"),
    ],
)
def test_values_have_the_type_the_schema_wants(key, text, value):
    (got,) = points(key, f"{key}={text}")
    assert got == value
    assert type(got) is type(value)


REFUSED = [
    (["size"], "'size' is not key=value"),
    (["=3"], "'=3' is not key=value"),
    ([""], "'' is not key=value"),
    (["size="], "size=: a value is empty"),
    (["size=1,"], "size=1,: a value is empty"),
    (["size=1,,2"], "size=1,,2: a value is empty"),
    (["size=1", "size=2"], "'size' is given twice"),
    (["preset=paper", "preset=paper"], "'preset' is given twice"),
    (
        ["name=" + "x" * (MAX_WORD + 1)],
        "name: the value has 20001 characters, at most 20000 are read",
    ),
    (["sizes=1"], "unknown key 'sizes' for plugin toy; did you mean 'size'?"),
    (["seeed=1"], "unknown key 'seeed' for plugin toy; did you mean 'seed'?"),
    (["presets=paper"], "unknown key 'presets' for plugin toy; did you mean 'preset'?"),
    (["out=x.jsonl"], "'out' does not apply to this command"),
    (["workers=3"], "'workers' does not apply to this command"),
    (["size=0"], "size=0: 0 is less than the minimum of 1"),
    (["size=10"], "size=10: 10 is greater than the maximum of 9"),
    (["size=1,10"], "size=10: 10 is greater than the maximum of 9"),
    (["size=big"], "size=big: 'big' is not of type 'integer'"),
    (["size=2.5"], "size=2.5: 2.5 is not of type 'integer'"),
    (["size=true"], "size=True: True is not of type 'integer'"),
    (["size=null"], "size=None: None is not of type 'integer'"),
    (["size=[1]"], "size=[1]: [1] is not of type 'integer'"),
    (["deep=1"], "deep=1: 1 is not of type 'boolean'"),
    (["parts=x"], "parts=['x']: at 0: 'x' is not of type 'integer'"),
    (["parts=1,2,x"], "parts=[1, 2, 'x']: at 2: 'x' is not of type 'integer'"),
    (["parts={a: 1}"], "parts=[{'a': 1}]: at 0: {'a': 1} is not of type 'integer'"),
    (["parts=1,,2"], "parts=1,,2: a value is empty"),
    (
        ["parts=[1],2"],
        "parts=[1],2: expected one list, parts=a,b, or a sweep of lists, parts=[a],[b,c]",
    ),
    (["parts=[1]x"], "parts=[1]x: expected a list"),
    (["parts=[1,x]"], "parts=[1, 'x']: at 1: 'x' is not of type 'integer'"),
    (["kind=c"], "kind=c: 'c' is not one of ['a', 'b', 1]"),
    (["ratio=.nan"], "ratio=nan: not a JSON value"),
    (["ratio=.inf"], "ratio=inf: not a JSON value"),
    (["free=2024-01-02"], "free=2024-01-02: not a JSON value"),
    (["free=&a [*a]"], "free=[[...]]: not a JSON value"),
    (["parts=[1"], "parts=[1: expected a list"),
    (["n=0"], "n=0: the least is 1"),
    (["n=-1"], "n=-1: the least is 1"),
    (["n=1.5"], "n=1.5: expected an integer"),
    (["n=1e3"], "n=1e3: expected an integer"),
    (["n=many"], "n=many: expected an integer"),
    (["n=true"], "n=True: expected an integer"),
    (["n=2024-99-99"], "n=2024-99-99: expected an integer"),
    (["seed=-1"], "seed=-1: the least is 0"),
    (["unique=1"], "unique=1: expected a boolean"),
    (["unique=maybe"], "unique=maybe: expected a boolean"),
    (["temperature=hot"], "temperature=hot: expected a number"),
    (["temperature=-1"], "temperature=-1: the least is 0"),
    (["temperature=.nan"], "temperature=nan: expected a number"),
    (["temperature=.inf"], "temperature=inf: expected a number"),
    (["shots=0"], "shots=0: the least is 1"),
    (["strategy=direkt"], "no strategy 'direkt'; did you mean 'direct'?"),
    (["convention=publisht"], "convention=publisht; did you mean 'published'?"),
    (
        ["dataset=x", "seed=1"],
        "'seed' has no effect with dataset=…: its items are read, not generated",
    ),
    (
        ["dataset=x", "size=1"],
        "'size' has no effect with dataset=…: its items are read, not generated",
    ),
    (["gold=lift"], "'gold' has no effect with strategy=direct, which has no stages"),
    (
        ["gold=lift,grond", "strategy=staged"],
        "gold=grond: no stage of strategy=staged; did you mean 'ground'?",
    ),
    (
        ["gold=q", "strategy=staged"],
        "gold=q: no stage of strategy=staged; known: ground, lift, translate",
    ),
    (
        ["prune_model=harness/reference"],
        "prune_model=harness/reference: the embedded models cannot tell how a text reads",
    ),
    (["preset=papr"], "no preset 'papr'; did you mean 'paper'?"),
    (["preset=paper,paper"], "preset takes one name, not a sweep"),
]


@pytest.mark.parametrize(("words", "message"), REFUSED, ids=[" ".join(w)[:30] for w, _ in REFUSED])
def test_refused(words, message):
    assert refusal(*words) == message


@pytest.mark.parametrize("text", ["[" * 10_000, "9" * 5_000, "{" * 5_000 + "}" * 5_000])
def test_refused_however_deep_or_long(text):
    message = refusal(f"size={text}")
    assert message.startswith("size=")
    assert len(message) < 400
    assert "\n" not in message


def test_the_plugin_must_be_named():
    with pytest.raises(SpecError, match=r"plugin=… is missing; known: other, toy"):
        build(REGISTRY, ["n=3"], ALLOWED)


def test_a_preset_sets_keys_and_may_sweep():
    swept = specs("preset=paper")
    assert [s.config["size"] for s in swept] == [2, 4]
    assert {(s.config["ratio"], s.n, s.model) for s in swept} == {(0.1, 7, "harness/random")}


def test_words_override_a_preset():
    (spec,) = specs("preset=paper", "size=9", "n=8")
    assert (spec.config["size"], spec.config["ratio"], spec.n) == (9, 0.1, 8)


def test_a_preset_sets_no_key_that_the_command_does_not_take():
    assert {s.model for s in specs("preset=paper", allowed=("n",))} == {"harness/reference"}


def test_make_takes_typed_values():
    spec = make(PLUGIN, {"size": 2, "n": 5, "shots": None})
    assert (spec.config["size"], spec.n, spec.shots) == (2, 5, None)
    with pytest.raises(SpecError, match=r"unknown key 'sise'.* did you mean 'size'"):
        make(PLUGIN, {"sise": 2})
    with pytest.raises(SpecError, match="size=2: '2' is not of type"):
        make(PLUGIN, {"size": "2"})
    # What Inspect's command line makes of `-T words=a`.
    assert make(PLUGIN, {"words": "a"}).config["words"] == ["a"]


def test_make_takes_a_preset():
    spec = make(PLUGIN, {"preset": "paper", "size": 1})
    assert (spec.config["ratio"], spec.n, spec.config["size"]) == (0.1, 7, 1)


def test_a_spec_has_no_other_attributes():
    with pytest.raises(AttributeError):
        make(PLUGIN, {}).nothing  # noqa: B018 (the access is the test)


BASE = make(PLUGIN, {})
# One other value per core key; those in the first group decide which items there are.
ITEMS_DEPEND = {
    "n": 101, "seed": 1, "split": "train", "unique": False, "prune_model": "openai/gpt-5",
}  # fmt: skip
ITEMS_DO_NOT = {
    "strategy": "cot", "shots": 2, "samples": 3, "epochs": 3, "repeats": 3, "convention": "published",
    "model": "harness/random", "format": "drawn", "wrong": "drop", "out": "o", "index": 1, "log_dir": "l",
    "temperature": 0.5, "top_p": 0.5, "max_tokens": 5, "timeout": 5, "max_retries": 5,
    "max_connections": 5, "logprobs": True, "tools": "web_search",
    "tool_choice": "required", "sandbox": "docker",
    "context": "c.txt", "gold": ["lift"], "structured": True, "to": "parquet", "report": "none", "corrected": "f",
    "responses": "r.csv", "id": "number", "response": "said", "item": "3",
    "resume": False, "again": True, "engine": "ray", "workers": 2, "address": "auto", "shards": 2, "shard": "1/2",
    "redrawn": "1:1", "avoided": "x", "study": "s.yaml", "save": "s.yaml", "dry_run": True, "prices": "p.yaml",
}  # fmt: skip


def test_every_core_key_is_judged_here():
    assert {*ITEMS_DEPEND, *ITEMS_DO_NOT, "dataset"} == set(settings())


@pytest.mark.parametrize("key", ITEMS_DEPEND)
def test_fingerprint_changes_with(key):
    assert make(PLUGIN, {key: ITEMS_DEPEND[key]}).fingerprint != BASE.fingerprint


@pytest.mark.parametrize("key", ITEMS_DO_NOT)
def test_fingerprint_does_not_change_with(key):
    shown = {"shots": {"strategy": "few_shot"}, "gold": {"strategy": "staged"}}.get(key, {})
    assert make(PLUGIN, {key: ITEMS_DO_NOT[key], **shown}).fingerprint == BASE.fingerprint


def test_fingerprint_changes_with_how_records_are_read():
    read = make(PLUGIN, {"dataset": "d.json"})
    forced = [
        make(PLUGIN, {"dataset": "d.json", "format": one}) for one in ("paper_csv", "paper_json")
    ]
    assert len({spec.fingerprint for spec in (read, *forced)}) == 3


def test_a_format_of_nothing_is_refused():
    for words in ((), ("dataset=d.json",)):
        allowed = (*ALLOWED, "format")
        assert specs("format=drawn", *words, allowed=allowed)[0].format == "drawn"
        assert specs("format=paper_csv", *words, allowed=allowed)[0].format == "paper_csv"
        assert (
            refusal("format=paper_cvs", *words, allowed=allowed)
            == "no format 'paper_cvs'; did you mean 'paper_csv'?"
        )


def test_fingerprint_changes_with_configuration_plugin_and_version():
    others = [
        make(PLUGIN, {"size": 4}),
        make(OTHER, {}),
        make(Plugin(replace(BENCHMARK, version="2"), None), {}),
    ]
    assert len({spec.fingerprint for spec in [BASE, *others]}) == 4


def test_fingerprint_of_a_dataset_is_of_what_it_holds(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "a.jsonl": "1",
        "copy.jsonl": "1",
        "b": "2",
        "many/manifest.json": "3",
    }.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
    Path("link").symlink_to("a.jsonl")
    one = make(PLUGIN, {"dataset": "a.jsonl"})
    same = ("copy.jsonl", "link", str(tmp_path / "a.jsonl"), "many/../a.jsonl")
    assert {make(PLUGIN, {"dataset": name}).fingerprint for name in same} == {one.fingerprint}
    assert one.fingerprint == make(PLUGIN, {"dataset": "a.jsonl", "model": "m"}).fingerprint
    assert one.fingerprint != make(PLUGIN, {"dataset": "a.jsonl", "n": 5}).fingerprint
    others = ("b", "many", "missing", "s3://b/many")
    assert (
        len({make(PLUGIN, {"dataset": name}).fingerprint for name in others} | {one.fingerprint})
        == 5
    )
    before = one.fingerprint
    Path("a.jsonl").write_text("something else")
    assert one.fingerprint != before


def test_equal_settings_said_otherwise_are_equal():
    said = specs("size=3", "ratio=0.5", "n=100", "deep=false")[0]
    assert (said, said.fingerprint, said.config_json) == (BASE, BASE.fingerprint, BASE.config_json)


def test_a_pattern_is_told_in_words():
    with pytest.raises(SpecError, match=r"^span=-1: expected a digit$"):
        specs("span=-1")


def test_a_convention_that_is_none_is_refused():
    plain = Plugin(replace(BENCHMARK, published=()), None)
    with pytest.raises(
        SpecError,
        match=r"^convention=published: toy has no other convention of scoring than its own$",
    ):
        make(plain, {"convention": "published"})


def test_gold_is_a_list_of_stages_in_their_own_order():
    assert [s.gold for s in specs("gold=ground,lift", "strategy=staged")] == [["lift", "ground"]]
    assert [s.gold for s in specs("gold=[lift],[]", "strategy=staged")] == [["lift"], None]
    with pytest.raises(SpecError, match=r"^gold=\[1\]: expected a list"):
        make(PLUGIN, {"gold": [1], "strategy": "staged"})


def test_a_benchmark_without_a_question_refuses_a_prune_model():
    plain = Plugin(replace(BENCHMARK, pruning=""), None)
    with pytest.raises(
        SpecError, match=r"^'prune_model' does not apply to toy: it has no question"
    ):
        make(plain, {"prune_model": "openai/gpt-5"})


FILES = replace(
    BENCHMARK,
    config_schema={
        "type": "object",
        "properties": {
            "table": {"type": "string", "format": "path", "default": ""},
            "scene": {
                "type": "string",
                "format": "path",
                "x-names": ["warehouse", "harbour"],
                "default": "warehouse",
                "x-adopt": True,
            },
            "form": {
                "type": "string",
                "enum": ["long", "short"],
                "default": "long",
                "x-form": True,
                "x-adopt": ["short"],
            },
        },
        "additionalProperties": False,
    },
)


def of_files(**values):
    return make(Plugin(FILES, None), values)


def test_a_file_counts_by_its_content(tmp_path):
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    one.write_text("a,b")
    two.write_text("a,b")
    before = of_files(table=str(one))
    assert before.config["table"] == str(one)
    for same in (of_files(table=str(two)), of_files(table=str(one))):
        assert (same.fingerprint, same.config_json) == (before.fingerprint, before.config_json)
    one.write_text("a,c")
    changed = of_files(table=str(one))
    assert changed.fingerprint != before.fingerprint
    assert changed.config_json != before.config_json
    assert of_files().config_json not in (before.config_json, changed.config_json)


def test_some_values_of_a_key_may_go_with_a_dataset():
    assert of_files(dataset="d", form="short").adopting == ("form",)
    with pytest.raises(SpecError, match=r"^form=long has no effect with dataset=…; known: short$"):
        of_files(dataset="d", form="long")
    assert of_files(form="long").config["form"] == "long"


def test_a_directory_counts_by_all_it_holds(tmp_path):
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "one").write_text("1")
    before = of_files(table=str(tmp_path)).fingerprint
    (tmp_path / "below" / "one").rename(tmp_path / "below" / "two")
    renamed = of_files(table=str(tmp_path)).fingerprint
    (tmp_path / "more").write_text("2")
    assert len({before, renamed, of_files(table=str(tmp_path)).fingerprint}) == 3


def test_a_directory_is_not_read_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr(spec_module, "MAX_FILES", 2)
    for name in "abc":
        (tmp_path / name).write_text(name)
    with pytest.raises(SpecError, match=r"^table=.*: a directory of more than 2 files$"):
        of_files(table=str(tmp_path))


@pytest.mark.parametrize("name", ["missing.csv", "nul\0.csv", "a" * 5000])
def test_a_file_that_cannot_be_read_is_refused(tmp_path, name):
    with pytest.raises(SpecError, match=r"^table=.*: cannot be read: ") as caught:
        of_files(table=str(tmp_path / name))
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250


def test_a_built_in_name_is_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = of_files(scene="harbour")
    (tmp_path / "harbour").write_text("not this one")
    assert of_files(scene="harbour") == before
    assert before.files == {}
    assert before.config_json != of_files().config_json
    (tmp_path / "own.yaml").write_text("a")
    assert set(of_files(scene="own.yaml").files) == {"scene"}


def test_a_name_that_is_neither_file_nor_built_in_gets_a_hint():
    with pytest.raises(SpecError) as caught:
        of_files(scene="warehous")
    assert str(caught.value) == (
        "scene=warehous: cannot be read: No such file or directory; did you mean 'warehouse'?"
    )


def test_a_key_that_adopts_goes_with_a_dataset(tmp_path):
    plain, harbour = of_files(dataset="d"), of_files(dataset="d", scene="harbour")
    assert (plain.adopting, harbour.adopting) == ((), ("scene",))
    assert harbour.config["scene"] == "harbour"
    assert (plain.shown, harbour.shown) == ({}, {"scene": "harbour"})
    assert "dataset=d scene=harbour" in str(harbour)
    assert plain.fingerprint != harbour.fingerprint
    assert of_files(scene="harbour").adopting == ()
    with pytest.raises(SpecError, match=r"^'table' has no effect with dataset=…"):
        of_files(dataset="d", scene="harbour", table="")
    with pytest.raises(SpecError, match=r"^scene=nowhere.yaml: cannot be read"):
        of_files(dataset="d", scene="nowhere.yaml")


def test_a_form_is_no_part_of_the_seed_but_of_the_fingerprint():
    long, short = of_files(form="long"), of_files(form="short")
    assert long.config_json == short.config_json
    assert "form" not in long.config_json
    assert long.fingerprint != short.fingerprint


def test_a_key_added_later_changes_nothing_at_its_default():
    later = {"rows": {"type": "integer", "default": 2, "x-added": True}}
    schema = FILES.config_schema
    added = replace(FILES, config_schema=schema | {"properties": {**schema["properties"], **later}})
    before = of_files()
    same, other = (make(Plugin(added, None), {"rows": rows}) for rows in (2, 3))
    assert (same.fingerprint, same.config_json) == (before.fingerprint, before.config_json)
    assert same.config["rows"] == 2
    assert other.fingerprint != before.fingerprint
    assert other.config_json != before.config_json


def test_schema_errors_say_where():
    schema = {"properties": {"a": {"items": {"type": "integer"}}}, "required": ["b"]}
    assert schema_errors(schema, {"a": [1, "x"]}) == [
        "a.1: 'x' is not of type 'integer'",
        "value: 'b' is a required property",
    ]
    assert schema_errors(schema, {"a": [], "b": 0}) == []
