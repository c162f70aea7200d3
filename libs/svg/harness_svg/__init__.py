"""Drawings as SVG that are the same bytes on every machine: graphs and timing diagrams."""
