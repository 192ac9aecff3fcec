"""Calls of the kernel that Python's `os` has not."""

from __future__ import annotations

import ctypes
import os
from functools import cache

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38

_MOUNT_SETATTR = 442  # one number on every architecture, as of all calls since 424
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_AT_RECURSIVE = 0x8000
_AT_FDCWD = -100


@cache
def libc() -> ctypes.CDLL:
    """The C library of this process."""
    return ctypes.CDLL(None, use_errno=True)


def checked(result: int, what: str) -> int:
    """The result of a call.

    Raises:
        OSError: It is negative; the error tells what was called.
    """
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)
    return result


def syscall(number: int, what: str, *arguments: object) -> int:
    """A call by number; integers are passed as C longs.

    Raises:
        OSError: The kernel refuses.
    """
    given = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return checked(libc().syscall(ctypes.c_long(number), *given), what)


def prctl(option: int, value: int = 0, *, what: str, pointer: object = None) -> None:
    """Set a property of this process.

    Raises:
        OSError: The kernel refuses.
    """
    last = ctypes.c_ulong(0) if pointer is None else pointer
    zero = ctypes.c_ulong(0)
    checked(libc().prctl(option, ctypes.c_ulong(value), last, zero, zero), what)


def unshare(flags: int) -> None:
    """Move this process to new namespaces (its children, for a pid namespace).

    Raises:
        OSError: The kernel refuses.
    """
    checked(libc().unshare(flags), "unshare")


def mount(source: str, target: str, kind: str | None, flags: int, data: str = "") -> None:
    """Mount a file system.

    Raises:
        OSError: The kernel refuses.
    """
    what = f"mount {kind or source} on {target}"
    texts = (os.fsencode(source), os.fsencode(target), kind.encode() if kind else None)
    checked(libc().mount(*texts, ctypes.c_ulong(flags), data.encode() or None), what)


def unmount(target: str) -> None:
    """Take a mount, and what is mounted below, out of the tree; its users may keep it open.

    Raises:
        OSError: The kernel refuses.
    """
    mnt_detach = 2
    checked(libc().umount2(os.fsencode(target), mnt_detach), f"umount {target}")


def pivot_root(new: str, old: str) -> None:
    """Make a mount the root of this mount namespace.

    Raises:
        OSError: The kernel refuses, or the architecture is not known here.
    """
    number = _PIVOT_ROOT.get(os.uname().machine)
    if number is None:
        raise OSError(0, "pivot_root has no known number on this architecture", new)
    syscall(number, "pivot_root", os.fsencode(new), os.fsencode(old))


class _MountAttributes(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "userns")]


MOUNT_RDONLY, MOUNT_NOSUID, MOUNT_NODEV, MOUNT_NOEXEC = 1, 2, 4, 8


def restrict_mount(target: str, attributes: int, *, below: bool = True) -> None:
    """Add attributes to a mount, and to all mounts below.

    Raises:
        OSError: The kernel refuses.
    """
    given = _MountAttributes(attributes, 0, 0, 0)
    flags = _AT_RECURSIVE if below else 0
    arguments = (_AT_FDCWD, os.fsencode(target), flags, ctypes.byref(given), ctypes.sizeof(given))
    syscall(_MOUNT_SETATTR, f"mount_setattr {target}", *arguments)
