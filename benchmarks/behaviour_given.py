"""What `behaviour.py` gives to commands: files of the wrong and the right kind, answers, plugins of others.

A line of a chain that begins with ``!`` is a step of this module: ``!copy FROM TO``. All of them are made of what
is given here, of the published sets beside the checkout, and of what commands before have written.
"""

from __future__ import annotations

import csv
import json
import shlex
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared" / "data"
EXAMPLES = ROOT / "examples"
CHATTER = "Let me think about it.\n\nFirst I read the rules, and then I try some cases; this may be so or not.\n\n"

TEXTS = {
    "notes.txt": "Everything here was found on the web.\nNone of it is of any use.\n",
    "empty.jsonl": "",
    "broken.jsonl": '{"id": "a", "prompt":\n',
    "list.json": '[{"id": "a"}, {"id": "b"}]',
    "words.csv": "colour,taste\nred,sweet\n",
    "twice.csv": "id,id\n1,2\n",
    "no.toml": "key = 1\n",
    "facts.csv": (
        "kind,name,start,end\nevent,the opening of our museum,1950-06-01,\n"
        "event,the great flood of our river,1953-01-31,1953-02-04\n"
    ),
    "facts.yaml": (
        "- {kind: event, name: the opening of our museum, start: 1950-06-01}\n"
        '- {kind: recurring, name: "the floods of our river, up to 2020", years: [1903, 1953]}\n'
    ),
    "wrong-facts.csv": "kind,name,start\nevent,the opening of our museum,1950-13-01\n",
    "wrong-lab.yaml": "name: lab\nagents: [technician]\ntypes: {}\nactions: {wait: {phrases: [until]}}\n",
    "lab.yaml": """\
name: lab
agents: [technician, lab robot]
types:
  sample:
    article: the
    values:
      blood: [blood sample, sample of blood, blood specimen]
      soil: [soil sample, sample of soil]
  bench:
    article: none
    combine: [[left, right], [front, rear], [bench]]
actions:
  wait:
    arguments: []
    phrases: [wait, stand by]
  freeze:
    arguments: [sample]
    phrases: ["freeze {sample}", "put {sample} on ice"]
  move:
    arguments: [sample, bench]
    phrases:
      - "move {sample} to {bench}"
      - {phrase: "relog {sample} at {bench}", ing: relogging, s: relogs}
""",
}
# Modules of plugins that cannot be, and what keeps each one out.
BROKEN = {
    "failing": "raise ValueError('this module does not load')\n",
    "hookless": "from harness import hookimpl\n",
    "misspelt": "from harness import hookimpl\n\n\n@hookimpl\ndef generat(config, index, rng):\n    return None\n",
    "undescribed": "from harness import hookimpl\n\n\n@hookimpl\ndef score(item, completion):\n    return None\n",
    "newer": "",
    "astray": "",
}
CONTRACTS = {"newer": "newer = v99", "astray": "other = v1"}


class Absent(Exception):
    """A published set that is not there: what needs it is left out."""


def examples() -> dict[str, str]:
    """Return the sources of the example plugins; a baseline keeps them, so that the same ones are tried again."""
    found = (path for path in EXAMPLES.rglob("*") if path.suffix in (".py", ".json", ".toml"))
    return {
        str(path.relative_to(EXAMPLES)): path.read_text()
        for path in sorted(found)
        if "tests" not in path.parts and "__pycache__" not in path.parts
    }


class Steps:
    """The steps by their names, in one folder."""

    def __init__(self, folder: Path, sources: Mapping[str, str]) -> None:
        self._folder, self._sources = folder, sources
        self._known: Mapping[str, Callable[..., None]] = {
            "give": self._give, "copy": self._copy, "head": self._head, "replace": self._replace,
            "answers": self._answers, "context": self._context, "machines": self._machines,
            "example": self._example, "broken": self._broken, "install": self._install,
            "make": self._make, "cut": self._cut,
        }  # fmt: skip

    def __call__(self, line: str) -> None:
        """Do the step that a line names."""
        name, *words = shlex.split(line)
        self._known[name](*words)

    def _at(self, name: str) -> Path:
        path = self._folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def _give(self, *names: str) -> None:
        for name in names:
            self._at(name).write_text(TEXTS[name])

    def _make(self, *names: str) -> None:
        for name in names:
            self._at(name).mkdir(parents=True, exist_ok=True)

    def _copy(self, source: str, target: str) -> None:
        """Copy one of the published files."""
        found = SHARED / source
        if not found.is_file():
            raise Absent(f"no {found}")
        shutil.copyfile(found, self._at(target))

    def _head(self, count: str, source: str, target: str) -> None:
        """Copy the first lines of a published file."""
        self._copy(source, target)
        lines = self._at(target).read_text().splitlines(keepends=True)
        self._at(target).write_text("".join(lines[: int(count)]))

    def _cut(self, name: str, count: str) -> None:
        """Leave only so many bytes of a file."""
        path = self._at(name)
        path.write_bytes(path.read_bytes()[: int(count)])

    def _replace(self, source: str, target: str, before: str, after: str) -> None:
        """Write a file anew, with one text in place of the first occurrence of another."""
        text = self._at(source).read_text()
        if before not in text:
            raise ValueError(f"{source} does not hold {before!r}")
        self._at(target).write_text(text.replace(before, after, 1))

    def _answers(self, source: str, target: str, kind: str = "some") -> None:
        """Write recorded answers to the items of a file, as CSV, JSON lines or a JSON list."""
        items = [json.loads(line) for line in self._at(source).read_text().splitlines()]
        rows = list(_replies(items, kind))
        path = self._at(target)
        if path.suffix == ".csv":
            with path.open("w", newline="") as file:
                writer = csv.DictWriter(file, list(rows[0]))
                writer.writeheader()
                writer.writerows(rows)
        elif path.suffix == ".json":
            path.write_text(json.dumps(rows))
        else:
            lines = (
                {"custom_id": row["id"], "response": {"body": {"text": row["response"]}}}
                for row in rows
            )
            path.write_text("".join(json.dumps(line) + "\n" for line in lines))

    def _context(self, source: str, target: str) -> None:
        """Write search context for the items of a file; nothing was found for the second one."""
        items = [json.loads(line) for line in self._at(source).read_text().splitlines()]
        lines = [
            {"id": item["id"], "context": "" if place == 1 else f"Found for number {place}."}
            for place, item in enumerate(items)
        ]
        self._at(target).write_text("".join(json.dumps(line) + "\n" for line in lines))

    def _machines(self, count: str) -> None:
        """Write machines of the shared causality cases into a folder, one a file."""
        cases = SHARED / "causality" / "cases.jsonl"
        if not cases.is_file():
            raise Absent(f"no {cases}")
        lines = cases.read_text().splitlines()[: int(count)]
        for place, line in enumerate(lines):
            self._at(f"machines/{place:02}.hoa").write_text(json.loads(line)["machine"])

    # ----------------------------------------------------------------------------------- plugins

    def _example(self, *names: str) -> None:
        """Install example plugins of the project, as they were when the baseline was made."""
        for name in names:
            module = f"harness_{name}"
            for path, text in self._sources.items():
                parts = Path(path).parts
                if parts[0] == name and parts[1].removesuffix(".py") == module:
                    self._at("/".join(("plugins", *parts[1:]))).write_text(text)
            package = (self._folder / "plugins" / module).is_dir()
            self._register(name, f"{module}.plugin" if package else module, f"{name} = v1")

    def _broken(self) -> None:
        """Install plugins that cannot be loaded, each for a reason of its own."""
        for name, text in BROKEN.items():
            self._at(f"plugins/{name}_module.py").write_text(text)
            self._register(name, f"{name}_module", CONTRACTS.get(name, ""))

    def _install(self, name: str, source: str, module: str) -> None:
        """Install what `harness new` wrote."""
        top = module.partition(".")[0]
        found = self._folder / source / top
        if found.is_dir():
            shutil.copytree(found, self._at(f"plugins/{top}"))
        else:
            shutil.copytree(self._folder / source, self._at("plugins"), dirs_exist_ok=True)
        self._register(name, module, f"{name} = v1")

    def _register(self, name: str, module: str, contract: str) -> None:
        """Write what an installer would: the metadata of a distribution with one entry point."""
        facts = f"plugins/behaviour_{name}-1.0.dist-info"
        self._at(f"{facts}/METADATA").write_text(
            f"Metadata-Version: 2.1\nName: behaviour-{name}\nVersion: 1.0\n"
        )
        stated = f"\n[harness.contract]\n{contract}\n" if contract else ""
        self._at(f"{facts}/entry_points.txt").write_text(f"[harness]\n{name} = {module}\n{stated}")


def _replies(items: list[dict[str, Any]], kind: str) -> Iterator[dict[str, str]]:
    """Yield answers: right and wrong ones, chatter, silence; of a faulty kind also what fits no item."""
    for place, item in enumerate(items):
        own, other = item["target"], items[(place + 1) % len(items)]["target"]
        reply = (
            f"Answer: {own}", f"{CHATTER}Answer: {other}", f"{CHATTER}**Answer:** {own}", CHATTER, "",
            f"<think>Answer: {other}</think>\nAnswer: {own}", f"```\n{own}\n```", "I cannot help with that.",
        )[place % 8]  # fmt: skip
        row = {"id": item["id"], "response": f"Answer: {own}" if kind == "right" else reply}
        if kind == "asked":
            row["question"] = item["prompt"] if place else "What time is it?"
        if kind == "faulty" and place == 1:
            continue  # missing
        yield row
        if kind == "faulty" and place == 2:
            yield row  # double
        if kind == "votes":
            yield {**row, "response": f"Answer: {own}"}
    if kind == "faulty":
        yield {"id": "nobody", "response": "Answer: none"}
