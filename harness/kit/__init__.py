"""The conformance kit: what every plugin has to pass."""
