"""The benchmarks as an environment of the real library `verifiers`, asked through a real server on the loopback."""

import asyncio
import json
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from cases import each
from harness_errors import DatasetError, ExhaustedError, PluginError, SpecError
from openai_server import completion, failure, serving

import harness
from harness.training.rewards import Shaping, reward
from harness.training.verifiers import environment

vf = pytest.importorskip(
    "verifiers.v1",
    reason="verifiers is not installed: make extras runs this",
)

CONFIG = {"solutions": "2-4"}


@pytest.fixture(autouse=True)
def _in_peace(monkeypatch, tmp_path):
    """Nothing of a user's own settings, and nothing left in the folder of the tests."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)


def evaluate(env, behaviour, tasks=None):
    """Roll every task out once against a server; return the episodes and what was asked."""
    with serving(behaviour) as server:
        client = vf.EvalClientConfig(base_url=server.url, api_key_var="NO_SUCH_KEY")
        where = vf.ModelContext(model="test", client=client)

        async def go():
            few = asyncio.Semaphore(4)  # the server's queue is short
            async with env.serving():
                slots = [one for task in tasks or env.taskset for one in env.slots(task)]
                return await asyncio.gather(*(env.run_slot(one, where, few) for one in slots))

        return asyncio.run(go()), server.requests


def prompt_of(request):
    return request["messages"][-1]["content"]


def test_a_reward_is_that_of_the_harness_and_the_trace_says_what_it_is_made_of():
    shaping = Shaping(weights={"exact": 0.5, "f1": 0.5}, unparsed=-1.0)
    env = environment("timepuzzles", CONFIG, n=4, seed=2, shaping=shaping)
    items = harness.stream("timepuzzles", CONFIG, seed=2).take(4)
    texts = [f"Answer: {items[0].target}", f"Answer: {items[1].target[:10]}", "hm", ""]
    said = {item.prompt: text for item, text in zip(items, texts, strict=True)}
    assert isinstance(env, vf.SingleAgentEnv)
    episodes, asked = evaluate(env, lambda request, _: completion(said[prompt_of(request)]))
    assert len(asked) == 4
    traces = {one.traces[0].task.data.id: one.traces[0] for one in episodes}
    assert all(one.ok for one in episodes)
    for item, text in zip(items, texts, strict=True):
        trace = traces[item.id]
        assert trace.reward == reward("", item, text, shaping)
        assert trace.metrics["unparsed"] == float(text in ("hm", ""))
        assert set(trace.metrics) == {"unparsed", "exact", "precision", "recall", "f1", "jaccard"}
        assert (trace.task.key, trace.num_turns) == (item.id, 1)
    assert [traces[item.id].reward for item in items][::2] == [1.0, -1.0]


def test_a_reply_that_was_cut_off_is_scored_as_in_a_run():
    env = environment("timepuzzles", CONFIG, n=2)
    gold = {task.data.prompt: json.loads(task.data.item)["target"] for task in env.taskset}

    def behave(request, number):
        return completion(
            f"So:\nAnswer: {gold[prompt_of(request)]}", stop=["length", "stop"][number]
        )

    episodes, _ = evaluate(env, behave)
    assert sorted(one.traces[0].reward for one in episodes) == [0.0, 1.0]
    assert sorted(one.traces[0].metrics["unparsed"] for one in episodes) == [0.0, 1.0]


def test_a_provider_that_fails_is_an_error_and_no_reward():
    env = environment("ltlbench", n=1)
    ((episode,), _) = evaluate(env, lambda *_: failure(400, "no such model"))
    assert not episode.ok
    assert "no such model" in episode.traces[0].errors[0].message
    assert episode.traces[0].rewards == {}


def test_what_cannot_be_scored_is_an_error_unless_a_number_is_given(monkeypatch):
    def broken(*_, **__):
        raise harness.EngineError("out of time")

    monkeypatch.setattr(harness.training.rewards.plugins().get("ltlbench").hooks, "score", broken)
    ((episode,), _) = evaluate(environment("ltlbench", n=1), lambda *_: completion("Answer: True"))
    assert not episode.ok
    assert "could not be scored: out of time" in episode.traces[0].errors[0].message
    env = environment("ltlbench", n=1, shaping=Shaping(unscored=0.25))
    ((episode,), _) = evaluate(env, lambda *_: completion("Answer: True"))
    assert (episode.ok, episode.traces[0].reward) == (True, 0.25)


def test_without_a_number_it_is_endless_and_verifiers_bounds_it():
    env = environment("ltlbench", {"operators": 1}, seed=3)
    items = harness.stream("ltlbench", {"operators": 1}, seed=3).take(4)
    assert not env.taskset.bounded
    view = env.taskset.skip(1).take(3)
    assert view.bounded
    assert [task.data.id for task in view] == [one.id for one in items[1:]]
    assert [task.data.idx for task in view] == [1, 2, 3]


def test_what_is_to_be_avoided_never_comes(tmp_path):
    small = {"twins": False, "events": 2, "operators": 2}
    held = harness.stream("ltlbench", small, split="test").take(60)
    path = tmp_path / "test.jsonl"
    path.write_text("".join(f"{harness.core.items.to_json(one)}\n" for one in held))
    for avoid in (held, path):
        env = environment("ltlbench", small, n=60, avoid=avoid)
        found = {
            harness.Item.from_dict(json.loads(task.data.item)).problem_id for task in env.taskset
        }
        assert len(found) == 60
        assert not found & {one.problem_id for one in held}


def test_verifiers_finds_the_taskset_by_its_name_alone():
    told = {
        "taskset": {
            "id": "harness-verifiers",
            "plugin": "vltl",
            "config": {"task": "verify"},
            "n": 2,
        }
    }
    env = vf.load_environment(
        vf.resolve_env_config({**told, "agent": {"runtime": {"type": "subprocess"}}})
    )
    assert [json.loads(task.data.item)["problem"]["task"] for task in env.taskset] == ["verify"] * 2
    assert vf.default_harness_id("harness-verifiers") == "harness-verifiers"


def test_the_command_of_verifiers_evaluates_it(tmp_path):
    with serving(lambda *_: completion("Answer: True")) as server:
        words = [
            *("harness-verifiers", "--env.taskset.plugin", "ltlbench", "--env.taskset.n", "3"),
            *("--env.agent.runtime.type", "subprocess", "--client.base-url", server.url),
            *("--client.api-key-var", "NO_SUCH_KEY", "-m", "test", "-o", str(tmp_path), "--no-rich", "--no-push"),
        ]  # fmt: skip
        done = subprocess.run(
            [Path(sys.executable).with_name("vf-eval"), *words],
            capture_output=True,
            text=True,
        )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    lines = [line for path in tmp_path.rglob("*.jsonl") for line in path.read_text().splitlines()]
    found = [json.loads(line)["traces"][0] for line in lines]
    items = {one.id: one for one in harness.stream("ltlbench").take(3)}
    assert {one["task"]["data"]["id"] for one in found} == set(items)
    for one in found:
        item = items[one["task"]["data"]["id"]]
        assert one["rewards"]["harness_reward"]["score"] == reward("", item, "Answer: True")


def test_a_tiny_policy_is_evaluated_through_a_server():
    pytest.importorskip("torch", reason="torch is not installed: make extras runs this")
    pytest.importorskip("transformers", reason="transformers is not installed")
    from tiny_policy import policy_of, said_by, tokenizer_of

    env = environment("ltlbench", {"operators": 1}, n=24, shaping=Shaping(unparsed=-1.0))
    tasks = list(env.taskset)
    tokenizer = tokenizer_of([task.data.prompt for task in tasks], ["Answer:", "True", "False"], 8)
    model = policy_of(tokenizer)
    assert sum(one.numel() for one in model.parameters()) < 5_000
    said, one_at_a_time = {}, threading.Lock()

    def behave(request, number):
        prompt = prompt_of(request)
        with one_at_a_time:
            said[prompt] = said_by(model, tokenizer, prompt, 2, number)
        return completion(said[prompt])

    episodes, _ = evaluate(env, behave, tasks)
    assert len(said) == 24
    for one in episodes:
        data = one.traces[0].task.data
        assert one.traces[0].reward == reward(
            "", data.item, said[data.prompt], Shaping(unparsed=-1.0)
        )


def test_the_example_of_the_documentation_runs():
    page = (Path(__file__).parents[2] / "docs/training.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(import verifiers.+?)```", page, re.DOTALL)
    with serving(lambda *_: completion("Answer: True")) as server:
        changed = code.replace("http://localhost:8000/v1", server.url).replace("n=100", "n=3")
        names = {}
        exec(compile(changed, "training.md", "exec"), names)
        episodes = asyncio.run(names["evaluate"]())
    assert len(server.requests) == 3
    assert [one.ok for one in episodes] == [True] * 3


@each(
    "given, error, message",
    [
        ({"plugin": "ltlbensch"}, PluginError, "did you mean 'ltlbench'"),
        ({"config": {"operator": 2}}, SpecError, "did you mean 'operators'"),
        ({"n": 0}, SpecError, "n=0: expected a number of items"),
        ({"n": "3"}, SpecError, "n='3'"),
        ({"seed": -1}, SpecError, "the least is 0"),
        ({"avoid": ["x"]}, DatasetError, "no problem's id"),
        ({"shaping": Shaping(value="acuracy")}, SpecError, "did you mean 'accuracy'"),
    ],
)
def test_what_does_not_fit_is_one_line_before_any_rollout(given, error, message):
    with pytest.raises(error, match=message) as caught:
        environment(**{"plugin": "ltlbench", "n": 2, **given})
    assert "\n" not in str(caught.value)


def test_a_setting_with_few_problems_ends_with_its_line():
    env = environment("ltlbench", {"twins": False, "events": 2, "operators": 1}, n=140)
    with pytest.raises(ExhaustedError, match="128 distinct problems"):
        list(env.taskset)
