"""LTLBench plugin (hooks are wired here)."""
