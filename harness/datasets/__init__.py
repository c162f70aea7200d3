"""Datasets: shown, generated into files and shards, read, and exported."""
