"""Episodes on a Ray cluster: the same results, whatever becomes of workers, on machines apart."""

import os
import signal
from contextlib import closing
from pathlib import Path

import pytest

from earsim.errors import UsageError
from earsim.evaluation.runs import on_ray
from earsim.evaluation.runs.evaluation import Evaluation
from earsim.evaluation.runs.scheduler import episodes_of
from earsim_agents.client import AnswerCache
from earsim_agents.client.cache import CachedAnswer
from tests.evaluation.conftest import local
from tests.evaluation.contents import contents

ray = pytest.importorskip("ray", reason="the extra `ray` is not installed")

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def alone(monkeypatch):
    """No cluster but those of the test."""
    monkeypatch.setenv("RAY_ADDRESS", "local")
    yield
    ray.shutdown()


@pytest.fixture
def two_nodes(monkeypatch):
    """A cluster of two raylets with a processor each."""
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    cluster.add_node(num_cpus=1)
    monkeypatch.setenv("RAY_ADDRESS", cluster.address)
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def killed_once(order, expected):
    """The first worker is killed after two episodes."""
    marker = Path(order.cache).with_name("killed")
    for number, record in enumerate(episodes_of(order)):
        if number == 2 and not marker.exists():
            marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        yield record


def killed_by_one(order, expected):
    """Whoever plays a certain episode is killed."""
    if any(job.repeat == 2 for job in order.jobs):
        os.kill(os.getpid(), signal.SIGKILL)
    yield from episodes_of(order)


def noted(order, expected):
    """Every node leaves its id."""
    node = ray.get_runtime_context().get_node_id()
    Path(order.cache).with_name(node).touch()
    yield from episodes_of(order)


def test_ray_gives_the_same(hut, here):
    asked = local(hut, repeats=3)
    list(Evaluation(asked, "here").run())
    list(Evaluation(asked, "there").run(executor="ray", workers=2))
    assert contents(here / "here") == contents(here / "there")


def test_episodes_of_a_killed_worker_are_played_again(hut, here, monkeypatch):
    monkeypatch.setattr(on_ray, "_played", killed_once)
    asked = local(hut, repeats=6)
    list(Evaluation(asked, "here").run())
    list(Evaluation(asked, here / "there").run(executor="ray", workers=2))
    assert (here / "there" / "killed").exists()
    assert contents(here / "here") == contents(here / "there")


def test_an_episode_that_ends_every_worker_is_no_measurement(hut, here, monkeypatch):
    monkeypatch.setattr(on_ray, "_played", killed_by_one)
    rows = list(Evaluation(local(hut, repeats=4), "run").run(executor="ray", workers=2))
    bad = [row for row in rows if row.outcome == "no_measurement"]
    assert len(rows) == len({row.episode for row in rows})
    assert {row.repeat for row in bad} == {2}
    assert len(bad) == len(rows) / 4
    assert "3 Ray workers were lost" in str(bad[0].error)


def test_two_nodes_give_the_same(hut, here, two_nodes, monkeypatch):
    monkeypatch.setattr(on_ray, "_played", noted)
    asked = local(hut, repeats=4)
    list(Evaluation(asked, "here").run())
    list(Evaluation(asked, here / "there").run(executor="ray", workers=2))
    nodes = {node["NodeID"] for node in ray.nodes()}
    assert len(nodes) == 2
    assert all((here / "there" / node).exists() for node in nodes)
    assert contents(here / "here") == contents(here / "there")


def keep(cache):
    cache.put("question", CachedAnswer(b"answer", "server"))
    return cache.get("question")


def test_the_response_cache_is_on_the_disk_of_the_driver(here):
    on_ray._connect(ray, 1)
    cache = on_ray.RemoteCache(on_ray._keeper(ray), "cache.sqlite")
    assert ray.get(ray.remote(keep).remote(cache)) == CachedAnswer(b"answer", "server")
    with closing(AnswerCache(here / "cache.sqlite")) as file:
        assert file.get("question") == CachedAnswer(b"answer", "server")


@pytest.mark.parametrize(
    ("address", "said"),
    [("127.0.0.1:1", "no Ray cluster at RAY_ADDRESS=127.0.0.1:1"), ("ray://a:1", "a Ray client")],
)
def test_a_cluster_that_is_not_there_is_said(hut, monkeypatch, address, said):
    monkeypatch.setenv("RAY_ADDRESS", address)
    with pytest.raises(UsageError, match=said):
        list(Evaluation(local(hut), "run").run(executor="ray", workers=2))
