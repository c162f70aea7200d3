"""Where a file of the repository is in the site, and what becomes of the links between such files.

The documents link to one another as files do, so that they can be read where they lie. A link is resolved against
the place of its page in the repository; then it is one to a page, one to a file that is no page, or one to nothing.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor

DOCS = "docs/"
OWN = "docs/site/"  # the site's own code
# Pages that do not lie in docs/.
OUTSIDE = (
    "README.md", "CHANGELOG.md", "plugins/*/*.md", "examples/README.md", "examples/*/README.md",
    "benchmarks/README.md", "libs/*/README.md",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Link:
    """What a link leads to: ``href`` within the site, or ``file``, a file of the repository that is no page."""

    href: str = ""
    file: str = ""


class WrongLinkError(ValueError):
    """A link that leads nowhere; the message says which, and what it was taken for."""


def outside(root: Path) -> Iterator[str]:
    """Yield the paths within the repository of all pages that do not lie in docs/."""
    for pattern in OUTSIDE:
        yield from sorted(path.relative_to(root).as_posix() for path in root.glob(pattern))


def place(path: str) -> str:
    """Return the place in the site of a file of the repository, by its path in the repository."""
    return path.removeprefix(DOCS)


def resolve(link: str, page: str, root: Path) -> Link:
    """Return what a link of a page leads to; ``page`` is the page's path in the repository.

    Raises:
        WrongLinkError: the link is absolute, leaves the repository, or names no file of it.
    """
    parts = urlsplit(link)
    if parts.scheme or parts.netloc or not parts.path:
        return Link(href=link)
    if parts.path.startswith("/"):
        raise WrongLinkError(f"'{link}' is absolute; link files relative to the page")
    target = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(parts.path)))
    if target.startswith(".."):
        raise WrongLinkError(f"'{link}' leads out of the repository")
    if _exists(root / target / "README.md"):
        target = posixpath.join(target, "README.md")
    if not _exists(root / target):
        raise WrongLinkError(f"'{link}' leads to '{target}', which is no file of the repository")
    if not _in_site(target, root):
        return Link(file=target)
    start = posixpath.dirname(place(page)) or "."
    fragment = f"#{parts.fragment}" if parts.fragment else ""
    return Link(href=posixpath.relpath(place(target), start) + fragment)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


def _in_site(path: str, root: Path) -> bool:
    if path.startswith(DOCS):
        return not path.startswith(OWN) and (root / path).is_file()
    return any(PurePosixPath(path).match(pattern) for pattern in OUTSIDE) and _deep(path)


def _deep(path: str) -> bool:
    """Say whether a path is as deep as a pattern that it matches from the right."""
    return any(
        PurePosixPath(path).match(pattern) and path.count("/") == pattern.count("/")
        for pattern in OUTSIDE
    )


class RepositoryLinks(Extension):
    """Turn the links of a page, which are those of the repository, into those of the site.

    ``page`` is the page's path in the repository; empty, nothing is done. ``wrong`` collects what is wrong with the
    links of the page, each in one line.
    """

    def __init__(self, root: Path) -> None:
        super().__init__()
        self.root = root
        self.page = ""
        self.wrong: list[str] = []

    def begin(self, page: str) -> None:
        """Begin a page, by its path in the repository; empty for one that is generated."""
        self.page, self.wrong = page, []

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 (Markdown's name)
        """Look at the links once all of them are known, before MkDocs does."""
        md.treeprocessors.register(_Rewriting(md, self), "repository-links", 5)


class _Rewriting(Treeprocessor):
    def __init__(self, md: Markdown, links: RepositoryLinks) -> None:
        super().__init__(md)
        self.links = links

    def run(self, root: Element) -> None:
        if self.links.page:
            for element in root.iter():
                for tag, name in (("a", "href"), ("img", "src")):
                    if element.tag == tag and element.get(name):
                        self._rewrite(element, name)

    def _rewrite(self, element: Element, name: str) -> None:
        given = str(element.get(name))
        try:
            found = resolve(given, self.links.page, self.links.root)
        except WrongLinkError as error:
            self.links.wrong.append(f"{self.links.page}: {error}")
            element.tag = "span"  # it is said; MkDocs need not say it again
            return
        if found.href:
            element.set(name, found.href)
        elif name == "src":
            self.links.wrong.append(f"{self.links.page}: the image '{given}' does not lie in docs/")
        else:
            _unlink(element, found.file)


def _unlink(element: Element, file: str) -> None:
    """Make a link to a file that is no page plain: its words, and the file's path where they do not say it."""
    words = "".join(element.itertext())
    tail = element.tail
    said = file == words or file.endswith(f"/{words}")
    children = [] if said else list(element)
    text = None if said else element.text
    element.clear()
    element.tag, element.text, element.tail = "span", text, tail
    element.extend(children)
    code = Element("code")
    code.text = file
    if not said:
        last: Any = children[-1] if children else None
        if last is None:
            element.text = f"{text or ''} ("
        else:
            last.tail = f"{last.tail or ''} ("
        code.tail = ")"
    element.append(code)
