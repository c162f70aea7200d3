"""The published Time Puzzles: their records adopted, written, audited and read in other ways."""
