"""Formulas as data, and their grammar in every notation."""
