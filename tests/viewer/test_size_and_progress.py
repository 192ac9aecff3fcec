"""Many episodes, many decisions, many subjects, and a run in progress, in a real browser."""

import threading

import pytest

from earsim.evaluation.store.database import Store
from earsim.evaluation.store.records import EpisodeRecord
from earsim.viewer.run import Run
from earsim.viewer.server import ViewerServer
from tests.evaluation.runs import outcome, recorded, row, run, step
from tests.viewer.pages import choose, open_first, show

pytestmark = pytest.mark.slow


def test_two_thousand_episodes_are_fast(browser, here):
    records = [EpisodeRecord(row(f"a{i:04}", decisions=i)) for i in range(2000)]
    show(browser, here, run(here / "many", records))
    assert browser.text("#count") == "2000 of 2000 episodes"
    assert browser.run("document.querySelectorAll('.row').length") < 60
    took = browser.run(
        "(() => { const begun = performance.now(); const s = document.getElementById('search');"
        "s.value = 'a19'; s.dispatchEvent(new Event('input'));"
        "return performance.now() - begun; })()"
    )
    assert browser.text("#count") == "100 of 2000 episodes"
    assert took < 500
    browser.press("Escape", "End")
    browser.wait("document.querySelector('.pane h2')")
    assert browser.text("#detail h2") == "failure a1999"
    assert browser.text(".row[aria-selected=true]").startswith("failure a1999")
    assert "Shown from the record alone" in browser.text(".pane .warning")


def test_fifty_thousand_decisions_stay_smooth(browser, here):
    steps = [step(k, outcome(f"WAIT {k}", None if k % 7 else "bad_format")) for k in range(50_000)]
    show(browser, here, run(here / "long", [recorded(row("a", decisions=50_000), steps)]))
    open_first(browser, "a")
    assert browser.run("document.querySelectorAll('tr[data-step]').length") < 60
    took = browser.run(
        """(async () => {
        const box = document.querySelector('.lanes-box');
        const frame = () => new Promise(requestAnimationFrame);
        const took = [];
        for (let k = 0; k < 40; k += 1) {
            box.scrollTop = k % 2 ? k * 30000 : box.scrollTop + 500;
            const begun = performance.now();
            box.dispatchEvent(new Event('scroll'));
            took.push(performance.now() - begun);
            await frame();
        }
        return Math.max(...took);
        })()"""
    )
    assert took < 100
    browser.run("location.hash = location.hash.replace(/step=[^&]*/, 'step=49999')")
    browser.wait("document.querySelector('tr[data-step=\"49999\"][aria-current=step]')")
    assert "WAIT 49999" in browser.text("tr[aria-current=step]")
    browser.press("h")
    assert "WAIT 49998" in browser.text("tr[aria-current=step]")


def test_a_run_in_progress_is_followed(browser, here, lost):
    folder = run(here / "going", [EpisodeRecord(row("a"))], planned=3)
    with ViewerServer([Run(folder)]) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            browser.open(server.address)
            browser.wait("document.getElementById('live').innerText === '1 of 3 episodes'")
            with Store.open(folder) as store:
                cell = store.cells()[0]
                store.add(EpisodeRecord(row("b", cell=cell, episode=f"{cell}/b/0")))
            browser.wait("document.getElementById('count').innerText === '2 of 2 episodes'")
            browser.wait("document.getElementById('live').innerText === '2 of 3 episodes'")
            assert "2/3" in browser.text(".subjects")
        finally:
            server.shutdown()
            thread.join()


def test_thirty_subjects_are_shown_and_compared(browser, here):
    folders = []
    for k in range(30):
        won = {"outcome": "success", "success_final": True, "success_latched": True}
        records = [EpisodeRecord(row(f"s{i}", **(won if i < k % 9 else {}))) for i in range(8)]
        folders.append(run(here / f"run_{k:02}", records))
    show(browser, here, *folders)
    browser.wait("document.querySelector('.categories')")
    assert len(browser.texts(".subjects tbody tr")) == 30
    assert len(browser.texts(".categories tbody tr")) == 30, "subjects are rows"
    browser.press("c")
    browser.wait("document.querySelector('.compared')")
    assert len(browser.texts(".pairs tbody tr")) == 29
    choose(browser, "pair-first", "8")
    browser.wait("(document.querySelector('#pair-first') || {}).value === '8'")
    choose(browser, "pair-second", "18")
    browser.wait("(document.querySelector('#pair-second') || {}).value === '18'")
    browser.wait("document.querySelector('.compared')")
    assert "is better by 100.0 points on 8 scenarios" in browser.text("#detail .instruction")
    browser.press("f")
    browser.wait("document.querySelector('.modes')")
    rows = [text.split("\t") for text in browser.texts(".modes tbody tr")]
    assert len(rows) == 31
    assert sum(int(row[-1]) for row in rows[:-1]) == int(rows[-1][-1])
