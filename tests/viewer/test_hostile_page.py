"""What hostile text cannot do in a real browser."""

import json
import shutil
import threading
from urllib.parse import urlencode

import pytest

from earsim.evaluation.annotations import add_annotations, read_annotations
from earsim.evaluation.store.records import EpisodeRecord
from earsim.viewer.run import Run
from earsim.viewer.server import ViewerServer
from tests.evaluation.runs import row, run
from tests.viewer.browser import Browser
from tests.viewer.pages import annotate, click, fill, open_first, show

pytestmark = pytest.mark.slow


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


@pytest.mark.parametrize("key", ["r", "c", "f", "s", "n"])
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
    waited = "#detail header" if key in "fn" else "#detail table, #detail .hit"  # no failure here
    browser.wait(f"document.querySelector('{waited}')")
    tags = "script:not([type]), img, b, i, iframe, object"
    assert browser.run(f"document.querySelectorAll({tags!r}).length") == 1


IMAGE = "<img src=x onerror=alert(5)>"
SCRIPT = "</script><script>alert(6)</script>"
FOREIGN = "script:not([type]), img, b, i, iframe, object, form[action], meta[http-equiv=refresh]"


def is_untouched(browser: Browser) -> bool:
    """Whether the page's own script is the only element of its kind."""
    return browser.run(f"document.querySelectorAll({FOREIGN!r}).length") == 1


def test_hostile_policies_models_suites_and_folders_are_text(browser, here):
    facts = {"policy": SCRIPT, "model": IMAGE, "suite": IMAGE, "category": SCRIPT,
             "termination": IMAGE, "error": SCRIPT, "cell": IMAGE, "ruleset": IMAGE}  # fmt: skip
    won = {"outcome": "success", "success_final": True, "success_latched": True}
    rows = [row(f"{IMAGE}{k}", episode=f"{SCRIPT}/{k}", **facts) for k in range(3)]
    better = [row(f"{IMAGE}{k}", episode=f"{SCRIPT}/{k}", **facts, **won) for k in range(3)]
    folders = [
        run(here / name, [EpisodeRecord(each) for each in found])
        for name, found in ((IMAGE, rows), ("<b>two", better))
    ]
    show(browser, here, *folders)
    assert f"{IMAGE}, <b>two" in browser.text("#runs")
    for key, waited in (("r", ".subjects"), ("c", ".compared"), ("f", ".cards"), ("s", "#sought")):
        browser.press(key)
        browser.wait(f"document.querySelector({waited!r})")
        assert is_untouched(browser), key
        assert key == "s" or "alert(" in browser.text("#detail")
    browser.run("document.getElementById('more').open = true")
    assert IMAGE in browser.text("#choice-termination, #choices")
    browser.press("f")
    click(browser, "#detail .count", "3")
    assert IMAGE in browser.text(".row")
    browser.press("Home")
    browser.wait("document.querySelector('.pane')")
    assert SCRIPT in browser.text(".pane")
    assert is_untouched(browser)


def test_hostile_notes_labels_and_annotators_are_text(browser, here, lost):
    (episode,) = [each.episode for each in Run(lost).rows() if "light" in each.episode]
    notes = [
        {"schema": "earsim.annotation/1", "episode": episode, "decision": decision,
         "annotator": f"<i>{who}</i>", "labels": [IMAGE[:40], "__proto__"], "note": SCRIPT}
        for decision, who in ((1, "Ada"), (None, "Bo"), (2, "Bo"))
    ]  # fmt: skip
    path = here / "notes.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in notes))
    add_annotations(lost, read_annotations(path), "notes.jsonl")
    show(browser, here, lost)
    assert IMAGE in browser.texts(".row .tag")
    browser.press("n")
    browser.wait("document.querySelector('.hit')")
    assert SCRIPT in browser.text(".hit")
    assert is_untouched(browser)
    click(browser, "#detail .count", "__proto__")
    assert browser.text("#count") == "1 of 2 episodes"
    click(browser, "nav a", "Search")
    fill(browser, "#sought", "alert(6)")
    browser.wait("document.querySelector('.hit mark')")
    assert is_untouched(browser)
    click(browser, "a.hit", "<i>Ada")
    browser.wait("document.querySelector('blockquote')")
    assert "<i>Ada</i>" in browser.text(".panel")
    annotate(browser, SCRIPT[:60], f"{IMAGE[:40]}, constructor", SCRIPT)
    browser.wait("document.querySelector('.panel .warning')")
    assert is_untouched(browser)


def test_what_a_browser_or_an_address_was_made_to_keep_does_nothing(browser, here, won, lost):
    links = {"subject": "__proto__", "mode": IMAGE, "pair": SCRIPT, "only": IMAGE, "label": [IMAGE]}
    kept = {
        "filters": [[IMAGE, {"search": SCRIPT, "sort": "constructor", "links": links}], IMAGE, 3],
        "theme": SCRIPT,
        "annotator": IMAGE,
        f"notes {(here / 'page.html').as_posix()}": [
            {"run": 0, "labels": [IMAGE]},
            {"run": SCRIPT},
        ],
    }
    show(browser, here, won, lost)
    for key, value in kept.items():
        said = value if isinstance(value, str) else json.dumps(value)
        browser.run(f"localStorage.setItem({'earsim-view-' + key!r}, {said!r})")
    show(browser, here, won, lost)
    browser.run("document.getElementById('more').open = true")
    click(browser, "#saved .chip", IMAGE)
    assert browser.text("#count") == "0 of 4 episodes"
    browser.wait("document.querySelector('#detail table')")
    assert is_untouched(browser)
    said = {f"only-{key}": value for key, value in links.items()}
    for more in ({"view": IMAGE}, {"view": "search", "words": SCRIPT}, {"run": "__proto__"},
                 {"view": "compare", "pair": f"{IMAGE}:constructor"}):  # fmt: skip
        page = (here / "page.html").as_uri()
        browser.open(page)
        browser.run(f"location.hash = {urlencode({**said, 'only-only': IMAGE, **more})!r}")
        browser.wait("document.querySelectorAll('.chip').length >= 3")
        assert is_untouched(browser), more


INJECTED = {
    "a handler": "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=hit()>')",
    "a script": "document.body.append(Object.assign(document.createElement('script'),"
    " {textContent: 'hit()'}))",
    "a link": "(() => { const a = document.createElement('a'); a.href = 'javascript:hit()';"
    " document.body.append(a); a.click(); })()",
    "an evaluation": "document.body.setAttribute('onclick', 'hit()'), document.body.click()",
    "a foreign picture": "(new Image()).src = 'http://192.0.2.1/x'",
    "a foreign request": "fetch('http://192.0.2.1/x').then(() => hit(), () => null)",
    "a frame": "document.body.append(Object.assign(document.createElement('iframe'),"
    " {src: 'http://192.0.2.1/'}))",
}


@pytest.mark.parametrize("is_served", [False, True], ids=["file", "served"])
def test_the_content_policy_would_stop_what_got_through(one_browser, here, lost, is_served):
    browser = one_browser
    with ViewerServer([Run(lost)]) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            if is_served:
                browser.open(server.address)
            else:
                show(browser, here, lost)
            browser.run("window.hits = 0; window.hit = () => { window.hits += 1; };")
            for name, script in INJECTED.items():
                browser.problems.clear()
                browser.asked.clear()
                browser.run(f"void ({script})")
                browser.run("new Promise((done) => setTimeout(done, 200))")
                assert browser.run("window.hits") == 0, name
                assert any("Content Security Policy" in each for each in browser.problems), name
        finally:
            server.shutdown()
            thread.join()
