"""What a hook may return, looked at before anybody works with it: a wrong type is the plugin's fault by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from harness.core.hookspecs import Benchmark
from harness.core.items import Item, Solution, Verdict, canonical_json

MAX_ITEM = (
    10_000_000  # bytes of an item's JSON: less than a guarded call takes, and a record may have
)


def breach(benchmark: Benchmark, hook: str, found: Any) -> str | None:
    """Return what is wrong with what a hook returned, to follow "hook() returned", or None.

    Hooks that are not among these (``render``, the stages) are looked at where they are called.
    """
    look = _LOOKS.get(hook)
    try:
        return look(benchmark, found) if look else None
    except Exception as error:  # a plugin's own class may stand where data is expected
        return f"what cannot be looked at ({type(error).__name__})"


def _generate(_: Benchmark, found: Any) -> str | None:
    return _item_breach(found) if isinstance(found, Item) else type(found).__name__


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
    size = 0
    for name in ("prompt", "target", "problem", "certificate", "features", "notes"):
        value = getattr(item, name)
        try:
            size += len(
                canonical_json(dict(value) if isinstance(value, Mapping) else value).encode()
            )
        except UnicodeEncodeError:
            return f"an item whose {name} holds {_HALF}"
        except (TypeError, ValueError, RecursionError) as error:
            what = f"{name} that are" if name.endswith("s") else f"a {name} that is"
            return f"{what} not JSON: {type(error).__name__}: {str(error)[:200]}"
    return f"an item of {size:,} bytes, more than {MAX_ITEM:,}" if size > MAX_ITEM else None


_KINDS: dict[str, type] = {
    "prompt": str,
    "target": str,
    "features": Mapping,
    "notes": Mapping,
    "family": str,
}


def _adopt(_: Benchmark, found: Any) -> str | None:
    if found is None or isinstance(found, Item):
        return None if found is None else _item_breach(found)
    return f"{type(found).__name__}, expected an item or None"


def _solve(_: Benchmark, found: Any) -> str | None:
    return None if isinstance(found, Solution) else f"{type(found).__name__}, expected Solution"


def _read(_: Benchmark, found: Any) -> str | None:
    try:
        canonical_json(found)
    except (TypeError, ValueError, RecursionError) as error:
        return f"what is not JSON: {type(error).__name__}"
    return None


def _score(benchmark: Benchmark, found: Any) -> str | None:
    if not isinstance(found, Verdict):
        return f"{type(found).__name__}, expected Verdict"
    try:
        wrong = found.problems(benchmark.values)
        said = [found.answer, found.explanation, *found.extra, *found.extra.values()]
        "".join(one for one in said if isinstance(one, str)).encode()
    except OverflowError:
        return "a verdict with a number beyond all bounds"
    except UnicodeEncodeError:
        return f"a verdict with {_HALF}"
    return f"a verdict that breaks the contract: {wrong[0][:300]}" if wrong else None


def _check(_: Benchmark, found: Any) -> str | None:
    right = isinstance(found, list) and all(isinstance(one, str) for one in found)
    return None if right else f"{_kind(found)}, expected a list of strings"


def _audit(_: Benchmark, found: Any) -> str | None:
    right = found is None or isinstance(found, list)
    return None if right else f"{type(found).__name__}, expected a list"


def _readings(_: Benchmark, found: Any) -> str | None:
    right = found is None or isinstance(found, Mapping)
    return None if right else f"{type(found).__name__}, expected a dict"


def _capacity(_: Benchmark, found: Any) -> str | None:
    right = found is None or (type(found) is int and found >= 0)
    return None if right else f"{_kind(found)}, expected a number of items or None"


def _explain(_: Benchmark, found: Any) -> str | None:
    right = found is None or isinstance(found, str)
    return None if right else f"{type(found).__name__}, expected str or None"


def _reread(benchmark: Benchmark, found: Any) -> str | None:
    return None if found is None else _check(benchmark, found)  # None: there is no such hook


def _kind(found: Any) -> str:
    return f"{type(found).__name__} {str(found)[:40]!a}"


_LOOKS: dict[str, Callable[[Benchmark, Any], str | None]] = {
    "generate": _generate,
    "adopt": _adopt,
    "solve": _solve,
    "read": _read,
    "score": _score,
    "check": _check,
    "audit": _audit,
    "readings": _readings,
    "capacity": _capacity,
    "explain": _explain,
    "trace": _explain,
    "reread": _reread,
}
