"""Which versions of distributions are installed."""

from __future__ import annotations

from importlib import metadata

UNKNOWN_VERSION = "0+unknown"
"""Of a checkout that was never installed."""


def version(distribution: str) -> str:
    """The installed version of a distribution."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return UNKNOWN_VERSION
