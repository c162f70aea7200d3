"""Dates of one calendar that are asked for in another (task=convert)."""
