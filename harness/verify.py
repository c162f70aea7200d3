"""Re-derive every label with every engine, and hold items against their own certificates."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from harness import dataset, guard
from harness.errors import Abstained, HarnessError
from harness.items import Item, canonical_json
from harness.plugins import Plugin
from harness.spec import Spec, schema_errors

SECONDS = 30
MAX_FINDINGS = 1000


def verify(plugin: Plugin, spec: Spec) -> dict[str, Any]:
    """Return the report on all items of a spec, fresh or from a dataset (see docs/json.md).

    An item counts as ``wrong`` when an engine contradicts its label, as ``undecided`` when
    no engine could decide it, else as ``agree``. Anything else amiss (certificate, prompt,
    schema, unreadable record, an engine that failed) is a finding.
    """
    report = Report(plugin)
    source: Iterable[Item | HarnessError] = (
        dataset.records(plugin, spec) if spec.dataset else dataset.fresh(plugin, spec)
    )
    for position, found in enumerate(source):
        if isinstance(found, HarnessError):
            report.note(position, "", "unreadable", str(found))
        else:
            report.item(position, found)
    return report.summary()


class Report:
    """Counts and findings of one verification."""

    def __init__(self, plugin: Plugin) -> None:
        self.plugin = plugin
        self.counts = {"items": 0, "agree": 0, "wrong": 0, "undecided": 0, "unreadable": 0}
        names = plugin.benchmark.engines
        self.engines = {n: {"agree": 0, "contradict": 0, "abstain": 0, "fail": 0} for n in names}
        self.findings: list[dict[str, Any]] = []
        self.total_findings = 0

    def note(self, position: int, item_id: str, kind: str, message: str) -> None:
        """Add a finding; `MAX_FINDINGS` are kept in full, all are counted."""
        self.total_findings += 1
        if kind == "unreadable":
            self.counts["unreadable"] += 1
        if len(self.findings) < MAX_FINDINGS:
            entry = {"position": position, "id": item_id, "kind": kind, "message": message}
            self.findings.append(entry)

    def item(self, position: int, item: Item) -> None:
        """Verify one item: schema, prompt, certificate, and its label by every engine."""
        self.counts["items"] += 1
        for message in [*schema_errors(self.plugin.benchmark.problem_schema, item.problem)][:1]:
            self.note(position, item.id, "schema", message)
            self.counts["undecided"] += 1
            return
        self._prompt(position, item)
        self._certificate(position, item)
        opinions = {name: self._ask(position, item, name) for name in self.engines}
        if "contradict" in opinions.values():
            self.counts["wrong"] += 1
        elif "agree" in opinions.values():
            self.counts["agree"] += 1
        else:
            self.counts["undecided"] += 1
            self.note(position, item.id, "undecided", "no engine could decide the item")

    def _prompt(self, position: int, item: Item) -> None:
        for text in item.notes.get("findings", []):
            self.note(position, item.id, "prompt", str(text))
        if item.notes.get("findings"):
            return
        try:
            problem = self.plugin.call("read", prompt=item.prompt)
        except HarnessError as error:
            self.note(position, item.id, "prompt", str(error))
            return
        if problem is None:
            self.note(position, item.id, "prompt", "the prompt cannot be read back into a problem")
        elif canonical_json(problem) != canonical_json(item.problem):
            self.note(position, item.id, "prompt", "the prompt states another problem")

    def _certificate(self, position: int, item: Item) -> None:
        if item.certificate is None:
            # A published record never had one; an item of ours without it was tampered with.
            if item.version == self.plugin.benchmark.version:
                self.note(position, item.id, "certificate", "the item has no certificate")
            return
        try:
            messages = self.plugin.call("check", item=item)
        except HarnessError as error:
            messages = [str(error)]
        for message in messages[:1]:
            self.note(position, item.id, "certificate", message)

    def _ask(self, position: int, item: Item, engine: str) -> str:
        try:
            found = guard.call(
                "harness.reference:solve", item.plugin, item.problem, engine, seconds=SECONDS
            )
        except Abstained:
            opinion = "abstain"
        except HarnessError as error:
            opinion = "fail"
            self.note(position, item.id, "engine", f"{engine}: {error}")
        else:
            opinion = self._judge(position, item, engine, found)
        self.engines[engine][opinion] += 1
        return opinion

    def _judge(self, position: int, item: Item, engine: str, found: dict[str, Any]) -> str:
        """An engine agrees with a label when its answer scores 1 against it."""
        completion = f"Answer: {found['answer']}"
        verdict = self.plugin.call("score", item=item, completion=completion)
        benchmark = self.plugin.benchmark
        key = benchmark.agreement or benchmark.values[0]
        if verdict.outcome == "scored" and verdict.value[key] == 1:
            return "agree"
        evidence = canonical_json(found["certificate"])[:300]
        message = f"label {item.target}, {engine} derives {found['answer']}; evidence {evidence}"
        self.note(position, item.id, "label", message)
        return "contradict"

    def summary(self) -> dict[str, Any]:
        """Return the report as JSON data."""
        return {
            "plugin": self.plugin.benchmark.name,
            **self.counts,
            "engines": self.engines,
            "findings": self.findings,
            "findings_total": self.total_findings,
        }
