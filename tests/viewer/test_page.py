"""The page of an episode in a real browser: what it shows, and what its keys do."""

import shutil
import threading

import pytest

from earsim.viewer.run import Run
from earsim.viewer.server import ViewerServer
from tests.viewer.browser import Browser
from tests.viewer.pages import choose, open_first, show

pytestmark = pytest.mark.slow


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
    browser.press("3")
    browser.run("document.querySelector('tr[data-step=\"1\"]').click()")
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


def test_what_moves_between_decisions_glides_unless_motion_is_unwanted(browser, here, won):
    show(browser, here, won)
    open_first(browser, "carry")
    browser.run(
        "(() => { window.moved = 0; const animate = Element.prototype.animate;"
        "Element.prototype.animate = function (...given) {"
        "window.moved += this.closest('.plan') ? 1 : 0; return animate.apply(this, given); }; })()"
    )
    browser.press("ArrowRight")
    browser.wait("window.moved > 0")
    feature = [{"name": "prefers-reduced-motion", "value": "reduce"}]
    browser.send("Emulation.setEmulatedMedia", features=feature)
    browser.run("new Promise((done) => setTimeout(done, 100)).then(() => { window.moved = 0; })")
    browser.press("ArrowLeft", "ArrowRight")
    browser.run("new Promise((done) => setTimeout(done, 100))")
    assert browser.run("window.moved") == 0


def test_an_observation_tells_which_lines_changed(browser, here, won):
    show(browser, here, won)
    open_first(browser, "light")
    browser.press("2", "l")
    come = browser.texts(".diff .come")
    assert any("Lamp" in line for line in come)
    gone = browser.texts(".diff .gone")
    assert all(line.startswith("-") for line in gone)
