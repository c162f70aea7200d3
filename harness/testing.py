"""The conformance kit: what every plugin must survive before anybody trusts its numbers.

    from harness.testing import conformance
    report = conformance(registry().get("mybench"), n=50)
    assert not report["failures"], report["failures"]

or ``harness check plugin=mybench``. Each check has a name; its function says in a sentence what it demands,
docs/conformance.md in a paragraph per name why.
"""

from harness_errors import HarnessError

from harness.core.plugins import registry
from harness.kit.checks_answers import EVAL
from harness.kit.checks_golden import GOLDEN, golden_path, write_golden
from harness.kit.checks_items import fingerprints
from harness.kit.conformance import CHECKS, conformance
from harness.kit.kit import SECONDS, Failure, Kit, replace_options

__all__ = [
    "CHECKS",
    "EVAL",
    "GOLDEN",
    "SECONDS",
    "Failure",
    "HarnessError",
    "Kit",
    "conformance",
    "fingerprints",
    "golden_path",
    "registry",
    "replace_options",
    "write_golden",
]
