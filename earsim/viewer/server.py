"""The page served on this machine alone, with its data read when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import Any
from urllib.parse import parse_qs, urlsplit

from earsim.errors import EarSimError, UnknownName, UsageError
from earsim.viewer.comparisons import comparisons
from earsim.viewer.episode import episode_data
from earsim.viewer.listing import listing
from earsim.viewer.overview import Overview
from earsim.viewer.page import content_policy, page
from earsim.viewer.run import Run
from earsim.viewer.safe_json import safe_json
from earsim.viewer.texts import texts_after

LOOPBACK = "127.0.0.1"


class ViewerServer(ThreadingHTTPServer):
    """A server of the page; nobody but this machine reaches it, and it changes nothing.

    Each request has its thread, for browsers open connections that they do not use at once.
    """

    daemon_threads = True

    def __init__(self, runs: Sequence[Run], *, port: int = 0) -> None:
        """Listen, on a free port unless one is given.

        Raises:
            OSError: The port is taken.
        """
        self.runs = tuple(runs)
        self.reading = Lock()  # suites and certificates are kept by who reads them, one at a time
        self.overview = Overview(self.runs)
        super().__init__((LOOPBACK, port), _Request)

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://{LOOPBACK}:{self.server_port}/"

    @property
    def names(self) -> frozenset[str]:
        """What a browser may call it; a foreign page whose name leads here may not ask."""
        return frozenset(f"{name}:{self.server_port}" for name in (LOOPBACK, "localhost"))


Query = dict[str, list[str]]


def _listing(server: ViewerServer, query: Query) -> dict[str, Any]:
    return listing(server.runs)


def _state(server: ViewerServer, query: Query) -> list[list[int]]:
    """Episodes that are finished and planned, of every run: what to ask again for tells."""
    return [[run.finished(), run.planned()] for run in server.runs]


def _overview(server: ViewerServer, query: Query) -> dict[str, Any]:
    with server.reading:
        return server.overview.data()


def _comparisons(server: ViewerServer, query: Query) -> dict[str, Any]:
    with server.reading:
        return comparisons(server.overview.subjects())


def _episode(server: ViewerServer, query: Query) -> dict[str, Any]:
    with server.reading:
        return episode_data(_run_of(server, query), query.get("episode", [""])[0])


def _texts(server: ViewerServer, query: Query) -> list[Any]:
    return texts_after(_run_of(server, query), query.get("after", [""])[0])


def _run_of(server: ViewerServer, query: Query) -> Run:
    number = query.get("run", [""])[0]
    if number not in map(str, range(len(server.runs))):
        raise UsageError("there is no such run")
    return server.runs[int(number)]


_PARTS: dict[str, Callable[[ViewerServer, Query], Any]] = {
    "/listing": _listing,
    "/state": _state,
    "/overview": _overview,
    "/comparisons": _comparisons,
    "/episode": _episode,
    "/texts": _texts,
}
"""What the page may ask for."""


class _Request(BaseHTTPRequestHandler):
    server: ViewerServer
    server_version = "earsim"
    sys_version = ""

    def do_GET(self) -> None:
        """Answer with the page, or with data for it."""
        if self.headers.get("Host") not in self.server.names:
            self._answer(HTTPStatus.FORBIDDEN, "text/plain", "this page is for this machine only")
            return
        asked = urlsplit(self.path)
        try:
            if asked.path == "/":
                self._answer(HTTPStatus.OK, "text/html", "".join(page(served=True)))
            elif asked.path in _PARTS:
                self._data(_PARTS[asked.path](self.server, parse_qs(asked.query)))
            else:
                self._answer(HTTPStatus.NOT_FOUND, "text/plain", "there is no such page")
        except (UnknownName, UsageError) as error:
            self._answer(HTTPStatus.NOT_FOUND, "text/plain", str(error))
        except (EarSimError, OSError) as error:
            self._answer(HTTPStatus.INTERNAL_SERVER_ERROR, "text/plain", str(error))

    def _data(self, value: Any) -> None:
        self._answer(HTTPStatus.OK, "application/json", safe_json(value))

    def _answer(self, status: HTTPStatus, kind: str, text: str) -> None:
        body = text.encode("utf-8", "backslashreplace")
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        policy = f"{content_policy(served=True)}; frame-ancestors 'none'"
        self.send_header("Content-Security-Policy", policy)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: the terminal is for the address."""
