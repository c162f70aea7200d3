"""Audit a dataset: re-derive every label with every engine, and report what is wrong (docs/audits.md)."""

from __future__ import annotations

import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import harness_guard
import harness_proof
from harness_errors import Abstained, DatasetError, HarnessError, OutputError, SpecError

from harness.audit import item as audit_item
from harness.audit import report, shortcuts
from harness.audit.findings import (
    KINDS,
    WEAK,
    At,
    Constants,
    Duplicates,
    Findings,
    Labels,
    Readings,
    Seen,
)
from harness.audit.item import ENGINE, from_prompt, noted, short
from harness.audit.writers import CorrectedDataset
from harness.cli.command import Found, one_spec
from harness.core import fresh, provenance
from harness.core.facts import printable
from harness.core.feature_hooks import Warn
from harness.core.items import Item
from harness.core.plugins import Plugin, one_line
from harness.core.spec import Spec
from harness.datasets import engines, reading
from harness.datasets.engines import Engine
from harness.datasets.plugin import check_reading
from harness.datasets.proofs import OUTCOMES
from harness.datasets.reading import Entry, Reasons

SECONDS = 30  # for an item, and for each of its parts where the item took longer
MEMORY_MB = 2048  # for an item
SHOWN = 1000  # findings in the result; audit.json holds all
STATES = ("agree", "wrong", "undecided", "unscored")
RECORD = "the record"
"""How the record itself is called among what contradicts a label."""
OPINIONS = ("agree", "contradict", "abstain", "fail", "unscored")


def audit(plugin: Plugin, spec: Spec) -> dict[str, Any]:
    """Audit all items of a spec, fresh or from a dataset; write what ``report=`` and ``corrected=`` ask for.

    An item is ``wrong`` when an engine, or its own record, contradicts its label, ``agree`` when engines
    agree and none contradicts, ``unscored`` when none does and the score hook failed, else ``undecided``.

    Returns:
        The summary and the gravest `SHOWN` findings (docs/audits.md); ``grave`` counts the findings
        that say that something is not true, or that an item does not measure what it claims.

    Raises `DatasetError`: the file as a whole cannot be read, or no record of it can be understood; `OutputError`:
    ``corrected=`` exists or something cannot be written; `SpecError`: ``corrected=`` without a dataset, or with
    ``n=``.
    """
    if spec.corrected and not spec.dataset:
        raise SpecError("corrected= writes a corrected dataset, and there is no dataset=")
    if spec.corrected and spec.n is not None:
        raise SpecError(
            "corrected= does not go with n=: the corrected dataset would lack the other records"
        )
    try:
        return _audit(plugin, spec)
    except (sqlite3.Error, OSError) as error:
        where, why = tempfile.gettempdir(), one_line(error)
        raise OutputError(f"the audit's temporary files in {where} failed: {why}") from None


def _audit(plugin: Plugin, spec: Spec) -> dict[str, Any]:
    folder, own = report.folder_of(spec), plugin.shortcuts()
    with ExitStack() as stack:
        corrected: CorrectedDataset | None = None
        if spec.corrected:
            corrected = CorrectedDataset(plugin, Path(spec.dataset), Path(spec.corrected), stack)
        if folder is not None:
            report.prepare(folder, stack)
        engine = stack.enter_context(engines.chosen(spec.options, shared=True))
        temporary = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="harness-audit-")))
        audit, parts = Audit(plugin, temporary, stack), audit_item.parts_of(plugin)

        def look(entry: Entry) -> dict[str, Any]:
            return {} if entry.item is None else examine(plugin, entry.item, parts, engine)

        if spec.dataset is not None:
            entries = reading.entries(plugin, spec)
        else:
            items = enumerate(fresh.items(plugin, spec))
            entries = (Entry(f"item {number}", item=item) for number, item in items)
        looked = engines.ordered(look, entries, engine.workers)
        for position, (entry, examined) in enumerate(looked):
            derived = audit.entry(position, entry, examined)
            if corrected is not None:
                corrected.entry(entry, derived)
        audit.must_be_understood(spec.dataset)
        summary = {
            "plugin": plugin.benchmark.name,
            "version": plugin.benchmark.version,
            "versions": provenance.versions(plugin),
            "dataset": spec.dataset,
            "config": dict(spec.shown),
            **audit.summary(),
            "shortcuts": shortcuts.won(plugin, own, audit.sample.items, engine),
        }
        if corrected is not None:
            summary |= corrected.commit()
        written = None if folder is None else report.write(folder, summary, audit.findings)
        return {**summary, "report": written, "findings": list(audit.findings.gravest(SHOWN))}


def examine(plugin: Plugin, item: Item, parts: list[str], engine: Engine) -> dict[str, Any]:
    """Return what `audit_item.examine` says of an item; parts that cost the worker its life say so."""
    name, data = plugin.benchmark.name, item.to_dict()

    def call(chosen: list[str]) -> dict[str, Any]:
        request = ("harness.audit.item:examine", name, data, chosen)
        return dict(engine.call(*request, seconds=SECONDS, memory_mb=MEMORY_MB))

    with suppress(HarnessError):
        return call(parts)
    results: dict[str, Any] = {}
    for part in parts:
        try:
            results |= call([part])
        except Abstained as error:
            results[part] = {"opinion": "abstain", "message": str(error)}
        except HarnessError as error:
            results[part] = {"error": str(error)}
        if "schema" in results:
            break
    return results


class Audit:
    """Everything one audit counts and finds; what grows with the dataset lies in ``folder``."""

    def __init__(self, plugin: Plugin, folder: Path, stack: ExitStack) -> None:
        self.plugin = plugin
        self.findings = stack.enter_context(closing(Findings(folder / "findings.sqlite")))
        self.records = 0
        self._first: HarnessError | None = None  # why the first record could not be understood
        self.states = dict.fromkeys(STATES, 0)
        self.engines = {n: dict.fromkeys(OPINIONS, 0) for n in plugin.benchmark.engines}
        self.prompts = {"same": 0, "other": 0, "nothing": 0, "failed": 0}
        self.formats: Counter[str] = Counter()
        self.weaknesses: Counter[str] = Counter()
        self.proofs = dict.fromkeys(OUTCOMES if plugin.has("prove") else (), 0)
        self.undecided = Reasons()
        self.reasons = {kind: Reasons() for kind in ("unreadable", "declined")}
        self.wrong_by: Counter[str] = Counter()
        seen = stack.enter_context(closing(Seen(folder / "seen.sqlite")))
        self.duplicates = Duplicates(seen, self._same)
        self.labels, self.readings, self.constants = Labels(seen), Readings(), Constants()
        self.sample = shortcuts.Sample()

    def entry(
        self, position: int, entry: Entry, examined: Mapping[str, Any]
    ) -> dict[str, Any] | None:
        """Take in one record; return the opinion that two engines share where the label is wrong."""
        self.records += 1
        if entry.item is None:
            message = _without_place(entry.where, entry.error)
            self._first = self._first or entry.error
            kind = "declined" if isinstance(entry.error, Abstained) else "unreadable"
            self.findings.add(position, entry.where, None, kind, message)
            self.reasons[kind].add(message)
            return None
        at = At(self.findings, position, entry.where, entry.item)
        if entry.error is not None:
            at.note("id", _without_place(entry.where, entry.error))
        self.formats[str(entry.item.notes.get("format") or "items of our own")] += 1
        self.duplicates.item(at)
        self.labels.item(entry.item)
        for text in noted(entry.item, "findings"):
            at.note("record", text)
        against = noted(entry.item, "wrong")
        if "schema" in examined:
            if self._decided(at, "undecided", against, "") == "undecided":
                self.undecided.add(str(examined["schema"]))
            at.note("schema", str(examined["schema"]))
            return None
        self.sample.add(position, entry.item)
        derived = self._label(at, examined, against)
        self._prompt(at, examined["prompt"])
        self._rest(at, examined, against)
        return derived

    def must_be_understood(self, dataset: str | None) -> None:
        """Raise where records were read and not one was understood: nothing can be said of such a file."""
        if self._first is not None and not sum(self.states.values()):
            count = f"none of its {self.records} records can"
            count = "its only record cannot" if self.records == 1 else count
            first = printable(str(self._first))
            raise DatasetError(f"{dataset}: {count} be understood; the first: {first}")

    def _decided(self, at: At, state: str, against: list[str], right: str) -> str:
        """Count an item's label, which is wrong if the record speaks against it; return what it counts as."""
        state = "wrong" if against else state
        self.states[state] += 1
        if against:
            self.wrong_by[RECORD] += 1
            message = f"label {short(at.item.target)} cannot be right: {against[0]}{right}"
            at.note("label", message, label=at.item.target, evidence="\n".join(against))
        return state

    def _label(
        self, at: At, examined: Mapping[str, Any], against: list[str]
    ) -> dict[str, Any] | None:
        opinions = {name: dict(examined[ENGINE + name]) for name in self.engines}
        for name, opinion in opinions.items():
            if "error" in opinion:
                opinions[name] = opinion = {"opinion": "fail", "message": opinion["error"]}
            self.engines[name][opinion["opinion"]] += 1
            if opinion["opinion"] in ("fail", "unscored"):
                kind = "engine" if opinion["opinion"] == "fail" else "unscored"
                at.note(kind, _under_name(name, opinion))
        held = {opinion["opinion"] for opinion in opinions.values()}
        if "contradict" in held:
            self.states["wrong"] += 1
            return self._wrong(at, opinions, against)
        state = next((s for s in ("agree", "unscored") if s in held), "undecided")
        agree = ", ".join(n for n, opinion in opinions.items() if opinion["opinion"] == "agree")
        right = f"; the label is right by {agree}" if agree else ""
        if self._decided(at, state, against, right) == "undecided":
            why = "; ".join(_under_name(name, opinion) for name, opinion in opinions.items())
            at.note("undecided", f"no engine could decide the item ({why})")
            said = {str(o["message"]).removeprefix(f"{n}: ") for n, o in opinions.items()}
            self.undecided.add(said.pop() if len(said) == 1 else why)
        return None

    def _wrong(
        self, at: At, opinions: Mapping[str, dict[str, Any]], record: list[str]
    ) -> dict[str, Any] | None:
        """Note a wrong label; return the first engine's opinion where a second shares it."""
        against = [name for name, opinion in opinions.items() if opinion["opinion"] == "contradict"]
        deciding = [name for name, opinion in opinions.items() if "answer" in opinion]
        engines = "every engine" if len(against) == len(opinions) > 1 else ", ".join(against)
        self.wrong_by[f"{engines} and {RECORD}" if record else engines] += 1
        first = opinions[against[0]]
        shared = [n for n in against if self._same(at.item, first["answer"], opinions[n]["answer"])]
        message = f"label {short(at.item.target)}, {against[0]} derives {short(first['answer'])}"
        others = {
            "so does": [n for n in shared if n != against[0]],
            "otherwise": [n for n in against if n not in shared],
            "the label is right by": [n for n in opinions if opinions[n]["opinion"] == "agree"],
        }
        message += "".join(f"; {words} {', '.join(n)}" for words, n in others.items() if n)
        at.note("label", message, label=at.item.target, derived=first["answer"],
                engines=shared, evidence="\n".join([*record, first["evidence"]]))  # fmt: skip
        # The first two that decided at all, not any two of three.
        if len(deciding) < 2 or deciding[:2] != shared[:2]:
            return None
        return {**first, "engines": shared}

    def _same(self, item: Item, label: str, other: str) -> bool:
        """Return whether two labels of an item mean the same; False where that cannot be found out."""
        if label == other:
            return True
        name = self.plugin.benchmark.name
        call = ("harness.audit.item:same", name, item.to_dict(), label, other)
        try:
            return bool(harness_guard.call(*call, seconds=SECONDS))
        except HarnessError:
            return False

    def _prompt(self, at: At, result: Mapping[str, Any]) -> None:
        reads = result.get("reads", "failed")
        self.prompts[reads] += 1
        if reads == "other":
            message = f"the prompt states another problem ({result['differs']})"
            at.note("prompt", message, evidence=from_prompt(at.item, result["engines"]))
        elif reads == "failed":
            at.note("hook", f"read: {result['error']}")
        elif reads == "nothing":
            ours = at.item.version == self.plugin.benchmark.version
            at.note("prompt" if ours else "unread", "the prompt cannot be read back into a problem")

    def _rest(self, at: At, examined: Mapping[str, Any], against: list[str]) -> None:
        """Take in the parts that are lists and tables; each may have failed."""
        opinions = [examined[ENGINE + name].get("opinion") for name in self.engines]
        wrong, impossible = "contradict" in opinions, bool(against)
        takers: dict[str, Callable[[Any], None]] = {
            "certificate": lambda result: at.note("certificate", result[0]),
            "proof": lambda result: self._proved(at, result, wrong or impossible),
            "audit": lambda result: self._weak(at, result),
            "readings": lambda result: self.readings.item(at.where, result, wrong, impossible),
            "constants": self.constants.item,
        }
        for part, take in takers.items():
            result = examined.get(part)
            if isinstance(result, Mapping) and set(result) == {"error"}:
                at.note("hook", f"{part}: {result['error']}")
            elif result and not (part == "certificate" and impossible):  # it would say so once more
                take(result)

    def _proved(self, at: At, proof: Mapping[str, str], wrong: bool) -> None:
        self.proofs[proof["outcome"]] += 1
        if proof["outcome"] == harness_proof.REFUTED and not wrong:
            at.note("certificate", f"the proof of the label is refuted: {proof['why']}")

    def _weak(self, at: At, weaknesses: Iterable[Mapping[str, str]]) -> None:
        self.weaknesses.update({weakness["kind"] for weakness in weaknesses})
        for weakness in weaknesses:
            level = self.plugin.benchmark.weaknesses[weakness["kind"]].level
            at.note(WEAK[level], weakness["message"], weakness=weakness["kind"])

    def summary(self) -> dict[str, Any]:
        """Return all counts as JSON data."""
        kinds = self.findings.kinds
        return {
            "records": self.records,
            "items": sum(self.states.values()),
            **self.states,
            **{kind: kinds[kind] for kind in self.reasons},
            "unreadable_reasons": self.reasons["unreadable"].summary(),
            "declined_reasons": self.reasons["declined"].examples(),
            "wrong_by": dict(self.wrong_by.most_common()),
            "undecided_reasons": self.undecided.examples(),
            "formats": dict(self.formats),
            "engines": self.engines,
            "prompts": self.prompts,
            "proofs": self.proofs,
            "duplicates": self.duplicates.counts,
            "weaknesses": {
                kind: {"items": self.weaknesses[kind], **asdict(weakness)}
                for kind, weakness in self.plugin.benchmark.weaknesses.items()
            },
            "readings": self.readings.summary(),
            "labels": self.labels.summary(),
            "constants": self.constants.summary(),
            "kinds": {kind: kinds[kind] for kind in KINDS if kinds[kind]},
            "findings_total": self.findings.total,
            "grave": self.findings.grave,
        }


def _without_place(where: str, error: HarnessError | None) -> str:
    return str(error).removeprefix(f"{where}: ")


def _under_name(engine: str, opinion: Mapping[str, Any]) -> str:
    """Return an engine's message under its name, which it may have put there itself."""
    return f"{engine}: {str(opinion['message']).removeprefix(f'{engine}: ')}"


def command(words: Sequence[str], warn: Warn) -> Found:
    """Run ``harness verify``; it fails where something grave is found."""
    spec, plugin = one_spec(words, "verify")
    check_reading(spec)
    report = audit(plugin, spec)
    return report, int(bool(report["grave"]))
