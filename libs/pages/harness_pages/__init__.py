"""Pages in one HTML file: templates, style sheets and scripts are files beside the modules that fill them in."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup


def templates(package: str) -> Environment:
    """Return the templates that lie in a package; they escape whatever they are given.

    A template that asks for a value it was not given raises `jinja2.UndefinedError`.
    """
    loader = FunctionLoader(lambda name: _read(package, name))
    return Environment(autoescape=True, undefined=StrictUndefined, loader=loader)


def asset(package: str, *names: str) -> Markup:
    """Return a package's own style sheets or scripts, one after the other, to be put in a page as they are."""
    return Markup("".join(_read(package, name) for name in names))  # noqa: S704 - our own text


def style(package: str, name: str) -> Markup:
    """Return the style sheet that all pages share, and behind it one of a package's own, which may overrule it."""
    return asset(__name__, "style.css") + asset(package, name)


def digest(text: str) -> str:
    """Return the name under which a page's policy (Content-Security-Policy) allows a script or a style sheet."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _read(package: str, name: str) -> str:
    return files(package).joinpath(name).read_text(encoding="utf-8")
