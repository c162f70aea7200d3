"""The two forms of an English verb that a phrase needs beside its base: "stopping" and "stops".

The rules of English spelling, and a table of the verbs that they miss. Whether a verb of two or more
syllables doubles its last letter hangs on its stress, which spelling does not show: those that do are listed.
Where British and American spelling part ("signalling"), the American form is given.
"""

from __future__ import annotations

import re
from functools import lru_cache

_GERUNDS = {
    "be": "being", "singe": "singeing", "tinge": "tingeing", "binge": "bingeing",
    "swinge": "swingeing", "bus": "busing", "age": "aging", "sic": "siccing", "sync": "syncing",
    "arc": "arcing", "talc": "talcing", "route": "routing", "ok": "okaying",
}  # fmt: skip
_THIRDS = {
    "be": "is", "have": "has", "quiz": "quizzes", "gas": "gasses", "whiz": "whizzes",
    "stomach": "stomachs", "solo": "solos", "photo": "photos", "demo": "demos", "tango": "tangos",
    "disco": "discos", "memo": "memos", "lasso": "lassos", "ok": "okays",
}  # fmt: skip

# Stressed on the last syllable, or doubled as if they were.
_DOUBLED = """abet abhor acquit admit allot annul appal begin commit compel concur confer control defer demur
    deter dispel emit enrol enthral equip excel expel extol forbid forget format handicap humbug impel incur
    infer inter intermit kidnap occur omit patrol permit prefer program propel rebel rebut recur refer
    regret remit repel submit transfer transmit transship worship zigzag"""
_PREFIXES = ("un", "re", "over", "out", "mis", "up", "off", "pre", "in", "under", "de", "inter")
_STEMS = """bid bug cap clip cut dim fit get grab hit hum lap let log map net pad peg pin plan plug put rig rip
    run scan set ship slot snap step stir stop strap strip tag tap tip trap trim wrap zip"""

_DOUBLED_WORDS = frozenset(_DOUBLED.split())
_STEM_WORDS = frozenset(_STEMS.split())

_DOUBLING = re.compile(r"(?:^|[^aeiou])[aeiouy][^aeiouywxh]")
_VOWELS = re.compile(r"[aeiouy]+")
_HISSING = re.compile(r"(?:s|x|z|ch|sh)$")


@lru_cache(maxsize=4096)
def gerund(verb: str) -> str:
    """Return the form in "-ing" of a verb in its base form, in lower case: "stop" gives "stopping"."""
    before, hyphen, last = verb.rpartition("-")
    return before + hyphen + (_GERUNDS.get(last) or _gerund(last))


def _gerund(verb: str) -> str:
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "ye", "oe")):
        return verb[:-1] + "ing"
    if verb.endswith("ic"):
        return verb + "king"
    return verb + (verb[-1] if _doubles(verb) else "") + "ing"


def _doubles(verb: str) -> bool:
    plain = verb.replace("qu", "q")  # the u of "quit" is no vowel
    if len(plain) < 2 or not _DOUBLING.fullmatch(plain[-3:]):
        return False
    if len(_VOWELS.findall(plain[1:])) + (plain[0] in "aeiou") == 1:
        return True
    return verb in _DOUBLED_WORDS or any(
        verb.startswith(prefix) and verb[len(prefix) :] in _STEM_WORDS for prefix in _PREFIXES
    )


@lru_cache(maxsize=4096)
def third(verb: str) -> str:
    """Return the third person singular of a verb in its base form, in lower case: "try" gives "tries"."""
    before, hyphen, last = verb.rpartition("-")
    return before + hyphen + (_THIRDS.get(last) or _third(last))


def _third(verb: str) -> str:
    after_consonant = verb[-2:-1] not in ("", *"aeiou")
    if verb.endswith("y") and after_consonant:
        return verb[:-1] + "ies"
    if _HISSING.search(verb) or (verb.endswith("o") and after_consonant):
        return verb + "es"
    return verb + "s"
