"""Logs of several answers per item that were not voted on: no reader takes them for a vote."""

import pytest
from inspect_ai import Epochs
from inspect_ai import eval as inspect_eval
from inspect_ai.log import read_eval_log

from harness.cli.main import main
from harness.core.plugins import registry
from harness.core.spec import make
from harness.run import inspect_task


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """Logs of the random baseline by reducer: Inspect's mean, its best of three, and a vote of ours."""
    folder = tmp_path_factory.mktemp("logs")
    plugin = registry().get("ltlbench")
    found = {}
    for name, reducer in (("mean", None), ("max", "max")):
        task = inspect_task.build(plugin, make(plugin, {"n": 3}))
        (log,) = inspect_eval(
            task, model="harness/random", epochs=Epochs(3, reducer), log_dir=str(folder / name), display="none",
        )  # fmt: skip
        found[name] = log.location
    assert (
        main(
            [
                "run",
                "ltlbench",
                "n=3",
                "samples=3",
                "model=harness/random",
                f"log_dir={folder / 'vote'}",
            ]
        )
        == 0
    )
    found["vote"] = str(next((folder / "vote").glob("*.eval")))
    return found


@pytest.mark.parametrize("reducer", ["mean", "max"])
@pytest.mark.parametrize("words", [["report"], ["compare"], ["plan", "d=0.2", "pilot="]])
def test_readers_say_that_they_cannot(logs, reducer, words, capsys):
    words = (
        [*words[:-1], f"{words[-1]}{logs[reducer]}"]
        if words[-1].endswith("=")
        else [*words, logs[reducer]]
    )
    assert main(words) in (1, 2)
    (line,) = capsys.readouterr().err.splitlines()
    assert f"3 epochs reduced by {reducer}, and only a vote (samples=N) is read" in line
    assert logs[reducer] in line


def test_a_vote_is_read_and_inspects_own_mean_stays(logs, capsys):
    assert main(["report", logs["vote"]]) == 0
    assert "1 series, 3 answers" in capsys.readouterr().out
    head = read_eval_log(logs["mean"], header_only=True)
    assert head.eval.config.epochs_reducer in (None, ["mean"])
    assert main(["score", logs["mean"], f"log_dir={logs['mean']}.new"]) == 0
