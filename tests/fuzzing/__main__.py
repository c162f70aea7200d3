"""Fuzz one target, or all in turn: ``python -m fuzzing target=NAME seconds=60 engine=mutate|atheris seed=0 out=DIR``.

Findings are written to ``out``, one input each, and printed; a line of figures a target ends the output. The exit
code is 1 where there are findings (of atheris, which ends the process itself, where all targets are run).
``input=FILE`` looks at one input again.
"""

import json
import os
import subprocess
import sys
import time
import traceback
from pathlib import Path
from random import Random

OURS = (
    "harness",
    "harness_answers",
    "harness_logic",
    "harness_ltlbench",
    "harness_timepuzzles",
    "harness_vltl",
    "harness_tempobench",
)
KEPT = 400  # inputs beside the seeds that others are made of


class Tally:
    """How often a target was run, and what was found."""

    def __init__(self, name, folder):
        self.name, self.folder = name, Path(folder)
        self.runs, self.found, self.start, self.told = 0, {}, time.monotonic(), 0.0

    def look(self, target, data):
        """Run a target; note what it finds. An exception of ours ends nothing."""
        from fuzzing.target import finding

        self.runs += 1
        try:
            target.run(data)
        except Exception as error:
            key = finding(error)
            if key not in self.found:
                self.found[key] = len(self.found)
                self._keep(key, data)
            return False
        return True

    def _keep(self, key, data):
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{self.name}-{len(self.found)}-{os.getpid()}"
        path.write_bytes(data)
        path.with_suffix(".txt").write_text(f"{key}\n\n{traceback.format_exc()}", errors="replace")
        print(f"{self.name}: {key} ({path})", flush=True)

    def tell(self, often=0.0):
        """Write the figures down, at most every so many seconds."""
        if time.monotonic() - self.told < often:
            return
        self.told = time.monotonic()
        figures = {"target": self.name, "runs": self.runs, "findings": sorted(self.found),
                   "seconds": round(self.told - self.start, 1), "cpu": round(time.process_time(), 1)}  # fmt: skip
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / f"{self.name}-{os.getpid()}.json").write_text(json.dumps(figures))


def mutate(target, tally, seconds, seed):
    """Run mutations of seeds and of inputs made before, for some seconds."""
    rng, pool = Random(f"{target.name}{seed}"), []
    for data in target.seeds:
        tally.look(target, data)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        old = rng.choice(pool) if pool and rng.random() < 0.3 else rng.choice(target.seeds)
        data = target.mutate(rng, old)
        tally.look(target, data)
        if rng.random() < 0.1 and len(data) < 20_000:
            pool[rng.randrange(KEPT) :] = (
                [data] if len(pool) >= KEPT else [*pool[len(pool) :], data]
            )
            del pool[KEPT:]
        tally.tell(5.0)
    tally.tell()


def guided(target, tally, seconds, seed):
    """Run mutations that atheris chooses by the code that they reach; never returns."""
    import tempfile

    import atheris

    corpus = tempfile.mkdtemp(prefix="fuzz-")
    for number, data in enumerate(target.seeds):
        Path(corpus, f"seed{number}").write_bytes(data)

    def one(data):
        tally.look(target, data)
        tally.tell(2.0)

    def other(data, most, number):
        rng = Random(number)
        if rng.random() < 0.15:
            return atheris.Mutate(data, most)
        return target.mutate(rng, bytes(data))[:most]

    # Its own alarm comes too late to be in the way of that of a target.
    options = [f"-max_total_time={seconds}", f"-seed={seed + 1}", "-max_len=60000", "-len_control=0",
               "-timeout=100000", "-rss_limit_mb=4096", "-print_final_stats=0", "-verbosity=0"]  # fmt: skip
    atheris.Setup([sys.argv[0], *options, corpus], one, custom_mutator=other)
    atheris.Fuzz()


def load(engine):
    """Import the targets, in a way that tells atheris which code is reached if it is the engine."""
    if engine == "atheris":
        try:
            import atheris
        except ImportError:
            sys.exit("engine=atheris needs the package atheris: pip install -e '.[fuzz]'")
        with atheris.instrument_imports(include=list(OURS)):
            _all_modules()
    from fuzzing.targets import TARGETS

    return TARGETS


def _all_modules():
    """Import what plugins import late: only what is imported now is instrumented."""
    from importlib import import_module
    from pkgutil import walk_packages

    for name in OURS[1:]:
        package = import_module(name)
        for module in walk_packages(package.__path__, f"{name}."):
            if not module.name.endswith((".__main__", ".synthesis_worker")):
                import_module(module.name)
    for name in (
        "datasets.reading",
        "datasets.records",
        "datasets.foreign_json",
        "rerun.responses",
    ):
        import_module(f"harness.{name}")


def main(words):
    given = dict(word.partition("=")[::2] for word in words)
    if unknown := set(given) - {"target", "seconds", "engine", "seed", "out", "input"}:
        print(f"unknown key '{min(unknown)}'", file=sys.stderr)
        return 2
    engine, folder = given.get("engine", "mutate"), given.get("out", "logs/fuzz")
    seconds, seed = int(given.get("seconds", "60")), int(given.get("seed", "0"))
    if "target" not in given:
        from fuzzing.targets import TARGETS

        for name in TARGETS:  # a process each: what one has filled or broken is no other's
            subprocess.run([sys.executable, "-m", "fuzzing", f"target={name}", *words], check=False)
        return int(any(Path(folder).glob("*.txt")))
    targets = load(engine)
    if given["target"] not in targets:
        print(f"no target '{given['target']}'; known: {', '.join(targets)}", file=sys.stderr)
        return 2
    target = targets[given["target"]]
    if "input" in given:
        target.run(Path(given["input"]).read_bytes())
        return 0
    tally = Tally(target.name, folder)
    (guided if engine == "atheris" else mutate)(target, tally, seconds, seed)
    print(f"{target.name}: {tally.runs} inputs, {len(tally.found)} findings", flush=True)
    return int(bool(tally.found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
