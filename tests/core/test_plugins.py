"""One bad plugin is named and left out; the others load and work as if it were not there."""

import random
import subprocess
import sys
from dataclasses import replace
from types import FunctionType, ModuleType

import pytest
from cases import each

from harness import Benchmark, Item, PluginError, Verdict, Weakness, hookimpl
from harness.core import fresh, hookspecs, plugins
from harness.core.contract import OPTIONAL, REQUIRED, STAGED
from harness.core.features import reserved
from harness.core.hookspecs import Metric, Strategy
from harness.core.spec import make


def module(name, **hooks):
    made = ModuleType(name)
    vars(made).update(hooks)
    return made


def fail(error):
    def loader():
        raise error

    return loader


@pytest.fixture
def toy(toys):
    """The hooks of a toy under any name, to leave out or replace some."""
    toys("Good")
    import toy_defects

    def hooks(name):
        return toy_defects.Good(name).hooks()

    return hooks


@pytest.fixture
def load(toy):
    """Load a module (or what a loader raises) between two good ones; return the registry."""

    def between(name, what):
        good = {n: module(n, **toy(n)) for n in ("aaa", "zzz")}
        loader = what if callable(what) else lambda: what
        return plugins.load(
            [
                ("aaa", lambda: good["aaa"], "", "aaa"),
                (name, loader, "", name),
                ("zzz", lambda: good["zzz"], "", "zzz"),
            ]
        )

    return between


def works(registry, name):
    plugin = registry.get(name)
    items = list(fresh.items(plugin, make(plugin, {"n": 3})))
    judged = [plugin.call("score", item=item, completion=item.target) for item in items]
    return (
        all(item.plugin == name and item.prompt.startswith(f"[{name}]") for item in items)
        and [found.value["correct"] for found in judged] == [1.0] * 3
    )


def described(toy, **changes):
    hooks = toy("bad")
    benchmark = replace(hooks["describe"](), **changes)

    @hookimpl
    def describe():
        return benchmark

    return module("bad", **{**hooks, "describe": describe})


def property_schema(**keys):
    return {"type": "object", "properties": keys}


WRONG_DESCRIPTIONS = [
    ({"name": "worse"}, "entry point 'bad' describes itself as 'worse'"),
    ({"config_schema": {"properties": {}}}, "config_schema must be a JSON Schema of type object"),
    ({"config_schema": property_schema(size={})}, "config key 'size' has no default"),
    ({"config_schema": None}, "AttributeError: 'NoneType' object has no attribute 'get'"),
    ({"headline": "fame"}, "headline 'fame' is not one of its metrics"),
    (
        {"metrics": (Metric("fame", ""),), "headline": "fame"},
        "metric 'fame' has neither compute nor each and is no key of values",
    ),
    (
        {"metrics": (Metric("fame", "", len, each=lambda row: 1.0),), "headline": "fame"},
        "metric 'fame' has both compute and each; leave one out",
    ),
    ({"agreement": "fame"}, "agreement 'fame' is no key of values"),
    ({"values": (), "metrics": (Metric("correct", "", len),)}, "names no values"),
    ({"engines": ()}, "names no engines"),
    ({"choices": ()}, "names no choices"),
    ({"groups": ("a", "b"), "tags": ("b",)}, "'b' is both a group and a tag"),
    (
        {"values": ("correct", "n")},
        "'n' is a number of the core's own; call the metric otherwise",
    ),
    (
        {"metrics": (Metric("output_tokens", "", len),), "headline": "output_tokens"},
        "'output_tokens' is a number of the core's own; call the metric otherwise",
    ),
    (
        {"config_schema": property_schema(top={"default": 1, "x-names": ["a"]})},
        'config key \'top\' has x-names, which go with "format": "path" only',
    ),
    (
        {"strategies": (Strategy("parts", "", stages=("a", "b")),)},
        "strategy 'parts' has stages but the plugin lacks the hook stage_prompt()",
    ),
    (
        {"pruning": "Is it good?"},
        "pruning lacks {text}, the place of the text that is asked about",
    ),
    (
        {"pruning": "Is it good? {text}"},
        "pruning asks about an item's text, but render() has no format 'text'",
    ),
    ({"presets": {"big": {"sise": 3}}}, "preset 'big' sets the unknown key 'sise'"),
    ({"dataset_formats": "csv"}, "dataset_formats must be a tuple of names"),
    ({"dataset_formats": (3,)}, "dataset_formats must be a tuple of names"),
    (
        {"dataset_formats": ("a,b",)},
        "dataset_formats: 'a,b' is no name (small letters, digits and _)",
    ),
    ({"dataset_formats": ("a", "a")}, "'a' is the name of two formats"),
    ({"formats": ("a",), "dataset_formats": ("a",)}, "'a' is the name of two formats"),
    (
        {"weaknesses": ("dull",)},
        "weaknesses must be a mapping from kinds to Weakness(meaning, level)",
    ),
    (
        {"weaknesses": {"dull": "x"}},
        "weaknesses must be a mapping from kinds to Weakness(meaning, level)",
    ),
    (
        {"weaknesses": {"So dull": Weakness("x", "note")}},
        "weaknesses: 'So dull' is no name (small letters, digits and _)",
    ),
    (
        {"weaknesses": {"dull": Weakness("x\ny", "note")}},
        "weaknesses: 'dull' is not explained in one line",
    ),
    (
        {"weaknesses": {"dull": Weakness(" ", "note")}},
        "weaknesses: 'dull' is not explained in one line",
    ),
    (
        {"weaknesses": {"dull": Weakness("x", "bad")}},
        "weaknesses: 'dull' has the level 'bad', expected one of grave, by_design, note",
    ),
    ({"weaknesses": {"dull": Weakness("x", "note")}}, "has weaknesses but no audit()"),
]


@pytest.mark.parametrize(("changes", "reason"), WRONG_DESCRIPTIONS)
def test_a_wrong_description_is_named(load, toy, changes, reason):
    registry = load("bad", described(toy, **changes))
    assert registry.failures == {"bad": reason}
    assert sorted(registry.benchmarks) == ["aaa", "zzz"]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        (
            {"stages": ("a", "b c")},
            "strategy 'parts' has stages, but 'b c' cannot be the name of one",
        ),
        ({"stages": ("a", "")}, "strategy 'parts' has stages, but '' cannot be the name of one"),
        ({"stages": ("a", "b", "a")}, "strategy 'parts' has stages, two of one name"),
        *(
            (
                {key: value},
                "strategy 'parts' has stages; suffix, examples, rationale and steps do not "
                "combine with them",
            )
            for key, value in (
                ("suffix", "x"),
                ("examples", True),
                ("rationale", True),
                ("steps", ("x",)),
            )
        ),
    ],
)
def test_a_wrong_strategy_in_stages_is_named(load, toy, changes, reason):
    @hookimpl
    def hook():
        """Take nothing and return nothing."""

    plan = Strategy(**({"name": "parts", "summary": "", "stages": ("a",)} | changes))
    made = described(toy, strategies=(plan,))
    vars(made).update(dict.fromkeys(STAGED, hook))
    assert load("bad", made).failures == {"bad": reason}


@hookimpl
def nothing():
    """Take nothing and return nothing, as any hook may."""


@pytest.mark.parametrize(
    ("hooks", "changes", "reason"),
    [
        ({"publish": nothing}, {}, "has publish() but names no dataset_formats"),
        ({"audit": nothing}, {}, "has audit() but no weaknesses"),
        ({"shortcuts": nothing}, {}, "has shortcuts() but lacks the hook shortcut()"),
        ({"shortcut": nothing}, {}, "has shortcut() but lacks the hook shortcuts()"),
        ({}, {"shortcut_ceiling": 0.5}, "has a shortcut_ceiling but lacks the hook shortcuts()"),
        ({}, {"shortcut_ceiling": "low"}, "shortcut_ceiling must be a number from 0 to 1"),
        ({}, {"levels": ({},)}, "levels must be the settings of difficulty=1 to 10, not 1 of them"),
        ({}, {"levels": ({"size": 1},) * 10}, "difficulty=1 sets the unknown key 'size'"),
        (
            {"adopt": None},
            {"dataset_formats": ("a",)},
            "names dataset_formats but lacks the hook adopt()",
        ),
        (
            {"publish": nothing, "audit": nothing, "readings": nothing},
            {
                "dataset_formats": ("paper_csv", "a_2"),
                "weaknesses": {"dull": Weakness("says nothing", "grave")},
            },
            None,
        ),
    ],
)
def test_hooks_of_published_datasets_go_with_what_is_said_of_them(
    load, toy, hooks, changes, reason
):
    made = described(toy, **changes)
    for name, hook in hooks.items():
        vars(made)[name] = hook
        if hook is None:
            del vars(made)[name]
    assert load("bad", made).failures == ({"bad": reason} if reason else {})


@pytest.mark.parametrize("takes_format", [False, True])
def test_adopting_may_leave_out_the_format(toy, takes_format):
    @hookimpl
    def plain(record, config):
        return [record, config]

    @hookimpl
    def formatted(record, config, format):  # noqa: A002 (the hook's own name)
        return [record, config, format]

    made = module("aaa", **(toy("aaa") | {"adopt": formatted if takes_format else plain}))
    plugin = plugins.load([("aaa", lambda: made, "", "")]).get("aaa")
    found = plugin.hooks.adopt(record={"x": 1}, config={"y": 2}, format="z")
    assert found == [{"x": 1}, {"y": 2}, "z"][: 3 if takes_format else 2]


@pytest.mark.parametrize("key", sorted(reserved()))
def test_a_reserved_config_key_is_refused(load, toy, key):
    registry = load("bad", described(toy, config_schema=property_schema(**{key: {"default": 1}})))
    assert registry.failures == {"bad": f"config key '{key}' is reserved for the core; rename it"}


def no_benchmark(toy):
    @hookimpl
    def describe():
        return {"name": "bad"}

    return module("bad", **{**toy("bad"), "describe": describe})


def raising(error):
    def make_module(toy):
        @hookimpl
        def describe():
            raise error

        return module("bad", **{**toy("bad"), "describe": describe})

    return make_module


def lacking(hook):
    def make_module(toy):
        hooks = toy("bad")
        del hooks[hook]
        return module("bad", **hooks)

    return make_module


def typo(toy):
    @hookimpl
    def genrate(config):
        return None

    return module("bad", **toy("bad"), genrate=genrate)


def wrong_signature(toy):
    @hookimpl
    def score(item, text):
        return None

    return module("bad", **{**toy("bad"), "score": score})


WRONG_MODULES = [
    (no_benchmark, "describe() returned dict, expected Benchmark"),
    (raising(RuntimeError("no licence\nfor this")), "RuntimeError: no licence"),
    (raising(SystemExit(3)), "SystemExit: 3"),
    *((lacking(hook), f"lacks the hook {hook}()") for hook in REQUIRED),
    (lacking("describe"), "has adopt() but no describe()"),
    (typo, "unknown hook 'genrate'; did you mean 'generate'?"),
    (
        wrong_signature,
        "score(item, text): there is no argument 'text': "
        "the hook is score(item: Item, completion: str, explain: bool) -> Verdict",
    ),
    (lambda toy: module("bad"), "implements no hook"),
]


@pytest.mark.parametrize(("make_module", "reason"), WRONG_MODULES)
def test_a_wrong_module_is_named_and_leaves_nothing_behind(load, toy, make_module, reason):
    registry = load("bad", make_module(toy))
    assert registry.failures == {"bad": reason}
    assert works(registry, "aaa")
    assert works(registry, "zzz")
    with pytest.raises(PluginError) as caught:
        registry.get("bad")
    assert str(caught.value) == f"plugin 'bad' could not be loaded: {reason}"


@pytest.mark.parametrize(
    "error", [ImportError("no module spam"), SystemExit("bye"), SyntaxError("odd"), KeyError("x")]
)
def test_a_failing_import_is_named(load, error):
    registry = load("bad", fail(error))
    assert list(registry.failures) == ["bad"]
    assert registry.failures["bad"].startswith(type(error).__name__)
    assert works(registry, "aaa")
    assert works(registry, "zzz")


def test_ctrl_c_during_an_import_is_no_failure_of_the_plugin(load):
    with pytest.raises(KeyboardInterrupt):
        load("bad", fail(KeyboardInterrupt()))


def test_of_two_with_one_name_neither_is_had(load, toy):
    registry = load("aaa", module("aaa2", **toy("aaa")))
    assert registry.failures == {"aaa": "two installed plugins are called 'aaa'"}
    assert list(registry.benchmarks) == ["zzz"]
    assert works(registry, "zzz")


def test_one_module_under_two_names_stays_what_it_was(toy):
    good = module("aaa", **toy("aaa"))
    registry = plugins.load([("aaa", lambda: good, "", ""), ("bbb", lambda: good, "", "")])
    assert list(registry.failures) == ["bbb"]
    assert works(registry, "aaa")


def test_an_unknown_name_gets_a_suggestion(load, toy):
    registry = load("middle", module("middle", **toy("middle")))
    with pytest.raises(PluginError, match="no plugin 'midle'; did you mean 'middle'"):
        registry.get("midle")
    with pytest.raises(PluginError, match="no plugin 'q'; known: aaa, middle, zzz"):
        registry.get("q")
    with pytest.raises(PluginError, match="\\[\\]: expected the name of a plugin"):
        registry.get([])


def test_the_environments_own_registry(toys):
    registry = plugins.registry()
    assert {"toy_good", "toy_slow"} <= set(registry.benchmarks)
    assert list(registry.wrappers) == ["toy_wrapper"]
    assert registry.get("toy_good").distribution == "toys"
    assert registry.get("toy_good").source == "toy_good"


@pytest.mark.parametrize("point", ["bad =", "bad = 3 spams", "bad = no_such_module:spam"])
def test_a_malformed_entry_point_stops_nothing(toys, tmp_path, point):
    """In a fresh process, as importlib reads it."""
    info = tmp_path / "bad-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: bad\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[harness]\n{point}\n")
    code = "from harness.core.plugins import registry; r = registry(); print(*r.failures, *r.benchmarks)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": f"{tmp_path}:{toys.path}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert {"bad", "toy_good", "toy_slow"} <= set(done.stdout.split())


class TestWrapper:
    @pytest.fixture
    def wrapper(self, toys, monkeypatch):
        import toy_wrapper

        monkeypatch.setattr(toy_wrapper, "judged", [])
        return toy_wrapper

    def test_it_is_no_benchmark(self, toys, wrapper):
        registry = toys.registry("Good", wrapper=True)
        assert (list(registry.benchmarks), list(registry.wrappers)) == (
            ["toy_good"],
            ["toy_wrapper"],
        )

    def test_it_sees_the_calls_of_every_benchmark(self, toys, wrapper):
        registry = toys.registry("Good", "Slow", wrapper=True)
        assert works(registry, "toy_good")
        assert works(registry, "toy_slow")
        assert len(wrapper.judged) == 6

    def test_it_wraps_whichever_comes_first(self, toys, wrapper):
        assert works(plugins.registry(), "toy_good")
        assert len(wrapper.judged) == 3

    def test_a_rewritten_prompt_makes_another_item_that_is_still_sound(
        self, toys, wrapper, monkeypatch
    ):
        plain = toys("Good")
        spec = make(plain, {"n": 3})
        monkeypatch.setattr(wrapper, "prefix", "Dear model! ")
        wrapped = toys("Good", wrapper=True)
        for before, after in zip(fresh.items(plain, spec), fresh.items(wrapped, spec), strict=True):
            assert after.prompt == "Dear model! " + before.prompt
            assert after.id != before.id
            assert type(after).from_dict(after.to_dict()) == after

    def test_its_failure_is_an_error_of_ours_to_show(self, toys, wrapper, monkeypatch):
        monkeypatch.setattr(wrapper, "prefix", 3)
        plugin = toys("Good", wrapper=True)
        with pytest.raises(
            PluginError,
            match=r"^wrapper 'toy_wrapper': generate\(\) of 'toy_good' failed: TypeError",
        ):
            fresh.item_at(plugin, make(plugin, {}), 0)


def test_dispatch_reaches_only_the_benchmark_named(toys):
    registry = toys.registry("Good", "WrongLabel", "Greedy", "Raising")
    good = registry.get("toy_good")
    assert works(registry, "toy_good")
    assert good.call("read", prompt="[toy_greedy] anything") is None
    assert registry.get("toy_greedy").call("read", prompt="anything") == {"a": 0, "b": 0}


def test_an_optional_hook_may_be_missing(toy):
    hooks = {k: v for k, v in toy("aaa").items() if k not in OPTIONAL}
    made = module("aaa", **hooks)
    plugin = plugins.load([("aaa", lambda: made, "", "")]).get("aaa")
    item = fresh.item_at(plugin, make(plugin, {}), 0)
    arguments = {
        "adopt": {"record": {}, "config": {}, "format": ""},
        "publish": {"item": item, "format": "x", "record": {}},
        "audit": {"item": item},
        "readings": {"item": item},
        "shortcuts": {},
        "shortcut": {"item": item, "name": "x", "rng": random.Random(0)},
        "capacity": {"config": {}},
        "explain": {"item": item},
        "trace": {"item": item},
        "reread": {"item": item, "text": ""},
        "prove": {"item": item},
        "render": {"item": item, "format": "x"},
        "about": {"config": {}, "salt": ""},
        "structure": {"item": item},
        "stage_prompt": {"item": item, "stage": "x", "replies": {}},
        "stage_gold": {"item": item, "stage": "x"},
        "stage_join": {"item": item, "replies": {}},
    }
    for hook in OPTIONAL:
        if hook in STAGED:  # called only for strategies in stages, which need them
            with pytest.raises(PluginError, match=rf"{hook}\(\) returned NoneType, expected str"):
                plugin.call(hook, **arguments[hook])
        else:
            assert plugin.call(hook, **arguments[hook]) is None


def test_what_a_hook_raises_becomes_one_line(toys):
    plugin = toys("Raising")
    with pytest.raises(PluginError) as caught:
        plugin.call(
            "generate",
            config={"top": 9},
            index=3,
            rng=random.Random(0),
            salt="",
            split="test",
            attempt=0,
        )
    assert str(caught.value) == (
        "plugin 'toy_raising': generate() failed: ZeroDivisionError: no such sum"
    )


def test_our_own_errors_pass_unchanged(toys):
    plugin = toys("Good")
    with pytest.raises(PluginError, match=r"^no format tex$"):
        plugin.call("render", item=fresh.item_at(plugin, make(plugin, {}), 0), format="tex")


def test_the_public_description_is_frozen(toys):
    benchmark = toys("Good").benchmark
    assert isinstance(benchmark, Benchmark)
    with pytest.raises(AttributeError):
        benchmark.version = "9"


@each(
    "make, said",
    [
        (
            lambda: Benchmark(name="x", version="1"),
            "Benchmark lacks 'summary', 'config_schema', 'engines', ",
        ),
        (lambda: Item("toy", "1", "a prompt"), "Item lacks 'target' and 'problem'"),
        (lambda: Metric("f1"), "Metric lacks 'summary'"),
        (lambda: Metric("f1", "mean", computed=sum), "Metric has no field 'computed'"),
        (lambda: Verdict("scored", {}, extras={}), "Verdict has no field 'extras'"),
        (lambda: len(), "TypeError: len() takes exactly one argument"),
    ],
)
def test_a_field_that_is_missing_or_unknown_is_named(make, said):
    module = ModuleType("fieldless")
    module.describe = hookimpl(lambda: make())
    for name in REQUIRED:
        if name != "describe":
            code = getattr(hookspecs, name).__code__  # a function of its own: it is marked
            setattr(module, name, hookimpl(FunctionType(code, {}, name)))
    found = plugins.load([("fieldless", lambda: module, "", "fieldless")])
    assert found.failures["fieldless"].startswith(said)
