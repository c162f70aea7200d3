"""The public interface: causes for other people's machines."""

from __future__ import annotations

import harness_tempobench
import pytest

from harness import HarnessError

HOA = """HOA: v1
States: 2
Start: 0
AP: 2 "r" "g"
acc-name: all
Acceptance: 0 t
controllable-AP: 1
--BODY--
State: 0
[!0&!1] 0
[0&!1] 1
State: 1
[!0&1] 0
[0&1] 1
--END--
"""
TRACE = [{"r": True, "g": False}, {"r": False, "g": True}, {"r": False, "g": False}]


def test_a_cause() -> None:
    found = harness_tempobench.cause(HOA, TRACE, 1, "g")
    assert found.clauses == (((0, 0),),)
    assert found.per_step == {"0": ["r"], "1": ["no constraints"]}
    (one,) = found.certificates
    assert one.letters == (0, 0)
    assert found.to_hoa().startswith("HOA: v1")
    negative = harness_tempobench.cause(HOA, TRACE, 2, "g", value=False)
    assert negative.per_step == {
        "0": ["no constraints"], "1": ["!r"], "2": ["no constraints"],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("no automaton", TRACE, 1, "g"), "no HOA automaton"),
        ((HOA, TRACE, 3, "g"), "step 3 is outside the trace"),
        ((HOA, TRACE, 1, "r"), "no output 'r'"),
        ((HOA, TRACE, 0, "g"), "g is not true at step 0"),
        ((HOA, [{"r": True}], 0, "g"), "step 0 of the trace has no value for g"),
        ((HOA, [{"r": True, "g": True}], 0, "g"), "outputs differ at step 0"),
        ((HOA.replace("controllable-AP: 1\n", ""), TRACE, 1, "g"), "controllable-AP"),
    ],
    ids=range(7),
)
def test_what_has_no_cause(arguments: tuple[object, ...], said: str) -> None:
    with pytest.raises(HarnessError, match=said) as caught:
        harness_tempobench.cause(*arguments)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


def test_specification_and_machine() -> None:
    spec = harness_tempobench.tlsf.load(
        'INFO { TITLE: "t" DESCRIPTION: "d" SEMANTICS: Mealy TARGET: Mealy }\n'
        "GLOBAL { PARAMETERS { n = 2; } }\n"
        "MAIN { INPUTS { r[n]; } OUTPUTS { g[n]; } GUARANTEE { &&[0 <= i < n] G (r[i] <-> X g[i]); } }",
        {"n": 1},
    )
    assert (spec.inputs, spec.outputs, spec.semantics) == (("r_0",), ("g_0",), "Mealy")
    made = harness_tempobench.synthesise(spec)
    assert isinstance(made, harness_tempobench.machine.Machine)  # type: ignore[attr-defined]
    assert len(made.table) == 2


def test_nothing_else_is_exported() -> None:
    with pytest.raises(AttributeError, match="no attribute 'causality'"):
        _ = harness_tempobench.causality  # type: ignore[attr-defined]
