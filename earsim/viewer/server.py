"""The page served on this machine alone, with its data read when they are asked for.

Whoever can reach the port may read. Only a page that was opened by the address with the token may
write, and nothing but annotations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import Any
from urllib.parse import parse_qs, urlsplit

from earsim.errors import EarSimError, FileError, UnknownName, UsageError
from earsim.link.access import LOOPBACK, is_allowed, token_for
from earsim.viewer.comparisons import comparison, comparisons
from earsim.viewer.episode import episode_data
from earsim.viewer.listing import listing
from earsim.viewer.notes import add_note, notes
from earsim.viewer.overview import Overview
from earsim.viewer.page import content_policy, page
from earsim.viewer.run import Run
from earsim.viewer.safe_json import safe_json
from earsim.viewer.texts import texts_after

_MOST_BYTES = 65_536
"""Of an annotation that is sent."""


class ViewerServer(ThreadingHTTPServer):
    """A server of the page; nobody but this machine reaches it.

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
        self.token = token_for(LOOPBACK, None)
        super().__init__((LOOPBACK, port), _Request)

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://{LOOPBACK}:{self.server_port}/"

    @property
    def link(self) -> str:
        """The address with the token: behind a `#`, so it is in no request and no log."""
        return f"{self.address}#token={self.token}"

    @property
    def names(self) -> frozenset[str]:
        """What a browser may call it; a foreign page whose name leads here may not ask."""
        return frozenset(f"{name}:{self.server_port}" for name in (LOOPBACK, "localhost"))


Query = dict[str, list[str]]


def _listing(server: ViewerServer, query: Query) -> dict[str, Any]:
    return listing(server.runs)


def _state(server: ViewerServer, query: Query) -> list[list[int]]:
    """Episodes that are finished and planned, and bytes of annotations, of every run."""
    return [[run.finished(), run.planned(), run.annotated()] for run in server.runs]


def _overview(server: ViewerServer, query: Query) -> dict[str, Any]:
    with server.reading:
        return server.overview.data()


def _comparisons(server: ViewerServer, query: Query) -> dict[str, Any]:
    with server.reading:
        return comparisons(server.overview.subjects())


def _comparison(server: ViewerServer, query: Query) -> dict[str, Any]:
    with server.reading:
        subjects = server.overview.subjects()
        first, second = (_place(query, key, len(subjects)) for key in ("first", "second"))
        return comparison(subjects[first], subjects[second])


def _episode(server: ViewerServer, query: Query) -> dict[str, Any]:
    with server.reading:
        return episode_data(_run_of(server, query), query.get("episode", [""])[0])


def _texts(server: ViewerServer, query: Query) -> list[Any]:
    return texts_after(_run_of(server, query), query.get("after", [""])[0])


def _notes(server: ViewerServer, query: Query) -> dict[str, Any]:
    return notes(server.runs)


def _run_of(server: ViewerServer, query: Query) -> Run:
    return server.runs[_place(query, "run", len(server.runs))]


def _place(query: Query, key: str, count: int) -> int:
    """A number in a query, from 0 and below `count`."""
    number = query.get(key, [""])[0]
    if number not in map(str, range(count)):
        raise UsageError(f"there is no such {key}")
    return int(number)


_PARTS: dict[str, Callable[[ViewerServer, Query], Any]] = {
    "/listing": _listing,
    "/state": _state,
    "/overview": _overview,
    "/comparisons": _comparisons,
    "/comparison": _comparison,
    "/episode": _episode,
    "/texts": _texts,
    "/notes": _notes,
}
"""What the page may ask for."""

_OURS = HTTPStatus.INTERNAL_SERVER_ERROR


class _Request(BaseHTTPRequestHandler):
    server: ViewerServer
    server_version = "earsim"
    sys_version = ""

    def do_GET(self) -> None:
        """Answer with the page, or with data for it."""
        if self._is_foreign():
            return
        asked = urlsplit(self.path)
        if asked.path == "/":
            self._answer(HTTPStatus.OK, "text/html", "".join(page(served=True)))
        elif asked.path in _PARTS:
            self._tell(lambda: _PARTS[asked.path](self.server, parse_qs(asked.query)))
        else:
            self._answer(HTTPStatus.NOT_FOUND, "text/plain", "there is no such page")

    def do_POST(self) -> None:
        """Write an annotation; answer with all of them."""
        asked, headers = urlsplit(self.path), self.headers
        length = headers.get("Content-Length", "")
        if self._is_foreign():
            return
        if asked.path != "/notes":
            self._answer(HTTPStatus.NOT_FOUND, "text/plain", "there is no such page")
        elif headers.get("Origin") != f"http://{headers['Host']}":
            self._answer(HTTPStatus.FORBIDDEN, "text/plain", "another page may not write here")
        elif not is_allowed(headers.get("Authorization"), self.server.token):
            said = "open the page by the address with the token to write"
            self._answer(HTTPStatus.UNAUTHORIZED, "text/plain", said)
        elif not (length.isascii() and length.isdigit() and int(length[:9]) <= _MOST_BYTES):
            self._answer(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "text/plain", "too long for an annotation"
            )
        else:
            text = self.rfile.read(int(length)).decode("utf-8", "replace")
            self._tell(lambda: self._write(parse_qs(asked.query), text))

    def _write(self, query: Query, text: str) -> dict[str, Any]:
        run = _run_of(self.server, query)
        with self.server.reading:
            add_note(run, text)
        return notes(self.server.runs)

    def _is_foreign(self) -> bool:
        """Whether somebody else asks, who is told so."""
        is_foreign = self.headers.get("Host") not in self.server.names
        if is_foreign:
            said = "this page is for this machine only"
            self._answer(HTTPStatus.FORBIDDEN, "text/plain", said)
        return is_foreign

    def _tell(self, find: Callable[[], Any]) -> None:
        try:
            self._data(find())
        except (UnknownName, UsageError) as error:
            self._answer(HTTPStatus.NOT_FOUND, "text/plain", str(error))
        except FileError as error:
            status = HTTPStatus.BAD_REQUEST if self.command == "POST" else _OURS
            self._answer(status, "text/plain", str(error))
        except (EarSimError, OSError) as error:
            self._answer(_OURS, "text/plain", str(error))

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
