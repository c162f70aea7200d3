"""Which items the explorer of a report's page shows, and all that it shows of them."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from itertools import zip_longest
from math import isfinite
from typing import Any

from harness_errors import DatasetError
from inspect_ai.log import EvalSample
from inspect_ai.model import ChatMessage
from inspect_ai.scorer import Score
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import escape

from harness.core.items import Item
from harness.datasets.item_drawing import Draughtsman
from harness.report import log_studies
from harness.report.model import Answer, Series, Study
from harness.report.numbers import outcome

Entry = dict[str, Any]

LONG = 20_000  # characters of a prompt, a target or a completion
SHORT = 2_000  # characters of an answer, a feature or a reason
FEATURES = 100  # of an item
MOST = 20_000_000  # bytes of all entries of a page together

# The kinds of items that a reader looks for, each with what the outcomes of its series are like.
KINDS: Mapping[str, Callable[[set[str]], bool]] = {
    "the series disagree": lambda outcomes: len(outcomes - {"unscored"}) > 1 and "right" in outcomes,
    "all wrong": lambda outcomes: outcomes <= {"wrong", "partial"},
    "unparsed": lambda outcomes: "unparsed" in outcomes,
    "unscored": lambda outcomes: "unscored" in outcomes,
    "all right": lambda outcomes: outcomes == {"right"},
    "any other": lambda outcomes: True,
}  # fmt: skip


def entries(study: Study, limit: int) -> tuple[list[Entry], int]:
    """Return up to ``limit`` items for the page, at most `MOST` bytes of them, and how many there are.

    Kinds (`KINDS`) take turns, and within a kind the combinations of the benchmark's ``groups``, so that every
    kind and every group is there; which of the alike is decided by a hash of the id. Ordered by that choice.

    An entry: ``id``, ``number`` (from 0, or None), ``prompt``, ``target``, ``features``, ``drawing`` (a ``data:``
    address or None), ``solution`` (text), ``answers``: one per series that answered, each with ``series`` (its
    index), ``outcome``, ``values``, ``answer`` (None: none was read), ``completion``, ``explanation`` (safe HTML),
    ``reason`` (why it is unscored). Raises `DatasetError`: a log cannot be read.
    """
    items = _answers(study)
    chosen = _ordered_ids(study, items)[:limit]
    draughtsman = Draughtsman(study.benchmark.name, len(chosen))
    samples: dict[str, dict[int, EvalSample]] = defaultdict(dict)
    for at, sample in log_studies.contents(study, set(chosen)):
        item_id = str(sample.id)
        shown = items.get(item_id, {}).get(at)
        if shown and _better(shown, sample, samples[item_id].get(at)):
            samples[item_id][at] = sample
    made = (_entry(study, name, items[name], samples[name], draughtsman) for name in chosen)
    return within_size(made, MOST), len(items)


def within_size(choices: Iterable[Entry], most: int) -> list[Entry]:
    """Return the first entries that together take at most so many bytes as JSON."""
    kept, size = [], 0
    for entry in choices:
        size += len(json.dumps(entry, ensure_ascii=False).encode(errors="replace")) + 2
        if size > most:
            break
        kept.append(entry)
    return kept


def _answers(study: Study) -> dict[str, dict[int, Answer]]:
    """Return the answers of every item by the index of their series."""
    items: dict[str, dict[int, Answer]] = defaultdict(dict)
    for at, series in enumerate(study.series):
        for answer in series.answers:
            items[answer.id][at] = answer
    return items


def _ordered_ids(study: Study, items: Mapping[str, Mapping[int, Answer]]) -> list[str]:
    """Return the ids of all items in the order in which they are to be shown."""
    telling = _telling_series(study.series)
    kinds: dict[str, list[str]] = {name: [] for name in KINDS}
    for item_id, answers in sorted(items.items()):
        outcomes = {outcome(study.benchmark, answers[at]) for at in telling & answers.keys()}
        for name, holds in KINDS.items():
            if outcomes and holds(outcomes):
                kinds[name].append(item_id)
    ordered = [_spread(ids, items, study.benchmark.groups) for ids in kinds.values()]
    return list(dict.fromkeys(_in_turns(ordered)))


def _telling_series(all_series: Sequence[Series]) -> set[int]:
    """Return the series whose outcomes make an item interesting: models, else all of them."""
    models = {at for at, series in enumerate(all_series) if series.of_model}
    return models or set(range(len(all_series)))


def _spread(
    ids: Sequence[str], items: Mapping[str, Mapping[int, Answer]], groups: Sequence[str]
) -> list[str]:
    """Order ids so that the combinations of the groups' values take turns."""
    combined: dict[str, list[str]] = defaultdict(list)
    for item_id in sorted(ids, key=lambda name: sha256(name.encode(errors="replace")).digest()):
        features = next(iter(items[item_id].values())).row.features
        combined[repr([str(features.get(name)) for name in groups])].append(item_id)
    return list(_in_turns(combined[key] for key in sorted(combined)))


def _in_turns(lists: Iterable[Iterable[str]]) -> Iterator[str]:
    """Yield the first of every list, then the second of every list that has one, and so on."""
    return (word for turn in zip_longest(*lists) for word in turn if word is not None)


def _better(answer: Answer, new: EvalSample, old: EvalSample | None) -> bool:
    """Whether to show this one of an item's several samples: the first that says what the vote said, if any."""
    if old is None or answer.repeats:
        return old is None
    answers = [score.answer if (score := _score(sample)) else None for sample in (new, old)]
    return answers[0] == answer.row.answer != answers[1]


def _score(sample: EvalSample) -> Score | None:
    return next(iter((sample.scores or {}).values()), None)


def _entry(
    study: Study, item_id: str, answers: Mapping[int, Answer], samples: Mapping[int, EvalSample],
    draughtsman: Draughtsman,
) -> Entry:  # fmt: skip
    if not samples:
        raise DatasetError(
            f"item '{item_id[:60]}' is in a log's summary, but not in the log itself"
        )
    first = samples[min(samples)]
    item = _item(first)
    drawn = draughtsman.draw(item) if item else None
    features = next(iter(answers.values())).row.features
    return {
        "id": visible(item_id),
        "number": next(iter(answers.values())).number,
        "prompt": _cut(_prompt(first), LONG),
        "target": _cut(_target(first), LONG),
        "features": {
            _cut(str(key), SHORT): _feature(value) for key, value in list(features.items())[:FEATURES]
        },
        "drawing": drawn.address if drawn else None,
        "solution": visible(drawn.solution) if drawn else "",
        "answers": [
            {"series": at} | _answer(study, answers[at], samples.get(at)) for at in sorted(answers)
        ],
    }  # fmt: skip


def _answer(study: Study, answer: Answer, sample: EvalSample | None) -> Entry:
    row = answer.row
    how = outcome(study.benchmark, answer)
    score = _score(sample) if sample else None
    reasoning = score.explanation or "" if score else ""
    reason, text = "", row.answer
    if how == "unscored":
        failed = sample.error.message if sample and sample.error else ""
        reason = _cut(failed or reasoning or "the log does not say why", SHORT)
    if answer.repeats:  # how often each was, as the first alone is shown
        counts = Counter("–" if one.answer is None else one.answer for one in answer.repeats)
        tally = ", ".join(f"{text} × {count}" for text, count in counts.most_common())
        text = f"{tally}; shown is the first"
    # What was judged is the model's last message.
    judged = sample.output.completion or _last(sample.messages, "assistant") if sample else ""
    return {
        "outcome": how,
        "values": {key: _feature(round(value, 4)) for key, value in row.value.items()},
        "answer": None if text is None else _cut(text, SHORT),
        "completion": _cut(judged, LONG),
        "explanation": explanation(visible(reasoning)) if reasoning and not reason else "",
        "reason": reason,
    }


def _feature(value: Any) -> Any:
    """Return a finite number or a short text: the rest of what a log may hold is no JSON."""
    number = isinstance(value, int | float) and isfinite(value)
    return value if number else _cut(str(value), SHORT)


def _prompt(sample: EvalSample) -> str:
    """Return the item's own prompt: the last thing the user says where there are turns before."""
    return sample.input if isinstance(sample.input, str) else _last(sample.input, "user")


def _last(messages: Sequence[ChatMessage], role: str) -> str:
    turns = [message.text for message in messages if message.role == role]
    return turns[-1] if turns else ""


def _target(sample: EvalSample) -> str:
    return sample.target if isinstance(sample.target, str) else "\n".join(sample.target)


_AS_TEXT = ("problem", "certificate", "notes")  # see `harness.run.samples`
_OWN = ("plugin", "version", "features", "split", "seed", "index", "attempt", "family")


def _item(sample: EvalSample) -> dict[str, Any] | None:
    """Return the item that a sample was made of, as `Item.to_dict` does; None where it cannot be told."""
    facts = sample.metadata or {}
    known = {key: facts[key] for key in _OWN if key in facts}
    try:
        known |= {key: json.loads(facts[key]) for key in _AS_TEXT}
        item = Item(prompt=_prompt(sample), target=_target(sample), **known)
        return item.to_dict()
    # Whatever a log of others holds under these names.
    except (KeyError, TypeError, ValueError, RecursionError):
        return None


def _cut(text: str, limit: int) -> str:
    """Return foreign text as the page shows it: what would not be seen spelled out, and not too long."""
    shown = visible(text[:limit])
    return shown if max(len(text), len(shown)) <= limit else f"{shown[:limit]}… cut"


_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")  # letters without a shape


def visible(text: str) -> str:
    """Return text with what shows nothing, or turns others' order, as ⟦U+202E⟧; lines, tabs, blanks stay."""
    text = text.replace("\r\n", "\n")
    unseen = (char for char in set(text) - {"\n", "\t"} if _unseen(char))
    return text.translate({ord(char): f"⟦U+{ord(char):04X}⟧" for char in unseen})


def _unseen(char: str) -> bool:
    if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") or char in _BLANK:
        return True
    # Selectors of variants: text can be hidden in them.
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0000" <= char <= "\U000e0fff"


EXPLAINED = 8_000  # characters of an explanation; more is cut
DEEP = 24  # elements within each other; beyond, the text is shown as it was written
CELLS = 4_000  # of tables, at most: short rows of a wide one are filled up, so that little text makes many


def explanation(text: str) -> str:
    """Return Markdown as HTML of paragraphs, emphasis, code, lists, tables, quotes, headings and rules.

    Links, images, raw HTML and addresses stay the text they were written as. No element has an attribute but
    the first number of a list. At most `EXPLAINED` characters, then "… cut"; what nests deeper than `DEEP`, or
    could be a table of more than `CELLS`, is shown unformatted, so that nothing is lost.
    """
    cut = text if len(text) <= EXPLAINED else f"{text[:EXPLAINED]}\n\n… cut"
    lines = cut.split("\n")
    if len(lines) * max(line.count("|") for line in lines) <= CELLS:
        markdown = _markdown()
        tokens = markdown.parse(cut)
        if _deepest(tokens) <= DEEP:
            _bare(tokens)
            return str(markdown.renderer.render(tokens, markdown.options, {}))
    return f"<pre>{escape(cut)}</pre>" if cut else ""


@cache
def _markdown() -> MarkdownIt:
    # The parser drops what nests deeper than its own bound, so that bound lies above ours.
    options = {"html": False, "linkify": False, "maxNesting": 2 * DEEP}
    markdown = MarkdownIt("commonmark", options).enable("table")
    return markdown.disable(["link", "image", "autolink", "reference"])


def _deepest(tokens: Sequence[Token]) -> int:
    deepest = depth = 0
    for token in tokens:
        depth += token.nesting
        inner = _deepest(token.children) if token.children else 0
        deepest = max(deepest, depth + inner)
    return deepest


def _bare(tokens: Sequence[Token]) -> None:
    """Take attributes away (alignment, a code block's language): the page's policy and style know none."""
    for token in tokens:
        token.info = ""
        token.attrs = {key: value for key, value in token.attrs.items() if key == "start"}
        _bare(token.children or ())
