"""Explanations of verdicts, written in Markdown by scorers that quote models, as HTML that can do nothing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import escape

LONG = 8_000  # characters of an explanation; more is cut
DEEP = 24  # elements within each other; beyond, the text is shown as it was written
CELLS = 4_000  # of tables, at most: short rows of a wide one are filled up, so that little text makes many


def explanation(text: str) -> str:
    """Return Markdown as HTML of paragraphs, emphasis, code, lists, tables, quotes, headings and rules.

    Links, images, raw HTML and addresses stay the text they were written as. No element has an attribute but
    the first number of a list. At most `LONG` characters, then "… cut"; what nests deeper than `DEEP`, or
    could be a table of more than `CELLS`, is shown unformatted, so that nothing is lost.
    """
    cut = text if len(text) <= LONG else f"{text[:LONG]}\n\n… cut"
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
