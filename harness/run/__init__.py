"""The bridge to Inspect: items become an Inspect task, completions verdicts, logs results."""

EMBEDDED = ("reference", "constant", "random")
"""The models of our own, each called ``harness/`` and its name."""
