"""All attacks: how each is told, and the level from which on it must fail."""

from __future__ import annotations

from typing import NamedTuple

from earsim.sandbox.level import SandboxLevel

_LIMITS, _CONFINED, _ISOLATED = list(SandboxLevel)[1:]


class Escape(NamedTuple):
    """An attack as it is told.

    Attributes:
        group: kind of attack.
        title: what it is, in words.
        fails_from: level from which on it fails: where it does not, the level is not reached.
        quick: whether it is over in milliseconds, and so is tried whenever the level is measured.
        control: whether it is tried without a sandbox, where it should succeed; what would do
            harm, or says nothing there, is not.
    """

    group: str
    title: str
    fails_from: SandboxLevel
    quick: bool = True
    control: bool = True


ESCAPES: dict[str, Escape] = {
    "tcp": Escape("network", "TCP to a server on this machine", _CONFINED),
    "tcp_listen": Escape("network", "open a TCP port to this machine", _CONFINED),
    "udp": Escape("network", "UDP to this machine", _ISOLATED),
    "unix_socket": Escape("network", "socket file of the host", _ISOLATED),
    "abstract_socket": Escape("network", "abstract Unix socket of the host", _ISOLATED),
    "write_outside": Escape("files", "write beside the work folder", _CONFINED),
    "write_tmp": Escape("files", "write to /tmp", _CONFINED),
    "write_memory_disk": Escape("files", "write to /dev/shm", _CONFINED),
    "truncate_outside": Escape("files", "cut a file of the user", _CONFINED),
    "change_mode": Escape("files", "change the mode of a file of the user", _ISOLATED),
    "look_outside": Escape("files", "learn that a file of the user exists", _ISOLATED),
    "write_program": Escape("files", "change the interpreter's library", _CONFINED, control=False),
    "write_program_by_link": Escape("files", "change it by a hard link", _CONFINED, control=False),
    "read_home": Escape("files", "read a file of the user", _CONFINED),
    "read_passwd": Escape("files", "read /etc/passwd", _CONFINED),
    "read_through_link": Escape("files", "read through a symbolic link", _CONFINED),
    "hard_link": Escape("files", "hard link to a file outside", _CONFINED),
    "read_by_root_of_process": Escape("files", "read through /proc/PID/root", _CONFINED),
    "read_inherited": Escape("files", "read a file that earsim has open", _LIMITS),
    "trace_other": Escape("processes", "trace a process of the user", _CONFINED),
    "trace_parent": Escape("processes", "trace earsim", _CONFINED),
    "read_environment": Escape("processes", "read another process's environment", _CONFINED),
    "own_namespaces": Escape("processes", "become root in a user namespace", _ISOLATED),
    "kill_other": Escape("processes", "kill a process of the user", _ISOLATED),
    "left_over": Escape("processes", "leave a process behind at the end", _LIMITS, quick=False),
    "left_over_after_kill": Escape(
        "processes", "leave one behind when killed", _LIMITS, quick=False
    ),
    "left_over_by_killing_launcher": Escape(
        "processes",
        "leave one behind, kill the launcher",
        _ISOLATED,
        quick=False,
        control=False,
    ),
    "outlive_by_stopping_launcher": Escape(
        "processes", "stop the launcher, outlive the time", _ISOLATED, quick=False, control=False
    ),
    "memory": Escape("resources", "1 GiB of memory (limit 512 MiB)", _LIMITS),
    "fork_bomb": Escape("resources", "100 processes (limit 32)", _LIMITS),
    "endless_loop": Escape(
        "resources", "compute for 4 s (limit 1 s), deaf to SIGXCPU", _LIMITS, quick=False
    ),
    "endless_wait": Escape("resources", "wait for 8 s (limit 4 s)", _LIMITS, quick=False),
    "large_file": Escape("resources", "file of 2 MiB (limit 1 MiB)", _LIMITS),
    "many_open_files": Escape("resources", "100 open files (limit 32)", _LIMITS),
    "core_file": Escape("resources", "core file of a crash", _LIMITS),
    "raised_limit": Escape("resources", "raise a limit again", _LIMITS),
}
"""By name of the function in `attacks`; what is killed is killed after all that aims at it."""
