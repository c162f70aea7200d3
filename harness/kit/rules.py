"""What each conformance check demands, in one sentence; docs/conformance.md has a paragraph on each."""

from __future__ import annotations

PAGE = "docs/conformance.md"
LOADING = "loading"

RULES: dict[str, str] = {
    LOADING: "A benchmark is a module named by an entry point in the group `harness`, with describe() and the "
    "required hooks, each a plain function with its own signature.",
    "generate": "generate() returns an item for every index: no error, nothing else, and in time.",
    "describe": "Schemas are JSON Schemas, defaults and presets fit them, and there are two engines or more.",
    "schema": "Problems fit problem_schema, targets fit answer_schema, and every item has the features of groups.",
    "values": "A verdict has a known outcome and exactly the keys of values, all finite; a wrong choice is scored.",
    "roundtrip": "Items come back from JSON unchanged.",
    "order": "Item i is the same whichever items were made before it.",
    "processes": "Items and what about() says of them are the same in other processes under any PYTHONHASHSEED.",
    "about": "about() returns a JSON object or None, its warnings are strings, and it says the same again.",
    "seeds": "Other seeds and splits share no more problems than collision_rate declares, or chance brings.",
    "target": "The gold answer scores full marks, bare and as a last line `Answer: …`.",
    "junk": "Text without an answer is unparsed: it scores nothing, raises nothing, is judged within two seconds, "
    "and is never our failure.",
    "hedge": "Naming several answers is not answering.",
    "constants": "Two different constant answers are never both right, and none is right on every item.",
    "foreign": "The answer of another item is right only where it is equally good.",
    "prefixes": "An answer that is cut off does not score full marks.",
    "stages": "Of a strategy in stages each has something to ask, and the gold replies to all earn full marks.",
    "structure": "structure() returns a JSON Schema that Inspect takes, or None, and says the same again.",
    "formats": "render() returns a text or None for every format; a drawing is a well-formed SVG that does nothing.",
    "explain": "explain() returns a text or None, says the same again, and followed by the line `Answer: …` with the "
    "target it scores full marks.",
    "traces": "A trace is re-read without a finding and scores as right, and whatever is changed in it is found.",
    "leak": "The prompt neither scores as an answer, nor contains the target, nor tells it by the choices it names.",
    "read": "read() turns every prompt back into exactly its problem, and returns None for any other text.",
    "engines": "Every label is derived by two engines at least, and no engine contradicts it.",
    "certificates": "check() accepts every certificate, and none once the label or the evidence is changed.",
    "published": "What publish() writes is adopted as the same item, and no foreign record is taken for one.",
    "weaknesses": "audit() finds declared kinds only, says each in one line, the same again, and in time.",
    "readings": "Every question of readings() has two readings or more, and a confirmed label holds under one.",
    "golden": "The first items of a version never change: golden.json beside the module pins them.",
    "inspect": "Through a real Inspect run the symbolic reference scores 1.0 and a constant answer its floor.",
}  # fmt: skip


def link(check: str) -> str:
    """Return where a check is explained, from the root of the repository: ``docs/conformance.md#read``."""
    return f"{PAGE}#{check}"
