"""The isolation of this machine, measured once per process by trying it."""

from __future__ import annotations

from earsim.sandbox.inside.orders import LANDLOCK, LIMITS, NAMESPACES, SECCOMP
from earsim.sandbox.level import Measured, SandboxLevel


def measured() -> Measured:
    return Measured(SandboxLevel.ISOLATED, (NAMESPACES, LANDLOCK, SECCOMP, LIMITS), ())
