"""What the tests share: patience with Spot, whose own effort is what ends it."""

import pytest
from harness_vltl.engines import equivalence


@pytest.fixture(scope="module", autouse=True)
def _patience():
    """Its ten seconds are of the wall, and a machine may do other things, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(equivalence, "SECONDS", 300.0)
        yield
