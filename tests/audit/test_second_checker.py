"""The second checker of certificates (`libs/proof/second`, in Rust), written apart, says what the first says."""

import json
import os
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from harness_proof import PROVED, REFUTED, UNCHECKED, outcome
from proof_changes import OTHERS, SETTINGS, changed, holds, label_alone, records

from harness.cli import main

SECOND = Path(__file__).parents[2] / "libs/proof/second"
PUBLISHED = Path(__file__).parents[3] / "shared/data/ltlbench"


@pytest.fixture(scope="module")
def second(tmp_path_factory):
    """Return what runs the checker on records and returns what it says of each; Cargo builds it where it changed."""
    cargo = shutil.which("cargo") or shutil.which("cargo", path=str(Path.home() / ".cargo/bin"))
    if not cargo:
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
        words = [built / "release/harness-proof-second", path, "--each"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode in (0, 1), done.stderr
        return [line.partition(":")[0] for line in done.stdout.splitlines()]

    return said


def test_both_checkers_prove_all_items(second):
    found = [*records()]
    assert len(found) > 140
    assert second(found) == [PROVED] * len(found)
    assert [outcome(record)[0] for record in found] == [PROVED] * len(found)


def test_contrasts_and_walks_are_not_looked_at_by_the_second(second):
    """It proves labels alone; what a certificate of ltlbench says beside that, only the first checks."""
    (record,) = [one for one in records(of=SETTINGS[:1]) if "walk" in one["proof"]][:1]
    walk = {**record["proof"]["walk"], "chance": [1, 7919]}
    wrong = [
        {**record, "proof": {**record["proof"], key: part}}
        for key, part in (("walk", walk), ("contrast", {"prefix": [], "cycle": []}))
    ]
    assert [outcome(one)[0] for one in wrong] == [REFUTED] * 2
    assert second(wrong) == [PROVED] * 2


def test_variants_are_not_checkable_for_the_second(second):
    """Tempobench's variants, conversions, clues of extra=, other languages, finite traces: only the first."""
    found = [*records(of=OTHERS)]
    assert [outcome(record)[0] for record in found] == [PROVED] * len(found)
    assert second(found) == [UNCHECKED] * len(found)


def test_of_changed_records_both_prove_the_same_but_for_the_form(second):
    """What one of them proves alone is right all the same: they ask differently for what no label depends on."""
    rng = Random(6)
    tried = [pair for one in records(seed=1) for pair in changed(label_alone(one), rng)]
    answers = second([record for _, record in tried])
    counts = Counter()
    for (what, record), answer in zip(tried, answers, strict=True):
        first = outcome(record)[0]
        counts[first == PROVED, answer == PROVED] += 1
        if PROVED in (first, answer) and first != answer and what != "proof":
            assert holds(record) is not False, record
        counts[first, answer] += 1
    assert len(answers) > 1_500
    assert counts[True, True] > 150
    assert counts[REFUTED, REFUTED] > 300
    assert counts[True, False] + counts[False, True] < 0.03 * len(answers)


def test_published_labels_are_proved_by_both(second, tmp_path, monkeypatch):
    files = sorted(PUBLISHED.glob("300_*.csv"))
    if not files:
        pytest.skip(f"no published data in {PUBLISHED}")
    monkeypatch.chdir(tmp_path)
    count = 0
    for file in files:
        assert (
            main.main(["prove", "plugin=ltlbench", f"dataset={file}", f"out={file.stem}.jsonl"])
            == 0
        )
        found = [
            json.loads(line) for line in Path(f"{file.stem}.jsonl").read_text("utf-8").splitlines()
        ]
        assert second(found) == [PROVED] * len(found)
        count += len(found)
    assert count == 1200


HOSTILE = [
    "", " ",
    "{}", "[]", "null", "{", '{"plugin": "ltlbench"}', '{"plugin": 1}', "[" * 100_000, '"\\ud800"', "1e999999", "\0",
    json.dumps({"plugin": "ltlbench", "prompt": "[" * 9_999, "target": "True", "proof": {}}),
]  # fmt: skip


def test_what_is_no_record_is_not_checkable(second):
    assert second(HOSTILE) == ["not checkable"] * len(HOSTILE)
