"""The formula that a reply without a mark states last: in code, in bold, as maths, on a line, in a sentence.

A reply may speak of many formulas: parts, other forms, refused ones. One counts if its own sentence or the line above
states it ("so …", "the formula is …", "…:"), if nothing there doubts it or makes it one of several, a part or a
condition, and if what stands behind it does not take it back, state another one or break off.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from harness_answers.claims import Answer

from harness_vltl.answers.conclusions import OPEN, PARTED, TURN, stands
from harness_vltl.engines.equivalence import refuted
from harness_vltl.engines.evaluator import freeze
from harness_vltl.formulas.formula import Formula, propositions, walk
from harness_vltl.formulas.tokens import SIGNS
from harness_vltl.formulas.typography import fold

_END = 6_000  # characters of a reply that are looked at
_MOST = 40  # formulas
_LONGEST = 600  # characters of a formula
_NEAR = 400  # characters before and behind a formula that are taken for its sentence

_QUOTED = re.compile(r'"[^"\n]*"')
_LABEL = 7  # words of the line above that tell what stands below it
_LEADS = re.compile(
    r"(?:[:=→⇒∴—–,|-]|\b(?:is|are|be|as|by|to|into|reads?|gives?|yields?|becomes?|get|obtain|have|with|write|use|choose"
    r"|submit|propose|simply|just|final|so|hence|thus|therefore|namely|formula|translation|means|symbols|ltl|on"
    r"|ist|lautet|daher|also|somit|heißt|bedeutet|nämlich|d\.h|i\.?e|ergibt(?: das| sich)?"
    r"|est|donc|donne|on obtient|c'est-à-dire|es|es decir|queda|resulta|por (?:lo )?tanto|è|cioè|quindi|diventa"
    r"|é|ou seja|fica|dus|wordt)|[为為是])[\s\W]*\Z",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"\b(?:f[oó]rmula|formel|formule|answer|requirement|formali[sz]\w+|ltl)\b|公式", re.IGNORECASE
)
_SO = re.compile(
    r"\b(?:so|hence|thus|therefore|finally|overall|altogether|settle on)\b", re.IGNORECASE
)
# What says in other words what stands before it: "is either here or there, i.e. F".
_AGAIN = re.compile(
    r"\b(?:i\.?e|d\.h|that is|namely|c'est-à-dire|es decir|cioè|ou seja)\W*\Z", re.IGNORECASE
)
_MEANT = re.compile(
    r"\b(?:either|neither|nor|or|if|unless|never)\b|(?:\bnot|n't)\b(?! (?:say|mean|express|ask))",
    re.I,
)
_CALLED = re.compile(
    r"\W{0,4}(?:(?:that|this)(?:'s| is) my (?:formula|translation|answer)|is (?:the|my) (?:\w+ ){0,3}(?:formula"
    r"|translation|answer)|(?:says|expresses|captures|formali[sz]es|states|does) (?:exactly |precisely |just )?"
    r"(?:this|that|it|the (?:requirement|sentence)))\b",
    re.IGNORECASE,
)
# What makes a formula a part, one of several, or no answer.
_PART = re.compile(
    r"\b(?:another|other(?! words)|second|first|tr(?:y|ied)|naive\w*|wrong|incorrect|not|never|neither|nor|unlike"
    r"|instead|compared?|cannot|parts?|side|half|premise|antecedent|consequent|left|inner|outer|subformula|suppose|assum\w+"
    r"|started|thought|student|weaker|stronger|versions?|tempting|plausible|mistak\w+|misread\w*|step \d+"
    r"|falsch|mismo|is forbidden|(?:violation|bad \w+|forbidden \w+) is)\b|n't\b"
    r"|^\W*(?:[a-hA-H]|[ivx]+|\d{1,2})[.)]|\b[A-C]\W*:",
    re.IGNORECASE,
)
_GLOSS = re.compile(r"\b(?:equivalent\w*|same|also|equally|amounts to)\b", re.IGNORECASE)
_REFUSED = re.compile(
    r"\b(?:too (?:weak|strong)|would|wrong|incorrect|not|instead|rather|unlike|fails?|weaker|stronger|different)\b"
    r"|n't\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Found:
    """A formula in a text: its value (None: it cannot be read), and where it stands."""

    value: Formula | None
    start: int
    end: int


def closing_formula(
    text: str,
    known: Sequence[str],
    read: Callable[[str], Answer[Formula] | None],
    *,
    finite: bool = False,
) -> Answer[Formula] | None:
    """Return the formula that a plain text states last, None if it states none or leaves it open.

    ``read`` returns the formula that a text is, None of another one.
    """
    text = fold(f"\n{text.rstrip()[-_END:]}")
    found = list(_formulas(text, known, read))
    stated: _Found | None = None
    contested = False
    for formula in found:
        before, behind = _around(text, formula)
        if formula.value is None:
            contested |= formula.end == len(text) or bool(_NAMED.search(before))
        elif stated and _adds_nothing(formula.value, stated.value, finite=finite):
            repeats = formula.value == stated.value and TURN.search(before)
            if repeats and _states(before, behind, formula.value, known):  # "so the last one: …"
                stated, contested = formula, False
        elif _CALLED.match(text, formula.end) or _states(before, behind, formula.value, known):
            whole = stated is None or stated.value in walk(formula.value)
            stated, contested = formula, not whole and not TURN.search(before)
        else:
            contested |= not _REFUSED.search(f"{before} {behind}") and not _GLOSS.search(before)
    if stated is None or contested or not stands(_behind(text, stated, found)):
        return None
    return Answer(stated.value, text[stated.start : stated.end].strip()[:200])


def _adds_nothing(value: Formula, stated: Formula, *, finite: bool) -> bool:
    """Tell whether a formula is a part of the one stated, or means the same."""
    return value in walk(stated) or alike(value, stated, finite=finite)


def _formulas(
    text: str, known: Sequence[str], read: Callable[[str], Answer[Formula] | None]
) -> Iterator[_Found]:
    """Yield the last of the longest runs of names, operators and brackets that hold a name and an operator."""
    name, run = _patterns(tuple(known))
    pieces = [_trimmed(text, match.start(), match.end()) for match in run.finditer(text)]
    formulas = [
        (start, end) for start, end in pieces
        if name.search(text, start, end) and not name.fullmatch(text, start, end)
    ]  # fmt: skip
    for start, end in formulas[-_MOST:]:
        answer = read(text[start:end]) if end - start <= _LONGEST else None
        yield _Found(answer.value if answer else None, start, end)


@lru_cache(maxsize=256)
def _patterns(known: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the pattern of a name, and the one of a run of names, operators and brackets."""
    names = [
        re.escape(name).replace(",", ",[ ]?").replace("_", r"\\?_")
        for name in sorted(known, key=len, reverse=True)
    ]
    if any("(" in name for name in known):
        names.append(r"[a-z]\w{2,40}\(\w{1,40}(?:,[ ]?\w{1,40}){0,5}\)")
    names.append(r"(?i:p(?:rop(?:osition)?)?(?:\\?_|[ -])?\{?\d{1,2}\}?)")
    name = rf"(?<![^\W_])(?:{'|'.join(names)})(?!\w)"
    signs = "|".join(re.escape(sign) for sign in sorted(SIGNS, key=len, reverse=True))
    piece = (
        rf"{name}|\b[GFXURWMN]{{1,4}}(?![\w'])|{signs}|\\[A-Za-z]++|\\[,;: ]|[ \t]|[(){{}}\[\]$]"
    )
    return re.compile(name), re.compile(rf"(?:{piece})+")


_EDGES = re.compile(r"(?:[\s$|,]|->|=>|[→⇒⟹⟶≡])*")
_PARTNER = {")": "(", "]": "[", "}": "{"}


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where a run begins and ends without brackets that have no partner, arrows before it and blanks."""
    opened: list[int] = []
    for place in range(start, end):
        if text[place] in _PARTNER.values():
            opened.append(place)
        elif text[place] in _PARTNER and not opened:
            end = place
            break
        elif text[place] in _PARTNER:
            opened.pop()
    if len(opened) == 1 and opened[0] > start and end < len(text):  # "F p (which says …"
        end = opened.pop()
    while True:
        edge = _EDGES.match(text, start, end)
        start = edge.end() if edge else start
        if not opened or opened[0] != start:
            break
        start = opened.pop(0) + 1
    return start, max(start, len(text[:end].rstrip(" \t$|!")))


def _around(text: str, formula: _Found) -> tuple[str, str]:
    """Return a formula's sentence before and behind it; for one that has a line alone also the end of that above.

    What concludes begins a sentence anew.
    """
    before = PARTED.split(text[max(0, formula.start - _NEAR) : formula.start])[-1]
    behind = PARTED.split(text[formula.end :][:_NEAR], maxsplit=1)[0]
    if not re.search(r"\w", before):
        above = text[: formula.start].rstrip(" \t\n$*-•>`").rpartition("\n")[2]
        if above[-1:] not in ".!?" and not re.search(r"(?:[→⇒⟶]|[-=]>)\s*[^\s:]", above):
            lead = re.split(r"(?<=[a-z\"'.)])[.!?]\"? (?=[A-Z][^:]*:\Z)", above)[-1]
            before = f"{' '.join(lead.split()[-_LABEL:])} {before}"
    before = _MEANT.sub(" ", before) if _AGAIN.search(before) else before
    so = [*_SO.finditer(before)][-1:]
    return _QUOTED.sub(" it ", before[so[0].start() :] if so else before), behind


def _states(before: str, behind: str, value: Formula, known: Sequence[str]) -> bool:
    """Tell whether a sentence states the formula in it."""
    if re.match(r"\W{0,3}(?:and|or|implies|until|if|unless)\b", behind) or _REFUSED.search(behind):
        return False
    if OPEN.search(before) or _PART.search(before) or "?" in behind[:3]:
        return False
    if not {*known} <= {*propositions(value)} and not _NAMED.search(before):
        return False
    return not re.search(r"\w", before) or bool(_LEADS.search(before))


def alike(one: Formula, other: Formula, *, finite: bool) -> bool:
    """Tell whether two formulas are the same, or no trace of some hundreds tells them apart (infinite ones only)."""
    return one == other or (not finite and refuted(freeze(one), freeze(other)) is None)


def _behind(text: str, stated: _Found, found: Sequence[_Found]) -> str:
    """Return what stands behind a formula, without other formulas, and what is said of them in their sentences."""
    rest, position = "", stated.end
    for other in found:
        if other.start >= position:
            said = PARTED.split(text[other.end :][:_NEAR], maxsplit=1)[0]
            refused = other.value is not None and _REFUSED.search(said)
            rest += text[position : other.start]
            begin = len(rest) - len(PARTED.split(rest[-_NEAR:])[-1]) if refused else len(rest)
            rest = f"{rest[:begin]} it{'.' if refused else ' '}"
            position = other.end + (len(said) if refused else 0)
    return rest + text[position:]
