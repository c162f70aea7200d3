"""What `behaviour.py` takes for volatile: every rule that changes something before two runs are compared.

A rule says why. What no rule names is compared as it is, byte for byte. Numbers, messages, orders, ids,
seeds, fingerprints and checksums are never touched.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

# A log is named by the second in which it began and by 22 random characters; so is what is derived from its name.
LOG = re.compile(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-00-00_([A-Za-z0-9-]+)_[A-Za-z0-9]{22}")

# A moment in ISO 8601 or as pages print it; only one of these days is taken for the clock's (see `_moment`).
MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:\d\d)?")
DAYS = timedelta(days=2)

# What `doctor` says of a distribution: "numpy 2.4.6"; of Python: "3.11.7 at …" and "with Python 3.11.7"; of Inspect:
# "0.3.285", and nothing else; of the machine: "23.5 GiB", and "2; workers=N takes fewer" of its processors.
DISTRIBUTION = re.compile(r"\b([a-z][a-z0-9_-]+) (\d+(?:\.\w+)+)")
BARE_VERSION = re.compile(r"(?:^|(?<=: )|(?<=with Python ))\d+\.\d+\.\d+(?= at |$)")
MEMORY = re.compile(r"\b\d+(\.\d+)? [KMGT]iB")
PROCESSORS = re.compile(r"(?:^|(?<=: ))\d+(?=; workers=N )")
# Ours are compared: they are part of what logs, manifests and fingerprints say. "benchmark 1.1" is a plugin's.
OURS = ("harness", "temporal-harness", "benchmark", "ltlbench", "tempobench", "timepuzzles", "vltl")

# A line of progress, which comes only where a step takes half a minute: "500/1000 items · 20.1/s · 0:25 left".
PROGRESS = re.compile(r"\d+/\d+ \S+ · [\d.]+/s · ")
# Matplotlib says so when that takes it more than five seconds, once in a new home directory.
FONTS = "Matplotlib is building the font cache"

# In a log, by path: what Inspect draws at random or reads from the clock. `*` is any key or place.
DRAWN = (
    "eval.eval_id",  # random
    "eval.run_id",  # random
    "eval.task_id",  # random
    "eval.metadata.resume.run",  # random: which run of the same words it was
    "samples.*.uuid",  # random
    "samples.*.messages.*.id",  # random
    "samples.*.output.choices.*.message.id",  # random
    "samples.*.output.time",  # a duration
    "samples.*.total_time",  # a duration
    "samples.*.working_time",  # a duration
)
# Of a sample: Inspect's own record of what happened when. All that it says is said by messages, output and scores.
RECORDS = ("events", "events_data", "attachments", "timelines")


class Names:
    """What stands for paths and names of logs; a log keeps its number as long as the folder lives."""

    def __init__(self, root: Path, environment: Path) -> None:
        self._logs: dict[str, str] = {}
        self._times = [datetime.now(UTC) + way * DAYS for way in (-1, 1)]
        places = {str(root): "<tmp>", str(environment): "<env>"}
        if environment.name == ".venv":
            places[str(environment.parent)] = "<checkout>"
        # The longest first: the environment lies in the checkout.
        self._places = sorted(places.items(), key=lambda one: -len(one[0]))

    def text(self, text: str) -> str:
        """Return a text without this run's paths, names of logs and moments."""
        for place, sign in self._places:
            text = text.replace(place, sign)
        return MOMENT.sub(self._moment, LOG.sub(self._log, text))

    def lines(self, text: str) -> list[str]:
        """Return the lines of a text, those of progress left out."""
        lines = [line for line in text.splitlines() if not PROGRESS.match(line)]
        return [self.text(line) for line in lines if FONTS not in line]

    def value(self, value: Any) -> Any:
        """Return a JSON value with all its texts and keys normalised, and foreign versions left open."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            named = ("versions", "packages")
            return {
                self.text(key): _versions(one) if key in named else self.value(one)
                for key, one in value.items()
            }
        return [self.value(one) for one in value] if isinstance(value, list) else value

    def log(self, value: Any) -> Any:
        """Return what a log holds, but for what is drawn at random or read from the clock."""
        for sample in value["samples"]:
            for name in RECORDS:
                sample.pop(name, None)
        for path in DRAWN:
            _mask(value, path.split("."))
        return self.value(value)

    def _log(self, found: re.Match[str]) -> str:
        name = f"<log {len(self._logs) + 1} of {found[1]}>"
        return self._logs.setdefault(found[0], name)

    def _moment(self, found: re.Match[str]) -> str:
        day = datetime.fromisoformat(f"{found[1]}T12:00:00+00:00")
        first, last = self._times
        return "<moment>" if first <= day <= last else found[0]


def _versions(found: Any) -> Any:
    """Return versions by name, those of other distributions than ours left open."""
    if not isinstance(found, Mapping):
        return found
    return {name: own if _is_ours(name) else "<version>" for name, own in found.items()}


def _is_ours(name: str) -> bool:
    return name in OURS or name.startswith("harness-")


def _mask(value: Any, path: Sequence[str]) -> None:
    """Put a sign in the place that a path names, wherever there is one."""
    key, *rest = path
    if isinstance(value, list):
        keys: Sequence[Any] = range(len(value)) if key == "*" else ()
    elif isinstance(value, dict):
        keys = list(value) if key == "*" else [key] if key in value else ()
    else:
        keys = ()
    for one in keys:
        if rest:
            _mask(value[one], rest)
        else:
            value[one] = "<drawn>"


def doctor(value: Any) -> Any:
    """Return what `harness doctor` says, but for versions of other distributions and the size of the machine."""
    if isinstance(value, str):
        text = DISTRIBUTION.sub(_distribution, value)
        text = PROCESSORS.sub("<number>", MEMORY.sub("<memory>", text))
        return BARE_VERSION.sub("<version>", text)
    if isinstance(value, Mapping):
        return {key: doctor(one) for key, one in value.items()}
    return [doctor(one) for one in value] if isinstance(value, list) else value


def _distribution(found: re.Match[str]) -> str:
    return found[0] if _is_ours(found[1]) else f"{found[1]} <version>"


OF_COMMAND: Mapping[str, Callable[[Any], Any]] = {"doctor": doctor}
"""Rules that hold for the result of one command only."""
