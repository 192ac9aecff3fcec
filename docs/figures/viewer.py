"""Takes the pictures of the viewer's page: `python -m docs.figures.viewer RUN... [--out FOLDER]`.

It needs Chromium. The last two runs are compared, and an episode of the last is opened.
"""

from __future__ import annotations

import argparse
import io
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlencode

from PIL import Image

from earsim.viewer.export import export
from earsim.viewer.run import Run
from tests.viewer.browser import Browser, chromium

FOLDER = Path(__file__).parents[1] / "assets" / "viewer"
PICTURES = (
    ("start", 1400, 900, "light"),
    ("start", 2400, 1200, "dark"),
    ("start", 390, 844, "light"),
    ("compare", 1400, 900, "dark"),
    ("episode", 1400, 900, "light"),
    ("episode", 390, 844, "dark"),
)
"""A view, the width and height of the window, and a theme."""


def addresses(runs: list[Run]) -> dict[str, str]:
    """What stands behind the `#` for each view: the first failed episode of two of the last run."""
    last = len(runs) - 1
    row = next(row for row in runs[last].rows() if row.outcome == "failure" and row.agents == 2)
    episode = {"run": last, "episode": row.episode, "step": 2, "tab": "map", "beside": ""}
    pair = {"view": "compare", "pair": f"{last - 1}:{last}"}
    return {"start": "view=start", "compare": urlencode(pair), "episode": urlencode(episode)}


def take(browser: Browser, url: str, name: str, size: tuple[int, int], theme: str) -> Image.Image:
    """One picture, when the page has come to rest."""
    width, height = size
    browser.send("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=1, mobile=False)  # fmt: skip
    feature = [{"name": "prefers-color-scheme", "value": theme}]
    browser.send("Emulation.setEmulatedMedia", features=feature)
    browser.open(url)
    waited = {"start": ".subjects", "compare": ".compared", "episode": ".plan"}[name]
    browser.wait(f"document.querySelector({waited!r})")
    if name == "episode" and width < 800:
        browser.run("document.querySelector('.pane').scrollIntoView()")
    time.sleep(1)
    with tempfile.TemporaryDirectory() as folder:
        browser.picture(Path(folder) / "x.png")
        return Image.open(io.BytesIO((Path(folder) / "x.png").read_bytes())).convert("RGB")


def first_paint(browser: Browser, url: str) -> float:
    """Milliseconds until the browser has painted the page for the first time."""
    browser.open(url)
    paint = "performance.getEntriesByName('first-contentful-paint')[0]"
    browser.wait(paint)
    return float(browser.run(f"{paint}.startTime"))


def main() -> None:
    """Export the runs, take the pictures, and tell sizes and times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=FOLDER)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    runs = [Run(path) for path in given.runs]
    with tempfile.TemporaryDirectory() as home, chromium(Path(home) / "profile") as browser:
        page = Path(home) / "page.html"
        begun = time.process_time()
        count = export(runs, page)
        spent = time.process_time() - begun
        size = page.stat().st_size / 2**20
        sys.stdout.write(f"{count} episodes: {size:.1f} MiB, written in {spent:.1f} s\n")
        sys.stdout.write(f"first paint: {first_paint(browser, page.as_uri()):.0f} ms\n")
        for name, width, height, theme in PICTURES:
            url = f"{page.as_uri()}#{addresses(runs)[name]}"
            path = given.out / f"{name}-{width}-{theme}.png"
            picture = take(browser, url, name, (width, height), theme)
            picture.quantize(64).save(path, optimize=True)
            sys.stdout.write(f"{path.name}: {path.stat().st_size // 1024} kB\n")
        sys.stdout.write(f"complaints of the browser: {browser.problems}\n")


if __name__ == "__main__":
    main()
