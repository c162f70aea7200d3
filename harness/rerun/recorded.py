"""Answers produced elsewhere in the place of a model's: matched to items by id, and put into samples."""

from __future__ import annotations

import re
import shutil
import sqlite3
import tempfile
import weakref
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness_errors import EngineError, SpecError, UnansweredError
from inspect_ai import Task
from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessageUser, Model, ModelAPI, ModelOutput, get_model, modelapi
from inspect_ai.solver import Generate, Solver, TaskState, solver

from harness.core.facts import printable
from harness.core.feature_hooks import Warn
from harness.core.items import Item, sample_ids
from harness.core.plugins import registry
from harness.core.spec import Spec, checksum
from harness.datasets import files, reading
from harness.datasets.export_items import Told
from harness.rerun import logs
from harness.rerun.responses import Reply, Source, is_log
from harness.run import evaluation
from harness.run.compat import PrerequisiteError
from harness.run.draft import Draft
from harness.run.metrics import registered
from harness.run.results import cause_of

PROVIDER = "recorded"
EXAMPLES = 5  # of each kind of finding, kept to be shown
KINDS = ("missing", "unknown", "duplicate", "ambiguous", "mismatched", "unreadable")


@modelapi(name=PROVIDER)
class RecordedAPI(ModelAPI):
    """The name of who gave recorded answers (``recorded/openai/gpt-5``): it is never asked anything."""

    async def generate(self, *_: Any, **__: Any) -> ModelOutput:
        """Refuse: there is nobody to ask."""
        raise PrerequisiteError(f"{PROVIDER}/{self.model_name} names recorded answers, not a model")


def model_of(label: str) -> Model:
    """Return the model that stands for recorded answers in a log.

    Raises:
        SpecError: a label that cannot be shown.
    """
    name = label.removeprefix(f"{PROVIDER}/")
    if not name.isprintable() or not name.strip() or len(name) > 200:
        raise SpecError("model= has to be a name of at most 200 printable characters")
    return get_model(f"{PROVIDER}/{name}", memoize=False)


def label_of(path: Path) -> str:
    """Return the model's name where none is given: the log's own, else the file's name."""
    if is_log(path):
        return logs.header(path).eval.model
    return re.sub(r"[^\w.+-]+", "_", path.stem) or "unnamed"


def _data(findings: Mapping[str, Told]) -> dict[str, Any]:
    """Return how many ids (or records) of each kind there are, and the first of them, as JSON data."""
    return {
        kind: {"count": told.count, "examples": list(map(printable, told.first))}
        for kind, told in findings.items()
    }


class Recorded:
    """The answers to some items, each with the one item whose id it carries.

    Ids are compared as text, with `Item.id` (or the id of the sample) and with the record's own
    id, ``notes["source_id"]``: nothing is trimmed, padded or converted. An answer is used if its id
    belongs to one item only, came no more often than ``per_item``, and does not come with the text of
    another question. The texts lie in a temporary database.

    Raises:
        DatasetError: the file is no file of answers.
        UnansweredError: it holds none to these items.
    """

    def __init__(
        self,
        items: Sequence[Item],
        source: Source,
        per_item: int = 1,
        others: frozenset[str] | None = None,
    ) -> None:
        self.source, self.per_item, self._others = source, per_item, others
        self.read = self.empty = 0
        self.findings = {kind: Told(EXAMPLES) for kind in KINDS}
        self.silent: Counter[str] = Counter()  # answers that a record says there are none of
        # Private, on disk, and gone with the connection.
        self._texts = sqlite3.connect("", check_same_thread=False)
        weakref.finalize(self, self._texts.close)
        columns = "id TEXT, number INT, text TEXT, PRIMARY KEY (id, number)"
        self._texts.execute(f"CREATE TABLE said ({columns})")
        self.samples = samples = dict(zip(sample_ids(list(items)), items, strict=True))
        self._owners = _owners(samples)
        self._prompts = {sample_id: _squeezed(item.prompt) for sample_id, item in samples.items()}
        self._counts: Counter[str] = Counter()
        self._duplicates: set[str] = set()
        for reply in source.replies():
            if not self._is_others(reply):
                self._take(reply)
        self.answered = self._answered()
        if not self.answered:
            raise UnansweredError(self._nothing())

    def _is_others(self, reply: Reply) -> bool:
        """Return whether a record is not this shard's affair: another's, or (`Ownerless`) nobody's."""
        if self._others is None:
            return False
        is_known = reply.error is None and reply.id in self._owners
        return not is_known or reply.id in self._others

    def _take(self, reply: Reply) -> None:
        self.read += 1
        owners = self._owners.get(reply.id, ())
        if _is_nobodys(reply, len(owners), self.findings):
            return
        (sample_id,) = owners
        asked, prompt = self._prompts[sample_id], _squeezed(reply.prompt or "")
        # More or less than the prompt may be what was asked, but no other.
        if prompt not in asked and asked not in prompt:
            self.findings["mismatched"].add(f"'{reply.id[:80]}' ({reply.where})")
            return
        if reply.text is None:
            self.silent[sample_id] += 1
        elif self._counts[sample_id] >= self.per_item:
            self._duplicates.add(sample_id)
            self.findings["duplicate"].add(f"'{reply.id[:80]}' ({reply.where})")
        else:
            self._counts[sample_id] += 1
            # Half a character (a lone surrogate) is no text that a log could hold.
            text = reply.text.encode("utf-8", "replace").decode()
            row = (sample_id, self._counts[sample_id], text)
            self._texts.execute("INSERT INTO said VALUES (?, ?, ?)", row)

    def _answered(self) -> dict[str, Item]:
        """Return the items that have all their answers, by sample id; note the others as missing."""
        answered = {}
        for sample_id, item in self.samples.items():
            if sample_id in self._duplicates:
                continue
            if self._counts[sample_id] < self.per_item:
                self.findings["missing"].add(self._lacking(sample_id, item))
                continue
            answered[sample_id] = item
            self.empty += sum(not self.text(sample_id, n + 1).strip() for n in range(self.per_item))
        return answered

    def _lacking(self, sample_id: str, item: Item) -> str:
        name = str(item.notes.get("source_id", "")) or sample_id
        if self._counts[sample_id]:
            return f"'{name}' ({self._counts[sample_id]} of {self.per_item} answers)"
        return f"'{name}'" + (" (its record holds null)" if self.silent[sample_id] else "")

    def _nothing(self) -> str:
        path = self.source.path
        if not self.read:
            return f"{path}: there are no responses in it"
        counts = ", ".join(f"{f.count} {kind}" for kind, f in self.findings.items() if f.count)
        head = f"{path}: none of its {self.read} records is the answer to an item ({counts})"
        if self.findings["mismatched"].count:
            column = self.source.columns["prompt"]
            return (
                f"{head}: what '{column}' says was asked is not what the items with the same ids ask; "
                "are they answers to another dataset?"
            )
        if self.findings["unreadable"].count == self.read:
            return f"{head}; the first: {printable(self.findings['unreadable'].first[0])}"
        if self._duplicates:
            return f"{head}; say how many answers an item has: epochs= if each counts, samples= if they vote"
        item = next(iter(self.samples.values()))
        known = [str(item.notes.get("source_id", "")), item.id]
        shown = " or ".join(f"'{name}'" for name in known if name)
        first = self.findings["unknown"].first[:1]
        hint = f", and a record has {printable(first[0])}" if first else ""
        return f"{head}; the first item's id is {shown}{hint}"

    def text(self, sample_id: str, number: int = 1) -> str:
        """Return an answer to a sample, the first, second, … of its ``per_item``."""
        row = self._texts.execute(
            "SELECT text FROM said WHERE id = ? AND number = ?", (sample_id, number)
        ).fetchone()
        return str(row[0]) if row else ""

    def summary(self) -> dict[str, Any]:
        """Return what was read and what of it is used, as JSON data (see docs/json.md)."""
        path = self.source.path
        labels = (self.text(name).strip() == item.target for name, item in self.answered.items())
        return {
            "file": str(path),
            "sha256": checksum(path),
            "columns": self.source.columns,
            "guessed": list(self.source.guessed),
            "records": self.read,
            "items": len(self.samples),
            "scored": len(self.answered),
            "empty": self.empty,
            # As in a column of labels.
            "labels_only": len(self.answered) > 1 and all(labels),
            **_data(self.findings),
        }

    def solver(self) -> Solver:
        """Return the solver that puts each stored answer where a model's would be."""

        @solver(name=registered(PROVIDER))
        def recorded() -> Solver:
            async def solve(state: TaskState, generate: Generate) -> TaskState:
                text = self.text(str(state.sample_id), state.epoch)
                state.output = ModelOutput.from_content(str(state.model), text)
                state.messages = [ChatMessageUser(content=state.input_text), state.output.message]
                return state

            return solve

        return recorded()


def prepare(draft: Draft) -> None:
    """Put the answers that a spec names in the place of a model's; raises as `Recorded` does."""
    spec, items = draft.spec, draft.items
    source = Source(Path(spec.responses), spec.id, spec.response)
    answers = Recorded(items, source, draft.answers, _others(spec, items) if spec.shard else None)
    draft.samples = [sample for sample in draft.samples if sample.id in answers.answered]
    draft.items = [answers.answered[str(sample.id)] for sample in draft.samples]
    draft.solver = answers.solver()
    draft.facts |= {"strategy": PROVIDER, "responses": answers.summary()}


def evaluate(spec: Spec, task: Task, model: Model, facts: Mapping[str, Any], warn: Warn) -> EvalLog:
    """Score recorded answers into a log that is in its place only when it is whole.

    Raises:
        EngineError: Inspect could not run the task at all.
    """
    settings = evaluation.settings_of(spec, task) | evaluation.QUICK
    with tempfile.TemporaryDirectory(prefix="harness-") as aside:
        log = evaluation.evaluated(task, model, Path(aside), metadata=dict(facts), **settings)
        if log.status == "error":
            raise EngineError(f"the answers could not be scored: {cause_of(log)}")
        written = Path(log.location.removeprefix("file://"))
        place = Path(spec.log_dir) / written.name
        with files.aside(place) as partial:
            shutil.copyfile(written, partial)
        return logs.header(place)


def _others(spec: Spec, items: Sequence[Item]) -> frozenset[str]:
    """Return the ids that answers to the items of other shards may carry."""
    own_ids = {item.id for item in items}
    ids: set[str] = set()
    for record in reading.records(registry().get(spec.plugin), spec):
        if isinstance(record, Item) and record.id not in own_ids:
            ids |= names(record)
    return frozenset(ids)


def ownerless(spec: Spec, known: Mapping[str, int]) -> dict[str, Any]:
    """Return what no shard tells of: how many records there are, and findings about those that are no item's.

    ``known`` says of each id to how many items it belongs.
    """
    source = Source(Path(spec.responses), spec.id, spec.response)
    findings = {kind: Told(EXAMPLES) for kind in ("unreadable", "unknown", "ambiguous")}
    read = 0
    for reply in source.replies():
        read += 1
        _is_nobodys(reply, known.get(reply.id, 0), findings)
    return {"records": read, **_data(findings)}


def _is_nobodys(reply: Reply, owners: int, findings: Mapping[str, Told]) -> bool:
    """Note and tell whether a record is no one item's; ``owners``: how many items have its id."""
    if reply.error is not None:
        findings["unreadable"].add(str(reply.error))
    elif owners != 1:
        kind = "ambiguous" if owners else "unknown"
        findings[kind].add(f"'{reply.id[:80]}' ({reply.where})")
    return reply.error is not None or owners != 1


def names(item: Item, sample_id: str = "") -> set[str]:
    """Return the ids that an answer to an item may carry; ``own`` is that of its sample, if another."""
    return {sample_id or item.id, str(item.notes.get("source_id", ""))} - {""}


def _owners(samples: dict[str, Item]) -> dict[str, tuple[str, ...]]:
    """Return the samples that each id may stand for; more than one, and it stands for none."""
    owners: dict[str, tuple[str, ...]] = {}
    for sample_id, item in samples.items():
        # The second of two equal items is known by its sample's id alone ("…-2").
        for name in names(item, sample_id):
            owners[name] = (*owners.get(name, ()), sample_id)
    return owners


def _squeezed(text: str) -> str:
    return " ".join(text.split())
