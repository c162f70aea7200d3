"""Templates (CONTRACT.md): LTL skeletons with the English sentences that say the same.

Those of finite traces (semantics=ltlf) are all of style plain. Without a next step they are the templates of infinite
traces, but for what speaks of infinitely many steps: words and operators speak of the steps that there are. Those
with one have formulas and forms of their own (`templates_finite.yaml`).

A sentence is built from a form: a text with slots for propositions. What stands in a slot is a verb
phrase of a scenario, or the name of a condition that a further sentence defines (nested compositions).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Any, Literal, cast

import yaml

from harness_vltl.formulas import syntax
from harness_vltl.formulas.formula import Formula, operators, propositions, walk
from harness_vltl.problem import STYLES
from harness_vltl.scenarios import model
from harness_vltl.scenarios.scenario import Choice

LETTERS = "abc"
_DEFINES = (
    " holds in a step exactly if the following is true when that step is taken as the present one: "
)
_DEFINITION = re.compile(rf" (?:Condition (R[0-9]+){re.escape(_DEFINES)}|([A-Z]) means: )")
_CONDITIONS = "ABCDEHJKLNPQST"  # no operator, and not I
_SLOT = re.compile(r"\{([abc])(?::(base|ing|s|clause))?\}|\{(agent|Agent)\}")
Kind = Literal["base", "ing", "s", "clause"]


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for a proposition: its letter and how it is put (base, ing, s, clause)."""

    letter: str
    kind: Kind

    @property
    def words(self) -> model.Form:
        """The form of the verb phrase: a clause has it in the third person."""
        return "s" if self.kind == "clause" else self.kind


@dataclass(frozen=True, slots=True)
class Form:
    """One way to say a skeleton: fixed texts and slots in turn; ``None`` stands for the agent."""

    text: str
    pieces: tuple[str | Slot | None, ...]

    @property
    def names_agent(self) -> bool:
        """Whether it says who acts."""
        return any(
            piece is None or (isinstance(piece, Slot) and piece.kind == "clause")
            for piece in self.pieces
        )

    @property
    def clausal(self) -> bool:
        """Whether every slot takes a clause, so that a condition may stand in it."""
        return all(piece.kind == "clause" for piece in self.pieces if isinstance(piece, Slot))


@dataclass(frozen=True, eq=False)  # hashed by identity: there is one of each
class Skeleton:
    """A formula over a, b, c with the forms of a style that say it."""

    style: str
    id: str
    family: str
    formula: Formula
    forms: tuple[Form, ...]

    @property
    def arity(self) -> int:
        """Number of different propositions."""
        return len(propositions(self.formula))

    @property
    def clausal(self) -> tuple[Form, ...]:
        """The forms that take conditions."""
        return tuple(form for form in self.forms if form.clausal)


def definitions(text: str) -> list[tuple[str, str]]:
    """Return the words of a requirement itself, named "", and of each of its conditions, in their order."""
    pieces = _DEFINITION.split(text)
    names = [exact or plain for exact, plain in zip(pieces[1::3], pieces[2::3], strict=True)]
    return [("", pieces[0]), *zip(names, pieces[3::3], strict=True)]


def defining(name: str) -> str:
    """Return the words before the sentence that defines a condition."""
    return f" {name} means: " if len(name) == 1 else f" Condition {name}{_DEFINES}"


def holding(name: str) -> str:
    """Return the clause that a condition holds."""
    return f"{name} holds" if len(name) == 1 else f"condition {name} holds"


@cache
def skeletons(style: str = STYLES[0], finite: bool = False) -> tuple[Skeleton, ...]:
    """Return all skeletons with the forms of a style, in the order of the file.

    ``finite``: those of finite traces, the ones without a next step first; there are none but plain ones.
    """
    if finite:
        families = {skeleton.id: skeleton.family for skeleton in skeletons()}
        entries = [
            {**entry, "family": families.get(entry["id"], "next")}
            for entry in contents("templates_finite.yaml")
        ]
        return (
            *filter(None, map(_without_next, skeletons())),
            *(_skeleton(entry, "plain", finite=True) for entry in entries),
        )
    if style == "timed":
        timed = contents("templates_timed.yaml")
        return tuple(
            _skeleton(_counted(entry, k), style) for entry in timed for k in entry["steps"]
        )
    return tuple(_skeleton(entry, style) for entry in contents("templates.yaml"))


def _skeleton(entry: Mapping[str, Any], style: str, *, finite: bool = False) -> Skeleton:
    formula = syntax.parse(entry["formula"], LETTERS, finite=finite)
    return Skeleton(style, entry["id"], entry["family"], formula, tuple(map(form, entry[style])))


def contents(file: str) -> Any:
    """Return what a YAML file of the package holds."""
    text = resources.files("harness_vltl").joinpath(file).read_text("utf-8")
    return yaml.load(text, Loader=_LOADER)  # noqa: S506 (safe either way)


_ENDLESS = re.compile(r"finite|without end|again and again|next")


def _without_next(skeleton: Skeleton) -> Skeleton | None:
    """Return a template of infinite traces with the forms that say the same of finite ones; None if it has none."""
    formula = skeleton.formula
    if "X" in operators(formula) or any(map(_recurs, walk(formula))):
        return None
    forms = tuple(form for form in skeleton.forms if not _ENDLESS.search(form.text))
    return replace(skeleton, forms=forms)


def _recurs(part: Formula) -> bool:
    """Tell whether a part says "infinitely often" or "from some point on": on finite traces, "in the last step"."""
    return (
        isinstance(part, list)
        and part[0] in ("F", "G")
        and not {"F", "G"}.isdisjoint(_heads(part[1]) - {part[0]})
    )


def _heads(part: Formula) -> set[str]:
    """Return the temporal operator that a part begins with, beyond negations, conjunctions and disjunctions."""
    if not isinstance(part, list):
        return set()
    if part[0] in ("!", "&", "|"):
        return set().union(*map(_heads, part[1:]))
    return {part[0]}


def _counted(entry: dict[str, Any], k: int) -> dict[str, Any]:
    """Return a template with bounds for one number of steps: a digit in its formula, a word in its sentences."""
    words = ("no", "one", "two", "three", "four", "five")
    said = [text.replace("{k}", words[k]) for text in entry["timed"]]
    return {
        "id": f"{entry['id']}_{k}",
        "family": entry["family"],
        "formula": entry["formula"].replace("{k}", str(k)),
        "timed": [text[0].upper() + text[1:] if text[0] != "{" else text for text in said],
    }


def every_form(finite: bool = False) -> list[tuple[Skeleton, Form]]:
    """Return the forms of all styles, each with its skeleton."""
    return [
        (skeleton, one)
        for style in (STYLES[:1] if finite else STYLES)
        for skeleton in skeletons(style, finite)
        for one in skeleton.forms
    ]


# The one in C reads the file ten times faster.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def families(style: str = STYLES[0]) -> tuple[str, ...]:
    """Return the names of the families of a style, in the order of the file."""
    return tuple(dict.fromkeys(skeleton.family for skeleton in skeletons(style)))


def form(text: str) -> Form:
    """Return the form of a text with slots in braces."""
    pieces: list[str | Slot | None] = []
    end = 0
    for slot in _SLOT.finditer(text):
        pieces.append(text[end : slot.start()])
        end = slot.end()
        if slot[3]:
            pieces.append(None)
        else:
            pieces.append(Slot(slot[1], cast(Kind, slot[2] or "base")))
    pieces.append(text[end:])
    assert not any(isinstance(piece, str) and "{" in piece for piece in pieces), text
    return Form(text, tuple(piece for piece in pieces if piece != ""))


@dataclass(frozen=True, slots=True)
class Condition:
    """A named condition, which a sentence of its own defines."""

    name: str

    @classmethod
    def numbered(cls, number: int, style: str) -> Condition:
        """Return a condition of a requirement, counted from 1."""
        return cls(f"R{number}" if style == "exact" else _CONDITIONS[number - 1])


Filling = Choice | Condition
"""What can stand in a slot."""


class Writer:
    """Builds a text and notes which parts of it speak of which proposition."""

    def __init__(self, agent: str) -> None:
        self.agent = agent
        self.text = ""
        self.mentions: list[tuple[Choice, int, int]] = []

    def sentence(self, form: Form, fillings: Mapping[str, Filling]) -> None:
        """Append the sentence that a form makes of its fillings, by letter."""
        for piece in form.pieces:
            if piece is None:
                self._agent()
            elif isinstance(piece, str):
                self.text += piece
            else:
                self._fill(piece, fillings[piece.letter])

    def _agent(self) -> None:
        self.text += f"{'The' if self._begins() else 'the'} {self.agent}"

    def _fill(self, slot: Slot, filling: Filling) -> None:
        if isinstance(filling, Condition):
            words = holding(filling.name)
        else:
            if slot.kind == "clause":
                self._agent()
                self.text += " "
            words = filling.words(slot.words)
        if self._begins():
            words = words[0].upper() + words[1:]
        start = len(self.text)
        self.text += words
        if isinstance(filling, Choice):
            self.mentions.append((filling, start, len(self.text)))

    def _begins(self) -> bool:
        return not self.text or self.text.endswith((". ", _DEFINES, " means: "))
