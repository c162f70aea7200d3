"""A cause that is stated without JSON (in a table, in lines, in sentences), as the object that states the same.

Each step has to be named, or it is said that nothing else is constrained.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from harness_answers.json_objects import Parsed

from harness_tempobench.answers.rows import NEEDLESS, Found, lead_of, lines, standing
from harness_tempobench.answers.sentences import Sentences, Unreadable
from harness_tempobench.answers.terms import (
    CROSSING,
    REST,
    Pair,
    Term,
    Terms,
    clause_of,
    paired,
    places_of,
)
from harness_tempobench.constraint import MAX_SENTENCE
from harness_tempobench.targets import Effect

_KEPT = (
    r"(?:necessary|needed|required|notwendig\w*|nötig\w*|necesari[oa]s?|nécessaires?|necessari[aeo]?"
    r"|necessári[ao]s?)"
)
_NOUN = r"(?:literals?|inputs?|literalen?|eingaben?|literales|entradas|littéraux|entrées|letterali|ingressi|literais)"
_ARE = r"(?:is|are|was|were|waren|eran|étaient|sind|ist|son|es|sont|est|sono|são)"
_SETS = r"(?:breaking sets?|mengen?|conjuntos? \w+|ensembles? \w+|insiemi \w+)"
_LIST_HEAD = re.compile(
    rf"\b(?:{_SETS}|{_KEPT} {_NOUN}|{_NOUN} (?:(?:(?:that|which) )?{_ARE} )?{_KEPT})"
    rf"(?:,? (?:that|which|die|que|qui|che)\b[^:]{{0,40}}?)?\W{{0,3}}(?::|\b{_ARE}:?(?=\s))",
    re.IGNORECASE,
)
_WITHIN = re.compile(
    r"\b(?:within|(?:one|single)[ -]step|in (?:einem|un(?:o|a)?|une?)\b)", re.IGNORECASE
)
_ONLY = re.compile(r"\b(?:only|sole|nothing else|no others?)\b", re.IGNORECASE)
_SUBJECT = re.compile(
    rf"\b(?:answers?|results?|{_KEPT}|final|matters?|(?:un)?constrain\w+|causes?|breaking|must"
    r"|needs?|requires?|get|cross[- ]step|minimal\w*|mínim\w+|einschränk\w*|restric\w+|contraint\w*)\b|(?<!\w)X+ ",
    re.IGNORECASE,
)
# The head of a column that may list the opposite.
_NO_SUBJECT = re.compile(
    rf"{NEEDLESS}|\b(?:candidates?|can be|free\w*)|\Aflip(?:s|ped)?\Z", re.IGNORECASE
)
_MARKED = re.compile(r"\b(?:answers?|results?)\b", re.IGNORECASE)
_SETS_SPOKEN_OF = re.compile(r"\b(?:cross|across|sets?|pairs?|triples?|together)\b", re.I)
_SENTENCE_END = re.compile(r"(?<=[.?])[\s*]+(?=[^\W\d_a-zß-öø-ÿ]|[\"'!(¬¿])")
_EVERY = re.compile(
    r"\b(?:no|any|every|all|each) (?:single |(?:the )?(?:[0-9]+|two|three|four|five|six|seven|eight) )?steps?\b",
    re.I,
)
_NAMED = re.compile(r"\bsteps?[ _]?([0-9]{1,3})\b", re.IGNORECASE)
_OTHERS = re.compile(r"\b(?:any|every|all|each) other\b", re.IGNORECASE)
_ADDS = re.compile(
    r"\W*(?:also|and|in addition|additionally|plus|furthermore|moreover|likewise)\b", re.IGNORECASE
)
_ENDS = re.compile(
    r"\W*(?:so|thus|hence|therefore|in (?:summary|conclusion|total)|overall|altogether|answers?|results?"
    r"|somit|daher|insgesamt|por (?:lo )?tanto|donc|quindi|portanto|dus)\b",
    re.IGNORECASE,
)
_CUT = re.compile(r"(?:\b(?:and|or|und|oder|y|o|et|ou|e)|[,:({\[]|\s[!~¬])\s*\Z", re.IGNORECASE)
_ENTRY = re.compile(r"[0-9{\[]|\w_")
_CLOSES = re.compile(
    r"\b(?:these|those|diese|dies|estos|estas|ces)\b.{0,40}\b(?:all|only|alle|todos|todas|tous)\b",
    re.I,
)
_MARK = 30
_FEW = 3  # literals that can only be one set over several steps

# What stands below: a list that is whole, what is within one step; and sets, whatever their steps.
_ALL, _EACH, _SET = -3, -4, -5

_Statements = list[tuple[int, "list[Any] | None"]]


@dataclass(slots=True)
class _Run:
    """What lines and sentences that follow one another state, by step; None where that is still to come.

    ``above``: the sentence before them, if it cannot be read. ``coming``: what stands below is stated of it.
    ``closed``: they are a list of all sets, or of all literals that are necessary.
    """

    start: int
    above: str
    end: int = 0
    said: dict[int, list[Any] | None] = field(default_factory=dict)
    coming: list[int] = field(default_factory=list)
    closed: bool = False
    broken: bool = False

    def add(self, statements: _Statements) -> None:
        """Add statements: to what was stated of a place before, if both constrain it."""
        for where, stated in statements:
            if where <= _ALL:
                self.closed |= where == _ALL
                self.add([each for clause in stated or () for each in _placed(clause)])
                continue
            before = self.said.setdefault(where, stated)
            if before is None:
                self.said[where] = stated
            elif stated is None:
                self.broken = True
            elif before != stated:
                self.broken |= not (before and stated)
                self.said[where] = before + stated


def _placed(clause: list[str]) -> _Statements:
    """Return a set as what is stated of its only step, or of several steps."""
    steps, literals = zip(*(literal.split(":", 1) for literal in clause), strict=True)
    if len(set(steps)) > 1:
        return [(CROSSING, [clause])]
    return [(int(steps[0]), [" or ".join(literals)])]


def cause(text: str, effect: Effect, known: frozenset[str], single: bool) -> Parsed | None:
    """Return the cause that a reply states without JSON, as an object from steps to sentences; None without one.

    Args:
        text: the reply without its markup.
        effect: what is to be explained.
        known: the propositions.
        single: whether necessary literals were asked for, and no sets.
    """
    found = _Reader(text, effect, known, single).found() if known else ()
    best = standing(text, list(found))
    return Parsed(text, best.start, best.end, False, best.value) if best else None


class _Reader:
    def __init__(self, text: str, effect: Effect, known: frozenset[str], single: bool) -> None:
        self.text, self.last, self.known, self.single = text, effect["step"], known, single
        self.terms = Terms(known, effect, single)

    def found(self) -> Iterator[Found]:
        """Yield what is stated: each run of lines and sentences that can be read."""
        run: _Run | None = None
        above, above_end = "", 0
        for start, end, unit in self._units():
            apart = "\n\n" in self.text[run.end if run else above_end : start]
            stated = self._statements(unit, run.coming if run else [])
            if stated is None:
                if run:
                    goes_on = not apart or _ADDS.match(unit)
                    entry = self.text[:start].rstrip(" \t*-•").endswith("\n") and _ENTRY.search(
                        unit
                    )
                    listed = entry and run.coming[:1] in ([_ALL], [CROSSING])
                    cut = end >= len(self.text.rstrip()) and re.search(r"\w\Z", unit)
                    left = listed or cut or self._leaves_out(run, unit)
                    run.broken |= bool(goes_on and left)
                    yield self._whole(run)
                run, above, above_end = None, unit, end
                continue
            if run and _ENDS.match(unit) and self._begins_anew(run, _Run(start, "", end), stated):
                yield self._whole(run)
                run = None
            run = run or _Run(start, "" if apart else above)
            run.end = end
            if not run.coming or any(where not in (*run.coming, _SET) for where, _ in stated):
                run.coming = [where for where, said in stated if said is None]
            run.add(stated)
        if run:
            run.broken |= _CUT.search(self.text) is not None
            yield self._whole(run)

    def _begins_anew(self, run: _Run, concluding: _Run, stated: _Statements) -> bool:
        """Tell if a sentence "So …" states all itself, or what stands before it is no answer."""
        concluding.add(stated)
        return self._whole(concluding).value is not None or self._whole(run).value is None

    def _leaves_out(self, run: _Run, sentence: str) -> bool:
        """Tell if a sentence that cannot be read names a step that the others do not name."""
        named = {int(step) for step in _NAMED.findall(self.terms.plain(sentence))}
        known = {int(step) for step in _NAMED.findall(self.text[run.start : run.end])}
        known |= {
            int(timed.partition(":")[0])
            for clause in run.said.get(CROSSING) or ()
            for timed in clause
        }
        new = not named <= known | run.said.keys() and not _OTHERS.search(sentence)
        return (REST in run.said or run.closed) and new

    def _units(self) -> Iterator[tuple[int, int, str]]:
        """Yield start, end and text of each sentence; of a row of a table its step and what is stated of it."""
        heads: object = None
        for line in lines(self.text):
            if line.cells:
                others = [key for key in line.cells if key != line.step]
                named = [key for key in others if len(others) == 1 or _SUBJECT.search(key)]
                named = [key for key in named if not _NO_SUBJECT.search(key)]
                label = line.cells[line.step]
                said = "?" if len(named) != 1 or not label else line.cells[named[0]].strip("-–—")
                said = said or "none"
                if line.step == next(iter(line.cells)):
                    yield line.start, line.end, f"{label}: {said}"
                    continue
                if named and heads != line.cells.keys():
                    yield line.start, line.start, f"{named[0]}:"
                heads = line.cells.keys()
                yield line.start, line.end, f"{said} at step {label}"
                continue
            start = line.start
            for piece in filter(None, _SENTENCE_END.split(line.text[:MAX_SENTENCE])):
                end = max(start, self.text.find(piece, start)) + len(piece)
                yield start, end, piece
                start = end

    def _statements(self, unit: str, coming: list[int]) -> _Statements | None:
        """Return what a sentence states, by place; None where it cannot be read as a whole.

        ``coming``: what stands below a heading, such as "Step 2:" or "The minimal breaking sets are:".
        """
        unit = self.terms.plain(unit)
        terms = self.terms.of(unit)
        if terms is None:
            return None
        kinds = {term.kind for term in terms}
        head = _LIST_HEAD.search(unit)
        before = self.terms.of(unit[: head.start()]) or [] if head else []
        heads = head is not None and not any(term.kind in ("said", "place") for term in before)
        if not kinds & {"said", "set"}:
            return _without_literals(unit, terms, coming, heads)
        if self.single:
            stated = self._stated([term for term in terms if term.kind != "across"], coming)
            return stated and [*([(_ALL, None)] if heads else []), *stated]
        within, across, crossing = _split(terms)
        listed = coming[0] if coming and not across and "none" not in kinds else 0
        if heads or listed == _ALL:
            listed, crossing = _ALL, [*crossing, (_ALL, None)]
        of_steps = self._stated(within, coming, listed, heads) if within else []
        of_sets = self._stated(across, [], CROSSING, inline=True) if across else []
        return None if of_steps is None or of_sets is None else [*crossing, *of_steps, *of_sets]

    def _stated(
        self, terms: list[Term], coming: list[int], listed: int = 0, inline: bool = False
    ) -> _Statements | None:
        """Return what is stated of steps, and the sets: in braces, or all literals of an entry in a list of sets.

        ``listed``: of what kind this list is, if any; ``inline``: several sets may stand in it, one after the other.
        """
        stated: _Statements = [(REST, [])] if any(term.kind == "only" for term in terms) else []
        for part in _parts(terms):
            kinds = {term.kind for term in part}
            if "set" in kinds:
                stated.append((_SET, [term.value for term in part if term.kind == "set"]))
                if "said" not in kinds:
                    continue
            kept = [term for term in part if term.kind in ("place", "other", "said", "none")]
            pairs = paired(_without_repeated(kept))
            if pairs is None and kinds <= {"said", "only", "together"}:
                above = [where for where, _ in stated if where >= 0][-1:]
                pairs = [
                    (above or [where for where in coming if where >= REST], each) for each in kept
                ]
            together = "together" in kinds and not self.single
            as_sets = listed in (_ALL, CROSSING) or (together and len(pairs or ()) > 1)
            unclear = "or" in kinds and not as_sets
            if not pairs or unclear or not all(places for places, _ in pairs):
                return None
            if as_sets:
                several = [term.kind for term in part].count("together") != 1
                stated.append((_SET, _sets(pairs, listed, inline and several)))
            for places, said in () if as_sets else pairs:
                value = self._sentences(said, together)
                stated += [(where, value) for where in places]
            if any(said is None for _, said in stated):
                return None
        return stated

    def _sentences(self, said: Term, together: bool) -> list[str] | None:
        """Return a formula as the sentences of a step; None if it cannot be read."""
        text = str(said.value or "").translate({ord("{"): "(", ord("}"): ")"})
        text = text.replace(" and ", " or ") if together else text
        try:
            Sentences(self.known).formulas([text])
        except Unreadable:
            return None
        return [text] if text else []

    def _whole(self, run: _Run) -> Found:
        """Return what a run states, if that is a whole cause."""
        if run.closed:
            run.said = {REST: [], CROSSING: [], **run.said}
        unsaid = set(range(self.last + 1)) - run.said.keys()
        named = len(unsaid) <= self.last or _EVERY.search(self.text, run.start, run.end)
        missing = unsaid and not (run.said.get(REST) == [] and (named or run.said.get(CROSSING)))
        lead = lead_of(self.text, run.start)
        alone = not (self.text[: run.start] + self.text[run.end :]).strip()
        subject = alone or _SUBJECT.search(f"{lead}\n{self.text[run.start : run.end]}")
        broken = run.broken or None in run.said.values() or self._leaves_out(run, run.above)
        if missing or broken or not subject or not (self.single or self._settles_sets(run, lead)):
            return Found(run.start, run.end)
        value: dict[str, Any] = {str(step): [] for step in sorted(unsaid)}
        value |= {str(step): said for step, said in run.said.items() if step >= 0}
        if crossing := run.said.get(CROSSING):
            value["cross_step_clauses"] = crossing
        return Found(run.start, run.end, value)

    def _settles_sets(self, run: _Run, lead: str) -> bool:
        """Tell if sets over several steps are stated, or said or implied to be none."""
        if CROSSING in run.said:
            return True
        marked = _MARKED.search(f"{lead} {self.text[run.start : run.start + _MARK]}")
        only = _ONLY.search(self.text, run.start, run.end)
        within = _WITHIN.search(self.text, run.start, run.end)
        return bool(only or marked) and not (within or _SETS_SPOKEN_OF.search(self.text, run.end))


def _without_literals(
    unit: str, terms: list[Term], coming: list[int], head: bool
) -> _Statements | None:
    """Return what a sentence without literals states: that nothing is constrained, or what stands below it."""
    places = [where for term in terms for where in places_of(term)]
    kinds = [term.kind for term in terms if term.kind in ("place", "none")]
    if kinds == ["place", "none", "place"]:  # one of them is not of what is none
        return None
    if "none" in kinds:
        parts = [{term.kind for term in part} for part in _parts(terms)]
        if any("place" in part and "none" not in part for part in parts):
            return None
        above = [where for where in coming if where not in (_ALL, _EACH)]
        return [(where, []) for where in places or above or [REST]]
    heads = unit.endswith(":") or len(unit) < 2 * _MARK
    if (head and CROSSING not in places) or (not places and _CLOSES.search(unit)):
        places = [_ALL]
    elif not places and heads and _WITHIN.search(unit):
        places = [_EACH]
    return [(where, None) for where in places] if places and (head or heads) else None


def _parts(terms: list[Term]) -> Iterator[list[Term]]:
    """Yield what stands between semicolons."""
    part: list[Term] = []
    for term in [*terms, Term("end")]:
        if term.kind != "end":
            part.append(term)
        elif part:
            yield part
            part = []


def _split(terms: list[Term]) -> tuple[list[Term], list[Term], _Statements]:
    """Return the terms of steps, those of sets over several steps, and whether there are said to be none of these."""
    for at in range(len(terms) - 1):
        if {terms[at].kind, terms[at + 1].kind} == {"none", "across"}:
            return terms[:at] + terms[at + 2 :], [], [(CROSSING, [])]
    kinds = [term.kind for term in terms]
    if "across" not in kinds:
        return terms, [], []
    at = kinds.index("across")
    before, behind = terms[:at], terms[at + 1 :]
    return (before, behind, []) if {"said", "set"} & set(kinds[at:]) else (behind, before, [])


def _without_repeated(terms: list[Term]) -> list[Term]:
    """Return terms without steps at the end that are those of all literals before them."""
    if len(terms) < 3 or not terms[-1].kind == terms[-2].kind == "place":
        return terms
    named = {step for term in terms[:-1] for step in places_of(term)}
    return terms[:-1] if set(places_of(terms[-1])) == named else terms


def _sets(pairs: list[Pair], listed: int, inline: bool) -> list[list[str]] | None:
    """Return literals with their steps as one set, or as one for each pair in braces; None if that is unclear."""
    braced = all("{" in str(said.value) for _, said in pairs)
    if inline and len(pairs) > (_FEW if listed == CROSSING else 1) and not braced:
        return None
    sets = [clause_of([pair]) for pair in pairs] if braced else [clause_of(pairs)]
    clauses = [clause for clause in sets if clause]
    one_step = any(
        len({literal.partition(":")[0] for literal in clause}) == 1 for clause in clauses
    )
    return None if len(clauses) < len(sets) or (one_step and listed == CROSSING) else clauses
