r"""Read the answers of the five tasks out of what a model wrote; a guess is worth nothing.

`harness_answers.text` makes the reply plain and finds the **last marked answer** ("Answer: …", a box, an
answer tag, a JSON key "answer"), which is final: what cannot be read behind it is no answer,
whatever stands before. A second mark on the line directly above has to agree. Without such a mark
a single line "Formula: …" (or what the task's answer is called) counts, then what the reply states last,
on a line of its own or in a sentence. Hedges, refusals and answers that are taken back are None.

What a formula is, `harness_vltl.formulas.syntax` decides; how the others are read, their functions say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial

from harness_answers.claims import (
    HEDGED,
    MAX_CONTENT,
    RETRACTED,
    Answer,
    agreed,
    cut,
    entry,
    marked_in,
    unwrapped,
)
from harness_answers.revocation import is_revoked
from harness_answers.text import Marked, plain

from harness_vltl.answers.closing import alike, closing_formula
from harness_vltl.answers.conclusions import TAKEN_BACK, with_lines
from harness_vltl.answers.grounding import canonical, grounding
from harness_vltl.answers.lifting import lifted
from harness_vltl.answers.remarks import (
    cuts,
    defined,
    expanded,
    harmless,
    states_sameness,
    uncommented,
    unwrapped_specification,
)
from harness_vltl.formulas.english import rephrased
from harness_vltl.formulas.formula import Formula, FormulaError, propositions, substitute
from harness_vltl.formulas.syntax import parse

__all__ = ["Answer", "Failure", "canonical", "formula", "grounding", "lifted"]


@dataclass(frozen=True, slots=True)
class Failure:
    """A marked answer that is no formula; ``reason`` says in one line where and why."""

    reason: str
    quote: str


# --------------------------------------------------------------------------------- formulas

_FORMULA = (
    r"(?:lifted |grounded )?(?:ltl[ -]?)?(?:formula|translation|specification|pattern)|(?:in )?ltl"
)
_NAMED = re.compile(
    rf"(?:the )?(?:final )?(?:(?:{_FORMULA}|φ|\\(?:var)?phi)(?:[ \t]*(?:is[ \t]*)?(?::=|[:=≡])|[ \t]+is[ \t])"
    rf"|in ltl,|(?:{_FORMULA})[ \t](?![ \t]*(?:not|is|never)\b))",
    re.IGNORECASE,
)
_ANGLED = re.compile(
    r"<(formula|ltl|ltl_formula|translation)(?:[ \t](?:lang|type|syntax|version|format|id)=[\"'][\w.-]*[\"'])*>"
    r"(?P<tagged>.*)</\1>|<(?![>=|\s-])(?P<angled>.*)>",
    re.DOTALL | re.IGNORECASE,
)
# Where prose begins behind a formula.
_REMARK = re.compile(
    r"[.;]?[ \t]{1,9}[—–][ \t]|[.;][ \t]{1,9}(?=(?-i:[A-Z]))|[ \t]{0,9}[,;(.]?[ \t]{0,9}\n|[ \t]{1,9}(?:#|//)"
    r"|[ \t]{0,9}[,;(.]?[ \t]{0,9}\(?\b(?:where|which|meaning|because|since|that is|in words)\b",
    re.IGNORECASE,
)
_FORMAL = re.compile(
    r"->|[→⇒⟹∧∨¬↔□◇&|]|\\(?:to|land|lor|neg|rightarrow|implies|math[a-z]{2,5}|operatorname)\b|(?<!\w)[GFX][ \t]?\("
    r"|\b(?:globally|finally|implies|double_implies)\b",
    re.IGNORECASE,
)
_OR = re.compile(r"\W*(?:or|but|unless|however|and)\b", re.IGNORECASE)
_NO_DOUBT = re.compile(
    r"(?<=\()none of the (?!formula|translation|operator|option|answer|above|alternative|candidate"
    r"|ltl|given|choice|spec)|\bcannot (?=happen\b|occur\b|hold\b|become\b)",
    re.IGNORECASE,
)


_KEYS = ("formula", "ltl", "ltl_formula", "translation")


class _Known(list[str]):
    """The names of the propositions that may occur; ``finite``: in a formula of finite traces."""

    finite = False


def formula(
    completion: str, prompt: str, known: Iterable[str], *, finite: bool = False
) -> Answer[Formula] | Failure | None:
    """Return the formula that a completion answers, why it cannot be read, or None if there is no answer."""
    names = _Known(known)
    names.finite = finite
    text = with_lines(uncommented(plain(completion, prompt)))
    marked = marked_in(text, _FORMULA)
    answer = _marked(marked, completion, names) if marked else None
    if isinstance(answer, Answer) or (marked and marked.start >= 0):
        return answer
    read = partial(_formula_line, known=names)
    return closing_formula(text, names, read, finite=finite) or answer


def _marked(marked: Marked, completion: str, names: _Known) -> Answer[Formula] | Failure | None:
    if " or " in marked.content and _QUOTED_CHOICE.search(completion):
        return Failure(_TWO, cut(marked.content))
    if marked.verb and marked.content.lower().startswith(("not ", "never ")):
        return None
    if marked.content.count("(") > marked.content.count(")"):  # it goes on on the next lines
        more = marked.rest.partition("\n\n")[0]
        marked = replace(marked, content=f"{marked.content} {more}"[: MAX_CONTENT + 1])
    if marked.start < 0 and not any(name in marked.content for name in names):
        # Prose, or a formula over other propositions: without a mark its operators tell.
        whole = _parsed(marked.content, names) if _FORMAL.search(marked.content) else None
        return whole if isinstance(whole, Answer) else None
    if re.match(r"\s{0,9}\W{0,3}where\b", marked.rest, re.IGNORECASE):
        paragraph = marked.rest.strip().partition("\n\n")[0]
        marked = replace(marked, content=f"{marked.content}\n{paragraph}"[: MAX_CONTENT + 1])
    return agreed(marked, partial(_formula, known=names))


def _formula_line(line: str, known: _Known) -> Answer[Formula] | None:
    """Return the formula that a whole line is; None of other lines and of a proposition by itself."""
    line = entry(line, _KEYS) if line[:1] == "{" else line
    answer = _parsed(line, known)
    if not isinstance(answer, Answer) or isinstance(answer.value, str) or _is_choice(line, known):
        return None
    called = any("(" in name for name in known)  # another action is one too, a word may be prose
    named = {name for name in propositions(answer.value) if not (called and "(" in name)}
    return answer if named <= {*known} else None


def _formula(content: str, known: _Known) -> Answer[Formula] | Failure | None:
    content = entry(content, _KEYS).strip()
    if let := _LET.fullmatch(content):
        definitions = re.sub(r",?[ \t]+and[ \t]+(?=\w+[ \t]*=)", ", ", let["definitions"])
        content = f"{let['formula']}\nwhere {definitions}"
    if not content or HEDGED.search(_NO_DOUBT.sub("", content[:MAX_CONTENT])):
        return None
    value = expanded(content, known, lambda part: getattr(_parsed(part, known), "value", None))
    if value is not None:
        return Answer(value, cut(content))
    whole = _parsed(content, known)
    if isinstance(whole, Answer) or len(content) > MAX_CONTENT:
        if isinstance(whole, Answer) and _is_choice(content, known):
            return Failure(_TWO, cut(content))
        return whole
    remark = _REMARK.search(content)
    first = _before(remark, known) if remark else None
    if remark is None or first is None:
        line, _, below = content.partition("\n")
        first, rest = _explained(line, known), f"\n{below}"
    else:
        rest = content[remark.start() :]
    if first is None:
        return None if HEDGED.search(content) else whole
    lines = [line.lstrip(" \t.;,(#/—–") for line in rest.splitlines()[:20]]
    if any(map(RETRACTED.match, lines[1:])) or any(map(_OR.match, lines[1:2])):
        return None
    below_it = [_parsed(line, known) for line in lines if line]
    others = [other.value for other in below_it if isinstance(other, Answer)]
    if any(other != first.value for other in others):
        return None
    return replace(first, value=defined(first.value, rest, known))


def _before(remark: re.Match[str], known: _Known) -> Answer[Formula] | None:
    """Return the formula that stands before a remark; None if there is none or the remark takes it back."""
    rest = remark.string[remark.start() :]
    if _OR.match(rest) or TAKEN_BACK.search(rest.partition("\n")[0]) or is_revoked(rest):
        return None
    answer = _parsed(remark.string[: remark.start()], known)
    return answer if isinstance(answer, Answer) else None


def _explained(line: str, known: _Known) -> Answer[Formula] | None:
    """Return the longest formula that a line begins with, if the rest of the line is a harmless remark."""

    def readable(text: str) -> bool:
        return isinstance(_parsed(text, known), Answer)

    for before, rest in cuts(line):
        answer = _parsed(before, known)
        if isinstance(answer, Answer) and {*propositions(answer.value)} <= {*known}:
            gloss = _GLOSS.fullmatch(rest)
            same = _parsed(gloss["said"], known) if gloss else None
            if isinstance(same, Answer) and alike(same.value, answer.value, finite=known.finite):
                return answer
            return answer if harmless(rest, answer.value, known, readable) else None
    return None


# the formula again, in words or in another form
_GLOSS = re.compile(
    r"\s*\((?:(?:or |which is )?(?:equivalent(?:ly| to)?|the same as|i\.e\.|that is|=|≡)[,:]?\s)?"
    r"(?P<said>[^\n]{1,700})\)\s*[.]?",
    re.IGNORECASE,
)


def _parsed(content: str, known: _Known) -> Answer[Formula] | Failure:
    content = _bare(content)
    if states_sameness(content, known):
        return Failure("two formulas that are said to be the same are no formula", cut(content))
    if "prop" not in known:
        content = re.sub(r"\bprop(?:osition)? (?=\d{1,2}\b)", "prop_", content, flags=re.IGNORECASE)
    try:
        value = parse(content, known, finite=known.finite)
    except FormulaError as error:
        again = rephrased(content, known) if len(content) <= MAX_CONTENT else content
        try:
            if again == content:
                raise error
            value = parse(again, known, finite=known.finite)
        except FormulaError:
            return Failure(str(error), cut(content))
    value = _renamed(value, known)
    called = isinstance(value, str) and "(" in value and any("(" in name for name in known)
    if isinstance(value, str) and value not in known and not called:  # a word, as good as any other
        return Failure(
            f"{value[:60]!r} alone is no formula over the given propositions", cut(content)
        )
    return Answer(value, cut(content))


def _bare(content: str) -> str:
    """Return an answer without its label ("LTL formula:") and the quotes, tags and dollar signs around it."""
    content = unwrapped(_BULLET.sub("", _FINISH.sub("", content)))
    for _ in range(2):
        angled = _ANGLED.fullmatch(content)
        if angled:
            content = unwrapped(angled["tagged"] or angled["angled"] or "")
        content = unwrapped_specification(content)
        named = _NAMED.match(content)
        if named:
            content = unwrapped(content[named.end() :])
    italic = _ITALIC.fullmatch(content)
    return italic[1] if italic else content


_BULLET = re.compile(r"\A\s*[*•–-][ \t]+(?=[^\n]*\Z)")
_FINISH = re.compile(r"(?<!\s)\s+FINISH\W*$")  # the end that a published framework asks for
# Definitions first: "Let p = …; G p".
_LET = re.compile(
    r"let[ \t]+(?P<definitions>[^;\n]{1,700}?)[;.][ \t\n]+(?P<formula>.+)", re.I | re.DOTALL
)
_ITALIC = re.compile(r"_(?=[^\s_])(.*[^\s_])_", re.DOTALL)
_TWO = "two formulas joined by 'or' are two answers"
_CHOICE = re.compile(r"[(\[{]|(?P<close>[)\]}])|(?P<choice>(?<!\S)or(?!\S))")
_QUOTED_CHOICE = re.compile(r"`[ \t]or[ \t]`")
_IN_WORDS = re.compile(
    r"\b(?:and|not|implies|until|globally|finally|next|always|eventually)\b", re.I
)
_SIGNS = re.compile(r"->|→|&|∧|\||∨|\\(?:land|lor|wedge|vee|rightarrow|to)\b|<>|\[\]|□|◇")


def _is_choice(content: str, known: _Known) -> bool:
    """Tell whether two formulas written with signs alone are joined by the word "or": two answers, not one."""
    if _IN_WORDS.search(content):
        return False
    depth = 0
    for mark in _CHOICE.finditer(content):
        if not mark["choice"]:
            depth += -1 if mark["close"] else 1
        elif not depth and _SIGNS.search(content):
            sides = content[: mark.start()], content[mark.end() :]
            values = [getattr(_parsed(side, known), "value", None) for side in sides]
            if all(isinstance(value, list) for value in values):
                return True
    return False


def _renamed(value: Formula, known: _Known) -> Formula:
    """Return the formula with prop1, p1 and P_1 written as prop_1, where nothing else can be meant."""
    taken = {name.casefold() for name in known}
    by: dict[str, Formula] = {}
    for name in propositions(value):
        number = re.fullmatch(r"p(?:rop(?:osition)?)?[_-]?(\d{1,2})", name, re.IGNORECASE)
        new = f"prop_{number[1]}" if number else name
        if name not in known and new in known and taken.isdisjoint({name.casefold()} - {new}):
            by[name] = new
    return substitute(value, by)
