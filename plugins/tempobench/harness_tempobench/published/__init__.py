"""Published records: taken over, written, audited, and read in other ways."""
