"""Work that needs an event loop of its own, also where one is running already, as in a notebook.

Called there, Inspect's functions patch asyncio for good (``nest_asyncio``), and in a notebook Inspect asks for
ipywidgets besides. So nothing of the harness calls them where `looping` is true.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import anyio

T = TypeVar("T")


def looping() -> bool:
    """Return whether Inspect would patch asyncio here: within a running event loop, anywhere in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return "ipykernel.kernelapp" in sys.modules
    return True


def complete(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Return what a coroutine does, run in another thread where an event loop may be running in this one."""
    if not looping():
        return anyio.run(work)
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(anyio.run, work).result()
