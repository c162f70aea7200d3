"""The command ``list``."""

from __future__ import annotations

from collections.abc import Sequence

from harness_errors import SpecError

from harness.cli.command import Found
from harness.core.contract import CONTRACT
from harness.core.feature_hooks import Warn
from harness.core.plugins import registry


def benchmarks(words: Sequence[str], warn: Warn) -> Found:
    """List the installed benchmarks, and what keeps others out."""
    if words:
        raise SpecError(f"harness list takes no settings, got '{words[0][:80]}'")
    plugins = registry()
    known = [
        {
            "name": name,
            "version": plugin.benchmark.version,
            "summary": plugin.benchmark.summary,
            "licence": plugin.benchmark.licence,
        }
        for name, plugin in sorted(plugins.benchmarks.items())
    ]
    return {
        "contract": CONTRACT,
        "plugins": known,
        "wrappers": list(plugins.wrappers),
        "failures": plugins.failures,
        "warnings": plugins.warnings,
    }, 0
