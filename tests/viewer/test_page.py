"""The page in a real browser: what it shows, what its keys do, and what hostile text cannot do."""

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from earsim.evaluation.store.database import Store
from earsim.evaluation.store.records import EpisodeRecord
from earsim.viewer.export import export
from earsim.viewer.run import Run
from earsim.viewer.server import ViewerServer
from tests.evaluation.runs import outcome, recorded, row, run, step

aiohttp = pytest.importorskip("aiohttp", reason="the browser is driven with aiohttp")

from tests.viewer.browser import CHROMIUM, Browser, chromium  # noqa: E402 - after its dependency

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine"),
]


@pytest.fixture(scope="module")
def one_browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with chromium(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture
def browser(one_browser: Browser) -> Iterator[Browser]:
    """The browser; whatever goes wrong in the page fails the test."""
    one_browser.problems.clear()
    one_browser.asked.clear()
    yield one_browser
    assert one_browser.problems == []
    assert [url for url in one_browser.asked if not url.startswith(_OWN)] == []


_OWN = ("file:", "data:", "about:", "http://127.0.0.1:")


def show(browser: Browser, here: Path, *folders: Path) -> None:
    export([Run(folder) for folder in folders], here / "page.html")
    browser.open((here / "page.html").as_uri())


def open_first(browser: Browser, search: str) -> None:
    """Look for an episode and open the first that is found, by keys alone."""
    browser.press("/", *search, "Escape", "Home")
    browser.wait("document.querySelector('.pane')")
    browser.wait("!document.getElementById('detail').hasAttribute('aria-busy')")


def test_the_list_is_filtered_and_sorted(browser, here, won, lost):
    show(browser, here, won, lost)
    assert browser.text("#count") == "4 of 4 episodes"
    assert browser.texts(".row .badge") == ["success", "success", "failure", "failure"]
    browser.press("/", *"light lost")
    assert browser.text("#count") == "0 of 4 episodes"
    browser.run("document.getElementById('search').value = ''")
    choose(browser, "choice-outcome", "failure")
    assert browser.text("#count") == "2 of 4 episodes"
    choose(browser, "sort", "decisions")
    assert [text.split("\n")[0] for text in browser.texts(".row")] == [
        "failure hut/carry",
        "failure hut/light",
    ]


def choose(browser: Browser, id: str, value: str) -> None:
    browser.run(
        f"(() => {{ const node = document.getElementById('{id}'); node.value = '{value}';"
        "node.dispatchEvent(new Event('input')); node.dispatchEvent(new Event('change')); })()"
    )
    if id != "search":
        browser.run("document.getElementById('search').dispatchEvent(new Event('input'))")


def test_the_timeline_tells_commands_reasons_and_changes(browser, here, lost):
    show(browser, here, lost)
    open_first(browser, "light")
    assert browser.text("#detail h2") == "failure hut/light"
    lines = browser.texts("tr[data-step]")
    assert "GOTO lamp" in lines[0]
    assert "undiscovered" in lines[0]
    assert "reply could not be read" in lines[1]
    assert "Eva found 2: Chest, Lamp :skull:" in lines[2]
    assert browser.text(".instruction") == "Light the [bold]lamp[/bold]."


def test_lanes_show_what_is_carried_together(browser, here, won):
    show(browser, here, won)
    open_first(browser, "carry")
    assert browser.texts("thead th") == ["#", "Eva (eva)", "Tom (tom)", "World"]
    cells = browser.texts("tr[data-step='3'] td")
    assert all("together: Eva, Tom" in cell for cell in cells[:2])
    assert "holds Piano" in cells[1]
    assert "the goal holds" in browser.text("tr[data-step='4']")


def test_the_map_follows_the_decision(browser, here, won):
    show(browser, here, won)
    open_first(browser, "carry")
    loft = ".room[data-id=loft]"
    assert "Piano" in browser.text(f"{loft} > .things")
    browser.press("ArrowRight", "ArrowRight", "ArrowRight")
    assert "Piano" in browser.text(f"{loft} .agent[data-id=eva]")
    browser.press("l", "l")
    assert "Piano" in browser.text(".room[data-id=hall] > .things .changed")
    assert browser.text(loft).count("Piano") == 0
    assert browser.texts("tr[aria-current=step] th") == ["5"]
    browser.press("h")
    assert browser.texts("tr[aria-current=step] th") == ["4"]


def test_observation_prompt_reply_and_plan_have_keys(browser, here, lost, won):
    show(browser, here, lost)
    open_first(browser, "light")
    browser.press("2")
    assert "Task: Light the [bold]lamp[/bold]." in browser.text(".panel pre")
    browser.press("3", "ArrowRight")
    assert browser.text(".reply") == "I would rather sing."
    assert "turn 1" in browser.texts(".call details pre")
    browser.press("4")
    assert "The plan takes 3 decisions" in browser.text(".panel")
    assert "done at 2" in browser.text(".plan tbody tr")


def test_two_runs_stand_side_by_side(browser, here, won, lost):
    show(browser, here, won, lost)
    open_first(browser, "light")
    assert browser.texts("#detail h2") == ["success hut/light", "failure hut/light"]
    lefts = browser.run(
        "[...document.querySelectorAll('.pane')].map(n => n.getBoundingClientRect().x)"
    )
    assert lefts[0] < lefts[1]
    browser.press("ArrowRight", "ArrowRight")
    assert browser.texts("tr[aria-current=step] th") == ["2", "2"]
    choose(browser, "beside", "")
    browser.wait("document.querySelectorAll('.pane').length === 1")


def test_of_many_runs_any_two_stand_side_by_side(browser, here, won, lost):
    third = here / "elsewhere" / "lost"
    shutil.copytree(lost, third)
    show(browser, here, won, lost, third)
    assert browser.text("#runs") == f"won, {lost}, {third}"
    open_first(browser, "light")
    assert browser.texts("#detail h2") == ["success hut/light"], "none was chosen yet"
    values = "[...document.querySelectorAll('#beside option')].map(n => [n.innerText, n.value])"
    (value,) = [each for text, each in browser.run(values) if text.startswith(str(third))]
    choose(browser, "beside", value)
    browser.wait("document.querySelectorAll('.pane').length === 2")
    browser.press("]")
    browser.wait("document.querySelector('.pane h2').innerText.startsWith('failure')")
    told = browser.texts(".pane header p.quiet")
    assert [text.split(" \u00b7 ")[0] for text in told] == [str(lost), str(third)]


def test_an_address_leads_back(browser, here, won, lost):
    show(browser, here, won, lost)
    open_first(browser, "light")
    browser.press("ArrowRight", "4")
    address = browser.run("location.href")
    browser.open(address)
    browser.wait("document.querySelectorAll('.pane').length === 2")
    assert browser.texts("tr[aria-current=step] th") == ["1", "1"]
    assert browser.run("document.querySelector('[aria-pressed=true]').innerText") == "Plan"


@pytest.mark.parametrize("tab", ["1", "2", "3", "4"])
def test_hostile_text_is_shown_as_it_reads(browser, here, hostile, tab):
    show(browser, here, hostile)
    open_first(browser, "trap")
    tags = "script:not([type]), img, svg:not(.plan), i, b, iframe, object"
    assert browser.run(f"document.querySelectorAll({tags!r}).length") == 1  # the page's own script
    browser.press(tab)
    shown = browser.text("#detail")
    assert "</script><script>alert('reply')</script>" in shown
    assert (
        "\\x1b[31mred\\x1b]0;title\\x07 \\u2028 \\u202egnp.exe <!-- zero\\u200bwidth\\xa0" in shown
    )
    assert browser.run(f"document.querySelectorAll({tags!r}).length") == 1
    assert not set("\x1b\x07\u2028\u202e\u200b\xa0") & set(shown)
    if tab == "1":
        things = browser.text(".room > .things")
        assert "<img src=x onerror=alert(1)> (__proto__)" in things
        assert "</script><script>alert(2)</script> (constructor) · is_on: yes" not in things
        browser.press("l", "l", "l")
        assert "(constructor) · is_on: yes" in browser.text(".room > .things")


def test_runs_readings_and_the_ledger_are_shown(browser, here, benched):
    show(browser, here, benched)
    open_first(browser, "bench")
    browser.press("5")
    assert browser.texts(".run > summary .badge") == ["halted", "completed", "running"]
    bars = "[...document.querySelectorAll('.bars g')].map((g) => g.getAttribute('class'))"
    assert browser.run(bars) == ["halted", "completed", "running"]
    assert browser.run("document.querySelectorAll('.run[open]').length") == 0, "none has begun"
    browser.press("l", "l", "l")
    browser.wait("document.querySelectorAll('.run[open]').length === 1")
    opened = browser.text(".run[open]")
    assert "op_1 · <img src=x onerror=alert(1)>Rig · <b>Ada</b>" in opened
    assert "diverging at t 7.1" in opened
    assert browser.texts(".run[open] > .channels h5") == ["y"]
    assert browser.run("document.querySelectorAll('img, b').length") == 0
    assert browser.text(".ledger").count("of 8") == 3
    assert browser.texts(".ledger thead th") == [
        "Clock", "Agent", "Apparatus", "Account", "Amount", "Sum",
    ]  # fmt: skip


def test_a_run_opened_by_hand_stays_open(browser, here, benched):
    show(browser, here, benched)
    open_first(browser, "bench")
    browser.press("5")
    browser.run("document.querySelectorAll('.run > summary')[1].click()")
    browser.wait("document.querySelector('.run[open] .channels')")
    assert "settling_s 2.351" in browser.text(".run[open]")
    browser.press("l")
    browser.wait("document.querySelector('.run[open] .channels')")
    assert "op_2" in browser.text(".run[open] > summary")
    browser.press("l", "l", "l")
    assert browser.run("document.querySelectorAll('.run[open]').length") == 2


def test_a_plot_tells_the_value_under_the_pointer(browser, here, benched):
    show(browser, here, benched)
    open_first(browser, "bench")
    browser.press("5", *"lllllll")
    browser.wait("document.querySelector('.run[open] .channels .curve')")
    browser.run("document.querySelector('.run[open] .channels .curve').scrollIntoView()")
    box = browser.run(
        "(() => { const r = document.querySelector('.run[open] .channels .curve')"
        ".getBoundingClientRect(); return [r.x, r.y, r.width, r.height]; })()"
    )
    x, y = box[0] + box[2] - 18, box[1] + box[3] / 2
    browser.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    browser.wait("document.querySelector('.run[open] .here text').textContent")
    said = "document.querySelector('.run[open] .here text').textContent"
    assert browser.run(said).endswith(" at t 30")
    hidden = "getComputedStyle(document.querySelector('.run[open] .here')).visibility"
    assert browser.run(hidden) == "visible"


@pytest.mark.parametrize("width", [390, 1400])
def test_drawings_fit_and_their_text_is_as_large_on_a_phone(browser, here, benched, width):
    browser.send("Emulation.setDeviceMetricsOverride", width=width, height=900,
                 deviceScaleFactor=1, mobile=False)  # fmt: skip
    show(browser, here, benched)
    open_first(browser, "bench")
    browser.press("5", *"lllllll")
    browser.wait("document.querySelector('.run[open] .channels .curve')")
    scales = browser.run(
        "[...document.querySelectorAll('.curve')].map((n) =>"
        " n.getBoundingClientRect().width / n.viewBox.baseVal.width)"
    )
    assert len(scales) >= 2
    assert all(0.95 < scale < 1.05 for scale in scales)
    assert browser.run("document.documentElement.scrollWidth") <= width
    numbers = "getComputedStyle(document.querySelector('.ledger td.number')).whiteSpace"
    assert browser.run(numbers) == "nowrap", "no number is broken in two"
    browser.send("Emulation.clearDeviceMetricsOverride")


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


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_can_be_read_in_light_and_in_dark(browser, here, lost, scheme):
    feature = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.send("Emulation.setEmulatedMedia", features=feature)
    show(browser, here, lost)
    open_first(browser, "light")
    for selector in (".pane h2", ".quiet", ".badge.bad", ".agent-0", ".badge.good", ".unknown"):
        assert contrast(browser, selector) >= 4.5, selector
    before = browser.run("getComputedStyle(document.body).backgroundColor")
    browser.press("t")
    assert browser.run("getComputedStyle(document.body).backgroundColor") != before
    browser.send("Emulation.setEmulatedMedia", features=[])


def contrast(browser: Browser, selector: str) -> float:
    """Of the text of an element against what lies behind it (WCAG 2.2, 1.4.3)."""
    front, back = browser.run(
        f"""(() => {{
        const node = document.querySelector({selector!r});
        let behind = node;
        const ground = () => getComputedStyle(behind).backgroundColor;
        while (ground() === 'rgba(0, 0, 0, 0)') behind = behind.parentElement;
        const parts = (colour) => colour.match(/[0-9.]+/g).slice(0, 3).map(Number);
        return [parts(getComputedStyle(node).color), parts(ground())];
        }})()"""
    )
    light, dark = sorted((luminance(front), luminance(back)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: list[float]) -> float:
    shares = [part / 255 for part in colour]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_focus_is_seen_and_keys_are_told(browser, here, won):
    show(browser, here, won)
    for key, focused in (("/", "search"), ("Escape", "rows")):
        browser.press(key)
        assert browser.run("document.activeElement.id") == focused
        assert browser.run("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    browser.press("?")
    assert browser.run("document.getElementById('help').open") is True
    assert "next decision" in browser.text("#keys")
    browser.press("Escape")


def test_the_served_page_shows_the_same(browser, won, lost):
    with ViewerServer([Run(won), Run(lost)]) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            browser.open(server.address)
            open_first(browser, "light")
            assert browser.texts("#detail h2") == ["success hut/light", "failure hut/light"]
            assert "Lamp :skull:" in browser.text(".room[data-id=hall]")
        finally:
            server.shutdown()
            thread.join()


def test_the_start_page_leads_from_a_number_to_its_episodes(browser, here, won, lost):
    show(browser, here, won, lost)
    browser.wait("document.querySelectorAll('.subjects tbody tr').length === 2")
    assert browser.text("#detail h2") == "Runs"
    assert browser.texts(".subjects .rated .count") == ["100.0 %", "0.0 %"] or browser.texts(
        ".subjects .rated .count"
    ) == ["0.0 %", "100.0 %"]
    browser.run(
        "[...document.querySelectorAll('.subjects .count')]"
        ".find((n) => n.innerText === '100.0 %').click()"
    )
    assert browser.text("#count") == "2 of 4 episodes"
    assert browser.texts(".chip") == ["subject: walkthrough \u00d7", "counted as: success \u00d7"]
    address = browser.run("location.href")
    browser.open(address)
    browser.wait("document.getElementById('count').innerText === '2 of 4 episodes'")
    browser.run("document.querySelector('.chip').click()")
    assert browser.text("#count") == "2 of 4 episodes", "no other subject has a success"
    browser.run("document.querySelector('.chip').click()")
    assert browser.text("#count") == "4 of 4 episodes"


def test_which_of_two_runs_is_better_on_teams_is_told_with_its_test(browser, here, won, lost):
    show(browser, here, won, lost)
    browser.press("c")
    browser.wait("document.querySelector('.compared')")
    assert "is better by 100.0 points on 2 scenarios" in browser.text("#detail .instruction")
    assert "chance explains it too" in browser.text("#detail .instruction")
    rows = browser.texts(".compared tbody tr")
    assert rows[0].startswith("all\t2\t")
    browser.run("document.querySelector('.compared tbody tr .count').click()")
    assert browser.texts(".chip")[0].startswith("subject: ")


def test_failures_add_up_and_lead_to_why(browser, here, won, lost):
    show(browser, here, won, lost)
    browser.press("f")
    browser.wait("document.querySelector('.modes')")
    rows = [text.split("\t") for text in browser.texts(".modes tbody tr")]
    counts = [[int(cell) for cell in row[1:]] for row in rows]
    assert [sum(column) for column in zip(*counts[:-1], strict=True)] == counts[-1]
    assert counts[-1][-1] == 2
    browser.run("document.querySelector('.cards .card').click()")
    browser.wait("document.querySelector('.pane .why')")


def test_what_was_said_is_found_and_leads_to_its_decision(browser, here, won, lost):
    show(browser, here, won, lost)
    browser.press("s")
    browser.run("document.getElementById('sought').focus()")
    browser.press(*"sing")
    browser.wait("document.querySelector('.hit')")
    assert browser.texts(".hit mark") == ["sing"]
    browser.run("document.querySelector('.hit').click()")
    browser.wait("document.querySelector('.reply')")
    assert browser.text(".reply") == "I would rather sing."
    assert browser.texts("tr[aria-current=step] th") == ["1", "1"]


def test_an_unreadable_reply_is_shown_where_it_failed(browser, here, lost):
    show(browser, here, lost)
    open_first(browser, "light")
    assert "I would rather sing." in browser.text("tr[data-step='1'] .unread")


def test_the_floor_plan_is_drawn_for_the_world_and_for_what_is_known(browser, here, won):
    show(browser, here, won)
    open_first(browser, "carry")
    letters = "[...document.querySelectorAll('.plan text')].map((n) => n.textContent)"
    assert "Piano" in browser.run(letters)
    select = "document.querySelector('.plan-box select')"
    browser.run(
        f"(() => {{ {select}.value = '1'; {select}.dispatchEvent(new Event('change')); }})()"
    )
    assert "Piano" not in browser.run(letters)
    browser.press("l", "l", "l")
    assert "Piano" in browser.run(letters)
    browser.run("document.querySelector('.plan [data-id=piano]').dispatchEvent("
                "new MouseEvent('click', {bubbles: true}))")  # fmt: skip
    assert "Piano (piano)" in browser.text(".picked")
    assert " kg" in browser.text(".picked")
    fill = "getComputedStyle(document.querySelector('.plan rect')).fill"
    assert browser.run(fill).startswith("rgb")


def test_an_observation_tells_which_lines_changed(browser, here, won):
    show(browser, here, won)
    open_first(browser, "light")
    browser.press("2", "l")
    come = browser.texts(".diff .come")
    assert any("Lamp" in line for line in come)
    gone = browser.texts(".diff .gone")
    assert all(line.startswith("-") for line in gone)


def test_a_filter_is_kept_under_its_name(browser, here, won, lost):
    show(browser, here, won, lost)
    browser.run("document.getElementById('more').open = true")
    browser.press("/", *"carry", "Escape")
    browser.run("document.querySelector('#saved input').value = '<b>mine</b>'")
    browser.run("document.querySelector('#saved button').click()")
    browser.run("document.getElementById('search').value = ''")
    browser.run("document.getElementById('search').dispatchEvent(new Event('input'))")
    assert browser.text("#count") == "4 of 4 episodes"
    assert browser.texts("#saved .chip") == ["<b>mine</b>", "\u00d7"]
    browser.run("document.querySelector('#saved .chip').click()")
    assert browser.text("#count") == "2 of 4 episodes"
    browser.run("document.querySelectorAll('#saved .chip')[1].click()")
    assert browser.texts("#saved .chip") == []


@pytest.mark.parametrize("key", ["r", "c", "f", "s"])
def test_hostile_names_and_words_are_text_on_every_page(browser, here, hostile, key):
    twice = here / "again"
    shutil.copytree(hostile, twice)
    show(browser, here, hostile, twice)
    browser.press(key)
    if key == "s":
        browser.run("document.getElementById('sought').focus()")
        browser.press(*"<script>alert")
        browser.wait("document.querySelector('.hit')")
        assert "<script>alert('reply')</script>" in browser.text(".hit code")
    waited = "#detail header" if key == "f" else "#detail table, #detail .hit"  # no failure here
    browser.wait(f"document.querySelector('{waited}')")
    tags = "script:not([type]), img, b, i, iframe, object"
    assert browser.run(f"document.querySelectorAll({tags!r}).length") == 1


def test_fifty_thousand_decisions_stay_smooth(browser, here):
    steps = [step(k, outcome(f"WAIT {k}", None if k % 7 else "bad_format")) for k in range(50_000)]
    show(browser, here, run(here / "long", [recorded(row("a", decisions=50_000), steps)]))
    open_first(browser, "a")
    assert browser.run("document.querySelectorAll('tr[data-step]').length") < 60
    took = browser.run(
        """(async () => {
        const box = document.querySelector('.lanes-box');
        const frame = () => new Promise(requestAnimationFrame);
        let worst = 0;
        for (let k = 0; k < 40; k += 1) {
            box.scrollTop = k % 2 ? k * 30000 : box.scrollTop + 500;
            const begun = performance.now();
            box.dispatchEvent(new Event('scroll'));
            worst = Math.max(worst, performance.now() - begun);
            await frame();
        }
        return worst;
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
