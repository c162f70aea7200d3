"""A third reader of requirements, for sentences of others: plain English about propositions, by rules.

It knows phrases that say when something happens ("at all times", "infinitely often", "three steps later"), what
joins them, and nothing of any template. A sentence with a plain meaning is read; one that people
read in more than one way is not, and `doubtful` says what it may mean. All else is no business of this module.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from harness_answers.text import quoted

from harness import Abstained
from harness_vltl.formulas.formula import Formula

MAX_SENTENCE = 2_000
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5}
_AGENT = r"(?:(?:the|our|this|a|an) [a-z]{1,30}|you|it)"
_WHEN = r"(?:whenever|every time|at every step,? if|globally,? if|at all times,? if)"
_WILL = r"(?:will |must |shall |then )*"
_DOES = r"(?:holds?|happens?|occurs?|is true)"
_ALWAYS = r"(?:at all times|at every step|at every moment|always|in every step)"
_OFTEN = r"(?:infinitely often|again and again forever)"
_GO = r"(?:go to|go into|visit|reach|enter|get to|arrive at|make your way to|find your way to)"
_GOING = r"(?:going to|visiting|entering|returning to)"
_SURE = r"(?:ensure (?:that )?(?:you )?|make sure (?:that you |you |to )?)?"
_UNTIL = (
    r"until (?:after )?(?:you (?:have )?(?:reach(?:ed)?|get to|arrive at|make your way to) {P}"
    r"|{P} is (?:reached|visited))"
)
_AVOID = rf"(?:avoid(?: {_GOING})?|stay away from|refrain from {_GOING}|do not {_GO})"

Rule = tuple[re.Pattern[str], Callable[..., Formula]]


def _rule(pattern: str, make: Callable[..., Formula]) -> Rule:
    """Return a rule of a pattern, in which {P} is a proposition, and a function that makes the formula."""
    filled = pattern.format(
        P=r"(prop_[1-9][0-9]?)", AGENT=_AGENT, WHEN=_WHEN, WILL=_WILL, DOES=_DOES, ALWAYS=_ALWAYS,
        OFTEN=_OFTEN, N=f"({'|'.join(_NUMBERS)})",
    )  # fmt: skip
    return re.compile(filled), make


def _always(part: Formula) -> Formula:
    return ["G", part]


def _some(part: Formula) -> Formula:
    return ["F", part]


def _often(part: Formula) -> Formula:
    return ["G", ["F", part]]


def _whenever(a: Formula, b: Formula) -> Formula:
    return _always(["->", a, b])


def _later(steps: str, part: Formula) -> Formula:
    for _ in range(_NUMBERS[steps]):
        part = ["X", part]
    return part


_DUTY = "(?:{AGENT} (?:must|shall|has to) )"
_PLAIN: tuple[Rule, ...] = (
    # once and for all
    _rule(_DUTY + "eventually {P} and {P}", lambda a, b: _some(["&", a, b])),
    _rule(_DUTY + "eventually (?:either )?{P} or {P}", lambda a, b: _some(["|", a, b])),
    _rule(_DUTY + "eventually,? avoid {P}", lambda a: _some(["!", a])),
    _rule(_DUTY + "always avoid {P}", lambda a: _always(["!", a])),
    _rule(_DUTY + "always (?:maintain|have|do) both {P} and {P}", lambda a, b: _always(["&", a, b])),
    _rule(_DUTY + "always (?:have|do) either {P} or {P}", lambda a, b: _always(["|", a, b])),
    _rule("both {P} and {P} {DOES} {ALWAYS}", lambda a, b: _always(["&", a, b])),
    _rule("{P} {DOES} {ALWAYS}", _always),
    _rule("{P} and {P} (?:will |must )?each (?:happen|occur|hold) at some point",
          lambda a, b: ["&", _some(a), _some(b)]),
    _rule("from some point (?:onwards?|on),? {P} never {DOES} again", lambda a: _some(_always(["!", a]))),
    # never together
    _rule("(?:globally,? |{ALWAYS},? )it is not the case that both {P} and {P} {DOES}"
          "(?: simultaneously| together| at once)?", lambda a, b: _always(["!", ["&", a, b]])),
    _rule("{P} and {P} are mutually exclusive {ALWAYS}", lambda a, b: _always(["!", ["&", a, b]])),
    # each time
    _rule("{WHEN} {P} {DOES},? {WILL}{P} {DOES}(?: as well| too)?", _whenever),
    _rule("{WHEN} {P} {DOES},? {WILL}(?:eventually|finally) {P} {WILL}{DOES}",
          lambda a, b: _whenever(a, _some(b))),
    _rule("{WHEN} {P} {DOES},? from the next step (?:onwards?|on),? {P} {WILL}eventually {DOES}",
          lambda a, b: _whenever(a, ["X", _some(b)])),
    _rule("{WHEN} {P} {DOES},? {P} {DOES} (?:exactly )?{N} steps later",
          lambda a, b, n: _whenever(a, _later(n, b))),
    _rule("{WHEN} neither {P} nor {P} {DOES},? {P} {WILL}eventually {DOES}",
          lambda a, b, c: _whenever(["&", ["!", a], ["!", b]], _some(c))),
    _rule("{WHEN} {P} and {P} are equal,? {P} and {P} are equal(?: as well| too)?",
          lambda a, b, c, d: _whenever(["<->", a, b], ["<->", c, d])),
    _rule("every {P} is (?:directly |immediately )?followed by {P} in the next step",
          lambda a, b: _whenever(a, ["X", b])),
    _rule("once {P} has (?:occurred|happened),? {P} (?:will|must) never (?:occur|happen) again",
          lambda a, b: _whenever(a, ["X", _always(["!", b])])),
    _rule("at every step,? {P} equals the value of {P} in the next step",
          lambda a, b: _always(["<->", a, ["X", b]])),
    # infinitely often
    _rule("if {P} {DOES} {OFTEN},? then so does {P}", lambda a, b: ["->", _often(a), _often(b)]),
    _rule("either {P} or {P} {DOES} {OFTEN}", lambda a, b: ["|", _often(a), _often(b)]),
    _rule("either {P} {DOES} {OFTEN},? or {P} {DOES} in the next step",
          lambda a, b: ["|", _often(a), ["X", b]]),
    _rule("if every {P} is eventually followed by {P},? then {P} (?:must|will) (?:occur|happen) {OFTEN}",
          lambda a, b, c: ["->", _whenever(a, _some(b)), _often(c)]),
    # order
    _rule("{P} must hold until {P} does,? or else {P} holds forever",
          lambda a, b, c: ["|", ["U", a, b], _always(c)]),
    _rule("if {P} ever {DOES},? {P} must have (?:held|happened|occurred) beforehand",
          lambda b, a: ["->", _some(b), ["U", ["!", b], ["&", a, ["!", b]]]]),
    # commands to be somewhere
    _rule(f"{_SURE}(?:always )?{_AVOID} {{P}}(?: {{ALWAYS}}| indefinitely| permanently| at any (?:time|point)"
          "| under any circumstances)?", lambda a: _always(["!", a])),
    _rule(f"{_SURE}(?:you )?never {_GO} {{P}}", lambda a: _always(["!", a])),
    _rule(f"keep {_GOING} {{P}}", _often),
    _rule(f"{_SURE}(?:repeatedly|regularly) visit {{P}}(?: over time)?", _often),
    _rule(f"{_SURE}{{P}} is visited repeatedly(?: over time)?", _often),
    _rule(f"{_SURE}(?:eventually )?{_GO} {{P}} and (?:never leave|(?:stay|remain) there(?: forever| indefinitely"
          "| permanently| continuously| afterwards?| without leaving)?)", lambda a: _some(_always(a))),
    _rule(f"(?:stay|remain) (?:in|at|within) {{P}} {_UNTIL}", lambda a, b: ["U", a, b]),
    _rule(f"{_SURE}(?:you )?{_AVOID} {{P}} {_UNTIL}", lambda a, b: ["U", ["!", a], b]),
    _rule(f"{_GO} {{P}}(?: first)?,? and then (?:go|proceed|make your way) to {{P}}",
          lambda a, b: _some(["&", a, _some(b)])),
)  # fmt: skip

# Formulas that published sentences are labelled with, though no such sentence says them.
OF_LABELS_ONLY = frozenset(
    ["then: the first until the second", "grace period: twice in a row at some point"]
)
_Readings = dict[str, Callable[..., Formula]]
_DOUBTFUL: tuple[tuple[re.Pattern[str], _Readings], ...] = tuple(
    (_rule(pattern, _always)[0], ways)
    for pattern, ways in (
        (
            "(?:in this task, |{AGENT} must (?:please )?){P},? (?:and )?then {P}",
            {
                "then: the first until the second": lambda a, b: ["U", a, b],
                "then: first the one, after that the other": lambda a, b: _some(["&", a, ["X", _some(b)]]),
                "then: the one now, the other after it": lambda a, b: ["&", a, ["X", _some(b)]],
            },
        ),
        (
            "{P} should always hold,? with at most a two-step grace period for recovery",
            {
                "grace period: twice in a row at some point": lambda a: _some(["&", a, ["X", a]]),
                "grace period: back after one step at most": lambda a: _always(["|", a, ["X", a]]),
                "grace period: back after two steps at most":
                    lambda a: _always(["|", a, ["|", ["X", a], ["X", ["X", a]]]]),
            },
        ),
        (
            "{P} can only happen after {P}",
            {
                "only after: the second must come": lambda a, b: ["U", ["!", a], b],
                "only after: the second need not come": lambda a, b: ["W", ["!", a], b],
                "only after: in a later step, need not come":
                    lambda a, b: ["W", ["!", a], ["&", b, ["!", a]]],
            },
        ),
        (
            "if {P} holds and {P} holds next,? then {P} holds in the step after that",
            {
                "if: in every step": lambda a, b, c: _whenever(["&", a, ["X", b]], ["X", ["X", c]]),
                "if: at the start": lambda a, b, c: ["->", ["&", a, ["X", b]], ["X", ["X", c]]],
            },
        ),
        (
            "if {P} holds,? then in the next step {P} persists until {P} holds,? or else {P} holds forever",
            {
                "if: at the start": lambda a, b, c, d: ["->", a, ["X", ["|", ["U", b, c], _always(d)]]],
                "if: in every step":
                    lambda a, b, c, d: _whenever(a, ["X", ["|", ["U", b, c], _always(d)]]),
            },
        ),
    )
)  # fmt: skip


def read(lifted: str) -> Formula:
    """Return what a sentence over prop_1, prop_2, … plainly says.

    Raises:
        Abstained: it is none of the sentences known here, or one that is read in more than one way.
    """
    text = _normal(lifted)
    matches = ((pattern.fullmatch(text), make) for pattern, make in _PLAIN)
    formulas = [make(*_propositions(match)) for match, make in matches if match]
    if len(formulas) != 1:
        raise Abstained(f"no one plain reading of: {quoted(lifted, 200)}")
    return formulas[0]


def _propositions(match: re.Match[str]) -> list[str]:
    return [group for group in match.groups() if group]


def doubtful(lifted: str) -> Mapping[str, Formula]:
    """Return the readings of a sentence that people read in more than one way, by name; {} for all others."""
    text = _normal(lifted)
    for pattern, ways in _DOUBTFUL:
        match = pattern.fullmatch(text)
        if match:
            return {name: make(*_propositions(match)) for name, make in ways.items()}
    return {}


def broken(lifted: str) -> str:
    """Return the words of a sentence that are no English, a slip of what was put in; empty if none were found."""
    match = _BROKEN.search(_normal(lifted))
    return match[0] if match else ""


_BROKEN = re.compile(
    r"\b(?:must please|[a-z]{3,20}(?:ens|urs|olds)ing|must prop_[0-9]{1,2} (?:holds|happens)|"
    r"not the case that both prop_[0-9]{1,2} and prop_[0-9]{1,2} holding|must [a-z]{1,20}, avoid)\b"
)


_SLIPS = (
    (re.compile(r"\b(happens|occurs|holds)ing\b"), r"\1"),
    (re.compile(r"\b(both prop_[0-9]{1,2} and prop_[0-9]{1,2}) holding\b"), r"\1 hold"),
    (
        re.compile(
            r"^(?:the|our|this|a|an) [a-z]{1,30} must (prop_[0-9]{1,2} (?:holds|happens))\b"
        ),
        r"\1",
    ),
)


def mended(lifted: str) -> str:
    """Return a sentence without the slips that leave no doubt about what it says."""
    sentence = _normal(lifted)
    for pattern, right in _SLIPS:
        sentence = pattern.sub(right, sentence)
    return sentence


def _normal(lifted: str) -> str:
    """Return a sentence in small letters, without the full stop."""
    return " ".join(lifted[:MAX_SENTENCE].lower().rstrip(" .").split())
