"""One shard of a run in a process of its own, ``python -m harness.rerun.shard_process``."""

from __future__ import annotations

import sys
from typing import Any

from harness.datasets.child import serve


def _evaluate(request: dict[str, Any]) -> dict[str, Any]:
    from harness.core.plugins import registry
    from harness.core.spec import make
    from harness.datasets.shard_worker import same_items
    from harness.run import evaluation
    from harness.run.results import result_of_log

    values = dict(request["values"])
    plugin = registry().get(values.pop("plugin"))
    spec = make(plugin, values)
    same_items(spec, request)
    log = evaluation.run(spec, lambda line: sys.stderr.write(f"{line}\n"), request["facts"])
    return result_of_log(log)


if __name__ == "__main__":
    sys.exit(serve(_evaluate))
