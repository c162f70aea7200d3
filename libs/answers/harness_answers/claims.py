"""The claim of a reply that counts, whatever its type: the last final one that nothing takes back.

A claim is final where it is marked ("Answer: …", a box, an answer tag, a JSON key "answer"), where a reply is
nothing else, or, for types that ask for it, where it alone fills a line (`alone`). What cannot be read behind the
last mark is no answer, whatever stands before. A second mark on the line directly above has to agree. Hedges,
refusals and claims that are taken back are none; one that is revised at once ("Correction: …") is what it is revised
to. `read` does all of that for a type, which is a function that reads it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from harness_answers.json_reader import loads
from harness_answers.languages import RESULT_NAMES
from harness_answers.object_answers import plain_key
from harness_answers.revocation import DENIED, LEFT_OPEN, RECONSIDERED, cleared, is_revoked, revised
from harness_answers.text import Marked, last_marked, plain

_MAX_QUOTE = 200
MAX_CONTENT = 20_000

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """What a model answered, and the text it was read from."""

    value: T
    quote: str


RETRACTED = re.compile(
    rf"\s*+[^\w\n]{{0,9}}(?:(?:{RECONSIDERED}|correction|actually|edit|update|erratum|sorry"
    r"|no[,.!:;…—–-]{0,3}[ \t]{1,3}(?:wait|sorry|actually|hold on|let me|that(?:'s| is) (?:wrong|not)))\b"
    rf"|(?:[^\n]{{0,99}} )?{DENIED}\b)",
    re.IGNORECASE,
)
HEDGED = re.compile(
    rf"\b(?:either|{LEFT_OPEN}|cannot|can(?: not|'t)|could(?: not|n't)"
    r"|unable|undetermined|indeterminate|undecided|unknown|n/a|(?:not |im)possible|sorry|alternatively|none|nothing"
    r"|depend(?:s|ing)|no (?:formula|answer)|not (?:determinable|determined|enough|expressible|known|applicable)"
    r"|i (?:do not|don't|won't))\b|\?|^\W*+(?:n/a|todo|tbd)\W*+$|^(?=\W*+$)\W*?\.\.\.",
    re.IGNORECASE,
)
DOUBTED = re.compile(rf"\b(?:either|neither|{LEFT_OPEN}|depends|not enough)\b|\?", re.IGNORECASE)
_OTHER = re.compile(
    r"\balternativ\w+|\b(?:another|second|other) (?:\w+ )?(?:formula|translation|reading|answer"
    r"|verdict|result|option|version"
    r"|possibility|interpretation|solution|candidate|sentence|mapping|grounding)s?\b|\bthe other (?:is|would|one)\b",
    re.IGNORECASE,
)
_LEAD_IN = re.compile(
    r"[^\n]{0,200}(?::|\bi\.e\.,?|\b(?:that is|namely|[Ww]e (?:obtain|get)),?)[ \t]*\n+"
)
_DISCARDED = re.compile(
    r"\b(?:drafts?|discarded|withdrawn|superseded|crossed out|retracted|first (?:try|attempt|guess)|old)\b",
    re.IGNORECASE,
)
LABEL = (
    r"(?<![\w,] )(?:(?:my |the )?first (?:guess|try|attempt|impression|thought|idea)|drafts?|goal|question|old"
    r"|to (?:show|prove|refute|be (?:shown|prove[dn]|decided))|conjecture|hypothesis|template|example|option"
    r"|candidate|someone|false|wrong|provisional\w*|tentative\w*)\b[^:.\n]{0,40}:"
)
"""The label of what is no answer, as a pattern: "Draft: the answer is X"."""

_REMOVED = re.compile(r"^-[^\n]{0,500}\n\s{0,9}\Z", re.MULTILINE)  # a line of a diff
_OWNED_LONGEST = 300
_OWNED = re.compile(
    r"\n\s{0,99}(?:as (?:the|my)|(?:that|this|the above)(?: \S{1,9})? is (?:also )?my) (?:final )?"
    r"(?:answer|translation|formula|sentence)[.!]?\s{0,99}\Z",
    re.IGNORECASE,
)
_STATED = re.compile(
    r"[-*• ]{0,4}(?:(?:so|thus|therefore),? )?(?:this|it|the (?:\w+ ){0,3}(?:sentence|statement|formula|translation))"
    r"(?: [a-z ]{1,60})?(?: (?:is|as|to|by|means)| an? (?:implication|conjunction|disjunction)):[ \t]+"
    r"|[^\n:.?!]{1,120}\b(?:gives|yields|becomes|produces|(?:we|i) (?:get|obtain))(?: us)?:[ \t]+",
    re.IGNORECASE,
)
# What stands above a last paragraph that is the answer.
_LEADS_TO = re.compile(
    r"(?:^|(?<=[.!?;] )|\b)(?:means|gives|yields|becomes|reads|translation|formula|(?:corrected|revised"
    r"|final) (?:version|sentence)"
    r"|(?:we|i) (?:obtain|get)|as follows):?\s{0,9}\Z|\A\W{0,9}(?:done|okay|ok|sure|of course|certainly"
    r"|here (?:it is|you go))\W{1,3}\Z",
    re.IGNORECASE,
)
_TOGETHER = re.compile(
    r"(?:^|\n)[ \t]*(?:(?:(?:so|thus|hence|therefore|overall|putting it together)[ \t]*)?(?:→|=>|⇒|∴)"
    r"|(?:so|thus|hence|therefore|overall|putting it together):)[ \t]*(?P<said>[^\n]+)\Z",
    re.I,
)
EXPLANATION = (
    r"(?:explanations?|reasoning|reasons?|why|because|working|justification|rationale|derivation"
    r"|verification|check|sources?|references?|how i got (?:there|this|it))"
)
"""The heading of an explanation, as a pattern."""

_EXPLAINED = re.compile(rf"\n[^\w\n]{{0,9}}{EXPLANATION}\W{{0,3}}:", re.IGNORECASE)
# In an explanation "if" and "not" take nothing back, as elsewhere they may (`_MAY_TAKE_BACK`).
_CHANGED = re.compile(
    r"\b(?:actually|wait|however|answers?|corrections?|instead|hmm+|sorry|alternatively|(?:un|not )sure)\b",
    re.IGNORECASE,
)
_BREAK = re.compile(r"\n[ \t]*\n")
_LEAD = 200
_DENIED = re.compile(
    rf"\b(?:not|no|never|cannot|wrong|incorrect|example|format|if|or|another|said|claim\w*|tempting|{LEFT_OPEN})\b|n't",
    re.IGNORECASE,
)


def read(
    completion: str,
    prompt: str,
    parse: Callable[[str], T | None],
    *,
    names: str = "",
    keys: Sequence[str] = (),
) -> Answer[T] | None:
    """Return what the last final claim of a completion says, None if there is none that can be read.

    Args:
        completion: any text whatever.
        prompt: what the model was asked, so that an echo of it is no claim.
        parse: returns what a text says, without markup around it; None if a word of it is not understood, so that
            "maybe 42" is none.
        names: a pattern of words that, as "result" and "verdict" do, mark an answer where none is marked as such.
        keys: other keys than "answer" of a JSON object that hold one.
    """

    def said(content: str) -> Answer[T] | None:
        inner = unwrapped(entry(content[:MAX_CONTENT], keys))
        value = parse(inner) if inner else None
        return None if value is None else Answer(value, cut(content))

    marked = marked_in(plain(completion, prompt), names)
    return agreed(marked, said) if marked else None


def marked_in(text: str, names: str = "") -> Marked | None:
    """Return the marked answer of a plain text; without a mark the whole text (``start`` -1), if it may be one."""
    whole = text.strip()
    owned = _OWNED.search(whole, len(whole) - _OWNED_LONGEST)  # "This is my final answer."
    whole = whole[: owned.start()] if owned else whole
    if whole[:1] == "{":
        parsed = loads(whole)
        if parsed and not parsed[1].strip():
            return Marked(whole, "")
    marked = last_marked(text)
    if marked is None:
        names = "|".join(filter(None, (names, RESULT_NAMES)))
        marked = last_marked(text, names)
        if marked and _is_one_of_two(marked, text, names):
            return None
    if marked is not None:
        # The one above it may be a draft, or the removed line of a diff.
        added = text[marked.start : marked.start + 1] == "+" and _REMOVED.search(
            text[: marked.start]
        )
        dropped = added or _DISCARDED.search(marked.above)
        if re.search(rf"{LABEL}\s*\Z", text[: marked.start].rpartition("\n")[2], re.IGNORECASE):
            return None
        return _standing(replace(marked, above="") if dropped else marked)
    if len(whole) > MAX_CONTENT:
        return None
    whole = _without_lead(_without_explanation(whole))
    return Marked(whole, "", -1) if whole and not re.search(r"\n\s*\n", whole) else None


def _is_one_of_two(marked: Marked, text: str, names: str) -> bool:
    """Tell whether a text that marks a result speaks of another one, or marks one that says something else."""
    if _OTHER.search(text):
        return True
    other = last_marked(text[: marked.start], names)
    if other is None or _DISCARDED.search(other.content):
        return False
    return " ".join(other.content.split()) != " ".join(marked.content.split())


def _standing(marked: Marked) -> Marked | None:
    """Return a marked answer, or what it is revised to; None if it is taken back."""
    if not marked.above:
        rest, still = cleared(marked.rest)
        marked = replace(marked, rest=rest, above=still)
    refused = not marked.content or RETRACTED.match(marked.rest) or is_revoked(marked.rest)
    if refused and (said := revised(marked.rest)):
        return Marked(said, "", marked.start)
    return None if refused else marked


def _without_explanation(text: str) -> str:
    """Return an unmarked reply of one paragraph without the explanation below it, if that takes nothing back."""
    found = _EXPLAINED.search(text)
    if found is None or _BREAK.search(text[: found.start()].strip()):
        return text
    said = text[found.start() :]
    return text if is_revoked(said) or _CHANGED.search(said) else text[: found.start()].strip()


def _without_lead(whole: str) -> str:
    """Return a reply without what leads to the answer at its end: "In LTL: …", "It means:", "Together → …"."""
    lead = _LEAD_IN.match(whole) or _STATED.match(whole)
    if lead and not _DENIED.search(lead[0]):
        whole = whole[lead.end() :].strip()
    above, _, last = whole.rpartition("\n\n")
    if together := _TOGETHER.search(last):
        return together["said"]
    end = above[-_LEAD:]
    said = re.split(r"[.!?\n\"] ?", end.rstrip(": \n"))[-1]
    return last if _LEADS_TO.search(end) and not _DENIED.search(said) else whole


def agreed(marked: Marked, read: Callable[[str], T]) -> T | None:
    """Return what a marked answer says; None if the mark directly above says something else."""
    answer = read(marked.content)
    if not marked.above:
        return answer
    values = [getattr(part, "value", None) for part in (answer, read(marked.above))]
    return answer if None in values or values[0] == values[1] else None


_MAY_TAKE_BACK = re.compile(
    rf"\b(?:{LEFT_OPEN}|wrong|incorrect|mistaken?|tempt\w*|instead|however|unless|could|might|may|possible|wait"
    r"|actually|candidates?|drafts?|naive\w*|attempts?|too|alternativ\w*|at first|first thought"
    r"|example|not (?:an?|mean|my|our|the|what)|invalid|other|another|if|whether|rather|prefer\w*|reject\w*"
    r"|discard\w*|form|format)\b|n't\b|\?|^\W*step \w+\W*$",
    re.IGNORECASE,
)
_MAX_LINES, _MAX_LINE = 200, 500
# Behind an answer: "- X p: p holds in the next step" says what a part of it means.
_GLOSSES = re.compile(
    r"(?:[-*•]|[0-9]{1,2}[.)])[ \t]+[^\n—–:]{1,80}?[ \t]?(?:[—–:]|[ \t]-)[ \t]+\w+ \w+"
)


def alone(
    text: str, read: Callable[[str], Answer[T] | None], partly: re.Pattern[str] | None = None
) -> Answer[T] | None:
    """Return the answer that fills a line of an unmarked text; None if there are two, or another line casts doubt.

    Args:
        text: a reply without its markup.
        read: returns the answer that a whole line is, None of a line that is none.
        partly: what another line must not hold, as it would be part of another answer.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) > _MAX_LINES:
        return None
    found = [read(line) if len(line) <= _MAX_LINE else None for line in lines]
    answers = [answer for answer in found if answer is not None]
    if not answers or any(answer.value != answers[0].value for answer in answers):
        return None
    last = max(place for place, answer in enumerate(found) if answer is not None)
    for place, line in enumerate(lines):
        glosses = place > last and _GLOSSES.match(line)
        signs = () if found[place] else (_MAY_TAKE_BACK, None if glosses else partly)
        if any(sign.search(line) for sign in signs if sign):
            return None
    return answers[-1]


def entry(content: str, keys: Sequence[str]) -> str:
    """Return the value of the answer's key in a JSON object, as text; any other content as it is.

    The last brace of the object may be missing.
    """
    parsed = loads(content) or loads(f"{content}}}") if content[:1] == "{" else None
    if parsed is None or not isinstance(parsed[0], dict) or "{" in parsed[1]:
        return content
    entries = {plain_key(str(key)): value for key, value in parsed[0].items()}
    for key in ("final_answer", "answer", *keys):
        if key in entries:
            value = entries[key]
            return value if isinstance(value, str) else entry(json.dumps(value), keys)
    return content


_WRAPPED = re.compile(
    r"\$\$?(?P<math>[^$]*)\$\$?|\\\((?P<round>.*)\\\)|\\\[(?P<square>.*)\\\]|\"(?P<double>[^\"]*)\""
    r"|'(?P<single>[^']*)'|\\(?:text\w{0,6}|math[a-z]{2}|mbox)\s?\{(?P<text>[^{}]*)\}",
    re.DOTALL,
)


def unwrapped(content: str) -> str:
    """Return a content without quotation marks, dollar signs, a text command, the full stop."""
    for _ in range(5):
        content = content.strip().rstrip(".,; \t\n✅✓✔🎯👍∎■")
        wrapped = _WRAPPED.fullmatch(content)
        if wrapped is None:
            return content
        content = next(part for part in wrapped.groups() if part is not None)
    return content


def cut(content: str) -> str:
    """Return the beginning of a content, as a quotation."""
    return content.strip()[:_MAX_QUOTE]
