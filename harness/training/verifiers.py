"""A benchmark as an environment of the library `verifiers`: its tasks are items, its reward is `harness.reward`.

The classes are in the folder `environment` beside this module. It is installed as the top-level package
`harness_verifiers`, because verifiers imports a taskset by such a name; its own commands take the name, too. This
module needs verifiers when `environment` is called, and not before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any

from harness_errors import SpecError

from harness.core.facts import printable
from harness.core.items import Item
from harness.datasets.extras import command_for
from harness.training.rewards import Shaping, plugins
from harness.training.streams import check_count, problem_ids

PACKAGE = "harness_verifiers"  # what the folder `environment` is installed as


def environment(
    plugin: str,
    config: Mapping[str, Any] | None = None,
    seed: int = 0,
    split: str = "train",
    *,
    n: int | None = None,
    avoid: str | Path | Iterable[str | Item] = (),
    shaping: Shaping | None = None,
) -> Any:
    """Return a `verifiers.v1.SingleAgentEnv` over the items of `harness.stream`, scored by `harness.reward`.

    Each task asks the model once. What is recorded of a rollout beside the reward: every value of the verdict, and
    ``unparsed``. A completion that cannot be scored is an error of its rollout, unless the shaping gives it a number.

    Args:
        plugin: the benchmark's name.
        config: keys of its configuration.
        seed: which items.
        split: which items.
        n: how many; None: without end, and verifiers bounds them (``env.taskset.take(100)``).
        avoid: problems that must not come, as for `harness.stream`.
        shaping: how a verdict becomes a number.

    Raises:
        SpecError: verifiers is not installed, or a key or value does not fit.
        PluginError: there is no such plugin.
    """
    owner = plugins().get(plugin)
    held_out = sorted(problem_ids(owner, avoid))
    try:
        import verifiers.v1 as vf

        import_module(PACKAGE)
    except ImportError as error:
        missing = "the package verifiers is missing (or older than 0.4)"
        why = printable(str(error), 120)
        raise SpecError(f"{missing}: {command_for('verifiers')} ({why})") from None
    if n is not None:
        check_count("n", n)
    chosen = shaping or Shaping()
    task = {"shaping": {**asdict(chosen), "weights": dict(chosen.weights)}}
    taskset = {
        "id": "harness-verifiers",
        "plugin": plugin,
        "config": dict(config or {}),
        "seed": seed,
        "split": split,
        "n": n,
        "avoid": held_out,
        "task": task,
    }
    # A rollout asks a model and starts no program, so nothing has to be kept apart.
    agent = {"runtime": {"type": "subprocess"}}
    resolved = vf.resolve_env_config({"taskset": taskset, "agent": agent})
    return vf.load_environment(resolved)
