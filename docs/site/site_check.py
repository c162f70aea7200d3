"""What is looked at once the site is built: every link leads somewhere, and nothing is fetched from a network."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# Elements that a browser loads something for, and where they say what; a link that is to be clicked is none.
LOADED = {"audio": "src", "embed": "src", "iframe": "src", "img": "src", "link": "href", "object": "data",
          "script": "src", "source": "src", "track": "src", "video": "src"}  # fmt: skip
_IN_STYLE = re.compile(r"""(?:url\(|@import)\s*['"]?((?:https?:)?//[^'")\s;]+)""")


@dataclass
class Seen(HTMLParser):
    """What a page links and loads, and which places of it can be linked."""

    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    places: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take down one element."""
        given = {name: value for name, value in attrs if value}
        self.places.update(given[name] for name in ("id", "name") if name in given)
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag in LOADED and LOADED[tag] in given:
            self.loads.append(given[LOADED[tag]])
        self.loads += _IN_STYLE.findall(given.get("style", ""))


def findings(site: Path) -> list[str]:
    """Return what is wrong with a built site, each in one line with the first page that has it."""
    pages = {path.relative_to(site).as_posix(): _seen(path) for path in _files(site, "*.html")}
    found: dict[str, list[str]] = {}
    for name, seen in pages.items():
        for line in dict.fromkeys(_of_page(name, seen, pages, site)):
            found.setdefault(line, []).append(name)
    for path in _files(site, "*.css"):
        for load in _IN_STYLE.findall(path.read_text()):
            found.setdefault(f"loads '{load}' from a network", []).append(path.name)
    return [
        f"{name}{f' (and {len(more)} more)' if more else ''} {line}"
        for line, (name, *more) in found.items()
    ]


def _of_page(name: str, seen: Seen, pages: Mapping[str, Seen], site: Path) -> Iterator[str]:
    for load in seen.loads:
        if _foreign(load):
            yield f"loads '{load}' from a network"
        elif wrong := _wrong(load, name, pages, site):
            yield f"loads {wrong}"
    for link in seen.links:
        if not _foreign(link) and (wrong := _wrong(link, name, pages, site)):
            yield f"links {wrong}"


def _files(site: Path, pattern: str) -> list[Path]:
    return sorted(path for path in site.rglob(pattern) if path.name != "404.html")


def _seen(page: Path) -> Seen:
    seen = Seen()
    seen.feed(page.read_text())
    return seen


def _foreign(link: str) -> bool:
    parts = urlsplit(link)
    return bool(parts.netloc) or parts.scheme not in ("", "data", "file", "javascript")


def _wrong(link: str, page: str, pages: Mapping[str, Seen], site: Path) -> str:
    """Return what is wrong with a link within the site; empty if nothing is."""
    parts = urlsplit(link)
    if parts.scheme == "data":
        return ""
    if parts.scheme or parts.path.startswith("/"):
        return f"'{link}', which works only on one machine"
    path = unquote(parts.path)
    target = posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page
    if (site / target).is_dir():
        target = posixpath.join(target, "index.html")
    if target.startswith("..") or not (site / target).is_file():
        return f"'{target}', which is not there"
    place = unquote(parts.fragment)
    if place and target in pages and place not in pages[target].places:
        return f"'{target}#{place}', and there is no such heading or place"
    return ""
