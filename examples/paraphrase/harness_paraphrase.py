"""A plugin that is no benchmark: every prompt in one of several settings, for a look at how much they matter.

It wraps `generate` and changes the prompt alone: the problem, the label and the certificate stay. The
benchmark's own text stays in one piece, with words of ours above and below it. As `read` tolerates text around a
prompt (docs/hooks.md), the embedded reference still reads every item. The setting is a function of the problem: a
wrapper has nothing to set, as only its name and version enter fingerprints.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from random import Random
from typing import Any

from harness import Item, digest, hookimpl

SETTINGS: tuple[tuple[str, str], ...] = (
    ("Could you please help me with this one?", "Thank you very much!"),
    ("You are taking an examination. Question 7 reads:", "Write down what you hand in."),
    ("A colleague sent me the following and is waiting for a reply.", "What do I write back?"),
    ("I bet my brother that you can solve this.", "Do not let me down."),
    ("URGENT, we have two minutes. Here is everything that is known:", "Quickly now."),
    ("Below, a puzzle from an old magazine; nobody at home could solve it.", "Over to you."),
)


@hookimpl(wrapper=True)
def generate(
    config: dict[str, Any], index: int, rng: Random, salt: str
) -> Generator[None, Item, Item]:
    """Put the prompt of an item in a setting."""
    item = yield
    above, below = setting(item)
    return replace(item, prompt=f"{above}\n\n{item.prompt}\n\n{below}", id="")


def setting(item: Item) -> tuple[str, str]:
    """Return what stands above and below the prompt of an item: the same for the same problem."""
    return SETTINGS[int(digest([item.plugin, item.problem])[:8], 16) % len(SETTINGS)]
