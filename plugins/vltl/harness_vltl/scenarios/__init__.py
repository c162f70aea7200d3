"""Scenarios: their files, and the propositions they offer."""
