"""The PettingZoo face: every agent has a policy of its own, and all act at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, cast

import numpy as np
from gymnasium.spaces import Dict, Space

from earsim.envs.observation import reset_info, step_info
from earsim.envs.spaces import GraphSpace
from earsim.envs.team import OmniEARTeamEnv
from earsim.episode import Episode, Snapshot
from earsim.errors import MissingExtra
from earsim.render.graph import observed_graph

try:
    from pettingzoo import ParallelEnv
except ImportError as error:
    raise MissingExtra("pettingzoo", "pettingzoo") from error


def parallel_env(scenario: Any = None, **arguments: Any) -> OmniEARParallelEnv:
    """The PettingZoo environment of a scenario or suite; arguments as for `OmniEAR-Team-v0`."""
    return OmniEARParallelEnv(scenario, **arguments)


class OmniEARParallelEnv(ParallelEnv):  # type: ignore[misc] # PettingZoo has no types
    """A text world in which physics decides, with one policy per agent.

    ## Description
    `OmniEAR-Team-v0` seen by each of its agents: what an agent is told is its own observation, and
    what it commands is one string. Both are the same engine and agree step for step.

    ## Action and observation spaces
    Per agent `TextSpace`, and the form that `observation` asks for. An agent that gives no action
    is left out of the decision.

    ## Rewards
    The team's reward, the same for every agent.

    ## End of an episode
    An episode ends for all agents at once, and then `agents` is empty. An agent that said DONE
    stays until it does.

    ## Info
    Per agent what `OmniEAR-v0` tells: `won`, `score`, `moves`, `elapsed_s`, `last_outcome` and, if
    asked for, `admissible_commands`; at reset also what stays the same throughout.

    ## Arguments, starting state
    As `OmniEAR-Team-v0`.

    Attributes:
        possible_agents: ids in file order.
        agents: those who take part in the running episode: all or, once it ended, none.
        state_space: of `state`.
    """

    metadata: ClassVar[dict[str, Any]] = {
        **OmniEARTeamEnv.metadata,
        "name": "omniear_v0",
        "is_parallelizable": True,
    }

    def __init__(self, scenario: Any = None, **arguments: Any) -> None:
        """Prepare the environment; raises as `OmniEAREnv` does."""
        self.team = OmniEARTeamEnv(scenario, **arguments)
        self.possible_agents = list(self.team.agents)
        self.agents: list[str] = []
        self.render_mode = self.team.render_mode
        self.state_space = GraphSpace()
        self._observation_spaces = cast(Dict, self.team.observation_space).spaces
        self._action_spaces = cast(Dict, self.team.action_space).spaces

    @property
    def episode(self) -> Episode:
        """The live episode.

        Raises:
            NotReset: The environment was never reset.
        """
        return self.team.episode

    def observation_space(self, agent: str) -> Space[Any]:
        """The space of an agent's observations, always the same object."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Space[str]:
        """The space of an agent's commands, always the same object."""
        return self._action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Start an episode; `options={"scenario": id}` says of which scenario.

        What else stands there is for wrappers: PettingZoo's own check hands in a key it made up.
        """
        if isinstance(options, dict):
            options = {key: wanted for key, wanted in options.items() if key == "scenario"}
        observations, _ = self.team.reset(seed=seed, options=options)
        self.agents = list(self.possible_agents)
        team = self.team
        infos = {agent: reset_info(team.episode, agent, team.options) for agent in self.agents}
        return observations, infos

    def step(
        self, actions: Mapping[str, str]
    ) -> tuple[
        dict[str, Any],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Take one decision; any strings are accepted and answered.

        Each dictionary is keyed by the agents that took part. After the end all of them are empty.
        """
        episode = self.episode
        took_part = self.agents
        if not took_part:
            return {}, {}, {}, {}, {}
        team = self.team
        observations, reward, terminated, truncated, _ = team.step(actions)
        if terminated or truncated:
            self.agents = []
        return (
            observations,
            dict.fromkeys(took_part, reward),
            dict.fromkeys(took_part, terminated),
            dict.fromkeys(took_part, truncated),
            {agent: step_info(episode, agent, team.options) for agent in took_part},
        )

    def state(self) -> dict[str, Any]:
        """The whole world as a graph, discovered or not; a member of `state_space`."""
        world = self.episode.world.copy()
        world.beliefs.clear()
        everything = (*world.blueprint.things, *world.blueprint.doors)
        for agent in world.agents:
            world.discover(agent, everything)
        return observed_graph(world, self.possible_agents[0])

    def render(self) -> str | np.ndarray | None:
        """As `OmniEAR-Team-v0`."""
        frame: str | np.ndarray | None = self.team.render()
        return frame

    def close(self) -> None:
        """Let go of what the environment holds; it may be closed again."""
        self.team.close()

    def schemas(self) -> dict[str, dict[str, Any]]:
        """One JSON schema per verb of the running scenario."""
        return self.team.schemas()

    def text_of(self, command: dict[str, Any]) -> str:
        """The text that a structured command stands for."""
        return self.team.text_of(command)

    def snapshot(self) -> Snapshot:
        """This moment of the episode, for `restore`."""
        return self.team.snapshot()

    def restore(self, moment: Snapshot) -> None:
        """Go back to a moment of this scenario; its agents take part again."""
        self.team.restore(moment)
        over = self.episode.over or self.episode.truncated
        self.agents = [] if over else list(self.possible_agents)

    def fork(self) -> Episode:
        """An independent copy of the running episode."""
        return self.team.fork()
