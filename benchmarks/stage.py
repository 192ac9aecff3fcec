"""A scenario ready to be measured: its engine, its environment and a recorded mix."""

from __future__ import annotations

from dataclasses import dataclass

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
    def of(
        ruleset: str,
        decisions: int,
        *,
        objects: int = 44,
        full_rooms: int = 0,
        agents: int = 1,
        length: int = ENDLESS,
    ) -> Stage:
        """Make a scene and record a mix in it, in episodes of `length` decisions."""
        played = scenario(objects=objects, full_rooms=full_rooms, agents=agents, ruleset=ruleset)
        engine = Engine(played)
        episode = Episode(engine, budget=ENDLESS)
        mix = record(episode, decisions, rooms=walked_rooms(objects), length=length)
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
