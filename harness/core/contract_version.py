"""Which contract a plugin was written for, and what of the contract is on its way out (docs/contract.md)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass

from harness_errors import did_you_mean

CONTRACT = 1
"""The contract between core and plugins that this harness keeps."""

OLDEST = 1
"""The oldest contract whose plugins it still loads."""

STATED = "harness.contract"
"""The group of entry points in which a distribution says the contract of each of its plugins, ``"v1"``."""

_FIRST = 1  # of a plugin that says nothing: it was written before there was anything to say


@dataclass(frozen=True, slots=True)
class Deprecation:
    """A hook, or an argument of one, that goes with a later contract; ``instead`` says what to write."""

    instead: str
    goes: int


DEPRECATED: Mapping[str, Deprecation] = {}
"""By ``"hook"`` or ``"hook.argument"``. An entry stays until the contract that it goes with."""


def refusal(stated: str | None, distribution: str) -> str | None:
    """Return why a plugin that states this contract cannot be loaded, None where it can.

    Args:
        stated: the value of its entry point in the group `STATED`; None where it has none.
        distribution: what there is to update.
    """
    found = re.fullmatch(r"v([0-9]{1,4})", stated) if stated is not None else None
    if stated is not None and found is None:
        return (
            f"states its contract as '{stated[:80]}'; expected v and a number, as in 'v{CONTRACT}'"
        )
    number = int(found[1]) if found else _FIRST
    said = f"was written for contract {number}" if found else "states no contract, which means 1"
    if number > CONTRACT:
        return f"{said}, newer than contract {CONTRACT} of this harness: update temporal-harness"
    if number < OLDEST:
        kept = f"{OLDEST} to {CONTRACT}" if OLDEST < CONTRACT else f"{CONTRACT}"
        return f"{said}, older than this harness still keeps ({kept}): update {distribution}"
    return None


def astray(stated: Iterable[str], plugins: Collection[str]) -> str | None:
    """Return what to say of a contract stated for a plugin that the distribution does not have, if there is one."""
    for name in sorted(set(stated) - set(plugins)):
        return f"its distribution states a contract for '{name}'; {did_you_mean(name, plugins)}"
    return None


def warnings(plugin: str, hooks: Mapping[str, Set[str]]) -> Iterator[str]:
    """Yield a line for each deprecated hook or argument that a plugin has.

    Args:
        plugin: its name.
        hooks: the names of its hooks, each with the arguments that it takes.
    """
    for what, found in DEPRECATED.items():
        hook, _, argument = what.partition(".")
        if hook in hooks and (not argument or argument in hooks[hook]):
            own = f"the argument '{argument}' of {hook}()" if argument else f"the hook {hook}()"
            yield (
                f"plugin '{plugin}': {own} is deprecated and goes with contract {found.goes}: "
                f"{found.instead}"
            )
