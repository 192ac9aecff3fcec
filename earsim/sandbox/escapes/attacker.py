"""A process that runs attacks: under a sandbox, or without one as a control."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import IO

from earsim.sandbox.child import SandboxedChild, orders_for, python_command, started
from earsim.sandbox.escapes.bait import Laid
from earsim.sandbox.level import SandboxLevel
from earsim.sandbox.limits import Limits

_ATTACKS = Path(__file__).with_name("attacks.py")  # not imported: Windows lacks what it imports
_MIB = 1 << 20
_PATIENCE_S = 30.0
_GLANCE_S = 0.05
_LEFT_S = 1.0
_LIMITS = Limits(
    address_space_bytes=512 * _MIB,
    cpu_s=30.0,
    file_bytes=_MIB,
    open_files=32,
    processes=32,
    wall_s=60.0,
)
_LIMITS_OF = {
    "endless_loop": replace(_LIMITS, cpu_s=1.0),
    "endless_wait": replace(_LIMITS, wall_s=4.0),
    "outlive_by_stopping_launcher": replace(_LIMITS, wall_s=4.0),
}


class Attacker:
    """A running attacker."""

    def __init__(self, process: SandboxedChild | subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        self._process = process
        self._output: IO[bytes] = process.stdout
        self._heard = b""

    def line(self) -> dict[str, str]:
        """What it says next; empty if it ends without, whoever still holds its output."""
        deadline = time.monotonic() + _PATIENCE_S
        while b"\n" not in self._heard:
            ended = self._process.poll() is not None
            part = self._read(time.monotonic() + _GLANCE_S)
            if part:
                self._heard += part
            elif part == b"" or ended or time.monotonic() > deadline:
                return {}
        line, _, self._heard = self._heard.partition(b"\n")
        said: dict[str, str] = json.loads(line)
        return said

    def kill(self) -> None:
        """End it: its session as any program would, or as a sandbox does."""
        if isinstance(self._process, SandboxedChild):
            self._process.kill()
        else:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def leaves_something(self) -> bool:
        """Whether a process that it started outlives it: one that holds its output open."""
        with suppress(TimeoutError, subprocess.TimeoutExpired):
            self._process.wait(_PATIENCE_S)
        deadline = time.monotonic() + _LEFT_S
        while part := self._read(deadline):
            self._heard += part
        return part is None

    def how_it_ended(self) -> str:
        """The signal that ended it, or the limit."""
        with suppress(TimeoutError, subprocess.TimeoutExpired):
            self._process.wait(_PATIENCE_S)
        if isinstance(self._process, SandboxedChild) and self._process.ended_by == "wall":
            return "its time was over"
        code = self._process.returncode
        if code is None:
            return "it hangs"
        return signal.Signals(-code).name if code < 0 else f"exit code {code}"

    def _read(self, deadline: float) -> bytes | None:
        """More of its output; empty at the end of it, None at the deadline."""
        left = max(0.0, deadline - time.monotonic())
        ready, _, _ = select.select([self._output], [], [], left)
        return os.read(self._output.fileno(), 65536) if ready else None


@contextmanager
def attacking(names: Sequence[str], bait: Laid, means: Sequence[str] | None) -> Iterator[Attacker]:
    """A process that tries attacks.

    Args:
        names: of functions of `attacks`.
        bait: what they are aimed at.
        means: of isolation; None for none at all.

    Raises:
        SandboxTooWeak: These means do not work here.
    """
    text = _ATTACKS.read_text(encoding="utf-8")
    argv = [*python_command(), "-c", text, json.dumps(list(names)), json.dumps(bait.told)]
    with _inheritable(Path(str(bait.told["secret"]))):
        if means is None:
            process = subprocess.Popen(
                argv,
                cwd=bait.folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                close_fds=False,
                start_new_session=True,
            )
            with process:
                body = Attacker(process)
                try:
                    yield body
                finally:
                    body.kill()
        else:
            level = SandboxLevel.NONE
            limits = _LIMITS_OF.get(names[0], _LIMITS)
            orders = orders_for(argv, bait.folder, limits=limits, means=means)
            with started(orders, level, level) as child:
                yield Attacker(child)


@contextmanager
def _inheritable(path: Path) -> Iterator[None]:
    """A file that is open, and stays so in every child whose files nobody closes."""
    number = os.open(path, os.O_RDONLY)
    os.set_inheritable(number, True)
    try:
        yield
    finally:
        os.close(number)
