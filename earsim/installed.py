"""Which versions of distributions are installed, and which build of EAR-Sim."""

from __future__ import annotations

from importlib import metadata
from importlib.util import find_spec
from typing import Literal

UNKNOWN_VERSION = "0+unknown"
"""Of a checkout that was never installed."""


def version(distribution: str) -> str:
    """The installed version of a distribution."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return UNKNOWN_VERSION


def build() -> Literal["compiled", "pure"]:
    """Whether the core that is imported is compiled or plain Python: the same, at another speed."""
    found = find_spec("earsim.engine")
    is_plain = found is None or str(found.origin).endswith(".py")
    return "pure" if is_plain else "compiled"
