"""The kinds of clues, and the way from JSON or a sentence to a clue."""
