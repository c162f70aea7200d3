"""Worked solutions for training: `answers.explain` writes them, `reader` reads them back."""
