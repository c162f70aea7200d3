"""Every command prints one JSON object whatever happens, and every misspelt name is answered with the nearest one."""

import json

import pytest
from cases import each
from report_logs import scripted_log

from harness import HarnessError, evaluate, load
from harness.cli import main
from harness.cli.command import FLAGS, commands

LTL, VLTL = "plugin=ltlbench", "plugin=vltl"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def said(capsys):
    def run(*words):
        code = main.main(words)
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    return str(scripted_log(tmp_path_factory.mktemp("logs"), "ltlbench", ["Answer: True"] * 2))


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    folder = tmp_path_factory.mktemp("logs")
    return str(scripted_log(folder, "ltlbench", ["Answer: False"] * 2, model="acme/wise-2"))


def one_object(out):
    found = json.loads(out)
    assert isinstance(found, dict)
    assert out.count("\n") == 1
    return found


@each(
    "words",
    [(name, *more) for name in commands() for more in (("a=b=c", "d"), ("--bogus",), ("", "=1"))],
)
def test_a_refusal_is_one_json_object_and_one_line(said, words):
    code, out, err = said(*words, "--json")
    error = one_object(out)["error"]
    assert code in (1, 2)
    assert error["kind"].endswith("Error")
    assert err == f"harness: {error['message']}\n"


def test_what_belongs_to_no_command_is_one_json_object_too(said):
    for words in (("nope",), ("--bogus",), ("run", "--help"), ("--version",), ()):
        code, out, _ = said(*words, "--json")
        assert ("error" in one_object(out)) == bool(code)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_every_command_prints_one_json_object(said, log, other):
    few = (LTL, "n=1")
    runs = {
        "run": few,
        "list": (),
        "describe": (LTL,),
        "show": (LTL,),
        "generate": (*few, "out=g.jsonl"),
        "verify": few,
        "score": (log,),
        "export": (*few, "out=e.jsonl"),
        "traces": (*few, "out=t.jsonl"),
        "prove": (*few, "out=p.jsonl"),
        "new": ("mybench", "--minimal"),
        "report": (log,),
        "compare": (log, other),
        "plan": (LTL, "d=0.1"),
        "completion": ("bash",),
        "view": ("log_dir=logs", "bundle=site"),
    }
    # Those that take long have a test of their own: test_doctor.py, test_conformance.py, that of the site.
    assert set(commands()) - set(runs) <= {"check", "docs", "doctor"}
    for name, words in runs.items():
        code, out, _ = said(name, *words, "--json")
        found = one_object(out)
        assert code in (0, 1), (name, found)
        assert "error" not in found, (name, found)


MISSPELT = [
    (("rnu",), "run"),
    (("run", "--jsn"), "--json"),
    (("run", "plugin=ltlbnch"), "ltlbench"),
    (("describe", "plugn=ltlbench"), "plugin"),
    (("run", LTL, "operatos=3"), "operators"),
    (("run", LTL, "modle=x/y"), "model"),
    (("run", LTL, "preste=paper"), "preset"),
    (("run", LTL, "task=decid"), "decide"),
    (("run", VLTL, "task=lift,verfy"), "verify"),
    (("run", "plugin=tempobench", "families=trafic_light"), "traffic_light"),
    (("run", LTL, "strategy=few_shto"), "few_shot"),
    (("run", LTL, "preset=papr"), "paper"),
    (("run", LTL, "model=harness/referenc"), "reference"),
    (("run", LTL, "model=opnai/gpt-5"), "openai"),
    (("run", VLTL, "prune_model=opnai/gpt-5"), "openai"),
    (("run", LTL, "tools=web_serch"), "web_search"),
    (("run", LTL, "convention=publishd"), "published"),
    (("run", LTL, "engine=rya"), "ray"),
    (("run", VLTL, "strategy=staged", "gold=lfit"), "lift"),
    (("generate", LTL, "n=1", "out=x", "engine=locl"), "local"),
    (("generate", LTL, "n=1", "out=x", "to=parqet"), "parquet"),
    (("export", LTL, "out=x", "to=hugingface"), "huggingface"),
    (("export", LTL, "out=x", "to=published", "format=ltlbench_csw"), "ltlbench_csv"),
    (("show", LTL, "format=svgg"), "svg"),
    (("verify", LTL, "dataset=x", "format=nusmw"), "nusmv"),
    (("score", LTL, "respones=x"), "responses"),
    (("score", "x.eval", "conventoin=x"), "convention"),
    (("report", "logs", "otu=x"), "out"),
    (("compare", "logs", "metric=a"), "metrics"),
    (("compare", "LOG", "metrics=acuracy"), "accuracy"),
    (("plan", LTL, "d=0.1", "metrics=acuracy"), "accuracy"),
    (("plan", LTL, "d=0.1", "pwoer=0.8"), "power"),
    (("check", LTL, "goldn=write"), "golden"),
    (("check", LTL, "golden=wriet"), "write"),
    (("view", "prot=1"), "port"),
    (("traces", LTL, "otu=x"), "out"),
    (("prove", LTL, "otu=x"), "out"),
    (("new", "mybench", "otu=x"), "out"),
    (("doctor", "log_dri=x"), "log_dir"),
    (("completion", "bahs"), "bash"),
]


@each("words, right", MISSPELT)
def test_a_misspelt_name_is_answered_with_the_nearest(said, log, words, right):
    code, out, err = said(*(log if word == "LOG" else word for word in words))
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert f"did you mean '{right}'?" in err


def test_every_command_and_flag_is_suggested(said):
    for name in (*commands(), *(flag for flag in FLAGS if flag != "-h")):
        _, _, err = said(f"{name[:-1]}{name[-2]}{name[-1]}")
        assert f"did you mean '{name}'?" in err


@each(
    "plugin, settings, right",
    [
        ("ltlbnch", {}, "ltlbench"),
        ("ltlbench", {"operatos": 3}, "operators"),
        ("ltlbench", {"task": "decid"}, "decide"),
        ("ltlbench", {"preset": "papr"}, "paper"),
        ("ltlbench", {"splt": "train"}, "split"),
    ],
)
def test_python_is_answered_like_the_command_line(plugin, settings, right):
    for function in (load, evaluate):
        with pytest.raises(HarnessError, match=f"did you mean '{right}'") as caught:
            function(plugin, **settings)
        words = [f"plugin={plugin}", *(f"{key}={value}" for key, value in settings.items())]
        assert main.main(["run", *words]) == caught.value.exit_code
