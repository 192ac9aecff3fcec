"""The last step: this process limits itself and becomes the body."""

from __future__ import annotations

import os
import signal
import sys

from . import landlock, resources, seccomp
from .namespaces import DEVICES
from .orders import LANDLOCK, LIMITS, NAMESPACES, SECCOMP, Orders
from .syscalls import PR_SET_NO_NEW_PRIVS, PR_SET_PDEATHSIG, prctl


def become(orders: Orders) -> None:
    """Execute the body; returns only by raising.

    Raises:
        OSError: A limit is refused, or the program cannot be executed.
    """
    if orders.user is not None:
        become_user(orders.user)
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


def _restrict_linux(orders: Orders) -> None:
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL, what="death signal")
    prctl(PR_SET_NO_NEW_PRIVS, 1, what="no-new-privileges")
    if LANDLOCK in orders.means:
        _restrict_files(orders)
    if SECCOMP in orders.means:
        seccomp.restrict()


def _restrict_files(orders: Orders) -> None:
    read = {os.path.realpath(path) for path in orders.readable}
    if NAMESPACES in orders.means and os.path.isdir("/proc/self"):  # noqa: PTH112
        read.add("/proc")  # it shows the body's own processes
    landlock.restrict(sorted(read), (orders.folder,), DEVICES)
