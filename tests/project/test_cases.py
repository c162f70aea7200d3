"""What folds a table of cases into one test: every case is tried, and all that fail are named."""

import pytest
from cases import each


def test_every_case_is_tried_and_all_that_fail_are_named():
    tried = []

    @each("x, y", [(1, 1), (1, 2), ("a" * 300, 0), (3, 3)])
    def check(x, y):
        tried.append((x, y))
        assert x == y

    with pytest.raises(pytest.fail.Exception) as caught:
        check()
    assert len(tried) == 4
    first, *named = str(caught.value).split("\n")
    assert first == "2 of 4 cases fail"
    assert [line for line in named if "AssertionError" in line] == [
        line for line in named if line.startswith(("1, 2: ", "'aaa"))
    ]


def test_what_raises_and_what_does_not_raise_as_it_should_both_fail():
    @each("value", [0, 1, 2])
    def check(value):
        with pytest.raises(ZeroDivisionError):
            [][3] if value == 2 else 1 / value

    with pytest.raises(pytest.fail.Exception, match="2 of 3 cases fail") as caught:
        check()
    assert "\n1: Failed: DID NOT RAISE" in str(caught.value)
    assert "\n2: IndexError" in str(caught.value)


@each("inner", "ab")
@each(["outer", "more"], {"c": 1, "d": 2}.items())
def test_tables_are_crossed_and_fixtures_come_along(tmp_path, inner, outer, more):
    seen = tmp_path / f"{inner}{outer}{more}"
    assert not seen.exists()
    seen.touch()
    assert len(list(tmp_path.iterdir())) <= 4


def test_a_table_that_does_not_fit_is_refused():
    for names, table in (("x", []), ("x, y", [(1, 2), (3,)])):
        with pytest.raises(AssertionError):
            each(names, table)
    with pytest.raises(AssertionError):
        each("z", [1])(lambda x: None)
