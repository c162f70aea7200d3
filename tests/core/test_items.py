"""Items are identified by their content, survive JSON, and draw from streams of their own."""

import json
import math
from dataclasses import replace

import pytest
from cases import slow
from harness_errors import DatasetError
from hypothesis import given
from hypothesis import strategies as st

from harness.core.items import (
    Item,
    Solution,
    Verdict,
    canonical_json,
    digest,
    rng_for,
    salt_for,
    to_json,
)

SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
)
# Lone surrogates are no text that UTF-8 can hold.
TEXT = st.text(st.characters(exclude_categories=["Cs"]))
JSON = st.recursive(
    SCALARS | TEXT, lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner), max_leaves=8
)
ITEMS = st.builds(
    Item,
    plugin=TEXT,
    version=TEXT,
    prompt=TEXT,
    target=TEXT,
    problem=JSON,
    certificate=JSON,
    features=st.dictionaries(TEXT, st.booleans() | st.integers() | TEXT),
    split=TEXT,
    seed=st.integers(0),
    index=st.integers(0),
    attempt=st.integers(0),
    notes=st.dictionaries(TEXT, JSON),
    family=st.just("") | st.text("0123456789abcdef", min_size=12, max_size=12),
)


def item(**changes):
    given = {"plugin": "p", "version": "1", "prompt": "2 + 2?", "target": "4", "problem": [2, 2]}
    return Item(**{**given, **changes})


@slow
@given(ITEMS)
def test_an_item_survives_json(one):
    assert Item.from_dict(json.loads(to_json(one))) == one


@given(JSON)
def test_canonical_json_has_one_text_per_value(value):
    text = canonical_json(value)
    assert canonical_json(json.loads(text)) == text


def test_canonical_json_ignores_the_order_of_keys_and_keeps_words_readable():
    assert (
        canonical_json({"b": 1, "a": "¬φ"})
        == canonical_json({"a": "¬φ", "b": 1})
        == '{"a":"¬φ","b":1}'
    )


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_canonical_json_refuses_what_is_no_number(number):
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_json({"deep": [number]})


CONTENT = {"plugin": "q", "prompt": "2 + 3?", "target": "5", "problem": [2, 3]}
CIRCUMSTANCE = {
    "version": "2",
    "certificate": {"sum": 4},
    "features": {"size": 1},
    "split": "train",
    "seed": 1,
    "index": 1,
    "attempt": 1,
    "notes": {"draws": 2},
}


def test_fields_are_content_or_circumstance():
    assert {*CONTENT, *CIRCUMSTANCE, "id"} == set(item().to_dict())


@pytest.mark.parametrize("field", CONTENT)
def test_id_changes_with_content(field):
    assert item(**{field: CONTENT[field]}).id != item().id


@pytest.mark.parametrize("field", CIRCUMSTANCE)
def test_id_does_not_change_with_circumstance(field):
    assert item(**{field: CIRCUMSTANCE[field]}).id == item().id


def test_id_is_pinned():
    """Published ids must mean the same for ever."""
    assert item().id == digest(["p", [2, 2], "2 + 2?", "4"])[:20] == "107ca4771c7c7615c5a8"


@pytest.mark.parametrize("family", ["", "0123456789ab"])
@pytest.mark.parametrize("prompt", ["", '"a\\n\\"\n…\x7f\u2028', *map(chr, range(33)), "\n\r\n"])
def test_a_line_is_the_canonical_json_of_all_fields(family, prompt):
    made = item(family=family, prompt=prompt, notes={"b": "ä", "a": [1.5]})
    assert to_json(made) == canonical_json(made.to_dict())
    assert made.id.endswith(digest([made.plugin, made.problem, prompt, made.target])[:20])


def test_content_parts_cannot_be_shifted_into_one_another():
    assert item(prompt="ab", target="c").id != item(prompt="a", target="bc").id


def test_a_family_begins_the_id_and_is_the_problems_identity():
    family = "0123456789ab"
    one, other = item(family=family), item(family=family, problem="2 and 2", prompt="two and two?")
    assert one.id == f"{family}-{item().id}"
    assert one.id != other.id
    assert one.problem_id == other.problem_id == family
    assert one.problem_id != item().problem_id


def test_an_item_without_a_family_is_written_as_before():
    assert "family" not in item().to_dict()
    assert item(family="0123456789ab").to_dict()["family"] == "0123456789ab"


@pytest.mark.parametrize(
    "family", ["x", "0123456789AB", "0123456789abc", "0123456789a\n", 12, None]
)
def test_a_family_that_is_none_is_refused(family):
    data = item().to_dict() | {"family": family}
    with pytest.raises(DatasetError, match="family"):
        Item.from_dict(data)


def test_a_changed_family_is_noticed():
    data = item(family="0123456789ab").to_dict()
    for changed in (
        {**data, "family": "0123456789ac"},
        {k: v for k, v in data.items() if k != "family"},
    ):
        with pytest.raises(DatasetError, match="does not match"):
            Item.from_dict(changed)


def test_problem_id_ignores_words():
    assert item(prompt="two and two?", target="four").problem_id == item().problem_id
    assert item(problem=[2, 3]).problem_id != item().problem_id
    assert item(plugin="q").problem_id != item().problem_id


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"colour": "red"}, "item has an unknown field 'colour'"),
        ({"prompt": None}, "item field 'prompt' is NoneType, expected str"),
        ({"target": 4}, "item field 'target' is int, expected str"),
        ({"seed": "0"}, "item field 'seed' is str, expected int"),
        ({"seed": True}, "item field 'seed' is bool, expected int"),
        ({"index": 1.0}, "item field 'index' is float, expected int"),
        ({"features": []}, "item field 'features' is list, expected dict"),
        ({"notes": "x"}, "item field 'notes' is str, expected dict"),
        ({"id": "0" * 20}, "does not match its content"),
        ({"target": "5"}, "does not match its content"),
        ({"problem": [2, 2, 0]}, "does not match its content"),
    ],
)
def test_from_dict_refuses(change, message):
    with pytest.raises(DatasetError, match=message):
        Item.from_dict({**item().to_dict(), **change})


@pytest.mark.parametrize("field", ["plugin", "version", "prompt", "target", "problem"])
def test_from_dict_refuses_a_missing_field(field):
    data = item().to_dict()
    del data[field]
    with pytest.raises(DatasetError, match=f"item lacks '{field}'"):
        Item.from_dict(data)


@pytest.mark.parametrize("data", [None, 3, "text", ["plugin"]])
def test_from_dict_refuses_what_is_no_object(data):
    with pytest.raises(DatasetError, match=f"{type(data).__name__} instead of an object"):
        Item.from_dict(data)


def test_from_dict_fills_what_may_be_missing():
    data = {k: v for k, v in item().to_dict().items() if k in CONTENT or k == "version"}
    assert Item.from_dict(data) == item()


def test_items_are_frozen():
    with pytest.raises(AttributeError):
        item().target = "5"


STREAM = {"plugin": "p", "version": "1", "config": "{}", "split": "test", "seed": 0, "index": 0}


def test_streams_are_pinned():
    """The same numbers on every machine and in every version: items of old papers depend on it."""
    assert rng_for(**STREAM).random() == 0.8401781396194474
    assert salt_for("p", "1", "{}", "test", 0) == "ed42cee2329d7175"


@pytest.mark.parametrize(
    "change",
    [
        {"plugin": "q"},
        {"version": "2"},
        {"config": '{"n":1}'},
        {"split": "train"},
        {"seed": 1},
        {"index": 1},
        {"attempt": 1},
    ],
)
def test_streams_differ_by_everything(change):
    assert rng_for(**{**STREAM, **change}).random() != rng_for(**STREAM).random()


def test_a_third_number_of_a_version_changes_no_item():
    first, *others = (
        {**STREAM, "version": version}
        for version in ("2.7", "2.7.1", "2.7.12", "2.70", "2.8.1", "2")
    )
    same = [rng_for(**other).random() == rng_for(**first).random() for other in others]
    assert same == [True, True, False, False, False]
    salts = {salt_for("p", version, "{}", "test", 0) for version in ("2.7", "2.7.1", "2.7.12")}
    assert len(salts) == 1


def test_neighbouring_seeds_share_no_stream():
    drawn = [
        rng_for(**{**STREAM, "seed": s, "index": i}).random() for s in range(30) for i in range(30)
    ]
    assert len(set(drawn)) == 900


def test_a_redraw_is_no_other_index():
    redrawn = {rng_for(**STREAM, attempt=a).random() for a in range(1, 50)}
    assert redrawn.isdisjoint(rng_for(**{**STREAM, "index": i}).random() for i in range(50))


def test_salt_is_of_the_dataset():
    salts = {
        salt_for(*parts)
        for parts in [
            ("p", "1", "{}", "test", 0),
            ("q", "1", "{}", "test", 0),
            ("p", "2", "{}", "test", 0),
            ("p", "1", "[]", "test", 0),
            ("p", "1", "{}", "train", 0),
            ("p", "1", "{}", "test", 1),
        ]
    }
    assert len(salts) == 6


GOOD = Verdict("scored", {"right": 1.0}, "4", "It is 4.", {"votes": 2})


def test_a_good_verdict_has_no_problems():
    assert GOOD.problems(("right",)) == []
    assert Verdict("unparsed", {"right": 0.0}).problems(("right",)) == []
    assert Verdict("unscored", {}).problems(("right",)) == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"outcome": "right"}, "outcome 'right' is not one of scored, unparsed, unscored"),
        ({"value": {}}, "value has keys [], expected ['right']"),
        ({"value": {"right": 1.0, 2: 1.0}}, "value has keys ['2', 'right'], expected ['right']"),
        ({"value": {"right": math.nan}}, "value['right'] is nan, expected a finite number"),
        ({"value": {"right": math.inf}}, "value['right'] is inf, expected a finite number"),
        ({"value": {"right": "1"}}, "value['right'] is '1', expected a finite number"),
        ({"value": None}, "value is NoneType, expected a mapping"),
        ({"answer": 4}, "answer is int, expected str or None"),
        ({"explanation": None}, "explanation is NoneType, expected str"),
        ({"outcome": "unparsed"}, "an unparsed answer has a value other than 0"),
        ({"extra": ["votes"]}, "extra is list, expected a mapping"),
        ({"extra": {"votes": [1]}}, "extra['votes'] is [1], expected a string or a finite number"),
        (
            {"extra": {"target": "5"}},
            "extra['target'] would replace what the core records under that name",
        ),
    ],
)
def test_a_breach_of_the_contract_is_named(change, problem):
    assert replace(GOOD, **change).problems(("right",)) == [problem]


def test_solutions_and_verdicts_are_json():
    assert json.loads(to_json(GOOD))["value"] == {"right": 1.0}
    assert json.loads(to_json(Solution("4", "abacus", {"sum": 4})))["engine"] == "abacus"
