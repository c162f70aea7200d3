"""A record in the published form, made by hand, and where the published data are."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from harness_vltl.config import FORMAT
from harness_vltl.published import adopt as published

from harness import Item

WARD = Path(__file__).parents[1] / "examples" / "hospital_ward.yaml"
DATA = Path(__file__).parents[3].parent / "shared" / "data" / "vltl"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason=f"no published data at {DATA}")

RECORD = {
    "id": 7,
    "sentence": ["Whenever", "the", "agent", "grabs", "the", "mug,", "it", "never", "waits."],
    "tl": ["globally", "(", "pickup(cup)", "implies", "globally", "(", "not", "idle", ")", ")"],
    "grounded_tl": [
        "globally",
        "(",
        "prop_1",
        "implies",
        "globally",
        "(",
        "not",
        "prop_2",
        ")",
        ")",
    ],
    "lifted_sentence": ["Whenever", "the", "agent", "prop_1,", "it", "never", "prop_2"],
    "lifted_sentence_prop_ids": [0, 0, 0, 1, 1, 1, 0, 0, 2],
    "prop_dict": {
        "prop_1": {
            "action_canon": "pickup",
            "action_ref": "grab",
            "args_canon": ["cup"],
            "args_ref": ["mug"],
        },
        "prop_2": {"action_canon": "idle", "action_ref": "wait", "args_canon": [], "args_ref": []},
    },
    "good_trace": [["idle"], ["pickup(cup)"], []],
    "bad_trace": [["pickup(cup)"], [], ["idle"]],
}


def adopt(record, task="end_to_end", **config):
    item = published.adopt(record, {"task": task, **config}, FORMAT)
    assert isinstance(item, Item)
    return item


@cache
def records():
    files = sorted(DATA.glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]
