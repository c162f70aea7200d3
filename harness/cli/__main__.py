"""``python -m harness.cli`` is the command ``harness``."""

import sys
from collections import namedtuple

from harness.cli.main import main

if __name__ == "__main__":
    ended = main()
    # Python dies of SIGINT, whatever its code, once Ctrl-C came while it ran a text, as in the making of a
    # dataclass, though that was caught long ago. The text that this runs takes it back.
    namedtuple("_", ())
    sys.exit(ended)
