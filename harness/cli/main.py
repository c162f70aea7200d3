"""The command line: one thin function per command, each returning one JSON-serialisable object."""

from __future__ import annotations

import io
import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness_errors import HarnessError, OutputError, SpecError, did_you_mean

from harness.core.contract_version import CONTRACT
from harness.run.startup import settle

DATA = ("n", "seed", "split", "unique")
ENGINE = ("engine", "workers", "address")
RUN = (
    *DATA, "prune_model", "strategy", "gold", "shots", "samples", "convention", "model", "dataset", "format",
    "log_dir", "temperature", "top_p", "max_tokens", "timeout", "max_retries", "max_connections", "logprobs",
    "tools", "sandbox", "context", "structured", "resume", *ENGINE, "shards",
)  # fmt: skip


COMPLETE = "__complete"  # what the scripts of `harness completion` call


@dataclass(frozen=True, slots=True)
class Command:
    """One command: what it does, the core keys it takes, and how its result reads as text."""

    summary: str
    usage: str
    keys: tuple[str, ...]
    act: Callable[[list[str]], tuple[dict[str, Any], int]]
    text: Callable[[dict[str, Any]], str]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return the exit code: 0 good, 1 a finding or failure, 2 bad input, 130 Ctrl-C, 143 SIGTERM."""
    if arguments is None:
        settle()
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == [COMPLETE]:  # a shell asks: whatever is wrong, it gets no words, and no error
        from harness.cli.completion import answer

        return _print(answer(words[1:]))
    as_json = "--json" in words
    for stream in (sys.stdout, sys.stderr):
        if isinstance(
            stream, io.TextIOWrapper
        ):  # a terminal's encoding may lack what a prompt holds
            stream.reconfigure(errors="backslashreplace")
    stopped: list[int] = []
    try:
        with _terminable(stopped):
            found, code, text = _act([word for word in words if word != "--json"])
    except HarnessError as error:
        return _fail(str(error), type(error).__name__, error.exit_code, as_json)
    except KeyboardInterrupt as error:
        kept = f"; {error}" if str(error) else ""
        what, code = ("terminated", 143) if stopped else ("interrupted", 130)
        return _fail(f"{what}{kept}", what.capitalize(), code, as_json)
    if as_json:
        return _print(json.dumps(found, default=dict)) or code
    from harness.cli.colour import for_output

    return _print(for_output(text(found))) or code


@contextmanager
def _terminable(stopped: list[int]) -> Iterator[None]:
    """Take SIGTERM for Ctrl-C, so that whatever is under way ends as carefully; ``stopped`` tells the two apart."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    own = os.getpid()

    def stop(number: int, frame: object) -> None:
        if os.getpid() != own:  # a fork of ours, which nobody waits for
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
            return
        stopped.append(number)
        if not callable(signal.getsignal(signal.SIGINT)):  # ignored, as in a shell's background
            raise KeyboardInterrupt
        signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _fail(message: str, kind: str, code: int, as_json: bool) -> int:
    line = " ".join(message.split())
    if as_json:
        _print(json.dumps({"error": {"kind": kind, "message": line}}))
    from harness.core.facts import printable  # only here: the help does without it

    # What a message quotes may be foreign text, and steer a terminal.
    print(f"harness: {printable(line, len(line))}", file=sys.stderr)
    return code


def _print(text: str) -> int:
    """Print the result; return 1 if that fails, but 0 if the reader (`head`) has seen enough."""
    try:
        print(text, flush=True)
    except OSError as error:
        # Python flushes once more at exit, and must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            return _fail(
                f"standard output cannot be written: {error.strerror}", "OutputError", 1, False
            )
    return 0


FLAGS = ("--help", "-h", "--json", "--version")
WORDS = {"--minimal": "minimal=yes"}  # flags that are another way to write a setting


def _act(words: list[str]) -> tuple[dict[str, Any], int, Callable[[dict[str, Any]], str]]:
    """Return what the words ask for, the exit code, and how the result reads as text."""
    words = [WORDS.get(word, word) for word in words]
    flags = [word for word in words if word.startswith("-")]
    rest = [word for word in words if word not in flags]
    for flag in flags:
        if flag not in FLAGS:
            raise SpecError(f"unknown option '{flag[:80]}'; {did_you_mean(flag, (*FLAGS, *WORDS))}")
    if "--version" in flags:
        from harness import __version__

        return {"version": __version__}, 0, lambda found: f"harness {found['version']}"
    if rest:
        _known(rest[0])
    if flags or not rest:
        return {"help": _help(rest[0] if rest else None)}, 0, lambda found: str(found["help"])
    command = COMMANDS[rest[0]]
    try:
        return *command.act(rest[1:]), command.text
    finally:
        _warn_of_plugins()


def _warn_of_plugins() -> None:
    """Say which hooks of the plugins, where any were loaded, go with a later contract."""
    loaded = sys.modules.get("harness.core.plugins")
    if loaded is not None and loaded.registry.cache_info().currsize:
        for line in loaded.registry().warnings:
            _warn(f"warning: {line}")


def _known(name: str) -> None:
    if name not in COMMANDS:
        raise SpecError(f"no command '{name[:80]}'; {did_you_mean(name, COMMANDS)}")


def _help(name: str | None) -> str:
    if name is not None:
        command = COMMANDS[name]
        keys = f"\nkeys: {' '.join(command.keys)}" if command.keys else ""
        return f"usage: {command.usage} [--json]\n\n{command.summary}{keys}"
    width = max(map(len, COMMANDS))
    rows = [f"  {n:<{width}}  {c.summary}" for n, c in COMMANDS.items()]
    return "\n".join([
        "usage: harness COMMAND key=value … [--json]",
        "",
        "Evaluate temporal reasoning in language models with labels two engines agree on.",
        "",
        "commands:",
        *rows,
        "",
        "harness COMMAND --help lists a command's keys; harness describe plugin=… a benchmark's.",
        "A comma makes a sweep: operators=1,2,3. --json prints one JSON object instead of text.",
    ])  # fmt: skip


def _run(words: list[str]) -> tuple[dict[str, Any], int]:
    from harness.core.plugins import registry
    from harness.core.spec import build

    specs = build(registry(), words, (*RUN, "preset"))
    results = evaluated(specs)
    bad = any(one["unscored"] or one["errors"] for one in results)
    view = f"{_program()} view log_dir={specs[0].log_dir}"
    found = [log for one in results for log in one.get("shards", [one["log"]])]
    return {"logs": found, "results": results, "view": view}, int(bad)


def evaluated(specs: Sequence[Any]) -> list[dict[str, Any]]:
    """Return the result of each run of a sweep; all of them are looked at before the first one begins."""
    from harness.aids import tools
    from harness.rerun import sweeps
    from harness.run import models

    named = [(spec.options[key], key) for spec in specs for key in ("model", "prune_model")]
    for name, key in dict.fromkeys(named):
        if name:
            models.model_of(name, key)
    for spec in specs:  # all of them before the first is run
        _check_reading(spec)
        tools.check(spec)
    results = []
    with sweeps.under_way(specs) as sweep:
        for number, spec in enumerate(specs, 1):
            if len(specs) > 1:
                print(f"[{number}/{len(specs)}] {spec}", file=sys.stderr)
            results.append(_evaluated(spec, sweep))
    return results


def _evaluated(spec: Any, sweep: Any) -> dict[str, Any]:
    """Return the result of one spec, run in one log or in shards."""
    from harness.core.plugins import registry
    from harness.rerun import run_shards
    from harness.run import evaluation

    _check_engine(spec)
    if spec.shards:
        return run_shards.run(registry().get(spec.plugin), spec, _warn, sweep).result
    return evaluation.result(evaluation.run(spec, _warn, sweep=sweep))


def _check_engine(spec: Any) -> None:
    """Refuse an engine that does not exist, and one for the one log that one process writes."""
    from harness.datasets import engines

    engines.check(spec.options)
    for key, default in (("engine", "local"), ("workers", None)):
        if not spec.shards and spec.options[key] != default:
            raise SpecError(
                f"{key}={spec.options[key]} goes with shards=N: one log is one process's"
            )


def _check_reading(spec: Any) -> None:
    """Refuse a format to read where nothing is read."""
    if spec.format and not spec.dataset:
        raise SpecError(f"format={spec.format} says how a dataset is read: give dataset=FILE, too")


def _warn(line: str) -> None:
    print(line, file=sys.stderr)


def _program() -> str:
    """Return how to call this program again: by its path where it is not on PATH."""
    import shutil

    called = sys.argv[0] if Path(sys.argv[0]).name == "harness" else "harness"
    return "harness" if shutil.which("harness") else called


def _list(words: list[str]) -> tuple[dict[str, Any], int]:
    _no_words("list", words)
    from harness.core.plugins import registry

    found = registry()
    benchmarks = [
        {
            "name": name,
            "version": p.benchmark.version,
            "summary": p.benchmark.summary,
            "licence": p.benchmark.licence,
        }
        for name, p in sorted(found.benchmarks.items())
    ]
    return {
        "contract": CONTRACT,
        "plugins": benchmarks,
        "wrappers": list(found.wrappers),
        "failures": found.failures,
        "warnings": found.warnings,
    }, 0


def _no_words(name: str, words: list[str]) -> None:
    if words:
        raise SpecError(f"harness {name} takes no settings, got '{words[0]}'")


def _describe(words: list[str]) -> tuple[dict[str, Any], int]:
    from harness.core.spec import strategies

    spec, plugin = _one_spec(words, ())
    benchmark = plugin.benchmark
    return {
        "name": benchmark.name,
        "version": benchmark.version,
        "summary": benchmark.summary,
        "licence": benchmark.licence,
        "citation": benchmark.citation,
        "config_schema": benchmark.config_schema,
        "presets": benchmark.presets,
        "strategies": {name: s.summary for name, s in strategies(benchmark).items()},
        "stages": {s.name: list(s.stages) for s in strategies(benchmark).values() if s.stages},
        "engines": list(benchmark.engines),
        "metrics": {m.name: m.summary for m in (*benchmark.metrics, *benchmark.published)},
        "headline": benchmark.headline,
        "choices": list(benchmark.choices),
        "formats": list(benchmark.formats),
        "dataset_formats": list(benchmark.dataset_formats),
        "weaknesses": dict(benchmark.weaknesses),
        "problem_schema": benchmark.problem_schema,
        "answer_schema": benchmark.answer_schema,
        "collision_rate": benchmark.collision_rate,
        "capacity": plugin.call("capacity", config=dict(spec.config)),
    }, 0


def _one_spec(words: list[str], keys: Sequence[str], own: Sequence[str] = ()) -> tuple[Any, Any]:
    from harness.core.plugins import registry
    from harness.core.spec import build

    specs = build(registry(), words, (*keys, "preset"), own)
    if len(specs) != 1:
        raise SpecError(f"this command takes one setting of each key, got a sweep of {len(specs)}")
    return specs[0], registry().get(specs[0].plugin)


SHOW = (*DATA, "index", "item", "dataset", "format", "out")


def _show(words: list[str]) -> tuple[dict[str, Any], int]:
    given = {word.partition("=")[0] for word in words}
    words = words if given & {"n", "preset", "item"} else [*words, "n=1"]
    spec, plugin = _one_spec(words, SHOW)
    from harness.datasets.show import show

    # A format is one to show items in, or one that the dataset is to be read as.
    form = spec.format if spec.format in plugin.benchmark.formats else None
    if not form:
        _check_reading(spec)
    return show(plugin, spec, form, _warn), 0


GENERATE = (*DATA, "prune_model", "out", "to", *ENGINE, "shards")


def _generate(words: list[str]) -> tuple[dict[str, Any], int]:
    from harness.core import facts
    from harness.datasets import generate

    spec, plugin = _one_spec(words, GENERATE)
    if spec.out is None:
        raise SpecError("out=… is missing: FILE.jsonl, or a folder or URL for shards")
    if spec.prune_model:
        from harness.run.models import model_of

        model_of(spec.prune_model, "prune_model")  # before a file is begun
    found = generate.make(plugin, spec)
    for line in facts.warnings(found.get("plugin")):
        _warn(line)
    return found, 0


VERIFY = (*DATA, "dataset", "format", "out", "report", *ENGINE)


def _verify(words: list[str]) -> tuple[dict[str, Any], int]:
    from harness.audit.verify import audit

    spec, plugin = _one_spec(words, VERIFY)
    _check_reading(spec)
    report = audit(plugin, spec)
    return report, int(bool(report["grave"]))


ITEMS = (*DATA, "dataset", "format")
SCORE = (
    *ITEMS, "responses", "id", "response", "model", "samples", "convention", "log_dir", *ENGINE, "shards",
)  # fmt: skip


def _score(words: list[str]) -> tuple[dict[str, Any], int]:
    from harness.rerun import score

    if any("=" not in word for word in words):
        found = score.again(words, _warn)
    else:
        spec, _ = _one_spec(words, SCORE)
        _check_engine(spec)
        found = score.score(spec, any(word.startswith("model=") for word in words), _warn)
    found["view"] = f"{_program()} view log_dir={Path(found['log']).parent}"
    return found, int(score.bad(found))


def _export(words: list[str]) -> tuple[dict[str, Any], int]:
    from harness.core import facts
    from harness.datasets.export import export

    spec, plugin = _one_spec(words, (*ITEMS, "out", "to"))
    found = export(plugin, spec)
    for line in facts.warnings(found.get("plugin")):
        _warn(line)
    return found, 0


def _traces(words: list[str]) -> tuple[dict[str, Any], int]:
    from harness.training import traces

    given = {word.partition("=")[0] for word in words}
    words = words if given & {"split", "dataset"} else [*words, f"split={traces.SPLIT}"]
    spec, plugin = _one_spec(words, (*ITEMS, "out"))
    _check_reading(spec)
    found = traces.write(plugin, spec)
    for line in found["warnings"]:
        _warn(f"warning: {line}")
    return found, 0


def _new(words: list[str]) -> tuple[dict[str, Any], int]:
    from harness.author.new import new

    return new(words), 0


GOLDEN = ("check", "write")


def _check(words: list[str]) -> tuple[dict[str, Any], int]:
    from harness.core.plugins import registry
    from harness.kit.check import checkable, chosen, unloadable
    from harness.kit.processes import conformance_apart

    golden = [word for word in words if word.startswith("golden=")]
    if golden not in ([], *([f"golden={mode}"] for mode in GOLDEN)):
        hint = did_you_mean(golden[0].removeprefix("golden="), GOLDEN)
        raise SpecError(f"{golden[0][:80]}: golden takes {' or '.join(GOLDEN)}; {hint}")
    only = chosen([word for word in words if word.startswith("only=")])
    words = [word for word in words if not word.startswith(("golden=", "only="))]
    name = checkable(registry(), words)
    if name in registry().failures:
        return unloadable(name, registry().failures[name]), 1
    spec, plugin = _one_spec(words, ("n", "seed"), ("golden", "only"))
    mode = "write" if golden == ["golden=write"] else "check"
    report = conformance_apart(
        plugin, spec.config, n=min(spec.n, 200), seed=spec.seed, golden=mode, only=only
    )
    return report, int(bool(report["failures"]))


def _doctor(words: list[str]) -> tuple[dict[str, Any], int]:
    from harness.author import doctor

    found = doctor.examine(words)
    return found, int(not found["healthy"])


def _completion(words: list[str]) -> tuple[dict[str, Any], int]:
    from harness.cli import completion

    return completion.command(words), 0


VIEW = ("log_dir", "host", "port", "bundle")


def _view(words: list[str]) -> tuple[dict[str, Any], int]:
    from harness.core.spec import parse

    raw = {key: ",".join(values) for key, values in parse(words).items()}
    unknown = sorted(set(raw) - set(VIEW))
    if unknown:
        raise SpecError(f"unknown key '{unknown[0]}'; {did_you_mean(unknown[0], VIEW)}")
    port = raw.get("port", "7575")
    if not port.isdecimal() or not 1 <= int(port) <= 65535:
        raise SpecError(f"port={port}: expected a number from 1 to 65535")
    logs = Path(raw.get("log_dir", "logs"))
    if not os.path.isdir(logs):  # noqa: PTH112 (Path.is_dir raises where the name is too long)
        raise OutputError(f"no log directory {logs}; harness run writes one")
    if "bundle" in raw:
        from harness.run.viewer import bundle

        bundle(logs, Path(raw["bundle"]))
        return {"log_dir": str(logs), "bundle": raw["bundle"]}, 0
    from inspect_ai._view.view import view

    host = raw.get("host", "127.0.0.1")
    _free(host, int(port))
    print(f"http://{host}:{port}/ (Ctrl-C ends it)", file=sys.stderr)
    with redirect_stdout(sys.stderr), suppress(KeyboardInterrupt):  # the way to close it
        view(log_dir=str(logs), host=host, port=int(port))
    return {"log_dir": str(logs)}, 0


def _free(host: str, port: int) -> None:
    """Refuse an address that cannot be listened on, before the viewer fails on it at length."""
    import socket

    try:
        with socket.create_server((host, port)):
            pass
    except OSError as error:
        raise OutputError(
            f"cannot listen on {host}:{port}: {error.strerror}; choose another port="
        ) from None


def _report(words: list[str]) -> tuple[dict[str, Any], int]:
    from harness.report.report import report

    return report(words, _warn), 0


def _compare(words: list[str]) -> tuple[dict[str, Any], int]:
    from harness.report.commands import needed

    with needed():
        from harness.report.compare import compare

        return compare(words, _warn), 0


def _plan(words: list[str]) -> tuple[dict[str, Any], int]:
    from harness.report.commands import needed

    with needed():
        from harness.report.plan import plan

        return plan(words, _warn), 0


def _text(name: str, module: str = "cli.tables") -> Callable[[dict[str, Any]], str]:
    def text(found: dict[str, Any]) -> str:
        from importlib import import_module

        render: Callable[[Mapping[str, Any]], str] = getattr(
            import_module(f"harness.{module}"), name
        )
        return render(found)

    return text


COMMANDS: dict[str, Command] = {
    "run": Command(
        "evaluate a model on a benchmark", "harness run plugin=NAME key=value …", RUN, _run, _text("run")
    ),
    "list": Command("list the installed benchmarks", "harness list", (), _list, _text("listing")),
    "describe": Command(
        "say what a benchmark is and which keys it takes", "harness describe plugin=NAME", (),
        _describe, _text("description"),
    ),
    "show": Command(
        "print or draw items of a benchmark",
        "harness show plugin=NAME [n=3 index=0 | item=INDEX_OR_ID] [format=svg out=FILE.svg]",
        SHOW, _show, _text("items"),
    ),
    "generate": Command(
        "write items to a JSONL file, or to a folder of shards, with a manifest (resumable)",
        "harness generate plugin=NAME n=1000 out=FILE.jsonl|FOLDER|URL [shards=8] [engine=ray]", GENERATE,
        _generate, _text("written"),
    ),
    "verify": Command(
        "audit a dataset: re-derive every label with every engine, and say what else is wrong",
        "harness verify plugin=NAME [dataset=FILE] [out=FIXED] [report=DIR|none]",
        VERIFY, _verify, _text("verification"),
    ),
    "score": Command(
        "score answers produced elsewhere, or a log anew, without asking a model",
        "harness score plugin=NAME [dataset=FILE] responses=FILE, or harness score LOG",
        SCORE, _score, _text("scored"),
    ),
    "export": Command(
        "write a dataset in another form: JSONL, Parquet, a Hugging Face folder, the published format",
        "harness export plugin=NAME [dataset=FILE] out=PATH to=jsonl|parquet|huggingface|published",
        (*ITEMS, "out", "to"), _export, _text("exported"),
    ),
    "traces": Command(
        "write step-by-step solutions for supervised training, each re-read and scored before it is written",
        "harness traces plugin=NAME n=1000 out=FILE.jsonl [dataset=FILE] [split=train]",
        (*ITEMS, "out"), _traces, _text("text", "training.traces"),
    ),
    "report": Command(
        "make a page, tables and figures from logs", "harness report LOG_OR_DIR… out=DIR",
        ("out", "items"), _report, _text("report", "report.report_text"),
    ),
    "compare": Command(
        "compare models on the items that all of them answered",
        "harness compare LOG_A LOG_B … [metrics=a,b] [plugin=NAME]",
        ("plugin", "metrics"), _compare, _text("compare", "report.compare_text"),
    ),
    "plan": Command(
        "say how many items it takes to see a difference", "harness plan plugin=NAME d=0.05 power=0.8 [pilot=LOG]",
        (*ITEMS, "d", "power", "alpha", "pilot", "metrics"), _plan, _text("plan", "report.compare_text"),
    ),
    "new": Command(
        "write a new plugin that works at once: a package, or one file",
        "harness new NAME [out=FOLDER] [licence=Apache-2.0] [--minimal]", ("out", "licence"), _new,
        _text("text", "author.new"),
    ),
    "check": Command(
        "run the conformance kit on a plugin", "harness check plugin=NAME [only=read,engines] [golden=write]",
        ("n", "seed", "golden", "only"), _check, _text("text", "kit.text"),
    ),
    "doctor": Command(
        "say what works here, what is missing, and how to get it", "harness doctor [plugin=NAME] [log_dir=logs]",
        ("plugin", "log_dir"), _doctor, _text("text", "author.doctor"),
    ),
    "completion": Command(
        "print a script that completes words in a shell", "harness completion bash|zsh|fish", (),
        _completion, _text("text", "cli.completion"),
    ),
    "view": Command(
        "open the Inspect viewer on the logs, or write it as a static site",
        "harness view log_dir=logs [port=7575 | bundle=DIR]", VIEW, _view, _text("viewed"),
    ),
}  # fmt: skip
