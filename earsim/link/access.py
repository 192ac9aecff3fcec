"""Who may connect: addresses, tokens, and web pages that may not."""

from __future__ import annotations

import hmac
import ipaddress
import secrets

from earsim.errors import UsageError

LOOPBACK = "127.0.0.1"
_LEAST_CHARS = 16


def is_loopback(host: str) -> bool:
    """Whether an address is reached from this machine alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def token_for(host: str, given: str | None) -> str:
    """The token that clients have to show: the one given, else a fresh one.

    Raises:
        UsageError: Others reach the address and no token was given, or it is too short.
    """
    if given is None:
        if not is_loopback(host):
            raise UsageError(f"others reach {host}: give a --token that they have to know")
        return secrets.token_urlsafe(24)
    if len(given) < _LEAST_CHARS or not given.isascii() or not given.isprintable() or " " in given:
        raise UsageError(f"a token has {_LEAST_CHARS} ASCII characters or more, and no blanks")
    return given


def is_allowed(authorization: str | None, token: str) -> bool:
    """Whether a header `Authorization: Bearer TOKEN` has the token; takes the same time always."""
    scheme, _, shown = (authorization or "").partition(" ")
    is_same = hmac.compare_digest(shown.strip().encode(), token.encode())
    return is_same and scheme.lower() == "bearer"
