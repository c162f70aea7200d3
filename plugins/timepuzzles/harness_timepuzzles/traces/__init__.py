"""Step-by-step solutions for training: written from the masks, read back with the other engine."""
