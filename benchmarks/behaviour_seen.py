"""What `behaviour.py` sees of a command: exit code, output, last words, and every file that it wrote."""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import subprocess
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from behaviour_normal import OF_COMMAND, Names

# The one thing beyond the standard library, which reads the compression of logs from Python 3.14 on: before, what
# Inspect itself reads them with.
with suppress(ImportError):
    import_module("zipfile_zstd")

SECONDS = 600  # of one command
# Bytes that are promised: never normalised.
EXACT = (".jsonl", ".parquet", ".png")
LARGE = 100_000  # characters; of a JSON file beyond it the checksum is kept alone
PLACE = re.compile(
    r"@([\w/]+)(?::(\d))?"
)  # in a line: the one log in this folder, or the nth that was written

Seen = dict[str, Any]


class Folder:
    """A fresh folder in which commands run one after the other, as one user's would."""

    def __init__(self, root: Path, name: str, harness: Path) -> None:
        self.path = root / re.sub(r"\W+", "-", name)
        self.path.mkdir()
        self._root, self._harness = root, harness
        self._names = Names(root, harness.parent.parent)

    def run(self, line: str) -> Seen:
        """Run a line with ``--json``, or as text where it begins with `text`; return what is seen of it."""
        words = [PLACE.sub(self._log, word) for word in shlex.split(line)]
        words = words[1:] if words[0] == "text" else [*words, "--json"]
        before = self._stamps()
        try:
            done = subprocess.run(
                [self._harness, *words], cwd=self.path, env=self._environment(), stdin=subprocess.DEVNULL,
                capture_output=True, timeout=SECONDS, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return {"exit": f"not ended after {SECONDS} s"}
        own = OF_COMMAND.get(words[0] if words else "", lambda value: value)
        found = {
            "exit": done.returncode,
            "stdout": own(self._output(done.stdout.decode(errors="backslashreplace"))),
            "stderr": self._names.lines(done.stderr.decode(errors="backslashreplace")),
        }
        return found | self._changes(before)

    def _environment(self) -> dict[str, str]:
        """Return the one environment that commands have; nothing of ours, above all no keys of models."""
        given = {
            "PATH": str(
                self._harness.parent
            ),  # what else is installed on the machine is no part of it
            "HOME": str(self._root / "home"),
            "TMPDIR": str(self._root / "tmp"),
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "NO_COLOR": "1",
            "COLUMNS": "100",
        }
        plugins = self.path / "plugins"
        return given | {"PYTHONPATH": str(plugins)} if plugins.is_dir() else given

    def _log(self, found: re.Match[str]) -> str:
        logs = sorted((self.path / found[1]).glob("*.eval"), key=lambda one: one.stat().st_mtime_ns)
        place = int(found[2] or 1)
        if place > len(logs) or (found[2] is None and len(logs) > 1):
            # Told as a difference: the command that should have written it did not.
            return f"{found[1]}/{len(logs)}-logs.eval"
        return str(logs[place - 1].relative_to(self.path))

    def _output(self, text: str) -> Any:
        """Return the one JSON object that was printed, else the lines."""
        if text.startswith("{") and text.count("\n") == 1:
            with suppress(json.JSONDecodeError):
                return self._names.value(json.loads(text))
        return self._names.lines(text)

    def _stamps(self) -> dict[str, tuple[int, int, int]]:
        """Return every file by its name, with what changes when it is written."""
        found = {}
        for path in sorted(self.path.rglob("*")):
            # Python's own, with the time of the source in it.
            if path.is_file() and "__pycache__" not in path.parts:
                said = path.stat()
                own = (said.st_mtime_ns, said.st_size, said.st_ino)
                found[str(path.relative_to(self.path))] = own
        return found

    def _changes(self, before: Mapping[str, tuple[int, int, int]]) -> Seen:
        after = self._stamps()
        files: Seen = {}
        # The names of logs of one second differ in random characters only: in the order in which they were written.
        for name in sorted(after, key=lambda one: (after[one][0], one)):
            if after[name] != before.get(name):
                files[self._names.text(name)] = self._file(self.path / name)
        gone = sorted(self._names.text(name) for name in before if name not in after)
        return {"files": dict(sorted(files.items())), **({"gone": gone} if gone else {})}

    def _file(self, path: Path) -> Any:
        """Return what a file holds: a log and a small JSON file as values, any other as its checksum."""
        if path.suffix == ".eval":
            return self._names.log(read_log(path))
        data = path.read_bytes()
        if path.suffix not in EXACT:
            with suppress(UnicodeDecodeError):
                text = data.decode()
                if path.suffix == ".json" and len(text) <= LARGE:
                    with suppress(json.JSONDecodeError):
                        return self._names.value(json.loads(text))
                data = self._names.text(text).encode()
        return hashlib.sha256(data).hexdigest()


def read_log(path: Path) -> Any:
    """Return the header of a log, and its samples in the order of the dataset (epochs of one side by side)."""
    try:
        with zipfile.ZipFile(path) as archive:
            found = json.loads(archive.read("header.json"))
            names = [name for name in archive.namelist() if name.startswith("samples/")]
            samples = [json.loads(archive.read(name)) for name in names]
    except NotImplementedError as error:
        message = f"{path}: {error}; run this with the Python of the harness, or with 3.14 or newer"
        raise SystemExit(message) from None
    except (zipfile.BadZipFile, KeyError) as error:
        return {"eval": {}, "samples": [], "broken": str(error)}
    order = {own: place for place, own in enumerate(found["eval"]["dataset"]["sample_ids"])}
    samples.sort(key=lambda one: (order.get(one["id"], -1), one["epoch"]))
    return found | {"samples": samples}
