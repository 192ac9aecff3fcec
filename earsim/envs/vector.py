"""Many environments in one process or several: what `gymnasium.make_vec` makes of our ids."""

from __future__ import annotations

import copy as copying
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, cast, overload

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.vector.utils import batch_space

from earsim.envs.batch_arguments import PlannedResets, ResetPlan, per_environment
from earsim.envs.discrete_actions import DiscreteActions
from earsim.envs.graph_rows import NUMBERS, GraphLayout, GraphRows
from earsim.envs.infos import merge_infos
from earsim.envs.observation import observe, own_info, step_info
from earsim.envs.options import shown
from earsim.envs.single import OmniEAREnv
from earsim.envs.team import OmniEARTeamEnv
from earsim.episode import Episode
from earsim.errors import UsageError

Autoreset = Literal["NextStep", "SameStep", "Disabled"]
Step = tuple[
    Any, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]
]


class OmniEARVectorEnv(PlannedResets, SyncVectorEnv):
    """N environments stepped one after the other in this process; they share scenarios and engines.

    `gymnasium.make_vec("OmniEAR-v0", num_envs=N, ...)` makes one, with all arguments of
    `OmniEAR-v0`; `OmniEAR-Team-v0` likewise. What each environment tells is what it tells alone,
    and so are spaces, seeds (`seed + i` for the i-th) and infos those of Gymnasium's
    `SyncVectorEnv`.

    ## Actions
    One command per environment: a sequence of N strings; for a team, a dictionary of such
    sequences by agent. With `max_actions`, N numbers as `DiscreteActions` has them, and the infos
    hold `action_mask` of shape (N, max_actions).

    ## Observations
    A tuple of N texts (or graphs); for a team, a dictionary of such tuples by agent. With
    `observation="graph"` and `max_nodes`, one dictionary of stacked arrays: `nodes` of shape
    (N, max_nodes, C), `edges` (N, 5, max_nodes, max_nodes) and `mask` (N, max_nodes), as
    `GraphArrays` describes them.

    With `copy=False` they are views of what is true at the moment: texts are built when they are
    looked at, arrays are written in place by the next step.

    ## Arguments
    Besides those of the environment: `copy` (True), `autoreset_mode` ("NextStep", "SameStep" or
    "Disabled"), `max_actions` and `max_nodes` (None), `numbers`, `states` and `links` (as
    `GraphArrays` has them), `workers` (0: this process; K: so many processes, each with a batch of
    its own). Gymnasium's `wrappers` and `vector_kwargs` go with `vectorization_mode="sync"`.

    ## Resetting
    `reset(options={"scenario": id})` pins one scenario for all, a sequence of N ids one for each;
    `options={"reset_mask": mask}` resets some. `autoreset_mode` means what it means in Gymnasium.

    Attributes:
        envs: the environments.
        first: the number of the first one, where this is a part of a larger batch.
    """

    first = 0

    def __init__(
        self,
        make: Callable[[], gym.Env[Any, Any]],
        num_envs: int,
        *,
        copy: bool = True,
        autoreset_mode: Autoreset | AutoresetMode = "NextStep",
        layout: GraphLayout | None = None,
    ) -> None:
        """Make the environments; `make_vec` calls it through `vector_env` or `team_vector_env`."""
        mode = known_autoreset_mode(autoreset_mode)
        super().__init__([make] * num_envs, copy=copy, autoreset_mode=mode)
        self._ended = np.zeros(num_envs, np.bool_)
        self._slots = [env.unwrapped for env in self.envs]
        self._bare = [env for env in self.envs if isinstance(env, _Slot)]
        self._observed: list[Any] = [None] * num_envs
        self._stacked: dict[str, npt.NDArray[Any]] | None = None
        if layout is not None:
            self.single_observation_space = layout.space
            self.observation_space = batch_space(layout.space, num_envs)
            self._stacked = layout.zeros(num_envs)
            for index, slot in enumerate(self._slots):
                arrays = {name: array[index] for name, array in self._stacked.items()}
                cast("_Slot", slot).rows = GraphRows(layout, arrays)

    def carry_out(self, plan: ResetPlan) -> tuple[Any, dict[str, Any]]:
        """Reset the environments of a plan."""
        infos: list[dict[str, Any] | None] = [None] * self.num_envs
        for index, (seed, options) in enumerate(zip(plan.seeds, plan.options, strict=True)):
            if options is not None:
                told = self.envs[index].reset(seed=seed, options=options)
                self._observed[index], infos[index] = told
                self._ended[index] = False
        return self._batch(), merge_infos(infos)

    def step(self, actions: Any) -> Step:
        """Give one command to every environment.

        Raises:
            UsageError: There are not as many commands as environments, or with "Disabled" an
                episode has ended and was not reset.
        """
        return self.step_each(per_environment(actions, self.action_space, self.num_envs))

    def step_each(self, commands: Sequence[Any]) -> Step:
        """Give each environment its command; see `step`."""
        count = self.num_envs
        rewards = np.zeros(count)
        terminated, truncated = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
        infos: list[dict[str, Any] | None] = [None] * count
        ended, observed = self._ended.tolist(), self._observed
        mode = self.autoreset_mode
        for index, env in enumerate(self.envs):
            if ended[index] and mode is not AutoresetMode.SAME_STEP:
                if mode is AutoresetMode.DISABLED:
                    raise UsageError(
                        f"the episode of environment {self.first + index} has ended: "
                        "reset it with options={'reset_mask': mask}"
                    )
                observed[index], infos[index] = env.reset()
                continue
            if self._bare:  # what bare environments tell besides is gathered at the end
                told = self._bare[index]._advance(commands[index])
                observed[index], rewards[index], over, out = told
            else:
                observed[index], reward, over, out, infos[index] = env.step(commands[index])
                rewards[index] = float(reward)
            if over or out:
                terminated[index], truncated[index] = over, out
                if mode is AutoresetMode.SAME_STEP:
                    info = infos[index] or self._bare[index].info()
                    final = {"final_obs": self._final(index), "final_info": info}
                    observed[index], info = env.reset()
                    infos[index] = {**final, **info}
        self._ended = terminated | truncated
        return self._batch(), rewards, terminated, truncated, self._infos(infos)

    def _infos(self, infos: list[dict[str, Any] | None]) -> dict[str, Any]:
        """All infos merged; those of bare environments that were stepped are not there yet."""
        if self._bare:
            if any(infos):
                told = zip(infos, self._bare, strict=True)
                return merge_infos([info or slot.info() for info, slot in told])
            return _step_infos(self._bare)
        return merge_infos(infos)

    def look(self, index: int) -> Any:
        """The observation of one environment, built now."""
        return cast("_Slot", self._slots[index]).look()

    def _batch(self) -> Any:
        if self._stacked is not None:
            return {n: a.copy() for n, a in self._stacked.items()} if self.copy else self._stacked
        if isinstance(self.single_observation_space, gym.spaces.Dict):
            return {
                agent: tuple([observed[agent] for observed in self._observed])
                for agent in self.single_observation_space
            }
        if self.copy or not isinstance(self._slots[0], _Slot):
            return tuple(self._observed)
        return Looks(self.look, self.num_envs)

    def _final(self, index: int) -> Any:
        """The last observation of an episode, kept before the reset."""
        if self._stacked is not None:
            return {name: array[index].copy() for name, array in self._stacked.items()}
        seen = self._observed[index]
        return self.look(index) if seen is None else seen


class Looks(Sequence[Any]):
    """Observations of a batch that are built when they are looked at, each at most once.

    They show the world as it is then: look before the next step.
    """

    def __init__(self, look: Callable[[int], Any], count: int) -> None:
        self._look = look
        self._built: list[Any] = [None] * count

    def __len__(self) -> int:
        return len(self._built)

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Any, ...]: ...
    def __getitem__(self, index: int | slice) -> Any:
        found = range(len(self._built))[index]
        return self._at(found) if isinstance(found, int) else tuple(map(self._at, found))

    def __iter__(self) -> Iterator[Any]:
        return map(self._at, range(len(self._built)))

    def _at(self, index: int) -> Any:
        built = self._built
        if built[index] is None:
            built[index] = self._look(index)
        return built[index]


class _Slot(OmniEAREnv):
    """An environment of a batch that observes into rows of the batch, or when asked.

    Attributes:
        rows: of stacked arrays.
        looked_at: whether observations are built with every step.
    """

    rows: GraphRows | None = None
    looked_at = True

    def look(self) -> Any:
        """The observation of this moment."""
        return observe(self.episode, self._agent, self.options)

    def info(self) -> dict[str, Any]:
        """What a step tells besides."""
        return step_info(self.episode, self._agent, self.options)

    def _observe(self, episode: Episode) -> Any:
        if self.rows is not None:
            self.rows.write(episode.world, self._agent)
            return None
        return observe(episode, self._agent, self.options) if self.looked_at else None


def _step_infos(slots: Sequence[_Slot]) -> dict[str, Any]:
    """The infos of bare environments that were all stepped, as `merge_infos` gives them."""
    episodes = [slot.episode for slot in slots]
    told = np.ones(len(slots), np.bool_)
    infos: dict[str, Any] = {
        "won": np.array([episode.success for episode in episodes]),
        "score": np.array([episode.score for episode in episodes]),
        "moves": np.array([episode.decisions for episode in episodes]),
        "elapsed_s": np.array([episode.elapsed_s for episode in episodes]),
    }
    own = [own_info(slot.episode, slot._agent, slot.options) for slot in slots]
    for key in own[0]:
        infos[key] = np.full(len(slots), None)
        for index, info in enumerate(own):
            infos[key][index] = info[key]
    return infos | {f"_{key}": told for key in infos}


def vector_env(num_envs: int = 1, *, workers: int = 0, **kwargs: Any) -> VectorEnv[Any, Any, Any]:
    """The vector environment of `OmniEAR-v0`; see `OmniEARVectorEnv`.

    Args:
        num_envs: how many environments.
        workers: processes that step them; 0 for this one.
        kwargs: arguments of `single_batch` and of `OmniEAR-v0`.

    Raises:
        UsageError: An argument has none of its allowed values.
        UnknownName: There is no such suite, scenario or ruleset.
        FileError: A scenario file cannot be used.
    """
    return _in_this_process_or_workers(single_batch, num_envs, workers, kwargs)


def team_vector_env(
    num_envs: int = 1, *, workers: int = 0, **kwargs: Any
) -> VectorEnv[Any, Any, Any]:
    """The vector environment of `OmniEAR-Team-v0`; as `vector_env`."""
    return _in_this_process_or_workers(team_batch, num_envs, workers, kwargs)


def _in_this_process_or_workers(
    make: Callable[..., OmniEARVectorEnv], num_envs: object, workers: object, kwargs: dict[str, Any]
) -> VectorEnv[Any, Any, Any]:
    if not isinstance(num_envs, int | np.integer) or isinstance(num_envs, bool) or num_envs < 1:
        raise UsageError(f"num_envs={shown(num_envs)}: expected a whole number, at least 1")
    if workers == 0:
        return make(int(num_envs), **kwargs)
    from earsim.envs.vector_workers import OmniEARVectorWorkers

    return OmniEARVectorWorkers(make, int(num_envs), workers, **kwargs)


def single_batch(
    num_envs: int,
    *,
    copy: bool = True,
    autoreset_mode: Autoreset | AutoresetMode = "NextStep",
    max_actions: int | None = None,
    max_nodes: int | None = None,
    numbers: Sequence[str] = NUMBERS,
    states: Sequence[str] | None = None,
    links: bool = False,
    **kwargs: Any,
) -> OmniEARVectorEnv:
    """A batch of `OmniEAR-v0` in this process.

    Args:
        num_envs: how many environments.
        copy: whether observations outlive the next step.
        autoreset_mode: when an ended episode is followed by the next.
        max_actions: actions are numbers of commands, up to so many.
        max_nodes: graphs are arrays with so many rows.
        numbers: attributes that have a column in such arrays.
        states: states that have one; None stands for all.
        links: such arrays tell what is connected.
        kwargs: arguments of `OmniEAR-v0`.

    Raises:
        UsageError: An argument has none of its allowed values.
        UnknownName: There is no such suite, scenario or ruleset.
        FileError: A scenario file cannot be used.
    """
    if max_nodes is not None and kwargs.get("observation") != "graph":
        raise UsageError(f'max_nodes={max_nodes} needs observation="graph"')
    if not isinstance(copy, bool):
        raise UsageError(f"copy={shown(copy)}: choose one of False, True")
    first = _Slot(**kwargs)
    first.looked_at = copy
    layout = None if max_nodes is None else GraphLayout(max_nodes, numbers, states, links=links)

    def make() -> gym.Env[Any, Any]:
        slot = copying.copy(first)  # never reset: it shares the scenarios and nothing that changes
        return slot if max_actions is None else DiscreteActions(slot, max_actions)

    return OmniEARVectorEnv(make, num_envs, copy=copy, autoreset_mode=autoreset_mode, layout=layout)


def team_batch(
    num_envs: int,
    *,
    copy: bool = True,
    autoreset_mode: Autoreset | AutoresetMode = "NextStep",
    **kwargs: Any,
) -> OmniEARVectorEnv:
    """A batch of `OmniEAR-Team-v0` in this process; raises as `single_batch` does."""
    first = OmniEARTeamEnv(**kwargs)
    return OmniEARVectorEnv(
        lambda: copying.copy(first), num_envs, copy=copy, autoreset_mode=autoreset_mode
    )


def known_autoreset_mode(mode: Autoreset | AutoresetMode) -> AutoresetMode:
    """The mode itself.

    Raises:
        UsageError: There is no such mode.
    """
    try:
        return AutoresetMode(mode)
    except ValueError:
        choices = ", ".join(known.value for known in AutoresetMode)
        raise UsageError(f"autoreset_mode={shown(mode)}: choose one of {choices}") from None
