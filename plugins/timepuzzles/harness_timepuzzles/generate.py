"""Puzzles (paper, section 2.2 and appendix A.2): an event, a hidden date, and clues that hold on it.

The paper draws whole puzzles until one has the wanted number of solutions. Here all clues but one are
drawn so, and the last is looked for among those that leave exactly so many dates. Every solution set
is made with masks and confirmed by the arithmetic engine before the item exists.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from datetime import date
from functools import lru_cache
from random import Random
from typing import Any

from harness import Abstained, EngineError, ExhaustedError, Item, canonical_json, digest
from harness_timepuzzles import certificate, clue_draws, facts_file, reading, wording
from harness_timepuzzles.clues.clue import LEVELS, Clue
from harness_timepuzzles.clues.facts import Event
from harness_timepuzzles.config import NAME, VERSION
from harness_timepuzzles.engines import arithmetic
from harness_timepuzzles.languages.language import ENGLISH
from harness_timepuzzles.part import Kept, Part
from harness_timepuzzles.problem import Problem, answer
from harness_timepuzzles.settings import Settings, check_language, prepared

MAX_DRAWS = 20_000
# Draws with one number of clues and one level of the event; harder demands need more of them.
_PATIENCE, _LONG_PATIENCE = 100, 1_000


def item(config: dict[str, Any], index: int, rng: Random, salt: str) -> Item:
    """Return puzzle ``index``: its number of solutions is fixed by the index, the rest is drawn.

    Raises:
        ExhaustedError: no such puzzle was found in `MAX_DRAWS` draws.
        EngineError: the two engines contradict each other.
        SettingsError: the configuration contradicts itself.
    """
    check_language(config)
    facts_digest = ""
    if config["facts"]:
        reading.remember(config["facts"])
        facts_digest = hashlib.sha256(facts_file.content(config["facts"])).hexdigest()
    key = canonical_json({k: v for k, v in config.items() if k not in ("mode", "language")})
    settings = prepared(key, facts_digest)
    wanted = balanced(index, settings.solutions, salt)
    patience = _LONG_PATIENCE if settings.all_necessary(wanted) else _PATIENCE
    rejected: Counter[str] = Counter()
    for draw in range(1, MAX_DRAWS + 1):
        # Not with every draw: what fits more often would come more often. But some never fit.
        if draw % patience == 1:
            shape = (rng.choice(settings.clues), rng.choice(LEVELS))
        drawn = clue_draws.drawn(settings, shape, wanted, rng)
        if isinstance(drawn, str):
            rejected[drawn] += 1
            continue
        notes = {"draws": draw, "rejected": dict(sorted(rejected.items()))}
        result = _item(*drawn, settings, (config["mode"], config["language"]), notes)
        if isinstance(result, Item):
            return result
        rejected[result] += 1
    why = ", ".join(f"{reason} {count}" for reason, count in sorted(rejected.items()))
    raise ExhaustedError(
        f"no puzzle with {wanted} solutions in {MAX_DRAWS} draws ({why}); use a wider range of years, "
        "fewer clues, other numbers of solutions, or necessary=event"
    )


def balanced(index: int, wanted: range, salt: str) -> int:
    """Return the number of solutions of an index: each block of ``len(wanted)`` has every one once."""
    block, at = divmod(index, len(wanted))
    return _order(block, wanted, salt)[at]


@lru_cache(maxsize=8)
def _order(block: int, wanted: range, salt: str) -> list[int]:
    order = list(wanted)
    Random(hashlib.sha256(f"{salt}|{block}".encode()).hexdigest()).shuffle(order)
    return order


def _item(
    drawn: list[Kept], part: Part, settings: Settings, form: tuple[str, str], notes: dict[str, Any]
) -> Item | str:
    """Return the item of some clues, the event first, or why the engines reject them.

    ``part`` is the days of the event, ``form`` the mode and the language of its prompt.
    """
    event, (mode, language) = drawn[0][0], form
    # The order of the prompt is the clues' own: equal puzzles are equal whatever was drawn first.
    kept = sorted(drawn, key=lambda one: _digest(one[0]))
    puzzle = [clue for clue, _ in kept]
    if settings.calendar_clue and not any(c.implicit and not c.historical for c in puzzle):
        return "gregorian"
    first, last = Problem(settings.world.first, settings.world.last, puzzle).certain()
    implicit = Problem(first, last, puzzle)
    data = implicit.to_dict()
    confirmed = _second_opinion(data)
    if confirmed is None:
        return "undecided"
    proof = certificate.make(kept, puzzle.index(event), part, (first, last))
    solutions = proof["solutions"]
    if confirmed != solutions:
        raise EngineError(
            f"engines contradict each other: masks find {answer(solutions)}, arithmetic finds "
            f"{answer(confirmed)} for {canonical_json(data)[:2000]}"
        )
    if not _are_necessary(proof["without"], puzzle.index(event), len(solutions), settings):
        return "redundant"
    if len(solutions) == 1 and any(
        solutions[0] in _explicit(clue, first, last)[1] for clue in puzzle
    ):
        return "told"  # the one solution stands in the text of the explicit form
    problem, shown_data = implicit, data
    if mode != "implicit":
        shown = [
            _explicit(clue, first, last)[0] if mode == "explicit" or clue.historical else clue
            for clue in puzzle
        ]
        problem = Problem(first, last, shown)
        shown_data = problem.to_dict()
        if _second_opinion(shown_data) != solutions:
            raise EngineError(
                f"the {mode} form of a puzzle has another solution set than the implicit one"
            )
    features = {
        "solutions": len(solutions),
        "clues": len(puzzle),
        "mode": mode,
        "necessary": settings.necessary,
        "relation": event.relation if isinstance(event, Event) else "recurring",
        "clue": " ".join(sorted(clue.type for clue in puzzle)),
        "without_event": proof["without"][puzzle.index(event)],
    }
    if language != ENGLISH:  # items in English are as they were
        features["language"] = language
    return Item(
        plugin=NAME, version=VERSION, prompt=wording.write(problem, language), target=answer(solutions),
        problem=shown_data, certificate=proof, features=features, notes=notes,
        family=digest([NAME, data])[:12],
    )  # fmt: skip


@lru_cache(maxsize=8_000)
def _digest(clue: Clue) -> str:
    """Return the key by which a puzzle's clues are ordered; most clues come again and again."""
    return digest(clue.params())


@lru_cache(maxsize=4_000)
def _explicit(clue: Clue, first: date, last: date) -> tuple[Clue, str]:
    rewritten = clue.explicit(first, last)
    return rewritten, rewritten.sentence()


def _second_opinion(data: dict[str, Any]) -> list[str] | None:
    """Return the solutions that the second engine finds; None where it doubts them, or what one clue rules out."""
    try:
        return arithmetic.solutions(data, one_broken=True)
    except Abstained:
        return None


def _are_necessary(without: list[int], event: int, solutions: int, settings: Settings) -> bool:
    """Return whether there are more dates without each of the clues that must be necessary.

    Args:
        without: per clue, the number of dates that satisfy all others.
        event: the number of the event among the clues.
        solutions: the number of dates that satisfy all.
        settings: what must be necessary.
    """
    if settings.all_necessary(solutions):
        return min(without) > solutions
    return settings.necessary == "none" or without[event] > solutions
