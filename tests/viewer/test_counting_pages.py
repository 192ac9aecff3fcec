"""Runs, comparisons, failures and search in a real browser: numbers lead to their episodes."""

import pytest

from tests.viewer.pages import click, show

pytestmark = pytest.mark.slow


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
    assert browser.texts(".chip")[0].startswith("of both: walkthrough and ")
    assert browser.text("#count") == "4 of 4 episodes"
    browser.run("document.querySelectorAll('.compared tbody tr .count')[1].click()")
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


def test_a_failure_shows_the_decisions_that_its_mode_rests_on(browser, here, lost):
    show(browser, here, lost)
    browser.press("f")
    browser.wait("document.querySelector('.cards .signs')")
    card = "document.querySelector('.cards a[href*=\"step=\"]')"
    step = browser.run(f"new URLSearchParams({card}.hash.slice(1)).get('step')")
    assert "piano was never found" in browser.texts(".cards .signs mark")
    assert f"decision {step} " in browser.run(f"{card}.querySelector('.signs').innerText")
    browser.run(f"{card}.click()")
    browser.wait("document.querySelector('.pane')")
    assert browser.texts("tr[aria-current=step] th") == [step]
    marked = browser.run("[...document.querySelectorAll('tr.signed')].map((n) => n.dataset.step)")
    assert step in marked
    browser.run("location.hash = location.hash.replace(/&step=[^&]*/, '')")
    browser.wait(f"new URLSearchParams(location.hash.slice(1)).get('step') === '{step}'")


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


def test_means_lead_to_their_episodes_those_with_most_first(browser, here, won):
    show(browser, here, won)
    browser.wait("document.querySelector('.subjects')")
    browser.run("[...document.querySelectorAll('.subjects td .count')].at(-1).click()")
    assert browser.text("#count") == "2 of 2 episodes"
    assert browser.run("document.querySelector('#sort').value") == "wall_ms"
    assert browser.run("document.querySelector('#descending').checked")


def test_a_number_of_a_report_leads_to_its_episodes(browser, here, won, lost, earsim):
    earsim("report", won, lost, "--out", "made/report.html", "--view", "made/all episodes.html")
    browser.send("Page.navigate", url=(here / "made" / "report.html").as_uri())
    browser.wait("document.querySelector('a[href*=\"only-mode\"]')")
    browser.run("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    link = 'a[href*="only-mode=exploration"]'
    browser.run(f"[...document.querySelectorAll({link!r})].at(-1).click()")
    browser.wait("document.querySelectorAll('.chip').length === 2")
    browser.wait("document.getElementById('count').innerText === '1 of 4 episodes'")
    assert browser.texts(".chip")[1].startswith("failure mode: exploration deficit")


def test_three_questions_of_a_first_visit_are_answered_by_clicks(browser, here, won, lost):
    """As written in docs/viewer.md: which is better on teams, why one failed, what was said."""
    show(browser, here, won, lost)
    click(browser, "nav a", "Compare")
    browser.wait("document.querySelector('.compared')")
    assert browser.texts(".verdicts li")[0].startswith("With several agents: walkthrough is better")
    (team,) = [row for row in browser.texts(".compared tbody tr") if "several agents" in row]
    assert "100.0 %\t0.0 %\t-100.0" in team
    assert browser.texts(".compared thead th")[6:8] == ["walkthrough better", "cell chat better"]
    browser.run("document.querySelectorAll('.compared tr:nth-child(2) td')[5].firstChild.click()")
    assert browser.text("#count") == "2 of 4 episodes"  # of both, on the one scenario
    click(browser, ".compared tr:nth-child(2) .count", "100.0 %")
    assert browser.text("#count") == "1 of 4 episodes"
    click(browser, "nav a", "Failures")
    click(browser, ".cards a", "hut/light")
    browser.wait("document.querySelector('.pane .why[open] .signs')")
    assert browser.run(
        "document.querySelector('tr[aria-current=step]').classList.contains('signed')"
    )
    click(browser, ".tabs button", "Model calls")
    click(browser, ".panel .count", "decision 1")
    browser.wait("document.querySelector('.reply')")
    assert browser.text(".reply") == "I would rather sing."
