"""Items train a real policy in TRL's own GRPOTrainer, on the processor: a tiny one, made on the spot."""

import json
import re
from itertools import islice
from pathlib import Path

import pytest
from cases import each
from harness_errors import DatasetError, SpecError

import harness
from harness.core.items import Item, to_json
from harness.training.rewards import Shaping, UnscoredError, graded, reward
from harness.training.trl import dataset, reward_function, text_of

datasets = pytest.importorskip(
    "datasets", reason="datasets is not installed: make extras runs this"
)

WORDS = ["Answer:", "True", "False"]


@pytest.fixture(scope="module")
def trl():
    """The library, or a skip; its tests take half a minute to import it."""
    reason = "trl and torch are not installed: make extras runs this"
    pytest.importorskip("torch", reason=reason)
    return pytest.importorskip("trl", reason=reason)


@pytest.fixture(autouse=True)
def _in_peace(monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path))


class TestTheDataset:
    def test_it_is_the_stream_as_rows(self):
        found = dataset("ltlbench", {"operators": 2}, n=5, seed=3)
        items = harness.stream("ltlbench", {"operators": 2}, seed=3).take(5)
        assert isinstance(found, datasets.Dataset)
        assert found.column_names == ["prompt", "item"]
        assert list(found["prompt"]) == [one.prompt for one in items]
        assert [Item.from_dict(json.loads(line)) for line in found["item"]] == items

    def test_a_conversation_has_one_message(self):
        found = dataset("vltl", n=1, conversational=True)
        (message,) = found[0]["prompt"]
        assert message == {"role": "user", "content": next(harness.stream("vltl")).prompt}

    def test_without_a_number_it_is_endless_and_each_pass_is_the_same(self):
        found = dataset("ltlbench", {"operators": 2})
        assert isinstance(found, datasets.IterableDataset)
        first, second = (list(islice(iter(found), 6)) for _ in range(2))
        assert first == second == dataset("ltlbench", {"operators": 2}, n=6).to_list()

    def test_a_mix_or_a_stream_may_be_the_source_and_goes_on(self):
        own = harness.mix({"ltlbench": 1, "vltl": 1}, seed=3)
        found = dataset(own, n=4)
        assert own.position == 4
        assert {json.loads(line)["plugin"] for line in found["item"]} == {"ltlbench", "vltl"}
        assert dataset(own, n=2).to_list() != found.to_list()[:2]

    def test_what_is_to_be_avoided_is(self):
        held = harness.stream(
            "ltlbench", {"twins": False, "events": 2, "operators": 2}, split="test"
        ).take(60)
        found = dataset("ltlbench", {"twins": False, "events": 2, "operators": 2}, n=60, avoid=held)
        ids = {Item.from_dict(json.loads(line)).problem_id for line in found["item"]}
        assert not ids & {one.problem_id for one in held}

    @each(
        "given, message",
        [
            ({"n": 0}, "n=0: expected a number of items"),
            ({"n": "5"}, "n='5'"),
            ({"source": 5, "n": 1}, "5 is neither a benchmark's name"),
            ({"source": ["ltlbench"], "n": 1}, "is neither a benchmark's name"),
            ({"source": iter([]), "n": 1, "seed": 2}, "go with a benchmark's name"),
            ({"config": {"operator": 1}, "n": 1}, "did you mean 'operators'"),
        ],
    )
    def test_what_is_no_dataset(self, given, message):
        with pytest.raises(SpecError, match=message):
            dataset(**{"source": "ltlbench", **given})


class TestTheReward:
    @pytest.fixture
    def rows(self):
        return dataset("timepuzzles", {"solutions": "2-4"}, n=4).to_list()

    def test_it_is_that_of_the_harness(self, rows):
        items = [json.loads(row["item"]) for row in rows]
        texts = [
            f"Answer: {items[0]['target']}",
            f"Answer: {items[1]['target'][:10]}",
            "hm",
            "Answer: none",
        ]
        shaping = Shaping(value="f1", unparsed=-1)
        expected = [
            reward("", item, text, shaping) for item, text in zip(items, texts, strict=True)
        ]
        assert expected[0] == 1
        assert 0 < expected[1] < 1
        assert expected[2] == -1
        own = reward_function(shaping)
        lines = [row["item"] for row in rows]
        talks = [[{"role": "assistant", "content": text}] for text in texts]
        for said in (texts, talks):
            assert (
                own(prompts=["?"] * 4, completions=said, item=lines, trainer_state=None) == expected
            )
        logged = {}
        own(completions=texts, item=lines, log_metric=logged.__setitem__)
        assert logged == {"unparsed": 0.25}
        assert own.__name__ == "harness_reward"  # the name that the trainer logs it under

    def test_half_an_answer_is_none(self, rows):
        line = rows[0]["item"]
        text = f"So it is this.\nAnswer: {json.loads(line)['target']}"
        own = reward_function(max_tokens=4, eos=9)
        found = [
            own(completions=[text], item=[line], completion_ids=[ids])
            for ids in ([1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 9])
        ]
        assert found == [[1.0], [0.0], [1.0]]
        assert reward_function()(completions=[text], item=[line], completion_ids=[[1] * 9]) == [1.0]

    def test_what_cannot_be_scored_ends_the_training_unless_a_number_is_given(
        self, monkeypatch, rows
    ):
        def broken(*_, **__):
            raise harness.EngineError("out of time")

        plugin = harness.training.rewards.plugins().get("timepuzzles")
        monkeypatch.setattr(plugin.hooks, "score", broken)
        lines = [row["item"] for row in rows]
        with pytest.raises(UnscoredError, match=r"completion 0: .*out of time"):
            reward_function()(completions=["Answer: none"] * 4, item=lines)
        told = []
        own = reward_function(Shaping(unscored=0.5), report=lambda *one: told.append(one))
        assert own(completions=["Answer: none"] * 4, item=lines) == [0.5] * 4
        assert told == []

    def test_a_curriculum_is_told(self):
        levels = harness.Curriculum("ltlbench", key="operators", values=[1, 2], window=4)
        own = reward_function(report=levels.report)
        rows = dataset(levels, n=4).to_list()
        right = [f"Answer: {json.loads(row['item'])['target']}" for row in rows]
        assert own(completions=right, item=[row["item"] for row in rows]) == [1.0] * 4
        assert levels.level == 1

    @each(
        "given, error, message",
        [
            ({"completions": ["x"]}, SpecError, "needs the column 'item'"),
            ({"completions": ["x"], "item": []}, SpecError, "needs the column 'item'"),
            ({"completions": ["x"], "item": ["{}"]}, DatasetError, "completion 0: item lacks 'id'"),
            ({"completions": ["x"], "item": [None]}, SpecError, "completion 0: item is NoneType"),
        ],
    )
    def test_rows_without_items(self, given, error, message):
        with pytest.raises(error, match=message):
            reward_function()(**given)

    @each("tokens", [0, -1, "5", 2.5, True])
    def test_a_limit_that_is_none(self, tokens):
        with pytest.raises(SpecError, match=r"max_tokens=.*: expected a number"):
            reward_function(max_tokens=tokens)

    @each(
        "said, text",
        [
            ("a", "a"),
            ([{"role": "assistant", "content": "a"}, {"role": "assistant", "content": "b"}], "b"),
            ([{"role": "assistant", "content": None, "tool_calls": []}], ""),
            ([{"content": [{"type": "text", "text": "a"}, {"type": "image"}]}], "a"),
            ([], ""),
        ],
    )
    def test_the_text_of_a_completion(self, said, text):
        assert text_of(said) == text

    @each(
        "said",
        [None, 5, b"a", [None], [{"role": "assistant"}], [{"content": 5}], [{"content": ["a"]}]],
    )
    def test_what_is_no_completion(self, said):
        if said == [{"role": "assistant"}]:
            assert text_of(said) == ""
            return
        with pytest.raises(SpecError, match="expected text or messages"):
            text_of(said)


# The library calls, while it trains, what the next version of another one will not have.
@pytest.mark.filterwarnings("ignore:.*is deprecated and will be removed in v6:FutureWarning")
@pytest.mark.filterwarnings("ignore:.*:DeprecationWarning:torch")
class TestTraining:
    STEPS = 40

    @pytest.fixture
    def train(self, trl, tmp_path):
        from tiny_policy import policy_of, tokenizer_of

        def trained(data, texts, function, **options):
            tokenizer = tokenizer_of(texts, WORDS, 8)
            model = policy_of(tokenizer)
            assert sum(one.numel() for one in model.parameters()) < 5_000
            args = trl.GRPOConfig(
                output_dir=str(tmp_path), per_device_train_batch_size=32, num_generations=8,
                max_completion_length=2, max_steps=self.STEPS, learning_rate=0.02, beta=0.0,
                lr_scheduler_type="constant", report_to="none", use_cpu=True, bf16=False, seed=1,
                save_strategy="no", logging_steps=1, disable_tqdm=True, **options,
            )  # fmt: skip
            trainer = trl.GRPOTrainer(
                model=model, reward_funcs=function, args=args, train_dataset=data,
                processing_class=tokenizer,
            )  # fmt: skip
            before = {name: one.detach().clone() for name, one in model.named_parameters()}
            trainer.train()
            changed = [
                name for name, one in model.named_parameters() if (one != before[name]).any()
            ]
            logs = [one for one in trainer.state.log_history if "reward" in one]
            assert len(logs) == self.STEPS
            assert len(changed) == len(before)
            return logs

        return trained

    def test_a_tiny_policy_learns_to_give_an_answer_that_can_be_read(self, train):
        """It cannot learn more: most words of a problem are one word to it."""
        data = dataset("ltlbench", {"operators": 1}, n=64, seed=5)
        readable = Shaping(scale=0, offset=1, unparsed=-1.0)
        own, asked = reward_function(readable), []

        def harness_reward(**given):
            asked.append((given["completions"], given["item"], own(**given)))
            return asked[-1][2]

        logs = train(data, list(data["prompt"]), harness_reward)
        means = [float(one["reward"]) for one in logs]
        unparsed = [float(one["unparsed"]) for one in logs]
        print("mean reward, step by step:", means)
        assert means == pytest.approx([1 - 2 * share for share in unparsed], abs=1e-3)
        assert sum(means[-5:]) / 5 > sum(means[:3]) / 3 + 0.5
        # What the trainer optimised is what the harness says of every one of these texts.
        for texts, lines, given in asked[::6]:
            pairs = zip(lines, texts, strict=True)
            assert given == [reward("", line, text, readable) for line, text in pairs]
        texts, lines, _ = asked[0]
        outcomes = {graded("", line, text).outcome for line, text in zip(lines, texts, strict=True)}
        assert outcomes == {"scored", "unparsed"}

    def test_the_example_of_the_documentation_runs(self, trl, tmp_path, monkeypatch):
        from tiny_policy import policy_of, tokenizer_of

        page = (Path(__file__).parents[2] / "docs/training.md").read_text(encoding="utf-8")
        (code,) = re.findall(r"```python\n(from trl.+?)```", page, re.DOTALL)
        small = {
            "tokens = 512": "tokens = 2",
            "n=10_000": "n=8",
            "GRPOConfig(": "GRPOConfig(max_steps=1, use_cpu=True, bf16=False, report_to='none', ",
        }
        for told, instead in small.items():
            assert told in code
            code = code.replace(told, instead)
        held = harness.stream("ltlbench", {"operators": 2}, split="test").take(5)
        (tmp_path / "evaluation.jsonl").write_text("".join(f"{to_json(one)}\n" for one in held))
        monkeypatch.chdir(tmp_path)
        tokenizer = tokenizer_of([one.prompt for one in held], WORDS, 8)
        names = {"model": policy_of(tokenizer), "tokenizer": tokenizer}
        exec(compile(code, "training.md", "exec"), names)
        assert names["trainer"].state.global_step == 1

    def test_an_endless_conversational_set_whose_level_follows_the_rewards(
        self, train, monkeypatch
    ):
        monkeypatch.setattr(TestTraining, "STEPS", 6)
        levels = harness.Curriculum(
            "ltlbench", key="operators", values=[1, 2, 3], window=16, up=0.5, down=-0.1, solved=-1.0
        )
        data = dataset(levels, conversational=True)
        own = reward_function(Shaping(unparsed=-1.0), max_tokens=2, eos=2, report=levels.report)
        texts = [one.prompt for one in harness.stream("ltlbench").take(20)]
        logs = train(data, texts, own, shuffle_dataset=False)
        assert all(-1 <= float(one["reward"]) <= 1 for one in logs)
        assert levels.level == 2  # -1 counts as solved here, so every window raises it
