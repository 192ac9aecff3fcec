"""All attacks: how each is told, and whether it is tried without a sandbox too."""

from __future__ import annotations

from typing import NamedTuple


class Escape(NamedTuple):
    """An attack as it is told.

    Attributes:
        group: kind of attack.
        title: what it is, in words.
        control: whether it is tried without a sandbox, where it should succeed; what would do
            harm, or says nothing there, is not.
    """

    group: str
    title: str
    control: bool = True


ESCAPES: dict[str, Escape] = {
    "tcp": Escape("network", "TCP to a server on this machine"),
    "tcp_listen": Escape("network", "open a TCP port to this machine"),
    "udp": Escape("network", "UDP to this machine"),
    "unix_socket": Escape("network", "socket file of the host"),
    "abstract_socket": Escape("network", "abstract Unix socket of the host"),
    "write_outside": Escape("files", "write beside the work folder"),
    "write_tmp": Escape("files", "write to /tmp"),
    "write_memory_disk": Escape("files", "write to /dev/shm"),
    "write_program": Escape("files", "change the interpreter's library"),
    "read_home": Escape("files", "read a file of the user"),
    "read_passwd": Escape("files", "read /etc/passwd"),
    "read_through_link": Escape("files", "read through a symbolic link"),
    "hard_link": Escape("files", "hard link to a file outside"),
    "read_by_root_of_process": Escape("files", "read through /proc/PID/root"),
    "read_inherited": Escape("files", "read a file that earsim has open"),
    "kill_other": Escape("processes", "kill a process of the user"),
    "trace_other": Escape("processes", "trace a process of the user"),
    "trace_parent": Escape("processes", "trace earsim"),
    "read_environment": Escape("processes", "read another process's environment"),
    "own_namespaces": Escape("processes", "become root in a user namespace"),
    "left_over": Escape("processes", "leave a process behind at the end"),
    "left_over_after_kill": Escape("processes", "leave a process behind when killed"),
    "left_over_by_killing_launcher": Escape(
        "processes", "kill the launcher, leave a process behind", control=False
    ),
    "memory": Escape("resources", "1 GiB of memory (limit 512 MiB)"),
    "fork_bomb": Escape("resources", "100 processes (limit 32)"),
    "endless_loop": Escape("resources", "compute for 4 s (limit 1 s), deaf to SIGXCPU"),
    "endless_wait": Escape("resources", "wait for 8 s (limit 4 s)"),
    "large_file": Escape("resources", "file of 2 MiB (limit 1 MiB)"),
    "many_open_files": Escape("resources", "100 open files (limit 32)"),
    "core_file": Escape("resources", "core file of a crash"),
    "raised_limit": Escape("resources", "raise a limit again"),
}
"""By name of the function in `attacks`."""
