"""Nothing here can be tried where reasoning-gym is not installed."""

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

MISSING = find_spec("reasoning_gym") is None


def pytest_collection_modifyitems(items):
    if MISSING:
        for item in items:
            item.add_marker(pytest.mark.skip(reason="needs reasoning-gym==0.1.25"))
