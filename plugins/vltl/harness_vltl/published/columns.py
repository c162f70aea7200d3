"""Which fields of a record are its sentence and its formula, by the names that datasets give them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

# Pairs of fields that belong together, where a record has more than one of a kind.
_TOGETHER = (
    ("logic_sentence", "logic_ltl"), ("sentence", "tl"), ("lifted_sentence", "grounded_tl"),
    ("sentence", "ltl"), ("eng", "raw_ltl"),
)  # fmt: skip
_SENTENCE = (
    "sentence", "nl", "natural_language", "natural_language_sentence", "natural_language_requirement",
    "nl_sentence", "nl_requirement", "english", "en", "eng", "requirement", "utterance", "language_command",
    "command", "natural", "lifted_sentence", "logic_sentence", "nl_description", "description", "specification_text",
)  # fmt: skip
_FORMULA = (
    "ltl", "ltl_formula", "formula", "tl", "gold_ltl", "true_ltl", "raw_ltl", "target_ltl", "ltl_spec",
    "logic_ltl", "grounded_tl", "temporal_logic", "gold_formula", "ltlf", "ltl_gold", "ground_truth_ltl",
)  # fmt: skip
# What much else is called, too: such a field has to be a formula.
_LIKE_SENTENCES = ("text", "input", "instruction", "question", "prompt", "source", "src", "query", "spec",
                   "specification")  # fmt: skip
_LIKE_FORMULAS = ("output", "target", "tar", "tgt", "label", "answer", "completion", "translation", "gold",
                  "ground_truth", "specification")  # fmt: skip
_LISTS = ("propositions", "atomic_propositions", "aps", "ap", "props", "atoms")


_FORMAL = re.compile(
    r"->|[→⇒∧∨¬↔□◇&|!~]|<>|\[\]|\\[a-zA-Z]|(?<!\w)[GFX](?!\w)|(?<!\w)(?:globally|finally|implies)(?!\w)"
)


class Columns(NamedTuple):
    """The fields of a pair; ``certain``: nothing but a formula is called so."""

    sentence: str
    formula: str
    certain: bool


def found(record: Mapping[str, Any], sentence: str = "", formula: str = "") -> Columns | None:
    """Return the fields of a record; those named are taken, the others are found. None: it has no such fields."""
    plain = {_plain(str(name)): str(name) for name in record if isinstance(name, str)}
    if (sentence and sentence not in record) or (formula and formula not in record):
        return None
    if not sentence and not formula:
        if numbered := _numbered(record):
            return numbered
        for one, other in _TOGETHER:
            if one in plain and other in plain and record[plain[other]]:
                return Columns(plain[one], plain[other], True)
    certain = formula or _first(plain, _FORMULA) or _containing(plain, ("ltl", "formula"), sentence)
    other = certain or _first(plain, _LIKE_FORMULAS)
    words = (
        sentence
        or _first(plain, _SENTENCE)
        or _containing(plain, ("sentence", "natural", "english", "utterance", "requirement"), other)
    )
    words = words or _first({k: v for k, v in plain.items() if v != other}, _LIKE_SENTENCES)
    if not words or not other or words == other:
        return None
    return Columns(words, other, bool(certain))


def _numbered(record: Mapping[str, Any]) -> Columns | None:
    """Return the first two columns of a table without a header that hold words; the formula is the one with signs."""
    if [*record] != [str(number) for number in range(1, len(record) + 1)]:
        return None
    words = [name for name, value in record.items() if re.search(r"[^\W\d]", str(value))][:2]
    if len(words) < 2:
        return None
    if [bool(_FORMAL.search(str(record[name]))) for name in words] == [True, False]:
        words.reverse()
    return Columns(words[0], words[1], False)


def propositions(record: Mapping[str, Any]) -> list[str]:
    """Return the propositions that a record lists by name; none where it has no such field."""
    for name, value in record.items():
        if _plain(str(name)) not in _LISTS:
            continue
        listed = re.split(r"[,;\s]+", value.strip("[]{} ")) if isinstance(value, str) else value
        if isinstance(listed, Mapping | Sequence) and all(isinstance(one, str) for one in listed):
            return [one.strip("\"' ") for one in listed if one.strip("\"' ")][:40]
    return []


def _plain(name: str) -> str:
    return re.sub(r"\W+", "_", name.strip().lower()).strip("_")


def _first(plain: Mapping[str, str], names: Sequence[str]) -> str:
    return next((plain[name] for name in names if name in plain), "")


def _containing(plain: Mapping[str, str], words: Sequence[str], other: str) -> str:
    """Return the one field whose name has one of these words in it."""
    fitting = [
        name for key, name in plain.items() if name != other and any(word in key for word in words)
    ]
    return fitting[0] if len(fitting) == 1 else ""
