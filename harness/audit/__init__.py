"""The audit of a dataset: every label derived again by every engine."""
