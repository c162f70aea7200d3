"""Read which words of a sentence a reply replaced by prop_1, … (`harness_vltl.answers.extraction`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice, pairwise
from typing import Any

from harness_answers.claims import (
    HEDGED,
    MAX_CONTENT,
    Answer,
    agreed,
    cut,
    entry,
    marked_in,
    unwrapped,
)
from harness_answers.json_reader import loads
from harness_answers.text import last_marked, plain

from harness_vltl.answers.conclusions import DISBELIEVED, OPEN, TURN, stands
from harness_vltl.answers.grounding import numbered

_MAX_TOKENS = 600
_CHANGED = 5  # one word in so many may differ from the sentence's
_LONG_ACTION = 10  # words; placeholders that stand for more each may be no answer at all


_PLACE = re.compile(
    r"(?:\\text\w{0,4}\{)?[\[{<(]?\\?_?\bprop(?:osition)?(?:\\?_|[ -])?\{?(\d{1,2})\}?(?!\d)"
    r"(?:'?(?:s|ing)\b)?\}?[\]}>)]?",
    re.IGNORECASE,
)
_TAGGED = re.compile(r"<(prop_\d{1,2})>[^<>]*</\1>", re.IGNORECASE)
_SHORT = re.compile(r"(?<![\w_])[\[{<]?p_?(\d{1,2})\b[\]}>]?", re.IGNORECASE)
_WHERE = re.compile(
    rf"[ \t]{{0,9}}[(\[,;:–—-]{{0,3}}[ \t]{{0,9}}\b(?:where|with)[ \t:]{{1,9}}(?:{_PLACE.pattern})"
    r"[ \t]{0,9}(?::|=|->|is\b|stands\b|means\b|refers\b|denotes\b|represents\b).*",
    re.IGNORECASE | re.DOTALL,
)
_END = 6_000  # characters of a reply that are looked at
_MOST = 20  # lines with placeholders
_CUTS = 16  # places in a line where the sentence may begin
_BEGINS = re.compile(
    r":[ \t]+|[.!][ \t]+(?=[A-Z])|\b(?:is|reads|becomes|get|obtain|to)[ \t]+|(?=[\"'])"
)
_PLACED = re.compile(rf"^[^\n]*(?:{_PLACE.pattern})[^\n]*$", re.IGNORECASE | re.MULTILINE)
# A line that says what a placeholder stands for: "idling" → prop_2.
_PAIRED = re.compile(rf"(?:[→⇒=]|->)[^\w\n]*(?:{_PLACE.pattern})\W*$", re.IGNORECASE)
_REFUSED = re.compile(
    rf"(?:\b(?:not|than|unlike|instead of)\b[^\".:]{{0,20}}|{DISBELIEVED}[^\".:\n]{{0,60}})\"[^\"\n]*prop",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w(?:.*\w)?", re.DOTALL)
_LIFTED = r"lifted(?: (?:sentence|requirement|statement|version|form))?|sentence|output|result"


def lifted(completion: str, prompt: str, tokens: Sequence[str]) -> Answer[tuple[int, ...]] | None:
    """Return for each token the number of its proposition in a completion, 0 for none; or None.

    The sentence with placeholders is aligned with the tokens: its words have to occur in order,
    and every placeholder stands for one token or more. Of several alignments the one counts whose
    placeholders are shortest from the left on. Up to every fifth word may be left out, added or
    changed, if all best alignments then agree. Placeholders side by side are told apart only by a
    comma. Also read: an object or lines ``prop_1: picking up the fork``, whose phrases are looked
    up in the sentence, and lists of tokens or of numbers. What is hardly anything but placeholders
    is no sentence.

    Args:
        completion: any text whatever.
        prompt: what the model was asked.
        tokens: the words of the sentence with punctuation attached, at most 600.
    """
    text = plain(completion, prompt)
    marked = marked_in(text, _LIFTED)
    if not 0 < len(tokens) <= _MAX_TOKENS:
        return None
    words = [_word(token) for token in tokens]
    if marked is None:
        return None if last_marked(text) else _stated(text, tokens, words)

    def said(content: str) -> Answer[tuple[int, ...]] | None:
        if marked.verb and content.startswith("not "):
            return None
        sentence = [word for word in map(_word, unwrapped(content).split()) if word]
        if marked.start >= 0 and sentence == [word for word in words if word]:
            return Answer((0,) * len(tokens), cut(content))  # nothing is replaced
        return _lifted(content + "\n" + marked.rest, tokens, words)

    answer = agreed(marked, said)
    return _stated(text, tokens, words) if answer is None and marked.start < 0 else answer


def _stated(text: str, tokens: Sequence[str], words: list[str]) -> Answer[tuple[int, ...]] | None:
    """Return the last lifted sentence of a text: a line, what a line quotes, or what stands behind a colon in it."""
    text = text.rstrip()[-_END:]
    answer, place = None, len(text)
    for line in reversed(list(_PLACED.finditer(text))[-_MOST:]):
        said = _sentence(line[0], tokens, words)
        if said is None or numbered(line[0]) or _PAIRED.search(line[0]):
            continue
        if answer is None:
            doubts = {doubt[0].casefold() for doubt in OPEN.finditer(line[0])}
            refused = _REFUSED.search(line[0]) or not doubts <= {*words}
            if refused or not stands(line[0].partition(said.quote)[2] + text[line.end() :]):
                return None
            answer, place = said, line.start()
        elif said.value != answer.value and not TURN.search(text[line.end() : place]):
            return None
    return answer


def _sentence(line: str, tokens: Sequence[str], words: list[str]) -> Answer[tuple[int, ...]] | None:
    """Return the lifted sentence in a line."""
    for start in [0, *(found.end() for found in islice(_BEGINS.finditer(line), _CUTS))]:
        for part in (line[start:], re.split(r"(?<=[.!])[\"']?[ \t]", line[start:])[0]):
            ids = _aligned(unwrapped(part), tokens, words)
            if ids and any(ids):
                return Answer(tuple(ids), cut(part))
    return None


def _word(token: str) -> str:
    """Return a token without the signs around it; a pattern of both ends takes quadratic time."""
    word = _WORD.search(token)
    return word[0].casefold() if word else ""


def _lifted(text: str, tokens: Sequence[str], words: list[str]) -> Answer[tuple[int, ...]] | None:
    text = text[:MAX_CONTENT].strip()
    sentence = " ".join(tokens).casefold()  # a requirement may say "either" or "none" itself
    doubts = HEDGED.finditer(text.partition("\n")[0])
    if any(doubt[0].casefold() not in sentence for doubt in doubts):
        return None
    value: Any = None
    parsed = loads(text) if text[:1] in ("{", "[") else None
    if parsed:
        value = parsed[0]
        if isinstance(value, dict):
            inside = entry(text, ("lifted_sentence", "lifted", "sentence", "output"))
            value = inside if inside is not text else value
    ids = _ids(value, text, tokens, words)
    if ids is None or not any(ids):
        return None
    return Answer(tuple(ids), cut(text.partition("\n")[0] if not parsed else text))


def _ids(value: Any, text: str, tokens: Sequence[str], words: list[str]) -> list[int] | None:
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        text = " ".join(value)
    elif isinstance(value, list) and all(type(part) is int for part in value):
        return value if len(value) == len(tokens) and all(0 <= n < 100 for n in value) else None
    elif isinstance(value, str):
        text = value
    pairs = numbered(value if isinstance(value, dict) else text)
    if pairs is not None:
        return _located(pairs, words)
    return _aligned(unwrapped(text.partition("\n")[0]), tokens, words)


def _located(pairs: dict[int, Any], words: list[str]) -> list[int] | None:
    """Return each token's number from phrases, looked up in the sentence; None if one is missing or two overlap."""
    ids = [0] * len(words)
    for number, phrases in pairs.items():
        for phrase in phrases if isinstance(phrases, list) else [phrases]:
            if not isinstance(phrase, str):
                return None
            run = [word for word in map(_word, phrase.split()) if word]
            starts = [at for at in range(len(words)) if run and words[at : at + len(run)] == run]
            if not starts:
                return None
            for at in (place for start in starts for place in range(start, start + len(run))):
                if ids[at] not in (0, number):
                    return None
                ids[at] = number
    return ids


def _aligned(sentence: str, tokens: Sequence[str], words: list[str]) -> list[int] | None:
    if "where" not in words:
        sentence = _WHERE.sub("", sentence)
    sentence = _TAGGED.sub(r"\1", sentence)
    short = not _PLACE.search(sentence) and not any(_SHORT.search(token) for token in tokens)
    marked = (_SHORT if short else _PLACE).sub(" \x00\\1 ", sentence.replace("\0", " "))
    parts: list[tuple[int, str]] = []  # a placeholder's number with its comma, or 0 and a word
    for piece in marked.split()[: 2 * _MAX_TOKENS]:
        if piece[0] == "\0":
            parts.append((int(piece[1:]), ""))
        elif word := _word(piece):
            parts.append((0, word))
        elif parts and parts[-1][0] and piece[0] in ",;:":
            parts[-1] = (parts[-1][0], piece[0])
    if not parts or (not parts[-1][0] and parts[-1][1] != words[-1]):  # cut off
        return None
    literal = sum(1 for number, _ in parts if not number)
    unsound = (
        "\x000" in marked.split() or _unseparated(parts) or _mostly_placeholders(parts, len(tokens))
    )
    if unsound or literal == len(parts) or len(parts) > len(tokens) + literal // _CHANGED:
        return None
    table = _costs(parts, tokens, words)
    if table[0][0] > _EDIT * (literal // _CHANGED) + _EDIT - 1:
        return None
    ids = _traced(parts, tokens, words, table, shortest=True)
    if table[0][0] >= _EDIT and ids != _traced(parts, tokens, words, table, shortest=False):
        return None
    return ids


def _mostly_placeholders(parts: list[tuple[int, str]], size: int) -> bool:
    """Tell whether an answer has hardly any words beside its placeholders.

    At least half of a long sentence are other words than actions; less than a third of those are
    too few.
    """
    literal = sum(1 for number, _ in parts if not number)
    return 6 * literal < size and size > _LONG_ACTION * (len(parts) - literal)


def _unseparated(parts: list[tuple[int, str]]) -> bool:
    """Tell whether two different placeholders stand side by side without a comma."""
    return any(a and b and a != b and not comma for (a, comma), (b, _) in pairwise(parts))


_EDIT = 1000  # a word changed; a comma that the sentence lacks costs 1
_NEVER = 10**9


def _costs(
    parts: list[tuple[int, str]], tokens: Sequence[str], words: list[str]
) -> list[list[int]]:
    """Return the least cost of aligning the parts from i on with the tokens from j on."""
    size = len(tokens)
    table = [[_EDIT * (size - j) for j in range(size + 1)]]
    for number, word in reversed(parts):
        below = table[-1]
        row = [_NEVER if number else below[size] + _EDIT] * (size + 1)
        for j in range(size - 1, -1, -1):
            if number:
                lacks = word != "" and not tokens[j].endswith(word)
                row[j] = min(below[j + 1] + lacks, row[j + 1])
            else:
                changed = 0 if words[j] == word else _EDIT
                row[j] = min(below[j + 1] + changed, below[j] + _EDIT, row[j + 1] + _EDIT)
        table.append(row)
    return table[::-1]


def _traced(
    parts: list[tuple[int, str]],
    tokens: Sequence[str],
    words: list[str],
    table: list[list[int]],
    *,
    shortest: bool,
) -> list[int]:
    """Return the ids of the best alignment whose placeholders are shortest, or longest."""
    ids = [0] * len(tokens)
    i = j = 0
    while i < len(parts) and j < len(tokens):
        number, word = parts[i]
        rest = table[i][j]
        if number:
            ids[j] = number
            ends = rest == table[i + 1][j + 1] + (word != "" and not tokens[j].endswith(word))
            stays = rest == table[i][j + 1]
            i += ends if shortest else not stays
            j += 1
            continue
        steps = [(1, 1, 0 if words[j] == word else _EDIT), (1, 0, _EDIT), (0, 1, _EDIT)]
        down, right, _ = next(
            step
            for step in (steps if shortest else steps[::-1])
            if rest == table[i + step[0]][j + step[1]] + step[2]
        )
        i, j = i + down, j + right
    return ids
