"""Fast tests step in plain Python, which costs less than compiling; slow ones as is fastest."""

import pytest

from earsim.apparatus.sixbox import model
from earsim.apparatus.sixbox.boxes import plain


@pytest.fixture(autouse=True)
def _nothing_is_compiled_for_a_fast_test(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    if request.node.get_closest_marker("slow") is None:
        monkeypatch.setattr(model, "march", lambda: plain)
