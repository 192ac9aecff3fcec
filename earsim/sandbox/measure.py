"""The isolation of this machine, measured once per process by trying to escape from it."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable, Sequence
from functools import cache

from earsim.errors import SandboxTooWeak
from earsim.sandbox import bubblewrap
from earsim.sandbox.child import orders_for, started
from earsim.sandbox.escapes.table import ESCAPES
from earsim.sandbox.escapes.trial import TrialOutcome, try_all
from earsim.sandbox.inside.orders import (
    BUBBLEWRAP,
    LANDLOCK,
    LIMITS,
    NAMESPACES,
    PROFILE,
    SECCOMP,
)
from earsim.sandbox.level import Isolation, SandboxLevel
from earsim.sandbox.limits import Limits
from earsim.sandbox.visible import executable

_OF_SYSTEM = {"linux": (NAMESPACES, LANDLOCK, SECCOMP), "darwin": (PROFILE,)}
"""What may isolate, beside limits; on other systems nothing does, and no child is started."""


@cache
def measured() -> Isolation:
    """The level that this machine reaches, and by what; each process tries it once."""
    if sys.platform not in _OF_SYSTEM:
        reason = f"nothing is tried on {sys.platform}: use Linux, WSL or a container"
        return Isolation(SandboxLevel.NONE, (), (reason,))
    means, missing = usable(_OF_SYSTEM[sys.platform])
    if LIMITS not in means:
        return Isolation(SandboxLevel.NONE, (), missing)
    level, escaped = level_of(means)
    if ESCAPES["fork_bomb"].title in " ".join(escaped) and os.getuid() == 0:
        escaped += ("the kernel counts no processes of root: run it as another user",)
    return Isolation(level, means, (*missing, *escaped))


def usable(wanted: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Those means that work here, limits among them, and for each other one the reason."""
    reason = failure((*wanted, LIMITS))
    if not reason:
        return (*wanted, LIMITS), ()
    reasons = {name: failure((name,)) for name in (*wanted, LIMITS)}
    if reasons.get(NAMESPACES) and bubblewrap.installed():
        reasons = {BUBBLEWRAP: failure((BUBBLEWRAP,)), **reasons}
    found = tuple(name for name, why in reasons.items() if not why)
    missing = tuple(f"{name}: {why}" for name, why in reasons.items() if why)
    if together := failure(found) if found else "":
        return (), (*missing, f"{' with '.join(found)}: {together}")
    return found, missing


def failure(means: Sequence[str]) -> str:
    """Why a program cannot be started under these means; empty if it can."""
    with tempfile.TemporaryDirectory(prefix="earsim-trial-") as folder:
        program = [executable(), "-I", "-S", "-c", "print('runs')"]
        try:
            orders = orders_for(program, folder, limits=Limits(wall_s=20), means=means)
            with started(orders, SandboxLevel.NONE, SandboxLevel.NONE) as child:
                said = child.stdout.read() or child.stderr.read()
        except SandboxTooWeak as error:
            return error.why
    return "" if said.split() == [b"runs"] else f"Python does not run: {said.decode()[-200:]}"


def level_of(means: Sequence[str]) -> tuple[SandboxLevel, tuple[str, ...]]:
    """The level that means reach by what was tried, and the attacks that succeeded."""
    names = [name for name, escape in ESCAPES.items() if escape.quick]
    tried = try_all(names, means)
    escaped = [ESCAPES[name] for name, outcome, _ in tried if outcome is not TrialOutcome.REFUSED]
    # macOS takes a limit of address space and does not hold to it: told, and not counted
    counted = [e for e in escaped if e != ESCAPES["memory"] or sys.platform != "darwin"]
    level = SandboxLevel.NONE
    for higher in list(SandboxLevel)[1:]:
        if any(escape.fails_from <= higher for escape in counted) or not _walls(higher, means):
            break
        level = higher
    return level, tuple(f"not stopped: {escape.title}" for escape in escaped)


def _walls(level: SandboxLevel, means: Iterable[str]) -> bool:
    """Whether as many walls stand as a level asks for; limits are none."""
    if level is SandboxLevel.ISOLATED:
        return bool({NAMESPACES, BUBBLEWRAP} & set(means)) and LANDLOCK in means
    walls = {NAMESPACES, BUBBLEWRAP, LANDLOCK, PROFILE}
    return level is SandboxLevel.LIMITS or bool(walls & set(means))
