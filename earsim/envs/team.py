"""`OmniEAR-Team-v0`: a central controller commands all agents at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium as gym
from gymnasium import spaces

from earsim.envs.options import (
    EpisodeOptions,
    Observability,
    Observation,
    Reward,
    ScenarioSource,
)
from earsim.envs.painting import paint
from earsim.envs.single import RENDER_MODES
from earsim.envs.spaces import GraphSpace, TextSpace
from earsim.envs.telling import Rewards, fixed_info, observe, own_info, team_info
from earsim.episode import EndOn, Episode, Snapshot
from earsim.errors import NotReset, UsageError
from earsim.schema import Scenario


class OmniEARTeamEnv(gym.Env[dict[str, Any], dict[str, Any]]):
    """A text world in which physics decides, for a team under one controller.

    ## Description
    As `OmniEAR-v0`, for tasks that several agents solve together: what is too heavy for one is
    carried by two.

    ## Action space
    `Dict` of one command per agent, by agent id. In `physical` an agent may be left out, or given
    an empty command, and does nothing; in `ear-bench` a decision that leaves one out is
    unreadable. Joint commands name their partners (`CORP_GRAB agent_1,agent_2 crate_1`).

    ## Observation space
    `Dict` of one observation per agent, each in the form `observation` asks for.

    ## Rewards, starting state, end of an episode, arguments
    As `OmniEAR-v0`; one reward for the team. All agents must say DONE to end an episode. Because
    the spaces name the agents, all scenarios of one environment must have the same agent ids; where
    a suite mixes them, choose with `agents` (a tuple of ids, by default those of the first one).

    ## Info
    `won`, `score`, `moves`, and under `agents` per agent `last_outcome` and, if asked for,
    `admissible_commands`. At reset also what `OmniEAR-v0` tells.
    """

    # Gymnasium declares an instance variable, so this may be no ClassVar.
    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 4}  # noqa: RUF012

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
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise UsageError(f"render_mode={render_mode!r}: choose one of {RENDER_MODES}")
        self.options = EpisodeOptions(
            observability=observability,
            observation=observation,
            reward=reward,
            end_on=end_on,
            admissible_commands=admissible_commands,
            budget=budget,
        )
        self.source = ScenarioSource(scenario, suite, ruleset, team_size=2)
        self.ids = _same_team(self.source, None if agents is None else tuple(agents))
        self.agents = tuple(self.source.engine(self.ids[0]).blueprint.bodies)
        self.render_mode = render_mode
        self.action_space = spaces.Dict({agent: TextSpace() for agent in self.agents})
        form = GraphSpace if observation == "graph" else TextSpace
        self.observation_space = spaces.Dict({agent: form() for agent in self.agents})
        self._episode: Episode | None = None

    @property
    def episode(self) -> Episode:
        """The live episode.

        Raises:
            NotReset: The environment was never reset.
        """
        if self._episode is None:
            raise NotReset
        return self._episode

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start an episode; `options={"scenario": id}` says of which scenario."""
        super().reset(seed=seed)
        wanted = (options or {}).get("scenario")
        if wanted is None:
            ids = self.ids
            wanted = ids[0] if len(ids) == 1 else ids[int(self.np_random.integers(len(ids)))]
        engine = self.source.engine(wanted)
        if tuple(engine.blueprint.bodies) != self.agents:
            raise UsageError(f"{wanted} has other agents than this environment: {self.agents}")
        self._episode = self.options.episode(engine)
        self._rewards = Rewards(self._episode, self.options)
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

    def _commands(self, action: Mapping[str, str]) -> dict[str, str] | None:
        """The commands given; None where the ruleset does not let an agent be left out."""
        given = {agent: str(action[agent]) for agent in self.agents if agent in action}
        left_out = len(given) < len(self.agents)
        return None if left_out and self.episode.engine.ruleset.everybody_speaks else given

    def _observations(self, episode: Episode) -> dict[str, Any]:
        return {agent: observe(episode, agent, self.options) for agent in self.agents}

    def _info(self, episode: Episode) -> dict[str, Any]:
        own = {agent: own_info(episode, agent, self.options) for agent in self.agents}
        return {**team_info(episode), "agents": own}

    def render(self) -> Any:
        """Text (`ansi`), an image of shape (height, width, 3) (`rgb_array`), or None (`human`)."""
        return paint(self.episode, self.agents[0], self.render_mode)

    def schemas(self) -> dict[str, dict[str, Any]]:
        """One JSON schema per verb of the running scenario."""
        return self.episode.engine.schemas()

    def text_of(self, command: dict[str, Any]) -> str:
        """The text that a structured command stands for."""
        return self.episode.engine.text_of(command)

    def snapshot(self) -> Snapshot:
        """This moment of the episode, for `restore`."""
        return self.episode.snapshot()

    def restore(self, moment: Snapshot) -> None:
        """Go back to a moment of this scenario."""
        self.episode.restore(moment)
        self._rewards = Rewards(self.episode, self.options)

    def fork(self) -> Episode:
        """An independent copy of the running episode."""
        return self.episode.fork()


def _same_team(source: ScenarioSource, agents: tuple[str, ...] | None) -> tuple[str, ...]:
    """The scenarios whose agents are the team asked for, or the team of the first scenario."""
    teams = {id_: tuple(source.engine(id_).blueprint.bodies) for id_ in source.ids}
    wanted = teams[source.ids[0]] if agents is None else agents
    found = tuple(id_ for id_, team in teams.items() if team == wanted)
    if not found:
        raise UsageError(f"no scenario has exactly the agents {wanted}")
    return found
