"""What a model wrote: where its answer is, what it scores, and why."""
