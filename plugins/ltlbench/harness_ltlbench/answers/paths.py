"""The path behind a verdict: ``event3, event1, (event2)`` and the many ways to write that."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice

from harness_logic.lassos import shortest

from harness_ltlbench.answers.cleaning import end_of_line

MAX_PATH = 10_000

_TOKEN = re.compile(
    r"(?P<event>event[ \t_]{0,3}(?P<name>[0-9]{1,9})(?!\w))|(?P<short>e_?(?P<digits>[0-9]{1,9})(?!\w))|("
    r"?P<number>[0-9]{1,9})(?!\w)"
    r"|(?P<open>[(\[])|(?P<close>[)\]])|(?P<omega>\^?[ \t]?[ω∞])|(?P<dots>\.{3}(?=\s{0,3}[)\]]))|(?P<stop>[.\n])"
    r"|(?P<dash>[–—])|(?P<comma>,)|[\s:;>=\"'^-]|(?P<word>\w+|.)"
)
_FILLER = re.compile(
    "an?|the|then|and|path|sequence|counter|example|counterexample|violating|possible|one|is"
    "|for|e|g|prefix|because|with|followed|by|next|along|this|run"
)
_LEAD = re.compile(rf"(?:[\s:,;.\"'-]{{1,3}}(?:{_FILLER.pattern})\b){{0,9}}[\s:,;.\"'-]{{0,3}}")
_BRACKET = re.compile(r"[\s:]{0,5}[(\[]")
_VIOLATES = re.compile("violates|refutes|falsifies|contradicts|breaks|is")
_SUFFIX = re.compile(
    "repeat(?:s|ed|ing|edly)?|forever|infinitely|often|loop(?:s|ing)?|cycles?|indefinitely|and"
    "|so|on|then|which"
)
# Two lists: "[event1], [event2, event3]", or {"prefix": [1], "cycle": [2, 3]}.
_LIST = r"\[\s{0,3}((?:[\"']?(?:event[ _]?)?[0-9]{1,9}(?!\w)[\"']?[\s,]{0,3}){%s,200})\]"
_PAIR = re.compile(
    r"[\s,:;.\"'-]{0,9}(?:(?:path|counter-?example)[\s:\"']{1,9})?(?:prefix[\s:=\"']{1,9})?"
    + _LIST % 0
    + r"[\s,;\"']{1,9}(?:(?:cycle|loop)[\s:=\"']{1,9})?"
    + _LIST % 1
    + r"(?![\s,;>-]{0,9}(?:[\[(]|event))"
)

# Events without brackets, and what says that they go on: "…", "back to event1", "(loop)".
_STEP = r"(?:event[ _]?|e_?)[0-9]{1,9}(?!\w)"
_JOINT = r"(?:[\s,;:>·-]|(?:and )?then\b){1,6}"
_ENDS = (
    r"(?:[\s,.();]|and|so|on|the|these|two|three|pattern|alternat(?:es?|ing)|repeat(?:s|ing)?|forever|indefinitely"
    r"|infinitely|often|loop(?:s|ing)?|etc\b){0,12}"
)
_UNROLLED = re.compile(
    r"[\s:,;.\"'`(-]{0,9}(?:(?:path|counter-?example)[\s:]{1,5})?"
    rf"(?P<events>{_STEP}(?:{_JOINT}{_STEP}){{0,300}})(?:{_JOINT}|[ \t]{{0,3}}\()(?:and[ ]|it )?"
    r"(?:(?:(?:loops?|looping|goes|going|returns?|returning|cycles?|cycling) )?(?:back )to (?:event[ _]?|e_?)"
    r"(?P<back>[0-9]{1,9})(?!\w)|(?P<dots>\.{3})|(?P<loop>(?:loop|cycle|repeat)(?:s|ing)?\b))"
    rf"{_ENDS}(?:$|(?=\n))",
    re.MULTILINE,
)


# "event1, event2, then these two repeat forever", "[event1, event2] repeats forever", "it starts with event1, goes on
# with event2 and event3, and repeats the last two events in this order forever"
_FOREVER = r"(?:forever|endlessly|infinitely|indefinitely|for ?ever|without end|again and again|over and over)"
_COUNTS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_COUNT = re.compile(rf"\b(?:[0-9]{{1,2}}|{'|'.join(_COUNTS)})\b")
_OF_THEM = (
    rf"(?:(?:and|so|on|then|it|which|these|those|them|the|all|this|that|in|order|same|whole|last|over|through|events?"
    rf"|ones?|block|pattern|loop|cycle|sequence|{_COUNT.pattern})\b[,;]?)"
)
_REPEATED = re.compile(
    rf"[\s:,;.\"'-]{{0,9}}(?P<list>\[)?(?P<events>{_STEP}(?:[\s,;>]{{1,6}}(?:(?:and|then|next|goes|going|moves|continues"
    r"|followed|it|on|to|with|by|through|the|cycle|loop)[ ,]{1,2}){0,6}"
    rf"{_STEP}){{0,300}})(?(list)\]|)[\s,;.…—–-]{{1,9}}(?P<how>(?:{_OF_THEM}[ ]){{0,9}}(?:repeat|loop|cycl|recur)\w*"
    rf"(?:[ ]{_OF_THEM}){{0,9}})[ ]{_FOREVER}(?:[, ]{{1,2}}(?:beginning|starting)[ ](?:with|at|from)[ ]{_STEP})?"
    r"(?:[^\w\n]{0,9}(?:$|(?=\n))|(?=[.;]|[ ]\(|,? is (?:a|the|one) (?:\w+ )?counter-?example))",
    re.MULTILINE,
)


class _UnreadableError(Exception):
    """The text is no path, or more than one."""


class _PathReader:
    """Collects events; one bracket pair is the loop, a second around everything is ignored."""

    def __init__(self) -> None:
        self.prefix: list[int] = []
        self.group: list[int] | None = None
        self.cycle: list[int] | None = None
        self.wrapped = False
        self.leading = ""  # the bracket that opened before any event
        self.kinds: set[str] = set()
        self.joints: set[str] = set()  # "event1–event3, event4" may leave out event2
        self.dotted = False
        self.claimed = False  # "because event1, (event2)": a path only if that is then said of it

    def event(self, kind: str, number: str) -> None:
        self.kinds.add(kind)
        if self.cycle is not None or len(self.kinds) > 1 or self.dotted:
            raise _UnreadableError
        target = self.prefix if self.group is None else self.group
        target.append(int(number))
        if len(self.prefix) + len(self.group or ()) > MAX_PATH:
            raise _UnreadableError

    def join(self, kind: str) -> None:
        if not self.kinds or self.cycle is not None:
            return
        if kind != "dots":
            self.joints.add(kind)
        elif self.group:
            self.dotted = True
        else:
            raise _UnreadableError

    def open(self, bracket: str) -> None:
        if self.cycle is not None:
            raise _UnreadableError
        if self.group is not None:
            if self.wrapped or not self.leading:
                raise _UnreadableError
            self.wrapped, self.prefix = True, self.group
        elif not self.prefix:
            self.leading = bracket
        self.group = []

    def close(self) -> None:
        if self.cycle is not None:
            return
        # A list in square brackets and nothing else says nothing of a loop.
        if not self.group or (self.leading == "[" and not self.wrapped):
            raise _UnreadableError
        self.cycle, self.group = self.group, None
        if len(self.joints) > 1:
            raise _UnreadableError

    def omega(self) -> None:
        """Event^ω: the single event before the sign repeats."""
        if self.cycle is not None:
            return
        if self.group is not None or not self.prefix:
            raise _UnreadableError
        self.cycle = [self.prefix.pop()]


def path_after(low: str, begin: int) -> tuple[dict[str, list[int]] | None, int]:
    """Return the path that follows a verdict, or None, and where it or the line ends."""
    if pair := _PAIR.match(low, begin):
        prefix, cycle = (
            [int(event) for event in re.findall(r"[0-9]{1,9}", pair[side])] for side in (1, 2)
        )
        return {"prefix": prefix, "cycle": cycle}, pair.end()
    lead = _LEAD.match(low, begin)
    place = lead.end() if lead else begin
    if unrolled := _UNROLLED.match(low, place):
        path = _rolled(unrolled)
        return path, unrolled.end()
    if told := _ALTERNATING.match(low, place):
        return {side: _numbers(told[side] or "") for side in ("prefix", "cycle")}, told.end()
    if repeated := _REPEATED.match(low, place):
        return _repeated(repeated), repeated.end()
    reader, end = _PathReader(), begin
    try:
        for token in _path_tokens(low, begin, reader):
            end = token.end()
            _take(reader, token)
    except _UnreadableError:
        return None, max(end, end_of_line(low, begin)) if reader.kinds else begin
    if reader.cycle is None or _DENIED.match(low, end):
        return None, end if reader.kinds else begin
    return {"prefix": reader.prefix, "cycle": reader.cycle}, end


def path_elsewhere(low: str, start: int, behind: int | None) -> dict[str, list[int]] | None:
    """Return the one path that a reply shows away from its verdict; None if there is none, or several.

    Args:
        low: the reply.
        start: where the verdict begins. What stands behind that counts, else on its line and the one above, else all.
        behind: where something ends that looks like a path behind the verdict: then only what follows counts.
    """
    found = list(_paths(low))
    if behind is not None:
        places = [behind]
    else:
        above = low.rfind("\n", 0, len(low[: low.rfind("\n", 0, start) + 1].rstrip())) + 1
        places = [start, above, 0]
    for place in places:
        if paths := [path for at, path in found if at >= place]:
            whole = max(paths, key=lambda path: len(path["prefix"]))
            loop = shortest(**whole)
            return whole if all(_ends_like(loop, shortest(**path)) for path in paths) else None
    return None


_RUN = rf"{_STEP}(?:(?:[\s,;:>·-]|(?:and|then|next|followed by)\b){{1,8}}{_STEP})*"
# Events and what says that they go on, so that a path may be read there.
_SHOWN = re.compile(
    rf"(?:[(\[][\s\"']{{0,3}})?(?<!\w)(?!(?<=beginning with ){_STEP} \(){_RUN}"
    r"(?:(?=(?P<on>[\s,;:.>·-]{0,6}(?:[()\[\]]|\.\.|\^?[ ]?[ω∞]"
    r"|(?:and |then |followed by |it |these |this |all |the |back |looping |going ){0,3}(?:\w+ ){0,2}(?:loop|cycl"
    r"|repeat|recur|back|go|return|to\b))|[ ]?[)\]])))?"
)
_NAMED = re.compile(
    rf"\b(?:prefix|stem)\W{{1,9}}(?P<prefix>{_RUN}|(?:empty|none)\b)\W{{1,9}}(?:(?:and|then|the)\W{{1,3}}){{0,2}}"
    rf"(?:loop|cycle|repeat\w*)(?:[ ]\([^()\n]{{1,30}}\))?\W{{1,9}}(?P<cycle>{_RUN})"
)
# "… goes to event8, and from then on alternates between event3 and event4 forever": what stands before is the prefix.
_ALTERNATING = re.compile(
    rf"\b(?:(?P<prefix>(?:(?:begin|start|first|goes|go|moves?|take|then|to|with|in|at)\w*[ ,]{{1,2}}){{0,4}}{_STEP}"
    rf"(?:[^\w.;\n]{{1,3}}(?:(?:and|then|goes|go|moves|to|next)[ ]){{0,4}}{_STEP}){{0,30}})"
    r"[^\w.;\n]{1,3}(?:(?:and|then|first|afterwards|after|from|there|on|that|it|keeps?)[ ,]{1,2}){0,6})?"
    r"(?:(?:alternat|cycl|loop|circl|rotat|repeat|switch)(?:es?|s|ing)?|(?:goes|going|go)(?= (?:through|a?round)))[ ]"
    r"(?:(?:between|through|among|a?round|over|the|loop|cycle)[ ]){0,3}"
    rf"(?P<cycle>{_STEP}(?:(?:,[ ]|,?[ ]and[ ]|,?[ ]then[ ]|[ ]?-?>[ ]?){_STEP})+)"
    rf"(?=[ ,]{{1,2}}(?:\.\.\.[ ,]{{0,2}})?{_FOREVER}|,?[ ]\.\.\.)"
)


_MAX_SHOWN = 300  # places with events at which a path is looked for


def _paths(low: str) -> Iterator[tuple[int, dict[str, list[int]]]]:
    """Yield where a path begins that can be read, and the path."""
    for named in chain(_NAMED.finditer(low), _ALTERNATING.finditer(low)):
        begin = max(low.rfind(end, 0, named.start()) for end in ".\n")
        if "event" in low[max(0, begin) : named.start()]:
            continue  # what leads to the loop is not understood
        yield named.end(), {side: _numbers(named[side] or "") for side in ("prefix", "cycle")}
    place = 0
    for shown in islice((run for run in _SHOWN.finditer(low) if run["on"]), _MAX_SHOWN):
        if shown.start() >= place:
            path, end = path_after(low, shown.start())
            if path and _is_introduced(low, shown.start(), end):
                yield shown.start(), path
            place = end if path else place


# Right before a path or behind it: what denies that it is one, or a counterexample.
_NO_PATH = re.compile(
    r"(?:\b(?:not|never|doubt\w*|nor|neither|nicht|kein\w*)\b|n't\b)(?:(?: be)?(?: true| the case| likely)? that\b)?"
    rf"(?:[\s:(\"'\[,]|\b(?:be|(?:fails?|violate[sd]?)(?: on| in| along)?|loop|cycle|{_FILLER.pattern})\b){{0,40}}\Z"
)
_DENIED = re.compile(
    r"[^\w.\n]{0,9}(?:(?:is|was|are|does|do|can|could|would)(?:n't| not)|is no|cannot)"
    r"(?: (?:be|an?|the|any|one|really|valid|possible|violating)){0,3} (?:counter-?examples?|paths?|sequences?|runs?"
    r"|witness|violat\w+|break|refute|fail|occur|happen|possible|allowed|valid|it|work)\b"
)
# On the line of a path, or the one above it: what says that it is a counterexample.
_INTRODUCES = re.compile(
    r"\b(?:counter-?examples?|sequences?|paths?|runs?|traces?|loops?|witness\w*|violat\w+|break\w*|fails?|forever)\b"
    r"|\bfalse[\s:,>\"'-]{1,6}\Z"
)


def _is_introduced(low: str, start: int, end: int) -> bool:
    if _NO_PATH.search(low, max(0, start - 99), start) or _DENIED.match(low, end):
        return False
    line = low.rfind("\n", 0, start) + 1
    if not re.search(r"\w", low[max(line, start - 99) : start]):
        line = low.rfind("\n", 0, len(low[:line].rstrip())) + 1
    behind = low[end : min(end_of_line(low, end), end + 200)]
    return any(_INTRODUCES.search(said) for said in (low[max(line, start - 400) : start], behind))


_Lasso = tuple[list[int], list[int]]


def _ends_like(whole: _Lasso, path: _Lasso) -> bool:
    """Tell whether a path is another one, or how that goes on from some event."""
    (begun, loop), (prefix, cycle) = whole, path
    if prefix:
        return cycle == loop and begun[-len(prefix) :] == prefix
    return len(cycle) == len(loop) and f",{_listed(cycle)}," in f",{_listed(loop * 2)},"


def _listed(events: list[int]) -> str:
    return ",".join(map(str, events))


def _numbers(events: str) -> list[int]:
    return [int(number) for number in re.findall(r"[0-9]{1,9}", events)]


def _rolled(found: re.Match[str]) -> dict[str, list[int]] | None:
    """Return the lasso that events without brackets are; None where it is not certain where it goes back to."""
    events = _numbers(found["events"])
    if found["back"]:
        events.append(int(found["back"]))
    if not found["back"]:
        for length in range(1, len(events) // 2 + 1):  # a loop that is written out twice, or more
            if events[-length:] == events[-2 * length : -length]:
                start = len(events) - 2 * length
                while start > 0 and events[start - 1] == events[start + length - 1]:
                    start -= 1
                return {"prefix": events[:start], "cycle": events[start : start + length]}
    if events.count(events[-1]) != 2:
        return None
    start = events.index(events[-1])
    return {"prefix": events[:start], "cycle": events[start:-1]}


def _repeated(found: re.Match[str]) -> dict[str, list[int]] | None:
    """Return the lasso of events of which all, or the last ones, are said to repeat."""
    events, how = _numbers(found["events"]), found["how"]
    parts = re.split(r"(?:followed by|then)(?: the)?(?: cycle| loop)?\b", found["events"])
    looped = re.search(r"followed|cycle|loop", found["events"])
    if len(parts) == 2 and looped and re.fullmatch(r"repeat\w*", how):
        return {"prefix": _numbers(parts[0]), "cycle": _numbers(parts[1])}
    counts = [int(each) if each.isdigit() else _COUNTS.index(each) for each in _COUNT.findall(how)]
    plainly = "repeated" in how and not re.search(r"\b(?!e)[a-z]", found["events"])
    told = plainly or found["list"] or re.search(r"\b(?:the(?:se|m)?|those|this|all)\b", how)
    count = counts[0] if counts else 1 if "last" in how else len(events)
    return (
        {"prefix": events[:-count], "cycle": events[-count:]}
        if told and 0 < count <= len(events)
        else None
    )


def _path_tokens(low: str, begin: int, reader: _PathReader) -> Iterator[re.Match[str]]:
    """Yield the tokens of a path; its first event may come on a later line, not after prose."""
    limit = begin + 20 * MAX_PATH
    for token in _TOKEN.finditer(low, begin, limit):
        kind = token.lastgroup or ""
        if kind == "stop" and reader.kinds:
            if token[0] == "\n" and reader.cycle is None:
                continue
            return
        if kind == "word":
            if not _understood(reader, token[0], low, token.end()):
                return
        else:
            yield token


def _understood(reader: _PathReader, word: str, low: str, end: int) -> bool:
    """Return whether a word belongs to a path; raise where it leaves the path in doubt."""
    if reader.cycle is None:
        reader.claimed = reader.claimed or word == "because"
        named = reader.kinds and word in ("loop", "cycle", *"|·⟲↻") and _BRACKET.match(low, end)
        named = named or (word == "·" and reader.kinds)
        if not named and not _FILLER.fullmatch(word):
            raise _UnreadableError
        return True
    doubtful = reader.claimed and not _VIOLATES.fullmatch(word)
    if not _SUFFIX.fullmatch(word):
        if doubtful or word in ("or", "/", "|", "prefix", "stem"):
            raise _UnreadableError
        return False
    return True


def _take(reader: _PathReader, token: re.Match[str]) -> None:
    kind = token.lastgroup or ""
    if kind in ("event", "short", "number"):
        reader.event(kind, token["name"] or token["digits"] or token[0])
    elif kind in ("dash", "comma", "dots"):
        reader.join(kind)
    elif kind == "open":
        reader.open(token[0])
    elif kind == "close":
        reader.close()
    elif kind == "omega":
        reader.omega()
