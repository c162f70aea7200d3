"""Logs → answers → numbers with intervals → tables, figures and a page.

One way only: `log_studies` (logs to answers), `statistics` and its neighbours (intervals, tests, fits; they know no
benchmark), `numbers` (a metric over answers), `summary` (which tables and figures there are), `tables` and `figures`
(how they are written), `page` (the HTML with its explorer), `report` (the command). `compare` and `plan` are commands
of their own on the same numbers; `commands` runs all three, `plugin` is the door. Needs the extra ``report``.
"""
