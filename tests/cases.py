"""Cases of tests: how many random ones are tried, and a table of cases as one test."""

import inspect
import os

import pytest

ALL = os.environ.get("HARNESS_CASES", "all") == "all"
SHARE = 1 if ALL else 8
"""Of so many random cases `make test` tries one; `make test CASES=all`, which CI runs, tries each."""


slow = pytest.mark.skipif(not ALL, reason="slow: `make test CASES=all` runs it")
"""A test that takes half a second or more, as it starts programs, runs models or makes pages; CI runs it."""


def some(number):
    """Return how many of a number of random cases to try."""
    return max(number // SHARE, 1)


def each(names, table):
    """As `parametrize`, in one test that tries every case and names all that fail: thousands of tests cost more.

    Only for tests whose fixtures are the same before and after a case.
    """
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    rows = [tuple(case) if len(names) > 1 else (case,) for case in table]
    assert rows
    assert all(len(row) == len(names) for row in rows)

    def fold(test):
        def every_case(*args, **fixtures):
            failed = []
            for row in rows:
                try:
                    test(*args, **fixtures, **dict(zip(names, row, strict=True)))
                except (Exception, pytest.fail.Exception) as error:
                    failed.append(f"{', '.join(map(_shown, row))}: {type(error).__name__}: {error}")
            if failed:
                pytest.fail("\n".join([f"{len(failed)} of {len(rows)} cases fail", *failed]), False)

        signature = inspect.signature(test)
        left = [p for name, p in signature.parameters.items() if name not in names]
        assert len(left) + len(names) == len(signature.parameters)
        every_case.__signature__ = signature.replace(parameters=left)
        every_case.__name__, every_case.__qualname__ = test.__name__, test.__qualname__
        every_case.__doc__, every_case.__module__ = test.__doc__, test.__module__
        every_case.pytestmark = list(getattr(test, "pytestmark", []))
        return every_case

    return fold


def _shown(value):
    text = ascii(value)
    return text if len(text) <= 200 else f"{text[:200]}… ({len(text)})"
