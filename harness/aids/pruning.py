"""Items that a model was asked about before they are used: those that read badly are left out.

Every decision is kept in a file and read from there again, so that none is paid for twice.
"""

from __future__ import annotations

import json
import re
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import IO, Any

import anyio
from harness_errors import EngineError, ExhaustedError, HarnessError, OutputError, PluginError
from inspect_ai.model import GenerateConfig, Model

from harness.core import fresh
from harness.core.items import Item
from harness.core.plugins import Plugin
from harness.core.spec import Spec
from harness.datasets import dataset, event_loops
from harness.run import models

BATCH = 100  # items asked about before the next ones are drawn, and written
CONNECTIONS = 10
MAX_ANSWER = 10_000  # characters kept of an answer
DECISIONS = KEEP, DROP, UNCLEAR = "keep", "drop", "unclear"


def decision_in(answer: str) -> str:
    """Return what the first yes or no of an answer decides; one without either is unclear."""
    match = re.search(r"\b((?ai:yes|no))\b", answer)  # not yeſ, whose ſ is an s to Unicode
    return UNCLEAR if match is None else {"yes": KEEP, "no": DROP}[match[1].lower()]


def items(plugin: Plugin, spec: Spec, facts: dict[str, Any], kept: Path | None) -> Iterator[Item]:
    """Yield the items that are kept, and add the count of the decisions to ``facts``.

    The decisions lie beside the file ``kept`` that the items are written to, those of a run among its logs.
    """
    place = Path(spec.log_dir).absolute() / f"pruned-{spec.fingerprint[:12]}.jsonl"
    pruner = Pruner(plugin, spec, kept.with_name(f"{kept.name}.pruned.jsonl") if kept else place)
    yield from pruner.items()
    facts["pruning"] = pruner.summary()


class Pruner:
    """The items of a spec that a model lets pass, and the count of its decisions."""

    def __init__(self, plugin: Plugin, spec: Spec, path: Path) -> None:
        self.plugin = plugin
        self.spec = spec
        self.path = path
        self.counts: Counter[str] = Counter()
        self._known: dict[tuple[str, str], str] = {}

    def summary(self) -> dict[str, Any]:
        """Return what logs and manifests say: the model, how many were asked about, the file."""
        return {
            "model": self.spec.prune_model,
            "asked": self.counts.total(),
            "dropped": self.counts[DROP],
            "unclear": self.counts[UNCLEAR],
            "file": str(self.path),
        }

    def items(self) -> Iterator[Item]:
        """Yield what is kept: ``n`` items, or those of a dataset that are not dropped.

        Raises:
            ExhaustedError: too many are dropped.
            EngineError: the model fails; what was decided is kept.
            OutputError: the file of decisions cannot be read or written.
        """
        self._known = self._read()
        try:
            yield from self._generated() if self.spec.dataset is None else self._published()
        except KeyboardInterrupt:
            raise KeyboardInterrupt(
                f"decisions are kept in {self.path}; the same command goes on from there"
            ) from None

    def _generated(self) -> Iterator[Item]:
        wanted = self.spec.n
        # Later indices stand in for what is dropped.
        wide = replace(self.spec, options={**self.spec.options, "n": 5 * wanted + 20})
        source = fresh.items(self.plugin, wide)
        while self._kept < wanted:
            try:
                batch = list(islice(source, min(wanted - self._kept, BATCH)))
            except ExhaustedError:
                raise self._too_few("these settings have no more distinct ones") from None
            if not batch:
                raise self._too_few("that is too large a share")
            yield from self._judged(batch)

    def _published(self) -> Iterator[Item]:
        items = dataset.load(self.plugin, self.spec)
        for start in range(0, len(items), BATCH):
            yield from self._judged(items[start : start + BATCH])
        if not self._kept:
            raise self._too_few(f"that are all of {self.spec.dataset}")

    @property
    def _kept(self) -> int:
        return self.counts.total() - self.counts[DROP]

    def _too_few(self, why: str) -> ExhaustedError:
        counts = self.summary()
        return ExhaustedError(
            f"prune_model={counts['model']} dropped {counts['dropped']} of {counts['asked']} items and "
            f"left {self._kept}; {why} (decisions: {self.path})"
        )

    def _judged(self, batch: Sequence[Item]) -> list[Item]:
        """Return the items of a batch that are kept, once all of them are decided."""
        asked = [(item.id, self._text(item)) for item in batch]
        undecided = {
            key: item for key, item in zip(asked, batch, strict=True) if key not in self._known
        }
        if undecided:
            self._ask(undecided)
        decisions = [self._known[key] for key in asked]
        self.counts.update(decisions)
        return [item for item, kept in zip(batch, decisions, strict=True) if kept != DROP]

    def _text(self, item: Item) -> str:
        text = self.plugin.call("render", item=item, format="text")
        if not isinstance(text, str):
            wrong = f"render() returned {type(text).__name__} as text"
            raise PluginError(f"plugin '{self.spec.plugin}': {wrong}")
        return text

    def _read(self) -> dict[tuple[str, str], str]:
        """Return the decisions of this model that are on file; lines that are none count for nothing."""
        decisions: dict[tuple[str, str], str] = {}
        try:
            lines = self.path.read_text(encoding="utf-8", errors="replace").split("\n")
        except FileNotFoundError:
            return decisions
        except OSError as error:
            raise OutputError(f"{self.path}: cannot be read: {error.strerror}") from None
        for line in lines:
            try:
                record = json.loads(line)
                if record["model"] == self.spec.prune_model and record["decision"] in DECISIONS:
                    decisions[record["id"], record["text"]] = record["decision"]
            except (ValueError, TypeError, KeyError, RecursionError):  # torn by a crash
                continue
        return decisions

    def _ask(self, items: dict[tuple[str, str], Item]) -> None:
        """Ask the model about all of the items, and keep each decision as soon as it is there."""
        model = models.model_of(self.spec.prune_model, "prune_model")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a+b", buffering=0) as file:
                _end_line(file)
                event_loops.complete(lambda: self._ask_all(model, items, file))
        except OSError as error:
            raise OutputError(f"{self.path}: cannot be written: {error.strerror}") from None

    async def _ask_all(
        self, model: Model, items: dict[tuple[str, str], Item], file: IO[bytes]
    ) -> None:
        failed: list[Exception] = []
        limit = anyio.CapacityLimiter(self._connections())

        async def one(item: Item, text: str) -> None:
            try:
                # Kept before the next question is asked: whatever ends this, no more answers than
                # there are connections are lost.
                async with limit:
                    answer = await self._answer(model, text)
                    self._keep(item, text, answer, file)
            except Exception as error:
                failed.append(error)
                group.cancel_scope.cancel()

        async with anyio.create_task_group() as group:
            for (_, text), item in items.items():
                group.start_soon(one, item, text)
        for error in failed:
            if isinstance(error, HarnessError):
                raise error
            why = models.cause("".join(traceback.format_exception(error)), str(error))
            raise EngineError(
                f"prune_model={self.spec.prune_model}: {why}; {len(self._known)} decisions are kept in "
                f"{self.path}, the same command goes on from there"
            )

    async def _answer(self, model: Model, text: str) -> str:
        options = models.options(self.spec.options)
        config = GenerateConfig(
            max_retries=options["max_retries"],
            attempt_timeout=options["attempt_timeout"],
            max_connections=self._connections(),
        )
        question = self.plugin.benchmark.pruning.replace("{text}", text)
        return (await model.generate(question, config=config)).completion

    def _connections(self) -> int:
        return self.spec.max_connections or CONNECTIONS

    def _keep(self, item: Item, text: str, answer: str, file: IO[bytes]) -> None:
        decision = decision_in(answer)
        record = {
            "index": item.index,
            "id": item.id,
            "text": text,
            "answer": answer[:MAX_ANSWER],
            "decision": decision,
            "model": self.spec.prune_model,
        }
        try:
            file.write(json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
        except OSError as error:
            raise OutputError(f"{self.path}: cannot be written: {error.strerror}") from None
        self._known[item.id, text] = decision


def _end_line(file: IO[bytes]) -> None:
    """End a last line that a crash has torn, so that the next one is not spoiled by it."""
    if file.seek(0, 2) and file.seek(-1, 2) >= 0 and file.read(1) != b"\n":
        file.write(b"\n")
