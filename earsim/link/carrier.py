"""What carries the texts of a client: a socket, or nothing at all where the world is in process."""

from __future__ import annotations

from collections import deque
from contextlib import ExitStack
from typing import Any, Protocol

from earsim.errors import EarSimError, MissingExtra, UsageError
from earsim.link.limits import MOST_FRAME_BYTES, OPENING_S
from earsim.link.line import LinkLine
from earsim.link.linked_episode import LinkedEpisode


class CarrierCut(EarSimError):
    """A connection that is gone; a session can be taken up again on another."""


class Carrier(Protocol):
    """One connection."""

    def send(self, text: str) -> None:
        """Send a message.

        Raises:
            CarrierCut: The connection is gone.
        """

    def receive(self, timeout_s: float | None = None) -> str:
        """The next message.

        Raises:
            CarrierCut: The connection is gone.
            TimeoutError: None came in time.
        """

    def close(self) -> None:
        """Close the connection."""


class InProcess:
    """A line to an episode in this process; what it answers is there at once."""

    def __init__(self, link: LinkedEpisode) -> None:
        """Open a line."""
        self._link = link
        self._line = LinkLine()
        self._came: deque[str] = deque()

    def send(self, text: str) -> None:
        """Let the episode take a message."""
        if self._line.is_replaced:
            raise CarrierCut("the session is on another line")
        self._link.receive(self._line, text)

    def receive(self, timeout_s: float | None = None) -> str:
        """The next message; nobody sends one while this is waited for."""
        self._came += self._line.unsent()
        if not self._came:
            if self._line.is_replaced:
                raise CarrierCut("the session is on another line")
            raise TimeoutError("nothing was sent")
        return self._came.popleft()

    def close(self) -> None:
        """Cut the line."""
        self._link.cut(self._line, 0.0)


class Socket:
    """A WebSocket connection to `earsim lab-serve`, or to the server of a model."""

    def __init__(self, url: str, token: str, *, pings: bool = True) -> None:
        """Connect.

        Args:
            url: ws://HOST:PORT.
            token: that the server asks for.
            pings: cut the connection when nothing is answered for 40 s, whoever works there.

        Raises:
            MissingExtra: websockets is not installed.
            UsageError: The address makes no sense, or the server refuses the token.
            CarrierCut: Nobody answers there.
        """
        try:
            from websockets.exceptions import InvalidHandshake, InvalidStatus, InvalidURI
            from websockets.sync.client import connect
        except ModuleNotFoundError as error:
            raise MissingExtra("websockets", "science") from error
        self._opened = ExitStack()
        try:
            opening = connect(
                url,
                additional_headers={"Authorization": f"Bearer {token}"},
                compression=None,
                max_size=MOST_FRAME_BYTES,
                open_timeout=OPENING_S,
                close_timeout=1.0,
                proxy=None,
                ping_interval=20 if pings else None,
            )
            self._socket: Any = self._opened.enter_context(opening)
        except InvalidStatus as error:
            status = error.response.status_code
            if status == 401:
                raise UsageError(f"{url}: wrong token; the server prints its own") from None
            raise CarrierCut(f"{url}: refused with HTTP {status}") from None
        except InvalidURI as error:
            raise UsageError(f"{url}: {error}; expected ws://HOST:PORT") from None
        except (InvalidHandshake, OSError, EOFError) as error:
            raise CarrierCut(f"{url}: {error}") from None

    def send(self, text: str) -> None:
        """Send a text frame."""
        from websockets.exceptions import ConnectionClosed

        try:
            self._socket.send(text)
        except (ConnectionClosed, OSError) as error:
            raise CarrierCut(str(error)) from None

    def receive(self, timeout_s: float | None = None) -> str:
        """The next frame."""
        from websockets.exceptions import ConnectionClosed

        try:
            found = self._socket.recv(timeout_s)
        except (ConnectionClosed, OSError) as error:
            if isinstance(error, TimeoutError):
                raise
            raise CarrierCut(str(error)) from None
        return found if isinstance(found, str) else bytes(found).decode("utf-8", "replace")

    def close(self) -> None:
        """Close it in order."""
        self._opened.close()
