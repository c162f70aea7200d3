"""The documentation site: links that lead somewhere, pages made from the code, and nothing from a network."""

import logging
import re
import shutil
from inspect import ismodule
from pathlib import Path

import gallery
import harness_errors
import markdown
import pytest
import site_api
import site_commands
import site_hooks
import site_plugins
import yaml
from browser import PATIENCE, chromium
from cases import each, slow
from markdown_it import MarkdownIt
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort
from site_check import findings
from site_docstrings import fenced
from site_links import Link, RepositoryLinks, WrongLinkError, outside, place, resolve

import harness
from harness.cli.command import commands
from harness.core.features import options, settings
from harness.core.plugins import registry
from harness.run.strategies import strategies

ROOT = Path(__file__).parents[2]
PLUGINS = ("ltlbench", "tempobench", "timepuzzles", "vltl")
CONFIG = (ROOT / "mkdocs.yml").read_text()
SETTINGS = yaml.safe_load(CONFIG)


def _documents():
    """Return the paths within the repository of all documents that are pages."""
    own = (path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md"))
    return [*own, *outside(ROOT)]


# Links between files become links between pages.


@each("link,page,href", [
    ("docs/guide.md", "README.md", "guide.md"),
    ("docs/guide.md#strategies", "README.md", "guide.md#strategies"),
    ("docs/viewer.png", "README.md", "viewer.png"),
    ("plugins/vltl/README.md", "README.md", "plugins/vltl/README.md"),
    ("examples/", "README.md", "examples/README.md"),
    ("examples", "README.md", "examples/README.md"),
    ("hooks.md", "docs/contract.md", "hooks.md"),
    ("../README.md", "docs/contract.md", "README.md"),
    ("../examples/brevity/README.md#a", "docs/contract.md", "examples/brevity/README.md#a"),
    ("../../docs/limits.md#vltl", "plugins/vltl/README.md", "../../limits.md#vltl"),
    ("./SCENARIOS.md", "plugins/vltl/README.md", "SCENARIOS.md"),
    ("../../README.md", "examples/timetables/README.md", "../../README.md"),
    ("%67uide.md", "docs/json.md", "guide.md"),
    ("#here", "docs/json.md", "#here"),
    ("https://example.org/docs/guide.md", "README.md", "https://example.org/docs/guide.md"),
    ("mailto:a@example.org", "README.md", "mailto:a@example.org"),
    ("//example.org/x", "README.md", "//example.org/x"),
])  # fmt: skip
def test_links_lead_to_the_pages_of_the_site(link, page, href):
    assert resolve(link, page, ROOT) == Link(href=href)


@each("link,page,file", [
    ("LICENSE", "README.md", "LICENSE"),
    ("../harness/cli/main.py", "docs/guide.md", "harness/cli/main.py"),
    ("../harness", "docs/guide.md", "harness"),
    ("harness_brevity.py", "examples/brevity/README.md", "examples/brevity/harness_brevity.py"),
    ("site/site_links.py", "docs/guide.md", "docs/site/site_links.py"),
    ("tests", "plugins/vltl/README.md", "plugins/vltl/tests"),
])  # fmt: skip
def test_files_that_are_no_pages_are_told_apart(link, page, file):
    assert resolve(link, page, ROOT) == Link(file=file)


@each("link,page,said", [
    ("guide.md", "README.md", "'guide.md' leads to 'guide.md', which is no file"),
    ("docs/guide.md", "docs/json.md", "'docs/guide.md' leads to 'docs/docs/guide.md', which is no file"),
    ("/docs/guide.md", "README.md", "'/docs/guide.md' is absolute"),
    ("../x.md", "README.md", "'../x.md' leads out of the repository"),
    ("../../../etc/passwd", "docs/json.md", "leads out of the repository"),
    ("docs/guide.md/", "docs/json.md", "is no file"),
    ("docs/guide.md\x00", "README.md", "is no file"),
    (f"{'a' * 5000}.md", "README.md", "is no file"),
])  # fmt: skip
def test_links_to_nothing_are_refused(link, page, said):
    with pytest.raises(WrongLinkError, match=re.escape(said)):
        resolve(link, page, ROOT)


def _rendered(text, page="docs/guide.md"):
    links = RepositoryLinks(ROOT)
    links.begin(page)
    return markdown.markdown(text, extensions=[links, *_extensions()[0]]), links.wrong


def _extensions():
    listed = SETTINGS["markdown_extensions"]
    names = [one if isinstance(one, str) else next(iter(one)) for one in listed]
    return names, {k: v for one in listed if isinstance(one, dict) for k, v in one.items()}


@each("text,html", [
    ("[the *code*](../harness/cli/main.py)!",
     "<p><span>the <em>code</em> (<code>harness/cli/main.py</code>)</span>!</p>"),
    ("[code](../harness/cli/main.py)", "<p><span>code (<code>harness/cli/main.py</code>)</span></p>"),
    ("[main.py](../harness/cli/main.py).", "<p><span><code>harness/cli/main.py</code></span>.</p>"),
    ("[`harness/cli/main.py`](../harness/cli/main.py)", "<p><span><code>harness/cli/main.py</code></span></p>"),
    ("`[x](../harness/cli/main.py)`", "<p><code>[x](../harness/cli/main.py)</code></p>"),
    ("[x][y]\n\n[y]: ../CHANGELOG.md", '<p><a href="CHANGELOG.md">x</a></p>'),
    ("![a b](viewer.png)", '<p><img alt="a b" src="viewer.png" /></p>'),
])  # fmt: skip
def test_markdown_is_rewritten_as_a_whole(text, html):
    assert _rendered(text) == (html, [])


@each("text,said", [
    ("[x](nowhere.md)", "docs/guide.md: 'nowhere.md' leads to 'docs/nowhere.md', which is no file"),
    ("![x](nowhere.png)", "docs/guide.md: 'nowhere.png' leads to 'docs/nowhere.png', which is no file"),
    ("![x](../LICENSE)", "docs/guide.md: the image '../LICENSE' does not lie in docs/"),
    ("| a |\n| --- |\n| [x](/y) |", "docs/guide.md: '/y' is absolute"),
])  # fmt: skip
def test_a_page_names_what_it_links_wrongly(text, said):
    (line,) = _rendered(text)[1]
    assert line.startswith(said)


def test_links_of_generated_pages_stay_as_they_are():
    assert _rendered("[x](nowhere.md)", page="") == ('<p><a href="nowhere.md">x</a></p>', [])


# Documents read the same in the site as where they lie.


def _parts(html):
    tags = (
        "li",
        "ol",
        "ul",
        "table",
        "tr",
        "td",
        "pre",
        "h1",
        "h2",
        "h3",
        "a",
        "img",
        "blockquote",
    )
    return {tag: len(re.findall(rf"<{tag}[ >]", html)) for tag in tags}


@slow
def test_documents_have_the_parts_that_commonmark_sees():
    names, settings = _extensions()
    settings["toc"] = {}  # without links at the headings
    settings["pymdownx.highlight"] = {"use_pygments": False}
    page = markdown.Markdown(extensions=names, extension_configs=settings)
    common = MarkdownIt("commonmark").enable("table")
    for path in _documents():
        text = (ROOT / path).read_text()
        assert _parts(page.reset().convert(text)) == _parts(common.render(text)), path


# Pages made from the code.


def test_every_public_name_stands_on_a_page():
    gone = {"TYPE_CHECKING"}
    names = {n for n in dir(harness) if not n.startswith("_") or n == "__version__"} - gone
    public = {f"harness.{n}" for n in names if not ismodule(getattr(harness, n))}
    text = "\n".join(text for _, text in site_api.pages())
    shown = re.findall(r"^::: (.+)$", text, re.MULTILINE)
    assert public == site_api.public()
    assert public <= set(shown)
    assert len(shown) == len(set(shown))
    assert not [name for name in shown if "._" in name.replace("__version__", "")]


def test_a_public_name_that_stands_on_no_page_is_refused(monkeypatch):
    monkeypatch.setattr(site_api, "GROUPS", site_api.GROUPS[1:])
    with pytest.raises(
        ValueError, match=r"on no page of the site: harness\.Benchmark, .*harness\.__version__"
    ):
        list(site_api.pages())


def test_every_command_has_its_keys_and_every_error_its_code():
    text = site_commands.page()
    parts = text.split("\n## ")
    shown = {
        part.partition("`\n")[0].removeprefix("`harness ")
        for part in parts
        if "`harness " in part[:10]
    }
    assert shown == set(commands())
    for part in parts:
        name = part.partition("`\n")[0].removeprefix("`harness ")
        for key in commands()[name].keys if name in commands() else ():
            assert f"\n| `{key}` |" in part, (name, key)
    for name, kind in vars(harness_errors).items():
        if isinstance(kind, type) and issubclass(kind, harness_errors.HarnessError):
            assert f"| `{name}` | {kind.exit_code} |" in text


def test_every_option_says_what_it_means_and_goes_with_commands_that_there_are():
    known = {key for command in commands().values() for key in command.keys}
    assert set(settings()) - known == {"shard", "redrawn", "avoided"}  # given by the core to itself
    for option in options().values():
        assert option.help
        assert set(option.commands) <= set(commands())
        assert set(option.help_for) <= set(option.commands)


def test_every_benchmark_has_its_keys_presets_strategies_metrics():
    pages = dict(site_plugins.pages(ROOT))
    assert list(pages) == [f"reference/{name}.md" for name in PLUGINS]
    for name in PLUGINS:
        own, text = registry().get(name).benchmark, pages[f"reference/{name}.md"]
        rows = [
            *own.config_schema["properties"], *(f"preset={one}" for one in own.presets),
            *(f"strategy={one}" for one in strategies(own)), *own.weaknesses,
            *(metric.name for metric in (*own.metrics, *own.published)),
        ]  # fmt: skip
        for row in rows:
            assert f"\n| `{row}` |" in text, (name, row)


@each("schema,kind,values", [
    ({"type": "integer", "minimum": 1, "maximum": 9}, "integer", "1 … 9"),
    ({"type": "number", "minimum": 0}, "number", "0 …"),
    ({"type": ["integer", "null"]}, "integer or null", ""),
    ({"enum": ["a|b", 1, "`"]}, "one of a list", "`a\\|b`, `1`, `` ` ``"),
    ({"type": "array", "items": {"type": "string", "enum": ["x"]}}, "list of string", "`x`"),
    ({"type": "string", "format": "path"}, "file or folder", ""),
    ({"type": "string", "format": "path", "x-names": ["w"]}, "file or folder, or a name", "`w`"),
    ({"type": "string", "pattern": "^a|b$"}, "string", "`^a\\|b$`"),
    ({}, "any", ""),
])  # fmt: skip
def test_a_schema_in_words(schema, kind, values):
    assert (site_plugins.kind(schema), site_plugins.values(schema)) == (kind, values)


def test_words_of_a_plugin_are_no_markup():
    html = markdown.markdown(
        "\n".join(
            site_plugins.table(
                ("a", "b"), [("x", site_plugins.cell("<b> *c* _d_ [e](f) `g` | h &lt;\ni"))]
            )
        ),
        extensions=["tables"],
    )
    assert "<td>&lt;b&gt; *c* _d_ [e](f) `g` | h &amp;lt; i</td>" in html


def test_a_doctest_is_code():
    text = "Do it.\n\n>>> [1, 2]\n[1, 2]\n>>> x = [\n...   1]\n\nArgs:\n    x: one\n        >>> 1\n"
    assert fenced(text) == (
        "Do it.\n\n```pycon\n>>> [1, 2]\n[1, 2]\n>>> x = [\n...   1]\n```\n\n"
        "Args:\n    x: one\n        ```pycon\n        >>> 1\n        ```\n"
    )
    assert fenced("a >>> b\n") == "a >>> b\n"


# The site as a whole.


def _places(entries):
    for entry in entries:
        found = next(iter(entry.values())) if isinstance(entry, dict) else entry
        yield from _places(found) if isinstance(found, list) else (found,)


def test_every_page_is_in_the_navigation_once(monkeypatch):
    monkeypatch.setattr(
        gallery, "pages", lambda: {f"gallery/{n}.md": "" for n in ("index", *gallery.ENTRIES)}
    )
    pages = [*map(place, _documents()), *(uri for uri, _ in site_hooks.generated())]
    assert sorted(_places(SETTINGS["nav"])) == sorted(pages)


def test_generated_pages_are_the_same_each_time(monkeypatch):
    monkeypatch.setattr(gallery, "pages", dict)  # tests/project/test_gallery.py
    first = list(site_hooks.generated())
    assert first == list(site_hooks.generated())
    assert all(not re.search(r"0x[0-9a-f]{6,}|/tmp/|\{'", text) for _, text in first)
    assert all(str(ROOT) not in text for _, text in first)


def test_settings_are_strict_and_name_no_host():
    assert SETTINGS["strict"] is True
    assert SETTINGS["use_directory_urls"] is False
    assert SETTINGS["theme"]["font"] is False
    assert set(SETTINGS["validation"]["nav"].values()) == {"warn"}
    assert set(SETTINGS["validation"]["links"].values()) == {"warn"}
    assert "//" not in CONFIG
    assert (
        "--quiet"
        not in re.search(r"^\t.*mkdocs.*$", (ROOT / "Makefile").read_text(), re.MULTILINE)[0]
    )


@each("html,said", [
    ('<script src="https://a.example/x.js"></script>', "loads 'https://a.example/x.js' from a network"),
    ('<link rel="preconnect" href="//a.example">', "loads '//a.example' from a network"),
    ('<img src="http://a.example/x.png">', "loads 'http://a.example/x.png' from a network"),
    ('<p style="background: url(\'https://a.example/x\')">', "loads 'https://a.example/x' from a network"),
    ('<img src="x.png">', "loads 'x.png', which is not there"),
    ('<a href="b/no.html">', "links 'b/no.html', which is not there"),
    ('<a href="../x.html">', "links '../x.html', which is not there"),
    ('<a href="/b/index.html">', "links '/b/index.html', which works only on one machine"),
    ('<a href="file:///etc/passwd">', "links 'file:///etc/passwd', which works only on one machine"),
    ('<a href="b#no">', "links 'b/index.html#no', and there is no such heading or place"),
    ('<a href="#no">', "links 'a.html#no', and there is no such heading or place"),
])  # fmt: skip
def test_what_is_wrong_in_a_built_site_is_said(html, said, tmp_path):
    (tmp_path / "b").mkdir(exist_ok=True)
    (tmp_path / "b/index.html").write_text("<h1 id='yes'>b</h1>")
    (tmp_path / "a.html").write_text(html)
    assert findings(tmp_path) == [f"a.html {said}"]


def test_what_is_right_in_a_built_site_is_not_said(tmp_path):
    (tmp_path / "b").mkdir()
    (tmp_path / "b/index.html").write_text("<h1 id='yes'>b</h1><a href='../a.html'>x</a>")
    (tmp_path / "a.html").write_text(
        "<a href='b/#yes'>x</a><a href='b/index.html'></a><a href='https://a.example/'>x</a><a href='.'>"
        "<a id='ü' href='#%C3%BC'>x</a><img src='data:image/png;base64,AAAA'><a href='mailto:a@b.example'>x</a>"
    )
    (tmp_path / "index.html").write_text("")
    (tmp_path / "a.css").write_text("a { background: url(x.png) }")
    assert findings(tmp_path) == []
    (tmp_path / "a.css").write_text(
        '@import "https://a.example/x.css"; a { background: url(//b.example/y) }'
    )
    assert findings(tmp_path) == [
        "a.css loads 'https://a.example/x.css' from a network",
        "a.css loads '//b.example/y' from a network",
    ]


@pytest.fixture
def small(tmp_path, monkeypatch):
    """Return what builds a site of two documents of a repository of their own, with our theme, plugins and hooks."""
    root, links = tmp_path / "repository", RepositoryLinks(tmp_path / "repository")
    (root / "docs").mkdir(parents=True)
    shutil.copytree(ROOT / "docs/site/assets", root / "docs/site/assets")
    monkeypatch.setattr(site_hooks, "ROOT", root)
    monkeypatch.setattr(site_hooks, "LINKS", links)
    monkeypatch.setattr(
        site_hooks, "generated", lambda: [("reference/x.md", "# X\n\n[a](../a.md)")]
    )

    def built(readme, page):
        (root / "README.md").write_text(readme)
        (root / "docs/a.md").write_text(page)
        config = load_config(
            str(ROOT / "mkdocs.yml"), docs_dir=str(root / "docs"), site_dir=str(root / "site"), hooks=[],
            nav=["README.md", "a.md", "reference/x.md"],
        )  # fmt: skip
        config.plugins["site_hooks"] = site_hooks
        build(config)
        return root / "site"

    return built


@slow
def test_a_link_to_nothing_ends_the_build_and_is_named(small, caplog):
    caplog.set_level(logging.WARNING)
    with pytest.raises(Abort, match="4 warnings in strict mode"):
        small("# R\n\n[x](docs/b.md) ![y](docs/y.png)", "# A\n\n[z](a.md#nowhere)")
    said = [record.getMessage() for record in caplog.records if record.name.startswith("mkdocs")]
    assert said[0].startswith("README.md: 'docs/b.md' leads to 'docs/b.md', which is no file")
    assert said[1].startswith("README.md: 'docs/y.png' leads to 'docs/y.png', which is no file")


@slow
def test_the_site_is_read_and_searched_from_files_without_a_network(small):
    site = small("# Start\n\n[x](docs/a.md#deep)", "# A\n\n## Deep\n\nThe *zweihander* hangs here.")
    assert findings(site) == []
    with chromium() as browser:
        page, asked, wrong = browser.new_page(), [], []
        page.set_default_timeout(PATIENCE)
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text))
        page.goto((site / "index.html").as_uri())
        page.click(".md-search__input")
        page.keyboard.type("zweihander")  # the theme listens to keys
        page.click(".md-search-result__item a")
        page.wait_for_url(f"{(site / 'a.html').as_uri()}*")  # the click itself waits for no page
        assert wrong == []
        assert [one for one in asked if not one.startswith(("file:", "data:"))] == []
