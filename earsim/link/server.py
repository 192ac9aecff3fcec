"""A linked episode on a WebSocket.

One thread of its own takes messages and decisions, one after the other; the loop carries texts,
so that connections are kept alive while a decision takes its time.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Any, NamedTuple

from earsim.errors import MissingExtra, UsageError
from earsim.link.access import is_allowed
from earsim.link.limits import HEARTBEAT_S, MOST_FRAME_BYTES, OPENING_S
from earsim.link.line import LinkLine
from earsim.link.linked_episode import LinkedEpisode

_LEAVING_S = 30.0
"""How long after the end of the episode clients may stay."""

_WATCH_S = 1.0
_BACKLOG = 128


class LinkAddress(NamedTuple):
    """Where a server listens, and for whom.

    Attributes:
        host: address.
        port: 0 takes any free one.
        token: that clients show.
        connections: most of them at once.
    """

    host: str
    port: int
    token: str
    connections: int = 64


class LinkServer:
    """Serves one episode until it is over.

    Attributes:
        port: where it listens, once `serve` has told so.
    """

    def __init__(
        self, link: LinkedEpisode, address: LinkAddress, *, tick_s: float | None = None
    ) -> None:
        """Make a server that does not listen yet.

        Args:
            link: the episode.
            address: where and for whom.
            tick_s: seconds on the wall between two ticks; None in lockstep.

        Raises:
            MissingExtra: websockets is not installed.
        """
        try:
            import websockets.asyncio.server  # noqa: F401 - told before anything is begun
        except ModuleNotFoundError as error:
            raise MissingExtra("websockets", "science") from error
        self._link = link
        self._address = address
        self._tick_s = tick_s
        self._thread = ThreadPoolExecutor(1, "earsim-link")
        self._lines: set[LinkLine] = set()
        self._count = 0
        self._stopping: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self.port = address.port

    def run(self, tell: Callable[[int], None]) -> None:
        """Listen until the episode is over and its clients have left, or until interrupted.

        Args:
            tell: gets the port as soon as clients may connect.

        Raises:
            UsageError: The port is taken, or the address is none of this machine.
        """
        try:
            with listening(self._address.host, self._address.port) as bound:
                asyncio.run(self._serve(bound, tell))
        finally:
            self._thread.shutdown(wait=False, cancel_futures=True)

    def stop(self) -> None:
        """End `run`; from any thread."""
        if self._loop is not None and self._stopping is not None:
            with contextlib.suppress(RuntimeError):  # the loop has ended by itself
                self._loop.call_soon_threadsafe(self._stopping.set)

    async def _serve(self, bound: socket.socket, tell: Callable[[int], None]) -> None:
        from websockets.asyncio.server import serve

        self._loop, self._stopping = asyncio.get_running_loop(), asyncio.Event()
        self.port = bound.getsockname()[1]
        server = serve(
            self._connected,
            sock=bound,
            origins=[None],  # browsers say where a page is from; programs do not
            process_request=self._admit,
            compression=None,
            max_size=MOST_FRAME_BYTES,
            open_timeout=OPENING_S,
            close_timeout=2.0,
            server_header=None,
        )
        async with server:
            tell(self.port)
            tasks: list[asyncio.Task[None]] = [asyncio.create_task(self._watch())]
            if self._tick_s is not None:
                tasks.append(asyncio.create_task(self._tick(self._tick_s)))
            stopping: asyncio.Task[Any] = asyncio.create_task(self._stopping.wait())
            try:
                await asyncio.wait([*tasks, stopping], return_when=asyncio.FIRST_COMPLETED)
                for task in tasks:
                    if task.done():
                        task.result()  # what went wrong there is told
            finally:
                for task in (*tasks, stopping):
                    task.cancel()

    def _admit(self, connection: Any, request: Any) -> Any:
        """Refuse a connection before it is one."""
        if not is_allowed(request.headers.get("Authorization"), self._address.token):
            return connection.respond(HTTPStatus.UNAUTHORIZED, "the token is wrong or missing\n")
        if self._count >= self._address.connections:
            return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, "too many connections\n")
        return None

    async def _in_thread(self, call: Callable[..., Any], *arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._thread, call, *arguments)

    async def _connected(self, connection: Any) -> None:
        """Carry the texts of one connection."""
        from websockets.exceptions import ConnectionClosed

        if self._count >= self._address.connections:  # several were admitted at once
            await connection.close(1013, "too many connections")
            return
        self._count += 1
        loop, news = asyncio.get_running_loop(), asyncio.Event()
        line = LinkLine(lambda: loop.call_soon_threadsafe(news.set))
        self._lines.add(line)
        sending = asyncio.create_task(self._send(line, connection, news))
        beating = asyncio.create_task(self._beat(line, connection))
        try:
            async for text in connection:
                await self._in_thread(self._link.receive, line, text)
        except ConnectionClosed:
            pass  # how a client leaves is its own affair: its session waits
        finally:
            sending.cancel()
            beating.cancel()
            self._lines.discard(line)
            self._count -= 1
            with contextlib.suppress(RuntimeError):  # the thread has ended with the server
                await self._in_thread(self._link.cut, line, loop.time())

    async def _send(self, line: LinkLine, connection: Any, news: asyncio.Event) -> None:
        """Send what there is, whenever there is something."""
        from websockets.exceptions import ConnectionClosed

        with contextlib.suppress(ConnectionClosed):
            while True:
                await news.wait()
                news.clear()
                for text in await self._in_thread(line.unsent):
                    await connection.send(text)
                if line.is_replaced:
                    await connection.close(1008, "the session has come back elsewhere")
                    return

    async def _beat(self, line: LinkLine, connection: Any) -> None:
        """Close a connection that opens no session; else say now and then that we are here."""
        await asyncio.sleep(OPENING_S)
        if line.session is None:
            await connection.close(1008, "no session was opened")
            return
        counter = 0
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            counter += 1
            await self._in_thread(self._link.beat, line, counter)

    async def _tick(self, seconds: float) -> None:
        """Let time pass, whoever has spoken."""
        loop = asyncio.get_running_loop()
        due = loop.time() + seconds
        while not self._link.is_over:
            await asyncio.sleep(max(0.0, due - loop.time()))
            due = max(due + seconds, loop.time())
            await self._in_thread(self._link.tick)
        await asyncio.Event().wait()

    async def _watch(self) -> None:
        """End sessions whose clients stay away; return when the episode is over and all left."""
        loop, over_at = asyncio.get_running_loop(), None
        while True:
            await asyncio.sleep(_WATCH_S)
            await self._in_thread(self._link.expire, loop.time())
            if self._link.is_over:
                over_at = loop.time() if over_at is None else over_at
                if not self._lines or loop.time() - over_at > _LEAVING_S:
                    return


def listening(host: str, port: int) -> socket.socket:
    """Taken before anything is announced, so that it is ours when a client reads of it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends small texts at once only where a socket names its protocol
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
        bound.listen(_BACKLOG)
    except (OSError, OverflowError) as error:
        bound.close()
        words = getattr(error, "strerror", None) or str(error)
        if getattr(error, "errno", None) == errno.EADDRINUSE:
            words = "it is taken; choose another --port"
        raise UsageError(f"cannot listen at {host}, port {port}: {words}") from None
    return bound
