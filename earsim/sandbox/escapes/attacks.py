"""What foreign code might try, as functions that a body runs; each says what it achieved.

The text of this file is given to a body as its program: it imports the standard library only. An
attack returns what it achieved, and raises where it is refused.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import mmap
import os
import resource
import signal
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Bait = dict[str, Any]
_MIB = 1 << 20


# -- network -------------------------------------------------------------------------------------


def tcp(bait: Bait) -> str:
    """Connect to a server on this machine."""
    with socket.create_connection(("127.0.0.1", bait["tcp"]), timeout=2) as link:
        return f"read {link.recv(32)!r}"


def tcp_listen(bait: Bait) -> str:
    """Open a port to the programs of this machine."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", bait["free"]))
        server.listen()
        server.settimeout(1)
        link, _ = server.accept()
        with link:
            return f"was called: {link.recv(32)!r}"


def udp(bait: Bait) -> str:
    """Send a datagram to this machine."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        link.settimeout(2)
        link.sendto(b"ping", ("127.0.0.1", bait["udp"]))
        return f"answered {link.recv(32)!r}"


def unix_socket(bait: Bait) -> str:
    """Connect to a socket in a folder of the host."""
    return _unix(bait["unix"])


def abstract_socket(bait: Bait) -> str:
    """Connect to a socket without a file."""
    return _unix("\0" + bait["abstract"])


def _unix(address: str) -> str:
    with socket.socket(socket.AF_UNIX) as link:
        link.settimeout(2)
        link.connect(address)
        return f"read {link.recv(32)!r}"


# -- files ---------------------------------------------------------------------------------------


def write_outside(bait: Bait) -> str:
    """Write beside the work folder."""
    path = Path(bait["outside"], "written")
    path.write_text("x", encoding="utf-8")
    return f"wrote {path}"


def write_tmp(bait: Bait) -> str:
    """Write to the folder for temporary files."""
    path = Path("/tmp", bait["name"])
    path.write_text("x", encoding="utf-8")
    path.unlink()
    return f"wrote {path}"


def write_memory_disk(bait: Bait) -> str:
    """Write to ``/dev/shm``."""
    path = Path("/dev/shm", bait["name"])
    path.write_text("x", encoding="utf-8")
    path.unlink()
    return f"wrote {path}"


def truncate_outside(bait: Bait) -> str:
    """Cut a file of the user."""
    os.truncate(bait["victim"], 0)
    return f"cut {bait['victim']}"


def change_mode(bait: Bait) -> str:
    """Change who may read a file of the user."""
    Path(bait["victim"]).chmod(0o666)
    return f"changed {bait['victim']}"


def look_outside(bait: Bait) -> str:
    """Learn that a file of the user exists, and its length."""
    return f"found {Path(bait['secret']).stat().st_size} bytes"


def write_program(bait: Bait) -> str:
    """Open the interpreter's own library for writing."""
    file = os.open(contextlib.__file__, os.O_WRONLY)
    os.close(file)
    return f"opened {contextlib.__file__}"


def write_program_by_link(bait: Bait) -> str:
    """Open the interpreter's own library for writing, by a hard link in the work folder."""
    Path("library").hardlink_to(contextlib.__file__)
    file = os.open("library", os.O_WRONLY)
    os.close(file)
    return f"opened {contextlib.__file__}"


def read_home(bait: Bait) -> str:
    """Read a file of the user outside the work folder."""
    return f"read {Path(bait['secret']).read_text(encoding='utf-8')!r}"


def read_passwd(bait: Bait) -> str:
    """Read ``/etc/passwd``."""
    return f"read {len(Path('/etc/passwd').read_bytes())} bytes"


def read_through_link(bait: Bait) -> str:
    """Read a file outside through a symbolic link."""
    link = Path("link")
    link.symlink_to(bait["secret"])
    return f"read {link.read_text(encoding='utf-8')!r}"


def hard_link(bait: Bait) -> str:
    """Make a file outside one of the work folder."""
    Path("hard").hardlink_to(bait["secret"])
    return f"read {Path('hard').read_text(encoding='utf-8')!r}"


def read_by_root_of_process(bait: Bait) -> str:
    """Read a file outside through the root folder of another process."""
    reasons: list[OSError] = []
    for pid in _processes():
        try:
            text = Path(f"/proc/{pid}/root{bait['secret']}").read_text(encoding="utf-8")
        except OSError as error:
            reasons.append(error)
        else:
            return f"read {text!r} by process {pid}"
    raise reasons[0]


def read_inherited(bait: Bait) -> str:
    """Read a file that earsim has open."""
    for number in range(3, 256):
        with contextlib.suppress(OSError):
            if bait["marker"].encode() in os.pread(number, 256, 0):
                return f"read file {number}"
    raise OSError(errno.EBADF, "no open file shows it")


# -- processes -----------------------------------------------------------------------------------


def kill_other(bait: Bait) -> str:
    """Kill another process of the user."""
    os.kill(bait["pid"], signal.SIGKILL)
    return f"sent SIGKILL to {bait['pid']}"


def trace_other(bait: Bait) -> str:
    """Trace another process of the user."""
    return _trace(bait["pid"])


def trace_parent(bait: Bait) -> str:
    """Trace earsim."""
    return _trace(bait["earsim"])


def _trace(pid: int) -> str:
    seize, libc = 0x4206, ctypes.CDLL(None, use_errno=True)
    null = ctypes.c_void_p()
    if libc.ptrace(ctypes.c_long(seize), ctypes.c_long(pid), null, null) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return f"traces {pid}"


def read_environment(bait: Bait) -> str:
    """Read the environment of earsim, or of another process of the user."""
    reasons: list[OSError] = []
    for pid in _processes():
        try:
            if bait["marker"].encode() in Path(f"/proc/{pid}/environ").read_bytes():
                return f"read that of {pid}"
        except OSError as error:
            reasons.append(error)
    raise reasons[0] if reasons else OSError(errno.ENOENT, "no process shows it")


def _processes() -> list[int]:
    return sorted(int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit())


def left_over(bait: Bait) -> str:
    """Leave a process behind, in a session of its own."""
    return _leave()


def left_over_after_kill(bait: Bait) -> str:
    """Leave a process behind, and run until killed."""
    _tell({"attack": "ready", "done": _leave()})
    time.sleep(30)
    return "was not killed"


def left_over_by_killing_launcher(bait: Bait) -> str:
    """Leave a process behind, and kill the launcher that would end it."""
    done = _leave()
    os.kill(os.getppid(), signal.SIGKILL)
    return done


def outlive_by_stopping_launcher(bait: Bait) -> str:
    """Stop the launcher, and wait for 8 s, where 4 s are the limit."""
    with contextlib.suppress(OSError):
        os.kill(os.getppid(), signal.SIGSTOP)
    read, write = os.pipe()
    if os.fork():
        os.read(read, 1)
        os.kill(0, signal.SIGSTOP)  # the group, this process with it; the other one goes on
        os._exit(0)
    os.setpgid(0, 0)
    os.write(write, b"x")
    time.sleep(8)
    return "waited for 8 s"


def _leave() -> str:
    read, write = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT):
                signal.signal(number, signal.SIG_IGN)
            os.write(write, b"x")
            time.sleep(8)  # it holds the output open meanwhile, which is what tells on it
        os._exit(0)
    os.read(read, 1)
    os.wait()
    return "a process was left"


def own_namespaces(bait: Bait) -> str:
    """Make namespaces of one's own, to be root in them."""
    libc, new_user = ctypes.CDLL(None, use_errno=True), 0x10000000
    if libc.unshare(new_user) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return "is in a user namespace of its own"


# -- resources -----------------------------------------------------------------------------------


def memory(bait: Bait) -> str:
    """Take 1 GiB of memory, where 512 MiB are the limit."""
    held = [mmap.mmap(-1, 64 * _MIB) for _ in range(16)]
    return f"took {len(held) * 64} MiB"


def fork_bomb(bait: Bait) -> str:
    """Start 100 processes, where 32 are the limit."""
    read, write = os.pipe()
    started: list[int] = []
    try:
        for _ in range(100):
            pid = os.fork()
            if pid == 0:
                os.close(write)
                os.read(read, 1)  # until the first one ends
                os._exit(0)
            started.append(pid)
    finally:
        os.close(write)
        for pid in started:
            os.waitpid(pid, 0)
    return f"started {len(started)} processes"


def endless_loop(bait: Bait) -> str:
    """Compute for 4 s, deaf to SIGXCPU, where 1 s is the limit."""
    signal.signal(signal.SIGXCPU, signal.SIG_IGN)
    while time.process_time() < 4:
        pass
    return "computed for 4 s"


def endless_wait(bait: Bait) -> str:
    """Wait for 8 s, deaf to SIGTERM, where 4 s are the limit."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(8)
    return "waited for 8 s"


def large_file(bait: Bait) -> str:
    """Write a file of 2 MiB, where 1 MiB is the limit."""
    path = Path("large")
    with path.open("wb") as file:
        file.write(bytes(2 * _MIB))
    return f"wrote {path.stat().st_size} bytes"


def many_open_files(bait: Bait) -> str:
    """Open 100 files, where 32 are the limit."""
    files: list[int] = []
    try:
        for _ in range(100):
            files.append(os.open("/dev/null", os.O_RDONLY))  # noqa: PERF401 - it raises half-way
    finally:
        for number in files:
            os.close(number)
    return f"opened {len(files)} files"


def core_file(bait: Bait) -> str:
    """Leave the memory of a crashed process as a file."""
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))
    pid = os.fork()
    if pid == 0:
        os.abort()
    if not os.WCOREDUMP(os.waitpid(pid, 0)[1]):
        raise OSError(errno.EPERM, "no core file was made")
    return "made a core file"


def raised_limit(bait: Bait) -> str:
    """Raise a limit again."""
    most = resource.RLIM_INFINITY
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    with Path("raised").open("wb") as file:
        file.write(bytes(2 * _MIB))
    return "wrote 2 MiB after raising the limit"


# -- running them --------------------------------------------------------------------------------


def _tell(said: dict[str, str]) -> None:
    print(json.dumps(said), flush=True)  # noqa: T201 - the pipe to whoever tries it


def main(names: list[str], bait: Bait) -> None:
    """Try attacks one after another, each of several in a process of its own, one line each."""
    for name in names:
        if len(names) == 1:
            _try(name, bait)
        elif (pid := os.fork()) == 0:
            _try(name, bait)
            os._exit(0)
        elif os.waitpid(pid, 0)[1]:
            _tell({"attack": name, "ended": "its process was ended"})


def _try(name: str, bait: Bait) -> None:
    attack: Callable[[Bait], str] = globals()[name]
    try:
        said = {"done": attack(bait)}
    except (OSError, MemoryError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        said = {"refused": reason or type(error).__name__}
    _tell({"attack": name, **said})


if __name__ == "__main__" and len(sys.argv) == 3:
    main(json.loads(sys.argv[1]), json.loads(sys.argv[2]))
