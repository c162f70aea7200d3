"""The contracts: what a plugin is, what items are, and how settings become one specification."""
