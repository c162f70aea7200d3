"""Step-by-step solutions: written, and held against their items."""
