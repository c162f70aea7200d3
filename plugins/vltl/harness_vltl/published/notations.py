"""Formulas as other people's datasets write them: one reading each, with the names that ours cannot spell.

Beside every notation of `formulas.syntax`: lists of tokens, the words of NL2TL (``negation``, ``imply``, ``equal``,
``-``), the prefix letters of LBT (``i p0 F p1``), and names with dots, ``=``, accents or in quotes.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection, Mapping
from typing import Any

from harness_answers.text import quoted

from harness_vltl.formulas.formula import PROPOSITION, Formula, FormulaError
from harness_vltl.formulas.syntax import MAX_TEXT, parse
from harness_vltl.formulas.tokens import LETTERS, WORDS
from harness_vltl.formulas.typography import fold

_INTERVAL = re.compile(
    r"(?:\b(?:[FGUXRWM]|globally|always|finally|eventually|until|release|next)|[□◇○]|<>|\[\])"
    r"\s{0,3}[_^]?\{?\s{0,3}[\[({]\s{0,3}[0-9.]{1,20}\s{0,3},\s{0,3}(?:[0-9.]{1,20}|inf\w{0,5}|∞|\\infty)\s{0,3}[\])}]",
    re.IGNORECASE,
)
_VALUE = r"\s{0,3}==?\s{0,3}(?P<value>-?\w{1,60}(?:\.\w{1,60})?)"
_NAME = re.compile(
    rf"(?P<quote>[\"'`])(?P<quoted>[^\"'`]{{1,200}})(?P=quote)"
    rf"|(?<!\\)(?P<name>(?<![\w.])[^\W\d]\w{{0,99}}(?:[.:/@#]\w{{1,99}}){{0,9}})(?:{_VALUE}(?!\w))?"
)
_TRUTH = {"1": True, "true": True, "0": False, "false": False}
_NL2TL = re.compile(r"\b(?:negation|imply|equal)\b|(?:(?<=[\s(])|\A)-(?=\s{0,3}[\w(])")
_SIGNS = {"negation": " ! ", "imply": " -> ", "equal": " <-> ", "-": " ! "}
_LBT = {"i": "->", "e": "<->", "t": "true", "f": "false"}
_PREFIX = {*LETTERS, "!", "&", "|", "^", "i", "e"}

Names = dict[str, str]  # canonical name, and how the record writes it


def read(value: Any, known: Collection[str] = ()) -> tuple[Formula, Names]:
    """Return the formula that a field of a record is, and the names in it that had to be respelled.

    Raises:
        FormulaError: no formula of LTL in a notation known here; the message is one short line.
    """
    text = _text(value).strip().rstrip(".;").strip()
    if not text:
        raise FormulaError("the formula is empty")
    if len(text) > MAX_TEXT:
        raise FormulaError(f"the formula has {len(text)} characters, of {MAX_TEXT} allowed")
    if interval := _INTERVAL.search(fold(text)):
        raise FormulaError(
            f"{quoted(interval[0], 40)} has an interval of time: metric temporal logic (MTL, STL) is no LTL"
        )
    names: Names = {}
    plain = text if text[:1] in "[{" and _is_json(text) else _respelled(text, names)
    first: FormulaError | None = None
    for way in _ways(plain):
        try:
            return parse(way, known), names
        except FormulaError as error:
            first = error if first is None or way == plain else first
    raise FormulaError(str(first))


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(token, str) for token in value):
        return " ".join(value)
    if isinstance(value, list | dict | bool):
        return json.dumps(value)
    raise FormulaError(f"the formula is {type(value).__name__}, not text")


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), list | dict)
    except (ValueError, RecursionError):
        return False


def _ways(text: str) -> list[str]:
    """Return a text as it is and, if it has any, with the operators of two other notations respelled."""
    tokens = text.split()
    ways = [text]
    if words := {*_NL2TL.findall(text)}:
        # "negation(p)" would else be a proposition with an argument
        ways.insert(not words & {"negation", "imply"}, _NL2TL.sub(lambda m: _SIGNS[m[0]], text))
    if tokens and tokens[0] in _PREFIX and {*_LBT} & {*tokens}:
        ways.append(" ".join(_LBT.get(token, token) for token in tokens))
    return ways


# ------------------------------------------------------------------------------------------- names


def _respelled(text: str, names: Names) -> str:
    """Return the text with each name that a proposition cannot have respelled; ``names`` gets those."""
    folded = fold(text)
    values: dict[str, set[str]] = {}
    for match in _NAME.finditer(folded):
        if match["value"]:
            values.setdefault(match["name"], set()).add(match["value"].lower())
    taken = {match["name"] for match in _NAME.finditer(folded) if match["name"]}
    back: dict[str, str] = {}

    def respell(match: re.Match[str]) -> str:
        bare = (match["quoted"] or match["name"]).strip()
        value = match["value"]
        if value and values[match["name"]] <= {*_TRUTH}:  # p=0 says that p is not true
            return _spelled(bare) if _TRUTH[value.lower()] else f"(! {_spelled(bare)})"
        said = match[0] if value else bare
        return _spelled(said, keep=match[0])

    def _spelled(said: str, keep: str = "") -> str:
        if PROPOSITION.fullmatch(said) or (not keep and said.isascii() and said.isidentifier()):
            return keep or said
        if said not in back:
            back[said] = name = _unused(canonical(said), taken)
            names[name] = said
            taken.add(name)
        return back[said]

    return _NAME.sub(respell, folded)


def canonical(said: str) -> str:
    """Return a name of letters, digits and ``_`` for one that is spelled otherwise."""
    signs = {"!=": "_not_", "<=": "_at_most_", ">=": "_at_least_", "<": "_below_", ">": "_above_"}
    for sign, word in signs.items():
        said = said.replace(sign, word)
    plain = unicodedata.normalize("NFKD", said).encode("ascii", "ignore").decode()
    name = re.sub(r"\W+", "_", plain).strip("_")[:90]
    if not name or name[0].isdigit() or name in LETTERS or name.lower() in WORDS:
        name = f"p_{name}".rstrip("_")
    return name


def _unused(name: str, taken: Collection[str]) -> str:
    number, free = 2, name
    while free in taken:
        free, number = f"{name}_{number}", number + 1
    return free


def respelled(text: str, names: Mapping[str, str]) -> str:
    """Return a text with the record's own spelling of names replaced by the canonical one."""
    for name, said in sorted(names.items(), key=lambda pair: -len(pair[1])):
        pattern = re.escape(said).replace(r"\ ", r"\s{0,3}").replace("=", r"\s{0,3}=\s{0,3}")
        text = re.sub(rf"[\"'`]?(?<![\w.]){pattern}(?!\w)[\"'`]?", name, text)
    return text
