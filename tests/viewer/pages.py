"""Steps of somebody at the page, in a real browser."""

from pathlib import Path

from earsim.viewer.export import export
from earsim.viewer.run import Run
from tests.viewer.browser import Browser


def show(browser: Browser, here: Path, *folders: Path) -> None:
    export([Run(folder) for folder in folders], here / "page.html")
    browser.open((here / "page.html").as_uri())


def open_first(browser: Browser, search: str) -> None:
    """Look for an episode and open the first that is found, by keys alone."""
    browser.press("/", *search, "Escape", "Home")
    browser.wait("document.querySelector('.pane')")
    browser.wait("!document.getElementById('detail').hasAttribute('aria-busy')")


def choose(browser: Browser, id: str, value: str) -> None:
    browser.run(
        f"(() => {{ const node = document.getElementById('{id}'); node.value = '{value}';"
        "node.dispatchEvent(new Event('input')); node.dispatchEvent(new Event('change')); })()"
    )
    if id != "search":
        browser.run("document.getElementById('search').dispatchEvent(new Event('input'))")


def click(browser: Browser, selector: str, text: str) -> None:
    """Click what can be seen and has this text in it."""
    found = f"[...document.querySelectorAll({selector!r})].filter((n) => n.offsetParent !== null)"
    browser.wait(f"{found}.some((n) => n.innerText.includes({text!r}))")
    browser.run(f"{found}.find((n) => n.innerText.includes({text!r})).click()")


def fill(browser: Browser, selector: str, text: str) -> None:
    browser.run(f"document.querySelector({selector!r}).focus()")
    browser.run(f"document.querySelector({selector!r}).value = ''")
    browser.send("Input.insertText", text=text)


def annotate(browser: Browser, who: str, labels: str, note: str) -> None:
    """Write an annotation of the decision that is looked at."""
    browser.press("n")
    fill(browser, ".annotator input", who)
    browser.run("document.querySelector('.annotator input').blur()")
    fill(browser, ".note-form .labels", labels)
    fill(browser, ".note-form textarea", note)
    browser.run("document.querySelector('.note-form button[type=submit]').click()")
    browser.wait("document.querySelector('.lanes .noted')")
