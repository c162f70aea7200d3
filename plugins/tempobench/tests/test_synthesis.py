"""Synthesis: machines satisfy their specifications, limits hold, the cache gives what the miss gave."""

import json
import subprocess
import sys
from pathlib import Path

import harness_guard
import pytest
from cases import slow
from harness_tempobench import hoa, synthesis, synthesis_cache
from harness_tempobench.errors import SynthesisError
from harness_tempobench.machine import Machine
from harness_tempobench.synthesis import ALGORITHMS, Ltl, Unrealizable, synthesise


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """No test reads or writes the user's own."""
    path = tmp_path / "cache"
    monkeypatch.setenv("HARNESS_TEMPOBENCH_CACHE", str(path))
    return path


def arbiter(clients):
    requests, grants = ([f"{kind}{i}" for i in range(clients)] for kind in "rg")
    served = [f"G(r{i} -> F g{i})" for i in range(clients)]
    alone = [f"G !(g{i} & g{j})" for i in range(clients) for j in range(i)]
    return Ltl(" & ".join(served + alone), tuple(requests), tuple(grants))


# two bits, lower first, that count the steps in which "up" holds; "unused" is free
COUNTER = Ltl(
    "!low & !high & G(X low <-> (low xor up)) & G(X high <-> (high xor (low & up)))",
    ("up",),
    ("low", "high", "unused"),
)
LOCK = Ltl("G(open -> key) & G((key & X key) -> X open)", ("key",), ("open",))
HARD = arbiter(12)

SPECS = {
    "arbiter": arbiter(2),
    "arbiter of 4": arbiter(4),
    "counter": COUNTER,
    "lock": LOCK,
    "no inputs": Ltl("G F a & G F !a", (), ("a",)),
    "no use of an input": Ltl("G a", ("i", "j"), ("a",)),
    "quoted names": Ltl('G("Go" -> "F1.x")', ("Go",), ("F1.x",)),
    "true": Ltl("1", ("i",), ("a",)),
}
CHECK = """
import json, sys
import spot
for path, ltl in json.load(sys.stdin):
    machine = spot.automaton(path)
    assert machine.num_states() and not machine.intersects(spot.translate(spot.formula.Not(spot.formula(ltl))))
    # a check that could not fail would be none
    assert machine.intersects(spot.translate(spot.formula(ltl)))
    wrong = spot.formula("!(%s)" % ltl)
    assert machine.intersects(spot.translate(spot.formula.Not(wrong)))
print("done")
"""


@slow
def test_machines_satisfy_their_specifications_by_model_checking(tmp_path):
    jobs = []
    for name, spec in SPECS.items():
        for algorithm in ALGORITHMS:
            machine = synthesise(spec, algorithm=algorithm)
            assert (machine.inputs, machine.outputs) == (spec.inputs, spec.outputs)
            assert machine == machine.canonical()
            path = tmp_path / f"{name}-{algorithm}.hoa"
            path.write_text(hoa.write(machine))
            jobs.append([str(path), spec.ltl])
    done = subprocess.run(
        [sys.executable, "-c", CHECK],
        input=json.dumps(jobs),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr


RAW = """
import json, sys
import spot
texts = []
for ltl, outputs in json.load(sys.stdin):
    info = spot.synthesis_info()
    info.minimize_lvl = 2
    game = spot.ltl_to_game(spot.formula(ltl), outputs, info)
    assert spot.solve_game(game, info)
    mealy = spot.solved_game_to_mealy(game, info)
    spot.simplify_mealy_here(mealy, info, False)
    texts.append(mealy.to_str("hoa"))
    del game, mealy
json.dump(texts, sys.stdout)
"""


@slow
def test_outputs_are_determined_as_our_reader_determines_them_in_spots_own_text():
    # every output is free somewhere in the last two
    free = "G((a <-> b) | (r & X(a | b)))", "G(r -> a | X b) & G F !r -> G F (a & !b)"
    specs = [arbiter(3), *(Ltl(ltl, ("r",), ("a", "b")) for ltl in free)]
    # one process for each: Spot's results depend on what came before
    for spec in specs:
        done = subprocess.run(
            [sys.executable, "-c", RAW],
            input=json.dumps([[spec.ltl, spec.outputs]]),
            capture_output=True,
            text=True,
            timeout=600,
            check=True,
        )
        (text,) = json.loads(done.stdout)
        machine = hoa.read(text)
        assert (machine.inputs, machine.outputs) == (spec.inputs, spec.outputs)
        assert machine.canonical() == synthesise(spec)


def test_the_counter_counts_and_free_outputs_are_false():
    machine = synthesise(COUNTER)
    states, masks = machine.run([1, 1, 0, 1, 1, 0])
    assert masks == (0, 1, 2, 2, 3, 0)
    assert len(machine.table) == 4
    assert states[0] == 0


def test_free_outputs_are_chosen_least():
    assert synthesise(Ltl("G(a | b)", ("i",), ("a", "b"))).table == (((0, 1), (0, 1)),)
    assert synthesise(Ltl("G(a | b)", ("i",), ("b", "a"))).table == (((0, 1), (0, 1)),)


@pytest.mark.parametrize(
    "spec",
    [
        Ltl("G(g <-> X r)", ("r",), ("g",)),
        Ltl("0", ("r",), ("g",)),
        Ltl("F r", ("r",), ("g",)),
        Ltl("G g & F !g", (), ("g",)),
    ],
)
def test_what_no_machine_satisfies_is_a_result_and_cached(spec, cache):
    assert synthesise(spec) == Unrealizable()
    assert len(list(cache.iterdir())) == 1
    assert synthesise(spec, seconds=1e-9) == Unrealizable()


def test_the_same_specification_gives_the_same_machine_whatever_came_before(monkeypatch):
    monkeypatch.setenv("HARNESS_TEMPOBENCH_CACHE", "off")
    first = synthesise(arbiter(3))
    for other in ("G(g2 -> F r0)", "(r2 U g1) | G r1", "G F g2 & G F g1 & (r0 W g0)"):
        synthesise(Ltl(other, ("r2", "r1", "r0"), ("g2", "g1", "g0")))
    assert synthesise(arbiter(3)) == first


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        (Ltl("G(", ("r",), ("g",)), "Spot cannot read"),
        (Ltl("", ("r",), ("g",)), "Spot cannot read"),
        (Ltl("g g", ("r",), ("g",)), "Spot cannot read"),
        (Ltl("Gone", ("r",), ("Gone",)), "names 'one'"),  # Spot reads G(one)
        (Ltl("x", ("r",), ("g",)), "names 'x'"),
        (Ltl("{r;g}!", ("r",), ("g",)), "'{' at character 0"),
        (Ltl("r\n; touch x |", ("r",), ("g",)), "';' at character 2"),
        (Ltl('"r', ("r",), ("g",)), "'\"' at character 0"),
        (Ltl("X[100000000] g", ("r",), ("g",)), r"'\[' at character 1"),
        (Ltl("g\0", ("r",), ("g",)), r"'\\x00'"),
        (Ltl(7, ("r",), ("g",)), "not a int"),
        (Ltl("X" * 100_000 + "g", ("r",), ("g",)), "deeper than 1,000"),
        (Ltl("! G " * 2_000 + "g", ("r",), ("g",)), "deeper than 1,000"),
        (Ltl("(" * 2_000 + "g" + ")" * 2_000, ("r",), ("g",)), "deeper than 1,000"),
        (Ltl("g " * 500_000, ("r",), ("g",)), "1,000,000 characters"),
        (Ltl("g", ("r",), ()), "specification: a machine needs at least one output"),
        (Ltl("g", ("g",), ("g",)), "named twice"),
        (Ltl("g", tuple(f"r{i}" for i in range(13)), ("g",)), "13 inputs"),
    ],
)
def test_a_wrong_specification_is_refused_in_one_line(spec, said, cache):
    with pytest.raises(SynthesisError, match=said) as caught:
        synthesise(spec)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300
    assert not cache.exists()


def test_the_number_of_states_is_bounded(monkeypatch, cache):
    monkeypatch.setattr(synthesis, "MAX_STATES", 3)
    with pytest.raises(SynthesisError, match="has 4 states, more than 3"):
        synthesise(COUNTER)
    assert not cache.exists()


def test_an_unknown_algorithm_is_refused():
    with pytest.raises(SynthesisError, match="known are lar, ds, sd"):
        synthesise(LOCK, algorithm="s; rm")


def test_a_time_out_comes_and_is_not_cached(cache):
    with pytest.raises(SynthesisError, match=r"ran longer than 0\.5 s"):
        synthesise(HARD, seconds=0.5)
    assert not cache.exists()
    assert isinstance(synthesise(LOCK), Machine)  # the next one gets a fresh worker


SIDE = {
    "independent": Ltl(
        "G(r -> F g) & G F !g & (!h & G(X h <-> (h xor r))) & (G s -> (G(g -> X s) & F u))",
        ("r", "s"), ("g", "h", "u", "free"),
    ),
    "quoted": Ltl('G("Go" <-> a) & G(b <-> X a)', ("a", "c"), ("Go", "b")),
    "an output in the assumption": Ltl("G(g <-> r) & (G h -> (G F k & G F !k)) & G h", ("r",), ("h", "g", "k")),
}  # fmt: skip


@slow
@pytest.mark.parametrize("name", SIDE)
def test_parts_are_synthesised_where_the_whole_takes_too_long(name, monkeypatch):
    spec, call, asked = SIDE[name], synthesis._call, []

    def ended_if_whole(ltl, inputs, outputs, *rest):
        if outputs == list(spec.outputs):
            raise synthesis._EndedError("no machine was synthesised: out of time")
        asked.append(outputs)
        return call(ltl, inputs, outputs, *rest)

    expected = synthesise(spec)
    monkeypatch.setattr(synthesis, "_call", ended_if_whole)
    monkeypatch.setattr(synthesis_cache, "load", lambda key: None)
    machine = synthesise(spec)
    if name == "quoted":  # b would have to know the next input
        assert expected == machine == Unrealizable()
        return
    assert sorted(name for outputs in asked for name in outputs) == sorted(spec.outputs)
    assert len(asked) > 1
    for made in (machine, expected):
        assert (made.inputs, made.outputs) == (spec.inputs, spec.outputs)
        table = [[list(cell) for cell in row] for row in made.table]
        question = (list(spec.inputs), list(spec.outputs), made.start, table)
        violates = "harness_tempobench.synthesis_worker:violates"
        assert not harness_guard.call(violates, spec.ltl, *question)
        assert harness_guard.call(violates, f"!({spec.ltl})", *question)


def test_what_has_no_parts_ends_as_the_whole(monkeypatch):
    def ended(*request):
        raise synthesis._EndedError("no machine was synthesised: out of time")

    monkeypatch.setattr(synthesis, "_call", ended)
    with pytest.raises(SynthesisError, match="out of time"):
        synthesise(LOCK)


@slow
def test_memory_is_limited():
    with pytest.raises(SynthesisError, match="exceeded 64 MB of memory"):
        synthesise(HARD, seconds=600, memory_mb=64)


def entry(cache: Path):
    (path,) = cache.iterdir()
    return path


def test_a_hit_equals_the_miss_and_needs_no_worker(cache):
    miss = synthesise(arbiter(3))
    assert len(list(cache.iterdir())) == 1
    hit = synthesise(arbiter(3), seconds=1e-9)  # no worker could be that fast
    assert hit == miss


def test_everything_that_matters_is_in_the_key(cache, monkeypatch):
    synthesise(LOCK)
    synthesise(LOCK, algorithm="ds")
    synthesise(Ltl(LOCK.ltl, LOCK.inputs, ("open", "other")))
    synthesise(Ltl(LOCK.ltl + " ", LOCK.inputs, LOCK.outputs))
    monkeypatch.setattr("harness_logic.spot_library.version", lambda: "another")
    synthesise(LOCK)
    assert len(list(cache.iterdir())) == 5


def corrupt(data: bytes):
    digest, body = data.split(b"\n")
    other = body.replace(b'"start":0', b'"start":1')
    return {
        "empty": b"",
        "cut": data[:-5],
        "changed": digest + b"\n" + other,
        "junk": b"\xff\x00" * 999,
        "deep": b"[" * 100_000,
        "digest of something else": sha(b"[1]") + b"\n[1]",
        "digest of no machine": sha(b'{"realizable":true}') + b'\n{"realizable":true}',
        "digest of a wrong machine": sha(other) + b"\n" + other.replace(b"1", b"7"),
        "deep and digested": sha(b"[" * 100_000) + b"\n" + b"[" * 100_000,
        "another's machine": sha(ODD) + b"\n" + ODD,
    }


ODD = b'{"realizable":true,"start":0,"rows":[[0,0]]}'


def sha(data: bytes) -> bytes:
    return synthesis_cache._digest(data).encode()


def test_corrupt_entries_are_ignored_and_written_anew(cache):
    machine = synthesise(LOCK)
    path = entry(cache)
    good = path.read_bytes()
    for name, bad in corrupt(good).items():
        path.write_bytes(bad)
        assert synthesise(LOCK) == machine, name
        assert path.read_bytes() == good, name
    assert entry(cache) == path  # nothing else is left


def test_the_cache_can_be_switched_off_and_moved(cache, monkeypatch, tmp_path):
    monkeypatch.setenv("HARNESS_TEMPOBENCH_CACHE", "off")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    synthesise(LOCK)
    assert not list(tmp_path.iterdir())
    monkeypatch.delenv("HARNESS_TEMPOBENCH_CACHE")
    assert synthesis_cache.directory() == tmp_path / "xdg/temporal-harness/tempobench"
    synthesise(LOCK)
    assert len(list((tmp_path / "xdg/temporal-harness/tempobench").iterdir())) == 1
    for useless in ("", "relative"):
        monkeypatch.setenv("XDG_CACHE_HOME", useless)
        expected = tmp_path / "home/.cache/temporal-harness/tempobench"
        assert synthesis_cache.directory() == expected


def test_a_cache_that_cannot_be_written_is_no_error(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HARNESS_TEMPOBENCH_CACHE", str(tmp_path / "file" / "below"))
    assert isinstance(synthesise(LOCK), Machine)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_an_entry_that_cannot_be_put_in_place_leaves_nothing_behind(cache):
    synthesis_cache.store(["key"], 1)
    path = entry(cache)
    path.unlink()
    path.mkdir()
    (path / "x").write_text("")
    synthesis_cache.store(["key"], 1)
    assert synthesis_cache.load(["key"]) is None
    assert list(cache.iterdir()) == [path]
