"""HOA: the project's cases, round trips, a second reader (Spot's), and hostile text."""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from cases import SHARE, some
from harness_tempobench import hoa, labels
from harness_tempobench.errors import HoaError
from harness_tempobench.labels import cubes, letters_with
from harness_tempobench.machine import Machine
from hypothesis import given, settings
from hypothesis import strategies as st
from pace import within

CASES = Path(__file__).parents[4] / "shared/data/causality/cases.jsonl"

ARBITER = """HOA: v1
States: 2
Start: 0
AP: 2 "r" "g"
Acceptance: 0 t
controllable-AP: 1
--BODY--
State: 0
[0&!1] 1
[!0&!1] 0
State: 1
[1] 0
--END--
"""
TABLE = (((0, 0), (1, 0)), ((0, 1), (0, 1)))


def random_machine(rng, states, inputs, outputs, names="io"):
    """Few different cells, so that labels merge letters."""
    cells = [(rng.randrange(states), rng.randrange(1 << outputs)) for _ in range(6)]
    table = [[rng.choice(cells) for _ in range(1 << inputs)] for _ in range(states)]
    ins, outs = ([f"{names[k]}{i}" for i in range(n)] for k, n in enumerate((inputs, outputs)))
    return Machine(tuple(ins), tuple(outs), rng.randrange(states), tuple(map(tuple, table)))


def with_labels(*labels, ap='2 "r" "g"', header=""):
    """A machine of one state with these labels."""
    edges = "".join(f"[{label}] 0\n" for label in labels)
    return (
        f"HOA: v1\nStart: 0\nAP: {ap}\nAcceptance: 0 t\ncontrollable-AP: 1\n{header}--BODY--\n"
        f"State: 0\n{edges}--END--\n"
    )


@pytest.mark.skipif(not CASES.exists(), reason="the project's cases are not here")
def test_the_cases_run_along_their_traces_and_are_written_and_read_back():
    lines = CASES.read_text().splitlines()
    assert len(lines) == 300
    for case in map(json.loads, lines[::SHARE]):
        machine = hoa.read(case["machine"])
        assert (list(machine.inputs), list(machine.outputs)) == (case["inputs"], case["outputs"])
        letters, masks = machine.split(case["trace"])
        assert machine.run(letters)[1] == masks
        for names in (False, True):
            assert hoa.read(hoa.write(machine, names=names)) == machine


def test_what_is_written_looks_like_the_paper_and_guards_are_merged():
    machine = hoa.read(ARBITER)
    assert machine == Machine(("r",), ("g",), 0, TABLE)
    text = hoa.write(machine)
    assert text.split("--BODY--\n")[1] == (
        "State: 0\n[!0&!1] 0\n[0&!1] 1\nState: 1\n[1] 0\n--END--\n"
    )
    named = hoa.write(machine, names=True)
    assert named.split("--BODY--\n")[1] == (
        "State: 0\n[!r&!g] 0\n[r&!g] 1\nState: 1\n[g] 0\n--END--\n"
    )
    assert text.split("--BODY--")[0] == named.split("--BODY--")[0]


@settings(max_examples=some(100))
@given(
    st.integers(0, 2**32), st.integers(1, 8), st.integers(0, 4), st.integers(1, 4), st.booleans()
)
def test_random_machines_round_trip(seed, states, inputs, outputs, names):
    machine = random_machine(random.Random(seed), states, inputs, outputs)
    assert hoa.read(hoa.write(machine, names=names)) == machine


NAMES = st.text(min_size=1, max_size=5).filter(str.isprintable)


@settings(max_examples=some(100))
@given(
    st.lists(
        NAMES | st.sampled_from(["t", "f", "0", "@a", "]", '"', "\\", "/*"]),
        min_size=2,
        unique=True,
        max_size=4,
    )
)
def test_names_of_all_sorts_round_trip(names):
    rng = random.Random(1)
    table = [[(rng.randrange(2), rng.randrange(2)) for _ in range(2 ** (len(names) - 1))]] * 2
    machine = Machine(tuple(names[1:]), (names[0],), 0, tuple(map(tuple, table)))
    for by_name in (False, True):
        assert hoa.read(hoa.write(machine, names=by_name)) == machine


@given(st.integers(0, 4), st.integers(0, 2**16 - 1))
def test_cubes_cover_a_set_exactly_and_none_can_be_left_out(inputs, letters):
    full = (1 << (1 << inputs)) - 1
    letters &= full
    found = []
    for cube in cubes(letters, inputs):
        product = full
        for i, value in cube.items():
            product &= letters_with(i, full) if value else full & ~letters_with(i, full)
        found.append(product)
    for k in range(len(found) + 1):  # the last turn leaves none out
        union = 0
        for product in found[:k] + found[k + 1 :]:
            union |= product
        assert (union == letters) == (k == len(found))


def test_a_second_reader_agrees_on_random_machines(tmp_path):
    rng = random.Random(7)
    cases = []
    for k in range(40):
        machine = random_machine(rng, rng.randint(1, 9), rng.randint(1, 4), rng.randint(1, 4))
        path = tmp_path / f"{k}.hoa"
        path.write_text(hoa.write(machine))
        cases.append([str(path), machine.inputs, machine.outputs, machine.start, machine.table])
    (tmp_path / "cases.json").write_text(json.dumps(cases))
    done = subprocess.run(
        [sys.executable, "-c", SECOND_READER, str(tmp_path / "cases.json")],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "40\n"), done.stderr


SECOND_READER = """
import json, sys
import spot, buddy
count = 0
for path, inputs, outputs, start, table in json.load(open(sys.argv[1])):
    automaton = spot.automaton(path)
    assert automaton.get_init_state_number() == start and automaton.num_states() == len(table)
    variables = [[automaton.register_ap(name) for name in names] for names in (inputs, outputs)]
    allowed = buddy.bddtrue
    for variable in variables[1]:
        allowed = allowed & buddy.bdd_ithvar(variable)
    assert spot.get_synthesis_outputs(automaton) == allowed
    def cube(variables, bits):
        result = buddy.bddtrue
        for i, variable in enumerate(variables):
            result = result & (buddy.bdd_ithvar if bits >> i & 1 else buddy.bdd_nithvar)(variable)
        return result
    for state, row in enumerate(table):
        expected = {}
        for letter, (target, mask) in enumerate(row):
            guard = cube(variables[0], letter) & cube(variables[1], mask)
            expected[target] = expected.get(target, buddy.bddfalse) | guard
        found = {}
        for edge in automaton.out(state):
            found[edge.dst] = found.get(edge.dst, buddy.bddfalse) | edge.cond
        assert found == expected
    count += 1
print(count)
"""


def cell(*labels, **keys):
    (row,) = hoa.read(with_labels(*labels, **keys)).table
    return [mask for _, mask in row]


@pytest.mark.parametrize(
    ("labels", "masks"),
    [
        (["t"], [0, 0]),
        (["0&1 | !0&!1"], [0, 1]),
        (["!(0&!1) & (0 | !1)"], [0, 1]),
        (["0|1&0", "!0"], [0, 0]),
        (["!!1"], [1, 1]),
        (["!0|!0&1", '"r"&g'], [0, 1]),
        (["r&!g", "!r", "f"], [0, 0]),
        (["1", "0"], [1, 0]),  # several outputs are possible: the least
        ([" ( 1 )\n"], [1, 1]),
        (["/* a /* nested */ comment ] */ 1"], [1, 1]),
    ],
)
def test_labels_mean_what_the_format_says(labels, masks):
    assert cell(*labels) == masks


def test_aliases():
    header = "Alias: @a 0 & 1\nAlias: @b-2 @a | !0 & !1\n"
    assert cell("@b-2", header=header) == [0, 1]


def test_two_next_states_for_the_same_inputs_and_outputs_are_refused():
    text = ARBITER.replace("[1] 0", "[1] 1\n[1] 0")
    with pytest.raises(
        HoaError, match=r"state 1 has two next states for the inputs !r and outputs g$"
    ):
        hoa.read(text)
    with pytest.raises(HoaError, match=r"two next states for the inputs r and outputs g$"):
        hoa.read(ARBITER.replace("[1] 0", "[1] 0\n[0&1] 1"))
    # the same edge twice, or in parts, is one
    assert hoa.read(ARBITER.replace("[1] 0", "[1] 0\n[0&1] 0\n[1] 0")).table == TABLE


def test_labels_of_states_names_of_states_and_all_ignorable_headers():
    text = ARBITER.replace("State: 1\n[1] 0", 'State: [1] 1 "busy" {}\n0 {}')
    extra = 'tool: "x" "1"\nname: "a | b"\nproperties: deterministic\nacc-name: all\nother: 1 t\n'
    text = text.replace("States: 2\n", extra + "States: 2\n")
    assert hoa.read(text).table == TABLE
    assert hoa.read(text.replace("States: 2\n", "")).table == TABLE
    assert hoa.read("\n  " + text.replace("\n", "\r\n")).table == TABLE


def test_states_left_out_or_incomplete_are_refused_unless_completion_is_asked_for():
    text = ARBITER.replace("[!0&!1] 0\n", "")
    with pytest.raises(HoaError, match=r"line 8: state 0 has no edge for the inputs !r$"):
        hoa.read(text)
    # what was not foreseen leaves the machine where it is, outputs false
    assert hoa.read_open(text).machine.table == TABLE
    text = ARBITER.replace("State: 1\n[1] 0\n", "")
    with pytest.raises(HoaError, match="state 1 has no edge"):
        hoa.read(text)
    assert hoa.read_open(text).machine.table == (TABLE[0], ((1, 0), (1, 0)))


def swap(old, new):
    assert old in ARBITER
    return ARBITER.replace(old, new)


WRONG = [
    ("", "no HOA automaton"),
    ("cat /etc/passwd |", "no HOA automaton"),
    ("/etc/passwd", "no HOA automaton"),
    (ARBITER + "|", "no part of the format|after '--END--'"),
    (ARBITER + "touch x |", "after '--END--'"),
    (ARBITER + ARBITER, "after '--END--'"),
    ("HOA: v1 touch /tmp/x |", "line 1: '/tmp/x |' is no part"),
    ("HOA: v1 touch x |", "only version 1"),
    ("HOA: v2", "only version 1"),
    ("HOA:", "only version 1"),
    ("HOA: v1", "no '--BODY--'"),
    ("HOA: v1 --BODY-- --END--", "has no 'Start:'"),
    (5, "not a int"),
    (swap("controllable-AP: 1\n", ""), "no output is named"),
    (swap("controllable-AP: 1", "controllable-AP:"), "no output is named"),
    (swap("controllable-AP: 1", "controllable-AP: 2"), "line 6: the number of an output is '2'"),
    (swap("controllable-AP: 1", "controllable-AP: 1 1"), "named twice"),
    (swap("controllable-AP: 1", "controllable-AP: 1 1 1"), "3 outputs are named"),
    (swap("controllable-AP: 1", "controllable-AP: g"), "line 6"),
    (swap("States: 2", "States: 1000000000"), "line 2: the number of states is '1000000000'"),
    (swap("States: 2", "States: " + "9" * 5000), "line 2: the number of states"),
    (swap("States: 2", "States: 0"), "initial state is 0, and there are 0"),
    (swap("States: 2", "States: 1"), "line 9|line 8: the state an edge leads to is '1'"),
    (swap("States: 2", "States: 2 3"), "takes the number of states and nothing else"),
    (swap("States: 2", "States: -2"), "no part of the format"),
    (swap("States: 2", "States: 2\nStates: 2"), "given twice"),
    (swap("Start: 0", ""), "no 'Start:'"),
    (swap("Start: 0", "Start: 0&1"), "nothing else"),
    (swap("Start: 0", "Start: 0\nStart: 1"), "given twice"),
    (swap("Start: 0", "Start: 2"), "initial state is 2, and there are 2"),
    (swap("0 t", "1 Inf(0)"), "'Acceptance: 0 t'"),
    (swap("0 t", "0 f"), "'Acceptance: 0 t'"),
    (swap("Acceptance: 0 t\n", ""), "no 'Acceptance:'"),
    (swap("Acceptance: 0 t", "Acceptance: 0 t\nFoo: 1"), "line 6: 'Foo:' is not known"),
    (swap('2 "r" "g"', '3 "r" "g"'), "line 4: 'AP:' announces 3"),
    (swap('2 "r" "g"', '2 "r" g'), "announces 2"),
    (swap('2 "r" "g"', "1000000000"), "line 4"),
    (swap('2 "r" "g"', '2 "r" "r"'), "named twice"),
    (swap('2 "r" "g"', '2 "r" ""'), "printable"),
    (swap('2 "r" "g"', '2 "r" "g'), "line 4: .* is no part of the format"),
    (swap('2 "r" "g"', '2 "r" "' + "g" * 500 + '"'), "printable"),
    (swap('2 "r" "g"', "20 " + " ".join(f'"p{i}"' for i in range(20))), "19 inputs"),
    (swap("[1] 0", "0"), "has no label"),
    (swap("[1] 0", "[1]"), "missing at the end"),
    (swap("[1] 0", "[1] 0&1"), "no|due"),
    (swap("[1] 0", "[1] 2"), "line 11: the state an edge leads to is '2'"),
    (swap("[1] 0", "[1] 0 {0}"), "acceptance sets"),
    (swap("[1] 0", "[2] 0"), "proposition 2 does not exist"),
    (swap("[1] 0", f"[{'9' * 6000}] 0"), "does not exist"),
    (swap("[1] 0", "[x] 0"), "'x' is not among those"),
    (swap("[1] 0", "[@a] 0"), "@a is not defined"),
    (swap("[1] 0", "[] 0"), "empty"),
    (swap("[1] 0", "[1&] 0"), "ends too early"),
    (swap("[1] 0", "[1 0] 0"), "an operator is due"),
    (swap("[1] 0", "[&1] 0"), "a proposition is due"),
    (swap("[1] 0", "[(1] 0"), "not closed"),
    (swap("[1] 0", "[1)] 0"), "not opened"),
    (swap("[1] 0", "[()] 0"), "a proposition is due"),
    (swap("[1] 0", "[1!] 0"), "an operator is due"),
    (swap("[1] 0", "[1 ; os] 0"), "no part of a label"),
    (swap("[1] 0", "[1 0").replace("--END--", ""), "'\\[1 0' is no part of the format"),
    (swap("State: 1", "State: 0"), "state 0 is defined twice"),
    (swap("State: 1", "State: 7"), "number of a state is '7'"),
    (swap("State: 1", "State:"), "defined twice"),  # the number is that of the edge
    (swap("State: 1\n[1] 0\n", "State: [1]\n"), "missing at the end"),
    (swap("State: 1", "State: [1] 1"), "not both"),
    (swap("State: 1", "Edge: 1"), "'Edge' stands where"),
    (swap("State: 0\n", "0\nState: 0\n"), "HOA"),
    (swap("--END--", ""), "no '--END--'"),
    (swap("--END--", "--ABORT--"), "'--ABORT--' stands"),
    (swap("State: 1", "/* State: 1"), "comment is not closed"),
    (swap("Start: 0", "Start: 0\nAlias: @a @a"), "@a is not defined"),
    (swap("Start: 0", "Start: 0\nAlias: 1"), "'@name'"),
    (swap("Start: 0", "Start: 0\nAlias: @a 0\nAlias: @a 1"), "defined twice"),
]


@pytest.mark.parametrize(("text", "said"), WRONG, ids=range(len(WRONG)))
def test_what_is_no_mealy_machine_is_refused_in_one_line(text, said):
    with pytest.raises(HoaError, match=said) as caught:
        hoa.read(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250


MEGABYTE = 1_000_000
MANY = 200_000
WIDE = " ".join(["40", *(f'"p{i}"' for i in range(40))])
PAIRS = " & ".join(f"({i} | !{i + 19})" for i in range(2, 20))  # exponential as a diagram


def wide(body):
    """40 propositions, 38 of them outputs."""
    outputs = " ".join(map(str, range(2, 40)))
    return f"HOA: v1\nStart: 0\nAP: {WIDE}\nAcceptance: 0 t\ncontrollable-AP: {outputs}\n{body}"


PIECES = st.sampled_from(
    [
        *ARBITER.split(),
        "&",
        "|",
        "!",
        "(",
        ")",
        "[",
        "]",
        "{0}",
        '"',
        "@a",
        "Alias:",
        "t",
        "99",
        "\\",
        "é",
        "/*",
        "*/",
    ]
)


@given(st.integers(0, len(ARBITER)), st.integers(0, 12), st.lists(PIECES, max_size=4).map(" ".join))
def test_a_damaged_text_is_read_or_refused_in_one_line(place, cut, put):
    try:
        machine = hoa.read(ARBITER[:place] + put + ARBITER[place + cut :])
        assert hoa.read(hoa.write(machine)) == machine
    except HoaError as error:
        assert "\n" not in str(error)  # noqa: PT017


HOSTILE = {
    "junk": "HOA: v1\n" + "x" * MEGABYTE,
    "random": "HOA: v1\n"
    + "".join(random.Random(3).choices('ab01[]"{}()!&|@:/* \n\\', k=MEGABYTE)),
    "too long": "HOA: v1\n" + "x" * 5 * MEGABYTE,
    "null": "HOA: v1\n" + "\0" * MEGABYTE,
    "blanks": "HOA: v1" + " " * MEGABYTE + "x",
    "lines": "HOA: v1" + "\n" * MEGABYTE + ";",
    "numbers": "HOA: v1 " + "1 " * MANY,
    "states": ARBITER.replace("--END--", "State: 1 " * 100_000),
    "headers": "HOA: v1\n" + "a: 1\n" * 50_000,
    "aliases": with_labels("t", header="".join(f"Alias: @{i} 0\n" for i in range(20_000))) + "x",
    "quotes": "HOA: v1\n" + '"' * MANY + "x",
    "one quote": 'HOA: v1\n"' + "a\\" * (MANY // 2),
    "brackets": "HOA: v1\n" + "[" * MANY,
    "brackets and quotes": "HOA: v1\n" + '["' * (MANY // 2),
    "braces": "HOA: v1\n" + "{" * MANY,
    "comments": "HOA: v1\n" + "/*" * (MANY // 2),
    "slashes": "HOA: v1\n/*" + "/" * MANY,
    "parentheses": with_labels("(" * MANY + "1" + ")" * MANY),
    "negations": with_labels("!" * MANY + "1"),
    "half open": with_labels("(0 & " * (MANY // 5)),
    "dashes": "HOA: v1\n" + "-" * MANY,
    "names": "HOA: v1\n" + "a-" * (MANY // 2) + "\0",
    "doubling aliases": wide(
        f"Alias: @a0 {PAIRS}\n"
        + "".join(f"Alias: @a{i} @a{i - 1} & !@a{i - 1} | 2\n" for i in range(1, 5_000))
        + "--BODY-- State: 0 [@a4999] 0 --END-- x"
    ),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_refused_fast_and_in_one_line(text):
    with within(6), pytest.raises(HoaError) as caught:
        hoa.read(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250


def test_many_edges_with_many_outputs_each_are_bounded_work(monkeypatch):
    monkeypatch.setattr(labels, "MAX_WORK", 200_000)
    names = " ".join(f'"p{i}"' for i in range(24))
    equal = "&".join(f"(!{i}|{i + 12})&({i}|!{i + 12})" for i in range(12))
    edges = "".join(f"[{equal}&{'(t)&' * k}t] {k}\n" for k in range(488))
    head = f"HOA: v1\nStart: 0\nAP: 24 {names}\nAcceptance: 0 t\n"
    head += f"controllable-AP: {' '.join(map(str, range(12, 24)))}\n--BODY--\n"
    body = "".join(f"State: {k}\n{edges}" for k in range(3))
    with within(6), pytest.raises(HoaError, match="too complex"):
        hoa.read(head + body + "--END--")


def test_a_big_machine_is_written_and_read_in_time():
    machine = random_machine(random.Random(2), 200, 5, 10)
    with within(5):
        assert hoa.read(hoa.write(machine)) == machine
