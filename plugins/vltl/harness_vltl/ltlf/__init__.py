"""LTL on finite traces (semantics=ltlf): traces that end, formulas with a weak next, and items about them."""
