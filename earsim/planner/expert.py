"""The expert: plays by what its team has perceived, and makes no claim of least length.

It plans with the ordinary planner in a world that holds only what was perceived. Where that has no
plan, or where what the task means may be unseen, it sends agents to look.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from earsim.actions.decision import Decision as Taken
from earsim.engine import Engine
from earsim.planner.course import Course, Decision, awake, farewell
from earsim.planner.imagined import Imagined, perceived
from earsim.planner.oracle import LIMIT, REACHED
from earsim.planner.piecemeal import next_step
from earsim.planner.reading import Reading, Unseen, read
from earsim.planner.result import Impossible, Plan
from earsim.planner.scouting import Errand, Scouting
from earsim.planner.survey import BlindSpot, Survey
from earsim.schema import Goal
from earsim.world import World

EXPERT_NODES = 2_000
"""States that a search may reach while there is still something to look at: any plan will do."""

LAST_NODES = 20_000
"""Likewise when there is not."""

SLACK = 4
"""Decisions to spare when a guess is acted upon: DONE, and a way that got longer meanwhile."""

HOPED = "hoped"
"""Why there is nothing left to do: what is known of the goal holds; the rest was not to be seen."""

REFUSED = "refused"
"""Likewise: the rules refused the plan, because of something unseen."""


class Known(NamedTuple):
    """What is known in one state.

    Attributes:
        imagined: the scene as far as it is known.
        view: the state as far as it is known.
        blind: where something unseen may be, if nothing has kept the team from looking there.
    """

    imagined: Imagined
    view: World
    blind: tuple[BlindSpot, ...]


class UnderWay(NamedTuple):
    """A plan under way: what it is for, and the scene that it was made in."""

    goal: Goal
    imagined: Imagined
    course: Course


class Expert:
    """One attempt at one scenario, by a team that shares what it knows.

    Attributes:
        survey: what it remembers, beside what the world shows it to know.
        ended: why it had everybody say DONE: `reached`, `hoped`, `refused`, `limit`, or the
            planner's reason why there is no plan; empty before.
    """

    def __init__(self, engine: Engine, survey: Survey | None = None) -> None:
        self.survey = survey or Survey()
        self.ended = ""
        self._engine = engine
        self._imagined: tuple[object, Imagined] | None = None
        self._under_way: UnderWay | None = None
        self._hopeless: list[tuple[Goal, int]] = []
        self._guess: tuple[Goal, int] | None = None
        self._doubted: Imagined | None = None
        self._errands: dict[str, Errand] = {}
        self._planned: Decision = {}

    @property
    def memory(self) -> dict[str, Any]:
        """What it remembers, as a JSON value."""
        return {**self.survey.memory, "ended": self.ended}

    # -- remembering -------------------------------------------------------------------------------

    def note(self, decision: Taken, world: World) -> None:
        """Remember what came of a decision, its own or another's, that led to this world."""
        imagined = self._imagine(world)
        self.survey.note(decision, imagined, imagined.view(world))
        if self._imagine(world) is not imagined:
            return  # it was learned what lay behind a refusal
        for agent, outcome in decision.outcomes.items():
            errand = self._errands.get(agent)
            if outcome.accepted:
                continue
            if errand is not None and errand.command == outcome.command:
                self.survey.barred[errand.place] = None
            elif self._planned.get(agent) == outcome.command:
                self._doubted = imagined

    def _imagine(self, world: World) -> Imagined:
        """The scene as it is known now; the same one as long as nothing is added to it."""
        ids, hidden_kg = perceived(world), self.survey.hidden_kg
        known = (ids, tuple(hidden_kg.items()))
        if self._imagined is None or self._imagined[0] != known:
            self._imagined = known, Imagined(self._engine, ids, hidden_kg)
            self._hopeless, self._guess = [], None
        return self._imagined[1]

    # -- deciding ----------------------------------------------------------------------------------

    def decide(self, world: World, *, left: int | None = None) -> Decision:
        """The next decision; DONE for all once the goal holds, or where nothing is left to try.

        Args:
            world: as it is now; left as it is.
            left: decisions that the episode may still take. When they run out, the best guess is
                acted upon, whatever may be unseen.
        """
        imagined = self._imagine(world)
        view = imagined.view(world)
        spots = self.survey.blind_spots(imagined, view)
        known = Known(imagined, view, tuple(s for s in spots if s.place not in self.survey.barred))
        task = self._engine.scenario.task
        sure = read(task, imagined, known.blind)
        guess = read(task, imagined, known.blind, unseen=Unseen.NO_BETTER)
        hope = read(task, imagined, known.blind, unseen=Unseen.AS_WISHED)
        self._errands, self._planned = {}, {}
        return (
            self._pursue(sure.goal, known)
            or self._hurry(guess, known, left)
            or self._look(sure, known)
            or self._pursue(guess.goal, known, nodes=LAST_NODES)
            or self._pursue(hope.goal, known, nodes=LAST_NODES, then=HOPED)
            or farewell(world)
        )

    def _pursue(
        self, goal: Goal, known: Known, *, nodes: int = EXPERT_NODES, then: str = REACHED
    ) -> Decision | None:
        """The next decision towards a goal; None where none is known."""
        if known.imagined.aiming_at(goal).goal.holds(known.view):
            self.ended = then
            return farewell(known.view)
        course = self._course_to(goal, known, nodes)
        if course is None:
            return None
        self._planned = course.follow()
        return self._planned

    def _course_to(self, goal: Goal, known: Known, nodes: int) -> Course | None:
        """The plan under way, if it is towards this goal and goes as expected, else a new one."""
        old = self._under_way
        if old is not None and old.goal == goal and old.course.is_at(old.imagined.view(known.view)):
            return old.course
        if self._doubted is known.imagined:
            self.ended = REFUSED
            return None
        if (goal, nodes) in self._hopeless:
            return None
        view = known.view
        step = next_step(known.imagined.aiming_at(goal), view, agents=awake(view), nodes=nodes)
        if not isinstance(step.found, Plan):
            self.ended = str(step.found.why) if isinstance(step.found, Impossible) else LIMIT
            self._hopeless.append((goal, nodes))
            return None
        course = Course(step.engine, view, step.found.decisions)
        self._under_way = UnderWay(goal, known.imagined, course)
        return course

    def _hurry(self, guess: Reading, known: Known, left: int | None) -> Decision | None:
        """Act upon a guess as soon as there is barely time to do so."""
        if left is None or not guess.guessed:
            return None
        if self._guess is None or self._guess[0] != guess.goal:
            course = self._course_to(guess.goal, known, EXPERT_NODES)
            self._guess = guess.goal, 0 if course is None else len(course)
        enough = self._guess[1] + SLACK < left
        return None if enough else self._pursue(guess.goal, known)

    def _look(self, reading: Reading, known: Known) -> Decision | None:
        """Send agents to look for what is missing, first where it may be; None if nobody can."""
        likely = known.blind
        if not reading.anywhere:
            likely = tuple(spot for spot in known.blind if spot.place in reading.missing)
        agents = awake(known.view)
        for spots in filter(None, (likely, known.blind)):
            self._errands = Scouting(known.imagined, known.view, agents, spots).errands
            if self._errands:
                return self._spoken({a: errand.command for a, errand in self._errands.items()})
        return None

    def _spoken(self, commands: Decision) -> Decision:
        """A decision as the ruleset wants it said, by those too who have nothing to do."""
        if not self._engine.ruleset.everybody_speaks:
            return commands
        return {agent: commands.get(agent, "LOOK") for agent in self._engine.blueprint.bodies}


def label(engine: Engine, world: World, survey: Survey | None = None) -> Decision:
    """What the expert would do in a state that somebody else has come to.

    Args:
        engine: the rules of the scenario.
        world: the state.
        survey: where the team has looked, from `Expert.note`. Without it what the world shows the
            team to know must do, and a room in which there is nothing is explored again.
    """
    return Expert(engine, survey).decide(world)
