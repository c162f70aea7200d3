"""The table of docs/reliability.md: it is the script's, it holds no loss, and the script can tell a loss."""

import json
import re
import sys
from importlib import import_module
from pathlib import Path

import pytest
from cases import each, slow

ROOT = Path(__file__).parents[2]
MODULES = ("kit", "generate", "run", "provider", "outputs", "engines")


@pytest.fixture(scope="module")
def script():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "benchmarks")
        patch.setattr(sys, "path", sys.path[:])
        yield import_module("reliability")
    for name in ("reliability", *(f"reliability_{part}" for part in MODULES)):
        sys.modules.pop(name, None)


def test_the_table_has_the_rows_of_the_script_and_nothing_was_lost_or_came_twice(script):
    lines = json.loads((ROOT / "benchmarks" / "reliability.json").read_text())
    page = (ROOT / "docs" / "reliability.md").read_text()
    assert script.written(page, lines) == page
    documented = [(line[0], line[1]) for line in lines]
    rows = [(row.command, row.fault) for row in script.all_rows()]
    mounting = ("generate", "read-only file system")  # only where root made the table, or runs this

    def everywhere(found):
        return [one for one in found if (one[0].split()[0], one[1]) != mounting]

    assert everywhere(documented) == everywhere(rows)
    assert len(set(documented)) == len(documented) > 60
    for line in lines:
        tried, lost, doubled, asked = line[3:]
        assert int(tried) >= 1, line
        assert (lost, doubled) == ("0", "0"), line
        assert "FAILED" not in "".join(line)
        again, bound = re.fullmatch(r"(\d+) \(at most (\d+)\)", asked or "0 (at most 0)").groups()
        assert int(again) <= int(bound), line


@slow
@each(
    "name",
    [("generate to a file", "SIGKILL"), ("verify: engine in solve", "abort")],
)
def test_a_row_holds_for_real(script, name):
    own = import_module("reliability_generate")
    (row,) = [one for one in script.all_rows() if (one.command, one.fault) == name]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(own, "KEYS", ("plugin=ltlbench", "n=300", "workers=1"))
        found = script.tried(row, 1, "7")
    own.whole.cache_clear()
    assert not found.failed, found.wrong
    assert found.told.tried >= 1


def test_a_loss_a_duplicate_and_what_is_broken_are_told_and_make_a_row_fail(script, tmp_path):
    kit = import_module("reliability_kit")

    def result(trial, **more):
        return script.tried(kit.Row("c", "f", "how", trial, **more), 3, "1")

    def broken(place, rng):
        raise kit.Broken("a | b")

    good = result(lambda place, rng: kit.Tally(again=1, bound=1), most=2)
    assert (good.failed, good.cells) == (
        False, ("c", "f", "how", "2", "0", "0", "2 (at most 2)")
    )  # fmt: skip
    for tally, cells in (
        (kit.counted(["a", "b"], ["a"]), ("3", "3", "0", "")),
        (kit.counted(["a"], ["a", "a", "b"]), ("3", "0", "6", "")),
        (kit.Tally(again=2, bound=1), ("3", "0", "0", "6 (at most 3)")),
    ):
        found = result(lambda place, rng, tally=tally: tally)
        assert (found.failed, found.cells[3:]) == (True, cells)
        assert "**FAILED**" in found.cells[2]
    assert result(broken).cells[2] == "how. **FAILED**: a / b"
    other = kit.Row("c", "g", "how", broken)
    kept = ["c", "g", "how", "1", "0", "0", ""]
    gone = ["c", "no more", "how", "1", "0", "0", ""]
    lines = script.updated([gone, kept], [good], [good.row, other])
    assert lines == [good.cells, tuple(kept)]
    page = f"before\n{script.BEGIN}\nold\n{script.END}\nafter\n"
    new = script.written(page, [*lines, ("c d", "f", "how", "4", "1", "0", "")])
    assert new.startswith(f"before\n{script.BEGIN}\n7 faults met their command at work, 1 to 4 ")
    assert ": 1 lost, 0 duplicates.\n\n- **c, d**: f\n- **c**: g\n" in new
    assert new.endswith(f"{script.END}\nafter\n")


def test_a_file_that_is_half_or_other_is_found(script, tmp_path):
    own, kit = import_module("reliability_generate"), import_module("reliability_kit")
    whole = own.Whole({"d.jsonl": b'{"id": "a"}\n{"id": "b"}\n'}, 1.0, 1.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(own, "whole", lambda form: whole)
        for text, told in (
            (b'{"id": "a"}\n', (1, 0)),
            (b'{"id": "a"}\n{"id": "b"}\n{"id": "b"}\n', (0, 1)),
        ):
            (tmp_path / "d.jsonl").write_bytes(text)
            found = own.finished(tmp_path, "generate to a file")
            assert (found.lost, found.doubled) == told
            with pytest.raises(kit.Broken, match=r"d\.jsonl stands there"):
                own.nothing_half(tmp_path, "generate to a file")
        (tmp_path / "d.jsonl").write_bytes(whole.files["d.jsonl"].replace(b" ", b""))
        with pytest.raises(kit.Broken, match="other bytes"):
            own.finished(tmp_path, "generate to a file")
        (tmp_path / "d.jsonl").write_bytes(whole.files["d.jsonl"])
        assert own.finished(tmp_path, "generate to a file") == kit.Tally()
        (tmp_path / "d.jsonl.partial").write_bytes(b"")
        with pytest.raises(kit.Broken, match="unfinished"):
            own.finished(tmp_path, "generate to a file")
