"""Prompts in languages other than English: their words, one file a language, and what writes and reads with them."""
