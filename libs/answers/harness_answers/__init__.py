"""Reading what language models write: plain text, marked answers, step-by-step solutions."""
