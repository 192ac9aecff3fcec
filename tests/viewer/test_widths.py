"""Every page at three widths in both themes, in a real browser: nothing lies beside the window."""

import pytest

from tests.viewer.browser import Browser
from tests.viewer.pages import open_first, show

pytestmark = pytest.mark.slow

_OUTSIDE = """
[...document.querySelectorAll('#top, #detail *, #list')].filter((node) => {
  const box = node.getBoundingClientRect();
  const clipped = node.parentElement.closest('.wide, .plan-frame, .tabs, #views, svg, pre, .lines');
  return box.width && box.right > innerWidth + 1 && !clipped;
}).map((node) => node.outerHTML.slice(0, 120))
"""
"""What lies beside the window and in nothing that scrolls by itself."""


def is_within(browser: Browser, width: int) -> bool:
    assert browser.run(_OUTSIDE) == []
    return bool(browser.run(f"document.documentElement.scrollWidth <= {width}"))


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(390, 844), (1400, 900), (2400, 1200)])
def test_every_page_fits(browser, here, won, lost, width, height, theme):
    browser.send("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=1, mobile=False)  # fmt: skip
    feature = [{"name": "prefers-color-scheme", "value": theme}]
    browser.send("Emulation.setEmulatedMedia", features=feature)
    show(browser, here, won, lost)
    for key, waited in (("r", ".subjects"), ("c", ".compared"), ("f", ".modes"), ("n", "header")):
        browser.press(key)
        browser.wait(f"document.querySelector('#detail {waited}')")
        assert is_within(browser, width), key
    browser.press("s")
    browser.run("document.getElementById('sought').focus()")
    browser.press(*"lamp")
    browser.wait("document.querySelector('.hit')")
    assert is_within(browser, width), "search"
    open_first(browser, "light")
    for tab in "1234":
        browser.press(tab)
        assert is_within(browser, width), tab
    browser.press("n")
    assert is_within(browser, width), "notes"


@pytest.mark.parametrize("width", [390, 1400, 2400])
def test_a_laboratory_fits(browser, here, benched, width):
    browser.send("Emulation.setDeviceMetricsOverride", width=width, height=900,
                 deviceScaleFactor=1, mobile=False)  # fmt: skip
    show(browser, here, benched)
    open_first(browser, "bench")
    browser.press("5", *"lllllll")
    browser.wait("document.querySelector('.run[open] .channels .curve')")
    assert is_within(browser, width)
