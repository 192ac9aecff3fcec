"""Where episodes are played makes no difference to what is in the folder."""

import multiprocessing

import pytest

from earsim.errors import FileError
from earsim.evaluation.runs.evaluation import Evaluation
from earsim.evaluation.runs.jobs import Shard
from earsim.evaluation.store.manifest import load_run_manifest
from tests.evaluation.conftest import CELL, local
from tests.evaluation.contents import contents, rows


@pytest.mark.slow
def test_processes_give_the_same(hut, here):
    asked = local(hut, repeats=3)
    list(Evaluation(asked, "here").run())
    list(Evaluation(asked, "there").run(executor="processes", workers=2))
    assert contents(here / "here") == contents(here / "there")


@pytest.mark.slow
def test_errors_come_back_from_processes(hut):
    replay = {"policy": "replay", "options": {"trajectories": "nowhere"}}
    with pytest.raises(FileError, match="nowhere"):
        list(Evaluation(local(hut, models=[replay]), "run").run(executor="processes", workers=1))


@pytest.mark.slow
def test_nothing_is_left_of_processes_when_the_caller_stops(hut):
    played = Evaluation(local(hut, repeats=50), "run").run(executor="processes", workers=2)
    next(played)
    played.close()
    assert not multiprocessing.active_children()


@pytest.mark.slow
def test_shards_make_the_whole(stub, sweep, here):
    list(Evaluation(sweep(repeats=5), "whole").run())
    found = []
    for number in (1, 2, 3):
        list(Evaluation(sweep(repeats=5), f"part{number}", shard=Shard(number, 3)).run())
        found += list(rows(f"part{number}"))
        assert load_run_manifest(f"part{number}").planned == {CELL: 10}
    assert sorted(found) == list(rows("whole"))
