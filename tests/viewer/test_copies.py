"""Copies and files of what the page shows, in a real browser."""

import csv
import io
import json
import xml.etree.ElementTree as ET

import pytest

from tests.evaluation.runs import outcome, recorded, row, run, step
from tests.viewer.browser import Browser
from tests.viewer.pages import click, open_first, show

pytestmark = pytest.mark.slow

_CAUGHT = """
window.caught = []; window.copied = [];
URL.createObjectURL = (blob) => { window.caught.push(blob); return 'data:,'; };
HTMLAnchorElement.prototype.click = function () { window.named = this.download; };
const clipboard = { writeText: async (text) => { window.copied.push(text); },
  write: async ([item]) => { window.copied.push(await item.getType('image/png')); } };
Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true });
"""
_PNG = "[137, 80, 78, 71, 13, 10, 26, 10]"


def catch(browser: Browser) -> None:
    """Catch what is copied and saved from now on."""
    browser.run(f"(() => {{ {_CAUGHT} }})()")


def saved(browser: Browser, selector: str, label: str) -> tuple[str, str]:
    """The name and the text of the file that a button makes."""
    browser.run("window.caught = []")
    click(browser, selector, label)
    browser.wait("window.caught.length")
    return browser.run("window.named"), browser.run("window.caught[0].text()")


def copied(browser: Browser, selector: str, label: str) -> str:
    browser.run("window.copied = []")
    click(browser, selector, label)
    browser.wait("window.copied.length")
    return str(browser.run("window.copied[0]"))


def is_png(browser: Browser, blob: str) -> bool:
    """Whether a blob is a picture with more than one colour in it."""
    begin = f"{blob}.arrayBuffer().then((b) => [...new Uint8Array(b)].slice(0, 8))"
    size = browser.run(f"{blob}.size")
    return f"{browser.run(begin)}" == _PNG and size > 3000


def test_an_episode_is_copied_as_text_and_saved_as_json(browser, here, lost):
    show(browser, here, lost)
    open_first(browser, "light")
    catch(browser)
    text = copied(browser, ".pane .act", "Copy episode")
    assert text.startswith("hut/light (failure, ended by ")
    assert "0  eva> GOTO lamp\n   refused, undiscovered: " in text
    assert "1  (no command could be read)\n   reply: I would rather sing." in text
    name, file = saved(browser, ".pane .act", "Save episode")
    assert name.endswith(".json")
    assert json.loads(file)["row"]["scenario_id"] == "hut/light"
    assert "episode=" in copied(browser, ".pane .act", "Copy link")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_floor_plan_is_copied_and_saved_as_pixels_and_as_a_drawing(browser, here, won, scheme):
    feature = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.send("Emulation.setEmulatedMedia", features=feature)
    show(browser, here, won)
    open_first(browser, "carry")
    catch(browser)
    name, file = saved(browser, ".plan-box .act", "SVG")
    assert name.endswith(".svg")
    drawing = ET.fromstring(file)
    fills = {each.get("fill") for each in drawing.iter() if each.tag.endswith("rect")}
    assert len(fills) > 3
    assert all("var(" not in str(fill) for fill in fills)
    assert any(each.text == "Piano" for each in drawing.iter())
    saved(browser, ".plan-box .act", "PNG")
    assert is_png(browser, "window.caught[0]")
    copied(browser, ".plan-box .act", "Copy figure")
    assert is_png(browser, "window.copied[0]")


def test_plots_are_figures_too(browser, here, benched):
    show(browser, here, benched)
    open_first(browser, "bench")
    browser.press("5", *"lllllll")
    browser.wait("document.querySelector('.run[open] .channels .curve')")
    figures = "[...document.querySelectorAll('.curve')].every((each) =>"
    acts = "each.nextElementSibling.innerText.includes('Copy figure'))"
    assert browser.run(f"{figures} {acts}")
    catch(browser)
    name, file = saved(browser, ".run[open] .channels .act", "SVG")
    assert name == "y.svg"
    assert "polyline" in file
    saved(browser, ".run[open] .channels .act", "PNG")
    assert is_png(browser, "window.caught[0]")


def test_every_table_is_copied_for_a_spreadsheet_and_saved_as_csv(browser, here, won, lost):
    show(browser, here, won, lost)
    for key, kind, cells in (
        ("r", "subjects", "walkthrough"),
        ("r", "categories", "direct command"),
        ("c", "compared", "several agents"),
        ("f", "modes", "failed"),
    ):
        browser.press(key)
        browser.wait(f"document.querySelector('.{kind}')")
        catch(browser)
        box = f".tabled:has(.{kind}) .act"
        name, file = saved(browser, box, "Save table")
        rows = list(csv.reader(io.StringIO(file)))
        assert name.endswith(".csv")
        assert len({len(row) for row in rows}) == 1, "every row has all columns"
        assert any(row[0].startswith(cells) for row in rows), kind
        text = copied(browser, box, "Copy table")
        assert [line.split("\t") for line in text.splitlines()] == rows
    tables = "[...document.querySelectorAll('#detail table:not(.lanes)')]"
    for key in "rcf":
        browser.press(key)
        browser.wait(f"{tables}.length")
        assert browser.run(f"{tables}.every((each) => each.closest('.tabled'))"), key


def test_no_cell_of_a_copied_table_is_a_formula(browser, here, won):
    show(browser, here, won)
    browser.wait("document.querySelector('.subjects')")
    browser.run("document.querySelector('.subjects tbody th').innerText = '=1+1'")
    catch(browser)
    assert "\n'=1+1\t" in copied(browser, ".tabled:has(.subjects) .act", "Copy table")


def test_a_printed_page_holds_all_of_the_table_and_no_buttons(browser, here, won, lost):
    show(browser, here, won, lost)
    open_first(browser, "carry")
    browser.send("Emulation.setEmulatedMedia", media="print")
    acts = "button:not(.lanes button, .count), select, #list, .bar"
    seen = f"[...document.querySelectorAll({acts!r})].filter((n) => n.checkVisibility())"
    assert browser.run(f"{seen}.map((n) => n.outerHTML)") == []
    assert browser.run("document.documentElement.scrollWidth <= innerWidth")
    style = "getComputedStyle(document.querySelector('.lanes-box'))"
    assert browser.run(f"{style}.maxHeight") == "none"


@pytest.mark.parametrize("key", ["r", "c", "f"])
def test_pages_of_counts_are_printed_on_white_without_buttons(browser, here, won, lost, key):
    show(browser, here, won, lost)
    browser.press(key)
    browser.wait("document.querySelector('#detail table')")
    browser.send("Emulation.setEmulatedMedia", media="print")
    seen = "[...document.querySelectorAll('button:not(.count), select, input, #list')]"
    assert browser.run(f"{seen}.filter((n) => n.checkVisibility()).length") == 0
    white = "getComputedStyle(document.body).backgroundColor"
    assert browser.run(white) == "rgb(255, 255, 255)"


def test_a_printed_timeline_has_every_decision(browser, here):
    steps = [step(k, outcome(f"WAIT {k}")) for k in range(400)]
    show(browser, here, run(here / "long", [recorded(row("a", decisions=400), steps)]))
    open_first(browser, "a")
    rows = "document.querySelectorAll('tr[data-step]').length"
    assert browser.run(rows) < 60
    browser.run("window.counts = []")
    browser.run(f"addEventListener('beforeprint', () => window.counts.push({rows}))")
    browser.send("Page.printToPDF")
    assert browser.run("window.counts") == [400]
    assert browser.run(rows) < 60


def test_what_is_chosen_lies_in_sight_when_an_episode_opens(browser, here, won):
    browser.send("Emulation.setDeviceMetricsOverride", width=1400, height=760,
                 deviceScaleFactor=1, mobile=False)  # fmt: skip
    show(browser, here, won)
    open_first(browser, "carry")
    browser.press("l", "l", "l", "l")
    browser.open(browser.run("location.href"))
    browser.wait("document.querySelector('tr[aria-current=step]')")
    browser.wait("document.querySelector('.plan')")
    row, box = browser.run(
        "['tr[aria-current=step]', '.lanes-box'].map((each) =>"
        " document.querySelector(each).getBoundingClientRect().bottom)"
    )
    assert row <= box + 1


def test_a_large_floor_plan_stands_above_the_timeline_and_stays_so(browser, here, won):
    show(browser, here, won)
    open_first(browser, "carry")
    width = "document.querySelector('.plan').getBoundingClientRect().width"
    before = browser.run(width)
    browser.press("m")
    assert browser.run(width) > 1.5 * before
    browser.open(browser.run("location.href"))
    browser.wait("document.querySelector('.plan')")
    assert browser.run(width) > 1.5 * before
    browser.press("m")
    assert browser.run(width) == before
