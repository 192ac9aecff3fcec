"""The page: one HTML document with its style and its script in it, which loads nothing else."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator
from importlib import resources

from earsim.tables.tokens import tokens
from earsim.viewer.drawings import plan_style
from earsim.viewer.safe_json import safe_json

_SCRIPTS = (
    *("elements", "panels", "source", "filters", "saved", "rows", "virtual", "worlds", "lanes"),
    *("drawing", "save", "places", "diff", "texts", "plan", "plots", "curves", "bench", "memory"),
    *("science", "counting", "start", "compare", "failures", "search", "notes"),
    *("detail", "keys", "live", "main"),
)
"""In the order in which they are put together; each uses what stands before it."""


def page(data: Iterable[str] = (), *, served: bool) -> Iterator[str]:
    """The whole document, in parts.

    Args:
        data: elements of data to put into it.
        served: it asks the server for its data instead.
    """
    before, after = _asset("page.html").split("<!-- data -->\n")
    yield before.replace("{policy}", content_policy(served=served)).replace("{style}", style())
    yield data_element("facts", safe_json({"served": served}))
    yield from data
    yield after.replace("{script}", script())


def data_element(id: str, text: str, kind: str = "application/json") -> str:
    """An element that a browser neither shows nor runs; `text` is as `safe_json` writes it."""
    return f'<script type="{kind}" id="{id}">{text}</script>\n'


def content_policy(*, served: bool) -> str:
    """The page's own script and style, by their hashes, and nothing else from anywhere."""
    rules = [
        "default-src 'none'",
        f"script-src '{_hash(script())}'",
        f"style-src '{_hash(style())}'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    return "; ".join([*rules, "connect-src 'self'"] if served else rules)


def script() -> str:
    """All scripts as one, in a scope of their own."""
    parts = "\n".join(_asset(f"{name}.js") for name in _SCRIPTS)
    return f'(function () {{\n"use strict";\n{parts}\n}})();\n'


def style() -> str:
    """The style sheet: tokens, the colours of floor plans, and the page's own rules."""
    return tokens() + plan_style() + _asset("style.css")


def _asset(name: str) -> str:
    return resources.files("earsim.viewer").joinpath("assets", name).read_text("utf-8")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"
