"""Plain JSON is read by the standard library, and as the tolerant reader reads it."""

import json

import pytest
from cases import some
from harness_answers.json_objects import objects
from harness_answers.json_reader import MAX_DEPTH, MAX_VALUES, Reader, ReadError, loads
from hypothesis import given, settings
from hypothesis import strategies as st

TEXTS = st.text(st.characters(codec="utf-8"), max_size=8) | st.sampled_from(
    ["\neg", "\\neg", "\rightarrow"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**17), 10**17) | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=12,
)  # fmt: skip


def outcome(read):
    try:
        return read()
    except ReadError:
        return "unread"


@settings(max_examples=max(some(100), 25))
@given(
    st.dictionaries(TEXTS, VALUES, max_size=4),
    st.booleans(),
    st.text(max_size=3),
    st.integers(0, 40),
)
def test_both_read_the_same(value, spaced, behind, cut):
    text = json.dumps(value, ensure_ascii=False, indent=2 if spaced else None) + behind
    for piece in (text, text[: len(text) - cut]):
        plain, tolerant = Reader(piece, 0), Reader(piece, 0)
        quick = plain.plain()
        if quick is not None:
            assert (quick, plain.at) == (outcome(tolerant.value), tolerant.at)
        else:
            assert plain.at == 0


@pytest.mark.parametrize(
    "text",
    [
        "[1]", "1", '"a"', "{'a': 1}", '{"a": NaN}', '{"a": -Infinity}', '{"a": "\\neg p"}',
        '{"a": "p \\rightarrow q"}', '{"a": 1,}', '{"a": "\\_"}', '{"a": "' + "x" * 4000 + '"}',
        '{"a":' * 31 + "1" + "}" * 31, '{"a":' * 100_000,
        '{"a": 1, "a": 2}', "{", "",
    ],
)  # fmt: skip
def test_what_is_not_plain_is_left_to_the_tolerant_reader(text):
    reader = Reader(text, 0)
    assert reader.plain() is None
    assert reader.at == 0


def test_numbers_and_keys_that_stand_twice_are_read_alike():
    text = '{"a": 999999999999999, "b": 1000000000000000, "c": 1.50, "d": [1], "d": [2], "e": -0}'
    plain = Reader(text, 0).plain()
    assert plain == Reader(text, 0).value()
    assert plain == {
        "a": 999999999999999,
        "b": "1000000000000000",
        "c": "1.50",
        "d": [1, 2],
        "e": 0,
    }


def test_nesting_is_bounded():
    def nested(depth):
        return '{"a":' * depth + "1" + "}" * depth

    assert Reader(nested(MAX_DEPTH), 0).plain() is not None
    assert Reader(nested(MAX_DEPTH + 1), 0).plain() is None


def test_long_objects_are_read_in_plain_json_only():
    reasoning = json.dumps('The "next" step,\nthen the one behind it. ' * 1_000)
    plain, slips = f'{{"reasoning": {reasoning}, "a": 1}}', f'{{"reasoning": {reasoning}, "a": 1,}}'
    assert loads(plain)[0]["a"] == 1
    assert loads(slips) is None
    (found,) = objects(f"So:\n```json\n{plain}\n```")
    assert found.value["a"] == 1


def test_values_are_bounded_whatever_their_text():
    for many in ("[1]," * MAX_VALUES, '{"a": 1},' * MAX_VALUES, "1," * MAX_VALUES):
        assert loads(f'{{"a": [{many}1]}}') is None
    assert loads(json.dumps({"a": [1] * (MAX_VALUES - 2)})) is not None
