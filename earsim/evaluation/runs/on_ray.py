"""Episodes on a Ray cluster, whose machines need not share a disk.

The driver, which is the process that asked, reads the scenarios and sends them along, and writes
the run. The response cache is one actor on the driver's machine, asked by all workers.
"""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Generator, Iterable, Iterator
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from earsim.errors import EarSimError, MissingExtra, UsageError
from earsim.evaluation.policies import asks_a_model
from earsim.evaluation.runs.cached_suite import CachedSuite
from earsim.evaluation.runs.jobs import Job
from earsim.evaluation.runs.rollout import no_measurement
from earsim.evaluation.runs.scheduler import EpisodeJob, episodes_of, parts_of
from earsim.evaluation.store.records import EpisodeRecord
from earsim.registry import Lazy
from earsim.schema import Category, Scenario
from earsim.suites import Suite

_ATTEMPTS = 3
"""Workers that may be lost to one episode before it counts as no measurement."""

_CONNECT_S = 10

_LOST = ("WorkerCrashedError", "NodeDiedError", "OutOfMemoryError", "ObjectLostError")

_ANSWER_CACHE = Lazy("earsim_agents.client:AnswerCache", extra="llm")


def on_ray(order: EpisodeJob, workers: int | None = None) -> Generator[EpisodeRecord, None, None]:
    """On the Ray cluster that `RAY_ADDRESS` names, or on one made of this machine.

    Episodes of a worker that is lost are played again, on another one.

    Raises:
        MissingExtra: Ray is not installed.
        UsageError: There is no cluster at `RAY_ADDRESS`.
    """
    try:
        ray: Any = import_module("ray")
    except ModuleNotFoundError:
        raise MissingExtra("ray", "ray") from None
    if not ray.is_initialized():
        _connect(ray, workers)
    count = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
    keeper = None
    if any(asks_a_model(cell.entrant.policy) for cell in order.cells):
        keeper = _keeper(ray)
    tasks = _Tasks(ray, order._replace(keeper=keeper))
    try:
        tasks.start(_OrderPart(part) for part in parts_of(tasks.order, count))
        while tasks.streams:
            record = tasks.next()
            if record is not None:
                yield record
    finally:
        for stream in tasks.streams:
            ray.cancel(stream, force=True)
        if keeper is not None:
            ray.kill(keeper)


class _Tasks:
    """Tasks at work, with what each has still to play."""

    def __init__(self, ray: Any, order: EpisodeJob) -> None:
        self.order = order
        self.streams: dict[Any, _OrderPart] = {}
        self._ray = ray
        self._lost = tuple(getattr(ray.exceptions, name) for name in _LOST)
        self._suites = {name: CachedSuite(suite) for name, suite in order.suites.items()}
        task = ray.remote(num_cpus=1, max_retries=0)(_played)
        # Each worker goes on with a few episodes while those before wait to be written, no more.
        self._task = task.options(num_returns="streaming", _generator_backpressure_num_objects=8)

    def start(self, parts: Iterable[_OrderPart]) -> None:
        for part in parts:
            stream = self._task.remote(_sent(part.order, self._suites), version("earsim"))
            self.streams[stream] = part

    def next(self) -> EpisodeRecord | None:
        """The next episode; None where a task ended or began anew instead."""
        (stream,), _ = self._ray.wait(list(self.streams), num_returns=1, fetch_local=False)
        try:
            record: EpisodeRecord = self._ray.get(next(stream))
        except StopIteration:
            del self.streams[stream]
            return None
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause from None
        except self._lost as error:
            return self._after_loss(self.streams.pop(stream), error)
        except self._ray.exceptions.RayError as error:
            raise OSError(errno.EIO, _first_line(error), "Ray") from None
        self.streams[stream] = self.streams[stream].without(record.row.episode)
        return record

    def _after_loss(self, part: _OrderPart, error: Exception) -> EpisodeRecord | None:
        if part.is_hopeless:
            return _given_up(part.order, self._suites, error)
        self.start(part.again())
        return None


def _connect(ray: Any, workers: int | None) -> None:
    address = os.environ.get("RAY_ADDRESS", "")
    if address.startswith("ray://"):
        raise UsageError(
            f"RAY_ADDRESS is {address}, a Ray client; run this on a machine of the cluster, "
            "with RAY_ADDRESS=auto"
        )
    if address != "local":
        try:
            _knock(address)
            # The number of workers is ours: a cluster has the CPUs that it has.
            ray.init(address=address or "auto", log_to_driver=False)
        except (OSError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
            if address:
                raise UsageError(
                    f"no Ray cluster at RAY_ADDRESS={address}: {_first_line(error)}; start one "
                    "with `ray start --head`, or unset RAY_ADDRESS to use this machine alone"
                ) from None
        else:
            return
    ray.init(address="local", include_dashboard=False, log_to_driver=False, num_cpus=workers)


def _knock(address: str) -> None:
    """Raise where nobody listens: Ray itself tries for minutes."""
    host, colon, port = address.rpartition(":")
    if colon:
        socket.create_connection((host, int(port)), timeout=_CONNECT_S).close()


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


# -- parts of an order ---------------------------------------------------------------------------


class _OrderPart(NamedTuple):
    """What a worker has still to play.

    Attributes:
        failures: workers lost in a row, with nothing finished.
        fresh: whether this worker has finished nothing yet.
    """

    order: EpisodeJob
    failures: int = 0
    fresh: bool = True

    def without(self, episode: str) -> _OrderPart:
        left = tuple(job for job in self.order.jobs if job.episode != episode)
        return _OrderPart(self.order._replace(jobs=left), 0, fresh=False)

    @property
    def is_hopeless(self) -> bool:
        return self.fresh and len(self.order.jobs) == 1 and self.failures + 1 >= _ATTEMPTS

    def again(self) -> Iterator[_OrderPart]:
        """What to play after the worker is lost; in halves, if it finished nothing."""
        jobs = self.order.jobs
        if not jobs:
            return
        if self.fresh and len(jobs) > 1:
            for half in (jobs[::2], jobs[1::2]):
                yield _OrderPart(self.order._replace(jobs=half))
        else:
            yield _OrderPart(self.order, self.failures + self.fresh)


def _given_up(order: EpisodeJob, suites: dict[str, CachedSuite], error: Exception) -> EpisodeRecord:
    (job,) = order.jobs
    (cell,) = (cell for cell in order.cells if cell.name == job.cell)
    reason = f"{_ATTEMPTS} Ray workers were lost while it was played: {_first_line(error)}"
    return no_measurement(job, cell, suites[cell.suite], reason)


# -- what travels --------------------------------------------------------------------------------


class _SentScenarios(Suite):
    """Some scenarios of a suite, as they were read on the driver's machine."""

    def __init__(self, suite: Suite, ids: Iterable[str]) -> None:
        super().__init__(suite.name)
        self._found = {id: _read(suite, id) for id in dict.fromkeys(ids)}
        self._categories = {id: _category(suite, id) for id in self._found}

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(self._found)

    def load(self, id: str) -> Scenario:
        found = self._found[id]
        if isinstance(found, EarSimError):
            raise found
        return found

    def category(self, id: str) -> Category:
        found = self._categories[id]
        if isinstance(found, EarSimError):
            raise found
        return found


def _read(suite: Suite, id: str) -> Scenario | EarSimError:
    try:
        return suite.load(id)
    except EarSimError as error:
        return error


def _category(suite: Suite, id: str) -> Category | EarSimError:
    try:
        return suite.category(id)
    except EarSimError as error:
        return error


def _sent(order: EpisodeJob, suites: dict[str, CachedSuite]) -> EpisodeJob:
    names = {cell.name: cell.suite for cell in order.cells}

    def ids(jobs: tuple[Job, ...], suite: str) -> Iterator[str]:
        return (job.scenario_id for job in jobs if names[job.cell] == suite)

    sent = {name: _SentScenarios(suite, ids(order.jobs, name)) for name, suite in suites.items()}
    return order._replace(suites=sent)


def _played(order: EpisodeJob, expected: str) -> Iterator[EpisodeRecord]:
    """What a worker does."""
    if version("earsim") != expected:
        raise UsageError(
            f"a machine of the cluster has earsim {version('earsim')}, the driver {expected}; "
            "install the same version on all"
        )
    yield from episodes_of(order)


# -- the response cache --------------------------------------------------------------------------


class _Keeper:
    """Response caches, open on the driver's machine; an actor."""

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)
        self._open: dict[str, Any] = {}

    def get(self, path: str, key: str) -> Any:
        return self._cache(path).get(key)

    def put(self, path: str, key: str, kept: Any) -> None:
        self._cache(path).put(key, kept)

    def _cache(self, path: str) -> Any:
        if path not in self._open:
            cache: Any = _ANSWER_CACHE.load()
            self._open[path] = cache(self._folder / path)
        return self._open[path]


def _keeper(ray: Any) -> Any:
    strategies: Any = import_module("ray.util.scheduling_strategies")
    here = ray.get_runtime_context().get_node_id()
    strategy = strategies.NodeAffinitySchedulingStrategy(here, soft=False)
    actor = ray.remote(num_cpus=0)(_Keeper)
    return actor.options(scheduling_strategy=strategy).remote(str(Path.cwd()))


class RemoteCache:
    """A response cache on the driver's machine."""

    def __init__(self, keeper: Any, path: str) -> None:
        self._keeper = keeper
        self._path = path

    def get(self, key: str) -> Any:
        """The answer, if the request was made before."""
        return self._told(self._keeper.get.remote(self._path, key))

    def put(self, key: str, kept: Any) -> None:
        """Keep an answer; it is on the driver's disk on return."""
        self._told(self._keeper.put.remote(self._path, key, kept))

    def close(self) -> None:
        """There is nothing to let go of: others use it."""

    @staticmethod
    def _told(answer: Any) -> Any:
        ray: Any = import_module("ray")
        try:
            return ray.get(answer)
        except ray.exceptions.RayTaskError as error:
            raise error.cause from None
        except ray.exceptions.RayError as error:
            raise OSError(errno.EIO, _first_line(error), "response cache") from None
