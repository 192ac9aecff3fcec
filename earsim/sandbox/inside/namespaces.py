"""A root of its own for the body: what it may read, its work folder, and nothing else.

Built by the first process of new namespaces: an empty file system in memory, into which the
folders are bound, then becomes the root, and the old one is let go of (as bubblewrap does it).
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable

from .syscalls import (
    CLONE_NEWIPC,
    CLONE_NEWNET,
    CLONE_NEWNS,
    CLONE_NEWPID,
    CLONE_NEWUSER,
    CLONE_NEWUTS,
    MOUNT_NODEV,
    MOUNT_NOSUID,
    MOUNT_RDONLY,
    mount,
    pivot_root,
    restrict_mount,
    unmount,
    unshare,
)

DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")

_NOSUID, _NODEV, _NOEXEC, _BIND, _REC, _PRIVATE = 2, 4, 8, 4096, 16384, 1 << 18


def enter(*, as_root: bool) -> None:
    """Move to new namespaces: mounts, network, IPC, host name, and pids for the children.

    Whoever is not root gets a user namespace too, in which the user keeps the number it has.

    Raises:
        OSError: The kernel, or the system's policy, refuses.
    """
    user, group = os.getuid(), os.getgid()
    flags = CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWPID
    unshare(flags if as_root else flags | CLONE_NEWUSER)
    if not as_root:
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"{user} {user} 1")
        _write("/proc/self/gid_map", f"{group} {group} 1")


def build_root(readable: Iterable[str], folder: str) -> None:
    """Make a root of readable paths and one work folder, and go to it.

    Raises:
        OSError: A path is missing, or the kernel refuses a mount.
    """
    base = "/tmp"
    mount("none", "/", None, _REC | _PRIVATE)
    mount("tmpfs", base, "tmpfs", _NOSUID | _NODEV, "mode=755,size=1m")
    os.mkdir(f"{base}/old", 0o700)
    os.mkdir(f"{base}/new", 0o755)
    mount(f"{base}/new", f"{base}/new", None, _BIND)
    pivot_root(base, f"{base}/old")
    os.chdir("/")
    for path in sorted({*readable, *DEVICES, folder}):
        _show(path, writable=path == folder or path in DEVICES)
    _show_processes()
    restrict_mount("/new", MOUNT_RDONLY | MOUNT_NOSUID | MOUNT_NODEV, below=False)
    os.chdir("/new")
    pivot_root(".", ".")  # the old root now lies upon the new one
    unmount(".")
    os.chdir("/")


def _show(path: str, *, writable: bool) -> None:
    source, target = f"/old{path}", f"/new{path}"
    if os.path.islink(source):
        _make_parent(target)
        if not os.path.lexists(target):
            os.symlink(os.readlink(source), target)
        return
    if not os.path.exists(target):
        _make_parent(target)
        if os.path.isdir(source):
            os.mkdir(target, 0o755)
        else:
            os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
    mount(source, target, None, _BIND | _REC)
    device = MOUNT_NOSUID if path in DEVICES else MOUNT_NOSUID | MOUNT_NODEV
    restrict_mount(target, device if writable else device | MOUNT_RDONLY)


def _make_parent(target: str) -> None:
    os.makedirs(os.path.dirname(target), 0o755, exist_ok=True)


def _show_processes() -> None:
    """The processes of the new namespace; some containers do not allow it, and none are shown."""
    os.mkdir("/new/proc", 0o755)
    with contextlib.suppress(OSError):
        mount("proc", "/new/proc", "proc", _NOSUID | _NODEV | _NOEXEC)


def _write(path: str, text: str) -> None:
    file = os.open(path, os.O_WRONLY)
    try:
        os.write(file, text.encode())
    finally:
        os.close(file)
