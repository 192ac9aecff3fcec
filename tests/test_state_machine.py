"""Every verb with every id, nonsense included: what holds of a world must hold after any of it."""

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from earsim import RULESETS, Engine, Episode, digest
from tests.invariants import check_invariants
from tests.playing import SINGLE, TEAM, engine_of

NONSENSE = ("ghost", "", "in", "on", "a,b", ",", "1", "ä", "\ud800", "\x00", "none", "AROUND")
SURPRISES = ("partner_missing", "overweight", "no_space", "no_key", "no_ability")
"""What an agent of `physical` may not know beforehand of a command that is listed."""

NO_VERBS = ("JUMP", "", "CORP_", "GRABB", "\x00", "PARSE_FAILED", "x" * 5000)

# What a number stands for depends on the scenario: an agent, a verb, an id or nonsense.
CHOICE = st.integers(0, 2**16)
TEAM_CHOICE = st.lists(CHOICE, min_size=1, max_size=4)
RELATION = st.sampled_from(["in", "on", "IN", "under"])


class WorldMachine(RuleBasedStateMachine):
    """Plays the scenario of `engine`, which a subclass names."""

    engine: Engine

    def __init__(self) -> None:
        super().__init__()
        blueprint = self.engine.blueprint
        self.agents = (*blueprint.bodies,)
        self.verbs = (*self.engine.verbs, *map(str.lower, self.engine.verbs), *NO_VERBS)
        self.nodes = (*blueprint.rank, *NONSENSE)
        self.episode = Episode(self.engine, budget=10**9)
        self.start = digest(self.episode.world)

    def agent(self, choice: int) -> str:
        return self.agents[choice % len(self.agents)]

    def verb(self, choice: int) -> str:
        return self.verbs[choice % len(self.verbs)]

    def node(self, choice: int) -> str:
        return self.nodes[choice % len(self.nodes)]

    def team(self, choices: list[int]) -> str:
        candidates = (*self.agents, *self.agents, "ghost")
        return ",".join(candidates[choice % len(candidates)] for choice in choices)

    def give(self, commands: dict[str, str]) -> None:
        before = digest(self.episode.world)
        decision = self.episode.step(commands)
        if not any(outcome.accepted for outcome in decision.outcomes.values()):
            assert digest(self.episode.world) == before, commands
        for agent in self.agents:
            assert isinstance(self.episode.feedback(agent), str)
            assert isinstance(self.episode.full(agent), str)

    @rule(who=CHOICE, verb=CHOICE)
    def alone(self, who, verb):
        self.give({self.agent(who): self.verb(verb)})

    @rule(who=CHOICE, verb=CHOICE, what=CHOICE)
    def about_one(self, who, verb, what):
        self.give({self.agent(who): f"{self.verb(verb)} {self.node(what)}"})

    @rule(who=CHOICE, verb=CHOICE, what=CHOICE, relation=RELATION, where=CHOICE)
    def about_two(self, who, verb, what, relation, where):
        words = self.verb(verb), self.node(what), relation, self.node(where)
        self.give({self.agent(who): " ".join(words)})

    @rule(who=CHOICE, verb=CHOICE, team=TEAM_CHOICE, what=CHOICE)
    def together(self, who, verb, team, what):
        self.give({self.agent(who): f"{self.verb(verb)} {self.team(team)} {self.node(what)}"})

    @rule(who=CHOICE, verb=CHOICE, team=TEAM_CHOICE, what=CHOICE, relation=RELATION, where=CHOICE)
    def together_about_two(self, who, verb, team, what, relation, where):
        words = self.verb(verb), self.team(team), self.node(what), relation, self.node(where)
        self.give({self.agent(who): " ".join(words)})

    @rule(verb=CHOICE, what=CHOICE, others=st.lists(st.tuples(CHOICE, CHOICE), max_size=3))
    def all_at_once(self, verb, what, others):
        said = [(verb, what), *others]
        commands = {}
        for number, agent in enumerate(self.agents):
            verb, what = said[number % len(said)]
            commands[agent] = f"{self.verb(verb)} {self.node(what)}"
        self.give(commands)

    @rule(who=CHOICE, which=CHOICE)
    def something_admissible(self, who, which):
        agent = self.agent(who)
        offered = self.episode.admissible(agent)
        if not offered:
            return
        command = offered[which % len(offered)]
        outcome = self.engine.execute(self.episode.world.copy(), agent, command)
        assert outcome.accepted or outcome.reason in SURPRISES, command
        self.give({agent: command})

    @rule()
    def unreadable(self):
        before = digest(self.episode.world)
        self.episode.step(None)
        assert digest(self.episode.world) == before

    @rule()
    def go_on_with_a_fork(self):
        twin = self.episode.fork()
        assert digest(twin.world) == digest(self.episode.world)
        self.episode = twin

    @rule(who=CHOICE, verb=CHOICE, what=CHOICE)
    def go_back(self, who, verb, what):
        moment, before = self.episode.snapshot(), digest(self.episode.world)
        self.about_one(who, verb, what)
        self.episode.restore(moment)
        assert digest(self.episode.world) == before

    @rule()
    def start_again(self):
        self.episode.restart()
        assert digest(self.episode.world) == self.start

    @invariant()
    def the_world_is_sound(self):
        check_invariants(self.episode.world)


def run(scenario: str, ruleset: str, examples: int, steps: int) -> None:
    machine = type("Machine", (WorldMachine,), {"engine": engine_of(scenario, ruleset)})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", list(RULESETS))
@pytest.mark.parametrize("scenario", [SINGLE[0], *TEAM])
def test_a_world_stays_sound_whatever_is_said(scenario, ruleset):
    run(scenario, ruleset, examples=20, steps=30)


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("ruleset", list(RULESETS))
@pytest.mark.parametrize("scenario", [*SINGLE, *TEAM])
def test_a_world_stays_sound_for_long(scenario, ruleset):
    run(scenario, ruleset, examples=150, steps=80)
