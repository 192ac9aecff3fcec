"""The tables of the page about earsim-bench: `python -m docs.figures.earsim_bench FOLDER`.

FOLDER keeps the episodes that were played and holds the certificates of EAR-Bench, as
`python -m docs.studies.ear_bench_audit --data FOLDER` leaves them. Playing everything takes about
an hour on two cores; EAR-Bench is found through `EAR_BENCH_DIR`, and without it nothing is written.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from docs.figures.bench_baselines import baselines, guesses
from docs.figures.do_it_to_all import SUITES, do_it_to_all
from docs.figures.guessing_baseline import by_category, table
from docs.figures.tie_breakers import OURS, tie_breakers
from docs.pages import updated
from earsim import open_suite
from earsim.certificates.file import CertificateFile
from earsim.certificates.location import places_to_read
from earsim.datasets.statistics import SuiteStatistics
from earsim.datasets.statistics.plots import draw
from earsim.datasets.statistics.report import tables
from earsim.suites.opening import EAR_BENCH_VARIABLE, ear_bench_dir
from earsim.tables.markdown import table_text

PAGE = Path(__file__).parents[1] / "earsim-bench.md"
PICTURES = PAGE.parent / "assets" / "earsim-bench"
BESIDE = ("earsim-bench", "eval-single", "eval-multi", "data-all")
DRAWN = ("lengths", "objects", "labels")
"""Pictures that the page shows."""


def census(suite: str, folder: Path) -> SuiteStatistics:
    """Everything that is counted of a suite."""
    found = open_suite(suite)
    files = [CertificateFile(path) for path in places_to_read(found, suite, folder)]
    counted = SuiteStatistics(suite)
    for _ in counted.look(found, found.ids, files):
        pass
    return counted


def counted_sections(folder: Path) -> Iterator[tuple[str, str]]:
    """Our suites beside each other, and beside EAR-Bench; the pictures of the latter."""
    ours = {suite: census(suite, folder) for suite in OURS}
    beside = [ours.get(suite) or census(suite, folder) for suite in BESIDE]
    for mark, suites in (("ours", list(ours.values())), ("beside", beside)):
        for each in tables(suites):
            yield f"{mark} {each.name}", table_text(each)
    PICTURES.mkdir(parents=True, exist_ok=True)
    for path in draw(PICTURES, beside):
        if path.stem not in DRAWN:
            path.unlink()


def baseline_sections(folder: Path, suites: Sequence[str] = OURS) -> Iterator[tuple[str, str]]:
    """What the baselines reach."""
    for suite in suites:
        yield f"{suite} baselines", table_text(baselines(suite, folder))
        yield f"{suite} guessing", table_text(table(by_category(guesses(suite))))
    yield "tie-breakers", table_text(tie_breakers(suites))
    yield "do-it-to-all", table_text(do_it_to_all(SUITES))


def marks(page: str) -> set[str]:
    """The marks of the parts that are counted."""
    return set(re.findall(r"<!-- figures: (.*?) -->", page))


def main() -> None:
    """Rewrite the page."""
    if len(sys.argv) != 2 or not ear_bench_dir().is_dir():
        sys.stdout.write(f"{__doc__}\n{EAR_BENCH_VARIABLE} is {ear_bench_dir()}\n")
        return
    folder = Path(sys.argv[1])
    for sections in (counted_sections(folder), baseline_sections(folder)):
        for mark, text in sections:
            page = PAGE.read_text(encoding="utf-8")
            PAGE.write_text(updated(page, mark, text), encoding="utf-8")
    sys.stdout.write(f"{PAGE}: counted {', '.join(dict.fromkeys((*OURS, *BESIDE)))}\n")


if __name__ == "__main__":
    main()
