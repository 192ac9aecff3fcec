"""A child process under given means of isolation: started, interrupted, ended with all it began."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import IO

from earsim.errors import SandboxTooWeak, UsageError
from earsim.sandbox import bubblewrap
from earsim.sandbox.inside.orders import BUBBLEWRAP, FIRST_USER, NAMESPACES, PROFILE, Orders
from earsim.sandbox.level import SandboxLevel
from earsim.sandbox.limits import Limits
from earsim.sandbox.macos import confined
from earsim.sandbox.visible import executable, home, prefixes, visible

_MOST_PIDS = 1 << 22
_START_S = 30.0
_END_S = 10.0
_LAUNCHER = "import sys; sys.path.insert(0, sys.argv[1]); from inside.supervisor import main"


def python_command() -> tuple[str, ...]:
    """The running interpreter for a body: no site of the user, no unsafe path.

    Not ``-I``, which would ignore ``PYTHONHASHSEED`` too; the environment of a body holds nothing
    else of Python's.
    """
    return (executable(), "-P", "-s", "-B")


def orders_for(
    argv: Sequence[str],
    folder: str | Path,
    *,
    limits: Limits,
    means: Sequence[str],
    reads: Sequence[str | Path] = (),
) -> Orders:
    """What a launcher is told, for given means of isolation.

    Raises:
        UsageError: The folder is none, or the program has no full path.
    """
    work = os.path.realpath(folder)
    if not Path(work).is_dir():
        raise UsageError(f"{folder}: the work folder of a sandboxed child is no folder")
    for kept in (*prefixes(), Path(__file__), home()):
        if Path(os.path.realpath(kept)).is_relative_to(work):
            raise UsageError(f"{folder}: a sandboxed child may change its folder; {kept} is in it")
    if not argv or not Path(argv[0]).is_absolute():
        raise UsageError(f"a sandboxed program needs its full path, not {list(argv)[:1]}")
    seen = visible(reads)
    return Orders(
        argv=confined(argv, work, seen) if PROFILE in means else tuple(argv),
        environment=_environment(work),
        folder=work,
        readable=seen.readable,
        listed=seen.listed,
        means=tuple(means),
        other_user=_to_other_user(means),
        limits=asdict(limits),
        wrapper=bubblewrap.stage_command(work, seen.readable) if BUBBLEWRAP in means else (),
    )


def started(orders: Orders, level: SandboxLevel, at_least: SandboxLevel) -> SandboxedChild:
    """A child under given orders.

    Raises:
        SandboxTooWeak: Something of the isolation fails.
    """
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-I", "-S", "-c", f"{_LAUNCHER}; main(int(sys.argv[2]))"]
    with theirs:
        process = subprocess.Popen(
            [*command, str(Path(__file__).parent), str(theirs.fileno())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=orders.folder,
            env={},
            pass_fds=(theirs.fileno(),),
            start_new_session=True,
        )
    child = SandboxedChild(process, ours, level)
    try:
        child._begin(orders)
    except OSError as error:
        child.kill()
        said = child.stderr.read()[-200:].decode(errors="replace").strip()
        reason = f"the launch failed: {error.strerror or error}" + (f": {said}" if said else "")
        child.close()
        raise SandboxTooWeak(SandboxLevel.NONE, at_least, reason) from None
    return child


class SandboxedChild:
    """A running child; used with ``with``, it is ended at the end of the block.

    Attributes:
        stdin: pipe to the child, bytes, unbuffered; so are the others.
        stdout: pipe from the child.
        stderr: pipe from the child.
        level: of the isolation that it runs under.
        ended_by: ``exit``, ``wall`` (its time was over) or ``killed``; empty while it runs.
    """

    def __init__(
        self, process: subprocess.Popen[bytes], control: socket.socket, level: SandboxLevel
    ) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self.stdin: IO[bytes] = process.stdin
        self.stdout: IO[bytes] = process.stdout
        self.stderr: IO[bytes] = process.stderr
        self.level = level
        self.ended_by = ""
        self._process = process
        self._control = control
        self._heard = b""

    @property
    def pid(self) -> int:
        """Number of the launcher, which lives as long as the child and leads its session."""
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """As of `subprocess.Popen`: negative for a signal, None while it runs."""
        return self._process.returncode

    def poll(self) -> int | None:
        """The return code, or None while it runs."""
        return self._ended(self._process.poll())

    def wait(self, timeout: float | None = None) -> int:
        """The return code, once all of the child has ended.

        Raises:
            TimeoutError: It still runs after so many seconds.
        """
        try:
            code = self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"the child still runs after {timeout:g} s") from None
        self._ended(code)
        return code

    def interrupt(self) -> None:
        """Send SIGINT to the child's own group; without effect once it has ended."""
        with contextlib.suppress(OSError):
            self._control.send(b"i")

    def kill(self) -> None:
        """End the child and all that it started, whatever sessions these made of their own."""
        with contextlib.suppress(OSError):
            self._control.shutdown(socket.SHUT_WR)
            self._process.send_signal(signal.SIGCONT)  # the body may have stopped it, at level 1
        try:
            self.wait(_END_S)
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
            self.wait()

    def close(self) -> None:
        """End the child and free its pipes."""
        self.kill()
        for pipe in (self.stdin, self.stdout, self.stderr):
            with contextlib.suppress(OSError):
                pipe.close()
        self._control.close()

    def __enter__(self) -> SandboxedChild:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _begin(self, orders: Orders) -> None:
        """Give the orders, and hear whether they could be followed.

        Raises:
            OSError: They could not.
        """
        self._control.settimeout(_START_S)
        self._control.sendall(orders.line())
        said = self._hear()
        if "ready" not in said:
            raise OSError(0, said.get("error") or "the launcher ended without a word")

    def _ended(self, code: int | None) -> int | None:
        if code is not None and not self.ended_by:
            try:
                self.ended_by = self._hear().get("ended", "killed")
            except OSError:
                self.ended_by = "killed"
        return code

    def _hear(self) -> dict[str, str]:
        while b"\n" not in self._heard:
            part = self._control.recv(4096)
            if not part:
                return {}
            self._heard += part
        line, _, self._heard = self._heard.partition(b"\n")
        said: dict[str, str] = json.loads(line)
        return said


def _environment(folder: str) -> dict[str, str]:
    threads = ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "NUMBA", "VECLIB_MAXIMUM")
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": folder,
        "TMPDIR": folder,
        "LC_ALL": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        **{f"{name}_NUM_THREADS": "1" for name in threads},
    }


def _to_other_user(means: Sequence[str]) -> bool:
    """Root's bodies are those of another user: the kernel counts no processes of root.

    Not where there is no other user (in some containers), nor where it could not read Python: in
    namespaces its folders alone are shown, and so those above may be closed to others.
    """
    if sys.platform != "linux" or os.getuid() != 0 or not _is_mapped(FIRST_USER + _MOST_PIDS):
        return False
    return NAMESPACES in means or _all_may_read(sys.executable)


def _is_mapped(user: int) -> bool:
    """Whether this user namespace has a user of that number."""
    lines = Path("/proc/self/uid_map").read_text(encoding="utf-8").splitlines()
    ranges = [tuple(map(int, line.split())) for line in lines]
    return any(first <= user < first + length for first, _, length in ranges)


def _all_may_read(path: str) -> bool:
    """Whether whoever owns nothing may reach a file, by the modes of it and its folders."""
    place = Path(os.path.realpath(path))
    return all(p.stat().st_mode & 0o1 for p in (place, *place.parents))
