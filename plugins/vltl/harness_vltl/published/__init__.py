"""The published data: taken over, written, audited and read in other ways."""
