"""Runs that build on other runs: resumed ones, sweeps, runs in shards, and answers scored anew."""
