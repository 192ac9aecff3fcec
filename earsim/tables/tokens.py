"""The design system of all pages: colours in two themes, sizes of letters, spaces."""

from __future__ import annotations

from importlib import resources


def tokens() -> str:
    """Custom properties as a style sheet; what a page looks like is told in their terms."""
    return resources.files("earsim.tables").joinpath("tokens.css").read_text("utf-8")
