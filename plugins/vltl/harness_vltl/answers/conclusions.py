"""What the words of an answer state, and the words around it: what concludes, doubts and takes back."""

from __future__ import annotations

import re

from harness_answers.claims import LABEL, RETRACTED
from harness_answers.revocation import DENIED, LEFT_OPEN, RECONSIDERED, is_revoked

_END = 400  # characters of a reply that are looked at
_LAST_ROW = re.compile(
    r"^[ \t]*\|[ \t]*((?:(?:final|whole|overall|ltl) ){0,2}(?:formula|translation|ltl|verdict|result|overall)"
    r"(?: \(final\))?)[ \t]*\|([^|\n]+)\|?[ \t]*$(?!\n[ \t]*\|)",
    re.IGNORECASE | re.MULTILINE,
)
_BOX = re.compile(
    r"(?:[\[(][ \t]?(?:(?P<tick>[xX✓✔•*])|[ \t]?)[ \t]?[\])]|(?P<full>[☑☒🔘])|[☐○⚪])"
    r"[ \t]{0,4}(?P<said>[A-Za-z ]{3,40})"
)
_ROW = re.compile(
    r"^[ \t]*+(?:\|[ \t]*+)?(?P<said>[A-Za-z][A-Za-z ]{2,39}?)[ \t]*+\|"
    r"[ \t]*(?:(?P<tick>yes|x|✓|✔|✅)|no|✗|✘|❌|-)?[ \t]*\|?[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)


def with_lines(text: str) -> str:
    """Return a text with the last row of a table that says what the whole is as a line: "Formula (final): …"."""
    return _LAST_ROW.sub(r"\1:\2", text)


def ticked(text: str) -> str:
    """Return what stands at the ticked one of two boxes, or in the row with "yes" where the other has "no"."""
    for pattern in (_BOX, _ROW):
        choices = [
            (choice["said"], bool(choice["tick"] or choice.groupdict().get("full")))
            for choice in pattern.finditer(text[-_END:])
            if choice["said"].strip().lower() in ("satisfied", "violated")
        ]
        ticked = [said for said, is_ticked in choices if is_ticked]
        if len(choices) == 2 and len(ticked) == 1:
            return ticked[0]
    return ""


# "Satisfied? No." says "violated"; in "Dissatisfied? No: violated." only what comes last is said.
_ASKED = re.compile(
    r"\A(?P<said>[^?\n]{1,80})\?[ \t]{1,3}(?:yes|(?P<no>no))\b[.,]?(?P<instead>[ \t]?[:—–-](?=[ \t]*\w))?",
    re.IGNORECASE,
)
_NOTES = re.compile(  # to the one who grades: "// target: violated"
    r"[ \t]//[ \t]*(?!answer|final|correct|edit|update|wait|actually)\w{1,40}[ \t]?[:=][ \t]?\w{1,40}(?=[ \t]|$)",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\A[^.;:!,(\n]{1,80}[,(][ \t]{0,3}(?:but )?(?:only )?(?:if|unless|provided|assuming|as long as|wenn|falls|sofern"
    r"|si|se|als|jeśli|если|eğer|如果|もし)\b",
    re.IGNORECASE,
)


def stated(words: str) -> str:
    """Return what an answer states, questions with their reply as one statement; "" if it is under a condition."""
    words = _ASKED.sub(_replied, _NOTES.sub("", words))
    return "" if _CONDITION.match(words) else words


def _replied(asked: re.Match[str]) -> str:
    return "" if asked["instead"] else f"{'not ' if asked['no'] else ''}{asked['said']}."


# Where a sentence ends.
PARTED = re.compile(r"[.!?;…][\"')\]]{0,2}[ \t]+(?=\S)|\n")
# What leads from an answer weighed to the one that counts.
TURN = re.compile(
    r"\b(?:so|hence|thus|therefore|final\w*|in the end|overall|altogether|together|combin\w+|conclu\w+|result\w*"
    r"|correct\w*|actually|wait|no|rather|answer|summ\w+|whole|factored|submit|settle on)\b",
    re.IGNORECASE,
)
# What only speaks of an answer: of one to be shown, of another's, of one for the time being.
_UNSTATED = (
    r"(?:tentative\w*|provisional\w*|for now|so far|at first (?:sight|glance)|in theory|on paper|suppose|imagine"
    r"|assume|conjecture|hypothesis|hunch|lean|chances?|opposite|tempting|would (?:say|bet|follow)"
    r"|(?:until|up to) step|(?:said|told|claimed|claims|says"
    r"|(?:let us|let's|(?:want|need|have) to|must|cannot|can't) (?:show|prove|verify|check|confirm)) that\b"
    r"(?![^.\n]{0,300}\b(?:so|hence|thus|therefore)\b))"
)
# What says of the rest of its sentence that it does not hold.
DISBELIEVED = (
    rf"(?:{LABEL}|\b(?:{LEFT_OPEN}|{_UNSTATED})\b"
    r"|(?:\b(?:not|never|nobody)|n't)(?: \w+){0,2} (?:think|believe|say|true|the case)\b)"
)
# What keeps a sentence from stating the answer in it.
OPEN = re.compile(
    rf"{LABEL}|\b(?:{_UNSTATED}|{LEFT_OPEN}|either|or|could|might|may|possible|if|unless|e\.g|examples?"
    r"|would(?! (?:\w+ )?be\W*\Z)|options?|attempts?|drafts?|alternativ\w+|readings?|interpretations?"
    r"|candidates?|variants?|depend\w*)\b|\?",
    re.IGNORECASE,
)
TAKEN_BACK = re.compile(
    rf"\bwait\b(?: no\b|[ \t]*[,.!:–—-])|(?!wait)\b{RECONSIDERED}\b|\bcorrection\b|\b{DENIED}\b|\bactually\b"
    r"|\bshould (?:have been|be)\b",
    re.IGNORECASE,
)
# What takes an answer back or leaves it open, behind it.
_DOUBTS = re.compile(
    rf"\b(?:{LEFT_OPEN}|might|alternativ\w*|depend\w*|ambigu\w+|drafts?|attempts?|candidates?|readings|options|pick"
    r"|prefer\w*|choos\w+|settle\w*|decide|tell me|which (?:one|of)|(?<![a-z,] )both|undecided|open|ignore|discard\w*"
    r"|convinced|(?:an?|the|my) (?:error|mistake)|not (?:my|our|what|the (?:answer|formula|translation))|however"
    r"|but (?:this|that|it)|no longer|next,? (?:i|we)|let(?:'s| us) (?:try|now)|then (?:i|we) (?:need|have|must)"
    r"|(?:this|that|it|which|formula|answer)(?: is| was| does| do| can| are)?(?:n't| not) (?:work|do|fit|match|right"
    r"|correct|what|quite|capture|express|say|mean|it|enough|suffic\w+|look|convince))\b|\?"
    r"|\b(?:formula|translation|answer)(?: is| becomes| reads)?:|\brejected\b|^[ \t]*\|[ \t]*(?:problem|flaw|why)",
    re.IGNORECASE | re.MULTILINE,
)
_OWNED = re.compile(
    r"\b(?:sentence|formula|mapping|version|one|answer|translation)(?: (?!not\b)\w+){0,3} "
    r"(?:is my (?:final )?answer|stands)[.!\s]*\Z",
    re.IGNORECASE,
)
_ENDED = re.compile(r"(?:[.!)\]}\"'`|*$]|[^\x00-\u25ff])\s*\Z")
# An entry of a list, or what a name stands for, needs no full stop.
_LISTED = re.compile(
    r"\s*(?:(?:[-*•]|\d{1,2}[.)])\s|(?:(?:where|legend|key):? )?p(?:rop)?_?\d+ ?(?:[=:→]|->|is\b|means|stands for)"
    r"\s*\w(?!.*\bor\b))",
    re.IGNORECASE,
)


def stands(rest: str) -> bool:
    """Tell whether the text behind an answer neither takes it back nor leaves it open nor breaks off."""
    if not re.search(r"\w", rest) or _OWNED.search(rest):
        return True
    if is_revoked(rest) or any(sign.search(rest) for sign in (TAKEN_BACK, _DOUBTS)):
        return False
    ended = _ENDED.search(rest) or _LISTED.match(rest.rpartition("\n")[2])
    return bool(ended) and not any(map(RETRACTED.match, rest.splitlines()))
