"""A scenario ready to be measured: its engine, its environment and a recorded mix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from benchmarks.mix import Mix, record
from benchmarks.scenes import scenario, walked_rooms
from earsim import Engine, Episode
from earsim.envs.single import OmniEAREnv

ENDLESS = 10**9
"""A budget of decisions that no measurement uses up."""


@dataclass(frozen=True)
class Stage:
    """What one measurement plays.

    Attributes:
        engine: of the scenario.
        mix: commands recorded in it.
    """

    engine: Engine
    mix: Mix

    @staticmethod
    def of(ruleset: str, decisions: int, *, length: int = ENDLESS, **scene: Any) -> Stage:
        """Make a scene as `scenario_dict` does and record a mix in episodes of `length` decisions.

        The mix is of the rooms that agents walk in, whatever else there is.
        """
        engine = Engine(scenario(ruleset=ruleset, **scene))
        episode = Episode(engine, budget=ENDLESS)
        walked = walked_rooms(scene.get("objects", 44), scene.get("rooms", 0))
        mix = record(episode, decisions, rooms=walked, length=length)
        mix.check()
        return Stage(engine, mix)

    @property
    def commands(self) -> list[str]:
        """The commands of the first agent, in order."""
        agent = next(iter(self.engine.blueprint.bodies))
        return [decision[agent] for decision in self.mix.decisions]

    def env(self, *, admissible_commands: bool = True, budget: int = ENDLESS) -> OmniEAREnv:
        """`OmniEAR-v0` without Gymnasium's wrappers, on this scenario."""
        return OmniEAREnv(
            self.engine.scenario, admissible_commands=admissible_commands, budget=budget
        )
