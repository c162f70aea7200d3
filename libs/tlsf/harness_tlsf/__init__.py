"""Specifications in TLSF, the format of the synthesis competition: read, evaluated, and written as LTL."""
