"""Items and evaluations in notebooks and scripts."""
