r"""What every scorer does with text: make a completion plain, find its answer, quote it safely.

Nothing here knows what an answer looks like. All patterns are linear in the text; of a completion
longer than `MAX_TEXT` characters (thinking left out) only the end is looked at.

`plain` is gentle, so that a formula survives it: it touches no bracket, arrow, backslash, dollar
sign or underscore inside a name, ``[]``, ``<>`` and ``~~a`` included.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from heapq import merge

from harness_answers import cleaning, continuations
from harness_answers.cleaning import without_thinking as without_thinking
from harness_answers.languages import with_english_marks
from harness_answers.object_answers import answer_alone
from harness_answers.suppositions import without_suppositions
from harness_answers.yaml_blocks import with_json

MAX_TEXT = 100_000
_LONG = 40  # a shorter line of the prompt can stand in an answer by chance

# Pictures that only decorate: no box, and nothing that doubts or denies.
_PICTURES = {*map(chr, range(0x1F300, 0x1FB00)), *"✨⭐\ufe0f"} - {*"🔘🗹🤔👎🚫🤷🤨😕🙅🛑🙃"}
_PLAIN = str.maketrans(
    dict.fromkeys(_PICTURES, "")
    | dict.fromkeys("‐‑‒−﹣", "-")
    | dict.fromkeys("“”„‟«»‹›「」『』〝〞", '"')
    | dict.fromkeys("‘’‚‛′", "'")
    | {"。": ".", "、": ",", "…": "...", "【": "[", "】": "]"}
)
# Where a search found it: 【1†source】.
_CITED = re.compile(r"\ue200[^\ue200\ue201\n]{0,200}\ue201|【\d{1,3}(?:[:†][^【】\n]{0,80})?】")
_EMPTY = re.compile(r"\n(?:[ \t]{0,99}\n){2,}")

# A new line for an answer, but no empty one: what stands on the line above is to stay there.
_TAG = r"(?:(?:final[_-]?)?answer|final|solutions?)>"
_ANSWER_TAG = re.compile(
    rf"(?:</{_TAG}[ \t]{{0,9}}\n?[ \t]{{0,9}}|\n)?<{_TAG}|</(?P<end>{_TAG})\n?", re.IGNORECASE
)
_SQUARE_TAG = re.compile(r"\[(/?)(?:(?:final[_-]?)?answer|final)\]", re.IGNORECASE)
_BREAK_TAG = re.compile(
    r"</?(?:br|p|div|li|ul|ol|pre|h[1-6]|center)(?:\s[\w-]{1,20}=[^<>\n]{0,80})?\s?/?>", re.I
)
_STYLE_TAG = re.compile(
    r"</?(?:b|strong|em|i|u|span|code|mark|font|sub|sup)(?:\s[\w-]{1,20}=[^<>\n]{0,80})?>", re.I
)
_TOKEN = re.compile(r"<\|[^|<>\n]{1,40}\|>|^<s>|\[/?INST\]|<start_of_turn>", re.MULTILINE)
_FENCE = re.compile(r"^[ \t>]{0,8}(?:`{3,}|~{3,})[ \t]{0,3}[\w+-]{0,15}[ \t]*$", re.MULTILINE)
_RULE = re.compile(r"^[ \t]{0,8}(?:-{3,99}|={3,99}|_{3,99}|\*{3,99})[ \t]*$", re.MULTILINE)
_LEAD = re.compile(r"^[ \t]{0,3}(?:#{1,6}[ \t]+|(?:>[ \t]?){1,5}(?![=>-]))", re.MULTILINE)
# The marks hug the words, or they are something else: "~~a & ~~b" is a formula. (A pattern that begins with a
# character is found several times sooner: what may not stand before that is said behind it.)
_STRUCK = re.compile(r"~~(?<![^\s(>*\"]~~)(?=[^\s~])[^~\n]++(?<=\S)~~(?![\w(~!])")
_EMPHASIS = (
    ("**", re.compile(r"\*\*(?=[^\s*])([^*\n]++)(?<=\S)\*\*")),
    ("*", re.compile(r"\*(?<![\w*]\*)(?=[^\s*])([^*\n]++)(?<=\S)\*(?![\w*])")),
    ("_", re.compile(r"_(?<![\w\\]_)_?(?=[^\W_])([^_\n&|()<>=]++)(?<=[^\s_])__?(?!\w)")),
)
# Of a text whose answer is words and numbers these go wherever they stand.
_ANY_STRUCK = re.compile(r"~~[^~\n]{1,500}~~")
_ANY_EMPHASIS = re.compile(r"[*`]+|_(?:(?<![^\W_]_)_*|_*(?![^\W_]))")
_LATEX = (
    (re.compile(r"\\(?:text)?color\s{0,3}\{[^{}\n]{0,40}\}"), " "),
    (re.compile(r"\\(?:text\w{0,6}|math[a-z]{2}|mbox|emph|underline)\s{0,3}\{([^{}\n]{0,500})\}"), r"\1"),
    (
        re.compile(
            r"\\(?:text(?:bf|it|rm|sf|tt|normal)?|math(?:bf|it|rm|sf|tt)|bm|bf|rm|emph|underline"
            r"|left|right|[bB]igg?[lr]?|q?quad|displaystyle|operatorname)(?![a-zA-Z])"
        ),
        " ",
    ),
    (re.compile(r"\\(?:begin|end)\s?\{[a-z*]{1,12}\}(?:\{[lcr| ]{1,20}\})?"), "\n"),
    (re.compile(r"\\\\(?:\[[^\]\n]{0,9}\])?"), "\n"),
    (re.compile(r"\\[,;:! ()\[\]]"), " "),
    (re.compile(r"\\([{}&])"), r"\1"),
)  # fmt: skip
_TICKS = re.compile(r"`{3,}(?:json|ltl|te?xt|latex)(?=[ \t])|`+")
_LATEX_MARK = re.compile(
    r"\\(?:text|math)\w{0,6}\s?\{([^{}\n]{0,20}answer\s?:?|[^{}\n]{0,20}answer\s?:[^{}\n]{1,99})\}",
    re.IGNORECASE,
)
# A frame of characters: of its lines what it holds is left.
_FRAMED = re.compile(r"[\u2500-\u257f]")
_FRAME = re.compile(
    r"^[ \t]{0,99}[\u2500-\u257f]+[ \t]{0,99}"
    r"|[ \t]?(?<![\u2500-\u257f])[\u2500-\u257f]+[ \t]{0,99}$",
    re.MULTILINE,
)


def plain(
    completion: str,
    prompt: str = "",
    *,
    words: bool = False,
    own: Callable[[str], str] | None = None,
    echo: Callable[[str], bool] | None = None,
) -> str:
    r"""Return what a completion says, without thinking, echo, markup and what comes after it.

    Thinking that is not closed leaves nothing. ``\boxed{X}`` and ``<answer>X</answer>`` become
    lines "Answer: X"; a fence becomes an empty line, so that what it held is a paragraph.

    Args:
        completion: any text whatever.
        prompt: what the model was asked, so that an echo of it is not taken for an answer.
        words: the answer is made of words and numbers and no formula: stars, backticks and LaTeX go
            wherever they stand.
        own: what is changed before the markup goes, boxes included.
        echo: which lines of the prompt go wherever they stand; else those that follow one another.
    """
    text = cleaning.the_end(without_thinking(completion), MAX_TEXT)
    text = answer_alone(with_json(cleaning.without_tool_call(text)))
    text = cleaning.marked_end(text) if text.rstrip()[-1:] == ">" or "\n####" in text else text
    text = continuations.unlooped(cleaning.plain_lines(cleaning.without_entities(text)))
    text = _own_turn(_EMPTY.sub("\n\n", text) if "\n" in text else text, prompt, echo)
    if not text.isascii():
        if "【" in text or "\ue200" in text:
            text = _CITED.sub("", text)
        text = cleaning.plain_characters(text, _PLAIN).replace("–>", "->")
        text = cleaning.the_end(text, MAX_TEXT)  # "…" has grown
        text = _FRAME.sub("", text) if _FRAMED.search(text) else text
    text = cleaning.without_controls(text)
    text = _LATEX_MARK.sub(r"\1", text) if "\\" in text else text
    text = own(text) if own else _unboxed(text)
    text = cleaning.without_politeness(_without_markup(text, words))
    return without_suppositions(with_english_marks(text))


def quoted(text: str, limit: int = 100) -> str:
    """Return foreign text as inline Markdown code that it cannot break out of, cut to a limit."""
    kept = text[: 2 * limit].replace("`", " ")
    if not kept.isprintable():
        kept = "".join(c if c.isprintable() else " " for c in kept)
    kept = " ".join(kept.split())
    if len(kept) > limit:
        kept = f"{kept[:limit]}…"
    return f"`{kept}`" if kept else "(nothing printable)"


def bounded(markdown: str, limit: int = 2000) -> str:
    """Return Markdown of at most so many characters, cut behind a whole line if there is one."""
    if len(markdown) <= limit:
        return markdown
    kept = markdown[: limit - 2]
    return (kept.rpartition("\n")[0] or kept) + "\n…"


# ------------------------------------------------------------------------------- plain text


def _own_turn(text: str, prompt: str, echo: Callable[[str], bool] | None) -> str:
    """Drop the echo of the prompt, and the turns and tasks that the model made up after its own."""
    text = continuations.first_task(text.replace(prompt.strip() or "\n", "\n"), prompt)
    text = continuations.first_turn(_without_echo(text, prompt, echo))
    return _TOKEN.sub("\n", text) if "<" in text or "[" in text else text


def _without_echo(text: str, prompt: str, echo: Callable[[str], bool] | None) -> str:
    """Drop what was copied from the prompt: all of it, or lines of prose that follow one another.

    Not more than that: an answer can equal one of the prompt's examples.
    """
    whole = prompt.strip()
    reply = text.strip()
    lines = "\n" in reply
    if not whole or (len(reply) <= _LONG and not lines):
        return text
    form = not lines and cleaning.ANSWERS.match(reply)  # of an answer, as it was given
    if len(reply) > _LONG and (whole.startswith(reply) or (echo and reply in whole and not form)):
        return ""
    text = text.replace(whole, "\n")
    for line in _echoes(whole, echo) if echo else ():
        text = text.replace(line, "\n")
    return cleaning.without_echoed_lines(text, whole, bool if echo else _prose) if lines else text


@lru_cache(maxsize=512)
def _echoes(prompt: str, echo: Callable[[str], bool]) -> tuple[str, ...]:
    """Return the lines that go, the longest first: of a line that holds another one, no rest is to stay."""
    lines = sorted({line.strip() for line in prompt.splitlines()}, key=len, reverse=True)
    return tuple(filter(echo, lines))


def _prose(line: str) -> bool:
    return len(line) > _LONG and line.count(" ") > 4 and not cleaning.ANSWERS.match(line)


def _without_markup(text: str, words: bool) -> str:
    text = _SQUARE_TAG.sub(r"<\1answer>", text) if "[/" in text else text
    if "<" in text and ">" in text:
        text = _ANSWER_TAG.sub(lambda tag: "\n" if tag["end"] else "\nAnswer: ", text)
        text = _STYLE_TAG.sub("", _BREAK_TAG.sub("\n", text))
    if words:
        for pattern, instead in _LATEX if "\\" in text else ():
            text = pattern.sub(instead, text)
        text = _without_lines(text)
        text = _ANY_STRUCK.sub("", text) if "~~" in text else text
        return _ANY_EMPHASIS.sub("", text) if any(mark in text for mark in "*`_") else text
    text = _LEAD.sub("", _without_lines(text))
    if "~~" in text:
        text = _STRUCK.sub("", text)
    for sign, pattern in _EMPHASIS:
        text = pattern.sub(r"\1", text) if sign in text else text
    return _TICKS.sub("", text) if "`" in text else text


def _without_lines(text: str) -> str:
    """Drop lines that are nothing but a fence or a rule."""
    if "```" in text or "~~~" in text:
        text = _FENCE.sub("", text)
    return (
        _RULE.sub("", text) if any(rule in text for rule in ("---", "===", "___", "***")) else text
    )


def _unboxed(text: str) -> str:
    r"""Replace ``\boxed{X}`` by "Answer: X" on a line of its own, with further boxes of its line."""
    pieces: list[str] = []
    position = 0
    for start, inner, end in cleaning.boxes(text) if "\\" in text else ():
        gap = text[position:start]
        same = bool(pieces) and "\n" not in gap
        if same and pieces[-1] == "\n":
            pieces.pop()
        mark = " Answer: " if same else "Answer: " if gap[-1:] == "\n" else "\nAnswer: "
        pieces += [gap, mark, text[inner:end]]
        position = end + 1
        if text[position : position + 1] != "\n":
            pieces.append("\n")
    return "".join([*pieces, text[position:]])


# ----------------------------------------------------------------------------------- answers


def from_the_end(
    pattern: re.Pattern[str], text: str, words: Iterable[str]
) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern from the last to the first; each begins with one of some words.

    They are looked for where such a word stands, which is far cheaper than at every place, and only as far
    as they are asked for. Of two that overlap the first counts.
    """
    later = None
    for place in merge(*(_places(text, word) for word in words if word in text), reverse=True):
        if found := pattern.match(text, place):
            if later and found.end() <= later.start():
                yield later
            later = found
    if later:
        yield later


def _places(text: str, word: str) -> Iterator[int]:
    place = text.rfind(word)
    while place >= 0:
        yield place
        place = text.rfind(word, 0, place + len(word) - 1)


@dataclass(frozen=True, slots=True)
class Marked:
    """A marked answer: the rest of the marker's line, or the paragraph below, and what follows.

    ``start`` is where in the text its mark begins. ``above`` is the content of another mark on
    the line directly above or the same line, else "". ``verb`` tells that the mark was a sentence ("the answer
    is …") without a colon.
    """

    content: str
    rest: str
    start: int = 0
    above: str = ""
    verb: bool = False


_SO = r"(?:(?:so|thus|therefore|hence|finally|then|and|here is|here's|in conclusion|in summary)\b,?[ \t]+)"
_OUR = (
    r"(?:(?:the|my|our|final|correct|right|overall|complete|full|resulting|new|revised"
    r"|corrected|updated|amended)[ \t]+)"
)
_NOTE = (
    r"(?:[ \t]*\([^()\n]{0,40}\)|[ \t]+I(?:'d| would|'ll| will) (?:give|choose|pick|propose"
    r"|suggest|write|use|go with)\b"
    r"|[ \t]+(?:in|as|to|for)\b[\w \t'-]{1,40}?(?=[ \t]*:|[ \t]+(?:is|are)\b))?"
)
_SIGN = (
    r"[ \t]*(?:(?P<verb>(?:is|are|would be)\b(?:[ \t]+(?:thus|then|therefore|hence"
    r"|simply)\b)?)(?P<colon>[ \t]*:)?|[:=]|->|→|—|–|-(?=[ \t])|$)"
)


def last_marked(
    text: str, names: str = r"answers?|ans(?=[ \t]*[:=])|final(?=[ \t*_]{0,3}(?::|→|->|=>))"
) -> Marked | None:
    """Return the last marked answer of a plain text, or None.

    A mark begins its line or its sentence: "Answer: …", "So the final answer is …", "Answer" on
    a line of its own, "Ans: …".

    Args:
        text: what `plain` returned.
        names: a pattern of the words that mark an answer.
    """
    name, mark = _mark(names)
    low = text.lower()
    # They are far sooner found than marks, each of which is on one line.
    named = deque(name.finditer(low), _NAMED)
    begin = text.rfind("\n", 0, named[0].start()) + 1 if named and len(low) == len(text) else 0
    marks = deque(mark.finditer(text, begin), 2) if named else ()
    if not marks:
        return None
    last = marks[-1]
    line, _, rest = text[last.end() :].partition("\n")
    if not re.search(r"[^\s*_:\"'$]", line):
        blank = _BLANKS.match(rest)
        paragraph = _PARAGRAPH.match(rest, blank.end() if blank else 0)
        line, rest = (paragraph[0], rest[paragraph.end() :]) if paragraph else ("", "")
    line = _AGAIN.sub("", line)
    between = text[marks[-2].end() : last.start()] if len(marks) > 1 else ""
    above = between.strip(" \t\n*")
    apart = between[len(between.rstrip(" \t\n*")) :].count("\n") > 1
    if apart or "\n" in above or not re.search(r"\w", above):
        above = ""
    verb = bool(last["verb"] and not last["colon"])
    return Marked(line.strip(" \t\n*"), rest, last.start(), above, verb)


_NAMED = 500  # words that may mark an answer, the last ones


@lru_cache(maxsize=64)
def _mark(names: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return a pattern of names in small letters, and one of the marks that they make."""
    mark = (
        rf"(?:^[^\w\n]{{0,9}}(?:\d{{1,2}}[.)][ \t]+)?|(?<=[.!:;][ \t])(?:[^\w\s\"'`(\[{{<]{{1,3}}[ \t])?"
        rf"|(?<=,[ \t])(?=so\b|thus|therefore|hence)){_SO}{{0,3}}{_OUR}{{0,4}}"
        rf"(?:{names})\b{_NOTE}{_SIGN}"
    )
    return re.compile(rf"(?<!\w)(?=\w)(?:{names})\b"), re.compile(
        mark, re.IGNORECASE | re.MULTILINE
    )


_AGAIN = re.compile(
    r"^[^\w\n]{0,9}(?:final )?answer[ \t]*:", re.IGNORECASE
)  # "Final Answer - Answer: …"
_BLANKS = re.compile(r"(?:[ \t]*+(?:\$\$|\\[\[\]])?[ \t]*+\n)+")
_PARAGRAPH = re.compile(r"[^\n]*\S[^\n]*(?:\n[^\n]*\S[^\n]*)*")
