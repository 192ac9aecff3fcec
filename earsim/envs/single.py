"""`OmniEAR-v0`: one agent, text in, text out."""

from __future__ import annotations

from typing import Any

import gymnasium as gym

from earsim.engine import Engine
from earsim.envs.mixin import EpisodeMixin, known_render_mode
from earsim.envs.observation import Rewards, observe, reset_info, step_info
from earsim.envs.options import (
    EpisodeOptions,
    Observation,
    Reward,
    ScenarioSource,
    wanted_scenario,
)
from earsim.envs.spaces import GraphSpace, TextSpace
from earsim.episode import Episode
from earsim.errors import NotReset
from earsim.schema import Scenario
from earsim.schema.choices import EndOn, Observability


class OmniEAREnv(EpisodeMixin, gym.Env[Any, str]):
    """A text world in which physics decides, for one agent.

    ## Description
    The agent stands in one of several rooms and is given a task in plain words. Objects have
    continuous attributes, tools give abilities only while held, and what is too heavy cannot be
    lifted. What is in a room is unknown until it is explored.

    ## Action space
    `TextSpace`: any string. A command is one line such as `GOTO kitchen`, `EXPLORE`, `GRAB cup_1`,
    `PLACE cup_1 on table_1`, `OPEN box_1`, `DONE`. Strings that are no command are answered, cost
    a step and change nothing. `schemas()` gives one JSON schema per verb; a structured command goes
    through `text_of` and is equal to its text.

    ## Observation space
    `observation="full"` (default): text with the feedback on the last command, the task, everything
    the agent knows, and what it can do now. `"delta"`: text with the feedback and only the lines
    that changed. `"graph"`: a dictionary of `nodes` and `edges` (`GraphSpace`).

    ## Rewards
    `reward="sparse"` (default): 1 when the episode ends in success, else 0. `"progress"`: the
    change in the share of goal parts that hold.

    ## Starting state
    The scenario's own. With several scenarios, `reset` draws one from `np_random`; so the same seed
    gives the same scenario, and `reset(options={"scenario": id})` pins it.

    ## End of an episode
    Terminated: the agent said DONE, or, with `end_on="goal"`, the goal holds. Truncated: the budget
    of decisions ran out. The two never come together.

    ## Info
    Every step: `won` (the ruleset's verdict so far), `score` (goal parts that hold), `moves`,
    `elapsed_s` (seconds of the world's clock that the decision took), `last_outcome` (an
    `earsim.Outcome` with status, reason, ids and numbers), and `admissible_commands` (sorted tuple)
    if asked for. At reset also `max_score`, `scenario_id`, `scenario_hash`, `ruleset`, `category`,
    `instruction`, `budget`.

    ## Arguments
    `scenario` (id, file, dictionary or `Scenario`), `suite` (name or path; `starter`), `ruleset`
    (overrules the scenario's), `observability` ("partial" or "full": all is discovered at the
    start), `observation`, `reward`, `end_on` ("done" or "goal"), `admissible_commands`, `budget`,
    `render_mode` ("ansi", "human", "rgb_array").

    ## Ids and versions
    `OmniEAR-v0`, also as `earsim:OmniEAR-v0`. What the number promises stands in docs/stability.md.
    """

    # Gymnasium declares an instance variable, so this may be no ClassVar.
    def __init__(
        self,
        scenario: str | dict[str, Any] | Scenario | None = None,
        *,
        suite: str | None = None,
        ruleset: str | None = None,
        observability: Observability = "partial",
        observation: Observation = "full",
        reward: Reward = "sparse",
        end_on: EndOn = "done",
        admissible_commands: bool = False,
        budget: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Prepare the environment; scenarios are loaded when they are played.

        Raises:
            UsageError: An argument has none of its allowed values.
            UnknownName: There is no such suite, scenario or ruleset.
            FileError: A scenario file cannot be used.
        """
        self.render_mode = known_render_mode(render_mode)
        self.options = EpisodeOptions(
            observability=observability,
            observation=observation,
            reward=reward,
            end_on=end_on,
            admissible_commands=admissible_commands,
            budget=budget,
        )
        self.source = ScenarioSource(scenario, suite, ruleset, team_size=1)
        self.action_space = TextSpace()
        self.observation_space = GraphSpace() if observation == "graph" else TextSpace()
        self._engine: Engine | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode; `options={"scenario": id}` says of which scenario."""
        super().reset(seed=seed)
        ids = self.source.ids
        wanted = wanted_scenario(options)
        if wanted is None:
            wanted = ids[0] if len(ids) == 1 else ids[int(self.np_random.integers(len(ids)))]
        engine = self.source.engine(wanted)
        if engine is self._engine and self._episode is not None:
            self._episode.restart()
        else:
            self._engine = engine
            self._episode = self.options.episode(engine)
            self._agent = self._episode.agents[0]
        self._rewards = Rewards.of(self._episode, self.options)
        if self.render_mode == "human":
            self.render()
        return self._observe(self._episode), reset_info(self._episode, self._agent, self.options)

    def step(self, action: str) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Give one command; any string is accepted and answered."""
        told = self._advance(action)
        return (*told, step_info(self.episode, self._agent, self.options))

    def _advance(self, action: str) -> tuple[Any, float, bool, bool]:
        """A step without its info."""
        episode = self._episode
        if episode is None:
            raise NotReset
        episode.step({self._agent: str(action)})
        if self.render_mode == "human":
            self.render()
        reward = self._rewards.of_step(episode)
        return self._observe(episode), reward, episode.over, episode.truncated

    def _observe(self, episode: Episode) -> Any:
        return observe(episode, self._agent, self.options)
