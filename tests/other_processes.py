"""The items of several settings of a plugin, made in other processes: all of them in each, for a process is dear."""

import json
import os
import subprocess
import sys

from harness.kit.checks_items import about_digest, fingerprints

_OTHERS = """
import json, locale, sys
from harness.kit.checks_items import about_digest, fingerprints
try:
    locale.setlocale(locale.LC_ALL, "")
except locale.Error:
    pass
print(json.dumps([[fingerprints(*words), about_digest(*words)] for words in json.loads(sys.argv[1])]))
"""


def assert_same_items(plugin, settings):
    """Compare items and what about() says of them, as the check `processes` does; once in another place, too."""
    words = [(plugin.benchmark.name, plugin.source, config, 0, n) for config, n in settings]
    own = [[fingerprints(*one), about_digest(*one)] for one in words]
    assert len({first for (first, *_), _ in own}) == len(own)
    elsewhere = {"TZ": "Pacific/Kiritimati", "LC_ALL": "tr_TR.UTF-8"}
    for seed, place in (("1", {}), ("4242", elsewhere)):
        command = [sys.executable, "-P", "-c", _OTHERS, json.dumps(words)]
        path = os.pathsep.join(sys.path)
        environment = {**os.environ, **place, "PYTHONHASHSEED": seed, "PYTHONPATH": path}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        assert json.loads(done.stdout) == own
