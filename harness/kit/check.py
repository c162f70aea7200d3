"""The command `check`: which plugin and which checks are meant, and the report as text."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harness_errors import PluginError, SpecError, did_you_mean

from harness.cli import colour
from harness.cli.command import Found, one_spec
from harness.cli.tables import paragraph
from harness.core.facts import printable
from harness.core.feature_hooks import Warn
from harness.core.plugins import Registry
from harness.core.words import parse
from harness.kit.conformance import CHECKS, LOADING, entry, link

_LONG = 600  # characters of a message
_FEW = 15  # checks that have a line each, whatever came of them
GOLDEN = ("check", "write")


def checkable(installed: Registry, words: Sequence[str]) -> str:
    """Return the name that ``plugin=`` gives; refuse one of no benchmark and of no plugin that failed to load."""
    name = next((word.partition("=")[2] for word in words if word.startswith("plugin=")), "")
    if name in installed.wrappers:
        raise PluginError(
            f"'{name}' is a wrapper, which has no items of its own; it is tried along with every "
            f"benchmark that is checked: {did_you_mean('', installed.benchmarks)}"
        )
    if name and "," not in name and name not in {*installed.benchmarks, *installed.failures}:
        known = did_you_mean(name, {*installed.benchmarks, *installed.failures})
        raise PluginError(
            f"no plugin '{name[:80]}' is installed in {sys.prefix}; {known}; a new one is installed by "
            f"pip install -e FOLDER ({link(LOADING)})"
        )
    return name


def command(words: Sequence[str], warn: Warn) -> Found:
    """Run ``harness check``; it fails where the plugin does."""
    from harness.core.plugins import registry
    from harness.kit.fork import conformance_apart

    own = [word for word in words if word.startswith(("golden=", "only="))]
    golden, only = _settings(own)
    words = [word for word in words if word not in own]
    name = checkable(registry(), words)
    if name in registry().failures:
        reason = f"plugin '{name}' could not be loaded: {registry().failures[name]}"
        checks = [entry(LOADING, reason, "")]
        return {"plugin": name, "version": "", "checks": checks, "failures": [LOADING]}, 1
    spec, plugin = one_spec(words, "check", ("golden", "only"))
    most = 1_000 if only == ("shortcuts",) else 200  # shares of few items are inexact
    n = min(spec.n, most)
    report = conformance_apart(plugin, spec.config, n=n, seed=spec.seed, golden=golden, only=only)
    return report, int(bool(report["failures"]))


def _settings(words: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Return what ``golden=`` says, and the checks that ``only=a,b`` names; none where all are meant."""
    values = parse(words)
    golden, only = ",".join(values.get("golden", ["check"])), tuple(values.get("only", ()))
    if golden not in GOLDEN:
        hint = did_you_mean(golden, GOLDEN)
        raise SpecError(f"golden={golden[:80]}: golden takes {' or '.join(GOLDEN)}; {hint}")
    for name in only:
        if name not in CHECKS:
            raise SpecError(f"only={name[:80]}: no such check; {did_you_mean(name, CHECKS)}")
    return golden, only


def text(report: Mapping[str, Any], verbose: bool = False) -> str:
    """Return a report as text: below a failed check its item, input, rule and link.

    What passes has a line each where that fits a screen or if ``verbose``, else a line of all their names.
    """
    checks = report["checks"]
    lines = []
    if not verbose and len(checks) > _FEW:
        passed = [c["name"] for c in checks if not c["failure"] and not c["remark"]]
        lines = [paragraph(f"ok    {', '.join(passed)}")] if passed else []
        checks = [check for check in checks if check["failure"] or check["remark"]]
    lines += [line for check in checks for line in _lines(check)]
    end = f"{len(report['failures'])} checks failed" if report["failures"] else "conforms"
    return "\n".join([*lines, f"{report['plugin']} {report['version']}".strip() + f": {end}"])


def _lines(check: Mapping[str, Any]) -> Iterator[str]:
    if not check["failure"]:
        word = "note" if check["remark"] else "ok"
        yield f"{word:<6}{check['name']}: {printable(check['note'], _LONG)}"
        return
    yield colour.alarm(f"FAIL  {check['name']}: {printable(check['failure'], _LONG)}")
    if item := check["item"]:
        known = (
            f", {item['id']}: {_quoted(item['prompt'])}" if item["id"] else " (there is none yet)"
        )
        yield f"      item   {item['index']}{known}"
    if check["input"] is not None:
        yield f"      input  {_quoted(check['input'])}"
    yield f"      rule   {check['rule']}"
    yield f"      see    {check['link']}"


def _quoted(text: str) -> str:
    """Return foreign text in one line that cannot steer a terminal."""
    return printable(" ".join(text.split()) or repr(text))
