"""Natural language to linear temporal logic: sentences, formulas, and the traces that tell them apart."""
