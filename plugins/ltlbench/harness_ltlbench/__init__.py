"""LTLBench for the temporal harness; the hooks are in `harness_ltlbench.plugin`."""
