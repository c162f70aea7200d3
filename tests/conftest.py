"""The toy plugins: written once, installed for as long as a test module that asks for them runs."""

import asyncio
import json
import re
import signal
import sys
from contextlib import ExitStack
from functools import partial
from importlib import import_module, invalidate_caches
from pathlib import Path

import harness_guard
import pytest
from openai_server import serving

from harness.core import features, plugins
from harness.core.installed import GROUP

# A job in the background of a shell ignores Ctrl-C, and so would every program that the tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)

TOYS = Path(__file__).parent / "toys"


def toy_name(cls):
    return "toy_" + re.sub(r"(?<!^)(?=[A-Z])", "_", cls).lower()


class Toys:
    """Where the toys lie, and one loaded by itself, away from the others."""

    def __init__(self, folder):
        self.folder = folder

    @property
    def path(self):
        """What another process needs in PYTHONPATH to find the toys installed."""
        return f"{self.folder}:{TOYS}"

    def registry(self, *classes, wrapper=False):
        names = [*map(toy_name, classes), *(["toy_wrapper"] if wrapper else [])]
        return plugins.load((name, partial(import_module, name), "toys", name) for name in names)

    def __call__(self, cls, **options):
        return self.registry(cls, **options).get(toy_name(cls))


@pytest.fixture(autouse=True)
def _asyncio_as_it_is():
    """Fail the test in which Inspect patches asyncio, as its functions do within a running event loop."""
    patched = hasattr(asyncio, "_nest_patched")
    yield
    assert patched or not hasattr(asyncio, "_nest_patched"), "Inspect was called within a loop"


@pytest.fixture
def client(monkeypatch):
    """Point Inspect's OpenAI-compatible client at a server with the behaviour given."""
    with ExitStack() as servers:

        def start(behaviour):
            server = servers.enter_context(serving(behaviour))
            monkeypatch.setenv("LOCAL_API_KEY", "none")
            monkeypatch.setenv("LOCAL_BASE_URL", server.url)
            return server

        yield start


@pytest.fixture
def shards_here(monkeypatch):
    """Run the shards of a run in this process: each of its own takes three seconds to begin."""
    shard_process = import_module("harness.rerun.shard_process")
    monkeypatch.setattr(
        "harness.datasets.engines.Local.process",
        lambda self, request, module: shard_process._evaluate(json.loads(json.dumps(request))),
    )


@pytest.fixture(scope="session")
def toy_folder(tmp_path_factory):
    """A directory that is to Python what site-packages is after `pip install toys`."""
    folder = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(TOYS)
        defects = import_module("toy_defects")
        kinds = {k: v for k, v in vars(defects).items() if isinstance(v, type)}
        for kind in ("toy_defects", "toy_base"):
            del sys.modules[kind]
    base = kinds.pop("Toy")
    toys = {name: cls for name, cls in kinds.items() if issubclass(cls, base)}
    for name in toys:
        # A package each: golden.json lies beside a plugin's module.
        package = folder / toy_name(name)
        package.mkdir()
        (package / "__init__.py").write_text(
            f"import toy_defects\n\n"
            f"toy = toy_defects.{name}(__name__)\n"
            f"globals().update(toy.hooks())\n"
        )
    info = folder / "toys-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toys\nVersion: 0.1\n")
    installed = [toy_name(name) for name, cls in toys.items() if cls.installed] + ["toy_wrapper"]
    points = "".join(f"{name} = {name}\n" for name in installed)
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n{points}")
    return folder


@pytest.fixture(autouse=True)
def _registered_options_alone():
    """Forget the settings that a test had to look for in Inspect."""
    yield
    if features._extended:
        features._extended.clear()
        features.options.cache_clear()
        features.settings.cache_clear()


@pytest.fixture(scope="module")
def toys(toy_folder):
    """The toys, installed: on the path, in the registry, in guarded workers. Undone at the end.

    Only toys that leave the others alone are entry points; one that claims every prompt as its
    own would spoil the runs of all.
    """
    known = set(sys.modules)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(TOYS)
        patch.syspath_prepend(toy_folder)
        plugins.registry.cache_clear()
        # A worker keeps the registry it has built, with toys or without.
        with harness_guard.Guard(workers=1) as pool:
            patch.setattr(harness_guard, "_shared", pool)
            yield Toys(toy_folder)
    for name in set(sys.modules) - known:
        if name.startswith("toy_"):
            del sys.modules[name]
    plugins.registry.cache_clear()
    invalidate_caches()
