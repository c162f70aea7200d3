"""The page of a report: what it shows (`explorer`, `terms`), what fills it in (`page`), and files of its own kind."""
