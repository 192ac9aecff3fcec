"""A filter of system calls: no sockets, no tracing, no shared memory, no namespaces of one's own.

It stands beside namespaces and Landlock, which alone leave UDP (Landlock) or a large part of the
kernel (user namespaces) within reach.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct

from .syscalls import CLONE_NEWUSER, PR_SET_SECCOMP, prctl

# linux/audit.h; x86_64's calls, its calls of the x32 ABI excluded, and aarch64's.
_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32_BIT = 0x40000000

_REFUSED = {
    "socket": (41, 198),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "unshare": (272, 97),
    "setns": (308, 268),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "open_by_handle_at": (304, 265),
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "kcmp": (312, 272),
    "io_uring_setup": (425, 425),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsmount": (432, 432),
    "pidfd_getfd": (438, 438),
    "mount_setattr": (442, 442),
}
"""Numbers on x86_64 and aarch64."""

_CLONE = (56, 220)
_CLONE3 = 435

_LOAD, _EQUALS, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_OFFSET_NUMBER, _OFFSET_ARCHITECTURE, _OFFSET_FIRST_ARGUMENT = 0, 4, 16
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_SECCOMP_MODE_FILTER = 2


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


def restrict() -> None:
    """Install the filter for this process and all that it starts; needs no-new-privileges.

    Raises:
        OSError: The kernel refuses, or the architecture is not known here.
    """
    machine = os.uname().machine
    if machine not in _ARCHITECTURES:
        raise OSError(errno.ENOSYS, f"no filter of system calls is written for {machine}")
    code = program(machine)
    given = _Program(len(code) // 8, code)
    what = "filter of system calls"
    prctl(PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, what=what, pointer=ctypes.byref(given))


def program(machine: str) -> bytes:
    """The filter in classic BPF, eight bytes an instruction."""
    column = list(_ARCHITECTURES).index(machine)
    refuse = _ERRNO | errno.EPERM
    code = [
        _step(_LOAD, _OFFSET_ARCHITECTURE),
        _step(_EQUALS, _ARCHITECTURES[machine], yes=1),
        _step(_RETURN, _KILL),
        _step(_LOAD, _OFFSET_NUMBER),
    ]
    if machine == "x86_64":
        code += [_step(_AT_LEAST, _X32_BIT, no=1), _step(_RETURN, refuse)]
    for numbers in _REFUSED.values():
        code += [_step(_EQUALS, numbers[column], no=1), _step(_RETURN, refuse)]
    # glibc falls back to clone, whose flags can be looked at
    code += [_step(_EQUALS, _CLONE3, no=1), _step(_RETURN, _ERRNO | errno.ENOSYS)]
    code += [
        _step(_EQUALS, _CLONE[column], no=3),
        _step(_LOAD, _OFFSET_FIRST_ARGUMENT),
        _step(_ANY_BIT, CLONE_NEWUSER, no=1),
        _step(_RETURN, refuse),
        _step(_RETURN, _ALLOW),
    ]
    return b"".join(code)


def _step(operation: int, value: int, *, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("=HBBI", operation, yes, no, value)
