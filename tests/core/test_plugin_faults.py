"""Whatever a plugin does wrong: one line that names it and the hook, or one counted outcome; the rest goes on."""

import contextlib
import dataclasses
import json
import random
import signal
import subprocess
import sys
import threading
import time
from types import ModuleType, SimpleNamespace

import harness_guard
import pytest
from cases import each, slow
from pace import pace

from harness import PluginError, hookimpl
from harness.cli import main
from harness.cli.command import commands
from harness.core import fresh, limits, plugins
from harness.core.contract import OPTIONAL, REQUIRED
from harness.core.features import reserved, settings
from harness.core.items import Item
from harness.core.spec import make

NAME = "toy_faulty"
LONG = 900  # seconds that no honest hook needs, however busy the machine is; one that hangs does not wait for them


def install(folder, distribution, version, points, **modules):
    """Put a distribution there, as pip does."""
    folder.mkdir(exist_ok=True)
    info = folder / f"{distribution.replace('-', '_')}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n"
    )
    lines = "".join(f"{name} = {value}\n" for name, value in points.items())
    (info / "entry_points.txt").write_text(f"[harness]\n{lines}")
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text)


@pytest.fixture(scope="module")
def site(toys, tmp_path_factory):
    """The benchmark with every hook, installed beside the good one."""
    folder = tmp_path_factory.mktemp("faulty")
    install(folder, "toy-faulty", "1", {NAME: NAME})
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        plugins.registry.cache_clear()
        yield folder
    plugins.registry.cache_clear()


@pytest.fixture
def faults(site, monkeypatch):
    """Say what the plugin is to do in which hook."""
    return lambda told: monkeypatch.setenv("HARNESS_TOY_FAULT", told)


@pytest.fixture
def plugin(site):
    return plugins.registry().get(NAME)


def limited(plugin, seconds):
    hooks = {n: dataclasses.replace(h, seconds=seconds) for n, h in vars(plugin.hooks).items()}
    return dataclasses.replace(plugin, hooks=SimpleNamespace(**hooks))


@pytest.fixture
def harness(faults, tmp_path, monkeypatch, capsys):
    """Run a command on the plugin that does this; return exit code, JSON and standard error."""
    monkeypatch.chdir(tmp_path)

    def call(told, command, *words):
        faults(told)
        code = main.main([command, f"plugin={NAME}", *words, "--json"])
        said = capsys.readouterr()
        return code, json.loads(said.out), said.err

    return call


def arguments(plugin, index=1):
    """What each hook is called with."""
    item = fresh.item_at(plugin, make(plugin, {}), index)
    own = {"item": item}
    return {
        "generate": {"config": {"top": 9, "style": "plain"}, "index": index,
                     "rng": random.Random(0), "salt": "", "split": "test", "attempt": 0},
        "solve": {"problem": item.problem, "engine": "arithmetic"},
        "read": {"prompt": item.prompt},
        "score": {**own, "completion": item.target},
        "check": own,
        "adopt": {"record": {"x": "1", "y": "2"}, "config": {"style": "plain"}, "format": ""},
        "publish": {**own, "format": "toy_csv", "record": {}},
        "audit": own,
        "readings": own,
        "shortcuts": {},
        "shortcut": {**own, "name": "first", "rng": random.Random(0)},
        "capacity": {"config": {"top": 9}},
        "explain": own,
        "trace": own,
        "reread": {**own, "text": item.target},
        "prove": own,
        "render": {**own, "format": "sum"},
        "about": {"config": {"top": 9}, "salt": ""},
        "structure": own,
        "stage_prompt": {**own, "stage": "first", "replies": {}},
        "stage_gold": {**own, "stage": "first"},
        "stage_join": {**own, "replies": {"total": ""}},
    }  # fmt: skip


def failure(plugin, hook, given):
    with pytest.raises(PluginError) as caught:
        plugin.call(hook, **given)
    return str(caught.value)


RAISED = (
    ("raise", "KeyError: 'slip\\nof the pen'"),
    ("exit", "SystemExit: bye"),
    ("memory", "MemoryError"),
    ("cancel", "CancelledError: all"),
    ("speechless", "SpeechlessError"),
    ("recursion", "RecursionError: maximum recursion depth exceeded"),
)


def test_whatever_a_hook_raises_is_one_line_that_names_it(faults, plugin):
    given = arguments(plugin)
    assert set(given) == {*REQUIRED, *OPTIONAL}
    for hook in given:
        for fault, said in RAISED:
            faults(f"{hook}={fault}")
            assert failure(plugin, hook, given[hook]).startswith(
                f"plugin '{NAME}': {hook}() failed: {said}"
            )
    faults("score=none")
    assert plugin.call("check", **given["check"]) == []


def test_every_hook_that_does_not_return_is_interrupted(faults, plugin):
    given, brief = arguments(plugin), limited(plugin, 0.02)
    for hook in given:
        faults(f"{hook}=stubborn")
        said = failure(brief, hook, given[hook])
        assert said == f"plugin '{NAME}': {hook}() took longer than 0.02 s"
    for fault in ("loop", "sleep", "swallow"):
        faults(f"score={fault}")
        said = failure(brief, "score", given["score"])
        assert said == f"plugin '{NAME}': score() took longer than 0.02 s"


def test_ctrl_c_is_no_failure_of_a_hook(plugin, monkeypatch):
    def interrupted(**_):
        raise KeyboardInterrupt

    hook = dataclasses.replace(plugin.hooks.score, caller=interrupted)
    with pytest.raises(KeyboardInterrupt):
        hook(item=None, completion="")


BREACHES = (
    ("generate", "none", "NoneType"),
    ("generate", "number", "int"),
    ("generate", "nan_problem", "a problem that is not JSON: ValueError"),
    ("generate", "deep_problem", "a problem that is not JSON: RecursionError"),
    ("generate", "nan_feature", "features that are not JSON: ValueError"),
    ("generate", "nan_certificate", "a certificate that is not JSON: ValueError"),
    ("generate", "set_note", "notes that are not JSON: TypeError"),
    ("generate", "half_feature", "an item whose features holds half a surrogate pair"),
    ("generate", "half_prompt", "an item whose prompt holds half a surrogate pair"),
    ("generate", "number_prompt", "an item whose prompt is int, expected str"),
    ("generate", "number_target", "an item whose target is int, expected str"),
    ("generate", "list_features", "an item whose features is list, expected dict"),
    ("generate", "list_notes", "an item whose notes is list, expected dict"),
    ("generate", "number_family", "an item whose family is int, expected str"),
    ("generate", "word_family", "an item whose family is not 12 hexadecimal digits"),
    ("generate", "huge", "an item of 10,000,"),
    ("adopt", "number", "int, expected an item or None"),
    ("adopt", "nan_feature", "features that are not JSON: ValueError"),
    ("solve", "text", "str, expected Solution"),
    ("solve", "none", "NoneType, expected Solution"),
    ("read", "nan", "what is not JSON: ValueError"),
    ("read", "set", "what is not JSON: TypeError"),
    ("check", "none", "NoneType 'None', expected a list of strings"),
    ("check", "numbers", "list '[1, 2]', expected a list of strings"),
    ("check", "text", "str 'three', expected a list of strings"),
    ("audit", "number", "int, expected a list"),
    ("readings", "number", "int, expected a dict"),
    ("shortcuts", "number", "what is no tuple of Shortcut"),
    ("shortcut", "number", "int, expected str"),
    ("capacity", "text", "str 'three', expected a number of items or None"),
    ("capacity", "minus", "int '-1', expected a number of items or None"),
    ("capacity", "nan", "float 'nan', expected a number of items or None"),
    ("explain", "number", "int, expected str or None"),
    ("score", "none", "NoneType, expected Verdict"),
    ("score", "number", "int, expected Verdict"),
    ("score", "hostile_answer", "what cannot be looked at (KeyError)"),
    ("score", "huge_value", "a verdict with a number beyond all bounds"),
    ("score", "half_explanation", "a verdict with half a surrogate pair"),
    *(
        ("score", fault, f"a verdict that breaks the contract: {said}")
        for fault, said in (
            ("nan_value", "value['correct'] is nan"),
            ("inf_value", "value['correct'] is inf"),
            ("text_value", "value['correct'] is '1.0'"),
            ("other_keys", "value has keys ['right'], expected ['correct']"),
            ("no_value", "value is NoneType"),
            ("outcome", "outcome 'wrong' is not one of"),
            ("paid", "an unparsed answer has a value other than 0"),
            ("number_answer", "answer is int"),
            ("number_explanation", "explanation is int"),
            ("outcome_fact", "extra['outcome'] would replace"),
            ("nan_fact", "extra['length'] is nan"),
        )
    ),
)


@each("hook, fault, said", BREACHES)
def test_what_a_hook_must_not_return_is_named(faults, plugin, hook, fault, said):
    faults("")
    given = arguments(plugin)[hook]
    faults(f"{hook}={fault}")
    assert failure(plugin, hook, given).startswith(f"plugin '{NAME}': {hook}() returned {said}")


def test_an_id_of_the_plugins_own_making_counts_for_nothing(faults, plugin):
    spec = make(plugin, {"n": 2})
    faults("")
    right = [item.id for item in fresh.items(plugin, spec)]
    faults("generate=foreign_id")
    assert [item.id for item in fresh.items(plugin, spec)] == right


# One line, which names plugin and hook, and no file.
COMMANDS = (
    ("capacity", "describe"),
    ("generate", "generate", "n=3", "out=d.jsonl"),
    ("about", "generate", "n=1", "out=a.jsonl"),
    ("render", "show", "format=sum"),
    ("adopt", "show", "dataset=r.csv"),
    ("publish", "export", "n=1", "out=p.json", "to=published", "format=toy_json"),
    ("structure", "run", "n=1", "structured=yes"),
    ("explain", "run", "n=1", "strategy=few_shot_cot"),
)


@each("words", COMMANDS)
def test_a_command_that_calls_it_ends_in_one_line(harness, tmp_path, words):
    (tmp_path / "r.csv").write_text("x,y\n1,2\n")
    hook, *command = words
    for fault, said in RAISED[:2]:
        code, found, err = harness(f"{hook}={fault}", *command)
        line = f"plugin '{NAME}': {hook}() failed: {said}"
        assert code == 2
        assert found["error"]["message"].endswith(line)
        assert [one for one in err.splitlines() if "Traceback" in one or "harness:" in one] == [
            f"harness: {found['error']['message']}"
        ]
        assert not (tmp_path / "d.jsonl").exists()
        assert not (tmp_path / "p.json").exists()


def test_an_endless_generator_ends_in_one_line_and_keeps_what_it_made(
    harness, plugin, tmp_path, monkeypatch
):
    monkeypatch.setitem(plugins.registry().benchmarks, NAME, limited(plugin, LONG))
    words = ("generate", "n=3", "out=d.jsonl")
    code, found, _ = harness("generate=loop@2", *words)
    assert (code, found["error"]["message"]) == (
        2,
        f"plugin '{NAME}': generate() took longer than {LONG} s",
    )
    made = (tmp_path / "d.jsonl.partial").read_text()
    assert [json.loads(line)["index"] for line in made.splitlines()] == [0, 1]
    code, found, _ = harness("", *words)
    assert (code, found["items"]) == (0, 3)
    assert (tmp_path / "d.jsonl").read_text().startswith(made)


@slow
@each(
    "fault, said",
    [
        ("stubborn", f"took longer than {LONG} s"),
        ("swallow", f"took longer than {LONG} s"),
        ("exit", "failed: SystemExit: bye"),
        ("nan_value", "returned a verdict that breaks the contract: value['correct'] is nan"),
    ],
)
def test_a_run_goes_on_without_the_score_of_the_item_that_failed(
    harness, plugin, monkeypatch, fault, said
):
    monkeypatch.setitem(plugins.registry().benchmarks, NAME, limited(plugin, LONG))
    code, found, _ = harness(f"score={fault}@1", "run", "n=3")
    (result,) = found["results"]
    assert (code, result["n"], result["unscored"], result["unparsed"]) == (1, 3, 1, 0.0)
    assert result["metrics"]["correct"]["value"] == 1.0
    assert result["floors"]["constant"]["correct"] >= 0
    (reason,) = result["errors"]
    assert f"plugin '{NAME}': score() {said}" in reason


@slow
def test_an_audit_names_each_hook_that_failed(harness):
    told = "read=memory,check=exit,audit=number,readings=raise"
    code, found, _ = harness(told, "verify", "n=1", "report=none")
    assert code == 1
    assert (found["agree"], found["prompts"]["failed"]) == (1, 1)
    said = json.dumps(found)
    for line in (
        "read() failed: MemoryError",
        "check() failed: SystemExit: bye",
        "audit() returned int, expected a list",
        "readings() failed: KeyError",
    ):
        assert f"plugin '{NAME}': {line}" in said
    told = "solve=exit"
    code, found, _ = harness(told, "verify", "n=1", "report=none")
    assert code == 1
    assert (found["agree"], found["undecided"], found["wrong"]) == (0, 1, 0)
    assert f"plugin '{NAME}': solve() failed: SystemExit: bye" in json.dumps(found)


def test_prints_and_warnings_stay_out_of_the_result(harness):
    with pytest.warns(DeprecationWarning, match="this is deprecated"):
        code, found, err = harness("generate=noise,about=noise", "show", "n=2")
    assert (code, len(found["items"])) == (0, 2)
    assert err.count('{"broken": ') == 3


@slow
def test_a_kit_that_calls_hooks_itself_is_not_ended_by_one(harness):
    code, found, _ = harness("check=exit,stage_join=noise", "check", "n=3")
    failures = {one["name"]: one["failure"] for one in found["checks"] if one["failure"]}
    assert code == 1
    assert f"plugin '{NAME}': check() failed: SystemExit: bye" in failures["certificates"]


# Limits.


def test_a_limited_call_leaves_the_alarm_as_it_was():
    def mine(*_):
        """Never rings."""

    def left():
        return signal.getitimer(signal.ITIMER_REAL)[0]

    for before in (signal.SIG_DFL, signal.SIG_IGN, mine):
        old = signal.signal(signal.SIGALRM, before)
        try:
            assert LONG / 2 < limits.call(left, {}, LONG) <= LONG
            with pytest.raises(limits.TooLongError):
                limits.call(lambda: time.sleep(9), {}, 0.01)
            assert signal.getsignal(signal.SIGALRM) == before
            assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
        finally:
            signal.signal(signal.SIGALRM, old)


def test_an_alarm_that_is_set_already_is_left_alone():
    rung = []

    def sleep():
        signal.setitimer(signal.ITIMER_REAL, 0.05)  # sooner: what was left, and whose it was, stays
        while not rung:
            time.sleep(0.01)

    old = signal.signal(signal.SIGALRM, lambda *_: rung.append(time.monotonic()))
    signal.setitimer(signal.ITIMER_REAL, LONG)
    try:
        limits.call(sleep, {}, 0.01)
        assert len(rung) == 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


def test_a_call_within_a_call_keeps_the_outer_limit(plugin, faults):
    faults("capacity=stubborn")
    given = {"config": {"top": 9}}
    assert plugin.hooks.capacity.seconds > LONG
    with pytest.raises(limits.TooLongError, match=r"longer than 0\.05 s"):
        limits.call(lambda: plugin.call("capacity", **given), {}, 0.05)
    # And the other way round: the inner one, though shorter, does not end the outer one's time.
    brief = limited(plugin, 0.01)
    faults("")
    limits.call(lambda: brief.call("capacity", **given), {}, LONG)
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0


def test_elsewhere_than_in_the_main_thread_nothing_is_limited():
    found = []
    thread = threading.Thread(
        target=lambda: found.append(limits.call(lambda: time.sleep(0.05) or 3, {}, 0.01))
    )
    thread.start()
    thread.join()
    assert found == [3]


@slow
def test_the_alarm_of_a_guarded_worker_is_its_own(site):
    assert harness_guard.call("toy_faulty:watched", seconds=LONG) == [True] * 6


def test_a_late_alarm_hits_nobody():
    for _ in range(300):  # the alarm rings about when the call returns
        with contextlib.suppress(limits.TooLongError):
            limits.call(lambda: time.sleep(0.001), {}, 0.0011)
    time.sleep(0.005)


@slow
def test_a_limited_call_is_cheap():
    times = []
    for _ in range(20):
        start = time.process_time()
        for _ in range(500):
            limits.call(int, {}, 60)
        times.append((time.process_time() - start) / 500)
    assert min(times) < 2e-5 * pace()  # 3 µs here


@each("given", ["", "abc", "0", "-1", "nan", "inf", "1e9", "1,5", "0.0001"])
def test_a_wrong_limit_is_one_line(harness, monkeypatch, given):
    monkeypatch.setenv("HARNESS_HOOK_SECONDS", given)
    plugins.registry.cache_clear()
    try:
        code, found, _ = harness("", "show")
    finally:
        plugins.registry.cache_clear()
    assert code == 2
    assert found["error"]["kind"] == "SpecError"
    assert found["error"]["message"] == " ".join(
        f"HARNESS_HOOK_SECONDS={given}: expected a number of seconds from 0.001 to 86,400".split()
    )


def test_the_environment_sets_every_limit(site, monkeypatch):
    monkeypatch.setenv("HARNESS_HOOK_SECONDS", "7.5")
    plugins.registry.cache_clear()
    own = plugins.registry().get(NAME)
    plugins.registry.cache_clear()
    assert {hook.seconds for hook in vars(own.hooks).values()} == {7.5}
    monkeypatch.delenv("HARNESS_HOOK_SECONDS")
    own = plugins.registry().get(NAME)
    assert {own.hooks.generate.seconds, own.hooks.score.seconds} == {600.0, 60.0}


# Loading.


def good(name, **hooks):
    """A module with the hooks of a good benchmark, some of them others."""
    import toy_defects

    made = ModuleType(name)
    vars(made).update(toy_defects.Good(name).hooks() | hooks)
    return made


def failures(made):
    """What is said of a plugin between two good ones, which must be there."""
    made = made if callable(made) and not isinstance(made, ModuleType) else (lambda m=made: m)
    first, last = good("aaa"), good("zzz")
    sources = (("aaa", lambda: first, "", ""), ("bad", made, "", ""), ("zzz", lambda: last, "", ""))
    found = plugins.load(sources)
    assert list(found.benchmarks) == ["aaa", "zzz"]
    for one in found.benchmarks.values():
        assert isinstance(fresh.item_at(one, make(one, {}), 0), Item)
    return found.failures.get("bad")


@hookimpl
async def awaited(item, completion):
    return None


@hookimpl
async def awaited_each(item, completion):
    yield None


@hookimpl
def yielding(item, completion):
    yield None


@hookimpl
def unknown(item, answer):
    return None


@hookimpl
def keyword(item, *, completion):
    return None


@hookimpl
def positional(verdict, /):
    return None


@hookimpl(specname="score")
def renamed(item, text):
    return None


@hookimpl(wrapper=True)
def unyielding(item, completion):
    return None


def unmarked(item, completion):
    return None


class Callable:
    def __call__(self, item, completion):
        return None


RIGHT = "the hook is score(item: Item, completion: str, explain: bool) -> Verdict"
SIGNATURES = (
    ("score", awaited, f"score() is an async function, and nobody awaits it: {RIGHT}"),
    ("score", awaited_each, f"score() is an async function, and nobody awaits it: {RIGHT}"),
    ("score", yielding, f"score() yields, and no value comes out of it: {RIGHT}"),
    ("score", unknown, f"score(item, answer): there is no argument 'answer': {RIGHT}"),
    ("score", keyword, f"score(item, completion): 'completion' cannot be keyword-only: {RIGHT}"),
    ("score", positional, f"score(verdict): there is no argument 'verdict': {RIGHT}"),
    ("judge", renamed, f"score(item, text): there is no argument 'text': {RIGHT}"),
    ("score", hookimpl(Callable()), f"score is no function (Callable): {RIGHT}"),
    ("explain", hookimpl(Callable()),
     "explain is no function (Callable): the hook is explain(item: Item) -> str | None"),
    ("score", unmarked, "lacks the hook score(): its function score is not marked with @hookimpl"),
    ("score", 3, "lacks the hook score()"),
    ("score", unyielding,
     "score() is marked as a wrapper and has no yield: write result = yield, return result"),
)  # fmt: skip


@each("name, hook, said", SIGNATURES)
def test_a_hook_that_cannot_be_called_is_named_with_the_right_signature(site, name, hook, said):
    assert failures(good("bad", **{name: hook})) == said


@hookimpl
def fewer(item):
    return ["none"]


@hookimpl
def more(item, strict=True, **rest):
    return ["none"]


@each("hook", [fewer, more])
def test_a_hook_may_take_less_and_have_defaults_of_its_own(site, hook):
    made = good("mine", check=hook)
    own = plugins.load([("mine", lambda: made, "", "")]).get("mine")
    assert own.call("check", item=None) == ["none"]


@dataclasses.dataclass
class Unhashable:
    name: str = "bad"


def endless():
    # Its own clock, from here on: the honest hooks around it have all the time that they need.
    assert signal.getitimer(signal.ITIMER_REAL)[0] > LONG / 2
    signal.setitimer(signal.ITIMER_REAL, 0.01, 1)
    while True:
        time.sleep(0.001)


@each(
    "made, said",
    [
        (lambda: None, "names no module, but None"),
        (Unhashable, "TypeError: unhashable type: 'Unhashable'"),
        (lambda: (_ for _ in ()).throw(GeneratorExit("early")), "GeneratorExit: early"),
    ],
)
def test_an_entry_point_that_is_no_plugin_takes_nobody_down(site, made, said):
    assert failures(made) == said


def test_an_endless_import_and_an_endless_description_are_named(site, monkeypatch):
    monkeypatch.setenv("HARNESS_HOOK_SECONDS", str(LONG))
    assert failures(endless) == f"its import took longer than {LONG} s"
    assert failures(good("bad", describe=hookimpl(lambda: endless()))) == (
        f"describe() took longer than {LONG} s"
    )


def described(**changes):
    import toy_defects

    said = dataclasses.replace(toy_defects.Good("bad").describe(), **changes)
    return good("bad", describe=hookimpl(lambda: said))


@each(
    "changes, said",
    [
        ({"version": 1}, "version must be a string"),
        ({"summary": None}, "summary must be a string"),
        ({"engines": "arithmetic"}, "engines must be a tuple of strings"),
        ({"choices": (True, False)}, "choices must be a tuple of strings"),
        ({"groups": {"digits"}}, "groups must be a tuple of strings"),
    ],
)
def test_a_comma_forgotten_in_a_description_is_named(site, changes, said):
    assert failures(described(**changes)) == said


def test_no_key_of_any_command_is_left_to_plugins():
    keys = {key for command in commands().values() for key in command.keys}
    assert {*keys, *settings(), "golden", "preset"} <= reserved()


class TestWrapper:
    @hookimpl(wrapper=True)
    def never(self, item):
        if item is None:
            yield
        return []

    @hookimpl(wrapper=True)
    def twice(self, item):
        yield
        yield

    @hookimpl(wrapper=True)
    def before(self, item):
        fail = {}["early"]
        return (yield fail)

    @hookimpl(wrapper=True)
    def after(self, item):
        yield
        return {}["late"]

    @hookimpl(wrapper=True)
    def leaving(self, item):
        yield
        sys.exit("done")

    @hookimpl(wrapper=True)
    def endless(self, item):
        yield
        endless()

    @hookimpl(wrapper=True)
    def silent(self, item):
        yield

    @hookimpl(hookwrapper=True)
    def old(self, item):
        yield
        {}["old"]

    @hookimpl(wrapper=True)
    def innocent(self, item):
        return (yield)

    OWN = "wrapper 'w': check() of 'mine'"
    CASES = (
        (never, f"{OWN} failed: did not yield (a wrapper yields once)"),
        (twice, f"{OWN} failed: has second yield (a wrapper yields once)"),
        (before, f"{OWN} failed: KeyError: 'early'"),
        (after, f"{OWN} failed: KeyError: 'late'"),
        (leaving, f"{OWN} failed: SystemExit: done"),
        (endless, f"{OWN} took longer than {LONG} s"),
        (silent, "plugin 'mine': check() returned NoneType 'None', expected a list of strings; "
         "wrappers around it: w"),
        (innocent, "plugin 'mine': check() failed: KeyError: 'nobody'"),
    )  # fmt: skip

    @each("wrapper, said", CASES)
    def test_its_fault_is_its_own(self, site, wrapper, said):
        assert self.failed(wrapper) == said

    @pytest.mark.filterwarnings("ignore::pluggy.PluggyTeardownRaisedWarning")
    def test_so_is_that_of_one_of_the_old_kind(self, site):
        assert self.failed(TestWrapper.old) == f"{self.OWN} failed: KeyError: 'old'"

    def failed(self, wrapper):
        check = hookimpl(lambda item: [] if item is not None else {}["nobody"])
        mine = good("mine", check=check)
        around = ModuleType("w")
        around.check = wrapper.__get__(self)
        sources = (("mine", lambda: mine, "", ""), ("w", lambda: around, "", ""))
        found = plugins.load(sources)
        assert not found.failures
        item = None if wrapper is TestWrapper.innocent else 3
        return failure(limited(found.get("mine"), LONG), "check", {"item": item})


BROKEN = {
    "no_import": ("import not_there_at_all\n", "ModuleNotFoundError: No module named"),
    "leaves": ("raise SystemExit(3)\n", "SystemExit: 3"),
    "no_syntax": ("def (:\n", "SyntaxError: invalid syntax"),
    "no_hooks": ("", "implements no hook"),
    "signed": (
        "import harness\n\n@harness.hookimpl\ndef check(thing): ...\n",
        "check(thing): there is no argument 'thing'",
    ),
}
PROGRAM = """
import json, sys
from harness.cli import main as cli
print(cli.main(["list", "--json"]))
print(cli.main(["show", "plugin=toy_good", "--json"]))
print(cli.main(["show", "plugin=rival", "--json"]))
print(cli.main(["show", "plugin=aged", "--json"]))
"""


@slow
def test_beside_broken_rival_and_outdated_distributions_the_others_work(toys, tmp_path):
    """In a fresh process, with everything installed as pip leaves it."""
    one, two = tmp_path / "one", tmp_path / "two"
    points = {name: name for name in BROKEN}
    install(one, "broken", "1", points, **{name: text for name, (text, _) in BROKEN.items()})
    good_hooks = "import toy_defects\nglobals().update(toy_defects.Good(__name__).hooks())\n"
    install(one, "aged", "2.0", {"aged": "aged"}, aged=good_hooks)
    install(two, "Aged", "1.5", {"aged": "aged", "gone": "aged"}, aged=good_hooks)
    install(one, "rival-a", "1", {"rival": "rival"}, rival=good_hooks)
    install(two, "rival-b", "1", {"rival": "rival"})
    install(two, "broken", "1", points)  # once more, in the same version: no fault, and not twice
    path = f"{one}:{two}:{toys.path}"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM],
        env={"PYTHONPATH": path}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    listed, *codes = done.stdout.splitlines()
    found = json.loads(listed)
    assert "Traceback" not in done.stderr
    names = [plugin["name"] for plugin in found["plugins"]]
    assert len(names) == len(set(names))
    assert {"toy_good", "ltlbench"} <= set(names)
    assert not {*BROKEN, "aged", "gone", "rival"} & set(names)
    assert {*found["failures"]} == {*BROKEN, "aged", "gone", "rival"}
    for name, (_, said) in BROKEN.items():
        assert found["failures"][name].startswith(said)
    assert found["failures"]["rival"] == (
        "two installed plugins are called 'rival', by 'rival-a' and 'rival-b': uninstall one"
    )
    versions = f"two versions of aged are installed, 2.0 in {one} and 1.5 in {two}; uninstall one"
    assert found["failures"]["aged"] == found["failures"]["gone"] == versions
    shown = [line for line in codes if line.isdecimal()]
    assert shown == ["0", "0", "2", "2"]
    errors = [json.loads(line)["error"]["message"] for line in codes if '"error"' in line]
    assert errors == [
        f"plugin 'rival' could not be loaded: {found['failures']['rival']}",
        f"plugin 'aged' could not be loaded: {versions}",
    ]
