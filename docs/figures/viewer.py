"""Takes the pictures of the viewer and of a report: `python -m docs.figures.viewer RUN...`.

It needs Chromium. The last two runs are compared, and an episode of the last is opened.
"""

from __future__ import annotations

import argparse
import io
import sys
import tempfile
import time
from itertools import product
from pathlib import Path
from urllib.parse import urlencode

from PIL import Image

from earsim.evaluation.metrics.results_group import read_groups
from earsim.evaluation.report.build import drawn, report
from earsim.parallel import cores
from earsim.tables.html import html_page
from earsim.viewer.export import export
from earsim.viewer.run import Run
from tests.viewer.browser import Browser, chromium

FOLDER = Path(__file__).parents[1] / "assets" / "viewer"
SIZES = ((390, 844), (1400, 900), (2400, 1000))
THEMES = ("light", "dark")
WAITED = {
    "start": ".subjects",
    "compare": ".compared",
    "failures": ".modes",
    "search": ".hit",
    "episode": ".plan",
    "notes": ".note-form",
    "report": "table",
}
"""Every view, and what is there when it has come to rest."""

SOUGHT = "door"
"""What is searched for: scripted models and random ones alike are refused at doors."""

COLOURS = 64
"""Of a picture: letters stay sharp, and all pictures together are small."""


def written(runs: list[Run], folder: Path) -> Path:
    """The report of the runs, compared."""
    subjects = read_groups([run.path for run in runs])
    path = folder / "report.html"
    path.write_text(html_page(report(subjects, compare=True, plots=drawn(subjects) or ())))
    return path


def addresses(runs: list[Run]) -> dict[str, str]:
    """What stands behind the `#` for each view: the first failed episode of two of the last run."""
    last = len(runs) - 1
    row = next(row for row in runs[last].rows() if row.outcome == "failure" and row.agents == 2)
    episode = {"run": last, "episode": row.episode, "step": 2, "tab": "map", "beside": ""}
    pair = {"view": "compare", "pair": f"{last - 1}:{last}"}
    return {
        "start": "view=start",
        "compare": urlencode(pair),
        "failures": "view=failures",
        "search": urlencode({"view": "search", "words": SOUGHT}),
        "episode": urlencode(episode),
        "notes": urlencode({**episode, "tab": "notes"}),
    }


def take(browser: Browser, url: str, name: str, size: tuple[int, int], theme: str) -> Image.Image:
    """One picture, when the page has come to rest."""
    width, height = size
    browser.send("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=1, mobile=False)  # fmt: skip
    feature = [{"name": "prefers-color-scheme", "value": theme}]
    browser.send("Emulation.setEmulatedMedia", features=feature)
    browser.send("Page.navigate", url="about:blank")
    browser.send("Page.navigate", url=url)
    browser.wait(f"document.querySelector({WAITED[name]!r})")
    shown = {"episode": ".pane", "notes": ".panel"}.get(name)
    if shown is not None and width < 800:
        browser.run(f"document.querySelector({shown!r}).scrollIntoView()")
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
    parser.add_argument("--only", choices=[*WAITED], nargs="*", default=[*WAITED])
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    runs = [Run(path) for path in given.runs]
    with tempfile.TemporaryDirectory() as home, chromium(Path(home) / "profile") as browser:
        page = Path(home) / "page.html"
        begun = time.perf_counter()
        count = export(runs, page, jobs=cores())
        spent = time.perf_counter() - begun
        size = page.stat().st_size / 2**20
        took = f"{spent:.1f} s on {cores()} cores"
        sys.stdout.write(f"{count} episodes: {size:.1f} MiB, written in {took}\n")
        sys.stdout.write(f"first paint: {first_paint(browser, page.as_uri()):.0f} ms\n")
        total = 0
        urls = {name: f"{page.as_uri()}#{said}" for name, said in addresses(runs).items()}
        urls["report"] = written(runs, Path(home)).as_uri()
        for name, size, theme in product(given.only, SIZES, THEMES):
            path = given.out / f"{name}-{size[0]}-{theme}.webp"
            picture = take(browser, urls[name], name, size, theme)
            few = picture.quantize(COLOURS, dither=Image.Dither.NONE).convert("RGB")
            few.save(path, lossless=True, quality=100, method=6)
            total += path.stat().st_size
        sys.stdout.write(f"pictures: {total // 1024} kB\n")
        sys.stdout.write(f"complaints of the browser: {browser.problems}\n")


if __name__ == "__main__":
    main()
