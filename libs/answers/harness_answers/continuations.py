"""What a model writes behind its answer: lines over and over, tasks of its own, turns of a dialogue."""

from __future__ import annotations

import re
from functools import lru_cache

from harness_answers.cleaning import ANSWERED

_TURN = re.compile(
    r"^[^\w\n\"'{,]{0,9}(?:human|user)[^\w\n\"']{0,3}:", re.IGNORECASE | re.MULTILINE
)
_END = re.compile(r"<\|(?:im_end|eot_id|endoftext|end|return|eom_id)\|>|</s>|<(?:end_of_turn|eos)>")
# Two characters between which no line ends by itself: within a word, or behind a sign that more follows.
_AMID = re.compile(r"[\w-][\w-]|[,;:(&|-].")


def unlooped(text: str) -> str:
    """Complete the last line of a text that repeats some lines over and over and breaks off amid one of them."""
    end = text.rstrip()
    lines = [line.strip() for line in end.rsplit("\n", 100) if line.strip()]
    for period in range(1, (len(lines) + 1) // 2):
        cut, whole, block = lines[-1], lines[-1 - period], lines[-1 - period : -1]
        if whole.startswith(cut) and block == lines[-1 - 2 * period : -1 - period]:
            rest = whole[len(cut) :]
            return end + rest if _AMID.match(f"{cut[-1]}{rest}") else text
    return text


# An answer: marked, or the first words of the text.
_FIRST = re.compile(rf"\A[^\w\n]{{0,9}}(?:A:[^\n]*\w|True|False)\b|{ANSWERED.pattern}", re.I | re.M)
# Words of somebody who goes on with his own task.
_OWN = re.compile(r"\b(?:I|my|me|we|wait|hmm+)\b", re.IGNORECASE)
_LABEL = re.compile(r"^[ \t]{0,3}([A-Z][a-z]{1,15}(?: [a-z]{1,15})?):(?=[ \t]*\S)", re.MULTILINE)


# "Q: …", "Problem 2: …", "Now let's consider another example: …"
_HEADING = (
    r"(?:(?:q|(?:(?:(?:now|next|and),? )?(?:(?:let's|let us|here(?:'s| is)) (?:\w+ ){0,3})?(?:another|a new|a similar"
    r"|next) (?:\w+ )?)?(?:question|problem|puzzle|exercise|example|task)(?: [2-9])?)[^\w\n]{0,9}[:.]?\s*)"
)


@lru_cache(maxsize=512)
def _next_task(prompt: str) -> re.Pattern[str]:
    """Return a pattern for the beginning of another task in the form of a prompt.

    That is one of the prompt's labels, or its first words: behind a heading, or, of a question, also without one.
    """
    first = next((line for line in prompt.splitlines() if line.count(" ") > 2), "")
    words = [r"\d+" if word.isdigit() else word for word in re.findall(r"[^\W\d_]+|\d+", first)]
    headed, alone = (r"[\W_]*".join(words[:at]) or "(?!)" for at in (3, 4 if "?" in first else 0))
    labels = "|".join({*_LABEL.findall(prompt)} - {"Answer"}) or "(?!)"
    return re.compile(
        rf"^[^\w\n]{{0,9}}(?:(?:{_HEADING}{headed}|{alone})\b|(?-i:{labels}):[ \t]*(?=\S)"
        r"|(?:human|user|(?:problem|puzzle) [2-9])[^\w\n]{0,9}$)",
        re.IGNORECASE | re.MULTILINE,
    )


def first_task(text: str, prompt: str) -> str:
    """Return a text without the task that the model made up behind its answer, in the form of its prompt."""
    answer, given = _FIRST.search(text), " ".join(prompt.split())
    for task in _next_task(prompt).finditer(text, answer.end()) if answer else ():
        said = " ".join(text[task.end() : task.end() + 200].split())
        if not _OWN.search(said) and said not in given:
            return text[: task.start()]
    return text


_HEADER = re.compile(r"<\|(?:start_header_id|im_start)\|>\s{0,3}(\w{1,20})(?:<\|end_header_id\|>)?")


def _behind_tools(text: str) -> str:
    """Return the last turn of the assistant, if besides it only tools speak before that."""
    begin, called = 0, False
    for header in _HEADER.finditer(text):
        if header[1] in ("user", "system"):
            break
        called |= header[1] in ("ipython", "tool", "environment")
        begin = header.end() if called and header[1] == "assistant" else begin
    return text[begin:]


def first_turn(text: str) -> str:
    """Return a text without the turns of tools before its last own one, and those that the model made up after it."""
    text = _behind_tools(text) if "<|" in text else text
    low = text.lower()
    for pattern, words in ((_END, "<"), (_TURN, ("human", "user"))):
        for end in pattern.finditer(text) if any(word in low for word in words) else ():
            if text[: end.start()].strip():
                text = text[: end.start()]
                break
    return text
