"""The second reading of published sentences, and what the two readings that engines have put right together."""

from __future__ import annotations

import json

import pytest
from cases import SHARE, each
from harness_vltl.engines import plain_reader, published_sentences
from harness_vltl.engines.equivalence import compare
from vltl_records import DATA, needs_data, records

from harness import Abstained
from harness.audit.verify import audit
from harness.core.plugins import registry
from harness.core.spec import make

NEITHER = "Whenever neither {} nor {} holds, {} eventually holds."
NOT_BOTH = "globally ( not ( {} and {} ) implies finally {} )"
NOT_EITHER = "globally ( ( not {} and not {} ) implies finally {} )"
ACTIONS = {"prop_1": "get_help", "prop_2": "idle", "prop_3": "search(cup)"}


def record(number, sentence=NEITHER, formula=NOT_BOTH, good=(("get_help", "idle"),), bad=((),)):
    """Return a record of a sentence and a formula, in both of which {} are prop_1, prop_2 and prop_3."""
    lifted, said = (text.format(*ACTIONS).split() for text in (sentence, formula))
    ids = [int(token.strip(",")[-1]) if token.startswith("prop") else 0 for token in lifted]
    words = {"prop_1": "call", "prop_2": "wait", "prop_3": "find"}
    names = {name for name in ACTIONS if name in said}
    return {
        "id": number,
        "sentence": [
            words[f"prop_{own}"] if own else token for own, token in zip(ids, lifted, strict=True)
        ],
        "tl": [ACTIONS.get(token, token) for token in said],
        "grounded_tl": said,
        "lifted_sentence": lifted,
        "lifted_sentence_prop_ids": ids,
        "prop_dict": {
            name: {
                "action_canon": ACTIONS[name].partition("(")[0],
                "action_ref": words[name],
                "args_canon": ["cup"] if name == "prop_3" else [],
                "args_ref": ["cup"] if name == "prop_3" else [],
            }
            for name in sorted(names)
        },
        "good_trace": [list(state) for state in good],
        "bad_trace": [list(state) for state in bad],
    }


def verified(path, **options):
    plugin = registry().get("vltl")
    options = {"dataset": str(path), "report": "none", "task": "translate", **options}
    return audit(plugin, make(plugin, options))


def corrected(path, **options):
    """Return the audit of a file, the records that differ in the corrected one (old, new), and its changes."""
    fixed = path.with_name(f"fixed-{path.name}")
    found = verified(path, corrected=str(fixed), **options)
    old, new, changes = (
        [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        for file in (path, fixed, fixed.with_name(f"{fixed.name}.changes.jsonl"))
    )
    changed = [pair for pair in zip(old, new, strict=True) if pair[0] != pair[1]]
    assert found["changed"] == len(changed) == len(changes)
    return found, changed, changes


# --------------------------------------------------------------------------------------- the table


@each(
    ("sentence", "formula"),
    [
        ("Whenever neither prop_1 nor prop_2 holds, prop_3 eventually holds.",
         ["G", ["->", ["&", ["!", "prop_1"], ["!", "prop_2"]], ["F", "prop_3"]]]),
        ("Whenever neither prop_3 nor prop_1 holds, prop_2 eventually holds.",
         ["G", ["->", ["&", ["!", "prop_3"], ["!", "prop_1"]], ["F", "prop_2"]]]),
        ("You must always avoid prop_2", ["G", ["!", "prop_2"]]),
    ],
)  # fmt: skip
def test_the_table_reads_a_skeleton_whatever_the_numbers(sentence, formula):
    assert published_sentences.read(sentence) == formula


@each(
    "sentence",
    [
        "Whenever neither prop_1 nor prop_1 holds, prop_3 eventually holds.",
        "Whenever neither prop_1 nor prop_2 holds, prop_3 never holds.",
        "You must eventually prop_1 and prop_2",
        "In this task, prop_1 then prop_2",
        "prop_1",
        "",
    ],
)
def test_the_table_declines_what_is_not_in_it_or_unclear(sentence):
    with pytest.raises(Abstained):
        published_sentences.read(sentence)


def test_the_two_readings_agree_wherever_both_read():
    both = 0
    for skeleton, formula in published_sentences.readings().items():
        try:
            other = plain_reader.read(skeleton)
        except Abstained:
            continue
        both += 1
        assert compare(formula, other).equivalent, skeleton
    assert both == 38


@needs_data
def test_the_table_has_every_published_skeleton():
    skeletons = {" ".join(one["lifted_sentence"]) for one in records()}
    assert len(skeletons) == 64
    assert {published_sentences.skeleton(lifted)[0] for lifted in skeletons} <= set(
        published_sentences.table()
    )


# ------------------------------------------------------------------------------------ put right


def test_a_formula_that_two_readings_contradict_is_put_right(tmp_path):
    rows = [
        record(1),
        record(2, formula=NOT_EITHER),  # right as it is
        record(3, bad=[["idle"]]),  # its bad trace is none of the right formula
        record(4, "{} can only happen after {}", "not {} until {}", [["idle"]], [["get_help"]]),
        record(5, "You must eventually {} and {}", "finally ( {} or {} )", [["idle"]], [[]]),
    ]
    path = tmp_path / "crafted.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    found, changed, changes = corrected(path)
    assert [found[state] for state in ("agree", "wrong", "undecided")] == [1, 3, 1]
    assert [old["id"] for old, _ in changed] == [1, 3]
    assert all(change["engines"] == ["evaluator", "spot"] for change in changes)
    for old, new in changed:
        assert new["grounded_tl"] == NOT_EITHER.format(*ACTIONS).split()
        assert new["tl"] == NOT_EITHER.format(*ACTIONS.values()).split()
        fields = {name for name in old if old[name] != new[name]}
        assert fields - {"bad_trace"} == {"tl", "grounded_tl"}
        assert ("bad_trace" in fields) == (old["id"] == 3)
    # the fifth is wrong by one reading, the other finds it unclear: it stays
    again = verified(path.with_name("fixed-crafted.jsonl"))
    assert [again[state] for state in ("agree", "wrong", "undecided")] == [3, 1, 1]


@needs_data
@each(("name", "count"), [("search_and_rescue", 1), ("traffic_light", 6), ("warehouse", 3)])
def test_neither_nor_is_put_right_in_the_published_files(tmp_path, name, count):
    """All records that say so; the others, of which there are a few, stay."""
    lines = (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    kept = [line for at, line in enumerate(lines) if '"neither"' in line or at % (40 * SHARE) == 0]
    path = tmp_path / f"{name}.jsonl"
    path.write_text("\n".join(kept) + "\n", encoding="utf-8")
    found, changed, _ = corrected(path)
    assert found["items"] == len(kept)
    assert len(changed) == count == sum('"neither"' in line for line in kept)
    for old, new in changed:
        fields = {key for key in old if old[key] != new[key]}
        assert fields == {"tl", "grounded_tl"}
        assert new["grounded_tl"] == NOT_EITHER.format(*ACTIONS).split()
    for task in ("translate", "end_to_end"):
        assert verified(path.with_name(f"fixed-{name}.jsonl"), task=task)["wrong"] == 0
