"""From the bytes of a scenario's file to a `Scenario`, or to an error in one line that names the line."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence

from harness_vltl.scenarios import clash, schema, verb_forms
from harness_vltl.scenarios.model import (
    RESERVED_WORDS,
    Action,
    Phrase,
    Scenario,
    ScenarioError,
    Type,
)
from harness_vltl.scenarios.yaml_tree import Node, error, quoted, tree

MAX_VALUES = 20_000

_SLOT = re.compile(r"\{([^{}]*)\}")
_NAME = re.compile(r"[a-z][a-z0-9_]{0,99}")
_NO_ACTION = re.compile(
    r"[a-z]|prop_?[0-9]*|(?:weak_?|strong_?)?(?:until|releases?|next)|henceforth"
)


def parse(data: bytes, file: str, taken: Sequence[str] = ()) -> Scenario:
    """Return the scenario that a file's bytes describe.

    Args:
        data: the file's bytes.
        file: its name for messages.
        taken: names of scenarios that it may not have.

    Raises:
        ScenarioError: `FILE, line N: what is wrong; what would be right`, for the first thing found.
    """
    root = tree(data, file)
    schema.check(root, file)
    name = root.fields()["name"]
    if name.text() in taken:
        what = f"'{name.text()}' is the name of a built-in scenario"
        raise error(file, name.line, f"{what}; choose another one")
    return _Reader(file).scenario(root)


class _Reader:
    """Checks what a schema cannot say, part by part."""

    def __init__(self, file: str) -> None:
        self.file = file

    def error(self, line: int, message: str) -> ScenarioError:
        return error(self.file, line, message)

    def scenario(self, root: Node) -> Scenario:
        fields = root.fields()
        agents = [self._agent(node) for node in fields["agents"].items()]
        if len(set(agents)) < len(agents):
            raise self.error(fields["agents"].line, "an agent stands here twice; name each once")
        types = {name: self._type(name, node) for name, node in fields["types"].fields().items()}
        actions = {}
        lines: dict[tuple[str, int], int] = {}
        for name, node in fields["actions"].fields().items():
            if name in RESERVED_WORDS or _NO_ACTION.fullmatch(name):
                what = f"'{name}' means something else in formulas"
                raise self.error(fields["actions"].key_lines[name], f"{what}; use another name")
            actions[name] = self._action(name, node, types)
            for number, phrase in enumerate(node.fields()["phrases"].items()):
                lines[name, number] = phrase.line
        scenario = Scenario(fields["name"].text(), tuple(agents), types, actions)
        clash.check(scenario, self.file, lines)
        return scenario

    def _agent(self, node: Node) -> str:
        self._not_reserved(node.text(), node.line)
        if node.text().startswith("the "):
            raise self.error(node.line, "an agent has its article already; leave 'the' out")
        return node.text()

    def _not_reserved(self, text: str, line: int) -> None:
        for word in text.split(" "):
            if word in RESERVED_WORDS:
                what = f"{quoted(text)} has the word '{word}', which sentences are built from"
                raise self.error(line, f"{what}; use another word")

    def _type(self, name: str, node: Node) -> Type:
        fields = node.fields()
        article = fields["article"].text().replace("none", "")
        if "combine" in fields:
            values, lines = self._combined(fields["combine"])
            parts = tuple(
                tuple(word.text() for word in part.items()) for part in fields["combine"].items()
            )
        else:
            parts = ()
            values, lines = self._listed(fields["values"])
        self._distinct(name, values, lines)
        return Type(article, values, parts)

    def _listed(self, node: Node) -> tuple[dict[str, tuple[str, ...]], dict[str, list[int]]]:
        values, lines = {}, {}
        for canonical, surfaces in node.fields().items():
            self._not_reserved(canonical, node.key_lines[canonical])
            for surface in surfaces.items():
                self._surface(surface)
            values[canonical] = tuple(surface.text() for surface in surfaces.items())
            lines[canonical] = [surface.line for surface in surfaces.items()]
        return values, lines

    def _surface(self, node: Node) -> None:
        self._not_reserved(node.text(), node.line)
        if node.text().split(" ")[0] in ("the", "a", "an"):
            what = f"{quoted(node.text())} begins with an article"
            raise self.error(
                node.line, f"{what}; leave it out, the type's article stands before it"
            )

    def _combined(self, node: Node) -> tuple[dict[str, tuple[str, ...]], dict[str, list[int]]]:
        parts = [[word.text() for word in part.items()] for part in node.items()]
        count = 1
        for part in parts:
            count *= len(part)
        if count > MAX_VALUES:
            what = f"{count:,} combined values, more than {MAX_VALUES:,}"
            raise self.error(node.line, f"{what}; shorten the lists")
        for word in itertools.chain.from_iterable(part.items() for part in node.items()):
            self._not_reserved(word.text(), word.line)
        values: dict[str, tuple[str, ...]] = {}
        for words in itertools.product(*parts):
            surface = " ".join(words)
            canonical = "_".join(canonical_part(word) for word in words)
            if not _NAME.fullmatch(canonical) or surface.split(" ")[0] in ("the", "a", "an"):
                what = f"{quoted(surface)} gives no canonical name"
                raise self.error(node.line, f"{what}; begin with a letter, and with no article")
            if canonical in values:
                what = f"two combinations give '{canonical}'"
                raise self.error(node.line, f"{what}; make the parts differ")
            values[canonical] = (surface,)
        return values, {canonical: [node.line] for canonical in values}

    def _distinct(
        self, name: str, values: dict[str, tuple[str, ...]], lines: dict[str, list[int]]
    ) -> None:
        """Refuse a surface form that stands twice, or that fits two values to a careless eye."""
        exact: dict[str, tuple[str, int]] = {}
        loose: dict[str, tuple[str, str, int]] = {}
        for canonical, surfaces in values.items():
            for surface, line in zip(surfaces, lines[canonical], strict=True):
                if surface in exact:
                    other, first = exact[surface]
                    both = f"'{other}' (line {first}) and of '{canonical}' of type {name}"
                    what = f"{quoted(surface)} is a surface form of {both}"
                    raise self.error(line, f"{what}; keep one of the two")
                exact[surface] = canonical, line
                other, alike, first = loose.setdefault(key(surface), (canonical, surface, line))
                if other != canonical:
                    what = f"{quoted(surface)} of '{canonical}' and {quoted(alike)} of '{other}'"
                    how = f"(line {first}) differ only in 'the', a hyphen or a plural"
                    raise self.error(line, f"{what} {how}; make them differ more")

    def _action(self, name: str, node: Node, types: dict[str, Type]) -> Action:
        fields = node.fields()
        for argument in fields["arguments"].items():
            if argument.text() not in types:
                what = f"there is no type {quoted(argument.text())}"
                raise self.error(argument.line, f"{what}; {_one_of(types)}")
        action = Action(name, tuple(node.text() for node in fields["arguments"].items()), ())
        phrases = tuple(self._phrase(phrase, action, types) for phrase in fields["phrases"].items())
        return Action(name, action.arguments, phrases)

    def _phrase(self, node: Node, action: Action, types: dict[str, Type]) -> Phrase:
        parts = {"phrase": node} if isinstance(node.value, str) else node.fields()
        text = parts["phrase"].text()
        line = parts["phrase"].line
        self._slots(text, action, line)
        head, blank, rest = text.partition(" ")
        rest = blank + self._with_articles(rest, action, types, line)
        forms = [
            head,
            parts["ing"].text() if "ing" in parts else verb_forms.gerund(head),
            parts["s"].text() if "s" in parts else verb_forms.third(head),
        ]
        for form in forms:
            self._not_reserved(form + text[len(head) :], line)
        return Phrase(*(form + rest for form in forms))

    def _slots(self, text: str, action: Action, line: int) -> None:
        written = _SLOT.findall(text)
        for slot in written:
            if slot not in action.slots:
                what = f"{{{slot}}} is no argument of '{action.name}'"
                wanted = " and ".join(f"{{{name}}}" for name in action.slots) or "no argument"
                raise self.error(line, f"{what}; write {wanted}")
        for slot in action.slots:
            if written.count(slot) != 1:
                times = "is missing" if slot not in written else "stands twice"
                what = f"{{{slot}}} {times} in {quoted(text)}"
                raise self.error(line, f"{what}; every argument stands in a phrase exactly once")

    def _with_articles(self, rest: str, action: Action, types: dict[str, Type], line: int) -> str:
        """Number the arguments, put the articles before them."""
        words: list[str] = []
        for word in rest.split(" ") if rest else ():
            if word.startswith("{"):
                number = action.slots.index(word[1:-1])
                if types[action.arguments[number]].article:
                    if words and words[-1] in ("the", "a", "an"):
                        what = f"an article before {word}"
                        raise self.error(line, f"{what}; leave it out, the type's stands there")
                    words.append("the")
                word = f"{{{number}}}"
            words.append(word)
        return " ".join(words)


def canonical_part(word: str) -> str:
    """Return a part of a combined surface form as its canonical name has it."""
    return word.replace(" ", "_").replace("-", "_").replace("'", "")


def key(surface: str) -> str:
    """Return what a careless eye keeps of a surface form: no "the", no hyphen, no plural."""
    words = [word for word in surface.replace("-", " ").split(" ") if word != "the"]
    if words and words[-1].endswith("s") and not words[-1].endswith("ss") and len(words[-1]) > 3:
        words[-1] = words[-1][:-1]
    return " ".join(words)


def _one_of(names: Iterable[str]) -> str:
    known = ", ".join(itertools.islice(names, 20))
    return f"write one of {known}" if known else "write it under types first"
