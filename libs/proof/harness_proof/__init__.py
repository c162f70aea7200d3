"""Whether the certificate of an item proves its label: without engines, solvers, or anything installed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from harness_proof import ltlbench, tempobench, timepuzzles, vltl
from harness_proof.outcomes import RefutedError, UncheckedError

PROVED, REFUTED, UNCHECKED = "proved", "refuted", "not checkable"
MAX_PROMPT = 1_000_000

CHECKERS: dict[str, Callable[[str, str, Any], str | None]] = {
    "ltlbench": ltlbench.check, "tempobench": tempobench.check, "timepuzzles": timepuzzles.check, "vltl": vltl.check,
}  # fmt: skip
"""How a label is checked, by the plugin of an item."""


def outcome(record: Any) -> tuple[str, str]:
    """Return what becomes of a record with ``plugin``, ``prompt``, ``target``, ``proof``, and why; never raises.

    *proved*: the label follows from the prompt, and from the facts that ``why`` speaks of. *refuted*: the certificate
    does not prove it. *not checkable*: there is no certificate, or it or the prompt is of a form or size that is not
    known here.
    """
    if not isinstance(record, Mapping):
        return UNCHECKED, "it is no JSON object"
    plugin, prompt, target = (record.get(key) for key in ("plugin", "prompt", "target"))
    checker = CHECKERS.get(plugin) if isinstance(plugin, str) else None
    if checker is None:
        return UNCHECKED, f"no checker for the plugin {str(plugin)[:40]!r}"
    if not isinstance(prompt, str) or not isinstance(target, str) or len(prompt) > MAX_PROMPT:
        return UNCHECKED, f"prompt and target have to be texts of at most {MAX_PROMPT} characters"
    if record.get("proof") is None:
        return UNCHECKED, "it has no certificate"
    try:
        return PROVED, checker(prompt, target, record["proof"]) or ""
    except UncheckedError as error:
        return UNCHECKED, str(error)
    except RefutedError as error:
        return REFUTED, str(error)
    except RecursionError:
        return UNCHECKED, "it is nested too deep"
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return REFUTED, "the certificate is not of the form that proofs.md describes"
