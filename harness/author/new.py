"""The command `new`: a plugin that works, as a folder of its own, made of the templates in this package.

The folder is written under another name beside its place and renamed at the end: it is there as a whole or not
at all. Its golden items are made by the new plugin itself.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module, invalidate_caches, metadata, util
from keyword import iskeyword
from pathlib import Path
from typing import Any

from harness_errors import OutputError, SpecError

from harness.cli.command import Found, values_of
from harness.core.feature_hooks import Warn
from harness.core.features import reserved
from harness.core.plugins import load, registry

MARK = "mybench"  # what the templates are called
LICENCE = "Apache-2.0"
KEYS = ("out", "minimal", "licence")
# Of a file that is hidden: package data is found by patterns that leave those out.
_HIDDEN = {"gitignore": ".gitignore"}
LONGEST = 30  # characters of a name: what is made of it has to fit into the lines of the templates
_NAME = re.compile(rf"[a-z][a-z0-9_]{{1,{LONGEST - 1}}}")
_YES_NO = {"yes": True, "true": True, "no": False, "false": False}


def new(words: Sequence[str]) -> dict[str, Any]:
    """Write the plugin that ``NAME [out=FOLDER] [minimal=yes] [licence=SPDX]`` describe.

    Returns ``{name, minimal, licence, out, module, files, next}``: paths of files below ``out``, and the
    commands to go on with.

    Raises:
        SpecError: a name or a setting that cannot be.
        OutputError: the folder exists and holds something, or cannot be written.
    """
    names = [word for word in words if "=" not in word]
    if len(names) != 1:
        what = f"one name, got {len(names)}" if names else "a name"
        raise SpecError(f"harness new takes {what}: harness new mybench [out=FOLDER] [--minimal]")
    (name,) = names
    values = values_of([word for word in words if word != name], KEYS)
    short = values.get("minimal", "no")
    if short.casefold() not in _YES_NO:
        raise SpecError(f"minimal={short[:80]}: expected yes or no")
    minimal = _YES_NO[short.casefold()]
    licence = values.get("licence", LICENCE)
    if not re.fullmatch(r"[A-Za-z0-9][\w.+() -]{0,99}", licence, re.ASCII):
        raise SpecError(f"licence={licence[:80]}: expected an SPDX identifier such as {LICENCE}")
    package = name if minimal else f"harness_{name}"
    check_name(name, package)
    out = Path(values.get("out", name))
    module = package if minimal else f"{package}.plugin"
    source = Path(__file__).with_name("templates") / ("minimal" if minimal else "package")
    with _in_place(out) as folder:
        written = _write(source, folder, {MARK: name, LICENCE: licence})
        written.append(_golden(folder, name, module))
    place = out if out.is_absolute() else f"./{out}"
    commands = [
        f"python -m pip install -e {place}",
        *(f"harness {do} plugin={name}" for do in ("check", "run")),
    ]
    return {
        "name": name,
        "minimal": minimal,
        "licence": licence,
        "out": str(out),
        "module": module,
        "files": sorted(written),
        "next": commands,
    }


def text(plugin: dict[str, Any]) -> str:
    """Return what was written, and what to do next."""
    kind = "one file" if plugin["minimal"] else "a package"
    head = f"plugin '{plugin['name']}' ({kind}, {plugin['licence']}) in {plugin['out']}: {len(plugin['files'])} files"
    return "\n".join([head, "next:", *(f"  {line}" for line in plugin["next"])])


# ------------------------------------------------------------------------------------- the name


def check_name(name: str, package: str) -> None:
    """Raise SpecError where a benchmark cannot be called so, or its top-level module: it is no name, or taken."""
    if not _NAME.fullmatch(name):
        raise SpecError(
            f"'{ascii(name)[1:-1][:80]}' cannot be the name of a plugin: 2 to {LONGEST} small letters, "
            f"digits and _, a letter first{_hint(name)}"
        )
    if iskeyword(name):
        raise SpecError(f"'{name}' is a word of Python; choose another name, as {name}_bench")
    taken = _installed(name) or _module(package)
    if name in reserved() or name == "harness":
        taken = f"'{name}' is a word of the harness itself"
    if taken:
        raise SpecError(f"{taken}; choose another name, as {name[: LONGEST - 3]}_2")


def _hint(name: str) -> str:
    """Return a name that would do and is like the one given, to follow what is wrong with it."""
    near = re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_0123456789")[:LONGEST].rstrip("_")
    return f"; '{near}' would do" if _NAME.fullmatch(near) and not iskeyword(near) else ""


def _installed(name: str) -> str | None:
    """Say what is installed under the name of the plugin or of its distribution."""
    installed = registry()
    if name in {*installed.benchmarks, *installed.wrappers, *installed.failures}:
        return f"a plugin '{name}' is installed already"
    try:
        metadata.distribution(f"harness-{name}")
    except metadata.PackageNotFoundError:
        return None
    return f"a distribution 'harness-{name}' is installed already"


def _module(package: str) -> str | None:
    """Say what is imported by the name of the new top-level module."""
    if package in sys.stdlib_module_names:
        return f"'{package}' is a module of Python's own"
    try:
        spec = util.find_spec(package)
    except (ImportError, ValueError):
        return None
    # A folder that just lies where Python looks is a module without a file.
    return f"a module '{package}' is there already" if spec and spec.origin else None


# ------------------------------------------------------------------------------------- writing


@contextmanager
def _in_place(out: Path) -> Iterator[Path]:
    """Yield a folder that becomes ``out`` at the end, or that is gone if anything fails."""
    _must_be_free(out)
    folder = out.absolute().parent / f".{out.name}.{secrets.token_hex(4)}.partial"
    try:
        folder.mkdir()
        yield folder
        _must_be_free(out)
        folder.rename(out)  # over an empty folder, too
    except OSError as error:
        raise OutputError(f"{out}: cannot be written: {error.strerror or error}") from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _must_be_free(out: Path) -> None:
    try:
        if out.resolve() == Path.cwd():
            raise OutputError(f"{out} is the folder you are in; give out= the name of a new one")
        if out.is_symlink() or (out.exists() and not out.is_dir()):
            raise OutputError(f"{out} is a file or a link; give out= another folder")
        if out.is_dir() and any(out.iterdir()):
            raise OutputError(f"{out} exists and is not empty; give out= another folder")
        if not out.absolute().parent.is_dir():
            raise OutputError(f"{out}: there is no folder {out.parent} to write it into")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "a path cannot hold a null byte"
        raise OutputError(f"{str(out)[:200]}: cannot be looked at: {why}") from error


def _write(source: Path, folder: Path, marks: dict[str, str]) -> list[str]:
    """Write what is below a template's folder, marks replaced in names and texts; return the paths."""

    def replaced(content: str) -> str:
        # In one pass: a name may be the mark of something else.
        pattern = "|".join(map(re.escape, marks))
        return re.sub(pattern, lambda match: marks[match[0]], content)

    written: list[str] = []
    for file in sorted(source.rglob("*")):
        below = file.relative_to(source)
        left_there = any(part.startswith((".", "__pycache__")) for part in below.parts)  # by tools
        if left_there or not file.is_file():
            continue
        path = folder / replaced(str(below.with_name(_HIDDEN.get(file.name, file.name))))
        path.parent.mkdir(parents=True, exist_ok=True)
        content = replaced(file.read_text(encoding="utf-8"))
        path.write_text(content, encoding="utf-8", newline="\n")
        written.append(path.relative_to(folder).as_posix())
    return written


def _golden(folder: Path, name: str, module: str) -> str:
    """Let the new plugin make its first items, pin them, and return the path of the pins."""
    from harness.core.spec import make
    from harness.kit.checks_golden import golden_path, write_golden
    from harness.kit.kit import Kit

    with _importable(folder, module.partition(".")[0]):
        plugin = load([(name, partial(import_module, module), "", module)]).get(name)
        write_golden(Kit(plugin, make(plugin, {}), []))
        return golden_path(plugin).relative_to(folder).as_posix()


@contextmanager
def _importable(folder: Path, package: str) -> Iterator[None]:
    """Import modules from a folder without a trace in it or in this process."""
    path, writing = list(sys.path), sys.dont_write_bytecode
    sys.path.insert(0, os.fspath(folder))
    sys.dont_write_bytecode = True
    invalidate_caches()
    try:
        yield
    finally:
        sys.path[:], sys.dont_write_bytecode = path, writing
        for name in [module for module in sys.modules if module.partition(".")[0] == package]:
            del sys.modules[name]
        invalidate_caches()


def command(words: Sequence[str], warn: Warn) -> Found:
    """Run ``harness new``."""
    return new(words), 0
