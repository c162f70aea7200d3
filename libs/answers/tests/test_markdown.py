"""Pieces of explanations: endings, tables, formulas in their cells."""

from harness_answers import markdown


def test_what_a_reply_ends_with():
    assert markdown.ending("a " * 500 + "`end`\n") == f"The reply ends with `{'a ' * 47}end`."
    assert markdown.ending(" \n") == "The reply is empty."


def test_a_table_with_formulas():
    assert markdown.formula_cell("a | b") == "`a ∨ b`"
    assert markdown.formula_cell("a" * 61) == f"`{'a' * 60}…`"
    assert markdown.table(["x", "y"], [["1", "2"]]) == "| x | y |\n| --- | --- |\n| 1 | 2 |"
