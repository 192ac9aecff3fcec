"""Limits of what a sandboxed child may use."""

from __future__ import annotations

from dataclasses import dataclass, fields

from earsim.errors import UsageError

_MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of resources. All but the last hold for each process of the child by itself.

    Attributes:
        address_space_bytes: Address space of a process.
        cpu_s: Processor seconds; at their end comes SIGXCPU, a second later SIGKILL.
        file_bytes: Length of a file that is written.
        open_files: Open files of a process.
        processes: Processes and threads, all of the child together.
        wall_s: Seconds until the child, with all that it started, is ended.

    Raises:
        UsageError: A limit is not above 0.
    """

    address_space_bytes: int = 2048 * _MIB
    cpu_s: float = 600.0
    file_bytes: int = 64 * _MIB
    open_files: int = 64
    processes: int = 64
    wall_s: float = 600.0

    def __post_init__(self) -> None:
        for field in fields(self):
            if not getattr(self, field.name) > 0:
                found = getattr(self, field.name)
                raise UsageError(f"Limits: {field.name} must be above 0, not {found!r}")
