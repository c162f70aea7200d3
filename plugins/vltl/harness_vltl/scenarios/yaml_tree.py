"""From a YAML file to a tree whose nodes know their lines, with nothing constructed and all bounded.

Every scalar of a scenario is text, so all else (`no`, `12`, `~`) is an error here, with the remedy.
Anchors, aliases and tags are refused, nesting is bounded while the events are read, without recursion.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from harness_vltl.scenarios.model import ScenarioError

MAX_BYTES = 1_000_000
MAX_DEPTH = 8
MAX_NODES = 50_000

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_KINDS = {"bool": "a truth value", "int": "a number", "float": "a number", "timestamp": "a date"}


@dataclass(slots=True)
class Node:
    """A string, a list of nodes, or a dict of nodes, where it stands, and where the keys stand."""

    line: int
    value: str | list[Node] | dict[str, Node]
    key_lines: dict[str, int]

    def items(self) -> list[Node]:
        """Return the nodes of a list."""
        assert isinstance(self.value, list)
        return self.value

    def fields(self) -> dict[str, Node]:
        """Return the nodes of a mapping."""
        assert isinstance(self.value, dict)
        return self.value

    def text(self) -> str:
        """Return the text of a scalar."""
        assert isinstance(self.value, str)
        return self.value

    def plain(self) -> Any:
        """Return the same as JSON data; the depth was bounded when the tree was read."""
        if isinstance(self.value, str):
            return self.value
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        return {key: node.plain() for key, node in self.value.items()}


def error(file: str, line: int, message: str) -> ScenarioError:
    """Return an error in one line that says where."""
    file = file if file.isprintable() else repr(file)
    return ScenarioError(f"{file}, line {line}: {message}")


def quoted(text: str) -> str:
    """Return a text as a message quotes it: short, and in one line."""
    return repr(text if len(text) <= 60 else text[:57] + "...")


def read(path: str | Path) -> bytes:
    """Return the bytes of a file.

    Raises:
        ScenarioError: no such file, not a regular file, unreadable, or more than `MAX_BYTES`.
    """
    shown = str(path)
    try:
        if not Path(path).is_file():
            what = "is no regular file" if Path(path).exists() else "does not exist"
            raise error(shown, 1, f"the file {what}; give the path of a scenario in YAML")
        with Path(path).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as problem:  # ValueError: a null byte in the path
        reason = getattr(problem, "strerror", None) or str(problem)
        raise error(quoted(shown), 1, f"cannot be read ({reason}); give a readable file") from None
    if len(data) > MAX_BYTES:
        raise error(shown, 1, f"the file has more than {MAX_BYTES:,} bytes; make it smaller")
    return data


def tree(data: bytes, file: str) -> Node:
    """Return the tree of a YAML document.

    Raises:
        ScenarioError: with the line of the first thing that is no plain YAML of texts, lists and mappings.
    """
    text = _decoded(data, file)
    builder = _Builder(file)
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            builder.take(event)
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        what = " ".join((problem.problem or "it cannot be parsed").split())
        line = mark.line + 1 if mark else 1
        raise error(
            file, line, f"this is no YAML ({what}); mind indents and colons, quote texts with {{ }}"
        ) from None
    except yaml.YAMLError:
        raise error(file, 1, "this is no YAML; mind indents and colons") from None
    if builder.root is None:
        raise error(file, 1, "the file is empty; write name, agents, types and actions")
    return builder.root


def _decoded(data: bytes, file: str) -> str:
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        raise error(file, line, "a byte that is not UTF-8; save the file as UTF-8") from None
    if control := _CONTROL.search(text):
        line = text.count("\n", 0, control.start()) + 1
        raise error(file, line, f"the control character {control[0]!r}; take it out")
    return text


class _Builder:
    """Takes events one by one; `stack` holds the open lists and mappings, `keys` the key each waits with."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.root: Node | None = None
        self.stack: list[Node] = []
        self.keys: list[str | None] = []
        self.nodes = 0
        self.resolver: Any = yaml.SafeLoader("")

    def take(self, event: Any) -> None:
        line = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise error(
                self.file, line, "an anchor (&) or an alias (*); write things out, or quote them"
            )
        if isinstance(event, yaml.NodeEvent):
            self._node(event, line)
        elif isinstance(event, yaml.CollectionEndEvent):
            self.stack.pop()
            self.keys.pop()

    def _node(self, event: Any, line: int) -> None:
        if event.tag is not None:
            raise error(self.file, line, f"the tag {quoted(event.tag)}; leave tags (!) out")
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise error(self.file, line, f"more than {MAX_NODES:,} entries; make the file smaller")
        if isinstance(event, yaml.ScalarEvent):
            self._put(Node(line, self._scalar(event, line), {}))
            return
        if len(self.stack) >= MAX_DEPTH:
            raise error(self.file, line, f"nested more than {MAX_DEPTH} deep; no scenario needs it")
        mapping = isinstance(event, yaml.MappingStartEvent)
        node = Node(line, {} if mapping else [], {})
        self._put(node)
        self.stack.append(node)
        self.keys.append(None)

    def _scalar(self, event: Any, line: int) -> str:
        tag = self.resolver.resolve(yaml.ScalarNode, event.value, event.implicit)
        kind = tag.rpartition(":")[2]
        if kind == "null":
            raise error(self.file, line, "nothing stands here; write a value, or take the key out")
        if kind != "str":
            what = f"{_KINDS.get(kind, 'not text')} to YAML"
            remedy = f'put it into quotes: "{event.value[:40]}"'
            raise error(self.file, line, f"{quoted(event.value)} is {what}; {remedy}")
        return str(event.value)

    def _put(self, node: Node) -> None:
        if not self.stack:
            if self.root is not None:
                raise error(self.file, node.line, "a second document; keep to one, without '---'")
            self.root = node
            return
        top = self.stack[-1]
        if isinstance(top.value, list):
            top.value.append(node)
        elif self.keys[-1] is None:
            self.keys[-1] = self._key(node, top)
        else:
            assert isinstance(top.value, dict)
            top.value[self.keys[-1]] = node
            self.keys[-1] = None

    def _key(self, node: Node, mapping: Node) -> str:
        if not isinstance(node.value, str):
            raise error(self.file, node.line, "a key that is a list or mapping; write a word")
        if node.value in mapping.key_lines:
            first = mapping.key_lines[node.value]
            what = f"{quoted(node.value)} stands here again, after line {first}"
            raise error(self.file, node.line, f"{what}; keep one of the two")
        mapping.key_lines[node.value] = node.line
        return node.value
