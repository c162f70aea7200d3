"""Plugin-based evaluation of temporal reasoning in language models; these names are the public interface."""

from harness.errors import (
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
from harness.hookspecs import Benchmark, Metric, Row, Strategy, View, hookimpl
from harness.items import Item, Solution, Verdict, canonical_json, digest, rng_for

__version__ = "0.1.0"

__all__ = [
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
    "Solution",
    "SpecError",
    "Strategy",
    "Verdict",
    "View",
    "__version__",
    "canonical_json",
    "did_you_mean",
    "digest",
    "hookimpl",
    "rng_for",
]
