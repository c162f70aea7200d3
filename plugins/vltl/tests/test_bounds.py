"""Bounds of operators: every notation, and what it means by an evaluator that counts steps and expands nothing."""

import random
from functools import cache

import pytest
from cases import each, some
from harness_vltl.answers.extraction import Answer
from harness_vltl.answers.extraction import formula as answered
from harness_vltl.engines import evaluator, spot
from harness_vltl.formulas import syntax
from harness_vltl.formulas.formula import FormulaError, text
from vltl_random import random_trace

EVER = 20  # steps that stand for all of them: after so many a trace here has shown all its states

SPELLED = {
    "F": ("F", "eventually", "<>", "◇", r"\Diamond", "finally", "s_eventually"),
    "G": ("G", "always", "[]", "□", r"\square", "globally"),
    "X": ("X", "next", "○", r"\bigcirc", "nexttime"),
    "U": ("U", "until", r"\mathcal{U}", "s_until"),
    "R": ("R", "release", r"\mathcal{R}"),
}


# --------------------------------------------------------------------------------- what it means


def holds(formula, trace, ends=False):
    """Whether a formula with bounds holds: each operator by its definition, step by step."""
    states = trace["states"]

    @cache
    def here(part, at):
        if isinstance(part, str):
            return part in states[at]
        operator, (low, high), *operands = part
        last = at + (EVER if high is None else high)
        steps = [step for step in range(at + low, last + 1) if not ends or step < len(states)]
        goal = [there(operands[-1], step) for step in steps]
        if operator not in "UR":
            return all(goal) if operator == "G" else any(goal)
        before = [[there(operands[0], step) for step in range(at, stop)] for stop in steps]
        pairs = zip(goal, before, strict=True)
        if operator == "U":
            return any(reached and all(held) for reached, held in pairs)
        return all(reached or any(held) for reached, held in pairs)

    def there(part, step):
        return here(part, step if ends else place(trace, step))

    return here(formula, 0)


def place(trace, at):
    length, loop = len(trace["states"]), trace.get("loop", 0)
    return at if at < length else loop + (at - length) % (length - loop)


def drawn(rng, depth):
    """A formula with bounds: ``[operator, (first, last), operands]``."""
    if depth == 0 or rng.random() < 0.2:
        return rng.choice("pq")
    operator = rng.choice("FGXUR")
    low = rng.randrange(4)
    high = low if operator == "X" else rng.choice((None, low, low + 1, low + rng.randrange(5)))
    parts = [drawn(rng, depth - 1) for _ in range(2 if operator in "UR" else 1)]
    return (operator, (low, high), *parts)


def written(rng, formula):
    """One of the ways to write it."""
    if isinstance(formula, str):
        return formula
    operator, (low, high), *parts = formula
    said = rng.choice(SPELLED[operator]) + bound(rng, operator, low, high)
    said_parts = [f"({written(rng, part)})" for part in parts]
    if operator in "FX" and rng.random() < 0.2:
        said = delay(rng, low, high)
    return f"{said} {said_parts[0]}" if len(parts) == 1 else f" {said} ".join(said_parts)


def bound(rng, operator, low, high):
    if operator == "X":
        return rng.choice((f"[{low}]", f"^{low}", f"^{{{low}}}", f"_{{[{low}]}}"))
    if high is None:
        end = rng.choice(("inf", "∞", r"\infty", "$"))
        ways = [f"[{low},{end})", f"[{low}:{end}]", f"_{{\\geq {low}}}", f">={low}", f"[≥{low}]"]
        return rng.choice([*ways, f">{low - 1}"] if low else ways)
    ways = [f"{sign}[{low},{high}]" for sign in ("", " ", "_", "^")]
    ways += [f"[{low}:{high}]", f"[{low}..{high}]", f"{{{low},{high}}}", f"_{{[{low},{high}]}}"]
    ways += [f"[{low},{high + 1})", f"_[{low}, {high + 1})", f"^{{[{low},{high}]}}"]
    if low:
        ways += [f"({low - 1},{high}]", f"_({low - 1},{high + 1})", f"_{{({low - 1},{high}]}}"]
    else:
        ways += [f"<={high}", f"_{{\\le {high}}}", f"[<={high}]", f"{{<={high}}}", f"<{high + 1}"]
    if low == high:
        ways += [f"[={low}]", f"_{{={low}}}"]
    return rng.choice(ways)


def delay(rng, low, high):
    if low == high:
        return rng.choice((f"##{low}", f"## {low}", f"##[{low}:{low}]"))
    return "##[*]" if (low, high) == (0, None) else f"##[{low}:{'$' if high is None else high}]"


def cases(seed, count):
    rng = random.Random(seed)
    found = 0
    while found < count:
        formula = drawn(rng, rng.randrange(1, 4))
        said = written(rng, formula)
        fault = refusal(said)
        assert "written out" in (fault or "written out"), (said, fault)
        if not fault:
            found += 1
            yield rng, formula, said


def refusal(said):
    try:
        syntax.parse(said, "pq")
    except FormulaError as error:
        return str(error)
    return ""


def test_bounds_mean_what_step_by_step_definitions_say():
    verdicts = []
    for rng, formula, said in cases("bounds", some(1500)):
        read = syntax.parse(said, "pq")
        for _ in range(4):
            trace = random_trace(rng, "pq", longest=7)
            verdicts.append(holds(formula, trace))
            assert evaluator.holds(read, trace) is verdicts[-1], (said, text(read), trace)
    assert 0.2 < sum(verdicts) / len(verdicts) < 0.8


def test_bounds_on_finite_traces_do_not_look_beyond_the_end():
    verdicts = []
    for rng, formula, said in cases("finite bounds", some(600)):
        read = syntax.parse(said, "pq", finite=True)
        for _ in range(4):
            trace = {"states": random_trace(rng, "pq", longest=6)["states"]}
            verdicts.append(holds(formula, trace, ends=True))
            assert evaluator.holds(read, trace) is verdicts[-1], (said, text(read), trace)
    assert 0.2 < sum(verdicts) / len(verdicts) < 0.8


# -------------------------------------------------------------------------------------- in answers

WITHIN = syntax.parse("G (prop_1 -> prop_2 | X prop_2 | X X prop_2 | X X X prop_2)")


@each(
    "said",
    [
        "G (prop_1 -> F[0,3] prop_2)", "G(prop_1 -> F_{[0,3]} prop_2)", "G (prop_1 -> F_[0,3] prop_2)",
        "G (prop_1 -> F<=3 prop_2)", "G (prop_1 -> F{0,3} prop_2)", "G (prop_1 -> F[<=3] prop_2)",
        "G (prop_1 -> F[0,4) prop_2)", "[] (prop_1 -> <>[0,3] prop_2)", "G (prop_1 -> F≤3 prop_2)",
        r"$\Box (\mathit{prop\_1} \rightarrow \Diamond_{[0,3]} \mathit{prop\_2})$",
        r"\(\square(prop_1 \to \Diamond_{\leq 3} prop_2)\)", "always (prop_1 -> eventually[0:3] prop_2)",
        "always (prop_1 |-> ##[0:3] prop_2)", "`always (prop_1 |-> s_eventually [0:3] prop_2)`",
        "**G (prop_1 -> F[0..3] prop_2)**", "G (prop_1 -> (true U[0,3] prop_2))",
        "Globally(Implies(prop_1, Until[0,3](true, prop_2)))", "(G (-> prop_1 (F[0,3] prop_2)))",
        '["G", ["->", "prop_1", "F[0,3] prop_2"]]',
        '{"op": "G", "args": [{"op": "->", "args": ["prop_1", {"op": "F[0,3]", "args": ["prop_2"]}]}]}',
    ],
)  # fmt: skip
def test_an_answer_with_bounds_is_read(said):
    found = answered(f"The bound is 3.\n\nAnswer: {said}", "", ("prop_1", "prop_2"))
    assert isinstance(found, Answer), found
    assert spot.difference(found.value, WITHIN) is None


@pytest.mark.parametrize("high", [29, 50])
def test_long_bounds_are_read_or_refused_in_one_line(high):
    if high == 29:
        syntax.parse(f"F[0,{high}] p")
        return
    with pytest.raises(FormulaError, match="written out") as caught:
        syntax.parse(f"F[0,{high}] p")
    assert "\n" not in str(caught.value)
