"""Answers of models: where they stand in a reply, what they say, and their scores."""
