"""Landlock: rights over files, TCP ports and signals that a process gives up for good.

The kernel's manual page ``landlock(7)`` names the rights; a right that is granted must be among
those that the ruleset handles, or the kernel answers EINVAL.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable

from .syscalls import syscall

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_RULE_PATH_BENEATH = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
_REMOVE_DIR, _REMOVE_FILE = 1 << 4, 1 << 5
_MAKE_CHAR, _MAKE_DIR, _MAKE_REG, _MAKE_SOCK = 1 << 6, 1 << 7, 1 << 8, 1 << 9
_MAKE_FIFO, _MAKE_BLOCK, _MAKE_SYM = 1 << 10, 1 << 11, 1 << 12
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_ALL_FILE_RIGHTS_1 = (1 << 13) - 1
_TCP_BIND_CONNECT = 3
_SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS = 3

READ = EXECUTE | READ_FILE | READ_DIR
CHANGE = (
    WRITE_FILE
    | _REMOVE_DIR
    | _REMOVE_FILE
    | _MAKE_DIR
    | _MAKE_REG
    | _MAKE_SOCK
    | _MAKE_FIFO
    | _MAKE_SYM
    | _REFER
    | _TRUNCATE
)
_OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | _TRUNCATE | _IOCTL_DEV
"""The other rights are about folders; on a file they are EINVAL."""


class _Ruleset(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("files", "network", "scopes")]


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("rights", ctypes.c_uint64), ("parent", ctypes.c_int32)]


def abi() -> int:
    """Version of Landlock in this kernel.

    Raises:
        OSError: There is none, or it is switched off.
    """
    return syscall(_CREATE_RULESET, "Landlock", None, 0, 1)


def handled(version: int) -> _Ruleset:
    """All rights that a version of Landlock can take away."""
    files = _ALL_FILE_RIGHTS_1
    files |= _REFER if version >= 2 else 0
    files |= _TRUNCATE if version >= 3 else 0
    files |= _IOCTL_DEV if version >= 5 else 0
    network = _TCP_BIND_CONNECT if version >= 4 else 0
    scopes = _SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS if version >= 6 else 0
    return _Ruleset(files, network, scopes)


def restrict(
    read: Iterable[str], listed: Iterable[str], change: Iterable[str], devices: Iterable[str]
) -> None:
    """Give up all rights but these; needs no-new-privileges.

    Args:
        read: folders and files to read and execute from.
        listed: folders in which, and below which, names may be read.
        change: folders in which all may be done, save making devices.
        devices: files to read and write.

    Raises:
        OSError: There is no Landlock, or a path cannot be opened.
    """
    rights = handled(abi())
    size = ctypes.sizeof(rights)
    ruleset = syscall(_CREATE_RULESET, "Landlock ruleset", ctypes.byref(rights), size, 0)
    try:
        granted = [(path, READ) for path in read]
        granted += [(path, READ_DIR) for path in listed]
        granted += [(path, READ | CHANGE) for path in change]
        granted += [(path, READ_FILE | WRITE_FILE) for path in devices]
        for path, right in granted:
            _grant(ruleset, path, right & rights.files)
        syscall(_RESTRICT_SELF, "Landlock restriction", ruleset, 0)
    finally:
        os.close(ruleset)


def _grant(ruleset: int, path: str, rights: int) -> None:
    parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not os.path.isdir(path):
            rights &= _OF_FILES
        rule = ctypes.byref(_PathBeneath(rights, parent))
        syscall(_ADD_RULE, f"Landlock rule {path}", ruleset, _RULE_PATH_BENEATH, rule, 0)
    finally:
        os.close(parent)
