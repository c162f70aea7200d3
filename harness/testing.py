"""The conformance kit: what every plugin must survive before anybody trusts its numbers.

    from harness.testing import conformance
    report = conformance(registry().get("mybench"), n=50)
    assert not report["failures"], report["failures"]

or ``harness check plugin=mybench``. Each check has a name; docs/conformance.md has a
paragraph per name that says what it demands and why.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

from harness import dataset, stats
from harness.errors import Abstained, DatasetError, HarnessError, SpecError
from harness.hookspecs import Row
from harness.items import Item, Verdict, canonical_json, digest
from harness.plugins import Plugin, load, one_line
from harness.spec import Spec, make, schema_errors

SECONDS = 2.0  # the longest that judging one answer, however long, may take
GOLDEN = 5  # items per golden file
EVAL = 16  # items that go through Inspect


@dataclass(frozen=True, slots=True)
class Kit:
    """What the checks share: the plugin, a spec, and its items."""

    plugin: Plugin
    spec: Spec
    items: list[Item]

    def judge(self, item: Item, completion: str) -> Verdict:
        """Score a completion; a scorer that raises or breaks the contract fails the check."""
        where = f"item {item.index}: score() on {_short(completion)}"
        start = time.perf_counter()
        try:
            with _deadline(SECONDS):
                found = self.plugin.hooks.score(item=item, completion=completion)
        except _TooLate:
            raise Failure(f"{where} is not done after {SECONDS:g} s") from None
        except Exception as error:
            raise Failure(f"{where} raised {one_line(error)}") from error
        spent = time.perf_counter() - start
        if spent > SECONDS:
            raise Failure(f"{where} took {spent:.1f} s, allowed are {SECONDS:g} s")
        if not isinstance(found, Verdict):
            raise Failure(f"{where} returned {type(found).__name__}, expected Verdict")
        for breach in found.problems(self.plugin.benchmark.values):
            raise Failure(f"{where}: {breach}")
        return found

    def full(self, item: Item, completion: str) -> bool:
        """Return whether a completion earns full marks on the first value."""
        found = self.judge(item, completion)
        return found.outcome == "scored" and found.value[self.plugin.benchmark.values[0]] == 1


class Failure(Exception):
    """A check that found what must not be."""


class _TooLate(BaseException):
    """Not an `Exception`: a hook must not take it for one of its own and go on."""


@contextmanager
def _deadline(seconds: float) -> Iterator[None]:
    """Interrupt Python code (and `re`) after a time: a stuck hook is a finding, not a stuck check.

    Signals reach the main thread only; elsewhere the time is merely measured afterwards.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(*_: object) -> None:
        raise _TooLate

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _short(text: str) -> str:
    shown = text if len(text) <= 60 else f"{text[:40]}… ({len(text)} characters)"
    return ascii(shown)


def conformance(
    plugin: Plugin,
    config: Mapping[str, Any] | None = None,
    *,
    n: int = 40,
    seed: int = 0,
    golden: str = "check",
    only: tuple[str, ...] = (),
) -> dict[str, Any]:
    """Run every check (or ``only`` some) and return ``{plugin, version, checks, failures}``.

    A check is ``{name, failure, note}``; ``failure`` is None or says what was found where.
    ``golden="write"`` pins the first items of this version instead of comparing with them.
    """
    checks: list[dict[str, Any]] = []
    items: list[Item] = []
    try:
        spec = make(plugin, {**(config or {}), "n": n, "seed": seed, "unique": False})
        for item in dataset.fresh(plugin, spec):
            items.append(item)  # noqa: PERF402 (after an error the length says which item)
    except HarnessError as error:
        where = "" if isinstance(error, SpecError) else f"item {len(items)}: "
        checks.append({"name": "generate", "failure": f"{where}{error}", "note": ""})
        return _report(plugin, checks)
    kit = Kit(plugin, spec, items)
    checks.append({"name": "generate", "failure": None, "note": f"{n} items"})
    if golden == "write":
        write_golden(kit)
    for name, act in CHECKS.items():
        if only and name not in only:
            continue
        failure, note = None, ""
        try:
            note = act(kit)
        except (Failure, HarnessError) as error:
            failure = str(error)
        except Exception as error:
            failure = f"unexpected {one_line(error)}"
        checks.append({"name": name, "failure": failure, "note": note})
    return _report(plugin, checks)


def _report(plugin: Plugin, checks: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "plugin": plugin.benchmark.name,
        "version": plugin.benchmark.version,
        "checks": checks,
        "failures": [check["name"] for check in checks if check["failure"]],
    }


def replace_options(spec: Spec, **options: Any) -> Spec:
    """Return the spec with some core keys changed."""
    return replace(spec, options={**spec.options, **options})


def _description(kit: Kit) -> str:
    """Schemas are JSON Schemas, the defaults and presets fit them, at least two engines."""
    from jsonschema import Draft202012Validator

    benchmark = kit.plugin.benchmark
    for name in ("config_schema", "problem_schema", "answer_schema"):
        try:
            Draft202012Validator.check_schema(getattr(benchmark, name))
        except Exception as error:
            raise Failure(f"{name} is not a JSON Schema: {one_line(error)}") from error
    if len(set(benchmark.engines)) < 2:
        raise Failure("names fewer than two engines, so no label can be confirmed")
    for preset in benchmark.presets:
        for point in _preset_points(benchmark.presets[preset]):
            try:
                make(kit.plugin, point)
            except SpecError as error:
                raise Failure(f"preset '{preset}': {error}") from error
    return f"{len(benchmark.presets)} presets, engines {', '.join(benchmark.engines)}"


def _preset_points(preset: Mapping[str, Any]) -> list[dict[str, Any]]:
    longest = max((len(v) for v in preset.values() if isinstance(v, tuple)), default=1)
    return [
        {k: v[min(i, len(v) - 1)] if isinstance(v, tuple) else v for k, v in preset.items()}
        for i in range(longest)
    ]


def _schema(kit: Kit) -> str:
    """Problems fit the problem schema, targets the answer schema, features are plain and finite."""
    benchmark = kit.plugin.benchmark
    for item in kit.items:
        for message in schema_errors(benchmark.problem_schema, item.problem):
            raise Failure(f"item {item.index}: problem.{message}")
        for message in schema_errors(benchmark.answer_schema, item.target):
            raise Failure(f"item {item.index}: target {message}")
        for group in benchmark.groups:
            if group not in item.features:
                raise Failure(
                    f"item {item.index}: lacks the feature '{group}' that results are split by"
                )
    return f"{len(kit.items)} items"


def _roundtrip(kit: Kit) -> str:
    """Items survive JSON unchanged."""
    for item in kit.items:
        for name, value in item.to_dict().items():
            try:
                back = json.loads(canonical_json(value))
            except (TypeError, ValueError, RecursionError) as error:
                raise Failure(
                    f"item {item.index}: {name} is not JSON: {one_line(error)}"
                ) from error
            if back != value:
                raise Failure(f"item {item.index}: {name} comes back different from JSON")
        try:
            Item.from_dict(item.to_dict())
        except DatasetError as error:
            raise Failure(f"item {item.index}: {error}") from error
    return f"{len(kit.items)} items"


def _order(kit: Kit) -> str:
    """Item i is the same whichever items were made before it."""
    indices = list(range(len(kit.items)))
    Random(1).shuffle(indices)
    for index in indices[:20]:
        again, before = (
            dataset.one(kit.plugin, kit.spec, index).to_dict(),
            kit.items[index].to_dict(),
        )
        for name, value in before.items():
            if again[name] != value:
                raise Failure(
                    f"item {index}: {name} differs when items are generated in another order"
                )
    return f"{len(indices[:20])} items"


_CHILD = """
import json, sys
from harness.testing import fingerprints
print(json.dumps(fingerprints(*json.loads(sys.argv[1]))))
"""


def fingerprints(name: str, source: str, config: dict[str, Any], seed: int, n: int) -> list[str]:
    """Return a digest per item, made in this process from the plugin's module (for `processes`)."""
    plugin = load([(name, lambda: import_module(source), "", source)]).get(name)
    spec = make(plugin, {**config, "n": n, "seed": seed, "unique": False})
    return [digest(item.to_dict()) for item in dataset.fresh(plugin, spec)]


def _processes(kit: Kit) -> str:
    """Items are the same in another process under another PYTHONHASHSEED."""
    n = min(len(kit.items), 20)
    own = [digest(item.to_dict()) for item in kit.items[:n]]
    words = [kit.plugin.benchmark.name, kit.plugin.source, dict(kit.spec.config), kit.spec.seed, n]
    for hashseed in ("1", "4242"):
        environment = {
            **os.environ,
            "PYTHONHASHSEED": hashseed,
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        }
        done = subprocess.run(  # noqa: S603 (our own interpreter on our own code)
            [sys.executable, "-c", _CHILD, json.dumps(words)],
            env=environment, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        if done.returncode:
            raise Failure(
                f"generation failed in another process: {(done.stderr.strip().splitlines() or [''])[-1]}"
            )
        other = json.loads(done.stdout)
        for index, (ours, theirs) in enumerate(zip(own, other, strict=True)):
            if ours != theirs:
                raise Failure(
                    f"item {index}: differs in another process under PYTHONHASHSEED={hashseed}"
                )
    return f"{n} items, 2 other processes"


def _seeds(kit: Kit) -> str:
    """Neighbouring seeds and other splits share no more problems than the plugin declares."""
    seed, n = kit.spec.seed, len(kit.items)
    rates = {}
    own = {item.problem_id for item in kit.items}
    others = {
        f"seed {seed + 1}": {"seed": seed + 1},
        "split train": {"split": "train"},
        "shifted by one": {"seed": seed + 1, "shift": 1},
    }
    for name, change in others.items():
        shift = change.pop("shift", 0)
        spec = replace_options(kit.spec, unique=False, n=n, **change)
        ids = [dataset.one(kit.plugin, spec, index + shift).problem_id for index in range(n)]
        rates[name] = sum(one in own for one in ids) / n
    allowed = kit.plugin.benchmark.collision_rate
    for name, rate in rates.items():
        if rate > allowed:
            raise Failure(
                f"{rate:.1%} of the problems come again with {name}; declared are {allowed:.1%}"
            )
    return (
        ", ".join(f"{name}: {rate:.1%}" for name, rate in rates.items())
        + f" (declared {allowed:.1%})"
    )


def _target(kit: Kit) -> str:
    """The gold answer scores full marks, bare and as a last line after reasoning."""
    for item in kit.items:
        for completion in (
            item.target,
            f"Answer: {item.target}",
            f"Let me think.\n\nAnswer: {item.target}",
        ):
            if not kit.full(item, completion):
                raise Failure(
                    f"item {item.index}: the gold answer {_short(completion)} does not score full marks"
                )
    return f"{len(kit.items)} items"


def _values(kit: Kit) -> str:
    """Verdicts keep the contract, and wrong answers are answers: scored, and not unparsed or unscored."""
    choices = kit.plugin.benchmark.choices
    judged = 0
    for item in kit.items:
        wrong = [choice for choice in choices if not kit.full(item, f"Answer: {choice}")]
        for text in (
            f"Answer: {item.target}",
            "I don't know.",
            *(f"Answer: {choice}" for choice in wrong),
        ):
            judged += 1
            found = kit.judge(item, text)
            if text != "I don't know." and found.outcome != "scored":
                raise Failure(
                    f"item {item.index}: score() on {_short(text)} is '{found.outcome}', expected 'scored'"
                )
    return f"{judged} verdicts"


JUNK = (
    "", " ", "\n\n\n", "I don't know.", "?", "Answer:", "Answer: ", "null", "None of the above.", "{}", "[]",
    "As an AI model I cannot answer that.", "<think>", "<think>hm", "\x00\x01\x02\x1b[31m", "\u202e\ufeff\u200b",
    "🙂" * 50, "lorem ipsum " * 200,
)  # fmt: skip
READABLE = (
    "null",
    "None of the above.",
    "{}",
    "[]",
)  # may be an answer somewhere, though never the right one
HUGE = ("(" * 1_000_000, "[" * 500_000 + "]" * 500_000, "{" * 1_000_000, "Answer: " * 125_000, "\\boxed{" * 100_000,
        "\n" * 1_000_000, "a" * 1_000_000, "\x00" * 1_000_000)  # fmt: skip


def _junk(kit: Kit) -> str:
    """Text that holds no answer scores nothing, is no answer, and is no failure of ours."""
    for item in kit.items[:10]:
        for text in JUNK:
            _nothing(kit, item, text)
            if text not in READABLE and kit.judge(item, text).outcome != "unparsed":
                raise Failure(
                    f"item {item.index}: {_short(text)} is taken for an answer, expected 'unparsed'"
                )
    for text in HUGE:
        _nothing(kit, kit.items[0], text)
    return f"{len(JUNK)} short texts, {len(HUGE)} of up to 1 MB"


def _nothing(kit: Kit, item: Item, text: str) -> None:
    found = kit.judge(item, text)
    if found.outcome == "unscored":
        raise Failure(
            f"item {item.index}: {_short(text)} is 'unscored', which is for our own failures"
        )
    if any(found.value.values()):
        raise Failure(f"item {item.index}: {_short(text)} scores {dict(found.value)}")


def _hedge(kit: Kit) -> str:
    """Naming several answers is not answering."""
    choices = kit.plugin.benchmark.choices
    if len(choices) < 2:
        return "one choice only: nothing to hedge between"
    tried = 0
    for item in kit.items[:10]:
        right = [choice for choice in choices if kit.full(item, f"Answer: {choice}")]
        others = [choice for choice in choices if choice not in right]
        # The right one first and last, for scorers that take the first or the last they find.
        for order in ([*right, *others], [*others, *right]):
            for text in (" or ".join(order), f"Answer: {' or '.join(order)}", f"Answer: {'/'.join(order)}",
                         "\n".join(f"Answer: {choice}" for choice in order)):  # fmt: skip
                tried += 1
                if kit.full(item, text):
                    raise Failure(f"item {item.index}: the hedge {_short(text)} scores full marks")
    return f"{tried} hedges"


def _constants(kit: Kit) -> str:
    """No two different constant answers are both right, and none is right everywhere."""
    choices = kit.plugin.benchmark.choices
    right = dict.fromkeys(choices, 0)
    for item in kit.items:
        good = [choice for choice in choices if kit.full(item, f"Answer: {choice}")]
        if len(good) > 1:
            raise Failure(f"item {item.index}: both '{good[0]}' and '{good[1]}' score full marks")
        for choice in good:
            right[choice] += 1
    for choice, count in right.items():
        if count == len(kit.items) > 1:
            raise Failure(f"the constant answer '{choice}' is right on every item")
    return ", ".join(f"{choice}: {count / len(kit.items):.0%}" for choice, count in right.items())


def _foreign(kit: Kit) -> str:
    """Another item's answer is right only where it is equally good."""
    tried = 0
    firsts = list({other.target: other for other in reversed(kit.items)}.values())
    for at, item in enumerate(kit.items):
        # A few others each, not the same few for all.
        turn = at % len(firsts)
        for other in [one for one in firsts[turn:] + firsts[:turn] if one.target != item.target][
            :6
        ]:
            tried += 1
            text = f"Answer: {other.target}"
            if not kit.full(item, text):
                continue
            # Another right answer (a second counterexample, say) is one for which ours is right as well.
            twin = kit.full(replace(item, target=other.target), f"Answer: {item.target}")
            if not twin or item.target in kit.plugin.benchmark.choices:
                raise Failure(
                    f"item {item.index}: the answer of item {other.index}, {_short(text)}, scores full marks"
                )
    return f"{tried} answers of other items"


def _prefixes(kit: Kit) -> str:
    """A cut-off answer is not yet the answer."""
    tried = 0
    for item in kit.items[:10]:
        text = f"Answer: {item.target}"
        for end in range(len(text)):
            prefix = text[:end]
            if text[end:].strip(" .)\"'") == "":
                continue
            tried += 1
            if kit.full(item, prefix):
                raise Failure(
                    f"item {item.index}: the cut-off answer {_short(prefix)} scores full marks"
                )
    return f"{tried} prefixes"


def _leak(kit: Kit) -> str:
    """The prompt neither answers itself nor tells the answer by what it mentions."""
    choices = kit.plugin.benchmark.choices
    mentions: dict[tuple[int, ...], list[str]] = defaultdict(list)
    for item in kit.items:
        if kit.full(item, item.prompt):
            raise Failure(
                f"item {item.index}: the prompt given back as the answer scores full marks"
            )
        if item.target not in choices and item.target in item.prompt:
            raise Failure(
                f"item {item.index}: the prompt contains the target {_short(item.target)}"
            )
        if item.target in choices:
            mentions[tuple(item.prompt.count(choice) for choice in choices)].append(item.target)
    told = _told(list(mentions.values()))
    if told:
        raise Failure(f"how often a prompt names each choice tells which one is right: {told}")
    return f"{len(kit.items)} prompts"


def _told(parts: list[list[str]]) -> str:
    """Say how much better targets are guessed from the part they are in; empty when by chance.

    Each is guessed to be the most frequent among the others of its part; without the parts
    one would always say what is most frequent in all.
    """
    n = sum(map(len, parts))
    blind = max(Counter(target for part in parts for target in part).values(), default=0)
    seeing = sum(map(_guessed, parts))
    if seeing - blind <= 4 * (blind * (n - blind) / max(n, 1)) ** 0.5:
        return ""
    return f"{seeing:.0f} of {n} guessed so, {blind} without"


def _guessed(targets: list[str]) -> float:
    hits = 0.0
    for target in targets:
        others = Counter(targets)
        others[target] -= 1
        best = max(others.values())
        if 0 < best == others[target]:
            hits += 1 / sum(count == best for count in others.values())
    return hits


def _read(kit: Kit) -> str:
    """The prompt alone holds the whole problem, and foreign text is not taken for one."""
    for item in kit.items:
        problem = kit.plugin.call("read", prompt=item.prompt)
        if problem is None:
            raise Failure(
                f"item {item.index}: read() does not recognise the prompt {_short(item.prompt)}"
            )
        if canonical_json(problem) != canonical_json(item.problem):
            raise Failure(
                f"item {item.index}: read() returns another problem than the prompt was made from"
            )
    for text in (*JUNK, "What is the capital of France?", HUGE[0]):
        try:
            problem = kit.plugin.hooks.read(prompt=text)
        except Exception as error:
            raise Failure(f"read() raised {one_line(error)} on {_short(text)}") from error
        if problem is not None:
            raise Failure(f"read() takes {_short(text)} for a prompt of its own")
    return f"{len(kit.items)} prompts"


def _engines(kit: Kit) -> str:
    """Every label is derived by at least two engines, and none contradicts it."""
    benchmark = kit.plugin.benchmark
    key = benchmark.agreement or benchmark.values[0]
    abstained = dict.fromkeys(benchmark.engines, 0)
    for item in kit.items:
        agreed = 0
        for engine in benchmark.engines:
            try:
                solution = kit.plugin.call("solve", problem=item.problem, engine=engine)
            except Abstained:
                abstained[engine] += 1
                continue
            except HarnessError as error:
                raise Failure(f"item {item.index}: {engine} failed: {error}") from error
            found = kit.judge(item, f"Answer: {solution.answer}")
            if found.outcome != "scored" or found.value[key] != 1:
                raise Failure(
                    f"item {item.index}: label {item.target}, {engine} derives {solution.answer}"
                )
            agreed += 1
        if agreed < 2:
            raise Failure(f"item {item.index}: only {agreed} engine decided it; a label needs two")
    shares = ", ".join(f"{name} {count}" for name, count in abstained.items())
    return f"{len(kit.items)} labels; abstained: {shares}"


def _certificates(kit: Kit) -> str:
    """Certificates hold, and stop holding when label or evidence is tampered with."""
    choices = kit.plugin.benchmark.choices
    tampered = 0
    for item in kit.items:
        for message in _checked(kit, item, "the genuine certificate"):
            raise Failure(f"item {item.index}: check() refuses the genuine certificate: {message}")
        wrong = {"no certificate": replace(item, certificate=None)}
        wrong["an empty certificate"] = replace(item, certificate={})
        for choice in choices:
            if not kit.full(item, f"Answer: {choice}"):
                wrong[f"the target '{choice}'"] = replace(item, target=choice)
        for other in kit.items[:5]:
            if not _same_label(item, other):
                wrong[f"the certificate of item {other.index}"] = replace(
                    item, certificate=other.certificate
                )
        wrong |= _nonsense(item)
        for what, fake in wrong.items():
            tampered += 1
            if not _checked(kit, fake, what):
                raise Failure(f"item {item.index}: check() accepts {what}")
    return f"{tampered} tamperings rejected"


def _checked(kit: Kit, item: Item, what: str) -> list[str]:
    try:
        return list(kit.plugin.hooks.check(item=item))
    except Exception as error:
        raise Failure(f"item {item.index}: check() raised {one_line(error)} on {what}") from error


def _same_label(item: Item, other: Item) -> bool:
    return item.target.split(":")[0] == other.target.split(":")[0]


def _nonsense(item: Item) -> dict[str, Item]:
    """Return the item with nonsense in each non-null part of its certificate in turn."""
    if not isinstance(item.certificate, dict):
        return {}
    parts = [key for key, value in item.certificate.items() if value is not None]
    return {
        f"nonsense in certificate['{key}']": replace(
            item, certificate={**item.certificate, key: {"tampered": [10**9]}}
        )
        for key in parts
    }


def golden_path(plugin: Plugin) -> Path:
    """Return where the golden items of a plugin lie: ``golden.json`` beside its module."""
    file = import_module(plugin.source).__file__
    assert file is not None
    return Path(file).with_name("golden.json")


def write_golden(kit: Kit) -> None:
    """Pin the first items of the default configuration to the plugin's version."""
    text = json.dumps(
        {"version": kit.plugin.benchmark.version, "items": _golden_ids(kit)}, indent=2
    )
    golden_path(kit.plugin).write_text(text + "\n", encoding="utf-8")


def _golden_ids(kit: Kit) -> list[str]:
    spec = make(kit.plugin, {"n": GOLDEN, "unique": False})
    return [digest(item.to_dict()) for item in dataset.fresh(kit.plugin, spec)]


def _golden(kit: Kit) -> str:
    """The items of a version never change: what an index yields is pinned in golden.json."""
    path = golden_path(kit.plugin)
    if not path.exists():
        raise Failure(
            f"{path.name} is missing beside the plugin's module; write it with golden=write"
        )
    version = kit.plugin.benchmark.version
    try:
        pinned = json.loads(path.read_text(encoding="utf-8"))
        pinned_version, pinned_items = pinned["version"], list(pinned["items"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Failure(
            f"{path.name} cannot be read: {one_line(error)}; golden=write renews it"
        ) from error
    if pinned_version != version:
        raise Failure(
            f"{path.name} is of version {pinned_version}, the plugin is {version}; golden=write renews it"
        )
    now = _golden_ids(kit)
    if pinned_items != now:
        changed = [str(i) for i in range(len(now)) if pinned_items[i : i + 1] != now[i : i + 1]]
        which = f"items {', '.join(changed)} differ" if changed else "the number of items differs"
        raise Failure(
            f"{which} from {path.name} of version {version}: raise the version, then golden=write"
        )
    return f"{GOLDEN} items of version {version}"


def _inspect(kit: Kit) -> str:
    """Through Inspect the symbolic reference scores 1.0 and a constant its floor."""
    from harness import runs

    n = min(EVAL, len(kit.items))
    notes = []
    with tempfile.TemporaryDirectory() as folder:
        for model, choice in (
            ("harness/reference", None),
            ("harness/constant", kit.plugin.benchmark.choices[0]),
        ):
            spec = replace_options(kit.spec, n=n, unique=False, model=model, log_dir=folder)
            result = runs.result(runs.run(spec))
            if result["unscored"]:
                raise Failure(
                    f"{model}: {result['unscored']} items could not be scored: {result['errors'][:1]}"
                )
            value = result["metrics"][kit.plugin.benchmark.headline]["value"]
            expected = 1.0 if choice is None else _constant_score(kit, n, choice)
            if value is None or abs(value - expected) > 1e-6:
                raise Failure(f"{model} scores {value}, expected {expected}")
            notes.append(f"{model} {value:.2f}")
    return ", ".join(notes)


def _constant_score(kit: Kit, n: int, choice: str) -> float:
    benchmark = kit.plugin.benchmark
    rows = []
    for item in kit.items[:n]:
        found = kit.judge(item, f"Answer: {choice}")
        rows.append(
            Row(
                item.target,
                found.answer,
                found.outcome,
                found.value,
                item.features,
                None,
                found.extra,
            )
        )
    headline = next(m for m in benchmark.metrics if m.name == benchmark.headline)
    return stats.value_of(headline, rows)


CHECKS: dict[str, Callable[[Kit], str]] = {
    "describe": _description,
    "schema": _schema,
    "values": _values,
    "roundtrip": _roundtrip,
    "order": _order,
    "processes": _processes,
    "seeds": _seeds,
    "target": _target,
    "junk": _junk,
    "hedge": _hedge,
    "constants": _constants,
    "foreign": _foreign,
    "prefixes": _prefixes,
    "leak": _leak,
    "read": _read,
    "engines": _engines,
    "certificates": _certificates,
    "golden": _golden,
    "inspect": _inspect,
}

__all__ = ["CHECKS", "HarnessError", "conformance", "fingerprints", "write_golden"]
