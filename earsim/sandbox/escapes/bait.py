"""What attacks are aimed at: servers, a secret file and a process, all made for the purpose."""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

_SLEEP = "import sys; sys.stdin.read()"
_NOTICE_S = 0.05
"""How long a thread takes to notice that the trial is over."""


class Laid(NamedTuple):
    """Bait that lies ready.

    Attributes:
        told: what the attacker is told of it.
        folder: the work folder of the body.
        process: a process of the same user; its environment holds the marker.
    """

    told: dict[str, str | int]
    folder: Path
    process: subprocess.Popen[bytes]

    def lives(self) -> bool:
        """Whether the process survived so far; a signal has a moment to arrive."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(0.2)
        return self.process.poll() is None


@contextlib.contextmanager
def laid() -> Iterator[Laid]:
    """Bait for one trial; all of it is gone afterwards."""
    marker = secrets.token_hex(8)
    with contextlib.ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="earsim-bait-")))
        place.chmod(0o711)
        folder, home = place / "work", place / "home"
        for made in (folder, home):
            made.mkdir()
        secret = home / "secret"
        secret.write_text(marker, encoding="utf-8")
        victim = home / "victim"
        victim.write_text("uncut", encoding="utf-8")
        process = _process(marker)
        stack.callback(_end, process)
        told: dict[str, str | int] = {
            "marker": marker,
            "name": f"earsim-{marker}",
            "secret": str(secret),
            "victim": str(victim),
            "outside": str(home),
            "pid": process.pid,
            "earsim": os.getpid(),
            **_servers(stack, place, marker),
        }
        yield Laid(told, folder, process)


def _process(marker: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _SLEEP],
        stdin=subprocess.PIPE,
        env={"BAIT": marker},
    )


def _end(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    process.stdin.close()
    process.kill()
    process.wait()


def _servers(stack: contextlib.ExitStack, place: Path, marker: str) -> dict[str, str | int]:
    """Servers that greet whoever comes, and a caller of a port, each in a thread."""
    tcp = socket.create_server(("127.0.0.1", 0))
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.bind(("127.0.0.1", 0))
    unix = str(place / "socket")
    servers = [(tcp, _greet), (udp, _echo)]
    if hasattr(socket, "AF_UNIX"):
        addresses = [unix, f"\0earsim-{marker}"] if sys.platform == "linux" else [unix]
        servers += [(_unix_server(address), _greet) for address in addresses]
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    over = threading.Event()
    threads = [threading.Thread(target=_serve, args=(*each, over)) for each in servers]
    threads.append(threading.Thread(target=_call, args=(port, over)))
    for thread in threads:
        thread.start()
    for closed, _ in servers:
        stack.callback(closed.close)
    for thread in threads:
        stack.callback(thread.join)
    stack.callback(over.set)
    return {
        "tcp": tcp.getsockname()[1],
        "udp": udp.getsockname()[1],
        "unix": unix,
        "abstract": f"earsim-{marker}",
        "free": port,
    }


def _unix_server(address: str) -> socket.socket:
    server = socket.socket(socket.AF_UNIX)
    server.bind(address)
    server.listen()
    return server


def _serve(
    server: socket.socket, answer: Callable[[socket.socket], None], over: threading.Event
) -> None:
    server.settimeout(_NOTICE_S)
    while not over.is_set():
        with contextlib.suppress(OSError):
            answer(server)


def _call(port: int, over: threading.Event) -> None:
    """Call a port again and again, for whoever opens it."""
    while not over.wait(_NOTICE_S):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1) as link:
            link.sendall(b"hello")


def _greet(server: socket.socket) -> None:
    link, _ = server.accept()
    with link:
        link.sendall(b"hello")


def _echo(server: socket.socket) -> None:
    said, where = server.recvfrom(64)
    server.sendto(said, where)
