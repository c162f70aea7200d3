"""What MkDocs calls while it builds the site: pages are added, links rewritten, and what is wrong is said.

The documents stay where they lie in the repository, and are read there; nothing is copied.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import gallery
import site_api
import site_check
import site_commands
import site_plugins
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from site_links import DOCS, RepositoryLinks, outside, place

ROOT = Path(__file__).parents[2]
LINKS = RepositoryLinks(ROOT)
log = logging.getLogger("mkdocs.hooks.site")  # a warning of it fails a strict build


def generated() -> Iterator[tuple[str, str]]:
    """Yield place and Markdown of every page that is made from the code."""
    yield "reference/commands.md", site_commands.page()
    yield from site_api.pages()
    yield from site_plugins.pages(ROOT)
    yield from gallery.pages().items()


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Let every page be rendered with its links rewritten."""
    config.markdown_extensions.append(LINKS)  # type: ignore[arg-type]  # instances are taken, too
    return config


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pages from outside docs/ and those that are generated."""
    for path in outside(ROOT):
        files.append(File.generated(config, place(path), abs_src_path=str(ROOT / path)))
    for uri, text in generated():
        files.append(File.generated(config, uri, content=text))
    for asset in sorted((ROOT / "docs/site/assets").iterdir()):
        files.append(File.generated(config, f"assets/{asset.name}", abs_src_path=str(asset)))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Tell the rewriting of links which page comes next."""
    LINKS.begin(_source(page.file))
    return markdown


def on_page_content(html: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Say which links of the page lead nowhere."""
    for line in dict.fromkeys(LINKS.wrong):
        log.warning(line)
    LINKS.begin("")
    return html


def _source(file: File) -> str:
    """Return a page's path in the repository; empty for one that is generated."""
    if file.generated_by is None:
        return DOCS + file.src_uri
    return file.src_uri if file.abs_src_path is not None else ""


def on_post_build(*, config: MkDocsConfig) -> None:
    """Look at what was built."""
    for line in site_check.findings(Path(config.site_dir)):
        log.warning(line)
