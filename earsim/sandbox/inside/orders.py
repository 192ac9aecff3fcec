"""What a launcher is told: one line of JSON on its control socket."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

NAMESPACES, BUBBLEWRAP = "namespaces", "bubblewrap"
LANDLOCK, SECCOMP, LIMITS = "landlock", "seccomp", "limits"
PROFILE = "sandbox-exec"
MEANS = (NAMESPACES, BUBBLEWRAP, LANDLOCK, SECCOMP, PROFILE, LIMITS)

FIRST_USER = 2_000_000_000
"""Root has bodies run as users from here on, one per launcher; no system gives them to people."""


@dataclass(frozen=True, slots=True)
class Orders:
    """One launch.

    Attributes:
        argv: program and arguments of the body.
        environment: all its variables.
        folder: its work folder, with links resolved.
        readable: files and folders that it may read; of links, the links themselves too.
        listed: folders of which it may read the names of what is in them.
        means: what isolates it, of `MEANS`.
        other_user: whether the launcher is root, and the body is to be another user's.
        wrapper: command that runs `inside.stage`, where another program isolates; may be empty.
        limits: of resources; by the names of `earsim.sandbox.Limits`.
    """

    argv: tuple[str, ...]
    environment: dict[str, str]
    folder: str
    readable: tuple[str, ...]
    listed: tuple[str, ...]
    means: tuple[str, ...]
    other_user: bool
    limits: dict[str, int | float]
    wrapper: tuple[str, ...] = ()

    def line(self) -> bytes:
        """The orders as they are sent."""
        return json.dumps(asdict(self)).encode() + b"\n"

    @classmethod
    def of(cls, line: bytes) -> Orders:
        """Orders as they were sent."""
        fields = json.loads(line)
        for name in ("argv", "readable", "listed", "means", "wrapper"):
            fields[name] = tuple(fields[name])
        return cls(**fields)
