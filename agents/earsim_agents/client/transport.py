"""The HTTP transport: one session, bounded bodies, and every failure as a `FailedAttempt`.

This is the one module that needs aiohttp when it is imported.
"""

from __future__ import annotations

import aiohttp

from earsim_agents.client.failure import FailedAttempt, of_status

_CONNECT_S = 30
_PAGE_S = 10


class Transport:
    """Sends requests. Keys go into one header of one request, and out of every message."""

    def __init__(self) -> None:
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0),  # limits are per server, and the client's
            cookie_jar=aiohttp.DummyCookieJar(),
        )

    async def close(self) -> None:
        """Close all connections."""
        await self._session.close()

    async def post(
        self, url: str, data: bytes, *, key: str | None, timeout_s: float, limit: int
    ) -> bytes:
        """The body of the answer to a JSON body.

        Args:
            url: where to.
            data: what to send.
            key: what opens the server.
            timeout_s: for all of it.
            limit: bytes above which an answer is not read.

        Raises:
            Fault: There is none.
        """
        try:
            async with self._session.post(
                url,
                data=data,
                headers={"Content-Type": "application/json", **_authorization(key)},
                timeout=aiohttp.ClientTimeout(total=timeout_s, sock_connect=_CONNECT_S),
                allow_redirects=False,  # the key goes nowhere else
            ) as response:
                body = await _body(response, limit)
                if response.status != 200:
                    retry_after = response.headers.get("Retry-After")
                    raise of_status(response.status, _without(body, key), retry_after)
                return body
        except TimeoutError:
            raise FailedAttempt(f"no answer within {timeout_s:g} s") from None
        except aiohttp.ClientConnectorError as error:
            raise FailedAttempt(f"no connection: {error.strerror or error}", moved=True) from None
        except (aiohttp.ClientError, OSError) as error:
            raise FailedAttempt(f"connection lost: {type(error).__name__}", moved=True) from None

    async def page(self, url: str, *, key: str | None, limit: int) -> str:
        """A page as text; empty whatever goes wrong, for nothing depends on it."""
        try:
            async with self._session.get(
                url,
                headers=_authorization(key),
                timeout=aiohttp.ClientTimeout(total=_PAGE_S),
                allow_redirects=False,
            ) as response:
                body = await _body(response, limit)
                return body.decode("utf-8", "replace") if response.status == 200 else ""
        except (aiohttp.ClientError, OSError, FailedAttempt):
            return ""


async def _body(response: aiohttp.ClientResponse, limit: int) -> bytes:
    chunks, size = [], 0
    async for chunk in response.content.iter_any():
        size += len(chunk)
        if size > limit:
            response.close()
            raise FailedAttempt(f"an answer of more than {limit:,} bytes", again=False)
        chunks.append(chunk)
    return b"".join(chunks)


def _authorization(key: str | None) -> dict[str, str]:
    return {} if key is None else {"Authorization": f"Bearer {key}"}


def _without(data: bytes, key: str | None) -> bytes:
    """A message of a server without the key, in case it repeats what it was sent."""
    return data if key is None else data.replace(key.encode(), b"***")
