"""Runs of apparatus, readings and the ledger in a real browser."""

import pytest

from tests.viewer.pages import open_first, show

pytestmark = pytest.mark.slow


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
