"""How an item and a sequence of items look in a notebook: HTML in which foreign text is text, whatever it says.

The template escapes every value. A drawing is an image with a ``data:`` address, in which a browser runs no
script and loads nothing; it is made in a guarded worker, as for reports.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from harness_pages import asset, templates
from markupsafe import Markup

from harness.core.items import Item

if TYPE_CHECKING:
    from harness.notebook.notebook import Items

LONG = 20_000  # characters of a prompt, a certificate or a solution; more is cut
SHORT = 200  # characters of a feature or of another cell
ROWS = 10  # items of a sequence that are shown
# Controls but for ends of lines and tabs, halves of surrogate pairs, and what turns lines round.
_NO_TEXT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")


@cache
def macros() -> Any:
    """Return the macros of the template beside this module; they escape whatever they are given."""
    environment = templates(__package__)
    environment.filters |= {"shown": text, "short": short}
    environment.globals["style"] = asset(__package__, "displays.css")
    return environment.get_template("displays.html.j2").module


def item(item: Item) -> str:
    """Return an item: its prompt, features and drawing; target, certificate and worked solution closed.

    What fails or is missing (the drawing, where the plugin is not installed) is left out.
    """
    from harness.datasets.item_drawing import Draughtsman

    drawn = Draughtsman(item.plugin, 1).draw(item.to_dict())
    return str(macros().item(item, drawn, pretty(item.certificate)))


def items(sequence: Items) -> str:
    """Return the first items of a sequence as a table, prompts and targets closed."""
    first = list(islice(sequence, ROWS))
    names = list(dict.fromkeys(name for item in first for name in item.features))
    html = macros()
    rows = [
        [item.index, html.code(item.id), *(item.features.get(name, "") for name in names),
         html.folded("show", f"{item.prompt}\n\nTarget: {item.target}")]
        for item in first
    ]  # fmt: skip
    head = ["index", "id", *names, "prompt and target"]
    return str(html.items(repr(sequence), head, rows, len(first) == ROWS))


def short(value: Any) -> str:
    """Return what a value says in a table's cell; HTML of our own as it is."""
    return value if isinstance(value, Markup) else text(value, SHORT)


def text(value: Any, limit: int = LONG) -> str:
    """Return what a value says, cut to a limit; characters that are no text in HTML are replaced."""
    whole = str(value)
    cut = whole if len(whole) <= limit else f"{whole[:limit]}… cut"
    return _NO_TEXT.sub("\ufffd", cut)


def pretty(value: Any) -> str:
    """Return a JSON value over several lines; what is none as Python shows it."""
    try:
        return json.dumps(value, indent=1, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return repr(value)


def facts(settings: Mapping[str, Any]) -> str:
    """Return settings in a line, as they would be typed."""
    return text(" ".join(f"{key}={value}" for key, value in settings.items()), 1_000)
