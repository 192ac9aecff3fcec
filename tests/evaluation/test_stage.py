"""The stage: everybody has a turn, and what is read or looked through once is not so again."""

import asyncio
import gc
import sys

import pytest

from earsim.errors import FileError, MissingExtra
from earsim.evaluation.runs.cached_suite import CachedSuite
from earsim.evaluation.runs.evaluation import Evaluation
from earsim.evaluation.runs.players import Awaited
from earsim.schema import Category
from earsim.suites.folder import FolderSuite
from tests.evaluation.conftest import local


class Counted(FolderSuite):
    """Says what it was asked to open."""

    def load(self, id):
        self.opened = [*getattr(self, "opened", ()), id]
        return super().load(id)


def test_a_scenario_is_opened_once(hut):
    counted = Counted(hut)
    suite = CachedSuite(counted)
    found = [suite.load("hut/light") for _ in range(3)]
    assert found[0] is found[2]
    assert counted.opened == ["hut/light"]
    assert (suite.name, suite.ids) == ("hut", ("hut/light", "hut/carry"))
    assert suite.category("hut/light") is Category.DIRECT_COMMAND


def test_what_cannot_be_opened_is_tried_again(hut):
    suite = CachedSuite(FolderSuite(hut))
    text = hut.read_text("utf-8")
    hut.write_text("{", "utf-8")
    with pytest.raises(FileError):
        suite.load("hut/light")
    hut.write_text(text, "utf-8")
    assert suite.load("hut/light").id == "hut/light"


def test_a_policy_that_never_waits_lets_others_go_on():
    class Busy:
        memory = None

        def act(self, observations):
            return {}

    turns = []

    async def play(name, policy):
        for _ in range(3):
            await policy.act({})
            turns.append(name)

    async def both():
        await asyncio.gather(play("a", Awaited(Busy())), play("b", Awaited(Busy())))

    asyncio.run(both())
    assert turns == ["a", "b"] * 3


def test_the_collector_is_left_as_it_was(hut):
    gc.unfreeze()
    playing = Evaluation(local(hut, repeats=2), "run").run()
    next(playing)
    assert gc.get_freeze_count() > 0
    playing.close()
    assert gc.get_freeze_count() == 0


def test_what_a_caller_has_frozen_stays_so(hut):
    gc.freeze()
    before = gc.get_freeze_count()
    playing = Evaluation(local(hut, repeats=2), "run").run()
    next(playing)
    playing.close()
    assert 0 < gc.get_freeze_count() <= before


def test_what_is_not_installed_is_told_before_anything_is_written(here, hut, monkeypatch):
    monkeypatch.setitem(sys.modules, "aiohttp", None)
    monkeypatch.delitem(sys.modules, "earsim_agents.client.transport", raising=False)
    model = {"policy": "centralized", "options": {"model": "m"}}
    with pytest.raises(MissingExtra, match=r"earsim\[llm\]"):
        Evaluation(local(hut, models=[model]), "run")
    assert not (here / "run").exists()
