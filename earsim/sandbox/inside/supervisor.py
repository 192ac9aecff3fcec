"""The launcher: starts the body in its isolation, waits for it, and leaves nothing behind.

It stays between earsim and the body as long as the body lives. It ends the body and all that
descends from it when the time is over, when earsim closes the control socket, and when earsim
itself ends, however that comes about.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import time
from typing import NamedTuple

from .body import become, become_user
from .namespaces import build_root, enter
from .orders import FIRST_USER, NAMESPACES, Orders
from .stage import BEGUN, REPORT
from .syscalls import PR_SET_CHILD_SUBREAPER, PR_SET_DUMPABLE, PR_SET_PDEATHSIG, prctl
from .talk import read_all, read_line, sentence, tell

INTERRUPT = b"i"


class BodyEnd(NamedTuple):
    """Why a wait is over.

    Attributes:
        why: ``exit``, ``wall`` (the time is over) or ``killed`` (earsim wants it, or ended).
        status: of the first child, if it ended by itself.
    """

    why: str
    status: int | None


def main(control: int) -> None:
    """Run one body; ends as the body ended.

    Args:
        control: socket to earsim. First comes a line of orders; then a line is sent, ``ready`` or
            an ``error``; then each `INTERRUPT` is passed on to the body's group.
    """
    orders = Orders.of(read_line(control))
    user = FIRST_USER + os.getpid() if orders.other_user else None
    os.set_inheritable(control, False)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
        signal.signal(number, lambda *_: None)
    wake, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    try:
        child, verdict = _start(orders, user)
    except OSError as error:
        tell(control, error=sentence(error))
        os._exit(125)
    _release_pipes()
    tell(control, ready=True)
    ending = _wait(child, control, wake, time.monotonic() + orders.limits["wall_s"])
    inside = NAMESPACES in orders.means
    status = _end(child, ending.status, verdict, inside_namespace=inside)
    with contextlib.suppress(OSError):
        tell(control, ended=ending.why)
    _end_as(status, wrapped=bool(orders.wrapper))


# -- starting ------------------------------------------------------------------------------------


def _start(orders: Orders, user: int | None) -> tuple[int, int]:
    """The first child, and where the wait status of the body can be read."""
    report_read, report = os.pipe()
    verdict_read, verdict = os.pipe()
    namespaces = NAMESPACES in orders.means
    _prepare(orders.folder, user, namespaces=namespaces)
    child = os.fork()
    if child == 0:
        _in_child(orders, user, report, verdict)
    with contextlib.suppress(OSError):
        os.setpgid(child, child)  # as it does itself, whoever comes first
    os.close(report)
    os.close(verdict)
    complaint = read_all(report_read)
    os.close(report_read)
    if orders.wrapper:
        complaint = complaint.removeprefix(BEGUN) if complaint else b"bubblewrap refused"
    if complaint:
        os.waitpid(child, 0)
        raise OSError(0, complaint.decode(errors="replace"))
    return child, verdict_read


def _prepare(folder: str, user: int | None, *, namespaces: bool) -> None:
    if user is not None:
        _give(folder, user)
    if sys.platform != "linux":
        return
    prctl(PR_SET_CHILD_SUBREAPER, 1, what="subreaper")
    if namespaces:
        _enter_namespaces(user)
    prctl(PR_SET_DUMPABLE, 0, what="dumpable")


def _enter_namespaces(user: int | None) -> None:
    """As root, or else as anybody: root in a container may make user namespaces as others may."""
    if os.getuid() == 0:
        with contextlib.suppress(OSError):
            enter(as_root=True)
            return
        if user is not None:
            become_user(user)
    enter(as_root=False)


def _in_child(orders: Orders, user: int | None, report: int, verdict: int) -> None:
    signal.set_wakeup_fd(-1)
    try:
        os.setpgid(0, 0)  # what the body sends to its group does not reach the launcher
        if orders.wrapper:
            _wrap(orders, user, report)
        if NAMESPACES in orders.means:
            _serve_as_init(orders, report, verdict)
        become(orders, user)
    except BaseException as error:  # noqa: BLE001 - the process ends here; its reason is told
        with contextlib.suppress(OSError):
            os.write(report, sentence(error).encode())
    os._exit(125)


def _wrap(orders: Orders, user: int | None, report: int) -> None:
    """Execute bubblewrap, which executes the last step; returns only by raising."""
    if user is not None:
        become_user(user)
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL, what="death signal")
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is for the body, not for bubblewrap
    if report != REPORT:
        os.dup2(report, REPORT)
    os.set_inheritable(REPORT, True)
    text = orders.line().decode()
    os.execve(orders.wrapper[0], [*orders.wrapper, text], {})


def _serve_as_init(orders: Orders, report: int, verdict: int) -> None:
    """Be process 1 of the namespace, whose end ends all in it; returns in the body."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL, what="death signal")
    build_root(orders.readable, orders.folder)
    body = os.fork()
    if body == 0:
        return
    os.close(report)
    _release_pipes()
    while True:
        pid, status = os.wait()
        if pid == body:
            os.write(verdict, str(status).encode())
            os._exit(0)


def _give(folder: str, user: int) -> None:
    """Make a folder, and all in it, that of the user whom the body runs as."""
    os.lchown(folder, user, user)
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            os.lchown(f"{place}/{name}", user, user)


def _release_pipes() -> None:
    """Let the body alone hold its pipes, so that their ends are the body's."""
    null = os.open("/dev/null", os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    os.close(null)


# -- waiting and ending --------------------------------------------------------------------------


def _wait(child: int, control: int, wake: int, deadline: float) -> BodyEnd:
    """Wait until the first child ends, or should."""
    poll = select.poll()
    poll.register(control, select.POLLIN)
    poll.register(wake, select.POLLIN)
    while True:
        left = deadline - time.monotonic()
        if left <= 0:
            return BodyEnd("wall", None)
        ready = {number for number, _ in poll.poll(min(left, 3600.0) * 1000 + 1)}
        if wake in ready:
            os.read(wake, 4096)
        if (status := _reap(child)) is not None:
            return BodyEnd("exit", status)
        if control in ready:
            if not os.read(control, 64):
                return BodyEnd("killed", None)
            with contextlib.suppress(OSError):
                os.killpg(child, signal.SIGINT)  # process 1 of a namespace only wakes


def _reap(child: int) -> int | None:
    """Take leave of all that ended, orphans included; the wait status of the first child."""
    found = None
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            if ended[0] == child:
                found = ended[1]
    return found


def _end(child: int, status: int | None, verdict: int, *, inside_namespace: bool) -> int:
    """End all that descends from here; the wait status of the body."""
    if not inside_namespace:
        _stop_descendants()
    if status is None:
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
    with contextlib.suppress(ChildProcessError):
        while True:
            _signal(_descendants(), signal.SIGKILL)
            os.waitpid(-1, 0)
    if not inside_namespace:
        return status
    told = os.read(verdict, 32)
    return int(told) if told else int(signal.SIGKILL)


def _descendants() -> set[int]:
    """Numbers of all processes below this one, from ``/proc``; none where there is no such."""
    parents: dict[int, int] = {}
    with contextlib.suppress(OSError):
        for name in os.listdir("/proc"):
            if name.isdigit():
                with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
                    parents[int(name)] = int(file.read().rpartition(b")")[2].split()[1])
    found = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {os.getpid()}


def _stop_descendants() -> None:
    """Stop them first: who is stopped makes no more of them."""
    stopped: set[int] = set()
    while new := _descendants() - stopped:
        stopped |= new
        _signal(new, signal.SIGSTOP)


def _signal(pids: set[int], number: int) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def _end_as(status: int, *, wrapped: bool) -> None:
    """End this process as the body ended, so that whoever started it reads the same."""
    code = os.waitstatus_to_exitcode(status)
    if wrapped and code > 128:  # bubblewrap's word for a signal, as a shell's
        code = 128 - code
    if code < 0:
        with contextlib.suppress(OSError):  # SIGKILL has no other effect to be set aside
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code if code >= 0 else 128 - code)
