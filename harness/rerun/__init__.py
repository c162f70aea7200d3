"""Runs that build on other runs: resumed ones, runs in shards, and answers scored anew."""
