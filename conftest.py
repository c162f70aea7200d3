"""What the tests of the harness and of every plugin share: runs that do nothing nobody looks at."""

import gc
import ssl
import sys
import traceback
from functools import cache
from importlib import import_module, metadata

import pytest
from hypothesis import HealthCheck, settings
from rich.text import Text

from harness.run import stats
from harness.run.startup import settle

settle()  # before the tests are imported, and Inspect with them
gc.set_threshold(
    200_000, 50, 1_000
)  # looking for cycles in all that tests leave is a tenth of their time

_version = cache(lambda name, path, version=metadata.version: version(name))
metadata.version = lambda name: _version(name, tuple(sys.path))  # each run asks a dozen times

# A machine that does other things, too, is no failure: times are measured in benchmarks/.
settings.register_profile("harness", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("harness")


def pytest_collection_finish():
    """Leave tests and modules out of collections of garbage."""
    gc.collect()
    gc.freeze()


# What every run through Inspect works out anew, though nobody looks at it.


def _plain_traceback(exc_type, exc_value, exc_traceback, **options):
    """A log keeps the traceback of each item that failed in colours, too, laid out in a third of a second."""
    return Text("".join(traceback.format_exception(exc_type, exc_value, exc_traceback)))


@pytest.fixture(scope="session", autouse=True)
def _quick_runs(tmp_path_factory):
    """Spare every run a look at git, certificates that no server asks for, and the layout of unseen tracebacks.

    And a search through what all runs of this user that were killed have left in Inspect's own folder.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        patch.setattr(ssl, "create_default_context", cache(ssl.create_default_context))
        if "inspect_ai._util.rich" in sys.modules:
            patch.setattr("inspect_ai._util.rich.rich_traceback", _plain_traceback)
        if "inspect_ai._eval.task.log" in sys.modules:
            git = import_module("inspect_ai._util.git").git_context
            patch.setattr("inspect_ai._eval.task.log.git_context", cache(git))
        yield


@pytest.fixture(scope="module", autouse=True)
def _few_random_answers(request):
    """The floors of random answers are put to the test in test_stats; a run takes a rough one.

    Where manifests of several processes are compared, they must all be made alike.
    """
    with pytest.MonkeyPatch.context() as patch:
        if request.path.stem not in ("test_stats", "test_shards", "test_storage"):
            patch.setattr(stats, "ANSWERS", 1_000)
        yield


@pytest.fixture(autouse=True)
def _no_model_is_remembered():
    """Inspect keeps the models that a retry asks, with the address of the test's own server."""
    yield
    known = sys.modules.get("inspect_ai.model._model")
    if known is not None:
        known._models.clear()
