"""What the tests of the sandbox share."""

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from earsim.sandbox import Limits, SandboxedChild, SandboxLevel, launch, measured, python_command

Launch = Callable[..., SandboxedChild]


def pytest_collection_modifyitems(items):
    skip = pytest.mark.skip(reason="no sandbox on this system")
    for item in items:
        if "tests/sandbox" in item.path.as_posix() and sys.platform not in ("linux", "darwin"):
            item.add_marker(skip)


@pytest.fixture(autouse=True)
def reachable(tmp_path):
    """Let any user through to the test's folder.

    Folders of pytest are its user's alone, and what root launches without namespaces is another.
    """
    shared = Path(tempfile.gettempdir()).resolve()
    if os.name == "posix" and os.getuid() == 0:
        for folder in (tmp_path, *tmp_path.parents):
            if folder == shared or shared not in folder.parents:
                break
            folder.chmod(folder.stat().st_mode | 0o011)


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
