"""Templates of requirements about finite traces (semantics=ltlf), all of style plain.

Those without a next step are the templates of infinite traces, but for what speaks of infinitely many steps: words
and operators speak of the steps that there are. Those with one have formulas and forms of their own
(`templates.yaml`).
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import Any

import yaml

from harness_vltl import templates
from harness_vltl.formulas import syntax
from harness_vltl.formulas.formula import Formula, operators, walk
from harness_vltl.templates import LETTERS, Form, Skeleton

_ENDLESS = re.compile(r"finite|without end|again and again|next")


@cache
def skeletons() -> tuple[Skeleton, ...]:
    """Return all templates, those without a next step first."""
    families = {skeleton.id: skeleton.family for skeleton in templates.skeletons()}
    return (
        *filter(None, map(_without_next, templates.skeletons())),
        *(
            Skeleton(
                "plain",
                entry["id"],
                families.get(entry["id"], "next"),
                syntax.parse(entry["formula"], LETTERS, finite=True),
                tuple(map(templates.form, entry["plain"])),
            )
            for entry in _entries()
        ),
    )


def _entries() -> list[dict[str, Any]]:
    text = resources.files("harness_vltl.ltlf").joinpath("templates.yaml").read_text("utf-8")
    entries: list[dict[str, Any]] = yaml.safe_load(text)
    return entries


def _without_next(skeleton: Skeleton) -> Skeleton | None:
    """Return a template of infinite traces with the forms that say the same of finite ones; None if it has none."""
    formula = skeleton.formula
    if "X" in operators(formula) or any(map(_recurs, walk(formula))):
        return None
    forms = tuple(form for form in skeleton.forms if not _ENDLESS.search(form.text))
    return Skeleton(skeleton.style, skeleton.id, skeleton.family, formula, forms)


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


def every_form() -> list[tuple[Skeleton, Form]]:
    """Return the forms of all templates, each with its template."""
    return [(skeleton, form) for skeleton in skeletons() for form in skeleton.forms]
