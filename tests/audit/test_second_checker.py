"""The second checker of certificates (`libs/proof/second`, in Rust), written apart, says what the first says."""

import json
import os
import re
import shutil
import subprocess
from collections import Counter
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from cases import SHARE, slow, some
from harness_proof import PROVED, REFUTED, outcome
from proof_changes import OTHERS, SETTINGS, holds, records, some_records, tried

from harness.cli import main

SECOND = Path(__file__).parents[2] / "libs/proof/second"
PUBLISHED = Path(__file__).parents[3] / "shared/data/ltlbench"


@pytest.fixture(scope="module")
def second(tmp_path_factory):
    """Return what runs the checker on records and returns what it says of each; Cargo builds it where it changed."""
    cargo = shutil.which("cargo") or shutil.which("cargo", path=str(Path.home() / ".cargo/bin"))
    # rustup leaves a cargo that cannot run where no toolchain is chosen
    if (
        not cargo
        or subprocess.run([cargo, "--version"], capture_output=True, check=False).returncode
    ):
        pytest.skip("Rust is not installed: the second checker is not built")
    built = SECOND.parents[2] / "build/second"
    environment = {**os.environ, "CARGO_TARGET_DIR": str(built)}
    words = [cargo, "build", "--release", "--offline", "--quiet"]
    subprocess.run(words, cwd=SECOND, env=environment, check=True)
    folder = tmp_path_factory.mktemp("second")

    def said(found):
        path = folder / "records.jsonl"
        lines = (one if isinstance(one, str) else json.dumps(one) for one in found)
        path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
        words = [built / "release/harness-proof-second", path]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode in (0, 1), done.stderr
        return [line.partition(":")[0] for line in done.stdout.splitlines()]

    return said


@slow
def test_both_checkers_prove_all_items(second):
    found = [*records(of=SETTINGS + OTHERS)]
    assert len(found) > some(270)
    assert second(found) == [PROVED] * len(found)
    assert [outcome(record)[0] for record in found] == [PROVED] * len(found)


def chance(record):
    """Return the chance that the certificate claims of a walk, if it has one."""
    walk = (record["proof"] or {}).get("walk")
    return walk and Fraction(*walk["chance"])


@slow
def test_of_changed_records_both_prove_the_same_but_for_the_form(second):
    """What one of them proves alone is right all the same: they ask differently for what no label depends on."""
    changes = [*tried(of=SETTINGS + OTHERS)]
    answers = second([record for _, _, record, _ in changes])
    counts = Counter()
    for (original, what, record, first), answer in zip(changes, answers, strict=True):
        counts[what, first == PROVED, answer == PROVED] += 1
        counts[first, answer] += 1
        if PROVED in (first, answer) and what == "proof":
            assert chance(record) == chance(original), record
        elif PROVED in (first, answer) and first != answer:
            assert holds(record) is not False, record
    assert len(answers) > some(5_500)
    assert counts["proof", True, True] > some(200)
    assert counts["prompt", True, True] > some(150)
    assert counts[REFUTED, REFUTED] > some(1_000)
    alone = [counts[what, one, not one] for what in ("proof", "label") for one in (True, False)]
    assert sum(alone) < 0.004 * len(answers)
    assert counts["prompt", True, False] + counts["prompt", False, True] < 0.03 * len(answers)


@slow
def test_contrasts_and_walks_that_are_wrong_are_refuted_by_both(second):
    for record in [one for one in records(of=SETTINGS[:1]) if "walk" in one["proof"]][:4]:
        proof = record["proof"]
        above, below = proof["walk"]["chance"]
        wrong = [
            {**proof, "contrast": {"prefix": [], "cycle": []}},
            {**proof, "contrast": {key: proof[key] for key in ("prefix", "cycle")}},
            {**proof, "walk": {**proof["walk"], "chance": [above + 1, below + 1]}},
            {**proof, "walk": {**proof["walk"], "chance": [above + below, below]}},
            {**proof, "walk": {**proof["walk"], "entries": proof["walk"]["entries"][1:]}},
            {**proof, "walk": {**proof["walk"], "formulas": proof["walk"]["formulas"][:-1]}},
        ]
        assert [outcome({**record, "proof": one})[0] for one in wrong] == [REFUTED] * len(wrong)
        assert PROVED not in second([{**record, "proof": one} for one in wrong])


@slow
def test_an_output_may_be_kept_as_in_a_state_that_no_input_leads_to(second):
    """With contingencies the state after outputs that were kept may be one after any state whatever."""
    rng, found = Random(3), []
    for record in records(of=[("tempobench", {"n": 48, "task": "min", "contingencies": True})]):
        outputs = re.search("Outputs: (.*)", record["prompt"])[1].split(", ")
        count = int(re.search(r"States: (\d+)", record["prompt"])[1])
        for _ in range(24):
            label = "&".join(rng.choice(("", "!")) + output for output in outputs)
            more = f"State: {count}\n[{label}] {rng.randrange(count)}\n--END--"
            prompt = record["prompt"].replace("--END--", more)
            prompt = prompt.replace(f"States: {count}", f"States: {count + 1}")
            found.append({**record, "prompt": prompt})
    outcomes = [outcome(record)[0] for record in found]
    tried = [at for at, one in enumerate(outcomes) if at % SHARE == 0 or one == REFUTED]
    answers = second([found[at] for at in tried])
    assert answers == [outcomes[at] for at in tried]
    assert {*answers} == {PROVED, REFUTED}


def test_published_labels_are_proved_by_both(second, tmp_path, monkeypatch):
    files = sorted(PUBLISHED.glob("300_*.csv"))
    if not files:
        pytest.skip(f"no published data in {PUBLISHED}")
    monkeypatch.chdir(tmp_path)
    count = 0
    for file in files:
        (tmp_path / file.name).write_text(some_records(file), "utf-8", newline="")
        words = ["plugin=ltlbench", f"dataset={file.name}", f"out={file.stem}.jsonl"]
        assert main.main(["prove", *words]) == 0
        found = [
            json.loads(line) for line in Path(f"{file.stem}.jsonl").read_text("utf-8").splitlines()
        ]
        assert second(found) == [PROVED] * len(found)
        count += len(found)
    assert count == 4 * -(-300 // SHARE)


HOSTILE = [
    "", " ",
    "{}", "[]", "null", "{", '{"plugin": "ltlbench"}', '{"plugin": 1}', "[" * 100_000, '"\\ud800"', "1e999999", "\0",
    json.dumps({"plugin": "ltlbench", "prompt": "[" * 9_999, "target": "True", "proof": {}}),
]  # fmt: skip


def test_what_is_no_record_is_not_checkable(second):
    assert second(HOSTILE) == ["not checkable"] * len(HOSTILE)
