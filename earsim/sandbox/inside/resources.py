"""Limits of resources (``setrlimit``), of this process and each that it starts."""

from __future__ import annotations

import contextlib
import os
import resource
import sys
from collections.abc import Mapping


def restrict(limits: Mapping[str, int | float]) -> None:
    """Set all limits, soft and hard.

    Raises:
        OSError, ValueError: The system refuses a limit.
    """
    seconds = max(1, int(limits["cpu_s"]))
    _set(resource.RLIMIT_CORE, 0)
    _set(resource.RLIMIT_CPU, seconds, seconds + 1)  # SIGXCPU, and a second later SIGKILL
    _set(resource.RLIMIT_FSIZE, int(limits["file_bytes"]))
    _set(resource.RLIMIT_NOFILE, int(limits["open_files"]))
    if sys.platform != "darwin":  # which takes the number and does not hold to it
        _set(resource.RLIMIT_AS, int(limits["address_space_bytes"]))
    _set_processes(int(limits["processes"]))


def _set(which: int, soft: int, hard: int | None = None) -> None:
    _, most = resource.getrlimit(which)
    hard = soft if hard is None else hard
    if most != resource.RLIM_INFINITY:
        soft, hard = min(soft, most), min(hard, most)
    resource.setrlimit(which, (soft, hard))


def _set_processes(limit: int) -> None:
    """Processes count per user; those that the user has outside come on top of the limit."""
    _, most = resource.getrlimit(resource.RLIMIT_NPROC)
    resource.setrlimit(resource.RLIMIT_NPROC, (limit, most))
    if not _can_fork():
        limit += _tasks_of(os.getuid())
    _set(resource.RLIMIT_NPROC, limit)


def _can_fork() -> bool:
    try:
        child = os.fork()
    except OSError:
        return False
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return True


def _tasks_of(user: int) -> int:
    """Processes and threads of a user, as far as ``/proc`` shows them."""
    found = 0
    with contextlib.suppress(OSError):
        for name in os.listdir("/proc"):
            with contextlib.suppress(OSError):
                if name.isdigit() and os.stat(f"/proc/{name}").st_uid == user:
                    found += len(os.listdir(f"/proc/{name}/task"))
    return found
