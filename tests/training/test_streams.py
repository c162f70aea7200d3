"""Streams give the items of `harness generate`, mixes interleave them, and both go on from a state in JSON."""

import json
import subprocess
import sys
from collections import Counter
from itertools import islice

import pytest
from cases import each, slow
from harness_errors import DatasetError, EngineError, ExhaustedError, PluginError, SpecError

import harness
from harness.cli.main import main
from harness.core import fresh, plugins
from harness.core.items import to_json
from harness.core.spec import make
from harness.datasets import generate
from harness.training import rewards, streams
from harness.training.mixes import mix
from harness.training.streams import stream

SMALL = {
    "twins": False,
    "events": 2,
    "operators": 2,
}  # 416 problems: some positions are drawn again
FEW = {"twins": False, "events": 2, "operators": 1}  # 32


def through_json(state):
    return json.loads(json.dumps(state))


@pytest.fixture
def toy(toys, monkeypatch):
    """Streams of toys by name."""

    def install(*names):
        found = toys.registry(*names)
        for module in (rewards, streams):
            monkeypatch.setattr(module, "plugins", lambda: found)
        return found

    return install


class TestTheItems:
    @pytest.mark.parametrize(
        ("plugin", "config", "n"),
        [
            ("ltlbench", SMALL, 40),
            ("ltlbench", {"preset": "paper"}, 5),
            ("tempobench", {"max_states": 6, "length": 4}, 5),
            ("timepuzzles", {}, 5),
            ("vltl", {"arity": [1], "task": "translate", "suite": False}, 40),
        ],
    )
    def test_item_k_is_that_of_generate_with_as_many_redraws(self, plugin, config, n, tmp_path):
        owner = plugins.registry().get(plugin)
        path = tmp_path / "items.jsonl"
        generate.make(
            owner, make(owner, {**config, "split": "train", "seed": 3, "n": n, "out": str(path)})
        )
        own = stream(plugin, config, seed=3)
        assert [to_json(one) for one in own.take(n)] == path.read_text().splitlines()
        assert own.position == n

    def test_the_small_setting_does_draw_again(self):
        items = stream("ltlbench", SMALL, seed=5).take(40)
        assert any(one.attempt for one in items)
        assert len({one.problem_id for one in items}) == 40
        assert {one.split for one in items} == {"train"}

    def test_other_seeds_and_splits_are_other_items(self):
        def ids(**options):
            return {one.id for one in stream("ltlbench", {"operators": 5}, **options).take(20)}

        found = [ids(), ids(seed=1), ids(split="test"), ids(split="mine")]
        assert all(not a & b for a, b in zip(found, found[1:] + found[:1], strict=True))

    def test_the_caller_may_change_his_configuration_afterwards(self):
        config = {"arity": [1], "suite": False}
        own = stream("vltl", config)
        first = next(own)
        config["arity"].append(3)
        config["suite"] = True
        rest = own.take(3)
        assert [first, *rest] == stream("vltl", {"arity": [1], "suite": False}).take(4)

    @slow
    def test_the_same_in_another_process_with_another_hash_seed(self):
        code = (
            "import harness; s = harness.mix({'ltlbench': 1, harness.stream('ltlbench', {'operators': 1}): 2}, 5)\n"
            "print([i.id for i in s.take(12)])"
        )
        own = mix({"ltlbench": 1, stream("ltlbench", {"operators": 1}): 2}, 5)
        found = subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": "77"}, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert found.stdout.strip() == str([one.id for one in own.take(12)])

    def test_a_note_of_each_problem_is_all_that_is_kept(self, toy):
        toy("Good")
        own = stream("toy_good")
        for _ in islice(own, 2_000):
            pass
        kept = vars(own)
        assert all(type(one) is int and one < 2**80 for one in kept["_given"])
        assert set(kept) == {"plugin", "spec", "_avoid", "_given", "_position"}
        assert len(json.dumps(own.state())) < 2_000 * 14 + 200


class TestResuming:
    @each("at", [0, 1, 23])
    def test_from_a_start_or_a_state_the_rest_is_the_same(self, at):
        whole = stream("ltlbench", SMALL, seed=3).take(40)
        first = stream("ltlbench", SMALL, seed=3)
        first.take(at)
        state = through_json(first.state())
        assert stream("ltlbench", SMALL, seed=3, state=state).take(40 - at) == whole[at:]
        assert stream("ltlbench", SMALL, seed=3, start=at).take(40 - at) == whole[at:]
        assert first.take(40 - at) == whole[at:]
        assert first.fresh().restore(state).take(1) == whole[at : at + 1]

    def test_from_a_state_nothing_is_drawn_anew(self, monkeypatch):
        own = stream("ltlbench", SMALL)
        own.take(10)
        drawn = []
        one = fresh.item_at
        monkeypatch.setattr(fresh, "item_at", lambda *args: drawn.append(args[2]) or one(*args))
        next(stream("ltlbench", SMALL, state=own.state()))
        assert set(drawn) == {10}

    @each(
        "change",
        [
            {"seed": 2}, {"split": "test"}, {"config": {"operators": 2}}, {"plugin": "vltl", "config": {}},
            {"avoid": ["0123456789abcdef0123"]},
        ],
    )  # fmt: skip
    def test_a_state_of_another_stream_is_refused(self, change):
        own = stream("ltlbench", SMALL, seed=1)
        next(own)
        given = {"plugin": "ltlbench", "config": SMALL, "seed": 1, **change}
        with pytest.raises(SpecError, match="of a stream with other settings"):
            stream(**given, state=own.state())

    @each(
        "spoil, message",
        [
            ({"stream": None}, "no state of a stream"),
            ({"position": 4}, "damaged"),
            ({"position": "3"}, "damaged"),
            ({"position": True}, "damaged"),
            ({"given": "!!!"}, "damaged"),
            ({"given": None}, "damaged"),
            ({"given": ""}, "damaged"),
            ({"given": "AAAA"}, "damaged"),
        ],
    )
    def test_a_damaged_state_is_refused_and_changes_nothing(self, spoil, message):
        own = stream("ltlbench", SMALL)
        whole = own.take(5)
        state = stream("ltlbench", SMALL)
        state.take(3)
        with pytest.raises(SpecError, match=message):
            own.restore({**state.state(), **spoil})
        assert own.position == 5
        assert next(own).problem_id not in {one.problem_id for one in whole}
        for nonsense in (None, [], "x", {}):
            with pytest.raises(SpecError, match="no state of a stream"):
                own.restore(nonsense)


class TestHeldOut:
    """What a split guarantees, and what only `avoid` does."""

    def test_small_settings_have_the_same_problems_in_every_split(self):
        train = {one.problem_id for one in stream("ltlbench", SMALL).take(60)}
        test = {one.problem_id for one in stream("ltlbench", SMALL, split="test").take(60)}
        assert train & test

    @pytest.mark.parametrize("form", ["path", "items", "ids", "adopted"])
    def test_no_problem_to_avoid_ever_comes(self, form, tmp_path):
        held = stream("ltlbench", SMALL, split="test").take(60)
        ids = {one.problem_id for one in held}
        path = tmp_path / "test.jsonl"
        path.write_text("".join(to_json(one) + "\n" for one in held))
        if form == "adopted":
            path = tmp_path / "published.csv"
            words = [f"dataset={tmp_path / 'test.jsonl'}", f"out={path}", "to=published", "--json"]
            assert main(["export", "plugin=ltlbench", *words]) == 0
        avoid = {"items": held, "ids": iter(sorted(ids))}.get(form, path)
        own = stream("ltlbench", SMALL, avoid=avoid)
        items = own.take(60)
        assert not ids & {one.problem_id for one in items}
        assert len({one.problem_id for one in items}) == 60
        free = stream("ltlbench", SMALL).take(60)
        assert items[0] == next(one for one in free if one.problem_id not in ids) or items != free

    def test_nor_in_another_of_its_forms(self):
        held = stream("timepuzzles", {"mode": "implicit"}).take(3)
        other = stream("timepuzzles", {"mode": "explicit"}).take(3)
        assert [one.problem_id for one in held] == [one.problem_id for one in other]
        free = stream("timepuzzles", {"mode": "explicit"}, avoid=held).take(3)
        assert not {one.problem_id for one in held} & {one.problem_id for one in free}

    @each(
        "avoid, error, message",
        [
            ("/no/such/file.jsonl", DatasetError, "file.jsonl"),
            (["x"], DatasetError, "'x' is no problem's id"),
            ([None], DatasetError, "None is no problem's id"),
            ([5], DatasetError, "5 is no problem's id"),
            (["-123456789abcdef0123"], DatasetError, "no problem's id"),
            (["x" * 10**6], DatasetError, "no problem's id"),
        ],
    )
    def test_what_is_none_to_avoid(self, avoid, error, message):
        with pytest.raises(error, match=message) as caught:
            stream("ltlbench", avoid=avoid)
        assert len(str(caught.value)) < 300

    def test_a_record_to_avoid_that_cannot_be_read_is_no_hole(self, tmp_path):
        path = tmp_path / "test.jsonl"
        good = to_json(next(stream("ltlbench", split="test")))
        path.write_text(f"{good}\n{good[:100]}\n")
        with pytest.raises(DatasetError, match=r"test\.jsonl"):
            stream("ltlbench", avoid=path)


class TestTheEnd:
    @pytest.fixture(autouse=True)
    def _impatient(self, monkeypatch):
        """The toys cannot say how many problems they have, and 30,000 draws take a while."""
        monkeypatch.setattr(fresh, "LIMIT", 300)

    def test_it_is_one_line_and_all_problems_were_given(self, toy):
        toy("FewProblems")
        own = stream("toy_few_problems", {"top": 1})
        assert len({one.problem_id for one in own.take(4)}) == 4
        with pytest.raises(
            ExhaustedError, match=r"toy_few_problems split=train.*use larger settings"
        ):
            next(own)
        assert own.position == 4
        with pytest.raises(ExhaustedError):
            own.take(1)

    def test_what_is_to_be_avoided_counts(self, toy):
        toy("FewProblems")
        held = stream("toy_few_problems", {"top": 1}, split="test").take(2)
        own = stream("toy_few_problems", {"top": 1}, avoid=[*held, "0123456789abcdef0123"])
        assert len(own.take(2)) == 2
        with pytest.raises(ExhaustedError, match="top=1"):
            next(own)

    @slow
    def test_a_plugin_that_counts_its_problems_is_believed_soon(self, monkeypatch):
        monkeypatch.setattr(fresh, "LIMIT", 30_000)
        held = stream("ltlbench", FEW, split="test").take(2)
        own = stream("ltlbench", FEW, avoid=[*held, "0123456789abcdef0123"])
        # Labels alternate, so the one of which more are left ends it: which that is depends on the version.
        found: set[str] = set()
        with pytest.raises(
            ExhaustedError, match=r"there are 128 distinct problems, .* after 12[67] items"
        ):
            found.update(one.problem_id for one in own)
        assert len(found) == own.position >= 126

    def test_an_engine_that_fails_once_loses_no_item(self, monkeypatch):
        own = stream("ltlbench")
        whole = stream("ltlbench").take(3)
        next(own)
        with monkeypatch.context() as patch:
            patch.setattr(
                fresh, "item_at", lambda *_: (_ for _ in ()).throw(EngineError("crashed"))
            )
            with pytest.raises(EngineError, match="crashed"):
                next(own)
        assert own.take(2) == whole[1:]


class TestBadInput:
    @each(
        "given, error, message",
        [
            ({"plugin": "ltlbensch"}, PluginError, "did you mean 'ltlbench'"),
            (
                {"config": {"operator": 3}},
                SpecError,
                "unknown key 'operator'.*did you mean 'operators'",
            ),
            ({"config": {"operators": "many"}}, SpecError, "operators=many"),
            ({"config": {"n": 5}}, SpecError, "unknown key 'n'"),
            ({"config": {"model": "x"}}, SpecError, "unknown key 'model'"),
            ({"config": {5: 5}}, SpecError, "unknown key '5'"),
            ({"config": {"preset": "papr"}}, SpecError, "did you mean 'paper'"),
            ({"seed": -1}, SpecError, "the least is 0"),
            ({"seed": "0"}, SpecError, "seed=0: expected an integer"),
            ({"split": "\ud800"}, SpecError, "not text"),
            ({"start": -1}, SpecError, "start=-1"),
            ({"start": 1.5}, SpecError, "start=1.5"),
            ({"start": 1, "state": {}}, SpecError, "give one of them"),
        ],
    )
    def test_it_is_refused_in_one_line(self, given, error, message):
        with pytest.raises(error, match=message) as caught:
            stream(**{"plugin": "ltlbench", **given})
        assert "\n" not in str(caught.value)


class TestMixes:
    def sources(self):
        return {
            stream("ltlbench", {"operators": 1}): 1,
            stream("ltlbench", {"operators": 2}): 2.0,
            "vltl": 1,
        }

    def test_shares_are_those_of_the_weights_and_each_source_is_in_its_order(self, toy):
        toy("Good", "Guessing", "Sluggish")
        own = mix({"toy_good": 6, "toy_sluggish": 3, "toy_guessing": 1}, seed=1)
        items = own.take(2_000)
        shares = Counter(one.plugin for one in items)
        assert shares["toy_good"] == pytest.approx(1_200, abs=70)
        assert shares["toy_sluggish"] == pytest.approx(600, abs=70)
        assert shares["toy_guessing"] == pytest.approx(200, abs=50)
        for name, count in shares.items():
            assert [one for one in items if one.plugin == name] == stream(name, seed=1).take(count)

    @slow
    def test_it_goes_on_from_a_state_in_another_object(self):
        whole = mix(self.sources(), seed=7).take(20)
        first = mix(self.sources(), seed=7)
        assert first.take(8) == whole[:8]
        state = through_json(first.state())
        assert mix(self.sources(), seed=7, state=state).take(12) == whole[8:]
        assert first.position == 8

    def test_another_seed_is_another_order_of_the_same(self):
        def names(seed):
            sources = {stream("ltlbench", {"operators": n}): 1 for n in (1, 2)}
            return [one.features["operators"] for one in mix(sources, seed).take(12)]

        assert names(0) == names(0) != names(1)

    def test_a_mix_may_be_part_of_a_mix_and_so_may_a_curriculum(self):
        def nested():
            levels = harness.Curriculum("ltlbench", key="operators", values=[1, 2])
            inner = mix({stream("ltlbench", {"operators": 3}): 1, levels: 1}, seed=1)
            return mix({inner: 2, "vltl": 1}, seed=2)

        own = nested()
        whole = own.take(12)
        assert len({one.plugin for one in whole}) == 2
        half = nested()
        half.take(6)
        assert nested().restore(through_json(half.state())).take(6) == whole[6:]

    def test_a_source_without_more_is_named_and_the_state_stays(self, toy, monkeypatch):
        monkeypatch.setattr(fresh, "LIMIT", 300)
        toy("FewProblems", "Good")
        own = mix({stream("toy_few_problems", {"top": 1}): 1, "toy_good": 1})
        with pytest.raises(ExhaustedError, match=r"mix, '0 toy_few_problems .*use larger settings"):
            own.take(200)
        position = own.position
        with pytest.raises(ExhaustedError):
            next(own)
        assert own.position == position

    @each(
        "given, message",
        [
            ({}, "takes weights by plugin or stream"),
            (["ltlbench"], "takes weights by plugin or stream"),
            ({"ltlbench": 0}, "weight of 'ltlbench split=train.*' is 0, expected a number above 0"),
            ({"ltlbench": -1}, "is -1"),
            ({"ltlbench": "1"}, "is '1'"),
            ({"ltlbench": True}, "is True"),
            ({"ltlbench": float("inf")}, "is inf"),
            ({5: 1}, "5 is neither a plugin's name nor a stream"),
            ({("ltlbench",): 1}, "is neither a plugin's name"),
        ],
    )
    def test_what_is_no_mix(self, given, message):
        with pytest.raises(SpecError, match=message):
            mix(given)
        with pytest.raises(PluginError, match="did you mean 'vltl'"):
            mix({"vltll": 1})

    def test_a_state_of_another_mix_is_refused(self):
        own = mix({"ltlbench": 1, "vltl": 2})
        next(own)
        state = own.state()
        for other in (
            mix({"ltlbench": 1, "vltl": 1}),
            mix({"vltl": 2, "ltlbench": 1}),
            mix({"vltl": 1}, 1),
        ):
            with pytest.raises(SpecError, match="of a mix of other sources, weights or seed"):
                other.restore(state)
        same = mix({"ltlbench": 1, "vltl": 2})
        for nonsense in ({}, None, 5):
            with pytest.raises(SpecError, match="no state of a mix"):
                same.restore(nonsense)
        for spoil in ({"position": -1}, {"position": "1"}, {"sources": {}}, {"sources": None}):
            with pytest.raises(SpecError, match="damaged"):
                same.restore({**state, **spoil})
        with pytest.raises(SpecError, match="no state of a stream"):
            same.restore({**state, "sources": dict.fromkeys(state["sources"], 5)})
