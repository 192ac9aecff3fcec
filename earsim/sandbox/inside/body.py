"""The last step: this process limits itself and becomes the body."""

from __future__ import annotations

import contextlib
import os
import signal
import sys

from . import landlock, resources, seccomp
from .namespaces import DEVICES
from .orders import BUBBLEWRAP, LANDLOCK, LIMITS, NAMESPACES, SECCOMP, Orders
from .syscalls import PR_CAPBSET_DROP, PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS, PR_SET_PDEATHSIG, prctl


def become(orders: Orders, user: int | None) -> None:
    """Execute the body; returns only by raising.

    Args:
        orders: of the launch.
        user: number of the user to become first, if any.

    Raises:
        OSError: A limit is refused, or the program cannot be executed.
    """
    if user is not None:
        become_user(user)
    os.chdir(orders.folder)
    os.umask(0o077)
    if LIMITS in orders.means:
        resources.restrict(orders.limits)
    if sys.platform == "linux":
        _restrict_linux(orders)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    os.execve(orders.argv[0], orders.argv, orders.environment)


def become_user(user: int) -> None:
    """Root becomes a user that has nothing; without effect where it is that user already.

    Raises:
        OSError: Root may not (it lacks the capability), or there is no such number here.
    """
    if os.getuid() != user:
        os.setgroups(())
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
        prctl(PR_SET_DUMPABLE, 1, what="dumpable")  # or the process's own /proc is root's


def _restrict_linux(orders: Orders) -> None:
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL, what="death signal")
    prctl(PR_SET_NO_NEW_PRIVS, 1, what="no-new-privileges")
    _drop_capabilities()
    if LANDLOCK in orders.means:
        _restrict_files(orders)
    if SECCOMP in orders.means:
        seccomp.restrict()


def _drop_capabilities() -> None:
    """Let root, where it stays root, be no more than the owner of its files after execution."""
    if os.getuid() == 0:
        for capability in range(64):
            with contextlib.suppress(OSError):  # there is no such capability
                prctl(PR_CAPBSET_DROP, capability, what="capability")


def _restrict_files(orders: Orders) -> None:
    read = {path for path in orders.readable if not os.path.islink(path)}
    if {NAMESPACES, BUBBLEWRAP} & set(orders.means) and os.path.isdir("/proc/self"):
        read.add("/proc")  # it shows the body's own processes
    listed = filter(os.path.isdir, orders.listed)  # a root of its own lacks those that are empty
    landlock.restrict(sorted(read), listed, (orders.folder,), DEVICES)
