"""Traces and causes over synthesised controllers: specification, controller, trace, cause, answer."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harness_tlsf import specification as tlsf

    from harness_tempobench.api import cause
    from harness_tempobench.synthesis import synthesise

__all__ = ["cause", "synthesise", "tlsf"]

_WHERE = {"cause": "api", "synthesise": "synthesis"}


def __getattr__(name: str) -> Any:
    # On demand: the plugin's hooks are imported to be described, which nothing here may slow down.
    if name == "tlsf":
        return import_module("harness_tlsf.specification")
    if name in _WHERE:
        return getattr(import_module(f"harness_tempobench.{_WHERE[name]}"), name)
    raise AttributeError(f"module 'harness_tempobench' has no attribute '{name}'")
