"""The datasets of reasoning-gym as benchmarks of the temporal harness."""
