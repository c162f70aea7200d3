"""What a hook may return, looked at before anybody works with it: a wrong type is the plugin's fault by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from harness.core.contract import STAGED, shortcut_breach
from harness.core.hookspecs import Benchmark
from harness.core.items import Item, Solution, Verdict, canonical_json, plain

# Bytes of an item's JSON: less than a guarded call takes, and a record may have.
MAX_ITEM = 10_000_000


def breach(benchmark: Benchmark, hook: str, result: Any) -> str | None:
    """Return what is wrong with what a hook returned, to follow "hook() returned", or None.

    Hooks that are not among these (``render``) are looked at where they are called.
    """
    try:
        if hook in _SIMPLE:
            return _simple_breach(hook, result)
        look = _LOOKS.get(hook)
        return look(benchmark, result) if look else None
    except Exception as error:  # a plugin's own class may stand where data is expected
        return f"what cannot be looked at ({type(error).__name__})"


def _generate(_: Benchmark, result: Any) -> str | None:
    return _item_breach(result) if isinstance(result, Item) else type(result).__name__


_HALF = "half a surrogate pair, which is no text and cannot be written"


def _item_breach(item: Item) -> str | None:
    """Return what keeps an item from being written and read back, None where nothing does."""
    for name, kind in _KINDS.items():
        value = getattr(item, name)
        if not isinstance(value, kind):
            expected = "str" if kind is str else "dict"
            return f"an item whose {name} is {type(value).__name__}, expected {expected}"
    if not re.fullmatch(r"|[0-9a-f]{12}", item.family):
        return "an item whose family is not 12 hexadecimal digits"
    with suppress(UnicodeEncodeError, TypeError, ValueError, RecursionError):
        # Faster than to write all of it: a character of a text takes six in JSON at the most.
        texts = len(item.prompt.encode()) + len(item.target.encode())
        data = canonical_json([plain(getattr(item, name)) for name in _DATA])
        if 6 * texts + len(data.encode()) < MAX_ITEM:
            return None
    size = 0
    for name in _WRITTEN:
        value = plain(getattr(item, name))
        try:
            size += len(canonical_json(value).encode())
        except UnicodeEncodeError:
            return f"an item whose {name} holds {_HALF}"
        except (TypeError, ValueError, RecursionError) as error:
            what = f"{name} that are" if name.endswith("s") else f"a {name} that is"
            return f"{what} not JSON: {type(error).__name__}: {str(error)[:200]}"
    return f"an item of {size:,} bytes, more than {MAX_ITEM:,}" if size > MAX_ITEM else None


_DATA = ("problem", "certificate", "features", "notes")
_WRITTEN = ("prompt", "target", *_DATA)

_KINDS: dict[str, type] = {
    "prompt": str,
    "target": str,
    "features": Mapping,
    "notes": Mapping,
    "family": str,
}


def _adopt(_: Benchmark, result: Any) -> str | None:
    if result is None or isinstance(result, Item):
        return None if result is None else _item_breach(result)
    return f"{type(result).__name__}, expected an item or None"


def _read(_: Benchmark, result: Any) -> str | None:
    try:
        canonical_json(result)
    except (TypeError, ValueError, RecursionError) as error:
        return f"what is not JSON: {type(error).__name__}"
    return None


def _score(benchmark: Benchmark, verdict: Any) -> str | None:
    if not isinstance(verdict, Verdict):
        return f"{type(verdict).__name__}, expected Verdict"
    try:
        wrong = verdict.problems(benchmark.values)
        texts = [verdict.answer, verdict.explanation, *verdict.extra, *verdict.extra.values()]
        "".join(text for text in texts if isinstance(text, str)).encode()
    except OverflowError:
        return "a verdict with a number beyond all bounds"
    except UnicodeEncodeError:
        return f"a verdict with {_HALF}"
    return f"a verdict that breaks the contract: {wrong[0][:300]}" if wrong else None


def _shortcuts(_: Benchmark, result: Any) -> str | None:
    return None if result is None else shortcut_breach(result)


def _is_text(result: Any) -> bool:
    return isinstance(result, str)


def _strings(result: Any) -> bool:
    return isinstance(result, list) and all(isinstance(element, str) for element in result)


# What is right but for None, how an error names it, and whether the error quotes what there was instead.
_SIMPLE: dict[str, tuple[Callable[[Any], bool], str, bool]] = {
    "solve": (lambda result: isinstance(result, Solution), "Solution", False),
    "check": (_strings, "a list of strings", True),
    "audit": (lambda result: isinstance(result, list), "a list", False),
    "readings": (lambda result: isinstance(result, Mapping), "a dict", False),
    "capacity": (
        lambda result: type(result) is int and result >= 0,
        "a number of items or None",
        True,
    ),
    "explain": (_is_text, "str or None", False),
    "trace": (_is_text, "str or None", False),
    "reread": (_strings, "a list of strings", True),
    "prove": (lambda result: isinstance(result, dict), "a dict or None", False),
    "shortcut": (_is_text, "str", False),
    **dict.fromkeys(STAGED, (_is_text, "str", False)),
}
_NEVER_NONE = ("solve", "check", *STAGED)


def _simple_breach(hook: str, result: Any) -> str | None:
    right, expected, quoted = _SIMPLE[hook]
    if right(result) or (result is None and hook not in _NEVER_NONE):
        return None
    what = f"{type(result).__name__} {str(result)[:40]!a}" if quoted else type(result).__name__
    return f"{what}, expected {expected}"


_LOOKS: dict[str, Callable[[Benchmark, Any], str | None]] = {
    "generate": _generate,
    "adopt": _adopt,
    "read": _read,
    "score": _score,
    "shortcuts": _shortcuts,
}
