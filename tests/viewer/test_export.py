"""`earsim view --export`: one file, complete, the same every time."""

import base64
import gzip
import json
import re
import shutil
from html.parser import HTMLParser

import pytest
from typer.testing import CliRunner

from earsim.cli import app
from earsim.viewer.export import export
from earsim.viewer.run import Run
from tests.evaluation.runs import recorded, row, run


class Elements(HTMLParser):
    """Start tags with their attributes, and the text of each script."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.scripts, self._kind = [], {}, None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.tags.append((tag, attributes))
        self._kind = attributes.get("id", "code") if tag == "script" else None

    def handle_data(self, data):
        if self._kind is not None:
            self.scripts[self._kind] = self.scripts.get(self._kind, "") + data

    def handle_endtag(self, tag):
        self._kind = None


def test_the_file_holds_every_episode(won, lost, earsim, here):
    done = earsim("view", won, lost, "--export", "made/both.html")
    assert done.stdout == "written: made/both.html (4 episodes)\n"
    assert [path.name for path in (here / "made").iterdir()] == ["both.html"]
    page = Elements((here / "made" / "both.html").read_text("utf-8"))
    assert len(json.loads(page.scripts["listing"])["rows"]) == 4
    last = json.loads(gzip.decompress(base64.b64decode(page.scripts["episode-3"])))
    assert last["row"]["scenario_id"] == "hut/light"
    assert last["calls"][1]["reply"] == "I would rather sing."


def test_any_number_of_runs_is_shown_each_once(won, lost, earsim, here):
    shutil.copytree(lost, here / "third")
    done = earsim("view", won, lost, "third", here / "third", "--export", "all.html")
    assert done.stdout == "written: all.html (6 episodes)\n"


def test_it_asks_nobody_for_anything(won, earsim, here):
    earsim("view", won, "--export", "x.html")
    text = (here / "x.html").read_text("utf-8")
    for tag, attributes in Elements(text).tags:
        assert "src" not in attributes, tag
        assert attributes.get("href", "data:,") == "data:,"
    assert not re.search(r"https?://", text)
    assert "innerHTML" not in text


def test_the_same_run_gives_the_same_bytes(won, earsim, here):
    earsim("view", won, "--export", "a.html")
    earsim("view", won, "--export", "b.html")
    assert (here / "a.html").read_bytes() == (here / "b.html").read_bytes()


def test_hostile_text_adds_no_element(won, hostile, earsim, here):
    tags = []
    for folder in (won, hostile):
        earsim("view", folder, "--export", "x.html")
        elements = Elements((here / "x.html").read_text("utf-8")).tags
        tags.append([tag for tag in elements if not str(tag[1].get("id")).startswith("episode-")])
    assert tags[0] == tags[1]


@pytest.mark.parametrize("arguments", [("nowhere",), (".",), ("won", "nowhere")])
def test_what_is_no_run_is_said(won, arguments):
    done = CliRunner().invoke(app, ["view", *arguments, "--export", "x.html"])
    assert done.exit_code == 2
    assert done.stderr.startswith("error: ")


@pytest.mark.slow
def test_several_processes_write_the_same_bytes(here, monkeypatch):
    monkeypatch.setattr("earsim.viewer.export._FEW", 10)
    folder = run(here / "many", [recorded(row(f"s{i:03}")) for i in range(50)])
    export([Run(folder)], here / "one.html")
    export([Run(folder)], here / "two.html", jobs=2)
    assert (here / "one.html").read_bytes() == (here / "two.html").read_bytes()
