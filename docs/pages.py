"""Pages with parts that are counted, each between two marks."""

from __future__ import annotations

import re


def updated(page: str, mark: str, text: str) -> str:
    """The page with one counted part written anew; unchanged where it has no such part."""
    place = re.compile(rf"(<!-- figures: {re.escape(mark)} -->).*?(<!-- end -->)", re.DOTALL)
    return place.sub(lambda match: f"{match[1]}\n\n{text}\n\n{match[2]}", page)
