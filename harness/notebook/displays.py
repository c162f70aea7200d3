"""How an item and a sequence of items look in a notebook: HTML in which foreign text is text, whatever it says.

Every value goes through `markupsafe`. A drawing is an image with a ``data:`` address, in which a browser runs no
script and loads nothing; it is made in a guarded worker, as for reports.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from harness_pages import asset
from markupsafe import Markup

from harness.core.items import Item

if TYPE_CHECKING:
    from harness.notebook.notebook import Items

LONG = 20_000  # characters of a prompt, a certificate or a solution; more is cut
SHORT = 200  # characters of a feature or of another cell
ROWS = 10  # items of a sequence that are shown


def item(one: Item) -> str:
    """Return an item: its prompt, features and drawing; target, certificate and worked solution closed.

    What fails or is missing (the drawing, where the plugin is not installed) is left out.
    """
    from harness.datasets.item_drawing import Draughtsman

    drawn = Draughtsman(one.plugin, 1).draw(one.to_dict())
    parts = [
        Markup("<p><b>{}</b> <span class='harness-dim'>{} · split {} · seed {} · index {}</span><br>"
               "<code>{}</code></p>").format(
            *(text(part, SHORT) for part in (one.plugin, one.version, one.split, one.seed, one.index, one.id))
        ),
        Markup("<pre dir='auto'>{}</pre>").format(text(one.prompt)),
        folded("Target", one.target),
        _features(one),
        Markup("<details open><summary>Drawing (it shows the answer)</summary>"
               "<img src='{}' alt='Drawing of the item'></details>").format(drawn.address)
        if drawn.address
        else Markup(),
        folded("Certificate", pretty(one.certificate)) if one.certificate is not None else Markup(),
        folded("Worked solution", drawn.solution) if drawn.solution else Markup(),
    ]  # fmt: skip
    return box(parts)


def _features(one: Item) -> Markup:
    pairs = (
        Markup("<span class='harness-dim'>{}</span> {}").format(
            text(name, SHORT), text(value, SHORT)
        )
        for name, value in one.features.items()
    )
    return Markup("<p>{}</p>").format(Markup(" · ").join(pairs))


def items(found: Items) -> str:
    """Return the first items of a sequence as a table, prompts and targets closed."""
    first = list(islice(found, ROWS))
    names = list(dict.fromkeys(name for one in first for name in one.features))
    rows = [
        [one.index, Markup("<code>{}</code>").format(text(one.id, SHORT))]
        + [one.features.get(name, "") for name in names]
        + [folded("show", f"{one.prompt}\n\nTarget: {one.target}")]
        for one in first
    ]
    head = Markup("<p><code>{}</code></p>").format(text(repr(found)))
    more = Markup("<p class='harness-dim'>the first {} are shown</p>").format(len(first))
    shown = table(["index", "id", *names, "prompt and target"], rows)
    return box([head, shown, Markup() if len(first) < ROWS else more])


def box(parts: Iterable[Markup]) -> str:
    """Return parts in a frame with the style that they are written for."""
    style = asset(__package__, "displays.css")
    shown = Markup("<div class='harness-box'><style>{}</style>{}</div>")
    return str(shown.format(style, Markup("").join(parts)))


def folded(title: str, said: str) -> Markup:
    """Return a text that is shown once its title is clicked."""
    return Markup("<details><summary>{}</summary><pre dir='auto'>{}</pre></details>").format(
        title, text(said)
    )


def table(head: Sequence[Any], rows: Sequence[Sequence[Any]]) -> Markup:
    """Return a table; numbers stand to the right, `Markup` as it is, and all else is escaped."""
    names = Markup("").join(
        Markup("<th scope='col'>{}</th>").format(text(name, SHORT)) for name in head
    )
    body = Markup("").join(
        Markup("<tr>{}</tr>").format(Markup("").join(map(_cell, row))) for row in rows
    )
    return Markup("<table><thead><tr>{}</tr></thead><tbody>{}</tbody></table>").format(names, body)


def _cell(value: Any) -> Markup:
    if isinstance(value, Markup):
        return Markup("<td>{}</td>").format(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return Markup("<td class='harness-n'>{}</td>").format(text(value, SHORT))
    return Markup("<td>{}</td>").format(text(value, SHORT))


def text(value: Any, limit: int = LONG) -> str:
    """Return what a value says, cut to a limit; characters that are no text in HTML are replaced."""
    said = str(value)
    cut = said if len(said) <= limit else f"{said[:limit]}… cut"
    return "".join(char if char in "\n\t" or _shown(char) else "\ufffd" for char in cut)


def _shown(char: str) -> bool:
    """Return whether a character is text: no control, no half of a surrogate pair, nothing that turns lines round."""
    return not (
        char < " " or "\x7f" <= char <= "\x9f" or "\ud800" <= char <= "\udfff"
        or "\u202a" <= char <= "\u202e" or "\u2066" <= char <= "\u2069"
    )  # fmt: skip


def pretty(value: Any) -> str:
    """Return a JSON value over several lines; what is none as Python shows it."""
    try:
        return json.dumps(value, indent=1, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return repr(value)


def facts(found: Mapping[str, Any]) -> str:
    """Return settings in a line, as they would be typed."""
    return " ".join(f"{key}={value}" for key, value in found.items())
