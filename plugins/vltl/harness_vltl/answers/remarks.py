"""Tell a formula from the remark behind it, and from the file around it (`harness_vltl.answers.extraction`).

A remark may explain the formula ("i.e. …", "(always, if …)"), it may not change it: what could be
the rest of the formula, a condition, another answer or a doubt is no remark.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from itertools import islice

from harness_answers.claims import unwrapped

from harness_vltl.answers.conclusions import TAKEN_BACK, stands
from harness_vltl.answers.grounding import MEANS, canonical, numbered
from harness_vltl.formulas.formula import Formula, operators, propositions, substitute
from harness_vltl.formulas.formula import text as text_of
from harness_vltl.formulas.tokens import WORDS

_CUTS = 12
_FARTHEST = 4000  # characters of a formula with a remark
_LONGEST = 600  # characters of a remark

# Where a remark can begin: at these signs behind a word or a closing bracket.
_CUT = re.compile(
    r"(?<=[\w)\]}\"'.,$])(?:[ \t]{0,9}[,;][ \t]|[ \t]{1,9}(?:-{1,3}[ \t]|[–—(\[%])|[ \t]{0,9}[✅✓✔☑]"
    r"|[ \t]{1,9}(?=i\.?e\.|(?:or )?equivalently\b))"
)
_LEAD = re.compile(r"[\s,;.:()\[\]%–—✅✓✔☑-]*+")
_EXPLAINS = re.compile(
    r"i\.?e\b\.?|(?:or,? )?equivalently\b|that is\b(?! (?:not|only))|meaning\b|which means\b|where\b"
    r"|in (?:other )?words\b|because\b",
    re.IGNORECASE,
)
# Another formula is named to be refused: "(not: F p)", "so W would be too weak".
_REFUSES = re.compile(
    r"not:|as opposed to\b|unlike\b|in contrast to\b|rather than\b|instead of\b", re.IGNORECASE
)
_TOO_WEAK = re.compile(
    r"\b[GFXURWM] would (?:be (?:too )?(?:weak|strong|wrong|incorrect)|not (?:do|suffice|work|be (?:right|enough)))\b"
)
_DOUBTED = re.compile(
    r"\b(?:wrong|incorrect|mistake\w*|instead|rather|no[.!, ]*$|not|approximat\w+|roughly|closest"
    r"|almost|nearly|ignore|example|draft|would|could|might|better|attempt|candidate|try|ambiguous"
    r"|partial\w*|too|negat\w+|opposite|reverse\w*|swap\w*|vice|converse|within|infinit\w+|finite\w*"
    r"|forever|at most|at least|bounded|twice|exactly|only|except|initially|strict\w*|weak\w*"
    r"|strong\w*|inclusive|exclusive|never|both)\b|n't\b",
    re.IGNORECASE,
)
_CONTINUES = re.compile(
    r"(?:or|but|and|unless|however|until|till|if|iff|when|whenever|while|once|after|before|then|since"
    r"|implies|no|xor|releases?|assuming|provided|else|otherwise|for|at|with|by|from|during|to)\b|\d",
    re.IGNORECASE,
)
_OPERATORS = re.compile(
    r"[^\w\s,;.:()\[\]'\"%/✅✓✔☑–—-]|-[->]|\b[GFXURWMVN]{1,4}(?![\w'])|\w[(\[]|(?:\[\]|\(\))"
)
_NUMBERED = re.compile(r"\bp(?:rop)?[ _-]?\d", re.IGNORECASE)


def cuts(line: str) -> Iterator[tuple[str, str]]:
    """Yield the ways to cut a line in two where a remark can begin, the longest first part first."""
    places = [sign.start() for sign in islice(_CUT.finditer(line[:_FARTHEST]), _CUTS)]
    for place in reversed(places):
        yield line[:place], line[place:]


def harmless(
    rest: str, value: Formula, known: Sequence[str], readable: Callable[[str], bool]
) -> bool:
    """Tell whether the text behind a formula is a remark that does not change it."""
    rest = rest.rstrip(" \t.,;✅✓✔☑")
    enclosed = rest.lstrip()[:1] in ("(", "[") and rest[-1:] in (")", "]")
    remark = _LEAD.sub("", rest[:-1] if enclosed else rest, count=1)
    if len(rest) > _LONGEST or TAKEN_BACK.search(remark):
        return False
    if _EXPLAINS.match(remark):
        others = re.split(r"\bor\b", remark)[1:][:_CUTS]
        return not any(readable(other) and len(other.split()) > 1 for other in others)
    refused = _REFUSES.match(remark) and _OPERATORS.search(remark)
    if enclosed and refused and not re.search(r"\b(?:or|but)\b", remark):
        return True
    remark = _TOO_WEAK.sub("", remark)
    if "U" in operators(value):
        remark = re.sub(r"\bstrong until\b", "", remark, flags=re.IGNORECASE)
    for operator, strength in (("X", "strong"), ("N", "weak")):
        if operator in operators(value):
            remark = re.sub(rf"\b{strength} next\b", "", remark, flags=re.IGNORECASE)
    if "G F " in text_of(value):
        remark = re.sub(r"\binfinitely often\b", "", remark, flags=re.IGNORECASE)
    if any(sign.search(remark) for sign in (_DOUBTED, _OPERATORS)) or _CONTINUES.match(remark):
        return False
    meant = {WORDS[word] for word in re.findall("[a-z]+", remark.lower()) if word in WORDS}
    return (
        meant <= operators(value)
        and not readable(remark)
        and _about(remark, value, known, enclosed)
    )


def _about(text: str, value: Formula, known: Sequence[str], enclosed: bool) -> bool:
    """Tell whether a remark names no proposition, or in brackets only those of the formula."""
    named = {name for name in known if re.search(rf"\b{re.escape(name.partition('(')[0])}\b", text)}
    if not named:
        return not _NUMBERED.search(text)
    return enclosed and named <= set(propositions(value))


_WHERE = re.compile(r"[\s,;.(\[]*(?:where|with)\b[\s:,]*(?P<said>.*)", re.IGNORECASE | re.DOTALL)
_PLACE = re.compile(r"p(?:rop)?_?(\d{1,2})", re.IGNORECASE)


def _named(value: Formula, names: Iterable[str], text: str, known: Sequence[str]) -> Formula:
    """Return the formula with its names replaced as a text defines them: "p = idle, q is get_help"."""
    some = "|".join(re.escape(name) for name in sorted(known, key=len, reverse=True))
    meant: dict[str, Formula] = {}
    for name in names:
        definition = re.search(
            rf"(?<!\w){re.escape(name)}[ \t]{{0,9}}(?::=|=|:|is|means|denotes|stands for)[ \t]{{0,9}}[\"'`]?"
            rf"({some})(?=[\"'`]?[ \t]{{0,9}}(?:[,;.)\n]|and\b|\Z))",
            text,
        )
        if definition is None:
            return value
        meant[name] = definition[1]
    return substitute(value, meant)


def defined(value: Formula, rest: str, known: Sequence[str]) -> Formula:
    """Return the formula with its prop_i replaced as the text behind it explains them ("where prop_1 is …")."""
    numbers = {name: _PLACE.fullmatch(name) for name in propositions(value) if name not in known}
    where = _WHERE.match(rest)
    if where is None or len(numbers) < len(propositions(value)):
        return value
    if None in numbers.values():
        return _named(value, numbers, where["said"], known)
    text = where["said"].rstrip(" \t\n.")
    if text.endswith(")") and text.count(")") > text.count("("):
        text = text[:-1]
    pairs = numbered(MEANS.sub(r"\1 = ", text)) or {}
    named = {canonical(name): name for name in known}
    meant = {name: named.get(canonical(pairs.get(int(n[1])))) for name, n in numbers.items() if n}
    return value if None in meant.values() else substitute(value, meant)


_LETTERS = r"(?![GFXURWMVN]\b)(?:[A-Za-z]\w{0,15}|[α-ω])"
_DEFINED = re.compile(
    rf"(?:[ \t\n(,;]+(?:where|with|and|for)\b|[,;(\n])[\s,:]{{0,9}}(?P<name>{_LETTERS})[ \t]{{0,3}}(?::=|=(?![=>]))"
)


def expanded(
    content: str, known: Sequence[str], read: Callable[[str], Formula | None]
) -> Formula | None:
    """Return the formula of "F p, p = a & b" with each name replaced by what it is defined as.

    None if there are no definitions, one cannot be read, or one is of no name of the formula.
    """
    found = list(islice(_DEFINED.finditer(content[:_FARTHEST]), _CUTS))
    names = [definition["name"] for definition in found]
    if not found or len({*names}) < len(names) or {*names} & {*known}:
        return None
    ends = [*(definition.start() for definition in found[1:]), len(content)]
    formula = content[: found[0].start()]
    meant: dict[str, Formula] = {}
    for number, (definition, end) in enumerate(zip(found, ends, strict=True)):
        said = content[definition.end() : end].strip(" \t\n.,;")
        value = None if re.search(r"\bor\b", said) else read(said)  # "or" may be a choice
        formula, times = re.subn(rf"(?<!\w){definition['name']}(?!\w)", f"name_{number}", formula)
        if value is None or not times or not {*propositions(value)} <= {*known}:
            return None
        meant[f"name_{number}"] = value
    whole = read(formula)
    if whole is None or not {*propositions(whole)} <= {*known, *meant}:
        return None
    return substitute(whole, meant)


# "G a ≡ !F !a" says that two formulas are the same, "a ≡ b" is one formula.
_SAME = re.compile(
    r"[(\[{]|(?P<close>[)\]}])|(?P<same>≡|\\equiv\b|\b(?:is[ \t]+)?equivalent(?:[ \t]+to)?\b)",
    re.IGNORECASE,
)


def states_sameness(content: str, known: Container[str]) -> bool:
    """Tell whether a text says that two formulas are the same."""
    depth, sides = 0, [0]
    for mark in _SAME.finditer(content):
        if mark["same"] and not depth:
            sides += [mark.start(), mark.end()]
        elif not mark["same"]:
            depth += -1 if mark["close"] else 1
    sides.append(len(content))
    parts = [content[a:b].strip(" \t!~¬") for a, b in zip(sides[::2], sides[1::2], strict=True)]
    return len(parts) > 1 and not all(part.replace("\\_", "_") in known for part in parts)


_WRAPPERS = (
    re.compile(r"(?:LTL|PSL)SPEC\s(?:\s*NAME\s+\w+\s*:=)?(?P<inner>.*)", re.DOTALL),
    re.compile(r"property\s+\w+\s*;(?P<inner>.*?)[;\s]*endproperty[\s:\w]*", re.DOTALL),
    re.compile(r"ltl(?:\s+\w+)?\s*\{(?P<inner>.*)\}", re.DOTALL),
    re.compile(r"(?:phi|psi)\s*(?::=|[:=])(?P<inner>.*)", re.DOTALL | re.IGNORECASE),
    re.compile(r"(?:\w+\s*:\s*)?assert(?:\s+property)?(?:\s|(?=\())(?P<inner>.*)", re.DOTALL),
)


def unwrapped_specification(content: str) -> str:
    """Return the formula of a model checker's specification: ``LTLSPEC …;``, ``ltl p { … }``, ``assert …;``."""
    for wrapper in _WRAPPERS:
        if found := wrapper.fullmatch(content):
            return unwrapped(found["inner"].strip().removesuffix(";"))
    return content


_COMMENTS = re.compile(
    r"(?:^[ \t]*(?:--|//)[ \t][^\n]*\n){1,9}(?=[ \t]*(?:(?:LTL|PSL)SPEC|assert|ltl|property)\b)",
    re.MULTILINE,
)


def uncommented(text: str) -> str:
    """Return a text without the comments above a model checker's specification that do not doubt it."""
    return _COMMENTS.sub(lambda block: "" if stands(f"{block[0].strip()}.") else block[0], text)
