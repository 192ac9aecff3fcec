"""Notes and labels in a real browser."""

import json
import threading

import pytest

from earsim.evaluation.annotations import add_annotations, load_annotations, read_annotations
from earsim.viewer.run import Run
from earsim.viewer.server import ViewerServer
from tests.viewer.pages import annotate, open_first, show

pytestmark = pytest.mark.slow


def test_a_note_is_written_beside_the_run_by_the_page_with_the_token(browser, lost):
    with ViewerServer([Run(lost)]) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            browser.open(server.link)
            open_first(browser, "light")
            assert server.token not in browser.run("location.href")
            browser.press("l")  # after the decision where its failure shows
            annotate(browser, "Ada", "format, <b>sings</b>", "It <i>sings</i>.")
            (found,) = load_annotations(lost)
            assert (found.decision, found.labels) == (4, ("format", "<b>sings</b>"))
            assert browser.texts(".row .tag") == ["format", "<b>sings</b>"]
            browser.open(server.address)
            browser.wait("document.querySelector('.subjects')")
            browser.run("document.querySelector('[data-view=notes]').click()")
            browser.wait("document.querySelector('.hit')")
            assert "It <i>sings</i>." in browser.text(".hit")
            browser.run("document.querySelector('#detail .count').click()")
            assert browser.text("#count") == "1 of 2 episodes"
            browser.run("document.querySelector('.hit').click()")
            browser.wait("document.querySelector('tr[data-step=\"4\"][aria-current=step]')")
        finally:
            server.shutdown()
            thread.join()


def test_a_note_in_a_file_stays_in_the_browser_until_it_is_saved(browser, here, lost):
    show(browser, here, lost)
    open_first(browser, "light")
    annotate(browser, "Ada", "format", "")
    assert "1 annotation in this browser only" in browser.text(".panel .warning")
    browser.run("window.saved = null; URL.createObjectURL = (blob) => "
                "{ window.saved = blob; return 'data:,'; }")  # fmt: skip
    browser.run("document.querySelector('.panel .warning .act').click()")
    saved = here / "saved.jsonl"
    saved.write_text(browser.run("window.saved.text()"))
    add_annotations(lost, read_annotations(saved), "saved.jsonl")
    assert [each.labels for each in load_annotations(lost)] == [("format",)]
    browser.run("window.old = true; location.reload()")
    browser.wait("!window.old && document.querySelector('.row .tag')")
    assert browser.texts(".row .tag") == ["format"], "it is still there"
    browser.run("localStorage.clear()")
    show(browser, here, lost)
    assert browser.texts(".row .tag") == ["format"], "it was exported"


def test_two_annotators_agree_as_the_page_of_notes_tells(browser, here, lost):
    episodes = [each.episode for each in Run(lost).rows()]
    given = {"Ada": ([["format"], []]), "Bo": ([["format"], ["format"]])}
    notes = [
        {"schema": "earsim.annotation/1", "episode": episode, "decision": None,
         "annotator": who, "labels": labels, "note": ""}
        for who, both in given.items()
        for episode, labels in zip(episodes, both, strict=True)
    ]  # fmt: skip
    path = here / "notes.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in notes))
    add_annotations(lost, read_annotations(path), "notes.jsonl")
    show(browser, here, lost)
    browser.press("n")
    browser.wait("document.querySelector('#detail table')")
    head, row = browser.texts("#detail .tabled tr")
    assert "kappa" in head.lower()
    assert row.split("\t")[:3] == ["format", "Ada", "Bo"]
    assert "50.0 %" in row
