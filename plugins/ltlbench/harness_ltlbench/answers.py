r"""Read an answer out of what a model wrote, or say that there is none.

Reading is not guessing: a text that does not commit itself to True or False yields None
("unparsable"), never False. The word that counts has to stand where an answer stands; it is
never simply the last ``true`` or ``false`` in the text.

Before anything is read, the text is *plained*: thinking is cut out (an unclosed block hides
everything behind it, a closing tag without an opening one everything before it), only the last
`MAX_TEXT` characters are kept, sentences echoed from the prompt are dropped, and Markdown,
LaTeX, HTML, full-width letters, typographic quotes and invisible characters are reduced to
plain text. Struck-out text goes. Then, in this order:

1.  **Marked answers**: ``Answer:``, ``Final answer``, ``the answer is``, ``\boxed{}``,
    ``{"answer": …}``, and the same in other languages; ``Conclusion:`` and the like at the
    start of a line. The last one counts, as a marked answer is introduced as final, and
    whatever stands before it is not looked at any more.

    a.  Several in a row with nothing said between them are one group. A group that
        contradicts itself is None. One joined by "or" is the template, not an answer.
    b.  A last mark whose value is a hedge, a condition or no verdict is no answer. Rule 2 may
        then find one, but only behind it. A mark in a question or under an "if" is no mark.
    c.  ``not True`` is False here, and only here.

2.  **The closing line** begins with the word (a remark or the path may follow), or its last
    sentence is the word alone or states the *last* hypothesis: ``Therefore, C3 is true.``
3.  **The opening line**, likewise, for those who answer first and explain then.

A closing line that gainsays the answer found by rule 1 or 3, or takes it back, makes it None:
such a text says two things, and a revision counts only when it is introduced as the answer.
Only the words true and false are verdicts: ``C3 holds`` is wording of the hypotheses.

All patterns are linear in the text, and everything that is looked at is bounded.
"""

from __future__ import annotations

import re
import unicodedata
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

MAX_TEXT = 200_000
MAX_PATH = 10_000

_MAX_LINE = 2_000
_MAX_MARKS = 1_000
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


@dataclass(frozen=True, slots=True)
class _Reading:
    """A verdict at a place: the text from start to end says it, a path may follow at end."""

    label: bool
    start: int
    end: int


# What a place says that is looked at for a verdict: one, expressly none, or nothing at all.
_Said: TypeAlias = "_Reading | Literal['none'] | None"


def extract(completion: str, hypothesis: str | None = None, prompt: str = "") -> Answer | None:
    """Return the answer a completion gives, or None if it gives none.

    Args:
        completion: any text whatever.
        hypothesis: the last hypothesis by name, say ``"C3"``; without it, the one with the
            highest number that the text mentions.
        prompt: what the model was asked, so that an echo of it is not taken for an answer.
    """
    text = _plain(completion, prompt)
    low = text.lower()
    if len(low) != len(text):  # a few letters grow when lowered: quote the lowered text then
        text = low
    name = _name(low, hypothesis)
    marked, behind = _marked(low, name)
    closing = _closing(low, behind, name)
    if marked == "conflict" or closing == "none":
        return None
    opening = _opening(low, name) if behind == 0 else None
    said = [reading for reading in (marked, closing, opening) if reading is not None]
    if len({reading.label for reading in said}) != 1:
        return None
    return _answer(text, low, said[0])


def _answer(text: str, low: str, found: _Reading) -> Answer:
    path, end = None, found.end
    if not found.label:
        path, end = _path(low, found.end)
    line_end = _line_end(text, found.end)
    quote = text[found.start : min(max(end, line_end), found.start + _MAX_QUOTE)].strip()
    return Answer(found.label, path, quote, text[found.end : end].strip(" \t\n:.,-\"'"))


def _name(low: str, hypothesis: str | None) -> str:
    """Return a pattern for the number of the last hypothesis, or one that nothing matches."""
    if hypothesis is not None:
        digits = hypothesis.strip().lstrip("Cc_")
        return digits if digits.isdecimal() and digits.isascii() else "(?!)"
    numbers = [int(n) for n in re.findall(r"\bc_?([0-9]{1,4})(?![0-9])", low)]
    return str(max(numbers)) if numbers else "(?!)"


# ------------------------------------------------------------------------------ plain text

_THINKING = re.compile(
    r"<(/?)(?:\w{1,10}:)?(?:think|thinking|thoughts?|reasoning|reflection|scratchpad)"
    r"(?:\s[^<>]{0,100})?>|\[(/?)think\]|◁(/?)think▷",
    re.IGNORECASE,
)
_THINKING_WORDS = ("think", "thought", "reasoning", "reflection", "scratchpad")
_FINAL_CHANNEL = "<|channel|>final<|message|>"

# Characters with a plain counterpart: full-width, super- and subscript, mathematical letters.
# Runs of these hold no combining marks, on which normalisation would take quadratic time.
_VARIANTS = re.compile(
    "[\uff01-\uff5e\u3000\u00a0\u2000-\u200a\u2070-\u209c\u00b2\u00b3\u00b9\U0001d400-\U0001d7ff]+"
)
_INVISIBLE = re.compile(
    "[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e007f]+"
)
_BROKEN = re.compile("[\ud800-\udfff]")
_NEWLINE = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f]")
_QUOTES = str.maketrans(
    dict.fromkeys("“”„‟«»‹›「」『』〝〞", '"')
    | dict.fromkeys("‘’‚‛", "'")
    | dict.fromkeys("→⟶⇒⟹➜➝➔↦⟼►▶", ">")
    | {"。": ".", "、": ",", "…": "...", "【": "[", "】": "]", "⟨": "(", "⟩": ")"}
)

_FENCE = re.compile(
    r"^[ \t]{0,8}(?:`{3,}|~{3,})(?:json|text|txt|plaintext|markdown|md|python|latex|tex)?[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_STRUCK = re.compile(r"~~[^~\n]{1,300}~~")
_MARKUP = re.compile(r"[*`]+|(?<![^\W_])_+|_+(?![^\W_])")
_SPECIAL_TOKEN = re.compile(r"<\|[^|<>\n]{1,40}\|>|</?s>")
_ANSWER_TAG = re.compile(r"<(/?)(?:final[_-]?)?answer>", re.IGNORECASE)
_BLOCK_TAG = re.compile(r"</?(?:br|p|div|pre|h[1-6]|li|ul|center)(?:\s[^<>\n]{0,100})?/?>", re.I)
_TAG = re.compile(r"</?(?:b|strong|em|i|u|span|code|mark|font|sub|sup)(?:\s[^<>\n]{0,100})?>", re.I)

_LATEX = (
    (re.compile(r"\\f?boxed(?![a-z])|\\fbox(?![a-z])"), "\nAnswer: "),
    (re.compile(r"\\(?:long)?(?:rightarrow|mapsto)(?![a-z])|\\(?:to|implies)(?![a-z])", re.I), ">"),
    (re.compile(r"\\omega(?![a-z])"), "ω"),
    (re.compile(r"\\infty(?![a-z])"), "∞"),
    (
        re.compile(
            r"\\(?:text(?:bf|it|rm|sf|tt|normal)?|math(?:bf|it|rm|sf|tt)|bm|bf|rm|emph|underline"
            r"|left|right|[bB]igg?[lr]?|q?quad|displaystyle|operatorname)(?![a-zA-Z])"
        ),
        " ",
    ),
    (re.compile(r"\\[\\,;:!()\[\] ]"), " "),
)
_BRACES = re.compile(r"[{}$]")


def _plain(completion: str, prompt: str) -> str:
    text = _without_thinking(completion)
    if len(text) > MAX_TEXT:
        # What is left begins amid a line: the letter keeps that from looking like its start.
        text = "x" + text[-MAX_TEXT:]
    text = _without_echo(text, prompt)
    if not text.isascii():
        text = _BROKEN.sub("\ufffd", _INVISIBLE.sub("", text))
        text = _VARIANTS.sub(lambda run: unicodedata.normalize("NFKC", run[0]), text)
        text = text.translate(_QUOTES)
    text = _CONTROL.sub(" ", _NEWLINE.sub("\n", text))
    if "<" in text and ">" in text:
        text = _ANSWER_TAG.sub(lambda tag: "\n" if tag[1] else "\nAnswer: ", text)
        text = _TAG.sub("", _BLOCK_TAG.sub("\n", _SPECIAL_TOKEN.sub("\n", text)))
    if "\\" in text:
        for pattern, plain in _LATEX:
            text = pattern.sub(plain, text)
    text = _STRUCK.sub("", _FENCE.sub("", text)) if "~" in text or "```" in text else text
    return _BRACES.sub("", _MARKUP.sub("", text))


def _without_thinking(text: str) -> str:
    channel = text.rfind(_FINAL_CHANNEL)
    if channel >= 0:
        text = text[channel + len(_FINAL_CHANNEL) :]
    elif "<|channel|>analysis" in text:
        return ""
    low = text.lower()
    if not any(word in low for word in _THINKING_WORDS):
        return text
    kept: list[str] = []
    inside, position = False, 0
    for tag in _THINKING.finditer(text):
        if any(tag.groups()):
            if not inside:  # the opening tag was part of the prompt: all so far was thinking
                kept.clear()
            inside, position = False, tag.end()
        elif not inside:
            kept.append(text[position : tag.start()])
            inside = True
    if not inside:
        kept.append(text[position:])
    return "\n".join(kept)


def _without_echo(text: str, prompt: str) -> str:
    """Drop the prompt's lines that speak of True or False; shorter ones cannot mislead."""
    if len(text) > 40 and prompt.startswith(text.strip()):
        return ""
    for line in prompt.splitlines():
        said = line.strip()
        if len(said) > 30 and ("True" in said or "False" in said) and said in text:
            text = text.replace(said, "\n")
    return text


# ---------------------------------------------------------------------------------- verdicts

_ADVERBS = (
    r"(?:(?:also|indeed|therefore|thus|hence|always|logically|vacuously|trivially|necessarily"
    r"|definitely|clearly|certainly|obviously|still|itself|then|simply|just|actually|again"
    r"|in fact|(?:most |very )?(?:probably|likely)|equal to|equals|evaluated (?:as|to))[ \t]+){0,3}"
)
_WORD = r"""["']?(?P<word>true|false)(?!\w|['-]\w)["']?"""
_SUBJECT = r"(?:(?:the |final |last )*(?:hypothesis|statement|claim|formula) ?)?"

# Behind the word: what makes it a question, a choice, a condition or part of a longer phrase.
_UNDONE = re.compile(
    r"[^\w\n.?!]{0,20}(?:\?|(?:or|vs|nor|if|iff|when|whenever|unless|only|provided|otherwise|else"
    r"|depending|maybe|perhaps|possibly|and (?:also )?(?:true|false))\b"
    r"|but (?:only|if|could|may|might|maybe|perhaps|it depends)\b|[/|&][ \t]*(?:true|false))"
)
_GOES_ON = re.compile(
    r"[ \t]*(?:[^\w \t]|$|(?:because|since|as|for|given|by|in|at|on|under|due|assuming|based|with"
    r"|from|regardless|so|here|event[\s_]?[0-9]+|[0-9]+|です|입니다)\b)"
)
_UNSURE = re.compile(
    r"\b50 ?[/:-] ?50\b|\bcoin\b|\bcould (?:also |just as well )?be (?:true|false)\b"
    r"|\b(?:can ?not|can't|could not|couldn't|unable to) (?:be )?"
    r"(?:tell|say|decide|determine|determined|decided|know|answer)"
    r"|\bwait\b|\bscratch that\b|\bon second thought\b"
)
_UNTICKED = re.compile(r"\[ ?\]|[☐□]")
_AMENDED = (
    r"[.!;,—-][ \t]*(?:(?:or|no|actually|rather|sorry|i mean|it is|it's|make that)[\s,:]*){0,3}"
    r"%s\b"
)
_REASON = re.compile(r"\(|\b(?:because|since|as|given|assuming|due)\b|[.;]\s")
_LEAD = re.compile(
    r"[^\w?]{0,40}(?:(?:therefore|thus|hence|so|consequently|overall|finally)\b[\s,:]{0,5})?"
    + _WORD
)


def _undone(low: str, end: int, label: str) -> bool:
    """Return whether what follows a verdict on its line makes it none."""
    rest = low[end : min(_line_end(low, end), end + 300)]
    if _UNDONE.match(rest) or not _GOES_ON.match(rest) or _UNSURE.search(rest):
        return True
    if mark := _MARK.search(rest):  # another answer, which is for `_group` to compare
        rest = rest[: mark.start()]
    other = "false" if label == "true" else "true"
    amended = re.search(_AMENDED % other, rest)
    reason = _REASON.search(rest)
    aside = rest[: reason.start()] if reason else rest
    return bool(amended or re.search(rf"(?<!not )\b{other}\b", aside))


def _line_end(text: str, position: int) -> int:
    end = text.find("\n", position)
    return len(text) if end < 0 else end


# The subject of a statement is the last hypothesis; %s is its number.
_SUBJECTS = r"(?:\bc_?%s(?![0-9])|\bthe (?:final |last )?hypothesis\b(?! c))"
_STATEMENT = (
    r"(?:[ \t]*,? which [^,\n]{1,200},)?[\s,:]*"
    r"(?:(?:is|=|equals|must be|has to be|evaluates to|>)\s*)" + _ADVERBS + _WORD
)
_MADE = r"\b(?:makes|making)[ \t]+(?:the )?%s[\s,:]*" + _WORD
_LISTED = r"^[^\w?]{0,20}%s[\s,:=>-]{1,9}" + _WORD
_CONDITION = re.compile(
    r"\b(?:if|whether|when|whenever|unless|otherwise|suppose|assume|assuming|would|can|could|might"
    r"|not|false that|doubt|claims?)\b|n't\b"
)
_CONSEQUENCE = re.compile(r"\b(?:so|therefore|thus|hence|consequently|but|which means)\b")
_CLAUSE = re.compile(r"[,;—–]| - ")
_GLOSS = re.compile(r"\([^()\n]{0,200}\)|\"[^\"\n]{0,200}\"")
_SENTENCE = re.compile(r"(?<=[.!?])[\s\"]+")


def _states(sentence: str, name: str) -> str | None:
    """Return "true" or "false" if a sentence states just that of the last hypothesis."""
    subject = _SUBJECTS % name
    found = set()
    for pattern in (subject + _STATEMENT, _MADE % subject, _LISTED % subject):
        for match in re.finditer(pattern, sentence):
            rest = sentence[match.end() :]
            before = sentence[: match.start()]
            if _UNDONE.match(rest) or not _GOES_ON.match(rest) or _conditional(before):
                return None
            found.add(match["word"])
    return found.pop() if len(found) == 1 else None


def _conditional(before: str) -> bool:
    """Return whether a statement depends on what stands before it in its sentence."""
    clauses = _CLAUSE.split(before)
    if _CONDITION.search(clauses[-1]):
        return True
    return _CONSEQUENCE.search(clauses[-1]) is None and any(
        _CONDITION.match(clause.lstrip(" (-#>0123456789.")) for clause in clauses
    )


def _sentences(line: str, name: str) -> list[str]:
    """Split a line into sentences, without the glosses that quote what a hypothesis says."""
    line = re.sub(rf"\((c_?{name})\)", r"\1", line.strip())
    line = re.sub(r"\"(true|false|c_?[0-9]{1,4})\"", r"\1", line)
    if line.startswith("(") and line.endswith(")"):
        line = line[1:-1]
    return [part for part in _SENTENCE.split(_GLOSS.sub(" ", line)) if re.search(r"\w", part)]


def _verdict(low: str, start: int, end: int) -> _Reading | None:
    """Return the verdict with which a line begins."""
    match = _LEAD.match(low, start, end)
    if match is None or _UNTICKED.search(match[0]) or _undone(low, match.end(), match["word"]):
        return None
    return _Reading(match["word"] == "true", start, match.end())


def _closing(low: str, begin: int, name: str) -> _Said:
    """Return what the last line says that has a word in it."""
    start, end = _last_line(low, begin, len(low))
    line = low[start:end]
    sentences = _sentences(line[-_MAX_LINE:], name)
    if not sentences:
        return None
    if _RETRACTED.search(sentences[-1]):
        return "none"
    first = _verdict(low, start, end)
    above = _verdict(low, *_last_line(low, begin, start))
    word = _states(sentences[-1], name) or _alone(sentences)
    labels = {reading.label for reading in (first, above) if first and reading}
    labels |= {word == "true"} if word else set()
    if len(labels) > 1:  # a line that contradicts itself, or a list of both words
        return "none"
    if first is None and word is not None:
        return _Reading(word == "true", max(start, end - _MAX_QUOTE), end)
    return first


def _alone(sentences: list[str]) -> str | None:
    """Return the word if the last sentence is just that, and no second one of a list of both."""
    match = _ALONE.fullmatch(sentences[-1])
    if match is None or _UNTICKED.search(match[0]):
        return None
    return None if len(sentences) > 1 and _LISTING.search(sentences[-2]) else match["word"]


_ALONE = re.compile(_LEAD.pattern + r"[^\w?]*")
_LISTING = re.compile(r"(?:\b(?:true|false)|^\W*\w{1,3})[^\w?]*$")

_RETRACTED = re.compile(
    r"\bi(?:'m| am)? (?:can ?not|can't|could not|couldn't|unable to|not able to|don't know)"
    r"|\b(?:it|this|answer|truth value|hypothesis) (?:can ?not|can't) be (?:determined|decided)"
    r"|\b(?:wait|scratch that|on second thought|let me (?:re-?check|re-?consider|think))\b"
    r"|\b(?:that|this) (?:is|was) wrong\b|\b50 ?[/:-] ?50\b|\bnot enough information\b"
)


def _last_line(low: str, begin: int, end: int) -> tuple[int, int]:
    """Return the last line between two places that has a word in it."""
    start = end
    for _ in range(20):  # lines of ornament below the last word
        end = begin + len(low[begin:end].rstrip())
        start = max(begin, low.rfind("\n", begin, end) + 1)
        if start == begin or re.search(r"\w", low[start:end]):
            break
        end = start
    return start, end


def _opening(low: str, name: str) -> _Reading | None:
    start = len(low) - len(low.lstrip())
    end = _line_end(low, start)
    found = _verdict(low, start, end)
    if found is None and end - start <= _MAX_LINE:
        sentences = _sentences(low[start:end], name)
        begins = rf"[^\w?]{{0,20}}(?:{_SUBJECT})?c_?{name}\b"
        if sentences and re.match(begins, sentences[0]):
            word = _states(sentences[0], name)
            found = _Reading(word == "true", start, end) if word else None
    return found


# ---------------------------------------------------------------------------- marked answers

_ALPHABETIC = (
    "answer|réponse|reponse|respuesta|resposta|risposta|antwort|antwoord|svar|vastaus|odpowiedź"
    "|odpověď|válasz|răspuns|cevap|jawaban|đáp án|trả lời|ответ|відповідь|απάντηση|תשובה|उत्तर"
    "|الإجابة|الجواب"
)
_IDEOGRAPHIC = "答案|回答|解答|答え|答|정답|답변|답"
_CLOSING_WORDS = (
    "conclusion|verdict|result|decision|label|conclusión|conclusão|conclusione|fazit|ergebnis"
    "|вывод|итог"
)
_MARK = re.compile(
    rf"(?:(?<!\w)|(?<=final_))(?:(?P<answer>{_ALPHABETIC})|(?P<closing>{_CLOSING_WORDS}))(?!\w)"
    rf"|(?P<cjk>{_IDEOGRAPHIC})|(?P<cjk_closing>结论|結論|결론)"
)
_CONNECT = re.compile(
    r"(?:[ \t]*\([^()\n]{0,60}\))?(?:"
    r"(?:[ \t]+(?:to|for|of|about|regarding)\b(?:[^\n:\"]|\"[^\n\"]{0,80}\"){1,120}?)?"
    r"(?:(?P<colon>[ \t\"']*[:=]|[ \t]*[-—–>])"
    r"|(?P<verb>[ \t]+(?:is|should be|must be|has to be|remains|est|es|é|è|ist|lautet|är|jest|это)"
    r"\b|[ \t]?(?:是|为|為|は|은|는))"
    r"|(?P<heading>[ \t.]*\n))|(?P<space>[ \t]+))"
)
_VALUE = re.compile(
    r"[^\w?]{0,40}(?:that\s)?(?:the )?(?:(?:final|last) )?(?:hypothesis|statement|it|this)?[\s,(]*"
    r"(?:c_?(?P<number>[0-9]{1,4})\b)?[\s,:=>\"')-]*(?:(?:is|s|must be|evaluates to)\s+)?"
    + _ADVERBS
    + r"(?P<negated>not\s+)?"
    + _WORD
)
_HEDGED = re.compile(
    r"[^\w?]{0,40}(?:either|neither|both|maybe|perhaps|possibly|unclear|unknown|undetermined|not"
    r"|undecidable|ambiguous|cannot|can't|depends|indeterminate|inconclusive)\b"
)
_LINE_START = re.compile(
    r"\W{0,20}(?:[0-9]{1,3}[.)]\W{0,5})?"
    r"(?:(?:so|thus|therefore|hence|and|the|my|our|final|correct|short|overall|direct|step"
    r"|ultimate|正确|最终|最後|最后|окончательный|итоговый|правильный|la|le|die|endgültige)\W{1,3})*"
    r"\W{0,5}$"
)
_FINAL = re.compile(r"\bfinal[ _]$")
_TEMPLATE = re.compile(
    r"(?:\b(?:or|either|like|example|form(?:at)?(?: of)?|else|otherwise)|\be\.g\.)[^\w\n]{0,9}$"
)
_INSTRUCTED = re.compile(
    r"\b(?:end|finish|reply|respond|format|line|write|form|template|say)\b[^.\n]{0,80}[\"']\s*$"
)
_BETWEEN = re.compile(
    r"\([^()\n]{0,200}\)|\bevent[\s_]?[0-9]+|\b(?:or|and|the|final|then|correct)\b"
)
_JOINED = re.compile(r"\W*(?:true|false)\W+(?:or|and)\W*")
_LETTER = re.compile(r"[^\W\d_]")


def _marked(low: str, name: str) -> tuple[_Reading | Literal["conflict"] | None, int]:
    """Return what the last marked answer says, and the place behind it.

    The place is 0 if there is no mark, so that the whole text is still to be read.
    """
    marks = list(deque(_MARK.finditer(low), _MAX_MARKS))
    for index in range(len(marks) - 1, -1, -1):
        said = _mark_says(low, marks[index], name)
        if said is None:
            continue
        if said == "none":
            return None, _line_end(low, marks[index].end())
        return _group(low, said, marks[:index], name)
    return None, 0


def _group(
    low: str, last: _Reading, marks: list[re.Match[str]], name: str
) -> tuple[_Reading | Literal["conflict"] | None, int]:
    """Compare the last marked answer with those directly before it."""
    behind, nearest = _line_end(low, last.end), last
    path = _path(low, last.end)[0]
    for mark in reversed(marks):
        said = _mark_says(low, mark, name)
        if not isinstance(said, _Reading):
            joined = _JOINED.fullmatch(low, mark.end(), min(nearest.start, mark.end() + 40))
            return (None if joined else last), behind
        gap = low[said.end : nearest.start]
        if len(gap) > _MAX_LINE or _LETTER.search(_BETWEEN.sub("", gap)):
            break
        if said.label is not last.label:
            template = re.search(r"\bor\b", gap) is not None
            return (None if template else "conflict"), behind
        if not last.label and _path(low, said.end)[0] not in (None, path):
            return "conflict", behind
        nearest = said
    return last, behind


def _mark_says(low: str, mark: re.Match[str], name: str) -> _Said:
    """Return what one mark says; None if it marks nothing."""
    before = low[max(0, mark.start() - 200) : mark.start()].rpartition("\n")[2]
    at_start = _LINE_START.match(before) is not None
    closing = mark["closing"] or mark["cjk_closing"]
    link = _CONNECT.match(low, mark.end())
    if link is None or (closing and not (at_start and (link["colon"] or link["heading"]))):
        return None
    if (link["heading"] or link["space"]) and not at_start:
        return None
    if _TEMPLATE.search(before) or _INSTRUCTED.search(before):
        return "none"
    if not at_start and _conditional(_SENTENCE.split(before)[-1]):
        return None
    found = _mark_value(low, mark, link, name)
    if isinstance(found, _Reading):
        return found
    strong = not closing and (at_start or _FINAL.search(before)) and not link["space"]
    return "none" if found == "none" or strong else None


def _mark_value(low: str, mark: re.Match[str], link: re.Match[str], name: str) -> _Said:
    value = _VALUE.match(low, link.end())
    if value is not None and value["number"] in (None, name):
        if not _undone(low, value.end(), value["word"]):
            label = (value["word"] == "true") is not bool(value["negated"])
            return _Reading(label, mark.start(), value.end())
        return None if low[value.end() :].lstrip(" \t\"'")[:1] == "?" else "none"
    if _HEDGED.match(low, link.end()):
        return "none"
    # "Final answer: as C1 fails at once, C2 is False."
    start = (
        link.end()
        + len(low[link.end() : link.end() + 40])
        - len(low[link.end() : link.end() + 40].lstrip())
    )
    end = _line_end(low, start)
    sentences = _sentences(low[start : min(end, start + _MAX_LINE)], name)
    word = _states(sentences[-1], name) if sentences else None
    return _Reading(word == "true", mark.start(), end) if word else None


# ------------------------------------------------------------------------------------- paths

_TOKEN = re.compile(
    r"(?P<event>event[ \t_]{0,3}(?P<name>[0-9]{1,9})(?!\w))|(?P<number>[0-9]{1,9})(?!\w)"
    r"|(?P<open>[(\[])|(?P<close>[)\]])|(?P<omega>\^?[ \t]?[ω∞])|(?P<stop>[.\n])"
    r"|[\s,:;>=\"'^-]|(?P<word>\w+|.)"
)
_FILLER = re.compile(
    "an?|the|then|and|path|sequence|counter|example|counterexample|violating|possible|one|is"
    "|with|followed|by|next"
)
_SUFFIX = re.compile(
    "repeat(?:s|ed|ing|edly)?|forever|infinitely|often|loop(?:s|ing)?|cycles?|indefinitely|and"
    "|so|on|then|which"
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

    def event(self, kind: str, number: str) -> None:
        self.kinds.add(kind)
        if self.cycle is not None or len(self.kinds) > 1:
            raise _UnreadableError
        target = self.prefix if self.group is None else self.group
        target.append(int(number))
        if len(self.prefix) + len(self.group or ()) > MAX_PATH:
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

    def omega(self) -> None:
        """Event^ω: the single event before the sign repeats."""
        if self.cycle is not None:
            return
        if self.group is not None or not self.prefix:
            raise _UnreadableError
        self.cycle = [self.prefix.pop()]


def _path(low: str, begin: int) -> tuple[dict[str, list[int]] | None, int]:
    """Return the path that follows a verdict, or None, and where it or the line ends."""
    reader, end = _PathReader(), begin
    try:
        for token in _path_tokens(low, begin, reader):
            end = token.end()
            _take(reader, token)
    except _UnreadableError:
        return None, max(end, _line_end(low, begin)) if reader.kinds else begin
    if reader.cycle is None:
        return None, end if reader.kinds else begin
    return {"prefix": reader.prefix, "cycle": reader.cycle}, end


def _path_tokens(low: str, begin: int, reader: _PathReader) -> Iterator[re.Match[str]]:
    """Yield the tokens of a path; its first event may come on a later line, not after prose."""
    limit = begin + 20 * MAX_PATH
    for token in _TOKEN.finditer(low, begin, limit):
        kind = token.lastgroup or ""
        if kind == "stop" and reader.kinds:
            if token[0] == "\n" and reader.cycle is None:
                continue
            return
        known = _FILLER if reader.cycle is None else _SUFFIX
        if kind == "word" and not known.fullmatch(token[0]):
            if reader.cycle is None or token[0] in ("or", "/", "|"):
                raise _UnreadableError
            return
        yield token


def _take(reader: _PathReader, token: re.Match[str]) -> None:
    kind = token.lastgroup
    if token["event"]:
        reader.event("event", token["name"])
    elif kind == "number":
        reader.event("number", token[0])
    elif kind == "open":
        reader.open(token[0])
    elif kind == "close":
        reader.close()
    elif kind == "omega":
        reader.omega()
