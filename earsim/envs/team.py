"""`OmniEAR-Team-v0`: a central controller commands all agents at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium as gym
from gymnasium import spaces

from earsim.envs.mixin import EpisodeMixin, known_render_mode
from earsim.envs.observation import Rewards, fixed_info, observe, own_info, team_info
from earsim.envs.options import (
    EpisodeOptions,
    Observation,
    Reward,
    ScenarioSource,
    team_commands,
    wanted_scenario,
)
from earsim.envs.spaces import GraphSpace, TextSpace
from earsim.episode import Episode
from earsim.errors import UsageError
from earsim.schema import Scenario
from earsim.schema.choices import EndOn, Observability


class OmniEARTeamEnv(EpisodeMixin, gym.Env[dict[str, Any], dict[str, Any]]):
    """A text world in which physics decides, for a team under one controller.

    ## Description
    As `OmniEAR-v0`, for tasks that several agents solve together: what is too heavy for one is
    carried by two.

    ## Action space
    `Dict` of one command per agent, by agent id. In `physical` an agent may be left out, or given
    an empty command, and does nothing; in `ear-bench` a decision that leaves one out is
    unreadable. In `physical` all who take part in a joint command give it (`CORP_GRAB crate_1`), in
    `ear-bench` it names them (`CORP_GRAB agent_1,agent_2 crate_1`).

    ## Observation space
    `Dict` of one observation per agent, each in the form `observation` asks for.

    ## Rewards, starting state, end of an episode, arguments
    As `OmniEAR-v0`; one reward for the team. All agents must say DONE to end an episode. Because
    the spaces name the agents, all scenarios of one environment must have the same agent ids; where
    a suite mixes them, choose with `agents` (a tuple of ids, by default those of the first one).

    ## Info
    `won`, `score`, `moves`, `elapsed_s`, and under `agents` per agent `last_outcome` and, if asked
    for, `admissible_commands`. At reset also what `OmniEAR-v0` tells.
    """

    # Gymnasium declares an instance variable, so this may be no ClassVar.
    def __init__(
        self,
        scenario: str | dict[str, Any] | Scenario | None = None,
        *,
        suite: str | None = None,
        agents: tuple[str, ...] | list[str] | None = None,
        ruleset: str | None = None,
        observability: Observability = "partial",
        observation: Observation = "full",
        reward: Reward = "sparse",
        end_on: EndOn = "done",
        admissible_commands: bool = False,
        budget: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Prepare the environment; raises as `OmniEAREnv` does."""
        self.render_mode = known_render_mode(render_mode)
        self.options = EpisodeOptions(
            observability=observability,
            observation=observation,
            reward=reward,
            end_on=end_on,
            admissible_commands=admissible_commands,
            budget=budget,
        )
        self.source = ScenarioSource(scenario, suite, ruleset, team_size=2)
        ids = self.source.ids
        self.agents = self._team(ids[0]) if agents is None else tuple(agents)
        if all(self._team(scenario_id) != self.agents for scenario_id in ids):
            raise UsageError(f"no scenario has exactly the agents {self.agents}")
        self.action_space = spaces.Dict({agent: TextSpace() for agent in self.agents})
        form = GraphSpace if observation == "graph" else TextSpace
        self.observation_space = spaces.Dict({agent: form() for agent in self.agents})

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start an episode; `options={"scenario": id}` says of which scenario."""
        super().reset(seed=seed)
        wanted = wanted_scenario(options)
        if wanted is None:
            wanted = self._draw()
        engine = self.source.engine(wanted)
        if tuple(engine.blueprint.bodies) != self.agents:
            raise UsageError(f"{wanted} has other agents than this environment: {self.agents}")
        self._episode = self.options.episode(engine)
        self._rewards = Rewards.of(self._episode, self.options)
        if self.render_mode == "human":
            self.render()
        return self._observations(self._episode), {
            **self._info(self._episode),
            **fixed_info(self._episode),
        }

    def step(
        self, action: Mapping[str, str]
    ) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Give one command per agent; any strings are accepted and answered."""
        episode = self.episode
        episode.step(self._commands(action))
        if self.render_mode == "human":
            self.render()
        return (
            self._observations(episode),
            self._rewards.of_step(episode),
            episode.over,
            episode.truncated,
            self._info(episode),
        )

    def _draw(self) -> str:
        """A scenario with this team, each as likely as the others; there is one."""
        ids = self.source.ids
        if len(ids) == 1:
            return ids[0]
        while True:
            drawn = ids[int(self.np_random.integers(len(ids)))]
            if self._team(drawn) == self.agents:
                return drawn

    def _team(self, scenario_id: str) -> tuple[str, ...]:
        return tuple(self.source.engine(scenario_id).blueprint.bodies)

    def _commands(self, action: Mapping[str, str]) -> dict[str, str] | None:
        """The commands given; None where the ruleset does not let an agent be left out."""
        action = team_commands(action, self.agents)
        given = {agent: str(action[agent]) for agent in self.agents if agent in action}
        left_out = len(given) < len(self.agents)
        return None if left_out and self.episode.engine.ruleset.everybody_speaks else given

    def _observations(self, episode: Episode) -> dict[str, Any]:
        return {agent: observe(episode, agent, self.options) for agent in self.agents}

    def _info(self, episode: Episode) -> dict[str, Any]:
        own = {agent: own_info(episode, agent, self.options) for agent in self.agents}
        return {**team_info(episode), "agents": own}
