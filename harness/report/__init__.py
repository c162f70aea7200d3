"""Logs → answers → numbers with intervals → tables, figures and a page.

One way only: `reading` (logs to answers), `statistics` (intervals, tests, sample sizes; knows no benchmark),
`numbers` (a metric over answers), `summary` (which tables and figures there are), `tables` and `figures` (how they
are written), `explorer` and `page` (the HTML), `command` (the words of the command line). `compare` and `plan` are
commands of their own on the same numbers. Needs the extra ``report``.
"""
