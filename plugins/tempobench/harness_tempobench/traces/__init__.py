"""Worked solutions step by step: written, and read back by code of its own."""
