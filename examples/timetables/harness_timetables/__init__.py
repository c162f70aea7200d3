"""Train timetables as a benchmark for the temporal harness."""
