"""The published notebook's way of scoring, quirks included: only for records of the published format.

- Lifting and translation: similarity of character sequences (``difflib``), not tokens and not meaning.
- Grounding: equality of JSON, with the words of the sentence and not only actions and arguments; code fences go.
- Verification: pyModelChecking's parser reads what is left of a reply when all characters but letters, digits,
  ``_`` and parentheses are gone. ``double_implies`` is read as one-way, of a chain of ``and`` or ``or`` the first two
  parts count, actions without arguments are never true, and the gold dictionary grounds every answer.

The notebook is VLTL-Bench_evaluation.ipynb in Dubascudes/VLTL-Bench; this is written anew.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache
from typing import Any

from harness_logic.model_checking import library

from harness import Item, Metric
from harness_vltl.metrics import number, ratio

MAX_TEXT = 2_000
"""Characters of a reply, and of a gold text, beyond which nothing is compared or parsed: the reply gets 0."""
MAX_COMPARED = 100
"""Parts of a reply that are compared in full with a gold formula."""
MAX_WORDS = 100
"""Words and parentheses of a formula beyond which it counts as unparsed: the library recurses per operator."""

_WORDS = {
    "globally": "G", "always": "G", "finally": "F", "eventually": "F", "next": "X", "until": "U", "not": "not",
    "or": "or", "imply": "-->", "implies": "-->", "double_implies": "-->",
}  # fmt: skip
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TOKEN = re.compile(r"\w+|[()]")

Figures = dict[str, float]


def figures(item: Item, reply: str) -> Figures:
    """Return what the notebook makes of a reply to an adopted record, by its task; nothing for any other item."""
    rule, proof = _RULES.get(item.problem["task"]), item.certificate
    return rule(proof, reply) if rule and "said" in proof else {}


def _lifting(proof: Mapping[str, Any], reply: str) -> Figures:
    alike = similarity(reply, proof["lifted"])
    return {"published_lifting": alike, "published_correct": float(alike == 1)}


def _translation(proof: Mapping[str, Any], reply: str) -> Figures:
    gold, said = proof["said"], _unnumbered(reply.strip())
    holds = verified(reply, proof)
    sat, unsat = holds is not None and holds[0], holds is not None and not holds[1]
    return {
        "published_similarity": similarity(said, gold),
        "published_part": best_part(said, gold),
        "published_exact": float(said == gold),
        "published_sat": float(sat),
        "published_unsat": float(unsat),
        "published_both": float(sat and unsat),
        "published_correct": float(sat and unsat),
        "published_unparsed": float(holds is None),
    }


def _grounding(proof: Mapping[str, Any], reply: str) -> Figures:
    gold = {
        name: {
            "action_canon": prop["action"],
            "action_ref": prop["words"][0],
            "args_canon": prop["arguments"],
            "args_ref": prop["words"][1:],
        }
        for name, prop in proof["propositions"].items()
    }
    read = _dictionary(reply)
    right = isinstance(read, dict) and sum(read.get(name) == prop for name, prop in gold.items())
    return {
        "published_grounded": float(right),
        "published_grounded_of": float(len(gold)),
        "published_dictionary": float(read == gold),
        "published_correct": float(read == gold),
        "published_unparsed": float(read is None),
    }


_RULES: dict[str, Callable[[Mapping[str, Any], str], Figures]] = {
    "lift": _lifting,
    "translate": _translation,
    "end_to_end": _translation,  # compared with the lifted formula all the same
    "ground": _grounding,
}

_EACH = {
    "correct": "share of answers with full marks in the notebook: similarity 1, both traces, or the same dictionary",
    "lifting": "lift: similarity of characters to the gold sentence (the paper's lifting accuracy)",
    "similarity": "translate, end_to_end: similarity of characters to the lifted gold formula",
    "part": "translate, end_to_end: the same, of the part of the reply that is most like it (used for NL2TL)",
    "exact": "translate, end_to_end: share of replies that are the lifted gold formula to the letter",
    "sat": "translate, end_to_end: share that holds on the good trace, as the notebook reads formulas",
    "unsat": "translate, end_to_end: share that fails on the bad trace",
    "both": "translate, end_to_end: share right on both traces",
    "dictionary": "ground: share of dictionaries with the same JSON",
    "unparsed": "translate, end_to_end, ground: share of answers that the notebook cannot parse",
}
PUBLISHED = (
    *(Metric(f"published_{name}", about, each=number(f"published_{name}")) for name, about in _EACH.items()),
    Metric("published_grounding", "ground: share of propositions with the same JSON",
           ratio("published_grounded", "published_grounded_of")),
)  # fmt: skip


# ------------------------------------------------------------------------------ similarity of text


def similarity(reply: str, gold: str) -> float:
    """Return the ratio of ``difflib``, 0 where a text is too long."""
    if len(reply) > MAX_TEXT or len(gold) > MAX_TEXT:
        return 0.0
    return SequenceMatcher(None, reply, gold).ratio()


def best_part(reply: str, gold: str) -> float:
    """Return the highest ratio of a part of the reply that is as long as the gold text; of a shorter reply its own.

    The parts that may be most alike come first, so that most need not be compared.
    """
    width = len(gold)
    if not 0 < width <= len(reply) <= MAX_TEXT:
        return similarity(reply, gold)
    matcher = SequenceMatcher(None, "", gold)
    missing = Counter(gold)  # of each character, how many more the gold text has than the part
    shared, bounds = 0, dict[str, int]()
    for end, char in enumerate(reply, 1):
        shared += missing[char] > 0
        missing[char] -= 1
        if end >= width:
            part = reply[end - width : end]
            bounds[part] = shared
            missing[part[0]] += 1
            shared -= missing[part[0]] > 0
    best = 0.0
    parts = sorted(bounds, key=lambda part: (bounds[part], part), reverse=True)[:MAX_COMPARED]
    for bound, part in sorted(((_common(part, gold), part) for part in parts), reverse=True):
        if bound <= best:
            break
        matcher.set_seq1(part)
        best = max(best, matcher.ratio())
    return best


def _common(part: str, gold: str) -> float:
    """Return the share of the longest common subsequence of two texts of one length: no ratio of them is higher.

    By bits, one for each character of the gold text (Hyyrö, "Bit-parallel LCS-length computation revisited", 2004).
    """
    places: dict[str, int] = {}
    for at, char in enumerate(gold):
        places[char] = places.get(char, 0) | 1 << at
    whole = left = (1 << len(gold)) - 1
    for char in part:
        matched = left & places.get(char, 0)
        left = ((left + matched) | (left - matched)) & whole
    return (len(gold) - left.bit_count()) / len(gold)


def _unnumbered(said: str) -> str:
    """Return the text without a number in front, such as ``1.``."""
    first, blank, rest = said.partition(" ")
    return rest if blank and first.rstrip(".").isdigit() else said


# ----------------------------------------------------------------------------------- dictionaries


def _dictionary(reply: str) -> Any:
    """Return the JSON of a reply without its fence and its ``prop_dict:``; None if it is none."""
    text = reply.strip()
    if len(text) > MAX_TEXT:
        return None
    if text.startswith("```"):
        lines = text.splitlines()[1:]
        if lines and lines[-1].strip().startswith("```"):
            del lines[-1]
        text = "\n".join(lines)
    if text.lstrip().startswith("prop_dict"):
        text = text[text.find("{") :]
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


# ------------------------------------------------------------------------------------ verification


def verified(reply: str, proof: Mapping[str, Any]) -> tuple[bool, bool] | None:
    """Return whether a reply holds on the good and on the bad trace; None where the notebook cannot parse it."""
    said = reply.removeprefix("LTL:").removeprefix("3. *FINAL:* ")
    said = said.removesuffix("*FINISH*").removesuffix("FINISH")
    tokens = [_token(word) for word in _TOKEN.findall(said[:MAX_TEXT])]
    if len(said) > MAX_TEXT or len(tokens) > MAX_WORDS:
        return None
    good, bad = (_labels(proof, kind) for kind in ("satisfying", "violating"))
    try:
        formula = _parser()(" ".join(_without_implications(tokens)))
        return _holds(formula, good, 0, {}), _holds(formula, bad, 0, {})
    except (
        Exception
    ):  # the notebook, too, counts whatever fails here as a formula that is wrong on both traces
        return None


@cache
def _parser() -> Any:
    return library().LTL.Parser()


def _token(word: str) -> str:
    return _WORDS.get(word.lower()) or (
        word if word in "()" or _NAME.fullmatch(word) else f"'{word}'"
    )


def _labels(proof: Mapping[str, Any], kind: str) -> list[set[str]]:
    """Return the states of a trace; an action without arguments keeps its name, which no formula says."""
    named = proof["propositions"]
    bare = {name: prop["action"] for name, prop in named.items() if not prop["arguments"]}
    return [{bare.get(true, true) for true in state} for state in proof[kind][0]["states"]]


def _without_implications(tokens: Sequence[str]) -> list[str]:
    """Return the tokens with each ``a --> b`` as ``((not a) or (b))``, cut at the parentheses around it."""
    words = list(tokens)
    while "-->" in words:
        depth, depths = 0, []
        for word in words:
            depth += word == "("
            depths.append(depth)
            depth -= word == ")"
        at = words.index("-->")
        start, end = at, at + 1
        while start and depths[start - 1] >= depths[at]:
            start -= 1
        while end < len(words) and depths[end] >= depths[at]:
            end += 1
        left, right = words[start:at], words[at + 1 : end]
        words[start:end] = ["(", "(", "not", *left, ")", "or", "(", *right, ")", ")"]
    return words


def _holds(
    part: Any, trace: Sequence[set[str]], at: int, known: dict[tuple[int, int], bool]
) -> bool:
    """Return whether a parsed formula holds at a state; ``known`` keeps what was asked before."""
    if (id(part), at) not in known:
        known[id(part), at] = _value(part, trace, at, known)
    return known[id(part), at]


def _value(
    part: Any, trace: Sequence[set[str]], at: int, known: dict[tuple[int, int], bool]
) -> bool:
    def now(number: int, state: int = at) -> bool:
        return _holds(part.subformula(number), trace, state, known)

    steps = range(at, len(trace))
    match type(part).__name__:
        case "AtomicProposition":
            return str(part) in trace[at]
        case "Not":
            return not now(0)
        case "And":
            return now(0) and now(1)
        case "Or":
            return now(0) or now(1)
        case "X":
            return now(0, min(at + 1, len(trace) - 1))
        case "F":
            return any(now(0, step) for step in steps)
        case "G":
            return all(now(0, step) for step in steps)
        case "U":
            end = next((step for step in steps if now(1, step)), None)
            return end is not None and all(now(0, step) for step in range(at, end))
    raise NotImplementedError(f"the notebook knows no {type(part).__name__}")
