"""Start foreign code, if this machine isolates it as well as is demanded."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from earsim.errors import SandboxTooWeak
from earsim.sandbox.child import SandboxedChild, orders_for, started
from earsim.sandbox.level import Isolation, SandboxLevel
from earsim.sandbox.limits import Limits
from earsim.sandbox.measure import measured


def required(at_least: SandboxLevel) -> Isolation:
    """The isolation of this machine, if it is enough.

    Raises:
        SandboxTooWeak: It is not.
    """
    found = measured()
    if found.level < at_least:
        raise SandboxTooWeak(found.level, at_least, "; ".join(found.missing))
    return found


def launch(
    argv: Sequence[str],
    folder: str | Path,
    *,
    limits: Limits | None = None,
    at_least: SandboxLevel = SandboxLevel.CONFINED,
    reads: Sequence[str | Path] = (),
) -> SandboxedChild:
    """Start a program under the strongest isolation that this machine has.

    Args:
        argv: program, with its full path, and arguments.
        folder: the only folder that it may change. Root starts it as another user, to whom the
            folder and all in it are given.
        limits: of resources; by default those of `Limits`.
        at_least: below this level nothing is started. `SandboxLevel.NONE` is for who asks for it
            by name: then the isolation of this machine is used all the same.
        reads: files and folders that it may read, beside the system's programs and the running
            interpreter with its packages.

    Raises:
        SandboxTooWeak: This machine does not reach the level, or the isolation failed just now.
        UsageError: The folder is none, or the program has no full path.
    """
    found = required(at_least)
    orders = orders_for(argv, folder, limits=limits or Limits(), means=found.means, reads=reads)
    return started(orders, found.level, at_least)
