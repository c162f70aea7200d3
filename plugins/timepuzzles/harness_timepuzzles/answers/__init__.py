"""Reading a model's answer, judging it, and explaining the right one."""
