"""The sandbox of bodies: how much of one is demanded, how much there is, and what lies inside."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from earsim.sandbox import Isolation, SandboxedChild

DEFAULT_LEVEL = 2
"""Level of the sandbox that is demanded where nobody says otherwise."""

_LIFE_S = 86_400.0
"""Seconds that an interpreter lives at most; each piece of code has a shorter time of its own."""

_LIBRARY = Path(__file__).parent / "library"
"""What code on a workstation can import besides the packages that are installed."""


class SandboxDemand:
    """What is demanded of the sandbox in this process.

    Attributes:
        level: below it no code is executed.
    """

    level = DEFAULT_LEVEL


DEMAND = SandboxDemand()


@cache
def reached() -> Isolation:
    """The level of the sandbox that this machine gives, measured once."""
    from earsim.sandbox import measured

    return measured()


@cache
def has_interpreter(body: str) -> bool:
    """Whether this machine has the interpreter of a body."""
    return body != "octave/1" or octave() is not None


@cache
def octave() -> str | None:
    """Full path of Octave's command line; None where it is not installed."""
    found = shutil.which("octave-cli") or shutil.which("octave")
    return None if found is None else os.path.realpath(found)


def launched_python(folder: Path) -> SandboxedChild:
    """A Python interpreter in the sandbox, running the driver.

    Raises:
        SandboxTooWeak: This machine confines it less than is demanded.
    """
    from earsim.sandbox import python_command

    source = (files("earsim.apparatus.bodies") / "driver.py").read_text("utf-8")
    argv = (*python_command(), "-c", source, str(folder), str(_LIBRARY))
    return confined(argv, folder, reads=(_LIBRARY,))


def confined(argv: Sequence[str], folder: Path, *, reads: Sequence[Path] = ()) -> SandboxedChild:
    """A program in the sandbox, for as long as its pool wants it."""
    from earsim.sandbox import Limits, SandboxLevel, launch

    limits = Limits(cpu_s=_LIFE_S, wall_s=_LIFE_S)
    level = SandboxLevel(DEMAND.level)
    return launch(argv, folder, limits=limits, at_least=level, reads=reads)
