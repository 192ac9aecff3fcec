"""Asking the planner and brute force the same question, and what is wrong with the answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from earsim.actions.verb import Call
from earsim.engine import Engine
from earsim.planner import (
    CommandClass,
    Impossible,
    Knowledge,
    Plan,
    Result,
    Unknown,
    least_commands,
    plan,
)
from earsim.schema import Scenario
from earsim.schema.files.dump import to_yaml
from earsim.world import World
from tests.planner.brute_force import BruteForce, Commands, Space, bare
from tests.planner.small_goals import goals_for
from tests.planner.small_worlds import Data, small_world, with_goal
from tests.planner.tries import SILENT, is_plain


@dataclass(frozen=True, slots=True)
class Setting:
    """One way to ask.

    Attributes:
        team: how many agents the scenario has.
        acting: how many of them may act; all when None.
        walked: how many random commands come before the question.
        objects: how many objects the scene has at most.
        counts: what is counted, "decisions" or "commands".
    """

    ruleset: str
    team: int = 1
    command_class: CommandClass = CommandClass.PLAIN
    knowledge: Knowledge = Knowledge.ORACLE
    acting: int | None = None
    walked: int = 0
    objects: int = 7
    counts: str = "decisions"

    def __str__(self) -> str:
        words = [self.ruleset, f"team{self.team}", self.command_class, self.knowledge]
        words += [f"acting{self.acting}"] if self.acting is not None else []
        words += [f"walked{self.walked}"] if self.walked else []
        return "-".join([*words, self.counts])

    def agents(self, engine: Engine) -> tuple[str, ...] | None:
        """Who may act, as the planner is told."""
        return None if self.acting is None else tuple(engine.blueprint.bodies)[: self.acting]

    def brute_force(self, engine: Engine, *, hands_empty: bool = False) -> BruteForce:
        """The same question for brute force."""
        return BruteForce(
            engine,
            command_class=self.command_class,
            agents=self.agents(engine),
            one_command=self.counts == "commands",
            hands_empty=hands_empty,
        )


@dataclass(frozen=True, slots=True)
class Question:
    """A scenario at some moment, and everything that can become of it as far as was tried."""

    setting: Setting
    scenario: Scenario
    walk: Sequence[Commands]
    space: Space

    @classmethod
    def at_random(cls, setting: Setting, seed: int, states: int) -> Question:
        """A small world, after a random walk where the setting says so."""
        scenario = small_world(seed, setting.ruleset, agents=setting.team, objects=setting.objects)
        return cls.of(setting, scenario, states, Random(seed))

    @classmethod
    def of(
        cls, setting: Setting, scenario: Scenario, states: int, rng: Random | None = None
    ) -> Question:
        """A scenario as it is, or after a random walk where the setting says so."""
        engine = Engine(scenario)
        brute = setting.brute_force(engine)
        world = engine.start(discovered=setting.knowledge is Knowledge.GLOBAL)
        walk = brute.wander(world, rng or Random(0), setting.walked) if setting.walked else []
        return cls(setting, scenario, walk, brute.explore(bare(world), states=states))

    def goals(self, seed: int, *, picked: int, random: int) -> Iterator[Question]:
        """The same question with other goals."""
        for goal in goals_for(Random(seed), self.space, picked=picked, random=random):
            yield self.about(goal)

    def about(self, goal: Data) -> Question:
        """The same question with another goal."""
        return Question(self.setting, with_goal(self.scenario, goal), self.walk, self.space)

    def ask(self, engine: Engine) -> Result:
        """What the planner says."""
        setting = self.setting
        ask = plan if setting.counts == "decisions" else least_commands
        return ask(
            engine,
            self.world(engine) if self.walk else None,
            knowledge=setting.knowledge,
            command_class=setting.command_class,
            agents=setting.agents(engine),
        )

    def world(self, engine: Engine) -> World:
        """The moment it is about, beliefs and all."""
        world = engine.start(discovered=self.setting.knowledge is Knowledge.GLOBAL)
        for decision in self.walk:
            engine.step(world, decision)
        return world

    def complaint(self) -> str | None:
        """What is wrong with the planner's answer, with all that is needed to ask it again."""
        engine = Engine(self.scenario)
        first = self.space.first(engine.task.goal.holds)
        result = self.ask(engine)
        fault = self._fault(engine, result, first)
        if fault is None:
            return None
        lines = [f"{fault}\nsetting: {self.setting}\nthe planner: {result}"]
        if first is not None:
            lines.append(f"brute force: {self.space.way_to(first)}")
        else:
            lines.append(f"brute force: none within {self.space.complete} decisions")
        if self.walk:
            lines.append(f"after: {list(self.walk)}")
        return "\n".join([*lines, to_yaml(self.scenario)])

    def _fault(self, engine: Engine, result: Result, first: int | None) -> str | None:
        depth = None if first is None else self.space.depths[first]
        if isinstance(result, Plan):
            return self._fault_of_plan(engine, result, depth)
        if depth is not None:
            bound = result.bound if isinstance(result, Unknown) else None
            if isinstance(result, Impossible) or (bound is not None and bound > depth):
                return f"a plan of {depth} was ruled out: {result}"
            return f"a plan of {depth} was not found"
        return None

    def _fault_of_plan(self, engine: Engine, result: Plan, depth: int | None) -> str | None:
        length = len(result)
        if depth is None and self.space.exhausted:
            return "a plan where there is none"
        least = self.space.complete + 1 if depth is None else depth
        if length < least:
            return f"a plan of {length}, but none has fewer than {least}"
        if depth is not None and result.least and length != depth:
            return f"a plan of {length} called least, but one has {depth}"
        if depth is not None and result.bound > depth:
            return f"bound {result.bound}, but a plan has {depth}"
        if result.bound > length or (result.least and result.bound != length):
            return f"bound {result.bound} does not fit length {length}, least {result.least}"
        return fault_of_replay(self, engine, result.decisions, commands=result.commands)


def fault_of_replay(
    asked: Question,
    engine: Engine,
    decisions: Sequence[Commands],
    *,
    commands: int | None = None,
) -> str | None:
    """What keeps decisions from being a plan, if anything does."""
    world = asked.world(engine)
    carried_out = 0
    for number, decision in enumerate(decisions):
        before = world.copy()
        done = 0
        taken = engine.step(world, decision)
        for agent, text in taken.executed:
            call = engine.parse(text)
            if isinstance(call, Call) and call.verb.name in SILENT:
                continue
            outcome = taken.outcomes[agent]
            if asked.setting.ruleset == "physical" and len(outcome.actors) > 1:
                if not set(outcome.actors) <= set(asked.setting.agents(engine) or world.agents):
                    return f"decision {number}: {text} takes some who were to wait"
                done += agent == outcome.actors[0]
                continue
            done += 1
            fault = _fault_of_command(asked, engine, before, agent, text)
            if fault is not None:
                return f"decision {number}: {text} {fault}"
        if asked.setting.counts == "commands" and done != 1:
            return f"decision {number} holds {done} commands"
        carried_out += done
    if not engine.task.goal.holds(world):
        return "the goal does not hold after the plan"
    if commands not in (None, carried_out):
        return f"{commands} commands announced, {carried_out} carried out"
    return None


def _fault_of_command(
    asked: Question, engine: Engine, world: World, agent: str, text: str
) -> str | None:
    """What keeps a command from being one of a plan; carries it out."""
    setting = asked.setting
    call = engine.parse(text)
    if not isinstance(call, Call):
        return f"is not understood, {call.reason}"
    acting = setting.agents(engine) or tuple(engine.blueprint.bodies)
    if not {agent, *call.actors} <= set(acting):
        return f"is given by {agent} for some who were to wait"
    if setting.ruleset == "ear-bench" and setting.command_class is CommandClass.PLAIN:
        alone = call.verb.joint and len(engine.blueprint.bodies) == 1
        if alone or not is_plain(world, call):
            return "is not plain"
    outcome = engine.execute(world, agent, text)
    return None if outcome.accepted else f"is refused, {outcome.reason}"
