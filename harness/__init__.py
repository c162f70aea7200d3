"""Plugin-based evaluation of temporal reasoning in language models; these names are the public interface.

The names of ``_LAZY`` are public too; each is imported at its first use, so ``import harness`` stays quick.
"""

from typing import TYPE_CHECKING

from harness_errors import (
    Abstained,
    DatasetError,
    EngineError,
    ExhaustedError,
    HarnessError,
    OutputError,
    PluginError,
    SpecError,
    did_you_mean,
)

from harness.core.contract import CONTRACT
from harness.core.hookspecs import (
    Benchmark,
    Metric,
    Row,
    Shortcut,
    Strategy,
    View,
    Weakness,
    both_right,
    hookimpl,
)
from harness.core.items import Item, Solution, Verdict, canonical_json, digest, rng_for

if TYPE_CHECKING:
    from harness.cli.command import Command as Command
    from harness.core.feature_hooks import Option as Option
    from harness.core.feature_hooks import featureimpl as featureimpl
    from harness.notebook.notebook import evaluate as evaluate
    from harness.notebook.notebook import load as load
    from harness.training.curriculum import Curriculum as Curriculum
    from harness.training.mixes import mix as mix
    from harness.training.rewards import Shaping as Shaping
    from harness.training.rewards import reward as reward
    from harness.training.streams import stream as stream

__version__ = "0.1.0"

_LAZY = {
    "Command": "harness.cli.command",
    "Option": "harness.core.feature_hooks",
    "featureimpl": "harness.core.feature_hooks",
    "load": "harness.notebook.notebook",
    "evaluate": "harness.notebook.notebook",
    "reward": "harness.training.rewards",
    "Shaping": "harness.training.rewards",
    "stream": "harness.training.streams",
    "mix": "harness.training.mixes",
    "Curriculum": "harness.training.curriculum",
}

# The lazy names are left out: a star-import would import all of their modules, and Inspect with them.
__all__ = [
    "CONTRACT",
    "Abstained",
    "Benchmark",
    "DatasetError",
    "EngineError",
    "ExhaustedError",
    "HarnessError",
    "Item",
    "Metric",
    "OutputError",
    "PluginError",
    "Row",
    "Shortcut",
    "Solution",
    "SpecError",
    "Strategy",
    "Verdict",
    "View",
    "Weakness",
    "__version__",
    "both_right",
    "canonical_json",
    "did_you_mean",
    "digest",
    "hookimpl",
    "rng_for",
]

if not TYPE_CHECKING:  # a checker that saw it would take every misspelt name of this module

    def __getattr__(name: str) -> object:
        """Import a lazy public name; raise AttributeError, with the nearest name, for any other."""
        if name not in _LAZY:
            names = [*__all__, *_LAZY]
            msg = f"module 'harness' has no attribute {name!r}; {did_you_mean(name, names)}"
            raise AttributeError(msg)
        from importlib import import_module

        value = getattr(import_module(_LAZY[name]), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    """Return the names of the module with the lazy public ones, so that editors complete them."""
    return sorted({*globals(), *_LAZY})
