"""What the site makes of a docstring before mkdocstrings reads it: the lines of a doctest are code."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

# From a line with the prompt to the next empty one.
_DOCTEST = re.compile(r"^(?P<indent> *)>>> .*(?:\n(?! *$).*)*", re.MULTILINE)


class Doctests(Extension):
    """Put doctests into fences; without one their results are taken for Markdown."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Rewrite the docstring of an object that was read from the code."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """Return a docstring with a fence around each of its doctests."""
    return _DOCTEST.sub(lambda found: _fence(found["indent"], found[0]), text)


def _fence(indent: str, code: str) -> str:
    return f"{indent}```pycon\n{code}\n{indent}```"
