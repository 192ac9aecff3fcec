"""What the tests of the sandbox share."""

import sys
from collections.abc import Callable

import pytest

from earsim.sandbox import Limits, SandboxedChild, SandboxLevel, launch, measured, python_command

Launch = Callable[..., SandboxedChild]


def pytest_collection_modifyitems(items):
    skip = pytest.mark.skip(reason="no sandbox on this system")
    for item in items:
        if "tests/sandbox" in item.path.as_posix() and sys.platform not in ("linux", "darwin"):
            item.add_marker(skip)


@pytest.fixture
def python(tmp_path) -> Launch:
    """Start Python code in a folder of its own, under whatever isolation there is."""
    if measured().level < SandboxLevel.LIMITS:
        pytest.skip(f"no sandbox here: {measured().missing}")

    def start(code: str, **limits) -> SandboxedChild:
        argv = [*python_command(), "-u", "-c", code]
        level = SandboxLevel.LIMITS
        return launch(argv, tmp_path, limits=Limits(**{"wall_s": 60, **limits}), at_least=level)

    return start
