"""The checkers that Coq has proved right (`libs/proof/formal`) accept just what `harness_proof` accepts."""

import json
import random
import re
import shutil
import subprocess
from importlib import import_module
from pathlib import Path

import pytest
from cases import slow, some
from harness_proof import PROVED, outcome

from harness.core import fresh
from harness.core.plugins import registry
from harness.core.spec import make

FOLDER = Path(__file__).parents[3] / "libs/proof/formal"
PLUGIN = registry().get("ltlbench")
SETTINGS = ({"n": max(8, some(40))}, {"n": max(8, some(30)), "logic": "full", "operators": 7})


@pytest.fixture(scope="module")
def checker(tmp_path_factory):
    if not shutil.which("coqc") or not shutil.which("ocamlopt"):
        pytest.skip("Coq and OCaml are not installed (Debian: coq)")
    folder = tmp_path_factory.mktemp("formal")
    done = subprocess.run([FOLDER / "check.sh", folder], capture_output=True, text=True, check=True)
    # Of what is assumed there is only that a statement is true or is not.
    axiom = "Axioms:\nClassical_Prop.classic : forall P : Prop, P \\/ ~ P\n"
    assert done.stdout == 2 * axiom + "Closed under the global context\n"
    return folder / "checker"


def found(checker, lines):
    text = "".join(line + "\n" for line in lines)
    done = subprocess.run([checker], input=text, capture_output=True, text=True, check=True)
    return [answer.partition(":")[0] for answer in done.stdout.splitlines()]


def records():
    for settings in SETTINGS:
        for item in fresh.items(PLUGIN, make(PLUGIN, settings)):
            proof = json.loads(json.dumps(PLUGIN.call("prove", item=item)))
            proof = {key: part for key, part in proof.items() if key not in ("contrast", "walk")}
            yield {
                "plugin": "ltlbench",
                "prompt": item.prompt,
                "target": item.target,
                "proof": proof,
            }


def changes(proof, rng):
    """Yield certificates with one number changed, or one entry, event or promise removed."""
    text = json.dumps(proof)
    numbers = [*re.finditer(r"\d+", text)]
    for number in rng.choices(numbers, k=12):
        other = rng.randrange(int(number[0]) + 3)
        yield json.loads(f"{text[: number.start()]}{other}{text[number.end() :]}")
    for key, values in proof.items():
        if values:
            gone = rng.randrange(len(values))
            yield {**proof, key: [value for place, value in enumerate(values) if place != gone]}


@slow
def test_both_checkers_prove_the_same_certificates(checker, monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    problems = import_module("problems")
    rng = random.Random(3)
    wholes = [*records()]
    assert found(checker, map(problems.line, wholes)) == ["proved"] * len(wholes)
    others = []
    for whole in wholes:
        others += [{**whole, "proof": proof} for proof in changes(whole["proof"], rng)]
        others.append({**whole, "target": "True" if whole["target"] != "True" else "False"})
    lines, expected = [], []
    for record in others:
        try:
            lines.append(problems.line(record))
        except (LookupError, TypeError):
            assert outcome(record)[0] != PROVED
        else:
            expected.append(outcome(record)[0] == PROVED)
    answers = [answer == "proved" for answer in found(checker, lines)]
    assert len(answers) > some(500)
    assert sum(answers) > some(50)
    assert answers == expected
