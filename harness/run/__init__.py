"""The bridge to Inspect: items become an Inspect task, completions verdicts, logs results."""
