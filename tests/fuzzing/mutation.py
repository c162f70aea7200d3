"""Mutations that know what they cut: tokens, brackets, valid texts of the same kind, trees of JSON."""

import json
import re

LOOKALIKES = {
    "a": "а", "e": "е", "o": "ο", "F": "Ϝ", "G": "Ԍ", "-": "−", "&": "＆", "|": "｜", "(": "（", ")": "）",
    "0": "０", "1": "¹", "2": "٢", "3": "３", "X": "Х", "!": "ǃ", ",": "，", ":": "：", "=": "＝", "[": "［",
    "{": "｛", '"': "“", "'": "’", " ": "\u00a0", "s": "ſ", "i": "ı", "K": "\u212a", "ss": "ß",
}  # fmt: skip
STRANGE = (
    "\x00", "\x1b[2J", "\x07", "\x7f", "\x85", "\u2028", "\u2029", "\ufeff", "\u200b", "\u202e", "\u2066", "\u061c",
    "\u0301", "\u0130", "\udc80", "\udcff", "\ud800", "\U000e0041", "🙂", "ﷺ", "\r", "\r\n", "\x0b", "\x0c", "\x1c",
    "Ⅷ", "²", "½", "٣", "𝟙", "ꟺ", "ß", "ŉ", "\uffff", "\u0085", "一", "①",
)  # fmt: skip
NUMBERS = (
    "0", "-0", "-1", "00", "1_000", "2147483648", "9223372036854775808", "1" + "0" * 30, "9" * 4301, "9" * 400,
    "1e999", "1e-999", "-1e309", "NaN", "Infinity", "-Infinity", "0x10", "1.5", ".5", "5.", "1e", "٣", "²", "+1",
)  # fmt: skip
MARKUP = (
    "Answer:", "Answer: ", "answer is", "\nAnswer:\n", "**", "*", "_", "`", "```", "```json\n", "\n```", "\\boxed{",
    "}", "$", "$$", "\\(", "\\)", "\\[", "\\]", "<think>", "</think>", "<answer>", "</answer>", "<|im_end|>", "<br>",
    "# ", "> ", "- ", "1. ", "| ", "~~", "---", "\n\n", "\n", "\t", "  ", "\\text{", "\\\\", "&amp;", "[INST]",
    "◁think▷", "<|channel|>final<|message|>", "Human:", "not ", "or ", "and ", "maybe ", "true", "false", "null",
    "no", "yes", "True", "False", "none", "//", "/*", "*/", "--", "#", "\\u0000", "\\ud800", "\\n",
)  # fmt: skip
BRACKETS = ("()", "[]", "{}", '""', "''", "``", "<>", "“”")
_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
MAX = 60_000
DEEP = (3, 40, 300, 3_000)


def text_of(data):
    return data.decode("utf-8", "surrogateescape")


def whole(text):
    """Return whether a text has no halves of characters, which no file can hold."""
    return text.encode("utf-8", "replace").decode() == text


def data_of(text):
    """Return text as bytes; halves of characters are kept as far as bytes can say them."""
    kept = "".join(
        "\ufffd" if "\ud800" <= c < "\udc80" or "\udcff" < c <= "\udfff" else c for c in text
    )
    return kept.encode("utf-8", "surrogateescape")


def mutated(rng, text, others, words):
    """Return a text after a few mutations; ``others`` are texts of its kind, ``words`` its tokens."""
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 5, 8))):
        text = rng.choice(_WAYS)(rng, text, others, words)[:MAX]
    return text


def _span(rng, text):
    """Return the ends of some tokens that follow one another."""
    cuts = [found.start() for found in _TOKEN.finditer(text)] + [len(text)]
    first = rng.randrange(len(cuts))
    last = min(len(cuts) - 1, first + rng.choice((0, 1, 1, 1, 2, 3, 8, 40)))
    return cuts[first], cuts[last]


def _delete(rng, text, others, words):
    start, end = _span(rng, text)
    return text[:start] + text[end:]


def _copy(rng, text, others, words):
    start, end = _span(rng, text)
    return text[:end] + text[start:end] * rng.choice((1, 1, 1, 2, 9)) + text[end:]


def _many(rng, text, others, words):
    start, end = _span(rng, text)
    piece = text[start:end] or "a"
    return (
        text[:start]
        + piece * min(rng.choice((30, 300, 5_000, MAX)), MAX // len(piece))
        + text[end:]
    )


def _move(rng, text, others, words):
    start, end = _span(rng, text)
    rest = text[:start] + text[end:]
    at, _ = _span(rng, rest)
    return rest[:at] + text[start:end] + rest[at:]


def _insert(rng, text, others, words):
    at, end = _span(rng, text)
    end = at if rng.random() < 0.5 else end
    source = rng.choice((words, words, words, MARKUP, NUMBERS, STRANGE))
    return text[:at] + rng.choice(source or MARKUP) + text[end:]


def _number(rng, text, others, words):
    found = list(re.finditer(r"\d+", text))
    if not found:
        return _insert(rng, text, others, words)
    one = rng.choice(found)
    near = str(int(one[0][:15]) + rng.choice((-1, 1, 10, 100))) if one[0].isascii() else "1"
    return text[: one.start()] + rng.choice((near, near, rng.choice(NUMBERS))) + text[one.end() :]


def _enclose(rng, text, others, words):
    start, end = _span(rng, text)
    pair = rng.choice(BRACKETS)
    times = rng.choice((1, 1, 1, *DEEP))
    closing = pair[1] * (times if rng.random() < 0.8 else 0)
    return text[:start] + pair[0] * times + text[start:end] + closing + text[end:]


def _look(rng, text, others, words):
    here = [at for at, char in enumerate(text[:5_000]) if char in LOOKALIKES]
    if not here:
        return text + rng.choice(STRANGE)
    at = rng.choice(here)
    return text[:at] + LOOKALIKES[text[at]] + text[at + 1 :]


def _strange(rng, text, others, words):
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(STRANGE) + text[at + rng.randrange(2) :]


def _splice(rng, text, others, words):
    other = rng.choice(others) if others else text
    start, end = _span(rng, other)
    piece = other[start:] if rng.random() < 0.4 else other[start:end]
    at, behind = _span(rng, text)
    return text[:at] + piece + ("" if rng.random() < 0.3 else text[behind:])


def _case(rng, text, others, words):
    start, end = _span(rng, text)
    change = rng.choice((str.upper, str.lower, str.title, str.swapcase))
    return text[:start] + change(text[start:end]) + text[end:]


def _lines(rng, text, others, words):
    lines = text.split("\n")
    kind = rng.randrange(4)
    if kind == 0:
        rng.shuffle(lines)
    elif kind == 1:
        lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))
    elif kind == 2:
        del lines[rng.randrange(len(lines))]
    else:
        lines = [rng.choice(("  ", "> ", "- ", "\t", "* ")) + line for line in lines]
    return "\n".join(lines)


def _cut(rng, text, others, words):
    at = rng.randrange(len(text) + 1)
    return text[:at] if rng.random() < 0.7 else text[at:]


_WAYS = (
    *(
        _delete,
        _copy,
        _move,
        _insert,
        _insert,
        _insert,
        _number,
        _enclose,
        _look,
        _strange,
        _splice,
    ),
    *(_splice, _case, _lines, _cut, _many),
)


def mutated_bytes(rng, data, others):
    """Return bytes after a few mutations that know nothing of them."""
    found = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        at = rng.randrange(len(found) + 1)
        way = rng.randrange(5)
        if way == 0 and at < len(found):
            found[at] = rng.randrange(256)
        elif way == 1 and at < len(found):
            found[at] ^= 1 << rng.randrange(8)
        elif way == 2:
            del found[at : at + rng.choice((1, 2, 8, 64))]
        elif way == 3:
            found[at:at] = rng.randbytes(rng.choice((1, 2, 4)))
        else:
            other = rng.choice(others) if others else data
            start = rng.randrange(len(other) + 1)
            found[at : at + 16] = other[start : start + rng.choice((4, 16, 256))]
    return bytes(found)


# ------------------------------------------------------------------------------------ trees


ODD = (
    None, True, False, 0, -1, 1, 2**63, 10**40, 0.5, -0.0, 1e308, "", " ", "0", "1", "null", "a\x00b", "\udc80",
    "\u202e", "x" * 3_000, [], {}, [[]], [None], {"": None}, {"a": {"b": []}}, [0] * 50, "Infinity", "١",
)  # fmt: skip


def mutated_tree(rng, value, others, words):
    """Return a JSON value after one to three mutations of its nodes."""
    value = json.loads(json.dumps(value))
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        value = _tree(rng, value, others, words)
    return value


def _tree(rng, value, others, words):
    path = _path(rng, value)
    if not path:
        return _leaf(rng, value, others, words) if rng.random() < 0.3 else value
    parent = value
    for step in path[:-1]:
        parent = parent[step]
    key, way = path[-1], rng.randrange(8)
    if way == 0:
        del parent[key]
    elif way == 1 and isinstance(parent, list):
        parent.insert(key, parent[rng.randrange(len(parent))])
    elif way == 1:
        parent[rng.choice((*words, "", "x", "0", "id", "\u202e"))] = parent.pop(key)
    elif way == 2 and others:
        other = rng.choice(others)
        for step in _path(rng, other):
            other = other[step]
        parent[key] = json.loads(json.dumps(other))
    elif way == 3:
        for _ in range(rng.choice((1, 5, 300))):
            parent[key] = rng.choice(([parent[key]], {"answer": parent[key]}))
    else:
        parent[key] = _leaf(rng, parent[key], others, words)
    return value


def _path(rng, value):
    """Return a way down a tree to a node, deep ones as likely as shallow ones."""
    path = []
    while isinstance(value, (dict, list)) and value and (not path or rng.random() < 0.85):
        step = rng.choice(list(value)) if isinstance(value, dict) else rng.randrange(len(value))
        path.append(step)
        value = value[step]
    return path


def _leaf(rng, value, others, words):
    if isinstance(value, str) and rng.random() < 0.7:
        return mutated(rng, value, [], words)
    if isinstance(value, int) and not isinstance(value, bool) and rng.random() < 0.7:
        return value + rng.choice((-1, 1, 2, 7, -100, 2**31))
    if isinstance(value, (dict, list)) and value and rng.random() < 0.3:
        return list(value)[::-1]
    return rng.choice(ODD)
