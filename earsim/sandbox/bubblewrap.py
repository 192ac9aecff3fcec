"""Namespaces by bubblewrap, where the system lets it make them and nobody else."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

from earsim.sandbox.inside.namespaces import DEVICES
from earsim.sandbox.visible import executable

_STAGE = "import sys; sys.path.insert(0, sys.argv[1]); from inside.stage import main; main()"


def installed() -> bool:
    """Whether there is a bubblewrap to try."""
    return shutil.which("bwrap") is not None


def stage_command(folder: str, readable: Iterable[str]) -> tuple[str, ...]:
    """A command for `inside.stage` in namespaces of its own; the orders are to follow.

    Args:
        folder: the work folder.
        readable: files and folders, sorted, each link on the way to them included.
    """
    here = str(Path(__file__).parent)
    command = [shutil.which("bwrap") or "bwrap", "--unshare-all", "--die-with-parent"]
    bound: list[str] = []
    for path in sorted({*readable, f"{here}/inside"}):
        if any(Path(path).is_relative_to(above) for above in bound):
            continue
        if Path(path).is_symlink():
            command += ["--symlink", str(Path(path).readlink()), path]
        else:
            command += ["--ro-bind", path, path]
            bound.append(path)
    for device in DEVICES:
        command += ["--dev-bind", device, device]
    command += ["--bind", folder, folder, "--proc", "/proc", "--remount-ro", "/"]
    return (*command, "--", executable(), "-I", "-S", "-c", _STAGE, here)
