"""The pictures of the viewer in the docs: all there, none to spare, small together."""

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
MOST_BYTES = 1_500_000


def test_the_gallery_shows_every_picture_of_every_view_width_and_theme():
    pictures = {path.name for path in (DOCS / "assets" / "viewer").iterdir()}
    shown = re.findall(r"assets/viewer/([\w.-]+)", (DOCS / "viewer-gallery.md").read_text("utf-8"))
    assert sorted(shown) == sorted(pictures)
    views = {name.split("-")[0] for name in pictures}
    assert pictures == {
        f"{view}-{width}-{theme}.webp"
        for view in views
        for width in (390, 1400, 2400)
        for theme in ("light", "dark")
    }
    used = re.findall(r"assets/viewer/([\w.-]+)", (DOCS / "viewer.md").read_text("utf-8"))
    assert set(used) <= pictures


def test_the_gallery_is_small():
    folder = DOCS / "assets" / "viewer"
    assert sum(path.stat().st_size for path in folder.iterdir()) < MOST_BYTES
