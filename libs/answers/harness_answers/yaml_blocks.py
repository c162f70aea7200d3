"""Answers in blocks of YAML, as JSON: every value a text, no anchor, alias or tag, bounded before they are parsed."""

from __future__ import annotations

import json
import re
from typing import Any

import yaml

_MAX_BLOCK = 4_000  # characters, read in 40 ms
_BLOCK = re.compile(rf"```ya?ml[ \t]*\n(?P<said>[^`]{{1,{_MAX_BLOCK}}})```", re.IGNORECASE)
# Without quotation marks a negated formula would be a tag.
_NEGATED = re.compile(r"(?<=[:-] )(![^\n\"'#]{1,300}?)(?=[ \t]*$)", re.MULTILINE)


class _Loader(yaml.BaseLoader):
    """Reads texts, lists and mappings alone."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        event = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent) or event.anchor or event.tag:
            raise yaml.YAMLError("an anchor, an alias or a tag")
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        mapping = super().construct_mapping(node, deep)
        if len(mapping) < len(node.value):
            raise yaml.YAMLError("a key stands twice")
        return mapping


def with_json(text: str) -> str:
    """Return a text whose last block of YAML, if it is fenced, short and a mapping, stands as one of JSON."""
    blocks = list(_BLOCK.finditer(text)) if "```y" in text or "```Y" in text else []
    for block in blocks[-1:]:
        try:
            value = _Loader(_NEGATED.sub(r'"\1"', block["said"])).get_single_data()
        except (yaml.YAMLError, RecursionError, TypeError):
            return text
        if isinstance(value, dict):
            said = json.dumps(value, ensure_ascii=False)
            return f"{text[: block.start()]}```json\n{said}\n```{text[block.end() :]}"
    return text
