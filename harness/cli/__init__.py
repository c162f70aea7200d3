"""The command line: the commands, and how results read in a terminal."""
