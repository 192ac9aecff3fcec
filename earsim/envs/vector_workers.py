"""A vector environment over worker processes, each of which holds a batch."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from gymnasium import Space, spaces
from gymnasium.vector.utils import batch_space

from earsim.envs.batch_arguments import PlannedResets, ResetPlan, per_environment
from earsim.envs.infos import join_infos
from earsim.envs.options import shown
from earsim.envs.vector import Looks, OmniEARVectorEnv, Step
from earsim.errors import UsageError
from earsim.worker import Worker, WorkerDied


class OmniEARVectorWorkers(PlannedResets):
    """N environments in batches, each stepped by a worker process, all at the same time.

    `gymnasium.make_vec("OmniEAR-v0", num_envs=N, workers=K)` makes one. It tells what
    `OmniEARVectorEnv` tells. With `copy=False` texts stay in the workers until they are looked at.

    A worker pays where a step is long (large teams, long lists of commands); a short step costs
    less than its way through a pipe. When a worker dies, `step` raises `WorkerDied`; workers end
    with this process, however it ends.
    """

    def __init__(
        self,
        make: Callable[..., OmniEARVectorEnv],
        num_envs: int,
        workers: object,
        *,
        copy: bool = True,
        **kwargs: Any,
    ) -> None:
        """Start the workers; raises what `make` raises.

        Args:
            make: makes the batch of a worker; a function of a module.
            num_envs: how many environments.
            workers: how many processes, at most one per environment.
            copy: whether observations outlive the next step.
            kwargs: arguments of `make`.
        """
        self._workers: list[Worker] = []
        self._stepping = False
        if not isinstance(workers, int | np.integer) or isinstance(workers, bool) or workers < 1:
            raise UsageError(f"workers={shown(workers)}: expected a whole number of processes")
        self.num_envs, self.copy = num_envs, copy
        self._batches = [
            slice(int(share[0]), int(share[-1]) + 1)
            for share in np.array_split(np.arange(num_envs), min(int(workers), num_envs))
        ]
        try:
            self._workers += [Worker() for _ in self._batches]
            orders = [_BatchOrder(make, batch, {**kwargs, "copy": copy}) for batch in self._batches]
            made = self._all(_make, orders)
        except BaseException:
            self.close()
            raise
        first: _Made = made[0]
        self.metadata, self.render_mode = first.metadata, first.render_mode
        self.single_observation_space = first.observation_space
        self.single_action_space = first.action_space
        self.observation_space = batch_space(first.observation_space, num_envs)
        self.action_space = batch_space(first.action_space, num_envs)

    def carry_out(self, plan: ResetPlan) -> tuple[Any, dict[str, Any]]:
        """Have each worker reset the environments of its part of a plan."""
        told = self._all(_reset, [plan.part(batch) for batch in self._batches])
        observations, infos = zip(*told, strict=True)
        return self._joined(observations), join_infos(infos, self._sizes)

    def step(self, actions: Any) -> Step:
        """Give one command to every environment.

        Raises:
            UsageError: There are not as many commands as environments, or with "Disabled" an
                episode has ended and was not reset.
            WorkerDied: The system ended a worker.
        """
        self.step_async(actions)
        return self.step_wait()

    def step_async(self, actions: Any) -> None:
        """Hand out commands; `step_wait` gives what became of them."""
        commands = per_environment(actions, self.action_space, self.num_envs)
        self._ask(_step, [commands[batch] for batch in self._batches])
        self._stepping = True

    def step_wait(self) -> Step:
        """What became of the commands handed out.

        Raises:
            UsageError: None were.
        """
        if not self._stepping:
            raise UsageError("step_wait() comes after step_async()")
        self._stepping = False
        observations, rewards, terminated, truncated, infos = zip(*self._replies(), strict=True)
        return (
            self._joined(observations),
            np.concatenate(rewards),
            np.concatenate(terminated),
            np.concatenate(truncated),
            join_infos(infos, self._sizes),
        )

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """A method of every environment called, or an attribute of each."""
        told = self._all(_call, [(name, args, kwargs)] * len(self._workers))
        return tuple([one for part in told for one in part])

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """An attribute of every environment."""
        return self.call(name)

    def set_attr(self, name: str, values: Any) -> None:
        """Set an attribute of every environment: one value for all, or a list of one for each.

        Raises:
            UsageError: The list has not one value per environment.
        """
        if not isinstance(values, list | tuple):
            values = [values] * self.num_envs
        if len(values) != self.num_envs:
            raise UsageError(f"{len(values)} values for {self.num_envs} environments")
        self._all(_set_attr, [(name, list(values[batch])) for batch in self._batches])

    def render(self) -> tuple[Any, ...]:
        """A frame of every environment."""
        return self.call("render")

    def close_extras(self, **kwargs: Any) -> None:
        """End the workers."""
        for worker in self._workers:
            worker.close()
        self._workers = []

    @property
    def _sizes(self) -> list[int]:
        return [batch.stop - batch.start for batch in self._batches]

    def _all(self, work: Callable[[Any], Any], things: Sequence[Any]) -> list[Any]:
        """The results of a function in all workers."""
        self._ask(work, things)
        return self._replies()

    def _ask(self, work: Callable[[Any], Any], things: Sequence[Any]) -> None:
        """Have a function run in all workers; `_replies` must follow, and nothing before it.

        Raises:
            UsageError: The environments are closed, or a step was begun and not waited for.
        """
        self._require_idle()
        self._asked = []
        self._failure: WorkerDied | None = None
        for worker, thing in zip(self._workers, things, strict=True):
            try:
                worker.submit(work, thing)
            except WorkerDied as error:
                self._failure = error
            else:
                self._asked.append(worker)

    def _replies(self) -> list[Any]:
        """One reply of each that was asked; all are taken before an error of one is raised."""
        found: list[Any] = []
        errors: list[Exception] = [] if self._failure is None else [self._failure]
        for worker in self._asked:
            try:
                found.append(worker.reply().result)
            except Exception as error:  # noqa: BLE001 - raised below
                errors.append(error)
        if errors:
            raise errors[0]
        return found

    def _require_idle(self) -> None:
        if self.closed:
            raise UsageError("these environments are closed")
        if self._stepping:
            raise UsageError("a step was begun with step_async(): step_wait() comes first")

    def _joined(self, parts: Sequence[Any]) -> Any:
        """One batch of observations from those of the workers."""
        if parts[0] is None:
            return Looks(self._look, self.num_envs)
        if isinstance(self.single_observation_space, spaces.Dict):
            keys = list(parts[0])
            if isinstance(parts[0][keys[0]], np.ndarray):
                return {key: np.concatenate([part[key] for part in parts]) for key in keys}
            return {key: tuple([one for part in parts for one in part[key]]) for key in keys}
        return tuple([one for part in parts for one in part])

    def _look(self, index: int) -> Any:
        self._require_idle()
        for worker, batch in zip(self._workers, self._batches, strict=True):
            if batch.start <= index < batch.stop:
                return worker.call(_look, index - batch.start)
        raise IndexError(index)


class _BatchOrder(NamedTuple):
    """A batch to be made."""

    make: Callable[..., OmniEARVectorEnv]
    batch: slice
    kwargs: Mapping[str, Any]


class _Made(NamedTuple):
    """What a batch says of itself."""

    observation_space: Space[Any]
    action_space: Space[Any]
    metadata: dict[str, Any]
    render_mode: str | None


# -- in a worker ---------------------------------------------------------------------------------

_batch: OmniEARVectorEnv | None = None


def _make(order: _BatchOrder) -> _Made:
    global _batch
    batch = order.batch
    _batch = order.make(batch.stop - batch.start, **order.kwargs)
    _batch.first = batch.start
    return _Made(
        _batch.single_observation_space,
        _batch.single_action_space,
        _batch.metadata,
        _batch.render_mode,
    )


def _held() -> OmniEARVectorEnv:
    assert _batch is not None
    return _batch


def _reset(plan: ResetPlan) -> tuple[Any, dict[str, Any]]:
    observations, infos = _held().carry_out(plan)
    return _portable(observations), infos


def _step(commands: Sequence[Any]) -> Step:
    observations, *told = _held().step_each(commands)
    return _portable(observations), *told


def _portable(observations: Any) -> Any:
    """What travels; not what is built when it is looked at."""
    return None if isinstance(observations, Looks) else observations


def _look(index: int) -> Any:
    return _held().look(index)


def _call(what: tuple[str, tuple[Any, ...], dict[str, Any]]) -> tuple[Any, ...]:
    name, args, kwargs = what
    return _held().call(name, *args, **kwargs)


def _set_attr(what: tuple[str, list[Any]]) -> None:
    name, values = what
    _held().set_attr(name, values)
