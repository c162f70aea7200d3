"""Traces and causes over synthesised controllers: specification, controller, trace, cause, answer."""
