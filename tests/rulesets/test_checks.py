"""What a check says of itself is true: the reasons it gives, what it reads, what it touches.

The list of admissible commands keeps answers for as long as nothing changes that a check reads; a
check that reads more than it says would make a wrong list.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from earsim import RULESETS, Engine, Episode
from earsim.actions.outcome import Reason
from earsim.actions.verb import Call, Check, Reads, Verb, lasting_objection, objection
from earsim.errors import UsageError
from earsim.rulesets.ruleset import by_name
from earsim.schema import Scenario
from earsim.schema.files.load import load_scene
from earsim.world import World
from tests.playing import (
    SINGLE,
    STILL_SINGLE,
    STILL_TEAM,
    TEAM,
    any_commands,
    engine_of,
    some_calls,
)
from tests.world.small import episode, thing

ALLOWED = {
    "location": Reads.PLACE | Reads.THING | Reads.REACH | Reads.LOAD | Reads.HANDS,
    "contents": Reads.THING | Reads.LOAD | Reads.REACH,
    "states": Reads.THING | Reads.REACH | Reads.PLACE | Reads.HANDS,
    "altered": Reads.THING,
    "known": Reads.KNOWLEDGE,
    "carriers": Reads.TEAM,
    "giver.room": Reads.GIVER | Reads.PLACE | Reads.REACH | Reads.TEAM,
    "giver.inventory": ~Reads.KNOWLEDGE,
    "giver.load": Reads.LOAD,
    "giver.idle": Reads.GIVER | Reads.TEAM,
    "giver.abilities": Reads.GIVER,
    "giver.carrying": ~(Reads.KNOWLEDGE | Reads.THING),
    "giver.focus": Reads.REACH,
    "giver.near": Reads.REACH,
    "other.inventory": Reads.TEAM | Reads.THING,
    "other.room": Reads.TEAM | Reads.PLACE,
    "timeline.links": Reads.THING | Reads.HANDS,
    **dict.fromkeys(
        [f"timeline.{part}" for part in ("contents", "value", "laws", "grams", "grams_in")],
        Reads.THING | Reads.LOAD | Reads.CONTENTS | Reads.HANDS,
    ),
}
"""What may be looked at, by the parts of the world; of other agents anything as a team.

Whether a thing in hand works is read off its states and its charge.
"""


class Watched(dict):
    """A dictionary that tells which of its values are looked at, and not that it has a key.

    Which attributes a thing has never changes, so asking for one of them is no look either.
    """

    def __init__(self, values: dict, look: Callable[[Any], None], inner: bool = False) -> None:
        super().__init__(values)
        self._look = look
        self._inner = inner

    def __getitem__(self, key):
        return self._seen(key, super().__getitem__(key))

    def get(self, key, default=None):
        return self._seen(key, super().get(key, default))

    def _seen(self, key, value):
        if self._inner:
            return None if value is None else Watched(value, self._look)
        self._look(key)
        return value


class WatchedParts:
    """An agent, or the timeline."""

    def __init__(self, state: Any, look: Callable[[str], None]) -> None:
        self._state = state
        self._look = look

    def __getattr__(self, name: str) -> Any:
        self._look(name)
        return getattr(self._state, name)


class WatchedCall:
    def __init__(self, call: Call, look: Callable[[str], None]) -> None:
        self._call = call
        self._look = look

    def __getattr__(self, name: str) -> Any:
        self._look(name)
        return getattr(self._call, name)


class Lookout:
    """A world and a call that remember what a test looked at."""

    def __init__(self, world: World, agent: str) -> None:
        self.seen: set[str] = set()
        self.slots: set[str] = set()
        self.world = world.copy()
        for part in ("location", "contents", "known", "carriers", "states", "altered"):
            inner = part in ("states", "altered")
            setattr(self.world, part, Watched(getattr(world, part), self._note(part), inner))
        self.world.agents = {
            other: WatchedParts(state, self._note_of("giver" if other == agent else "other"))
            for other, state in world.agents.items()
        }

        if world.timeline is not None:
            self.world.timeline = WatchedParts(world.timeline, self._note_of("timeline"))

    def _note(self, part: str) -> Callable[[Any], None]:
        return lambda key: self.seen.add(part)

    def _note_of(self, who: str) -> Callable[[str], None]:
        return lambda name: self.seen.add(f"{who}.{name}")

    def watched(self, call: Call) -> WatchedCall:
        return WatchedCall(call, self.slots.add)


def asked(rule: Check, episode: Episode, agent: str, call: Call) -> tuple[set, set, Any]:
    lookout = Lookout(episode.world, agent)
    try:
        refusal = rule.test(lookout.world, agent, lookout.watched(call))
    except KeyError:  # earlier checks of the verb see to it that there is such a thing
        refusal = None
    return lookout.seen, lookout.slots & {"target", "destination", "actors"}, refusal


def undeclared(seen: set[str], reads: Reads) -> set[str]:
    return {part for part in seen if not ALLOWED.get(part, Reads.TEAM) & reads}


GALLEY = Path(__file__).parents[1] / "golden" / "scenes" / "galley.yaml"
OVER_TIME = ("POUR", "FILL", "EMPTY", "CONNECT", "DISCONNECT", "WAIT")
LISTED = (*OVER_TIME, "PLACE")
PRELUDE = ["EXPLORE", "GOTO jug", "GRAB jug", "CONNECT kettle lead", "GOTO tap", "EMPTY jug"]


def galley(knowledge: str) -> Engine:
    """Two agents where numbers change by themselves."""
    agents = [{"id": "ada", "max_mass_kg": 20, "hands": 3}, {"id": "bo", "max_mass_kg": 6}]
    goal = {"quantity": {"object": "kettle", "of": "temperature_c", "at_least": 90}}
    task = {"id": "boil", "category": "direct_command", "instruction": "Boil.", "goal": goal}
    return Engine(
        Scenario.model_validate(
            {
                "id": "galley/boil",
                "scene": load_scene(GALLEY).model_dump(by_alias=True),
                "knowledge": knowledge,
                "agents": agents,
                "task": task,
            }
        )
    )


def timed_calls(rng: Random, episode: Episode, agent: str, verb: Verb) -> Iterator[Call]:
    """Calls of the verbs over time, marks and waits that fit or do not among them."""
    ids = [*episode.engine.blueprint.rooms, *sorted(episode.world.known[agent])]
    live = episode.engine.blueprint.live
    assert live is not None
    words = [
        "is_boiling",
        "is_on",
        "dry",
        *(m.name for marks in live.marks.values() for m in marks),
    ]
    for _ in range(6):
        target, destination, word = rng.choice(ids), rng.choice(ids), rng.choice(words)
        if verb.name != "WAIT":
            mark = word if verb.name == "POUR" and rng.random() < 0.5 else ""
            yield Call(verb, target, mark, destination)
        elif rng.random() < 0.3:
            yield Call(verb, destination=rng.choice(["", "0", "60", "99999"]))
        else:
            yield Call(verb, target, "", word)


@pytest.mark.slow
@pytest.mark.stand_ins
@pytest.mark.parametrize("knowledge", ["shared", "own"])
def test_checks_over_time_read_touch_and_give_what_they_say(knowledge: str):
    rng = Random(7)
    episode = Episode(galley(knowledge), budget=10**6)
    passed: set[str] = set()
    for turn in range(50):
        script = dict(zip(["ada"], PRELUDE[turn : turn + 1], strict=False))
        episode.step({**any_commands(rng, episode), **script})
        for agent in episode.agents:
            for call in (*listed_calls(episode, agent), *drawn_calls(rng, episode, agent)):
                passed |= declared(episode, agent, call)
    assert {*OVER_TIME, "GRAB", "PLACE", "GOTO"} <= passed


def listed_calls(episode: Episode, agent: str) -> list[Call]:
    """What is listed for an agent of the verbs over time, and of putting down."""
    texts = [text for text in episode.admissible(agent) if text.split()[0] in LISTED]
    calls = [episode.engine.parse(text) for text in texts]
    return [call for call in calls if isinstance(call, Call)]


def drawn_calls(rng: Random, episode: Episode, agent: str) -> Iterator[Call]:
    for verb in episode.engine.verbs.values():
        timed = verb.name in OVER_TIME
        drawn = timed_calls if timed else partial(some_calls, count=2)
        yield from drawn(rng, episode, agent, verb)


def declared(episode: Episode, agent: str, call: Call) -> set[str]:
    """Ask the checks of a call one by one up to the first that objects; its verb if none does."""
    no_thing = {"destination"} if "property" in call.verb.grammar.optional else set()
    for rule, _ in call.verb.checks:
        seen, slots, refusal = asked(rule, episode, agent, call)
        if refusal is not None:
            seen.discard("known")  # a refusal names only what the agent knows
        assert rule.surprise or not undeclared(seen, rule.reads), (rule.name, call.text())
        assert slots - no_thing <= set(rule.touches), (rule.name, call.text())
        if refusal is not None:
            assert refusal.reason in rule.reasons, rule.name
            return set()
    return {call.verb.name}


def checked_calls(rng: Random, episode: Episode) -> Iterator[tuple[Check, str, Call]]:
    for agent in episode.agents:
        for verb in episode.engine.verbs.values():
            for call in some_calls(rng, episode, agent, verb, 3):
                yield from ((rule, agent, call) for rule, _ in verb.checks)


@pytest.mark.slow
@pytest.mark.stand_ins
@pytest.mark.parametrize("ruleset", ["ear-bench", "physical"])
@pytest.mark.parametrize("scenario", [STILL_SINGLE[0], *STILL_TEAM])
def test_checks_read_touch_and_give_what_they_say(ruleset: str, scenario: str):
    rng = Random(3)
    episode = Episode(engine_of(scenario, ruleset), budget=10**6)
    for _ in range(15):
        episode.step(any_commands(rng, episode))
        for rule, agent, call in checked_calls(rng, episode):
            seen, slots, refusal = asked(rule, episode, agent, call)
            assert not undeclared(seen, rule.reads), (rule.name, call.text())
            assert slots <= set(rule.touches), (rule.name, call.text())
            assert refusal is None or refusal.reason in rule.reasons, rule.name


@pytest.mark.parametrize("scenario", TEAM)
def test_a_check_of_each_passes_for_a_team_when_it_passes_for_each(scenario: str):
    rng = Random(4)
    episode = Episode(engine_of(scenario, "ear-bench"), budget=10**6)
    seen: set[tuple[str, bool]] = set()
    for _ in range(40):
        episode.step(any_commands(rng, episode))
        for rule, agent, call in checked_calls(rng, episode):
            if rule.each and call.target in episode.world.location:
                alone = [call.given_by((actor,)) for actor in call.actors]
                passes = rule.test(episode.world, agent, call) is None
                assert passes == all(rule.test(episode.world, agent, a) is None for a in alone)
                seen.add((rule.name, passes))
    assert {True, False} <= {passes for _, passes in seen}


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", ["ear-bench", "physical"])
@pytest.mark.parametrize("scenario", [*SINGLE[:3], *TEAM[:3]])
def test_what_is_not_asked_in_a_scene_would_never_object(ruleset: str, scenario: str):
    rng = Random(5)
    episode = Episode(engine_of(scenario, ruleset), budget=10**6)
    asked = Episode(Engine(episode.engine.scenario, ruleset), budget=10**6)
    blueprint = asked.engine.blueprint
    asked.engine.verbs = dict(asked.engine.ruleset.verbs(blueprint))
    assert not any(verb.idle for verb in asked.engine.verbs.values())
    assert any(verb.idle for verb in episode.engine.verbs.values())
    for _ in range(30):
        commands = any_commands(rng, episode)
        assert episode.step(commands).outcomes == asked.step(commands).outcomes
        for agent in episode.agents:
            assert episode.admissible(agent) == asked.admissible(agent)
            for verb in episode.engine.verbs.values():
                for call in some_calls(rng, episode, agent, verb, 2):
                    assert objection(episode.world, agent, call) == objection(
                        episode.world, agent, call.calling(asked.engine.verbs[verb.name])
                    )


def test_a_verb_is_fitted_once_for_all_scenes_that_are_alike():
    engines = [engine_of(scenario, "physical") for scenario in TEAM]
    grabs = {id(engine.verbs["GRAB"]): engine.verbs["GRAB"].idle for engine in engines}
    assert len(grabs) == len(set(grabs.values()))
    plain = engine_of(TEAM[0], "physical")
    assert plain.verbs["GRAB"].fitted(plain.blueprint) is plain.verbs["GRAB"]
    assert plain.verbs["GRAB"].checks == RULESETS["physical"].verbs(plain.blueprint)["GRAB"].checks


def test_every_check_gives_a_reason():
    for ruleset in ("ear-bench", "physical"):
        for verb in engine_of(TEAM[0], ruleset).verbs.values():
            assert all(rule.reasons for rule, _ in verb.checks), verb.name


def test_two_verbs_of_one_name_are_refused():
    grab = engine_of(TEAM[0], "physical").verbs["GRAB"]
    with pytest.raises(UsageError, match="two verbs are called GRAB"):
        by_name([grab, replace(grab, seconds=1)])
    assert by_name([grab]) == {"GRAB": grab}


def test_an_objection_that_the_scene_alone_decides_never_ends():
    lamp = thing("lamp", states={"is_on": False}, provides=["clean"])
    played = episode(lamp)
    grab, world = played.engine.verbs["GRAB"], played.world

    def lasts(target: str) -> Reason | None:
        refusal = lasting_objection(world, "ada", Call(grab, target))
        return None if refusal is None else refusal.reason

    assert lasts("hall") is Reason.NOT_GRABBABLE
    assert lasts("lamp") is None, "it is not near, which ends"
    objected = objection(world, "ada", Call(grab, "lamp"))
    assert objected is not None
