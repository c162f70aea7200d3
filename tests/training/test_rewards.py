"""A reward is the number of a run: the same for any process, thread and order, and never made up."""

import doctest
import json
import math
import os
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from dataclasses import replace
from functools import cache
from io import StringIO
from pathlib import Path

import pytest
from cases import each, slow
from harness_errors import DatasetError, HarnessError, PluginError, SpecError
from harness_vltl.engines import equivalence
from inspect_ai.log import read_eval_log
from openai_server import completion

import harness
from harness.core import limits, plugins
from harness.core.items import Item, to_json
from harness.core.spec import make
from harness.kit.kit import JUNK
from harness.run import evaluation
from harness.training import curriculum, mixes, rewards, streams, trl, verifiers
from harness.training.rewards import Shaping, UnscoredError, graded, reward

ROOT = Path(__file__).parents[2]
GOLDEN = Path(__file__).with_name("golden_rewards.jsonl")

SETTINGS = {
    "ltlbench": {"task": "counterexample", "operators": 2},
    "tempobench": {"max_states": 6, "length": 4, "trivial": 0},  # {} says that nothing was a cause
    "timepuzzles": {"solutions": "2-4"},
    "vltl": {"suite": False, "scenario": "traffic_light"},
}


FAULTY = (
    "NanValue",
    "ForeignValue",
    "NoValue",
    "WrongOutcome",
    "NumberAnswer",
    "NoVerdict",
    "Fragile",
    "Stuck",
)
BY_TEXT = ("toy_fragile", "toy_stuck")


def golden():
    for line in GOLDEN.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def golden_cases():
    for one in golden():
        for text, outcome, values in one["cases"]:
            yield one["item"], text, outcome, values


@pytest.fixture(autouse=True)
def _patient(monkeypatch):
    """A comparison that takes longer than it may on a busy machine would be no verdict."""
    monkeypatch.setattr(equivalence, "SECONDS", 300.0)


@pytest.fixture(scope="module")
def items():
    """Eight items of each plugin."""
    return {name: harness.stream(name, config, seed=4).take(8) for name, config in SETTINGS.items()}


@pytest.fixture(scope="module")
def item():
    return next(harness.stream("ltlbench", {"operators": 2}))


def replies(items):
    """One reply to each item: right, in parts, another item's, none, hostile, huge."""
    right = [f"Answer: {item.target}" for item in items]
    return [
        f"<think>\nIt is none.\n</think>\n\n**{right[0]}**",
        right[1][: 3 * len(right[1]) // 4],
        right[3],
        "I cannot tell.",
        f"half of \ud800 a character\n\n{right[4]}",
        "so it goes. " * 9_000 + f"\n\n{right[5]}",
        "Answer: " * 1_000,
        f"{right[7]}\n\nAnswer: \x00\x1b[31m",
    ]


class TestTheNumberOfARun:
    @slow
    @pytest.mark.parametrize("name", SETTINGS)
    def test_a_reward_is_what_recorded_answers_are_scored_with(self, name, items, tmp_path):
        own, said = items[name], replies(items[name])
        data, answers = tmp_path / "items.jsonl", tmp_path / "answers.jsonl"
        data.write_text("".join(f"{to_json(one)}\n" for one in own))
        pairs = zip(own, said, strict=True)
        answers.write_text(
            "".join(json.dumps({"id": one.id, "response": text}) + "\n" for one, text in pairs)
        )
        spec = {"dataset": str(data), "responses": str(answers), "log_dir": str(tmp_path)}
        done = evaluation.run(make(plugins.registry().get(name), {**spec, "model": "test"}))
        log = read_eval_log(done.location)
        found = {one.id: one.scores["verdict"] for one in log.samples}
        outcomes = set()
        for one, text in zip(own, said, strict=True):
            score = found[one.id]
            for form in (one, one.to_dict(), to_json(one)):
                own_value = graded(name, form, text)
                assert own_value.outcome == score.metadata["outcome"]
                assert {**own_value.values, "unparsed": score.value["unparsed"]} == score.value
                assert (own_value.answer, own_value.explanation) == (
                    score.answer,
                    score.explanation,
                )
            for key, value in own_value.values.items():
                assert reward("", one, text, Shaping(value=key)) == value
            outcomes.add((score.metadata["outcome"], reward(name, one, text)))
        assert {("scored", 1.0), ("unparsed", 0.0)} <= outcomes

    @slow
    def test_of_a_reply_that_was_cut_off_it_is_what_a_live_run_gives(self, items, client, tmp_path):
        own = [one for one in items["timepuzzles"] if "," in one.target]
        whole = f"Answer: {own[0].target}"
        texts = [
            whole,
            f"Let me see.\n{whole[:-4]}",
            f"{whole}\nSo, as I sa",
            f"{whole}\nAnswer: 19",
        ]
        said = dict(zip([one.prompt for one in own], texts, strict=False))
        data = tmp_path / "items.jsonl"
        data.write_text("".join(f"{to_json(one)}\n" for one in own[: len(said)]))

        def behave(request, number):
            return completion(said[request["messages"][-1]["content"]], stop="length")

        with_server = client(behave)
        model = {"model": "openai-api/local/test", "log_dir": str(tmp_path)}
        plugin = plugins.registry().get("timepuzzles")
        log = read_eval_log(evaluation.run(make(plugin, {"dataset": str(data), **model})).location)
        assert len(with_server.requests) == len(said) == 4
        found = {one.id: one.scores["verdict"].metadata["outcome"] for one in log.samples}
        values = {one.id: one.scores["verdict"].value["f1"] for one in log.samples}
        for one, text in zip(own, texts, strict=False):
            cut = graded("timepuzzles", one, text, Shaping(value="f1"), truncated=True)
            assert (cut.outcome, cut.reward) == (found[one.id], values[one.id])
        # The date that may be half of one is none, though it could be read.
        assert found[own[0].id] == found[own[1].id] == "unparsed"
        assert graded("timepuzzles", own[0], texts[0]).reward == 1.0

    def test_golden_rewards_have_not_changed(self):
        """Where a scorer changes on purpose its plugin's version does, and these are made anew."""
        for data, text, outcome, values in golden_cases():
            item = {**data}
            found = graded("", item, text)
            assert (found.outcome, found.values) == (outcome, values), (item["plugin"], text)
            assert found.reward == values[next(iter(values_of(item["plugin"])))]

    def test_the_golden_ones_are_of_all_plugins_right_wrong_in_part_and_none(self):
        found = {
            (data["plugin"], outcome, round(min(values.values()) + max(values.values()), 3))
            for data, _, outcome, values in golden_cases()
        }
        for name in SETTINGS:
            assert {(name, "scored", 2.0), (name, "unparsed", 0.0)} <= found
        assert len(found) > 12


def values_of(name):
    return plugins.registry().get(name).benchmark.values


DIGEST = """
import sys, json, hashlib, pathlib
from harness.training.rewards import graded
found = []
for line in pathlib.Path(sys.argv[1]).read_text(encoding="utf-8").splitlines():
    one = json.loads(line)
    found += [graded("", one["item"], text)[:4] for text, *_ in one["cases"]]
print(hashlib.sha256(repr([(a, b, sorted(c.items()), d) for a, b, c, d in found]).encode()).hexdigest())
"""


class TestTheSameEverywhere:
    @slow
    def test_in_other_processes_with_other_hash_seeds(self):
        other = subprocess.run(
            [sys.executable, "-c", DIGEST, str(GOLDEN)],
            env={**os.environ, "PYTHONHASHSEED": "4242"}, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert os.environ.get("PYTHONHASHSEED") != "4242"
        with redirect_stdout(StringIO()) as own, pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "argv", ["", str(GOLDEN)])
            exec(compile(DIGEST, "digest", "exec"), {})
        assert other.stdout == own.getvalue()
        assert len(other.stdout.strip()) == 64

    def test_in_many_threads_at_once(self, items):
        work = [
            (one, text)
            for own in items.values()
            for one, text in zip(own, replies(own)[:5], strict=False)
        ]
        work += [(data, text) for data, text, *_ in golden_cases()]
        alone = [graded("", *one)[:4] for one in work]
        barrier = threading.Barrier(8)

        def all_of_them(start):
            barrier.wait()
            turned = [*range(start, len(work)), *range(start)]
            return {at: graded("", *work[at])[:4] for at in turned}

        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(all_of_them, range(0, 32, 4)))
        assert all([one[at] for at in range(len(work))] == alone for one in found)

    def test_of_many_threads_that_ask_first_one_loads_the_plugins(self, monkeypatch, item):
        loads = []

        def load():
            loads.append(threading.current_thread())
            return plugins.registry.__wrapped__()

        monkeypatch.setattr(rewards, "registry", cache(load))
        barrier = threading.Barrier(8)

        def first(_):
            barrier.wait()
            return reward("", item, f"Answer: {item.target}")

        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(first, range(8))) == [1.0] * 8
        assert len(loads) == 1

    def test_no_text_raises_and_none_earns_anything(self, items):
        for name, own in items.items():
            for text in (*JUNK, "\ud800", "[" * 50_000, "(" * 200_000):
                found = graded(name, own[0], text)
                assert found.reward < 1
                assert found.outcome in ("unparsed", "scored")


class TestShaping:
    WRONG, NONE = "Answer: 1976-10-01, 1977-10-01", "No idea."

    @pytest.fixture
    def puzzle(self):
        return next(one["item"] for one in golden() if one["item"]["plugin"] == "timepuzzles")

    def test_what_a_verdict_becomes(self, puzzle):
        right = f"Answer: {puzzle['target']}"
        for shaping, numbers in (
            (Shaping(), (1.0, 0.0, 0.0)),
            (Shaping(value="f1"), (1.0, 0.8, 0.0)),
            (Shaping(unparsed=-0.5), (1.0, 0.0, -0.5)),
            (Shaping(weights={"exact": 0.75, "f1": 0.25}), (1.0, 0.2, 0.0)),
            (Shaping(weights=[("f1", 1), ("recall", -0.3)]), (0.7, 0.8 - 0.3 * 0.666667, 0.0)),
            (Shaping(value="f1", scale=2, offset=-1, unparsed=-3), (1.0, 0.6, -3.0)),
            (Shaping(value="f1", scale=10, low=-1, high=5), (5.0, 5.0, 0.0)),
            (Shaping(offset=-2, low=-1), (-1.0, -1.0, 0.0)),
        ):
            found = [reward("", puzzle, text, shaping) for text in (right, self.WRONG, self.NONE)]
            assert found == pytest.approx(numbers, abs=1e-12)
            assert all(type(one) is float for one in found)

    def test_wrong_and_unreadable_are_told_apart(self, puzzle):
        wrong, none = graded("", puzzle, "Answer: none"), graded("", puzzle, self.NONE)
        assert (wrong.reward, wrong.outcome, wrong.answer) == (0.0, "scored", "none")
        assert (none.reward, none.outcome, none.answer) == (0.0, "unparsed", None)
        assert "Unparsable" in none.explanation

    def test_a_shaping_survives_pickling_and_is_the_same_in_any_order(self):
        one = Shaping(weights={"exact": 1, "f1": 2}, unparsed=-1)
        assert pickle.loads(pickle.dumps(one)) == one
        assert one == Shaping(weights={"f1": 2, "exact": 1}, unparsed=-1)
        assert hash(one)

    @each(
        "given, message",
        [
            ({"value": 3}, "value is 3, expected a name"),
            ({"weights": {"f1": math.nan}}, "weights.*is nan, expected a finite number"),
            ({"weights": {"f1": True}}, "weights.*is True"),
            ({"weights": {3: 1.0}}, r"weights\[3\]"),
            ({"weights": 5}, "weights is 5, expected numbers by name"),
            ({"weights": ["exact"]}, "weights is .*expected numbers by name"),
            ({"weights": {"f1": 1}, "value": "f1"}, "value or weights, not both"),
            ({"unparsed": None}, "unparsed is None"),
            ({"unparsed": "-1"}, "unparsed is '-1', expected a finite number"),
            ({"unscored": math.nan}, "unscored is nan"),
            ({"scale": math.inf}, "scale is inf"),
            ({"scale": 10**400}, "scale is 1000.*expected a finite number"),
            ({"low": 1, "high": 0}, "low=1 is above high=0"),
            ({"value": "x" * 10**6 + "\n"}, None),
        ],
    )
    def test_a_shaping_that_makes_no_sense_is_refused(self, given, message):
        if message is None:
            Shaping(**given)
            return
        with pytest.raises(SpecError, match=message) as caught:
            Shaping(**given)
        assert "\n" not in str(caught.value)

    @each("text", ["Answer: none", "No idea."])
    def test_a_name_of_no_value_is_said_at_once_whatever_the_answer(self, text):
        one = next(one["item"] for one in golden() if one["item"]["plugin"] == "timepuzzles")
        with pytest.raises(
            SpecError, match="no value 'exakt' of timepuzzles; did you mean 'exact'"
        ):
            reward("", one, text, Shaping(value="exakt"))
        with pytest.raises(SpecError, match="no value 'f2'"):
            reward("", one, text, Shaping(weights={"f1": 1, "f2": 1}))


class TestUnscored:
    @pytest.fixture
    def broken(self, items):
        false = next(one for one in items["ltlbench"] if one.target != "True")
        return replace(false, certificate={"violation": {"prefix": [], "cycle": [99]}}, id="")

    def test_it_is_an_error_and_never_a_silent_zero(self, broken):
        for shaping in (Shaping(), Shaping(unparsed=-1)):
            with pytest.raises(
                UnscoredError, match=r"could not be scored: .*Shaping\(unscored="
            ) as caught:
                reward("ltlbench", broken, "Answer: False", shaping)
            assert isinstance(caught.value, HarnessError)
            assert "\n" not in str(caught.value)

    def test_a_caller_may_give_it_a_number(self, broken):
        shaping = Shaping(unscored=0.25, scale=100, high=0.1)
        assert reward("ltlbench", broken, "Answer: False", shaping) == 0.25
        assert graded("ltlbench", broken, "Answer: False", shaping).outcome == "unscored"

    def test_a_scorer_that_fails_hangs_or_returns_nonsense_is_no_reward(self, toys, monkeypatch):
        monkeypatch.setitem(limits._SECONDS, "score", 0.2)  # all other hooks have their time
        found = toys.registry(*FAULTY)
        monkeypatch.setattr(rewards, "plugins", lambda: found)
        assert len(found.benchmarks) == len(FAULTY)
        for name, plugin in found.benchmarks.items():
            one = streams.fresh.item_at(plugin, make(plugin, {"n": 1}), 0)
            wrong = next(word for word in plugin.benchmark.choices if word != one.target)
            text = f"é {'x' * 100_001}\nAnswer: {wrong}" if name in BY_TEXT else f"Answer: {wrong}"
            with pytest.raises(UnscoredError, match=f"'{name}'.*score"):
                reward(name, one, text)


class TestBadInput:
    @each(
        "plugin, change, error, message",
        [
            ("ltlbenhc", {}, PluginError, "did you mean 'ltlbench'"),
            ("vltl", {}, SpecError, "plugin='vltl', but the item is of 'ltlbench'"),
            ("", {"plugin": "nope"}, DatasetError, "does not match its content"),
            ("", {"version": "0.9"}, DatasetError, "made by ltlbench 0.9, installed is"),
            ("", {"target": "False"}, DatasetError, "does not match its content"),
            ("", {"id": None}, DatasetError, "'id' is NoneType"),
            ("", {"problem": None}, DatasetError, "does not match"),
            ("", {"extra": 1}, DatasetError, "unknown field 'extra'"),
            ("", {"prompt": 5}, DatasetError, "'prompt' is int, expected str"),
            ("", {"notes": {"a": math.nan}}, DatasetError, "not JSON"),
            ("", {"notes": {"a": {1, 2}}}, DatasetError, "not JSON"),
            ("", {"notes": {"a": "\ud800"}}, DatasetError, "not JSON"),
        ],
    )
    def test_a_dict_that_is_no_item_of_the_plugin(self, plugin, change, error, message):
        one = next(golden())["item"]
        with pytest.raises(error, match=message) as caught:
            reward(plugin, {**one, **change}, "Answer: True")
        assert "\n" not in str(caught.value)

    @each(
        "line, message",
        [
            ("", "the item is not JSON"),
            ("nonsense", "the item is not JSON"),
            ("[1, 2]", "list instead of an object"),
            ("{}", "item lacks 'id'"),
            ('{"id": 5}', "item lacks 'plugin'"),
            ('{"id": "", "notes": {"a": NaN}}', "NaN is not JSON"),
            ("[" * 200_000, "nested too deep"),
            ('{"a":' * 60_000, "nested too deep"),
            (" " * 10_000_001, "more than 10,000,000"),
        ],
    )
    def test_a_line_that_is_no_item(self, line, message):
        with pytest.raises(DatasetError, match=message) as caught:
            reward("", line, "Answer: True")
        assert len(str(caught.value)) < 400

    def test_a_problem_that_its_plugin_does_not_know(self, item):
        other = replace(item, problem={**item.problem, "events": "three"}, id="")
        with pytest.raises(DatasetError, match=f"item {other.id}: problem.events"):
            reward("", other.to_dict(), "Answer: True")

    @each("given", [None, b"Answer: True", 5, ["Answer: True"], {"content": "Answer: True"}])
    def test_what_is_no_text_and_no_item(self, given):
        one = next(golden())["item"]
        with pytest.raises(SpecError, match=r"completion is .*, expected text"):
            reward("", one, given)
        if not isinstance(given, dict):
            with pytest.raises(
                SpecError, match=r"item is .*, expected an Item, its dict or its JSON"
            ):
                reward("", given, "Answer: True")

    def test_an_item_of_another_version_is_scored_only_if_asked_for(self, item):
        older = replace(item, version="0.1")
        right = f"Answer: {item.target}"
        for form in (older, older.to_dict(), to_json(older)):
            with pytest.raises(
                DatasetError, match=r"whose reward may be another.*any_version=True"
            ):
                reward("", form, right)
            assert reward("", form, right, Shaping(any_version=True)) == 1.0
        assert reward("", replace(item, version="published"), right) == 1.0

    def test_a_batch_says_which_one_it_fails_on(self, item):
        right, wrong = f"Answer: {item.target}", "Answer: ?"
        items = [item, item.to_dict(), to_json(item)]
        assert rewards.rewards("", items, [right, wrong, right]) == [1.0, 0.0, 1.0]
        assert rewards.rewards("", [], []) == []
        with pytest.raises(SpecError, match="position 2 of the batch: completion is NoneType"):
            rewards.rewards("", items, [right, wrong, None])
        with pytest.raises(SpecError, match="3 items, 2 completions"):
            rewards.rewards("", items, [right, wrong])
        for given in (item, to_json(item), item.to_dict()):
            with pytest.raises(SpecError, match="takes lists"):
                rewards.rewards("", given, [right])

    def test_of_long_lines_none_is_kept(self, item):
        rewards._read_kept.cache_clear()
        long = replace(item, notes={"long": "x" * 60_000})
        assert reward("", to_json(long), f"Answer: {item.target}") == 1.0
        assert rewards._read_kept.cache_info().currsize == 0
        assert isinstance(rewards.item_of(to_json(item)), Item)
        assert rewards._read_kept.cache_info().currsize == 1


class TestWithoutTheLibraries:
    @each(
        "missing, call, message",
        [
            (
                "verifiers",
                verifiers.environment,
                r"verifiers is missing.*pip install 'httpx>=0.27' 'verifiers",
            ),
            ("verifiers.v1", verifiers.environment, r"verifiers is missing \(or older"),
            (
                "datasets",
                trl.dataset,
                r"datasets is missing: pip install 'accelerate>=1.15' 'datasets",
            ),
        ],
    )
    def test_one_line_says_what_to_install(self, missing, call, message):
        with pytest.MonkeyPatch.context() as patch:
            for name in [one for one in sys.modules if one.split(".")[0] == missing.split(".")[0]]:
                patch.delitem(sys.modules, name)
            patch.setitem(sys.modules, missing, None)
            with pytest.raises(SpecError, match=message) as caught:
                call("ltlbench", n=2)
        assert "\n" not in str(caught.value)

    def test_a_wrong_name_is_told_first(self):
        for call in (verifiers.environment, trl.dataset):
            with pytest.raises(PluginError, match="did you mean 'ltlbench'"):
                call("ltlbensch", n=2)


class TestDocumentation:
    @slow
    def test_every_example_of_the_page_runs(self):
        """One after the other, as a reader types them; what it prints is what the page says."""
        page = (ROOT / "docs/training.md").read_text(encoding="utf-8")
        found = doctest.DocTestParser().get_doctest(page, {}, "training.md", None, 0)
        assert len(found.examples) > 15
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
        runner.run(found)
        assert runner.failures == 0

    def test_the_example_of_the_readme_runs(self):
        text = (ROOT / "README.md").read_text(encoding="utf-8")
        code = text.partition("## Train on it")[2].partition("```python\n")[2].partition("```")[0]
        names = {}
        exec(compile(code, "README.md", "exec"), names)
        assert names["item"].plugin == "ltlbench"

    @pytest.mark.parametrize("module", [rewards, streams, mixes, curriculum])
    def test_the_examples_in_the_code_run(self, module):
        found = doctest.testmod(module)
        assert found.attempted > 1
        assert found.failed == 0
