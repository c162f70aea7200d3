"""The benchmark mybench for the temporal harness; the hooks are in the module `plugin`."""
