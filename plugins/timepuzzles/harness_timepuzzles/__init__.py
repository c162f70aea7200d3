"""Time Puzzles for the temporal harness: infer all dates that satisfy a set of clues."""
