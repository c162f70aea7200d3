"""What the tests share: their helpers, and hypothesis without a clock."""

import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))

# A machine that does other things, too, is no failure.
settings.register_profile(
    "timetables", deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("timetables")
