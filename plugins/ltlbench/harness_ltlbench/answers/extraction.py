r"""Read an answer out of what a model wrote, or say that there is none.

A text that does not commit itself to True or False yields None ("unparsable"), never False. The word that
counts has to stand where an answer stands. What is read is the plain text (`harness_ltlbench.answers.cleaning`),
in this order:

1.  **Marked answers**: ``Answer:``, ``Final answer``, ``the answer is``, ``\boxed{}``,
    ``{"answer": …}``, and the same in other languages; ``Conclusion:`` and the like at the
    start of a line. The last one counts, as a marked answer is introduced as final, and
    whatever stands before it is not looked at any more.

    a.  Several in a row with nothing said between them are one group. A group that
        contradicts itself is None. One joined by "or" is the template, not an answer.
    b.  A last mark whose value is a hedge, a condition or no verdict is no answer. Rule 2 may
        then find one, but only behind it. A mark in a question or under an "if" is no mark.
    c.  ``not True`` is False; ``!True`` and the like are None.
    d.  Somebody else's answer ("the naive answer is") is no mark. One that is taken back behind
        ("this was wrong", "(incorrect)"), doubted ("Alternatively, False") or holds of some paths only is
        None; one that is revised ("Actually, no: False") is what it is revised to.
    e.  Of two boxes the ticked one counts. A made-up next turn ("Human:") is cut off.

2.  **The closing line** begins with the word (a remark or the path may follow), its last sentence is the word
    alone, or the last sentence with such a word concludes it of the *last* hypothesis: ``Therefore, C3 is true.``
    Only remarks may stand behind it. It counts only as a plain conclusion: what the verdict is about is the
    hypothesis, or nothing that is named; it is of no single path or moment, no condition and no aim.
3.  **The opening line**, likewise, or the one below a last heading "Solution", for those who answer first and
    explain then.

A closing line that gainsays the answer found by rule 1 or 3, or takes it back, makes it None.
A path is read behind its verdict, else where the reply shows just one counterexample.
Only the words true and false are verdicts, and those of other languages for them where they are all of a line or a
marked answer: ``C3 holds`` is wording of the hypotheses. What says the same in other words ("no possible sequence
violates C3", "C3 ist nicht wahr") is first said plainly, by `harness_ltlbench.answers.claims`.

All patterns are linear in the text, and everything that is looked at is bounded. Rule 1 is in
`harness_ltlbench.answers.marks`, rules 2 and 3 are below, the words they share in
`harness_ltlbench.answers.verdicts`, paths in `harness_ltlbench.answers.paths`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from harness_answers.revocation import DENIED, LEFT_OPEN, RECONSIDERED, cleared, is_revoked, turns

from harness_ltlbench.answers import verdicts
from harness_ltlbench.answers.claims import said_plainly
from harness_ltlbench.answers.cleaning import MAX_TEXT, end_of_line, plain
from harness_ltlbench.answers.marks import marked_answer
from harness_ltlbench.answers.paths import MAX_PATH, path_after, path_elsewhere

__all__ = ["MAX_PATH", "MAX_TEXT", "Answer", "extract"]

_MAX_QUOTE = 120


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model answered.

    ``path`` is a lasso ``{"prefix": [...], "cycle": [...]}`` of event numbers, or None when
    none was given or it could not be read for certain; ``path_text`` is what stands in its
    place. ``quote`` is the piece of (plained) text that the answer was read from.
    """

    label: bool
    path: dict[str, list[int]] | None
    quote: str
    path_text: str = ""


def extract(completion: str, hypothesis: str | None = None, prompt: str = "") -> Answer | str:
    """Return the answer a completion gives, or why it gives none, in a few words.

    Args:
        completion: any text whatever.
        hypothesis: the last hypothesis by name, say ``"C3"``; without it, the one with the
            highest number that the text mentions.
        prompt: what the model was asked, so that an echo of it is not taken for an answer.
    """
    text = plain(completion, prompt)
    name = _name(text.lower(), hypothesis)
    text = verdicts.translated(said_plainly(text, name))
    low = text.lower()
    if len(low) != len(text):  # a few letters grow when lowered: quote the lowered text then
        text = low
    marked, behind = marked_answer(low, name)
    closing = _closing(low, behind, name)
    opening = _opening(low, name) if behind == 0 else None
    said = [one for one in (marked, opening) if isinstance(one, verdicts.Reading)]
    if revised := _revised(low, max((one.end for one in said), default=behind), name, said):
        return "the answer is doubted" if revised == "none" else _answer(text, low, revised)
    if said and is_revoked(cleared(low[max(one.end for one in said) :])[0]):
        return "the answer is taken back"
    if marked == "conflict":
        return "what is marked as the answer is doubted, or says two things"
    if closing == "none" or (marked and _CORRECTED.search(low, behind)):
        return "the last line takes the answer back, or names both answers"
    readings = [reading for reading in (marked, closing, opening) if reading is not None]
    labels = {reading.label for reading in readings}
    if len(labels) != 1:
        return "the reply states both answers" if labels else "no answer is stated"
    return _answer(text, low, readings[0])


_PAUSE = re.compile(
    r"(?:(?:no|wait|sorry|so|it's|it|this|that|must|should|would|will|is|be|has to|have to|the|my|correct"
    r"|right|answer|hypothesis|statement|i|say|think|believe|now|rather|instead)\b[^\w\n]{0,5}){0,12}"
)
_MAX_REVISIONS = 50


def _revised(low: str, begin: int, name: str, said: Sequence[verdicts.Reading]) -> verdicts.Finding:
    """Return what an answer is revised to behind it, "none" where it is only doubted, None where it stands."""
    if not said:
        return None
    found: verdicts.Finding = None
    for turn in islice(turns(low, begin), _MAX_REVISIONS):
        end = end_of_line(low, turn.end())
        sentences = verdicts.sentences_of(
            low[turn.end() : min(end, turn.end() + verdicts.MAX_LINE)], name
        )
        if not sentences:
            continue
        pause = _PAUSE.match(low, turn.end())
        alone = verdicts.verdict(low, pause.end() if pause else turn.end(), end)
        word = str(alone.label).lower() if alone else verdicts.states(sentences[0], name)
        if word is None:
            continue
        if turn["revises"]:
            found = verdicts.Reading(word == "true", turn.start(), alone.end if alone else end)
        elif (word == "true") is not (
            found if isinstance(found, verdicts.Reading) else said[0]
        ).label:
            found = "none"
    return found


def _answer(text: str, low: str, reading: verdicts.Reading) -> Answer:
    path, end = None, reading.end
    if not reading.label:
        path, end = path_after(low, reading.end)
        path = path or path_elsewhere(low, reading.start, end if end > reading.end else None)
    line_end = end_of_line(text, reading.end)
    quote = text[reading.start : min(max(end, line_end), reading.start + _MAX_QUOTE)].strip()
    return Answer(reading.label, path, quote, text[reading.end : end].strip(" \t\n:.,-\"'"))


def _name(low: str, hypothesis: str | None) -> str:
    """Return a pattern for the number of the last hypothesis, or one that nothing matches."""
    if hypothesis is not None:
        digits = hypothesis.strip().lstrip("Cc_")
        return digits if digits.isdecimal() and digits.isascii() else "(?!)"
    numbers = [int(n) for n in re.findall(r"\bc_?([0-9]{1,4})(?![0-9])", low)]
    return str(max(numbers)) if numbers else "(?!)"


# the closing and the opening line

_SUBJECT = r"(?:(?:the |final |last )*(?:hypothesis|statement|claim|formula) ?)?"


def _closing(low: str, begin: int, name: str) -> verdicts.Finding:
    """Return the verdict of the last line that has a word in it."""
    start, end = _last_line(low, begin, len(low))
    line = low[start:end]
    sentences = verdicts.sentences_of(line[-verdicts.MAX_LINE :], name)
    if not sentences:
        return None
    if _RETRACTED.search(sentences[-1]):
        return "none"
    first = verdicts.verdict(low, start, end)
    above = verdicts.verdict(low, *_last_line(low, begin, start))
    if above and first is None and _REASONED.match(line):
        return above
    word = _alone(sentences)
    last = verdicts.Reading(word == "true", max(start, end - _MAX_QUOTE), end) if word else None
    last = None if _BOXED.match(line) else last or _stated(low, begin, end, name)
    labels = {reading.label for reading in (first, above) if first and reading}
    labels |= {last.label} if last else set()
    if len(labels) > 1:  # a line that contradicts itself, or a list of both words
        return "none"
    return first or last


def _stated(low: str, begin: int, end: int, name: str) -> verdicts.Reading | None:
    """Return what the last sentence concludes that says true or false; only remarks may stand behind it."""
    sentences: list[tuple[int, int, str]] = []
    begin = max(begin, end - verdicts.MAX_LINE)
    for _ in range(_MAX_REMARKS):
        start = max(begin, low.rfind("\n", begin, end) + 1)
        sentences[:0] = [(start, end, said) for said in verdicts.sentences_of(low[start:end], name)]
        end = max(begin, start - 1)
    for place in range(len(sentences) - 1, -1, -1):
        start, end, said = sentences[place]
        if _ALONE.fullmatch(said):
            return None
        if place and _OF_IT.match(said):
            said = f"{sentences[place - 1][2]} {said}"
        if word := verdicts.states(said, name):
            return verdicts.Reading(word == "true", max(start, end - _MAX_QUOTE), end)
        if _NO_REMARK.search(said):
            return None
    return None


def _alone(sentences: list[str]) -> str | None:
    """Return the verdict's word if the last sentence is that alone, and not the second of a list of both."""
    match = _ALONE.fullmatch(sentences[-1])
    if match is None or verdicts.UNTICKED.search(match[0]):
        return None
    listed = len(sentences) > 1 and _LISTING.search(sentences[-2])
    return None if listed and not match[0].lstrip().startswith("correct") else match["word"]


_MAX_REMARKS = 9  # lines behind a conclusion
_NO_REMARK = re.compile(
    rf"\b(?:{LEFT_OPEN}|true|false|hypothesis|but|however|though|although|unless|if|whether|needs?|remain\w*|let|next|now|still|must"
    r"|consider|suppose|assume|or|would|could|might|answer|fails?|holds?|violat\w+|satisf\w+|then"
    r"|c_?[0-9]+)\b|\?|[a-z]$"  # cut off
)
_OF_IT = re.compile(
    r"\W*(?:(?:so|thus|therefore|hence|consequently)\b[\s,:]{0,3})?it (?:is|must|evaluates)\b"
)
_REASONED = re.compile(r"[^\w\n]{0,9}(?:because|since|reason(?:ing)?:|explanation:)")
_ALONE = re.compile(verdicts.LEAD.pattern + r"[^\w?]*")
_BOXED = re.compile(r"\W{0,9}[(\[][ \t]?x?[ \t]?[)\]]")
_LISTING = re.compile(r"(?:\b(?:true|false)|^\W*\w{1,3})[^\w?]*$")

_HEADING = re.compile(r"^[ \t]{0,3}(?:={2,9}[^=\n]{1,80}={2,9}|#{1,6} [^\n]{1,80})[ \t]*$")

_RETRACTED = re.compile(
    r"\bi(?:'m| am)? (?:can ?not|can't|could not|couldn't|unable to|not able to|don't know)"
    r"|\b(?:it|this|answer|truth value|hypothesis) (?:can ?not|can't) be (?:determined|decided)"
    rf"|\b{RECONSIDERED}\b|\b{DENIED}\b|\b50 ?[/:-] ?50\b|\bnot enough information\b"
)


# Behind a marked answer, on any line: it is being corrected.
_CORRECTED = re.compile(
    r"^[^\w\n]{0,20}(?:correction|edit|update|erratum|corrigendum|revision|revised|amendment|oops|mistake)\b"
    rf"|\b{DENIED}\b",
    re.MULTILINE,
)


def _last_line(low: str, begin: int, end: int) -> tuple[int, int]:
    """Return the last line between two places that has a word in it."""
    start = end
    for _ in range(20):  # lines of ornament below the last word, and headings of nothing
        end = begin + len(low[begin:end].rstrip())
        start = max(begin, low.rfind("\n", begin, end) + 1)
        if start == begin or re.search(r"\w", _HEADING.sub("", low[start:end])):
            break
        end = start
    return start, end


_NO_OPENING = re.compile(rf"\b(?:{RECONSIDERED}|{DENIED})\b|[(\[][ \t]?x?[ \t]?[)\]]")
_SOLUTION = re.compile(
    r"^[ \t]{0,3}(?:={2,9}|#{1,6})[ ][^=\n]{0,40}\b(?:solution|answer|conclusion|verdict|result)\b[^\w\n]{0,12}$",
    re.MULTILINE,
)


_BLANK = re.compile(r"\s+")


def _begin(low: str) -> int:
    """Return where a reply begins: behind the last heading "Solution" or the like, if there is one."""
    start = max((heading.end() for heading in _SOLUTION.finditer(low)), default=0)
    while True:
        if blank := _BLANK.match(low, start):
            start = blank.end()
        heading = _HEADING.match(low, start)
        if heading is None:
            return start
        start = heading.end()


def _opening(low: str, name: str) -> verdicts.Reading | None:
    start = _begin(low)
    end = end_of_line(low, start)
    reading = verdicts.verdict(low, start, end)
    if not (reading or verdicts.LEAD.match(low, start, end) or _NO_OPENING.search(low, start, end)):
        first = verdicts.SENTENCE.split(low[start : min(end, start + verdicts.MAX_LINE)], 1)[0]
        sentences = verdicts.sentences_of(first, name)
        word = verdicts.states(sentences[0], name) if sentences else None
        reading = verdicts.Reading(word == "true", start, start + len(first)) if word else None
    return reading
