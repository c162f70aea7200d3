"""Items a model is asked about: what is dropped, what stands in, what is kept of it, paid for once."""

import json
import os
import signal
import threading
import time
from pathlib import Path

import pytest
from cases import slow
from children import forked, until
from harness_errors import ExhaustedError, OutputError, PluginError
from inspect_ai import eval_retry
from inspect_ai.log import read_eval_log
from openai_server import completion, failure

from harness.aids import pruning
from harness.cli import tables
from harness.cli.main import main
from harness.core import fresh, plugins
from harness.core.spec import make
from harness.datasets import text as datasets_text

JUDGE = "openai-api/local/judge"
PRUNE = f"prune_model={JUDGE}"


def asked(request):
    return request["messages"][-1]["content"]


def numbers(request):
    """Return the two numbers of the sum that a question is about."""
    text = asked(request).removeprefix("Does this read well, yes or no? ")
    return [int(part) for part in text.removesuffix(" Say {one} word.").split(" + ")]


def odd_is_bad(request, number=0):
    return completion("No." if sum(numbers(request)) % 2 else "Yes, it does.")


@pytest.fixture
def call(toys, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def call(command, *words):
        code = main([command, "plugin=toy_staged", *words, "--json"])
        captured = capsys.readouterr()
        return code, json.loads(captured.out)

    return call


def on_file(path):
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


@pytest.mark.parametrize(
    ("answer", "decision"),
    [
        ("yes", "keep"), ("No.", "drop"), ("**YES**, no doubt", "keep"), ("no, not yes", "drop"),
        ("It does not read badly.", "unclear"), ("", "unclear"), ("Nothing, know, yesterday", "unclear"),
        ("Answer: no", "drop"), ("\x00", "unclear"), ("x" * 1_000_000, "unclear"),
    ],
)  # fmt: skip
def test_the_first_yes_or_no_decides(answer, decision):
    assert pruning.decision_in(answer) == decision


class TestGenerate:
    def made(self, call, *words, n=12):
        code, found = call("generate", f"n={n}", "out=d.jsonl", PRUNE, *words)
        assert code == 0, found
        return found, [json.loads(line) for line in Path("d.jsonl").read_text().splitlines()]

    def test_later_indices_stand_in_for_what_is_dropped(self, call, client):
        server = client(odd_is_bad)
        found, items = self.made(call)
        assert len(items) == 12
        assert all((i["problem"]["a"] + i["problem"]["b"]) % 2 == 0 for i in items)
        indices = [item["index"] for item in items]
        assert indices == sorted(indices)
        last = indices[-1] + 1
        assert found["pruning"] == {
            "model": JUDGE, "asked": last, "dropped": last - 12, "unclear": 0,
            "file": "d.jsonl.pruned.jsonl",
        }  # fmt: skip
        assert len(server.requests) == last
        assert f"dropped {last - 12} of {last} items, 0 answers unclear" in datasets_text.written(
            found
        )

    def test_every_decision_is_on_file(self, call, client):
        client(odd_is_bad)
        found, items = self.made(call)
        lines = on_file("d.jsonl.pruned.jsonl")
        assert sorted(line["index"] for line in lines) == list(range(found["pruning"]["asked"]))
        assert {line["id"] for line in lines if line["decision"] == "keep"} == {
            i["id"] for i in items
        }
        assert {line["model"] for line in lines} == {JUDGE}
        assert {(line["decision"], line["answer"]) for line in lines} == {
            ("keep", "Yes, it does."), ("drop", "No."),
        }  # fmt: skip
        assert set(lines[0]) == {"index", "id", "text", "answer", "decision", "model"}

    def test_unclear_answers_keep_and_are_counted(self, call, client):
        client(lambda request, number: completion("Perhaps."))
        found, _ = self.made(call)
        assert [found["pruning"][k] for k in ("asked", "dropped", "unclear")] == [12, 0, 12]

    def test_the_same_items_whatever_the_batch_and_order(self, call, client, monkeypatch):
        server = client(odd_is_bad)
        _, items = self.made(call)
        Path("d.jsonl").unlink()
        Path("d.jsonl.pruned.jsonl").unlink()
        monkeypatch.setattr(pruning, "BATCH", 3)
        monkeypatch.setattr(pruning, "CONNECTIONS", 1)
        half = len(server.requests)
        assert self.made(call)[1] == items
        assert len(server.requests) == 2 * half

    def test_nothing_is_paid_for_twice(self, call, client):
        server = client(odd_is_bad)
        first, items = self.made(call)
        Path("d.jsonl").unlink()
        before = len(server.requests)
        again, same = self.made(call)
        assert (len(server.requests), again, same) == (before, first, items)
        assert len(on_file("d.jsonl.pruned.jsonl")) == before

    @slow
    def test_another_model_is_asked_anew(self, call, client):
        server = client(odd_is_bad)
        self.made(call)
        Path("d.jsonl").unlink()
        before = len(server.requests)
        code, _ = call("generate", "n=12", "out=d.jsonl", PRUNE + "2")
        assert (code, len(server.requests)) == (0, 2 * before)

    def test_a_model_that_fails_ends_it_and_what_was_decided_is_kept(
        self, call, client, monkeypatch
    ):
        monkeypatch.setattr(pruning, "CONNECTIONS", 1)
        state = {"left": 5}

        def behaviour(request, number):
            state["left"] -= 1
            return failure(400, "no money") if state["left"] < 0 else odd_is_bad(request)

        server = client(behaviour)
        code, found = call("generate", "n=12", "out=d.jsonl", PRUNE)
        message = found["error"]["message"]
        assert (code, found["error"]["kind"]) == (1, "EngineError")
        assert message.startswith(f"{PRUNE}: BadRequestError: Error code: 400")
        assert message.endswith(
            "5 decisions are kept in d.jsonl.pruned.jsonl, the same command goes on from there"
        )
        assert not Path("d.jsonl").exists()
        assert len(on_file("d.jsonl.pruned.jsonl")) == 5
        state["left"], before = 1_000, len(server.requests)
        found, _ = self.made(call)
        assert len(server.requests) - before == found["pruning"]["asked"] - 5

    def test_interrupted_between_batches_it_goes_on(self, call, client, monkeypatch):
        client(odd_is_bad)
        monkeypatch.setattr(pruning, "BATCH", 2)
        usual, spent = pruning.Pruner._judged, []

        def judged(self, batch):
            spent.append(batch)
            if len(spent) == 4:
                raise KeyboardInterrupt
            return usual(self, batch)

        monkeypatch.setattr(pruning.Pruner, "_judged", judged)
        code, _ = call("generate", "n=12", "out=d.jsonl", PRUNE)
        half = Path("d.jsonl.partial").read_text().splitlines()
        assert (code, 0 < len(half) < 12) == (130, True)
        found, items = self.made(call)
        assert [item["id"] for item in items[: len(half)]] == [json.loads(x)["id"] for x in half]
        assert (found["items"], len({item["id"] for item in items})) == (12, 12)
        assert found["pruning"]["asked"] == items[-1]["index"] + 1

    def test_lines_that_are_no_decisions_count_for_nothing(self, call, client):
        client(odd_is_bad)
        junk = [
            "", "[]", "3", "\x00\xff", '{"id": "x"}',
            json.dumps({"id": [], "text": "", "decision": "keep", "model": JUDGE}),
            json.dumps({"id": "x", "text": "", "decision": "burn", "model": JUDGE}),
            "{",
        ]  # fmt: skip
        # no newline behind the last: torn
        Path("d.jsonl.pruned.jsonl").write_text("\n".join(junk), encoding="latin-1")
        _, items = self.made(call)
        lines = Path("d.jsonl.pruned.jsonl").read_text(errors="replace").splitlines()
        assert json.loads(lines[-1])["model"] == JUDGE
        assert len(items) == 12

    def test_too_much_dropped(self, call, client):
        server = client(lambda request, number: completion("no"))
        code, found = call("generate", "n=2", "out=d.jsonl", PRUNE)
        assert (code, len(server.requests)) == (2, 30)
        assert found["error"] == {
            "kind": "ExhaustedError",
            "message": f"{PRUNE} dropped 30 of 30 items and left 0; that is too large a share "
            "(decisions: d.jsonl.pruned.jsonl)",
        }

    def test_no_more_items_to_stand_in(self, call, client, monkeypatch):
        monkeypatch.setattr(fresh, "PATIENCE", 20)
        client(odd_is_bad)
        code, found = call("generate", "n=9", "top=2", "out=d.jsonl", PRUNE)
        assert code == 2
        assert "left 5; these settings have no more distinct ones" in found["error"]["message"]

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (["prune_model=nosuch/model"], "model=nosuch/model"),
            (["prune_model=harness/random"], "prune_model=harness/random: the embedded models"),
        ],
    )
    def test_refused_before_a_file_is_begun(self, call, tmp_path, words, message):
        code, found = call("generate", "n=2", "out=d.jsonl", *words)
        assert code == 2
        assert message in found["error"]["message"]
        assert list(tmp_path.iterdir()) == []


class TestPruner:
    @pytest.fixture
    def plugin(self, toys):
        return toys("Staged")

    def pruner(self, plugin, path, **values):
        return pruning.Pruner(plugin, make(plugin, {"prune_model": JUDGE, "n": 3, **values}), path)

    def test_a_file_that_cannot_be_read_or_written(self, plugin, tmp_path, client):
        client(odd_is_bad)
        with pytest.raises(OutputError, match="cannot be read: Is a directory"):
            list(self.pruner(plugin, tmp_path).items())
        (tmp_path / "file").write_text("")
        with pytest.raises(OutputError, match=r"cannot be (read|written): Not a directory"):
            list(self.pruner(plugin, tmp_path / "file" / "p.jsonl").items())

    @pytest.mark.parametrize("text", [None, 3])
    def test_a_text_that_is_none(self, plugin, tmp_path, monkeypatch, text):
        monkeypatch.setattr(plugin.hooks, "render", lambda **_: text)
        with pytest.raises(PluginError, match=r"render\(\) returned \w+ as text"):
            list(self.pruner(plugin, tmp_path / "p.jsonl").items())

    def test_the_question_holds_the_text_and_other_braces_stay(self, plugin, tmp_path, client):
        server = client(lambda request, number: completion("yes"))
        (item,) = self.pruner(plugin, tmp_path / "p.jsonl", n=1).items()
        assert asked(server.requests[0]) == (
            f"Does this read well, yes or no? {item.problem['a']} + {item.problem['b']} Say {{one}} word."
        )

    def test_many_are_asked_at_once_but_not_all(self, plugin, tmp_path, client):
        at_once, most, lock = [], [], threading.Lock()
        full = threading.Event()

        def behaviour(request, number):
            with lock:
                at_once.append(number)
                most.append(len(at_once))
                if len(at_once) == 4:
                    full.set()
            if not full.wait(60):
                full.set()  # once is enough to see that there are fewer
            time.sleep(0.05)  # so that one too many would be seen
            with lock:
                at_once.remove(number)
            return completion("yes")

        client(behaviour)
        list(self.pruner(plugin, tmp_path / "p.jsonl", n=20, max_connections=4).items())
        assert max(most) == 4

    def test_of_a_dataset_items_are_left_out(self, plugin, tmp_path, client):
        client(odd_is_bad)
        path = tmp_path / "d.csv"
        path.write_text("x,y\n1,1\n1,2\n2,2\n")
        found = self.pruner(plugin, tmp_path / "p.jsonl", n=None, dataset=str(path))
        assert [item.problem for item in found.items()] == [{"a": 1, "b": 1}, {"a": 2, "b": 2}]
        assert [found.summary()[k] for k in ("asked", "dropped")] == [3, 1]

    def test_of_a_dataset_all_are_left_out(self, plugin, tmp_path, client):
        client(odd_is_bad)
        path = tmp_path / "d.csv"
        path.write_text("x,y\n1,2\n")
        found = self.pruner(plugin, tmp_path / "p.jsonl", n=None, dataset=str(path))
        with pytest.raises(
            ExhaustedError, match=r"dropped 1 of 1 items and left 0; that are all of"
        ):
            list(found.items())


class TestRun:
    @slow
    def test_a_run_asks_once_and_says_so(self, call, client):
        server = client(odd_is_bad)
        code, found = call("run", "n=6", PRUNE)
        result = found["results"][0]
        total = result["pruning"]["asked"]
        assert (code, result["n"], len(server.requests)) == (0, 6, total)
        file = f"logs/pruned-{result['fingerprint'][:12]}.jsonl"
        assert result["pruning"] == {
            "model": JUDGE, "asked": total, "dropped": total - 6, "unclear": 0, "file": file,
        }  # fmt: skip
        assert f"pruning: {JUDGE} dropped {total - 6} of {total} items" in tables.run(found)
        assert len(on_file(file)) == total
        log = read_eval_log(found["logs"][0])
        assert log.eval.metadata["pruning"]["file"] == str(Path(file).absolute())
        problems = [json.loads(sample.metadata["problem"]) for sample in log.samples]
        assert all((p["a"] + p["b"]) % 2 == 0 for p in problems)
        assert (
            call("run", "n=6", PRUNE, "strategy=cot")[1]["results"][0]["pruning"]
            == result["pruning"]
        )
        assert len(server.requests) == total

    def test_a_run_without_says_nothing(self, call):
        _, found = call("run", "n=2")
        assert found["results"][0]["pruning"] is None
        assert "pruning" not in tables.run(found)

    @slow
    @pytest.mark.parametrize("lost", [False, True])
    def test_a_retry_rebuilds_the_same_items(self, call, client, monkeypatch, tmp_path, lost):
        """From the file without asking, wherever it is called; by asking again if the file is lost."""
        state = {"broken": True}

        def behaviour(request, number):
            if "Does this read well" in asked(request):
                return odd_is_bad(request)
            return failure(400) if state.pop("broken", False) else completion("Answer: zero")

        server = client(behaviour)
        # A retry keeps its model, address and all, for the next one of that name.
        model = f"model=openai-api/local/test-{lost}"
        code, found = call("run", "n=4", PRUNE, model, "max_retries=0")
        result = found["results"][0]
        assert (code, result["unscored"]) == (1, 1)
        log, before = Path(found["logs"][0]).absolute(), len(server.requests)
        if lost:
            (tmp_path / result["pruning"]["file"]).unlink()
        (tmp_path / "other").mkdir()
        monkeypatch.chdir(tmp_path / "other")
        (again,) = eval_retry(str(log), log_dir=str(tmp_path / "other"), display="none")
        assert again.status == "success"
        assert len(server.requests) - before == 1 + (result["pruning"]["asked"] if lost else 0)
        assert (
            again.eval.metadata["items_digest"]
            == read_eval_log(str(log)).eval.metadata["items_digest"]
        )

    def test_a_model_that_fails_ends_the_run_with_one_line(self, call, client):
        client(lambda request, number: failure(400, "no money"))
        code, found = call("run", "n=4", PRUNE)
        assert (code, found["error"]["kind"]) == (1, "EngineError")
        assert not list(Path("logs").glob("*.eval"))

    def test_a_run_asks_as_often_and_as_many_at_once_as_it_is_told(self, call, client):
        server = client(lambda request, number: failure(500))
        code, found = call("run", "n=4", PRUNE, "max_retries=0", "max_connections=1")
        assert (code, found["error"]["kind"]) == (1, "EngineError")
        assert len({asked(request) for request in server.requests}) == 1
        assert len(server.requests) <= 3  # the client's own tries, which Inspect's would multiply

    def test_ctrl_c_keeps_what_was_decided(self, toys, client, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        questions, lock, over = [], threading.Lock(), threading.Event()

        def behaviour(request, number):
            with lock:
                if asked(request) not in questions:
                    questions.append(asked(request))
                late = questions.index(asked(request)) >= 4
            if late:
                over.wait(600)  # it gets no answer before it has ended
            return completion("yes")

        client(behaviour)
        words = ["run", "plugin=toy_staged", "n=30", PRUNE, "max_connections=2"]
        with forked(lambda: main(words), said := tmp_path / "said") as process:
            # Two at a time: by then four are answered, and each was kept before the next was asked.
            until(lambda: len(questions) == 6 or not process.is_alive())
            os.kill(process.pid, signal.SIGINT)
            process.join(600)
        over.set()
        assert process.exitcode == 130
        (file,) = Path("logs").absolute().glob("pruned-*.jsonl")
        assert said.read_text().strip() == (
            f"harness: interrupted; decisions are kept in {file}; the same command goes on from there"
        )
        assert len(on_file(file)) == 4

    def test_a_benchmark_without_a_question_refuses(self, toys, capsys):
        assert plugins.registry().get("toy_good").benchmark.pruning == ""
        assert main(["run", "plugin=toy_good", PRUNE]) == 2
        assert "'prune_model' does not apply to toy_good" in capsys.readouterr().err


@slow
def test_an_unknown_model_is_told_under_its_own_key(toys, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["generate", "plugin=toy_staged", "n=2", "out=d.jsonl", "prune_model=nope/x"]) == 2
    assert capsys.readouterr().err.startswith("harness: prune_model=nope/x: ")
    assert not list(tmp_path.iterdir())
