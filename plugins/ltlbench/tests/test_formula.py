"""What is not a formula is refused in one line, however it is made."""

import pytest
from cases import each
from harness_ltlbench.formula import MAX_OPERATORS, FormulaError, validate


def nested(levels):
    formula = 1
    for _ in range(levels):
        formula = ["X", formula]
    return formula


def deep_list(levels):
    node = []
    for _ in range(levels):
        node = [node]
    return node


@each(
    ("formula", "reason"),
    [
        (4, "formula names event4, but there are 3 events"),
        (0, "names event0"),
        (10**5000, "an enormous number"),
        (True, "a bool"),
        (None, "a NoneType"),
        ("event1", "'event1'"),
        ([], "a list"),
        (["Z", 1], "unknown operator 'Z'"),
        (["X", 1, 2], "takes 1 operands, got 2"),
        (["U", 1], "takes 2 operands, got 1"),
        (["X", 1.0], "a float"),
        (deep_list(50_000), "a list"),
        (nested(MAX_OPERATORS + 1), "more than 200 operators"),
        (nested(50_000), "more than 200 operators"),
    ],
)
def test_refused(formula, reason):
    with pytest.raises(FormulaError) as caught:
        validate(formula, 3)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_accepted():
    assert validate(["->", 1, ["G", ["F", 2]]], 3) == 3
    assert validate(nested(MAX_OPERATORS), 1) == MAX_OPERATORS
