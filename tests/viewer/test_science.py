"""Ideas with their votes, and protocols beside their references: as data and on the page."""

import pytest

from earsim.apparatus.alignment import align
from earsim.apparatus.protocol import Step
from earsim.evaluation.scorers.votes import Judgement, Preference
from earsim.evaluation.workflow.judging import judge_run
from earsim.evaluation.workflow.outcome import AlignedProtocol, WorkflowOutcome
from earsim.evaluation.workflow.run_ideas import told_ideas
from earsim.evaluation.workflow.votes_file import VOTES
from earsim.suites import open_suite
from earsim.viewer.episode import episode_data
from earsim.viewer.run import Run
from tests.evaluation.judging_rig import run_with_ideas
from tests.evaluation.runs import run
from tests.viewer.browser import CHROMIUM, chromium
from tests.viewer.conftest import HOSTILE, played

IMAGE = "<img src=x onerror=alert(7)>"


class Fixed:
    """A judge that prefers the first text, or says nothing that can be read."""

    def __init__(self, name, preference):
        self.name, self.options, self._preference = name, {}, preference

    def prefer(self, criterion, first, second):
        return Judgement(self._preference, f"{IMAGE} of {self.name}")


@pytest.fixture
def ideas(here):
    """A run with an idea that two judges have voted on, one of them mad."""
    folder = run_with_ideas(here)
    jury = [Fixed("biased", Preference.FIRST), Fixed("mad", Preference.UNREADABLE)]
    assert len(list(judge_run(folder, told_ideas(folder), jury))) == 1
    return folder


@pytest.fixture
def protocol(here):
    """A run whose protocol lacks a step, has one too many, two swapped and a wrong parameter."""
    path = here / "trap.yaml"
    path.write_text(HOSTILE, encoding="utf-8")
    scenario = open_suite(path).load("trap/light")
    performed = [Step("mix", {"time": "5 min"}), Step("spin"), Step("wash"), Step(IMAGE)]
    reference = [Step("mix", {"time": "10 min"}), Step("wash"), Step("spin"), Step("read")]
    aligned = AlignedProtocol("constructor", align(performed, reference))
    outcome = WorkflowOutcome("wet_experiment", "life", {"ss": 0.3}, protocols=(aligned,))
    extra = {"instruction": "Do it.", "workflow": outcome.record()}
    record = played(scenario, [{"toString": "DONE"}], extra=extra)
    return run(here / "wet", [record], suites=[str(path)])


def data_of(folder, word):
    (row,) = [row for row in Run(folder).rows() if word in row.scenario_id]
    return episode_data(Run(folder), row.episode)["science"]


def test_an_idea_has_its_reference_its_numbers_and_every_vote(ideas):
    data = data_of(ideas, "layer")
    assert (data["family"], data["domain"], data["protocols"]) == ("idea", "energy", [])
    assert data["idea"]["parts"]["steps"] == "cast -> sinter"
    assert data["idea"]["reference"]["hypothesis"] == "A gel slows dendrites."
    for dimension in data["idea"]["dimensions"]:
        assert [(v["judge"], v["verdict"]) for v in dimension["votes"]] == [
            ("biased", "tie"), ("mad", "none")
        ]  # fmt: skip
        assert dimension["value"] == pytest.approx((10 * dimension["objective"] + 50) / 2)


def test_an_idea_that_was_not_told_has_no_votes(ideas):
    idea = data_of(ideas, "silent")["idea"]
    assert idea["parts"] == {}
    assert not any(each["votes"] for each in idea["dimensions"])


def test_votes_that_cannot_be_read_are_told_and_hide_nothing_else(ideas):
    (ideas / VOTES).write_text("{}\n", "utf-8")
    idea = data_of(ideas, "layer")["idea"]
    assert "line 1" in idea["problem"]
    assert idea["parts"]["steps"] == "cast -> sinter"


def test_steps_have_marks(protocol):
    (found,) = data_of(protocol, "light")["protocols"]
    marks = [(step["action"], step["mark"]) for step in found["steps"]]
    assert marks == [
        ("mix", "same"), ("spin", "swapped"), ("wash", "same"), ("<img src=x onerror=alert(7)>",
        "extra"), ("read", "missing"),
    ]  # fmt: skip
    assert found["steps"][0]["parameters"][0]["right"] is False


def test_other_episodes_have_no_science(won):
    assert data_of(won, "light") is None


@pytest.fixture
def browser(tmp_path):
    with chromium(tmp_path / "home") as browser:
        yield browser


def page_of(browser, earsim, folder, word):
    """The page of the episode at its seventh tab."""
    earsim("view", folder, "--export", "page.html")
    browser.open((folder.parent / "page.html").as_uri())
    place = f"[...document.querySelectorAll('.row')].find(n => n.innerText.includes('{word}'))"
    browser.run(f"{place}.click()")
    browser.wait("document.querySelector('.pane')")
    browser.press("7")
    assert browser.problems == []
    assert browser.run("document.querySelectorAll('img').length") == 0


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")
def test_the_page_of_an_idea_shows_its_votes(browser, earsim, ideas):
    page_of(browser, earsim, ideas, "layer")
    rows = browser.texts(".votes tbody tr")
    assert len(rows) == 8
    assert "biased" in rows[0]
    assert f"idea {IMAGE} of biased" in rows[0]
    assert f"reference {IMAGE} of biased" in rows[0]
    assert "does not count" in rows[1]
    assert browser.texts(".dimensions tbody tr")[0].split("\t")[2] == "1 of 2"
    assert "A gel slows dendrites." in browser.text(".idea")


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")
def test_the_page_of_a_protocol_marks_its_steps(browser, earsim, protocol):
    page_of(browser, earsim, protocol, "light")
    rows = [row.split("\t") for row in browser.texts(".protocol tbody tr")]
    assert [row[3] for row in rows] == [
        "as in the reference", "swapped", "as in the reference", "extra", "missing"
    ]  # fmt: skip
    assert rows[0][4].strip() == "time 5 min for 10 min wrong"
    assert rows[3][2] == IMAGE
    assert "2 as in the reference, 1 swapped, 1 missing, 1 extra" in browser.text(".panel")
