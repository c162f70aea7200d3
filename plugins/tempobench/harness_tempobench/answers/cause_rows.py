"""A cause that is stated without JSON (in a table, in lines, in sentences), as the object that states the same.

Each step has to be named, or it is said that nothing else is constrained.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from harness_answers.json_objects import Parsed, value_of
from harness_answers.revocation import LEFT_OPEN

from harness_tempobench.answers.cause_claims import clauses
from harness_tempobench.answers.rows import Found, is_open, lead_of, lines, standing
from harness_tempobench.answers.sentences import Sentences, Unreadable
from harness_tempobench.constraint import MAX_SENTENCE
from harness_tempobench.formulas import nodes

_KEPT = r"(?:necessary|needed|required)"
_NUM = r"[0-9]{1,3}(?![\w.]?\w)"
_LIST = rf"{_NUM}(?:\s?(?:,\s?and\b|,|and\b|&|-|–|—|to\b|through\b|\.{{2,3}})\s?(?:(?:at\s)?steps?\s)?{_NUM}){{0,99}}"
_RANGE = re.compile(r"([0-9]+)(?:\s?(?:-|–|—|to|through|\.{2,3})\s?(?:step )?([0-9]+))?")
_OTHERS = (
    r"(?:(?:all|any|every|each|the) ){0,3}(?:others?|remaining|rest)(?: of the)?"
    r"(?: (?:ones?|inputs?|literals?))?(?: steps?)?"
    r"(?:\s?\([^()]{0,60}\))?|elsewhere|everywhere else|otherwise|everything else|any step|else"
)
_ACROSS = (
    r"cross[- _]?steps?(?:[- _]?(?:minimal|breaking|sets?|clauses?|constraints?)){0,3}|across steps"
    r"|(?:across|over|of|at) (?:several|multiple|different|more) steps|several steps|multi-?step(?: sets?)?"
)
_NOTHING = (
    r"\b(?:no[ _-](?:(?:input|necessary|causal|minimal|breaking) ){0,2}(?:constraints?|literals?|inputs?|sets?)"
    r"|nothing|none|(?:un|not )constrained|free|irrelevant|do(?:es)? not matter)\b|∅"
)
_PLACE = re.compile(
    r"no (?:minimal |breaking |other )*(?:sets? )?(?P<no_sets>" + _ACROSS + r")"
    r"|(?P<nothing_else>\b(?:nothing else|no others?|no step has (?:a |any )?constraints?)\b)"
    r"|(?:\b(?:at|in|on|for|of|from)\s)?[\"'(]?"
    rf"(?:(?:\b(?:time )?steps?[ _]?|@\s?|\bt\s?=?\s?)(?P<steps>{_LIST})"
    rf"|(?:^|(?<=[,;:{{(\"'])|(?<=[,;:{{(]\s)|(?<=\band\s))(?P<bare>{_LIST})(?=[\"')]?\s?(?:[:→=—–|]|->|-\s))"
    rf"|\b(?P<others>{_OTHERS})|\b(?P<across>{_ACROSS}))[\"')]?",
    re.IGNORECASE,
)
_JOINT = r"\s?(?:,\s?and\s|,|\band\b|&|\bor\b)\s?"
_TRUTH = r"(?:(?:\s?={1,2}\s?|\sis |\smust be )(?:true|false|[01])\b)?"
_SIGNS = re.compile(
    r"\A(?:[\s,:=→—–|)]|->|-\s)+|(?:[\s,;:]|\.(?!\.)|\b(?:and|with|while|there (?:is|are))\b)+\Z"
)
_GLOSS = re.compile(
    r"\s?[(—–]|\s-\s|,?\s(?:because|since|as|so|which|where|otherwise|i\.e\.)(?=\W)", re.IGNORECASE
)
_DOUBTS = re.compile(
    rf"\b(?:{LEFT_OPEN}|or|if(?! (?:it |this |that )?(?:is |were |was )?(?:flipped|changed|true|false)\b)"
    r"|unless|only w\w+|either|might|could|not (?:needed|necessary|required)|wait|actually)\b|\?",
    re.IGNORECASE,
)
_DENIES = re.compile(
    rf"\b(?:or|unless|no|not|never|without|except|yet|trace|inputs? (?:is|are|was|were)(?! {_KEPT})|flip\w*"
    r"|single[- ](?:steps?|literals?|inputs?|flips?))\b",
    re.IGNORECASE,
)
_SAID = "¤"
_ASIDE = re.compile(r"\([^()¤]*\)")
_ONLY = re.compile(r"\b(?:only|sole|nothing else|no others?)\b", re.IGNORECASE)
_ONLY_THAT = re.compile(r"\bonly\W*\Z|\b(?:is|are) the only\b", re.IGNORECASE)
_CLAIMED = re.compile(r"(?<!X )(?:[{!~¬]\s?\w|\bnot\s)")  # not that of the effect
_SUBJECT = re.compile(
    rf"\b(?:answers?|results?|{_KEPT}|final|matters?|(?:un)?constrain\w+|causes?|breaking|must"
    r"|needs?|requires?|cross[- ]step)\b|(?<!\w)X+ ",
    re.IGNORECASE,
)
_MARKED = re.compile(r"\b(?:answers?|results?)\b", re.IGNORECASE)
_SETS_SPOKEN_OF = re.compile(r"\b(?:cross|across|sets?|pairs?|triples?|together)\b", re.I)
_SENTENCE_END = re.compile(r"(?<=[.?])[\s*]+(?=[A-Z\"'!(])")
_ARGUED = re.compile(
    r"\b(?:so|thus|hence|therefore|shows? that|means that|found that|conclude that|follows that)\b",
    re.IGNORECASE,
)
# An object without quotation marks is no JSON.
_OBJECT = re.compile(r"\{(?=\s?(?:step[ _]?)?[0-9]{1,3}:)([^{}]*)\}\W*\Z", re.IGNORECASE)
_SET = re.compile(r"\{([^{}]*)\}")
_BRACKETED = re.compile(r"[\[({]([^\[\](){}]*)[\])}]")
_BEHIND = re.compile(r"\s\(step ([0-9]{1,3})\)", re.IGNORECASE)
_EVERY = re.compile(r"\b(?:no|any|every|all|each) steps?\b", re.IGNORECASE)
_NAMED = re.compile(r"\bsteps?[ _]?([0-9]{1,3})\b", re.IGNORECASE)
_ADDS = re.compile(
    r"\W*(?:also|and|in addition|additionally|plus|furthermore|moreover|likewise)\b", re.IGNORECASE
)
_MARK = 30
_JOINED = re.compile(r"\s*(?:,\s*and\b|,|&|\+|\band\b|\bor\b|\btogether with\b)\s*", re.IGNORECASE)

_LIST_HEAD = re.compile(
    rf"\b(?:breaking sets?|{_KEPT} (?:literals?|inputs?)|literals? (?:that )?(?:is|are) {_KEPT})\W{{0,3}}"
    r"(?::|\b(?:is|are):?(?=\s))",
    re.IGNORECASE,
)

# What something is stated of, if not of a step: the other steps, several steps at once, all in a list.
_REST, _CROSSING, _ALL = -1, -2, -3

_Statements = list[tuple[int, "list[Any] | None"]]


@dataclass(slots=True)
class _Run:
    """What lines and sentences that follow one another state, by step; None where that is still to come.

    ``above``: the sentence before them, if it cannot be read. ``coming``: what stands below is stated of it.
    """

    start: int
    above: str
    end: int = 0
    said: dict[int, list[Any] | None] = field(default_factory=dict)
    coming: list[int] = field(default_factory=list)
    broken: bool = False

    def add(self, statements: _Statements) -> None:
        """Add statements: to what was stated of a place before, if both constrain it."""
        for where, stated in statements:
            if where == _ALL and stated is None:
                continue
            if where == _ALL:
                self.add([(_CROSSING, stated), (_REST, [])])
                continue
            before = self.said.setdefault(where, stated)
            if before is None:
                self.said[where] = stated
            elif stated is not None and before != stated:
                self.broken |= not (before and stated)
                self.said[where] = before + stated


def cause(text: str, last: int, known: frozenset[str], single: bool) -> Parsed | None:
    """Return the cause that a reply states without JSON, as an object from steps to sentences; None without one.

    Args:
        text: the reply without its markup.
        last: the last step that can be constrained.
        known: the propositions.
        single: whether necessary literals were asked for, and no sets.
    """
    found = _Reader(text, last, known, single).found() if known else ()
    best = standing(text, list(found))
    return Parsed(text, best.start, best.end, False, best.value) if best else None


class _Reader:
    def __init__(self, text: str, last: int, known: frozenset[str], single: bool) -> None:
        self.text, self.last, self.known, self.single = text, last, known, single
        names = "|".join(map(re.escape, sorted(known, key=len, reverse=True)))
        literal = rf"(?:[!~¬]\s?|\bnot\s|\b)(?:{names})(?!\w){_TRUTH}"
        self.said = re.compile(
            rf"\{{?{literal}\}}?(?:{_JOINT}\{{?{literal}\}}?){{0,30}}|{_NOTHING}", re.IGNORECASE
        )

    def found(self) -> Iterator[Found]:
        """Yield what is stated: each run of lines and sentences that can be read."""
        run: _Run | None = None
        above, above_end = "", 0
        for start, end, unit in self._units():
            apart = "\n\n" in self.text[run.end if run else above_end : start]
            stated = self._goes_on(run, unit) if run and run.coming else self._statements(unit)
            if stated is None:
                if run:
                    goes_on = not apart or _ADDS.match(unit)
                    run.broken |= bool(goes_on) and self._leaves_out(run, unit)
                    yield self._whole(run)
                run, above, above_end = None, unit, end
                continue
            run = run or _Run(start, "" if apart else above)
            run.end = end
            if not run.coming or any(where not in run.coming for where, _ in stated):
                run.coming = [where for where, said in stated if said is None]
            run.add(stated)
        if run:
            yield self._whole(run)

    def _goes_on(self, run: _Run, unit: str) -> _Statements | None:
        """Return what a sentence states below a heading, such as "Step 2:" or "The minimal breaking sets are:"."""
        placed = self._statements(unit)
        of_steps = run.coming[0] >= _REST
        if placed and (of_steps or (run.coming == [_ALL] and _PLACE.match(unit))):
            return placed
        listed = self._stated(unit, not of_steps)
        return placed if listed is None else [(where, listed) for where in run.coming]

    def _leaves_out(self, run: _Run, sentence: str) -> bool:
        """Tell if a sentence that cannot be read names a step that the others do not name."""
        named = {int(step) for step in _NAMED.findall(sentence)}
        known = {int(step) for step in _NAMED.findall(self.text[run.start : run.end])}
        return _REST in run.said and not named <= known | run.said.keys()

    def _units(self) -> Iterator[tuple[int, int, str]]:
        """Yield start, end and text of each sentence; of a row of a table its step and what is stated of it."""
        for line in lines(self.text):
            if line.cells:
                head, *others = line.cells
                named = [key for key in others if len(others) == 1 or _SUBJECT.search(key)]
                said = line.cells[named[0]].strip("-–—") or "none" if len(named) == 1 else "?"
                yield line.start, line.end, f"{line.cells[head]}: {said}"
                continue
            start = line.start
            for piece in filter(None, _SENTENCE_END.split(line.text[:MAX_SENTENCE])):
                end = max(start, self.text.find(piece, start)) + len(piece)
                yield start, end, piece
                start = end

    def _statements(self, unit: str) -> _Statements | None:
        """Return what a sentence states, by place; None where it cannot be read as a whole."""
        head = _LIST_HEAD.search(unit)
        if head is None or not self._leads(unit, head.end()):
            return self._placed(unit)
        listed = unit[head.end() :].strip(" *")
        said = self._stated(listed, True) if listed else None
        return self._placed(unit) if listed and not said else [(_ALL, said)]

    def _placed(self, unit: str) -> _Statements | None:
        """Return what a sentence states of steps: of each, what stands before it, or else behind it."""
        unit = _OBJECT.sub(r"\1", unit) if unit.count("{") == 1 else unit
        places = self._found_places(unit)
        before = unit[: places[0].start()] if places else ""
        said = self._last_said(before)
        if not places or not self._leads(unit, said.start() if said else len(before)):
            return None
        only = said and (_ONLY.search(before, 0, said.start()) or _ONLY_THAT.search(unit))
        stated: _Statements = [(_REST, [])] if only else []
        ends = [*(each.start() for each in places[1:]), len(unit)]
        for place, end in zip(places, ends, strict=True):
            behind = unit[place.end() : end]
            if end == len(unit) and not (self.said.search(behind) or _DOUBTS.search(behind)):
                behind = behind.partition(";")[0]
            if not place["across"] and self._is_denied(behind):
                return None
            beside = self._beside(place, before, behind)
            if beside is None:
                return None
            value, before = beside
            stated += [(where, value) for where in _places(place)]
        return None if _SAID in self._explained(before)[0] else stated

    def _beside(
        self, place: re.Match[str], before: str, behind: str
    ) -> tuple[list[Any] | None, str] | None:
        """Return what is stated of a place, None if that is to come, and the text left; None if it cannot be read."""
        if place["no_sets"] or place["nothing_else"]:
            return [], behind
        if said := self._last_said(before):
            value, rest = self._stated(said[0]), behind
        elif not _SIGNS.sub("", behind):
            return None, ""
        else:
            own, _, rest = behind.rpartition(";")
            if not (self.said.search(own) and self._last_said(rest)):
                own, rest = behind, ""  # what stands before the next place is not of that
            value = self._stated(own, bool(place["across"]))
        return None if value is None else (value, rest)

    def _found_places(self, unit: str) -> list[re.Match[str]]:
        """Return where a sentence names steps; not in an explanation at its end, and nowhere if that states more."""
        places: list[re.Match[str]] = []
        position = 0
        while place := _PLACE.search(unit, position):
            if places and self._explained(unit[position : place.start()])[1]:
                return [] if self.said.search(unit, place.start()) else places
            places.append(place)
            position = len(unit) if place["across"] else place.end()
        return places

    def _explained(self, text: str) -> tuple[str, str, str]:
        """Return a text with a sign for what it states, the explanation behind that, and what stands in brackets."""
        said = self.said.sub(_SAID, text)
        asides, said = " ".join(_ASIDE.findall(said)), _ASIDE.sub("", said)
        gloss = _GLOSS.search(said, said.find(_SAID) + 1)
        end = gloss.start() if gloss else len(said)
        return said[:end], said[end:], asides

    def _is_denied(self, text: str) -> bool:
        """Tell if the words around what a text states deny or doubt it."""
        main, gloss, asides = self._explained(text)
        return bool(_DENIES.search(main) or is_open(main) or _DOUBTS.search(f"{gloss} {asides}"))

    def _last_said(self, text: str) -> re.Match[str] | None:
        """Return the last literals in a text, if they belong to what stands behind it."""
        said = None
        for said in self.said.finditer(text):  # noqa: B007
            pass
        apart = said and (
            _DENIES.search(text, said.end()) or re.search("[:;.]", text[said.end() :])
        )
        return None if apart else said

    @staticmethod
    def _leads(unit: str, start: int) -> bool:
        """Tell if a sentence may begin so, before the first step or literal of it at ``start``."""
        lead = unit[:start]
        argued = _ARGUED.split(lead)[-1]
        if is_open(lead) or _CLAIMED.search(argued) or _DENIES.search(argued):
            return False
        return (
            not re.search(r"\w", lead)
            or lead.rstrip().endswith(":")
            or _SUBJECT.search(unit) is not None
        )

    def _stated(self, text: str, across: bool = False) -> list[Any] | None:
        """Return the sentences, or clauses over several steps, that a text states; None if it cannot be read."""
        text = _SIGNS.sub("", text)
        read = self._clauses if across else self._sentences
        said = list(self.said.finditer(text))
        if (value := read(text)) is not None or not said:
            return value
        glosses = _GLOSS.finditer(text, said[0].end())
        end = next((each.start() for each in glosses if not (across and "(" in each[0])), len(text))
        last = max(each.end() for each in said if each.start() < end)
        return read(text[:end] if across else text[said[0].start() : last])

    def _sentences(self, text: str) -> list[Any] | None:
        listed = value_of(text)
        sets = _SET.findall(text)
        if sets and listed is None and not re.sub(r"\band\b|[\s,;]", "", _SET.sub("", text)):
            parts = [_JOINED.split(each.strip()) for each in sets]
            listed = [
                each for part in parts for each in (part if self.single else [" or ".join(part)])
            ]
        sentences = Sentences(self.known)
        try:
            formulas = sentences.formulas(text if listed is None else listed)
        except Unreadable:
            return None
        if any(node[0] == "literal" and node[1] not in self.known for node in nodes(formulas)):
            return None
        value = listed if isinstance(listed, list) else [text if listed is None else listed]
        return [
            each for each, formula in zip(value, formulas, strict=False) if formula != ("true",)
        ]

    def _clauses(self, text: str) -> list[Any] | None:
        if self._sentences(text) == []:
            return []
        text = _BEHIND.sub(r"@\1", text)
        listed = value_of(text)
        if listed is None:
            whole = not re.sub(r"\band\b|[\s,;]", "", _BRACKETED.sub("", text))
            sets = _BRACKETED.findall(text) if whole else text.split(";")
            listed = [_JOINED.split(re.sub("[\"']", "", each).strip()) for each in sets]
            listed = [[each] for part in listed for each in part] if self.single else listed
        try:
            literals = [
                literal for clause in clauses(listed, Sentences(self.known)) for literal in clause
            ]
        except Unreadable:
            return None
        return listed if literals and all(name in self.known for _, name, _ in literals) else None

    def _whole(self, run: _Run) -> Found:
        """Return what a run states, if that is a whole cause."""
        unsaid = set(range(self.last + 1)) - run.said.keys()
        named = len(unsaid) <= self.last or _EVERY.search(self.text, run.start, run.end)
        missing = unsaid and not (run.said.get(_REST) == [] and (named or run.said.get(_CROSSING)))
        lead = lead_of(self.text, run.start)
        alone = not (self.text[: run.start] + self.text[run.end :]).strip()
        subject = alone or _SUBJECT.search(f"{lead}\n{self.text[run.start : run.end]}")
        broken = run.broken or None in run.said.values() or self._leaves_out(run, run.above)
        if missing or broken or not subject or not (self.single or self._settles_sets(run, lead)):
            return Found(run.start, run.end)
        value: dict[str, Any] = {str(step): [] for step in sorted(unsaid)}
        value |= {str(step): said for step, said in run.said.items() if step >= 0}
        if crossing := run.said.get(_CROSSING):
            value["cross_step_clauses"] = crossing
        return Found(run.start, run.end, value)

    def _settles_sets(self, run: _Run, lead: str) -> bool:
        """Tell if sets over several steps are stated, or said or implied to be none."""
        if _CROSSING in run.said:
            return True
        marked = _MARKED.search(f"{lead} {self.text[run.start : run.start + _MARK]}")
        only = _ONLY.search(self.text, run.start, run.end)
        return bool(only or marked) and not _SETS_SPOKEN_OF.search(self.text, run.end)


def _places(place: re.Match[str]) -> list[int]:
    if place["across"] or place["no_sets"]:
        return [_CROSSING]
    steps: list[int] = []
    for first, end in _RANGE.findall(place["steps"] or place["bare"] or ""):
        steps += range(int(first), int(end or first) + 1)
    return steps or [_REST]
