"""The gallery of items: Markdown made from the plugins themselves, so that no page shows an item that is not."""

from __future__ import annotations

import base64
import json
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

from markupsafe import Markup

import harness
from harness import Item
from harness.core.plugins import Plugin, registry
from harness.notebook.displays import text

LONGEST = 200  # characters of one part of a certificate; more is cut
SEED = 0


@dataclass(frozen=True)
class Entry:
    """One item of the gallery: which it is, and what it shows.

    Attributes:
        title: a heading, unique on its page.
        note: a sentence of Markdown on what to look at.
        settings: keys of the benchmark, as `harness.load` takes them.
        index: the item's place among those of the settings.
    """

    title: str
    note: str
    settings: Mapping[str, Any]
    index: int


ENTRIES: dict[str, tuple[Entry, ...]] = {
    "ltlbench": (
        Entry("A hypothesis that fails on one path", "It holds on the path that goes to event2 at once, and fails "
              "on the one drawn in red: one is enough for False.", {}, 9),
        Entry("A hypothesis that holds on every path", "No path violates it; one of them is drawn.", {}, 8),
        Entry("More events, more operators", "A larger product of graph and formula.",
              {"events": 5, "operators": 5}, 3),
        Entry("All operators", "`logic=full` has until, release, weak until, strong release and negation, too.",
              {"events": 4, "operators": 4, "logic": "full"}, 1),
        Entry("A counterexample is asked for", "Any path of the graph that violates the hypothesis is right.",
              {"task": "counterexample", "events": 5, "operators": 4}, 5),
        Entry("The paper's prompt", "`wording=paper` says what *can* happen and states no rules, as the paper does.",
              {"wording": "paper", "operators": 2}, 1),
    ),
    "tempobench": (
        Entry("A cause in a small arbiter", "Three minimal sets of flips break the effect; the certificate has the "
              "run after each of them.", {"max_states": 4, "length": 4, "label": "per_step", "notation": "table"}, 1),
        Entry("A machine in HOA", "The form of the published data.", {"max_states": 8, "length": 6}, 2),
        Entry("A cause across steps", "A clause whose literals stand at two steps, which the published form cannot "
              "state.", {"length": 6, "trivial": 0, "joint": 1}, 5),
        Entry("A hard problem", "`hard=yes`: as hard as the hardest tenth of a pool.",
              {"hard": True, "pool": 40, "max_states": 12}, 1),
        Entry("A trace that is accepted", "The answer is the whole run.",
              {"task": "tte", "length": 6, "max_states": 8, "notation": "prose"}, 4),
        Entry("A trace that is rejected", "One step was changed; the run ends where the machine has no such step.",
              {"task": "tte", "length": 6, "max_states": 8}, 5),
    ),
    "timepuzzles": (
        Entry("Six dates", "A weekday, a zodiac year and the month of an event.", {"clues": "3"}, 0),
        Entry("The same puzzle, spelled out", "`mode=explicit`: no fact is left to know. The first half of the id is "
              "that of the puzzle above.", {"clues": "3", "mode": "explicit"}, 0),
        Entry("No date at all", "Leave any clue out, and dates satisfy the rest.", {"solutions": "0"}, 2),
        Entry("Six clues, each of them needed", "`necessary=all`: without any one there would be more dates.",
              {"necessary": "all", "clues": "6"}, 4),
        Entry("Another calendar", "`extra=` adds groups of clues, here with the Hebrew calendar.",
              {"extra": ["hebrew"]}, 2),
        Entry("A short range", "`from_year` and `to_year` say which dates count.",
              {"from_year": 1950, "to_year": 1999}, 1),
    ),
    "vltl": (
        Entry("Lift", "Which words are which action?", {"task": "lift", "scenario": "traffic_light"}, 3),
        Entry("Translate", "Which formula does the sentence say?", {"task": "translate"}, 1),
        Entry("Ground", "Which action is each proposition?", {"task": "ground", "scenario": "search_and_rescue"}, 0),
        Entry("End to end", "Sentence in, formula over actions out.", {"world": "none"}, 1),
        Entry("Requirements within requirements", "`depth=2` names a condition and defines it.",
              {"depth": 2, "world": "none"}, 2),
        Entry("Verify", "Does the trace satisfy the formula?", {"task": "verify", "families": ["until"], "states": 8},
              1),
    ),
}  # fmt: skip


def pages() -> dict[str, str]:
    """Return the gallery's pages, by their place in the site: ``gallery/NAME.md`` per benchmark, and an index.

    Raises:
        HarnessError: an item cannot be made or drawn.
    """
    found = {f"gallery/{name}.md": _page(name, entries) for name, entries in ENTRIES.items()}
    return {"gallery/index.md": _index(), **found}


def command(plugin: str, entry: Entry) -> str:
    """Return the command that prints the item of an entry, ready for a shell."""
    settings = [f"{key}={_value(value)}" for key, value in entry.settings.items()]
    words = [f"plugin={plugin}", *settings, f"item={entry.index}"]
    return " ".join(["harness show", *map(shlex.quote, words)])


def _value(value: Any) -> str:
    # A list of one is one value to the command line, too.
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _index() -> str:
    lines = [
        "# Gallery",
        "",
        "Items of each benchmark, made when this site was built by the commands beside them; the same commands print "
        "the same items anywhere. A drawing shows the answer and why it is right.",
        "",
    ]
    for name, entries in ENTRIES.items():
        lines += [f"## [{name}]({name}.md)", "", *(f"- {entry.title}" for entry in entries), ""]
    return "\n".join(lines)


def _page(name: str, entries: tuple[Entry, ...]) -> str:
    own = registry().get(name)
    head = (
        f"# Gallery: {name}\n\n[What {name} asks, and how its labels are made](../explain-{name}.md) · "
        f"[all galleries](index.md)\n"
    )
    return "\n".join([head, *(_shown(own, entry) for entry in entries)])


def _shown(own: Plugin, entry: Entry) -> str:
    name = own.benchmark.name
    item = harness.load(name, n=entry.index + 1, seed=SEED, **entry.settings)[entry.index]
    drawing = own.call("render", item=item, format="svg")
    shell = f"```bash\n{command(name, entry)}\n```"
    return "\n\n".join([f"## {entry.title}", entry.note, shell, *blocks(item, drawing)]) + "\n"


def blocks(item: Item, drawing: str | None) -> list[str]:
    """Return an item as blocks of HTML: id, prompt, drawing, answer, certificate, features; text stays text."""
    return [
        _one_block(Markup("<p>Item <code>{}</code></p>").format(text(item.id))),
        _folded("Prompt", item.prompt),
        *([] if drawing is None else [_image(drawing)]),
        _folded("Gold answer", item.target),
        _folded("Certificate, in short", "\n".join(_short(item.certificate))),
        _features(item.features),
    ]


def _short(certificate: Any) -> Iterator[str]:
    """Yield a line per part of a certificate, cut where it is long."""
    parts = certificate.items() if isinstance(certificate, Mapping) else [("", certificate)]
    for name, part in parts:
        said = json.dumps(part, ensure_ascii=False)
        yield f"{name}: {said[:LONGEST]}{'…' if len(said) > LONGEST else ''}"


def _folded(title: str, said: str) -> str:
    """Return a text behind its title; one block of HTML, which Markdown leaves alone whatever it says."""
    frame = Markup(
        '<details><summary>{}</summary><pre><code style="white-space:pre-wrap">{}</code></pre></details>'
    )
    return _one_block(frame.format(title, text(said)))


def _image(svg: str) -> str:
    """Return a drawing as an image: its styles and ids are its own, it runs nothing, and it brings its ground."""
    title = ElementTree.fromstring(svg).findtext("{http://www.w3.org/2000/svg}title", "Drawing")  # noqa: S314 (ours)
    frame = Markup(
        '<p><img src="data:image/svg+xml;base64,{}" alt="{}" loading="lazy" '
        'style="max-width:100%;height:auto" /></p>'
    )
    return _one_block(frame.format(base64.b64encode(svg.encode()).decode(), text(title)))


def _features(features: Mapping[str, Any]) -> str:
    cells = Markup("").join(
        Markup("<tr><td>{}</td><td>{}</td></tr>").format(text(name, 80), text(value, 200))
        for name, value in features.items()
    )
    shown = Markup(
        "<details><summary>Features</summary><table><thead><tr><th>feature</th><th>value</th></tr></thead>"
        "<tbody>{}</tbody></table></details>"
    )
    return _one_block(shown.format(cells))


def _one_block(html: Markup) -> str:
    """Return HTML in one line: readers of Markdown end it at an empty one, and turn tabs into blanks."""
    return str(html).replace("\n", "&#10;").replace("\t", "&#9;")
