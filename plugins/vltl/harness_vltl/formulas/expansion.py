"""The expansion laws of LTL: what holds in a state, from what holds there and one state on.

For checks beside the engines: of certificates, and of published traces under other readings. No engine uses them.
"""

from __future__ import annotations

from collections.abc import Callable

LAWS: dict[str, Callable[[bool, bool, bool], bool]] = {
    "!": lambda a, b, on: not a,
    "&": lambda a, b, on: a and b,
    "|": lambda a, b, on: a or b,
    "->": lambda a, b, on: b or not a,
    "<->": lambda a, b, on: a is b,
    "F": lambda a, b, on: a or on,
    "G": lambda a, b, on: a and on,
    "U": lambda a, b, on: b or (a and on),
    "W": lambda a, b, on: b or (a and on),
    "R": lambda a, b, on: b and (a or on),
    "M": lambda a, b, on: b and (a or on),
}
"""For each operator but X, of its operands (an only one twice) in a state and its own value one state on."""
