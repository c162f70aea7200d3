"""What one run is: a validated, frozen specification, made of values by name."""

from __future__ import annotations

import hashlib
import itertools
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import yaml
from harness_errors import SpecError, did_you_mean

from harness.core.features import extend, features, options, reserved, settings
from harness.core.hookspecs import DIFFICULTIES, DIFFICULTY, Benchmark
from harness.core.items import canonical_json, digest
from harness.core.plugins import Plugin
from harness.core.schemas import shown, validate

LARGEST = 1e300  # of a number; infinity and nan are none
MAX_LISTS = 200  # lists and objects in one value
MAX_FILES = 10_000  # of a directory that a key names, all of which are read

MANIFEST = "manifest.json"
"""What lists the files of a dataset in shards, with their checksums, in their folder."""

ITEMS = 100  # n where it is not given and the items are generated


@dataclass(frozen=True)
class Spec:
    """One run: a benchmark, its validated configuration, and the core's keys with defaults filled in."""

    plugin: str
    version: str
    config: Mapping[str, Any]
    options: Mapping[str, Any] = field(default_factory=dict)
    wrappers: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)  # config key → digest of its file
    forms: tuple[str, ...] = ()  # config keys that leave the problem as it is
    silent: tuple[str, ...] = ()  # config keys added later, at the default that older items have
    adopting: tuple[str, ...] = ()  # config keys given to say how records of a dataset are adopted

    def __getattr__(self, name: str) -> Any:
        if name in settings():
            return self.options[name]
        raise AttributeError(name)

    def __str__(self) -> str:
        items = [f"{key}={value}" for key, value in self.shown.items()]
        if self.dataset:
            items.insert(0, f"dataset={self.dataset}")
        return " ".join([self.plugin, f"model={self.model}", f"strategy={self.strategy}", *items])

    @property
    def shown(self) -> dict[str, Any]:
        """The configuration as far as it says anything: of a dataset, how its records are adopted."""
        if not self.dataset:
            return dict(self.config)
        return {key: self.config[key] for key in self.adopting}

    @cached_property
    def config_json(self) -> str:
        """The canonical text of the configuration, as it enters the seed of every item.

        Files count by their content, and keys that only change a problem's form not at all.
        """
        config = self._counting()
        return canonical_json({k: v for k, v in config.items() if k not in self.forms})

    def _counting(self) -> dict[str, Any]:
        """Return the configuration as far as it counts: files by their content, no key that is silent."""
        config = {**self.config, **self.files}
        return {k: v for k, v in config.items() if k not in self.silent}

    def data(self) -> dict[str, Any]:
        """Return everything that decides which items there are."""
        decisive = {
            name: self.options[name]
            for name, option in settings().items()
            if option.scope == "items"
            and option.source != ("generated" if self.dataset else "read")
            # All items of a dataset are another number of them than any.
            and (name == "n" or self.options[name] is not None)
        }
        return {
            "plugin": self.plugin,
            "version": self.version,
            "config": self._counting(),
            **decisive,
            **({"wrappers": dict(self.wrappers)} if self.wrappers else {}),
        }

    @property
    def fingerprint(self) -> str:
        """64 hexadecimal digits over everything that decides which items there are; files count by their content."""
        data = self.data()
        return digest(data | {name: of for name, of in self.contents.items() if name in data})

    @property
    def contents(self) -> dict[str, str]:
        """The digests of the files that keys and settings name: what they hold, wherever they lie.

        An address, or what is no readable file, stands for itself.
        """
        named = {
            name: self.options[name]
            for name, option in settings().items()
            if option.path and option.scope in ("items", "ask") and self.options[name]
        }
        return {**self.files, **{name: _content(path) for name, path in named.items()}}


_CORE_SCHEMAS: Mapping[str, Mapping[str, Any]] = {
    "string": {"type": "string"},
    "list": {"type": "array", "items": {"type": "string"}},
}


def check_text(word: str) -> None:
    """Refuse what no file could hold: a word that was not UTF-8."""
    try:
        word.encode()
    except UnicodeEncodeError:
        raise SpecError(f"{ascii(word)[1:-1][:80]}: not text in UTF-8") from None


def find(benchmark: Benchmark, keys: Iterable[str]) -> None:
    """Look for keys that nobody knows among the settings that features know late."""
    if set(keys) - {"preset", "difficulty", *benchmark.config_schema["properties"], *options()}:
        extend()


def make(plugin: Plugin, values: Mapping[str, Any], allowed: Iterable[str] | None = None) -> Spec:
    """Return the spec of already typed values (as Python code, Inspect and tests pass them).

    ``allowed`` are the core keys that apply.
    """
    find(plugin.benchmark, values)
    known = frozenset(settings() if allowed is None else allowed)
    values = {k: v for k, v in values.items() if v is not None}
    chosen = values.pop("preset", None)
    base = preset(plugin.benchmark, str(chosen)) if chosen is not None else {}
    base |= level(plugin.benchmark, values.pop("difficulty", None))
    for key, value in values.items():
        check_key(plugin.benchmark, key, known)
        # Inspect's command line makes `-T arity=2` a number and `-T arity=2,3` a list of words.
        schema = schema_of(plugin.benchmark, key)
        if schema.get("type") == "array":
            elements = value if isinstance(value, list) else [value]
            inner = schema.get("items", {})
            values[key] = [
                typed(inner, element) if isinstance(element, str) else element
                for element in elements
            ]
    return spec_of(plugin, {**base, **values})


def preset(benchmark: Benchmark, name: str) -> dict[str, Any]:
    """Return the values of a preset by name, a sweep's as a tuple, or raise `SpecError` with a suggestion."""
    if name not in benchmark.presets:
        raise SpecError(f"no preset '{name}'; {did_you_mean(name, benchmark.presets)}")
    return dict(benchmark.presets[name])


def level(benchmark: Benchmark, wanted: Any) -> dict[str, Any]:
    """Return the values of a level of difficulty, none of None, or raise `SpecError` with the levels there are."""
    if wanted is None:
        return {}
    if not benchmark.levels:
        raise SpecError(f"difficulty={shown(wanted)}: {benchmark.name} has no levels of difficulty")
    number = DIFFICULTIES.get(str(wanted))
    if number is None:
        raise SpecError(f"difficulty={shown(wanted)}: expected a level: {DIFFICULTY}")
    return dict(benchmark.levels[number - 1])


def check_key(
    benchmark: Benchmark, key: str, allowed: frozenset[str], taken: Iterable[str] = ()
) -> None:
    """Refuse, by a `SpecError` with the nearest name, a key that is neither the benchmark's nor ``allowed``."""
    properties = benchmark.config_schema["properties"]
    if key in properties or key in allowed:
        return
    for option in settings().values():
        if key in option.meant_by and option.name in allowed:
            raise SpecError(f"unknown key '{key}'; did you mean '{option.name}'?")
    if key in reserved():
        raise SpecError(f"'{key}' does not apply to this command")
    hint = did_you_mean(key, {*properties, *allowed, *taken, "plugin", "preset", "difficulty"})
    raise SpecError(f"unknown key '{key}' for plugin {benchmark.name}; {hint}")


def schema_of(benchmark: Benchmark, key: str) -> Mapping[str, Any]:
    """Return the schema of a config property or core key, empty for any other."""
    schema: Mapping[str, Any] | None = benchmark.config_schema["properties"].get(key)
    if schema is None and key in settings():
        return _CORE_SCHEMAS.get(settings()[key].type, {})
    return schema or {}


def typed(schema: Mapping[str, Any], text: str) -> Any:
    """Parse a YAML scalar or flow list; where the schema wants a string the text stays as it is."""
    if schema.get("type") == "string":
        return text
    if (
        text.count("[") + text.count("{") > MAX_LISTS
    ):  # reading them takes the square of their number
        return text
    # In a list of strings, too, `no` and `1` are words.
    words = schema.get("type") == "array" and schema.get("items", {}).get("type") == "string"
    try:
        return yaml.load(text, Loader=yaml.BaseLoader if words else yaml.SafeLoader)  # noqa: S506
    # Not only its own: an impossible date is a ValueError, a thousand brackets a RecursionError.
    except (yaml.YAMLError, ValueError, RecursionError):
        return text


def spec_of(plugin: Plugin, values: Mapping[str, Any]) -> Spec:
    """Return the spec of values whose keys are known; raises `SpecError` where one does not fit."""
    benchmark = plugin.benchmark
    properties = benchmark.config_schema["properties"]
    # A key of the benchmark's own goes before a setting that a feature knows late.
    options = {
        name: option.default if name in properties else values.get(name, option.default)
        for name, option in settings().items()
    }
    for key, value in options.items():
        if value is not None:
            _check_option(key, value)
    features().hook.check_options(plugin=plugin, options=options)
    adopting: list[str] = []
    if options["dataset"] is None:
        options["n"] = options["n"] or ITEMS
    else:
        _no_generation(benchmark, values)
        adopting = [key for key in properties if key in values]
    config = {k: s["default"] for k, s in properties.items()}
    config |= {k: v for k, v in values.items() if k in config}
    validate(benchmark.config_schema, config)
    forms = tuple(key for key, schema in properties.items() if schema.get("x-form"))
    silent = tuple(
        key
        for key, schema in properties.items()
        if schema.get("x-added") and config[key] == schema["default"]
    )
    files = {
        key: _file_digest(key, config[key], schema.get("x-names", ()))
        for key, schema in properties.items()
        if schema.get("format") == "path" and config[key] not in ("", *schema.get("x-names", ()))
    }
    return Spec(
        benchmark.name, benchmark.version, config, options, plugin.wrappers, files, forms,
        silent, tuple(adopting),
    )  # fmt: skip


def _file_digest(key: str, path: str, names: Iterable[str]) -> str:
    """Return the digest of what a file, or every file below a directory, holds.

    ``names`` are what the key takes besides files; a word may have been meant for one of them.
    """
    root = Path(path)
    try:
        inside = (p for p in root.rglob("*") if p.is_file()) if root.is_dir() else iter([root])
        files = sorted(itertools.islice(inside, MAX_FILES + 1))
        if len(files) > MAX_FILES:
            raise SpecError(f"{key}={shown(path)}: a directory of more than {MAX_FILES} files")
        parts = [[str(file.relative_to(root)), _sha(file)] for file in files]
    except (OSError, ValueError) as error:  # a null byte in the name is a ValueError
        why = error.strerror if isinstance(error, OSError) else str(error)
        named = getattr(error, "filename", None)
        if named and str(named) != path:  # one below the directory
            why = f"{shown(named)}: {why}"
        hint = f"; {did_you_mean(path, names)}" if names else ""
        raise SpecError(f"{key}={shown(path)}: cannot be read: {why}{hint}") from None
    return digest(parts)


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal, as a manifest holds it."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _sha(path: Path) -> str:
    if path.exists() and not path.is_file():  # a pipe or a device would never end
        raise ValueError("not a regular file")
    return checksum(path)


def _content(name: str) -> str:
    """Return the digest of a file, of a dataset in shards that of its manifest."""
    path = Path(name)
    try:
        path = path / MANIFEST if path.is_dir() else path
        facts = path.stat()
        if not stat.S_ISREG(facts.st_mode):
            return name
        return _digest_of(str(path.resolve()), (facts.st_ino, facts.st_mtime_ns, facts.st_size))
    except (OSError, ValueError):  # whoever reads it says what is wrong with it
        return name


@lru_cache(maxsize=100)
def _digest_of(path: str, stamp: tuple[int, int, int]) -> str:
    return checksum(Path(path))


def _no_generation(benchmark: Benchmark, values: Mapping[str, Any]) -> None:
    """Refuse what decides how items are generated when they are read from a file instead."""
    properties = benchmark.config_schema["properties"]
    idle = [
        k
        for k in values
        if (k in settings() and settings()[k].source == "generated")
        or (k in properties and not properties[k].get("x-adopt"))
    ]
    if idle:
        raise SpecError(
            f"'{idle[0]}' has no effect with dataset=…: its items are read, not generated"
        )
    for key, value in values.items():
        adopting = properties.get(key, {}).get("x-adopt")
        if isinstance(adopting, list) and value not in adopting:
            raise SpecError(
                f"{key}={shown(value)} has no effect with dataset=…; {did_you_mean(str(value), adopting)}"
            )


def _check_option(key: str, value: Any) -> None:
    option = settings()[key]
    kind = option.type
    right = {
        "integer": isinstance(value, int) and not isinstance(value, bool),
        "number": isinstance(value, (int, float))
        and not isinstance(value, bool)
        and -LARGEST < value < LARGEST,
        "boolean": isinstance(value, bool),
        "string": isinstance(value, str),
        "list": isinstance(value, list) and all(isinstance(element, str) for element in value),
        "object": True,
    }[kind]
    if not right:
        article = "an" if kind == "integer" else "a"
        raise SpecError(f"{key}={shown(value)}: expected {article} {kind}")
    if option.choices and value not in option.choices:
        raise SpecError(f"{key}={shown(value)}; {did_you_mean(str(value), option.choices)}")
    for word in value if kind == "list" else [value] if kind == "string" else []:
        check_text(word)
    if option.least is not None and value < option.least:
        raise SpecError(f"{key}={shown(value)}: the least is {option.least}")
    if option.check:
        option.check(value)
