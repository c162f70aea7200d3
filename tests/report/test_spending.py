"""What a report says of tokens and dollars: the provider's counts, each run's once, by the prices given."""

import json
import shutil

import pytest
from cases import slow
from inspect_ai.log import read_eval_log, write_eval_log
from openai_server import completion, serving

from harness.cli.main import main
from harness.report import log_studies, sections
from harness.run import models

MODELS = ("openai-api/local/a", "openai-api/local/b")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Logs of two models, of which the first was asked with prices; the server counts 5 tokens in, 2 out."""
    place = tmp_path_factory.mktemp("made")
    (place / "prices.yaml").write_text(
        "".join(f"{name}: {{input: 2, output: 10}}\n" for name in MODELS)
    )
    with (
        pytest.MonkeyPatch.context() as patch,
        serving(lambda *_: completion("Answer: True")) as server,
    ):
        patch.setenv("LOCAL_API_KEY", "none")
        patch.setenv("LOCAL_BASE_URL", server.url)
        patch.chdir(place)
        assert main(["run", "ltlbench", "n=3", f"model={MODELS[0]}", "prices=prices.yaml"]) == 0
        assert main(["run", "ltlbench", "n=2", "samples=2", f"model={MODELS[1]}"]) == 0
    return place


@pytest.fixture
def folder(made, tmp_path, monkeypatch):
    """A copy of them."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "logs"


def rows(found):
    (study,) = found["studies"]
    (table,) = [table for table in study["tables"] if table["name"] == "ltlbench_spending"]
    plain = [
        [cell["value"] if isinstance(cell, dict) else cell for cell in row] for row in table["rows"]
    ]
    return [*sorted(plain[:-1], key=lambda row: row[0]), plain[-1]]


def report(capsys, *words):
    assert main(["report", *map(str, words), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@slow
def test_each_series_and_all_together(folder, capsys):
    found = report(capsys, folder)
    first, second, both = rows(found)
    assert first == [
        MODELS[0], 3, 15, None, 6, None, pytest.approx(90e-6), pytest.approx(30e-3)
    ]  # fmt: skip
    assert second == [f"{MODELS[1]} · samples=2", 2, 20, None, 8, None, None, None]
    assert both == ["all", 5, 35, None, 14, None, None, None]
    assert found["usage"][MODELS[1]]["input_tokens"] == 20

    priced = report(capsys, folder, "prices=prices.yaml", "out=page")
    assert [row[6] for row in rows(priced)] == pytest.approx([90e-6, 120e-6, 210e-6])
    assert "Tokens and money" in (folder.parent / "page/index.html").read_text()
    assert main(["report", str(folder), "prices=prices.yaml"]) == 0
    assert f"used in all: {MODELS[1]}: 20 tokens in, 8 out, 0.0001 USD" in capsys.readouterr().out


def test_a_run_that_was_gone_on_with_counts_once(folder, capsys):
    (path,) = [
        path for path in folder.glob("*.eval") if read_eval_log(path).eval.model == MODELS[1]
    ]
    log = read_eval_log(path)
    whole = log.samples
    log.status, log.samples = "cancelled", whole[:3]
    log.stats.model_usage[MODELS[1]].input_tokens = 15
    log.stats.model_usage[MODELS[1]].output_tokens = 6
    log.eval.eval_id = "another"
    write_eval_log(log, str(folder / "earlier.eval"))
    assert report(capsys, folder)["usage"][MODELS[1]]["output_tokens"] == 8


def test_answers_judged_anew_are_not_paid_for_again(folder, capsys):
    (path,) = [
        path for path in folder.glob("*.eval") if read_eval_log(path).eval.model == MODELS[0]
    ]
    assert main(["score", str(path), "log_dir=anew"]) == 0
    capsys.readouterr()
    found = report(capsys, folder, "anew")
    assert [row[2] for row in rows(found)] == [15, 20, 35]
    assert found["usage"][MODELS[0]]["input_tokens"] == 15


def test_models_that_count_nothing_have_no_table(tmp_path, capsys):
    assert main(["run", "ltlbench", "n=2", f"log_dir={tmp_path}"]) == 0
    (study,) = log_studies.load(log_studies.logs_of([str(tmp_path)]), print)
    assert sections.spending(study) is None
    assert sections.in_all([study]) == {}


def test_a_sum_of_what_is_not_known_is_not_known():
    some = {"input_tokens": 5, "output_tokens": 2, "reasoning_tokens": None, "total_cost": 1.0}
    other = {"input_tokens": 7, "output_tokens": None, "reasoning_tokens": 3, "total_cost": None}
    assert models.total([{"m": some}, {"m": other}, {"k": some}]) == {
        "m": {"input_tokens": 12, "output_tokens": None, "reasoning_tokens": 3, "total_cost": None},
        "k": some,
    }
