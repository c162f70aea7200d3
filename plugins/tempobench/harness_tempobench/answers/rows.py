"""The lines of a reply, and the tables in it as rows of named cells: where answers stand that are no JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import zip_longest

from harness_answers.claims import RETRACTED
from harness_answers.languages import TRUTH, meaning
from harness_answers.revocation import LEFT_OPEN, cleared, is_revoked, turns

from harness_tempobench.answers.sentence_markup import known_name

STEP = (
    r"(?<![^\W\d_])(?:(?:time[ -]?)?steps?|time|cycle|tick|(?:zeit)?schritt(?:en?|s)?|zeitpunkt\w*|pasos?|[ée]tapes?"
    r"|instant\w*|pass[oi]|etapas?|stap(?:pen)?|krok\w*|шаг\w*|步骤?|ステップ|단계)"
)
"""The word "step" in some languages, as a pattern."""

_MAX_LINES = 400  # at the end
_MARK = 30  # characters at the start of an answer that may say that it concludes
# What parts the cells of a row.
_BARS = [re.compile(sign) for sign in (r"(?<!\\)\|", r"\t+| {2,}", ";", r",(?! )", ",")]
_RULE = re.compile(r"[\s|:-]*-[\s|:-]*")
_STEP_HEAD = re.compile(rf"{STEP}|t|#|index|[kin]|", re.IGNORECASE)
# The head of a table whose first column is the step.
_HEAD = re.compile(rf"\|?[ \t]*(?:{STEP}|t|#)[ \t]*(?:[|;,]|\t|[ ]{{2}})", re.IGNORECASE)
_BULLET = re.compile(r"[ \t]*(?:[-*•+▪◦>]|#{1,6}|\(?[0-9]{1,2}[.)]|\(?[a-z]\))[ \t]+")
# The number of a list's entry that does not name its step itself.
_COUNTED = re.compile(rf"[ \t]*\(?([0-9]{{1,3}})[.)][ \t]+(?!\W*{STEP}\W*[0-9])", re.IGNORECASE)
_NUMBER = re.compile(rf"\W*(?:{STEP}[ _]?|t[ _=]{{0,3}})?([0-9]{{1,3}})\W*", re.IGNORECASE)
TRUTHS = {**meaning(TRUTH), "true": True, "1": True, "false": False, "0": False, "✓": True}
# A name that is a common word is none where the next word does not go on with what is stated.
_WORD = re.compile("a|as|at|by|do|e|end|go|i|in|is|it|no|o|of|on|one|or|out|so|the|to|u|up|y", re.I)
_SIGNS = re.compile("[!~¬]|neg|not", re.IGNORECASE)
_GOES_ON = r"(?!\s(?!(?:and|und|et|y|or|oder|is|was|were|being|must|at|@|together|alone"
_GOES_ON += r"|holds?|high|low|true|false)\b)\w)"
# What stands above an answer that is none, or one of several.
_OPEN = re.compile(
    rf"\b(?:{LEFT_OPEN}|wrong|probably|presumably|could|might|may|tentative\w*|suppose|assum\w+|hypothes[ie]s|initially"
    r"|first (?:try|attempt|draft|idea)|drafts?|attempts?|candidates?|options?|alternativ\w+|examples?|templates?"
    r"|so far|partial|incomplete)\b",
    re.IGNORECASE,
)
# Words that leave open the answer below them, unless it begins with "Hence …": then they stand in its derivation.
_DENIED = re.compile(
    r"\b(?:not|never|if|either|whether|depend(?:s|ing)|would|instead|some|among|at least"
    r"|(?<!only )(?<!exactly )one of|(?<![,/] )next(?! state)|to (?:find|determine|get|check|see|be \w+ed)"
    r"|(?:let me|i will)(?! (?:just |now )?(?:step|go|walk|run|trace|simulate|list|write)\b))\b|n't\b|\?",
    re.IGNORECASE,
)
NEEDLESS = (
    r"\b(?:(?:not|never|nicht|pas|non|un)[ -]?(?:\w+ly )?(?:necessary|needed|required|relevant|matter|constrained"
    r"|notwendig\w*|nötig\w*|erforderlich\w*|nécessaires?|necessari[aeo]?)|no (?:son |es )?necesari[ao]s?"
    r"|(?:no|without)(?: any)? (?:effect|influence|impact)|leaves? (?:\S+ ){1,3}(?:false|true|unchanged)"
    r"|irrelevant|superfluous|redundant|überflüssig\w*|innecesari[ao]s?|inutiles?)\b"
)
"""What says of literals that they are not necessary, as a pattern."""

# A heading of what is no answer: "Not necessary are:".
_OTHERS = re.compile(rf"[^\n]*{NEEDLESS}[^\n]*:\s*\n", re.IGNORECASE)
_UNSURE = re.compile(
    r"\b(?:can|could|did|have|has|do|does|not yet)(?: ?not|n't)? (?:been |be |fully |yet )?"
    r"(?:confirm|verif|check|prove)|\b(?:unverified|unconfirmed|unsure|ungeprüft|guess(?:ed|ing|es)?|maybe|perhaps"
    r"|presumably|probably|to be (?:checked|verified)"
    r"|not (?:yet )?(?:verified|checked|confirmed|sure|certain)|there (?:may|might|could) be"
    r"|(?:still|remains?) open|nicht (?:ganz )?sicher|no estoy segur[oa]|pas (?:sûre?|certaine?))\b",
    re.IGNORECASE,
)
_CONCLUDES = re.compile(
    r"\b(?:answers?|results?|final|conclusion|corrected|correction|revised|therefore|so|thus|hence|overall)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a reply, from ``start`` to ``end`` of it, without a bullet.

    ``cells``: of a row of a table, by head; ``step``: the head of the steps.
    """

    start: int
    end: int
    text: str
    cells: dict[str, str] | None = None
    step: str = ""


@dataclass(slots=True)
class Found:
    """An answer in the rows of a reply, as the object that states the same; None where they are incomplete."""

    start: int
    end: int
    value: dict[str, object] | None = None


def lines(text: str) -> Iterator[Line]:
    """Yield the lines that are not blank, a table's with its head, those of a list from 0 on as "0: …"."""
    table: list[Line] = []
    start, steps = 0, False
    raws = text.split("\n")
    for place, raw in enumerate(raws):
        line, start = Line(start, start + len(raw), raw.strip()), start + len(raw) + 1
        if len(raws) - place > _MAX_LINES:
            continue
        barred = not table or "|" in table[0].text
        goes_on = "|" in line.text if barred else re.match(r"[0-9-]", line.text)
        if line.text.count("|") > 1 or _HEAD.match(line.text) or (table and goes_on):
            table.append(line)
            continue
        yield from _rows(table)
        table = []
        counted = _COUNTED.match(raw)
        steps = steps or (counted is not None and counted[1] == "0")
        if counted and steps:
            text = f"{counted[1]}:{raw[counted.end(1) + 1 :].rstrip()}"
            yield replace(line, start=line.start + counted.start(1), text=text)
        elif line.text:
            bullet = _BULLET.match(raw)
            yield replace(line, text=raw[bullet.end() :].strip()) if bullet else line
    yield from _rows(table)


def _rows(table: list[Line]) -> Iterator[Line]:
    """Yield the rows of a table, or its lines as they are where its head names no steps."""
    texts = [line.text for line in table if not _RULE.fullmatch(line.text)]
    bar = next((sign for sign in _BARS if texts and sign.search(texts[0])), _BARS[0])
    rows = [_cells(text, bar) for text in texts]
    numbered = all(len(row) == len(rows[0]) and _NUMBER.fullmatch(row[0]) for row in rows[1:])
    is_table = len(texts) < len(table) or (texts and numbered and _HEAD.match(texts[0]))
    if len(rows) < 2 or not is_table:
        yield from table
        return
    head, *body = rows
    if len(head) > 2 and all(map(_NUMBER.fullmatch, head[1:])):  # a column for each step
        body = [list(column) for column in zip(*[head, *body], strict=False)][1:]
        head = ["step", *(row[0] for row in rows[1:])]
    step = next((key for key in head if _STEP_HEAD.fullmatch(key)), None)
    if step is None:
        yield from table
        return
    for place, row in enumerate(body):
        start = table[0].start if place == 0 else table[-1].start
        yield Line(
            start,
            table[-1].end,
            " | ".join(row),
            dict(zip_longest(head, row[: len(head)], fillvalue="")),
            step,
        )


def _cells(line: str, bar: re.Pattern[str]) -> list[str]:
    return [cell.replace("\\|", "|").strip(' \t*`"') for cell in bar.split(line.strip("|"))]


def number(label: str) -> int | None:
    """Return the step that a label names alone: ``0``, "Step 0"."""
    named = _NUMBER.fullmatch(label)
    return int(named[1]) if named else None


def standing(text: str, found: Sequence[Found]) -> Found | None:
    """Return the last complete answer, if nothing around it leaves it open or takes it back.

    Of answers that differ the last one has to be said to conclude.
    """
    complete = [each for each in found if each.value is not None]
    if not complete:
        return None
    last = complete[-1]
    lead, behind = lead_of(text, last.start), text[last.end :]
    concludes = _CONCLUDES.search(f"{lead} {text[last.start : last.start + _MARK]}")
    if any(each.value != last.value for each in complete) and not concludes:
        return None
    behind, _ = cleared(behind)
    doubts = (
        _UNSURE.search(behind)
        or RETRACTED.match(behind)
        or is_revoked(behind)
        or next(turns(behind, 0), None)
    )
    derived = re.match(r"[\s*]*(?:so|thus|hence|therefore)\b", text[last.start :], re.IGNORECASE)
    unclear = _OPEN.search(lead) or _UNSURE.search(lead) if derived else is_open(lead)
    others = _OTHERS.match(text, last.start) or _OTHERS.match(f"{lead}\n")
    return None if doubts or unclear or others else last


def is_open(lead: str) -> bool:
    """Tell if what leads to an answer says that it is none, or one of several."""
    return (_OPEN.search(lead) or _DENIED.search(lead)) is not None


def lead_of(text: str, start: int) -> str:
    """Return the sentence right above a place."""
    above = text[max(0, start - 300) : start].rstrip().rpartition("\n")[2]
    return re.split(r"[.!?][\s*]+(?=\S)", above)[-1]


@lru_cache(maxsize=64)
def literal_pattern(names: frozenset[str]) -> str:
    """Return the pattern of a literal: a name with a sign before it, or its value behind it; see `signed`."""
    either = "|".join(
        re.escape(name) + (_GOES_ON if _WORD.fullmatch(name) else "")
        for name in sorted(names, key=lambda name: (-len(name), name))
    )
    values = "|".join(map(re.escape, sorted(TRUTHS, key=len, reverse=True)))
    return (
        rf"(?P<sign>(?:[!~¬]\s?|\\(?:lnot|neg)\s*|(?<!\w)not\s){{1,3}})?(?<!\w)(?P<name>{either or '(?!)'})(?!\w)"
        r"(?:(?:\s?={1,2}\s?|\s(?:is|are|being|be|(?:must|has to|have to|needs to|should) (?:be|stay|remain)"
        r"|was|ist|sind|es|son|est"
        r"|sont|è|é)\s|:\s(?=[tf])|\s(?=true\b|false\b))"
        rf"(?P<truth>{values})(?!\w))?"
    )


def signed(literal: re.Match[str], names: frozenset[str]) -> tuple[str, bool] | None:
    """Return the name and the value of what fits `literal_pattern`; None where it is negated twice, or may be."""
    if len(_SIGNS.findall(literal["sign"] or "")) + bool(literal["truth"]) > 1:
        return None
    value = TRUTHS[literal["truth"].lower()] if literal["truth"] else not literal["sign"]
    return known_name(literal["name"], names), value
