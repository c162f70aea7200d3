"""Where machines come from: shipped ones are what synthesis gives, and bad files cost one line each."""

import importlib
import os
from collections import Counter
from pathlib import Path
from random import Random

import harness_guard
import pytest
from harness_tempobench import hoa, shipped_machines, source_files, sources
from harness_tempobench.errors import TempobenchError
from harness_tempobench.machine import Machine
from harness_tempobench.sources import Loaded, Survey
from pace import within
from tb_machines import random_machine

PLUGIN = Path(__file__).parents[1]
CORPUS = Path(__file__).parents[4] / "shared/data/tlsf"
SAMPLE = shipped_machines.shipped()[::20]
"""A twentieth; `tools/make_machines.py --check` looks at all."""

ALL = {
    "families": [], "min_states": 1, "max_states": 2000, "max_inputs": 12, "specs": "",
    "machines": "", "seconds": 10,
}  # fmt: skip
LATCH = """INFO {{ TITLE: "t" DESCRIPTION: "d" SEMANTICS: {semantics} TARGET: {target} }}
GLOBAL {{ PARAMETERS {{ n = 2; }} }}
MAIN {{ INPUTS {{ r[n]; }} OUTPUTS {{ g[n]; }} ASSERT {{ &&[0 <= i < n] ({ltl}); }} }}
"""


@pytest.fixture(autouse=True)
def cache(tmp_path_factory, monkeypatch):
    """No test reads or writes the user's own."""
    path = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("HARNESS_TEMPOBENCH_CACHE", str(path))
    return path


@pytest.fixture
def maker(monkeypatch):
    monkeypatch.syspath_prepend(str(PLUGIN / "tools"))
    return importlib.import_module("make_machines")


@pytest.fixture(scope="module")
def checkers():
    """Workers for checking alone: Spot makes other machines where it has seen formulas."""
    with harness_guard.Guard(1) as workers:
        yield workers


@pytest.fixture
def makers(monkeypatch):
    """Fresh workers for synthesis, whatever other tests had the shared ones do."""
    with harness_guard.Guard(1) as workers:
        monkeypatch.setattr(harness_guard, "call", workers.call)
        yield workers


def config(**values):
    return ALL | {k: str(v) if isinstance(v, Path) else v for k, v in values.items()}


def source(**values):
    return sources.source(config(**values))


def latch(ltl="X g[i] <-> r[i]", semantics="Mealy", target="Mealy"):
    return LATCH.format(ltl=ltl, semantics=semantics, target=target)


def machine_text(states=3, inputs=1, seed=0):
    """Text of a machine whose states are all reachable."""
    rng = Random(seed)
    machine = random_machine(rng, states, inputs)
    ring = [((n + 1) % states, 0) for n in range(states)]
    table = tuple((ring[n], *row[1:]) for n, row in enumerate(machine.table))
    return hoa.write(Machine(machine.inputs, machine.outputs, 0, table))


def refusal(**values):
    with pytest.raises(TempobenchError) as caught:
        source(**values)
    said = str(caught.value)
    assert "\n" not in said
    assert len(said) < 600  # where it names all families
    return said


def reasons(**values):
    survey = source(**values).survey()
    skipped = survey.skipped | survey.unfit
    assert all("\n" not in said and len(said) < 320 for said in skipped.values())
    return skipped


# What is shipped


def test_every_shipped_machine_is_complete_canonical_and_as_the_index_says(maker):
    index, files = [], {}
    for entry in shipped_machines.shipped():
        machine = shipped_machines.machine(entry)
        assert machine == machine.canonical()
        assert machine.inputs
        assert len(machine.table) <= maker.MAX_STATES
        index.append(maker.index_line(entry.family, dict(entry.parameters), machine))
        files.setdefault(entry.family, []).append(maker.machine_line(machine))
    directory = PLUGIN / "harness_tempobench" / "machines"
    written = {"index": index} | files
    assert {path.name for path in directory.iterdir()} == {f"{name}.jsonl" for name in written}
    for name, lines in written.items():
        assert (directory / f"{name}.jsonl").read_bytes() == "".join(lines).encode(), name


def test_all_measured_machines_up_to_the_bound_are_shipped_in_the_order_of_the_index(maker):
    expected = [
        (family, parameters) for family, them in maker.families().items() for parameters in them
    ]
    assert [
        (entry.family, dict(entry.parameters)) for entry in shipped_machines.shipped()
    ] == expected
    assert len(maker.families()) == 33
    assert len(expected) >= 200


def test_hoa_texts_are_read_back_equal():
    texts = [
        (entry, shipped_machines.hoa_text(entry))
        for entry in shipped_machines.shipped()
        if entry.states <= 16
    ]
    for entry, text in texts + [(entry, shipped_machines.hoa_text(entry)) for entry in SAMPLE[::2]]:
        assert hoa.read(text) == shipped_machines.machine(entry)


def test_a_sample_is_what_synthesis_gives_and_satisfies_its_specification(
    maker, makers, checkers, monkeypatch
):
    monkeypatch.setenv("HARNESS_TEMPOBENCH_CACHE", "off")
    for entry in SAMPLE:
        if entry.states <= 32:
            parameters = dict(entry.parameters)
            machine = shipped_machines.machine(entry)
            assert maker.synthesised(entry.family, parameters) == machine
            assert maker.satisfies(
                machine, maker.specification(entry.family, parameters).ltl, checkers
            )


@pytest.mark.parametrize("family", ["full_arbiter", "lift", "heater", "delay_line"])
def test_the_check_sees_one_wrong_output(maker, checkers, family):
    # families that leave no output to choose
    entry = next(entry for entry in shipped_machines.shipped() if entry.family == family)
    machine = shipped_machines.machine(entry)
    rng = Random(family)
    state, letter = rng.randrange(len(machine.table)), rng.randrange(machine.letters)
    table = [list(row) for row in machine.table]
    following, mask = table[state][letter]
    table[state][letter] = (following, mask ^ 1 << rng.randrange(len(machine.outputs)))
    wrong = Machine(machine.inputs, machine.outputs, 0, tuple(map(tuple, table)))
    ltl = maker.specification(family, dict(entry.parameters)).ltl
    assert maker.satisfies(machine, ltl, checkers)
    assert not maker.satisfies(wrong, ltl, checkers)


# Drawing from it


def test_families_are_drawn_evenly_and_their_machines_within_the_limits():
    wanted = source(min_states=4, max_states=8, max_inputs=2)
    rng = Random(1)
    drawn = [wanted.draw(rng) for _ in range(2000)]
    assert all(4 <= len(one.machine.table) <= 8 for one in drawn)
    assert all(1 <= len(one.machine.inputs) <= 2 for one in drawn)
    counts = Counter(one.family for one in drawn)
    entries = {(one.family, *one.parameters.items()) for one in drawn}
    assert wanted.survey() == Survey(len(entries))
    assert max(counts.values()) < 2 * min(counts.values())
    assert all(one.hoa == hoa.write(one.machine) for one in drawn[:20])


def test_the_same_chance_draws_the_same():
    first, second = ([source().draw(rng).hoa for _ in range(30)] for rng in (Random(5), Random(5)))
    assert first == second


def test_families_can_be_named_in_any_order():
    some = source(families=["lift", "latch"])
    assert some is source(families=["latch", "lift", "lift"])
    assert {some.draw(Random(i)).family for i in range(20)} == {"lift", "latch"}


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"families": ["lif"]}, "no family 'lif'; did you mean 'lift'?"),
        ({"families": ["lift", "x" * 9999]}, "no family 'xxx"),
        ({"min_states": 1000}, "no shipped machine has 1000 to 2000 states"),
        ({"min_states": 1000}, "there are 3 to 256 states"),
        ({"families": ["latch"], "max_states": 3}, "of latch has 1 to 3 states"),
        ({"families": ["latch"], "max_states": 3}, "there are 4, 8, 16, 32 states"),
        ({"families": ["latch"], "max_inputs": 2}, "3 inputs at least"),
        ({"families": ["latch"], "specs": "x"}, "no effect with specs="),
        ({"families": ["latch"], "machines": "x"}, "no effect with machines="),
        ({"specs": "x", "machines": "y"}, "both given"),
    ],
)
def test_what_no_shipped_machine_fits_is_refused_in_one_line(values, said):
    assert said in refusal(**values)


# Directories


@pytest.mark.parametrize("key", ["specs", "machines"])
def test_a_directory_that_is_none_is_refused_in_one_line(key, tmp_path):
    (tmp_path / "file.tlsf").write_text(latch())
    (tmp_path / "empty" / "below").mkdir(parents=True)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "readme.txt").write_text("")
    kind = {"specs": "*.tlsf", "machines": "*.hoa or *.ehoa or *.hoaf"}[key]
    assert f"give a directory with {kind} files" in refusal(**{key: tmp_path / "missing"})
    assert f"is a file: give the directory with {kind} files" in refusal(
        **{key: tmp_path / "file.tlsf"}
    )
    for empty in ("empty", "other"):
        assert f"there is no {kind} file in it" in refusal(**{key: tmp_path / empty})
    for odd in ("a\0b", "x" * 9999, "a\nb", "echo hi|", "\udcff"):
        assert refusal(**{key: odd}).startswith(f"{key}=")


def test_a_directory_that_may_not_be_read_or_is_too_big_is_refused(tmp_path, monkeypatch):
    for number in range(4):
        (tmp_path / f"{number}.hoa").write_text("")
    monkeypatch.setattr(source_files, "MAX_FILES", 3)
    assert "more than 3 files" in refusal(machines=tmp_path)

    def refuse(path):
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert refusal(machines=tmp_path).endswith("cannot be read (Permission denied)")


# Machines from files


def test_machines_are_read_canonical_from_everywhere_below(tmp_path):
    (tmp_path / "sub").mkdir()
    names = ["a.hoa", "sub/b.ehoa", "c d.HOAF", "echo hi|.hoa", "sub/$(touch x).hoa"]
    for seed, name in enumerate(names):
        text = machine_text(states=3 + seed, seed=seed)
        (tmp_path / name).write_text(text.replace("Start: 0", "Start: 1"))
    (tmp_path / "readme.md").write_text("not one of them")
    them = source(machines=tmp_path)
    drawn = {one.family: one for one in (them.draw(Random(i)) for i in range(99))}
    assert set(drawn) == {"a", "sub/b", "c d", "echo hi|", "sub/$(touch x)"}
    for seed, name in enumerate(names):
        one = drawn[name.rpartition(".")[0]]
        assert (one.machine.start, len(one.machine.table), one.parameters) == (0, 3 + seed, {})
        assert one.machine == hoa.read((tmp_path / name).read_text()).canonical()
        assert one.hoa == hoa.write(one.machine)
    assert them.survey() == Survey(5)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        ["a.hoa", "c d.HOAF", "echo hi|.hoa", "readme.md", "sub"]
    )


BAD_HOA = {
    "binary.hoa": (bytes(range(256)), "no text in UTF-8"),
    "empty.hoa": (b"", "no HOA automaton"),
    "shell.hoa": (b"touch x |", "no HOA automaton"),
    "name.hoa": (b"other.hoa", "no HOA automaton"),
    "states.hoa": (machine_text().replace("States: 3", "States: 1000000000").encode(), "10000"),
    "outputs.hoa": (machine_text().replace("controllable-AP: 1 2\n", "").encode(), "no output"),
    "buchi.hoa": (machine_text().replace("0 t", "1 Inf(0)").encode(), "accepts every run"),
    "incomplete.hoa": (machine_text().replace("[!0&", "[0&").encode(), "has no edge"),
    "closed.hoa": (machine_text(inputs=0).encode(), "no inputs"),
    "wide.hoa": (machine_text(inputs=3).encode(), "3 inputs, more than max_inputs=2"),
    "large.hoa": (machine_text(states=9).encode(), "9 states, more than max_states=8"),
    "small.hoa": (machine_text(states=2).encode(), "2 states, fewer than min_states=3"),
    "nested.hoa": (machine_text().replace("[0", "[" + "(" * 99_999 + "0").encode(), "HOA"),
}


def test_bad_machines_are_skipped_each_with_one_line(tmp_path):
    for name, (data, _) in BAD_HOA.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "good.hoa").write_text(machine_text())
    (tmp_path / "directory.hoa").mkdir()
    os.mkfifo(tmp_path / "pipe.hoa")
    (tmp_path / "device.hoa").symlink_to("/dev/zero")
    (tmp_path / "nowhere.hoa").symlink_to("missing")
    (tmp_path / "loop.hoa").symlink_to(".")
    (tmp_path / "line\nbreak.hoa").write_text(machine_text())
    Path(os.fsdecode(bytes(tmp_path) + b"/\xff.hoa")).write_text(machine_text())
    with (tmp_path / "huge.hoa").open("wb") as file:
        file.truncate(100 * 2**20)
    limits = {"min_states": 3, "max_states": 8, "max_inputs": 2, "machines": tmp_path}
    with within(2):
        found = reasons(**limits)
    for name, (_, said) in BAD_HOA.items():
        assert said in found.pop(name), name
    for name in ("directory", "pipe", "device", "nowhere", "loop"):
        assert found.pop(f"{name}.hoa") == "it is no file"
    assert "104,857,600 bytes" in found.pop("huge.hoa")
    assert set(found.values()) == {"its name has characters that cannot be printed"}
    assert set(found) == {"line\\nbreak.hoa", "\\udcff.hoa"}
    assert source(**limits).survey().usable == 1


def test_a_skipped_file_is_drawn_and_says_why(tmp_path):
    (tmp_path / "bad.hoa").write_text("nonsense")
    (tmp_path / "good.hoa").write_text(machine_text())
    them = source(machines=tmp_path)
    assert them.skipped() == {}
    drawn = [them.draw(Random(i)) for i in range(40)]
    assert {type(one) for one in drawn} == {Loaded, type(None)}
    assert them.skipped().keys() == {"bad.hoa"}
    assert "no HOA automaton" in them.skipped()["bad.hoa"]
    # what is drawn does not depend on what is known
    again = [them.draw(Random(i)) for i in range(40)]
    assert again == drawn


def test_a_source_without_any_usable_file_says_so(tmp_path):
    for name in "ab":
        (tmp_path / f"{name}.hoa").write_text("nonsense")
    them = source(machines=tmp_path)
    assert them.survey().usable == 0
    with pytest.raises(TempobenchError, match=r"of 2 files none can be used; a\.hoa: no HOA"):
        them.draw(Random(1))


def test_a_file_that_may_not_be_read_is_skipped(tmp_path, monkeypatch):
    (tmp_path / "a.hoa").write_text(machine_text())

    def refuse(path, flags):
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(source_files.os, "open", refuse)
    assert reasons(machines=tmp_path) == {"a.hoa": "it cannot be read: Permission denied"}


def test_changed_files_make_another_source(tmp_path):
    path = tmp_path / "a.hoa"
    path.write_text(machine_text(states=3))
    old = source(machines=tmp_path)
    assert source(machines=tmp_path) is old
    path.write_text(machine_text(states=4))
    with pytest.raises(TempobenchError, match=r"a\.hoa has changed meanwhile: start again"):
        old.draw(Random(1))
    assert len(source(machines=tmp_path).draw(Random(1)).machine.table) == 4
    (tmp_path / "b.hoa").write_text(machine_text(states=5))
    assert source(machines=tmp_path).survey().usable == 2


def test_machines_beyond_the_memory_are_forgotten_and_read_again(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "MAX_KEPT", 1000)
    for number in range(9):
        (tmp_path / f"{number}.hoa").write_text(machine_text(states=3 + number))
    them = source(machines=tmp_path)
    for _ in range(2):
        assert them.survey() == Survey(9)
        assert len(them._kept) < 5
        assert 0 < them._weight <= 1000


# Machines from specifications


def test_specifications_are_synthesised_with_their_own_parameters(tmp_path, cache):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "delay.tlsf").write_text(latch())
    them = source(specs=tmp_path)
    assert list(cache.iterdir()) == []  # not before it is drawn
    one = them.draw(Random(1))
    assert (one.family, one.parameters) == ("sub/delay", {"n": 2})
    assert (one.machine.inputs, one.machine.outputs) == (("r_0", "r_1"), ("g_0", "g_1"))
    assert len(one.machine.table) == 4
    assert one.hoa == hoa.write(one.machine)
    assert len(list(cache.iterdir())) == 1
    assert them.draw(Random(2)) is one


BAD_TLSF = {
    "binary.tlsf": (b"\xff\xfe\x00", "no text in UTF-8"),
    "broken.tlsf": (latch().replace("ASSERT", "INSERT").encode(), "line 3"),
    "empty.tlsf": (b"", "line 1"),
    "finite.tlsf": (latch(semantics="Mealy,Finite").encode(), "line 1"),
    "moore.tlsf": (latch(semantics="Moore", target="Moore").encode(), "target is a Moore machine"),
    "unrealizable.tlsf": (latch("g[i] <-> X r[i]").encode(), "unrealizable"),
    "wide.tlsf": (
        latch().replace("n = 2", "n = 13").encode(),
        "13 inputs, more than max_inputs=12",
    ),
    "endless.tlsf": (latch().replace("n = 2", "n = 99999999").encode(), "line"),
    "large.tlsf": (latch().replace("n = 2", "n = 4").encode(), "16 states, more than max_states=8"),
}


def test_bad_specifications_are_skipped_each_with_one_line(tmp_path):
    for name, (data, _) in BAD_TLSF.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "moorish.tlsf").write_text(latch("X g[i] <-> r[i]", semantics="Moore"))
    them = source(specs=tmp_path, max_states=8)
    survey = them.survey()
    for name, (_, said) in BAD_TLSF.items():
        assert said in them.skipped()[name], name
        assert "\n" not in them.skipped()[name]
    assert survey.skipped | survey.unfit == them.skipped()
    assert survey.unfit.keys() == {name for name, (_, said) in BAD_TLSF.items() if "than m" in said}
    assert survey.usable == 1


def test_a_specification_that_explodes_ends_in_time_and_is_not_tried_again(tmp_path, monkeypatch):
    hard = " && ".join(f"(G (r[{i}] -> F g[{i}]))" for i in range(12))
    alone = " && ".join(f"(!(g[{i}] && g[{j}]))" for i in range(12) for j in range(i))
    text = latch(f"i != 0 || (({hard}) && G ({alone}))").replace("n = 2", "n = 12")
    (tmp_path / "hard.tlsf").write_text(text)
    them = source(specs=tmp_path, seconds=0.5)
    assert them.draw(Random(1)) is None
    assert "ran longer than 0.5 s" in them.skipped()["hard.tlsf"]
    monkeypatch.setattr(harness_guard.Guard, "call", None)  # what would try it again
    assert list(them.survey().skipped) == ["hard.tlsf"]


@pytest.mark.skipif(not CORPUS.exists(), reason="the project's files are not here")
def test_files_of_the_corpus_can_be_drawn_from(tmp_path):
    for path in sorted(CORPUS.glob("lily*.tlsf")):
        (tmp_path / path.name).symlink_to(path)
    survey = source(specs=tmp_path, min_states=2).survey()
    assert survey.usable >= 1
    assert all("fewer than min_states=2" in said for said in survey.skipped.values())


@pytest.mark.parametrize(
    ("name", "fine"),
    [
        ("no constraints", False), ("No Constraints", False), ("cross_step_clauses", False),
        ('"', False), ("a\\b", False), ("and", True), ("a b", True), ("true", True), ("!x", True),
        ("0", True), ("no_constraints", True),
    ],
)  # fmt: skip
def test_names_that_an_answer_cannot_say_are_refused(name, fine, tmp_path):
    text = machine_text().replace(
        '"i0"', '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
    )
    assert text != machine_text()
    (tmp_path / "one.hoa").write_text(text)
    found = reasons(machines=tmp_path)
    assert (found == {}) is fine
    assert fine or "an answer cannot name its proposition" in found["one.hoa"]


def test_some_reasons_are_told_where_no_file_can_be_used(tmp_path):
    for number in range(5):
        (tmp_path / f"{number}.hoa").write_text("no")
    them = source(machines=tmp_path)
    them.survey()
    with pytest.raises(
        TempobenchError, match=r"of 5 files none can be used; 0.hoa: .*2.hoa: .*; and 2 more$"
    ):
        them.draw(Random(1))
