"""The second reader of requirements, who knows neither the templates nor their formulas.

What sentences mean, it knows from readings.tsv, readings_timed.tsv (style=timed) and readings_finite.tsv (next steps
of traces that end): every sentence of the language was given to readers who had not seen its formula, and they wrote
down what it says. Which words are which action it finds on its own: it looks for verbs by their stems and for what
goes with them, and shares no code with `phrases` or `verb_forms`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from importlib import resources

from harness_answers.text import quoted

from harness import Abstained
from harness_vltl.formulas import syntax
from harness_vltl.formulas.formula import Formula, operators, propositions, substitute, validate
from harness_vltl.problem import Meaning
from harness_vltl.scenarios.model import Scenario

MAX_SENTENCE = 10_000
_LETTERS = "pqr"
_END = ",.;:?!"
_PLACE = re.compile(
    r"\b(?:[Cc]ondition (?P<long>R[0-9]+) holds|(?P<short>[A-Z]) holds|(?P<prop>prop_[0-9]+))(?![0-9A-Za-z_])"
)
_DEFINING = re.compile(
    r"(?:^| )(?:Condition (?P<long>R[0-9]+) holds in a step exactly if the following is true when that step is "
    r"taken as the present one|(?P<short>[A-Z]) means): "
)
_THE = re.compile(r"\b[Tt]he (?=([a-z][a-z0-9'-]*(?: [a-z][a-z0-9'-]*){0,3}))")


class NotUnderstoodError(Abstained):
    """A sentence that the second reader has no reading of."""


def read(sentence: str, scenario: Scenario | None, *, finite: bool = False) -> Meaning:
    """Read a requirement; without a scenario, a lifted one. ``finite``: it is about traces that end.

    Raises:
        NotUnderstoodError: a part of it has no reading, or a condition not one definition after it is named.
        FormulaError: what it says is beyond the bounds of formulas.
    """
    if len(sentence) > MAX_SENTENCE:
        raise NotUnderstoodError(f"the sentence is longer than {MAX_SENTENCE} characters")
    names: dict[str, str] = {}
    lifted = sentence if scenario is None else lift(sentence, scenario, names)
    agents = scenario.agents if scenario else ()
    return Meaning(
        _formula(lifted, agents, finite), lifted, {prop: action for action, prop in names.items()}
    )


# ---------------------------------------------------------------------------------- meaning


def definitions(lifted: str) -> list[tuple[str, str]]:
    """Return the words of the requirement itself, named "", and of each of its conditions, in their order."""
    found, name, end = [], "", 0
    for lead in _DEFINING.finditer(lifted):
        found.append((name, lifted[end : lead.start()]))
        name, end = lead["long"] or lead["short"], lead.end()
    return [*found, (name, lifted[end:])]


@lru_cache(maxsize=8192)
def _formula(lifted: str, agents: tuple[str, ...], finite: bool) -> Formula:
    parts: dict[str, Formula] = {}
    for name, words in definitions(lifted):
        if name in parts:
            raise NotUnderstoodError(f"condition {name} is defined twice")
        parts[name] = sense(words, agents, finite=finite)
    # a condition is named before it is defined, so that the last one speaks of none
    for name in [*reversed(parts)][:-1]:
        definition = parts.pop(name)
        parts = {other: substitute(part, {name: definition}) for other, part in parts.items()}
    validate(
        parts[""], finite=finite
    )  # conditions named twice, over and over, make it grow without bound
    for name in propositions(parts[""]):
        if not name.startswith("prop_"):
            raise NotUnderstoodError(f"condition {name} is not defined after it is named")
    return parts[""]


def sense(text: str, agents: Iterable[str], *, finite: bool = False) -> Formula:
    """Return what a lifted requirement says, or the sentence of one of its conditions.

    Raises:
        NotUnderstoodError: there is no reading of it.
    """
    order: dict[str, str] = {}

    def letter(place: re.Match[str]) -> str:
        name = place[place.lastgroup or 0]
        if name not in order:
            if len(order) == len(_LETTERS):
                raise NotUnderstoodError(f"too many propositions in: {quoted(text, 200)}")
            order[name] = _LETTERS[len(order)]
        return f"[{order[name].upper()}]"

    marked = _PLACE.sub(letter, text)
    for plain in _without_agent(marked, agents):
        formula = _readings(finite).get(plain)
        if formula is not None:
            return substitute(formula, {sign: name for name, sign in order.items()})
    raise NotUnderstoodError(f"no reading of: {quoted(text, 200)}")


def _without_agent(text: str, agents: Iterable[str]) -> Iterator[str]:
    """Yield the text as it may be meant: with its agent, if it names one, called the agent."""
    nouns = list(agents)
    if not nouns:
        for place in _THE.finditer(text):
            words = place[1].split(" ")
            nouns += [" ".join(words[:count]) for count in range(1, len(words) + 1)]
    yield text
    for noun in dict.fromkeys(nouns):
        yield _collapsed(re.sub(rf"\b([Tt])he {re.escape(noun)}(?![\w'-])", r"\1he agent", text))


def _collapsed(text: str) -> str:
    """Return the text with "the agent [P]", one who does it, as [P], that it is done."""
    return re.sub(r"\b[Tt]he agent (?=\[)", "", text)


@cache
def _readings(finite: bool) -> dict[str, Formula]:
    endless = _table("readings.tsv") | _table("readings_timed.tsv")
    if not finite:
        return endless
    # what speaks of no step after another says the same of traces that end
    anyway = {words: formula for words, formula in endless.items() if "X" not in operators(formula)}
    return anyway | _table("readings_finite.tsv", finite=True)


def _table(file: str, *, finite: bool = False) -> dict[str, Formula]:
    lines = resources.files("harness_vltl.engines").joinpath(file).read_text("utf-8").splitlines()
    rows = (line.split("\t") for line in lines if not line.startswith("#"))
    return {
        _collapsed(sentence): syntax.parse(formula, _LETTERS, finite=finite)
        for sentence, formula in rows
    }


# ---------------------------------------------------------------------------------- actions


def lift(sentence: str, scenario: Scenario, names: dict[str, str]) -> str:
    """Return the sentence with prop_i in place of actions; ``names`` gets the number of each action."""
    words = sentence.split(" ")
    out: list[str] = []
    at = 0
    for begin, end, action in mentions(sentence, scenario):
        last = words[end - 1]
        prop = names.setdefault(action, f"prop_{len(names) + 1}")
        out += [*words[at:begin], prop + last[len(last.rstrip(_END)) :]]
        at = end
    return " ".join([*out, *words[at:]])


def mentions(sentence: str, scenario: Scenario) -> Iterator[tuple[int, int, str]]:
    """Yield where actions are mentioned: the first word, the word after the last, the action."""
    words = sentence.split(" ")
    bare = [word.rstrip(_END).lower() for word in words]
    lexicon = _lexicon(scenario)
    at = 0
    while at < len(words):
        mention = lexicon.longest(words, bare, at)
        if mention is not None:
            yield (at, *mention)
        at = mention[0] if mention else at + 1


class _Lexicon:
    """The verbs of a scenario by their stems, each with what may follow it."""

    def __init__(self, scenario: Scenario) -> None:
        self.after: dict[str, list[tuple[str, list[str | int], tuple[str, ...]]]] = {}
        for name, action in scenario.actions.items():
            for phrase in action.phrases:
                verb, *rest = phrase.base.split(" ")
                pieces: list[str | int] = [
                    int(piece[1:-1]) if piece.startswith("{") else piece for piece in rest
                ]
                for form in (verb, phrase.ing.split(" ")[0], phrase.s.split(" ")[0]):
                    self.after.setdefault(_stem(form), []).append((name, pieces, action.arguments))
        self.forms = {name: _by_first(kind.values) for name, kind in scenario.types.items()}

    def longest(self, words: list[str], bare: list[str], at: int) -> tuple[int, str] | None:
        """Return where the longest action that begins at a word ends, and which one it is."""
        best: tuple[int, str] | None = None
        for name, pieces, arguments in self.after.get(_stem(bare[at]), ()):
            for end, values in self._ends(words, bare, at + 1, pieces, arguments):
                if best is None or end > best[0]:
                    inside = ",".join(values[i] for i in range(len(arguments)))
                    best = end, f"{name}({inside})" if inside else name
        return best

    def _ends(
        self, words: list[str], bare: list[str], at: int, pieces: list[str | int],
        arguments: tuple[str, ...],
    ) -> Iterator[tuple[int, dict[int, str]]]:  # fmt: skip
        """Yield each place where the rest of a phrase may end, with the values of its arguments."""
        if not pieces:
            yield at, {}
            return
        # punctuation ends a phrase: nothing of it lies beyond
        if at >= len(words) or words[at - 1][-1] in _END:
            return
        first, *rest = pieces
        if isinstance(first, str):
            if bare[at] == first:
                yield from self._ends(words, bare, at + 1, rest, arguments)
            return
        for form, value in self.forms[arguments[first]].get(bare[at], ()):
            end = at + len(form)
            if bare[at:end] == form and all(w[-1] not in _END for w in words[at : end - 1]):
                for stop, values in self._ends(words, bare, end, rest, arguments):
                    yield stop, {**values, first: value}


@lru_cache(maxsize=16)
def _lexicon(scenario: Scenario) -> _Lexicon:
    return _Lexicon(scenario)


def _by_first(values: Mapping[str, tuple[str, ...]]) -> dict[str, list[tuple[list[str], str]]]:
    by_first: dict[str, list[tuple[list[str], str]]] = {}
    for value, forms in values.items():
        for form in forms:
            words = form.split(" ")
            by_first.setdefault(words[0], []).append((words, value))
    return by_first


@lru_cache(maxsize=4096)
def _stem(word: str) -> str:
    """Return what is left of a verb without -s, -ing, a final e or y, and one of two equal last letters."""
    for ending in ("ing", "es", "s"):
        if word.endswith(ending) and len(word) > len(ending) + 1 and not word.endswith("ss"):
            word = word[: -len(ending)]
            break
    word = word.rstrip("eyi") or word
    return word[:-1] if len(word) > 2 and word[-1] == word[-2] else word
