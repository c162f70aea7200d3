"""How many tokens a text has for a model: by a tokenizer that is on this machine, else by its characters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import NamedTuple

import tiktoken
import tiktoken.load

CHARACTERS = 4  # of English to a token, about
COMMON = "o200k_base"  # what Inspect, too, counts by where it knows no tokenizer of a model
_CACHED = 10_000  # texts: examples and tools come in every prompt


class Tokenizer(NamedTuple):
    """What counts the tokens of a text, and a phrase that says by what."""

    count: Callable[[str], int]
    phrase: str


def of_model(model: str) -> Tokenizer:
    """Return what counts for a model, ``provider/name``; nothing is downloaded, and nobody asked."""
    provider, _, name = model.partition("/")
    try:
        wanted = tiktoken.encoding_name_for_model(name.rpartition("/")[2])
    except KeyError:
        wanted = ""
    exact = wanted if provider in ("openai", "azureai") else ""
    try:
        with _from_this_machine():
            encoding = tiktoken.get_encoding(exact or COMMON)
    except Exception:  # what a broken file raises is of many kinds
        why = f"{exact or 'its tokenizer'} is not on this machine"
        return Tokenizer(_by_characters, f"{CHARACTERS} characters a token: {why}")
    phrase = (
        f"by its tokenizer {exact}" if exact else f"by {COMMON}: its own tokenizer is not known"
    )

    @lru_cache(_CACHED)
    def count(text: str) -> int:
        return len(encoding.encode(text, disallowed_special=()))

    return Tokenizer(count, phrase)


def _by_characters(text: str) -> int:
    return -(-len(text) // CHARACTERS)


@contextmanager
def _from_this_machine() -> Iterator[None]:
    """Have tiktoken take tables of tokens from its cache alone, where it would download them."""
    before = tiktoken.load.read_file

    def refuse(blobpath: str) -> bytes:
        raise FileNotFoundError(blobpath)

    tiktoken.load.read_file = refuse
    try:
        yield
    finally:
        tiktoken.load.read_file = before
