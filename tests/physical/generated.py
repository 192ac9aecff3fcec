"""Small random scenes in which everything is close to everything, and commands for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from earsim.actions.verb import Call, joint_objection, objection
from earsim.engine import Engine
from earsim.schema import AgentSpec, Scenario, Scene, Task
from earsim.world import World

ABILITIES = ["open", "close", "lock", "unlock", "clean", "turn_on", "turn_off"]
ABILITIES += ["plug_in", "unplug", "repair", "damage"]
TASK = {"id": "task", "category": "direct_command", "instruction": "-", "goal": {"any": []}}


def generated_scenario(seed: int) -> Scenario:
    """Two to four rooms, some doors, a dozen things in and on each other, one to three agents."""
    rng = Random(seed)
    rooms = [f"room_{number}" for number in range(rng.choice([2, 2, 3, 4]))]
    things = [f"thing_{number}" for number in range(rng.randint(6, 12))]
    scene = {
        "schema": "earsim.scene/1",
        "id": "generated",
        "rooms": [
            {"id": room, "connects": [rng.choice(rooms[:i])] if i and rng.random() < 0.4 else []}
            for i, room in enumerate(rooms)
        ],
        "doors": [_door(rng, number, rooms, things) for number in range(rng.randint(1, 4))],
        "objects": [_thing(rng, number, rooms, things) for number in range(len(things))],
        "abilities": ABILITIES,
    }
    labels = Random(f"labels {seed}")
    if labels.random() < 0.3:
        scene["perceived_by"] = {"mass_kg": labels.choice(["seen", "felt"])}
    _add_faults(Random(f"faults {seed}"), scene["objects"])
    _add_widths(Random(f"widths {seed}"), scene)
    agents = [_agent(rng, name, rooms) for name in ("ada", "bo", "cy")[: rng.randint(1, 3)]]
    return Scenario(
        id="generated",
        scene=Scene.model_validate(scene, by_alias=True),
        agents=tuple(AgentSpec.model_validate(agent, by_alias=True) for agent in agents),
        task=Task.model_validate(TASK),
        channel=rng.choice(["room", "all"]),
        knowledge=rng.choice(["shared", "own"]),
    )


def _door(rng: Random, number: int, rooms: list[str], things: list[str]) -> dict[str, Any]:
    is_open = rng.random() < 0.5
    door = {
        "id": f"door_{number}",
        "between": rng.sample(rooms, 2),
        "states": {"is_open": is_open, "is_locked": not is_open and rng.random() < 0.5},
    }
    return door if rng.random() < 0.5 else {**door, "key": rng.choice(things)}


def _thing(rng: Random, number: int, rooms: list[str], things: list[str]) -> dict[str, Any]:
    # Even ones are containers; things lie in or on earlier ones.
    containers = things[:number:2]
    thing: dict[str, Any] = {
        "id": things[number],
        "kind": rng.choice(["item", "furniture"]),
        "mass_kg": rng.choice([0, 0.1, 0.7, 2, 4.4, 4.6, 9, 12]),
        "states": {"is_dirty": rng.random() < 0.5},
    }
    if containers and rng.random() < 0.35:
        thing["in"] = rng.choice(containers)
    elif number and rng.random() < 0.4:
        thing["on"] = rng.choice(things[:number])
    else:
        thing["in"] = rng.choice(rooms)
    if rng.random() < 0.5:
        thing["size_m"] = [rng.choice([0.1, 0.2, 0.5]) for _ in range(3)]
    elif rng.random() < 0.3:
        thing["volume_l"] = rng.choice([1, 5, 20])
    if rng.random() < 0.2:
        thing["surface_m2"] = rng.choice([0.01, 0.1, 1])
    if number % 2 == 0:
        _add_lid(rng, thing, things[: number or None])
    if rng.random() < 0.3:
        thing["provides"] = rng.sample(["clean", "lock", "unlock"], 2)
    if rng.random() < 0.2:
        thing["people"] = rng.choice([2, 2, 3])
    _add_numbers(rng, thing)
    if rng.random() < 0.3:
        thing["states"]["is_on"] = rng.choice([True, False, 0, 1, None, "dim", [True]])
    return thing


def _add_numbers(rng: Random, thing: dict[str, Any]) -> None:
    """Make some of its numbers felt or sensed; some things are instruments."""
    if rng.random() < 0.4:
        thing["perceived_by"] = {"mass_kg": rng.choice(["felt", "seen", "seen"])}
    if rng.random() < 0.4:
        thing["temperature_c"] = rng.choice([-4.25, 7.75, 21.5])
        if rng.random() < 0.3:
            thing.setdefault("perceived_by", {})["temperature_c"] = rng.choice(["seen", "sensed"])
    if rng.random() < 0.2:
        names = rng.sample(["temperature_c", "mass_kg", "pressure_bar"], 2)
        thing["senses"] = {name: rng.choice([0, 1, 2]) for name in names}


def _add_lid(rng: Random, thing: dict[str, Any], keys: list[str]) -> None:
    """Make it a container, perhaps one that can be closed or locked."""
    thing["container"] = {} if rng.random() < 0.5 else {"capacity_l": rng.choice([5, 30])}
    if rng.random() < 0.4:
        thing["container"]["opens"] = rng.choice(["top", "front"])
    if rng.random() < 0.7:
        thing["states"]["is_open"] = rng.random() < 0.6
    if rng.random() < 0.3:
        locked = thing["states"].get("is_open") is not True and rng.random() < 0.5
        thing["states"]["is_locked"] = locked
        if rng.random() < 0.5:
            thing["key"] = rng.choice(keys)


def _add_faults(rng: Random, things: list[dict[str, Any]]) -> None:
    """Some tools are broken, off or unplugged, and some things stay where they are plugged in."""
    for thing in things:
        states, needs = thing["states"], []
        if rng.random() < 0.3:
            thing["max_load_kg"] = rng.choice([0, 0.7, 2, 4.5, 9])
        if rng.random() < 0.2:
            states["is_broken"] = rng.choice([True, True, False, "half"])
        if rng.random() < 0.25:
            states["is_plugged_in"] = rng.random() < 0.6
            needs = ["is_plugged_in"] if rng.random() < 0.7 else []
        if isinstance(states.get("is_on"), bool) and rng.random() < 0.5:
            needs.append("is_on")
        if rng.random() < 0.15:
            thing["wheels"] = rng.choice([{}, {"max_load_kg": 0}, {"max_load_kg": 4.4}])
        if needs:
            thing["needs"] = needs
        if rng.random() < 0.1:
            thing["provides"] = [*thing.get("provides", []), "repair", "damage"]


def _add_widths(rng: Random, scene: dict[str, Any]) -> None:
    """In half of the scenes some ways are narrow."""
    if rng.random() < 0.5:
        return
    pairs = [[room["id"], other] for room in scene["rooms"] for other in room["connects"]]
    ways = [{"between": pair} for pair in pairs]
    scene["connections"] = ways
    for way in (*ways, *scene["doors"]):
        way["stairs"] = rng.random() < 0.3
        if rng.random() < 0.6:
            way["width_m"] = rng.choice([0.1, 0.15, 0.2, 0.3])


def _agent(rng: Random, name: str, rooms: list[str]) -> dict[str, Any]:
    agent: dict[str, Any] = {
        "id": name,
        "max_mass_kg": rng.choice([1, 5.1, 9, 12, 20, 20]),
        "hands": rng.choice([0, 1, 2, 2, 3, 3, 4, 4]),
    }
    if rng.random() < 0.3:
        agent["max_size_m"] = [0.2, 0.3, rng.choice([0.2, 0.5])]
    if rng.random() < 0.1:
        agent["senses"] = {"temperature_c": 1}
    return agent if rng.random() < 0.7 else {**agent, "in": rng.choice(rooms)}


class Chatter:
    """Random commands for the agents of a world: mostly sensible, some malformed, some in step."""

    def __init__(self, rng: Random, engine: Engine) -> None:
        self.rng = rng
        self.engine = engine
        blueprint = engine.blueprint
        self.ids = [*blueprint.rank, "ghost"]
        self.rooms = list(blueprint.rooms)
        self.agents = list(blueprint.bodies)
        self.singles = tuple(verb for verb in engine.verbs if not verb.startswith("CORP_"))
        self.handling = tuple(verb for verb in self.singles if verb not in _EASY)
        self.joint = [verb for verb in engine.verbs if verb.startswith("CORP_")]
        self._near: dict[str, list[str]] = {}
        self._known: dict[str, list[str]] = {}

    def commands(self, world: World) -> dict[str, str]:
        """One decision, in any order of agents."""
        rng = self.rng
        self._near, self._known = {}, {}  # of this world as it is now
        if not any(node in world.location for known in world.known.values() for node in known):
            return dict.fromkeys(self.agents, "EXPLORE")
        found = {agent: self._single(world, agent) for agent in self.agents}
        if self.joint and rng.random() < 0.2:
            self._meet(world, found)
        elif self.joint and rng.random() < 0.6:
            self._add_joint(world, found)
        if self.joint and rng.random() < 0.3:
            self._hand_over(world, found)
        for agent in self.agents:
            if rng.random() < 0.04:
                found[agent] = self._nonsense()
            elif rng.random() < 0.08:
                found[agent] = "WAIT"
            elif rng.random() < 0.05:
                found.pop(agent, None)
        if rng.random() < 0.02:
            found["ghost"] = rng.choice(["EXPLORE", "CORP_GRAB thing_1", ""])
        return {
            agent: found[agent] + self._message(world, agent)
            for agent in rng.sample(list(found), len(found))
        }

    def _message(self, world: World, agent: str) -> str:
        """Sometimes a second line."""
        rng = self.rng
        if agent not in world.agents or rng.random() < 0.9:
            return ""
        about = self._around(world, agent)
        message = rng.choice([f"SAY {about} thing_2", f"TELL {about}", "GRAB thing_1", "SAY"])
        return f"\n{message}"

    def _single(self, world: World, agent: str) -> str:
        def guess(verb: str) -> str:
            return self._guess(world, agent, verb)

        rng = self.rng
        verbs = rng.sample(self.singles, len(self.singles))
        style = rng.random()
        if style < 0.7:  # what always works comes last
            verbs.sort(key=(*self.handling, "GOTO", "EXPLORE", *self.singles).index)
            verbs[: len(self.handling)] = rng.sample(self.handling, len(self.handling))
            if rng.random() < 0.5:
                verbs.insert(0, "GOTO")
            verbs[:0] = rng.sample(["GRAB", "PLACE", "PLACE"], 3)
        elif style < 0.85:
            verbs[:0] = rng.sample(["GOTO", "GOTO", "EXPLORE"], 3)
        return self._promising(world, agent, guess, verbs)

    def _promising(
        self, world: World, agent: str, guess: Callable[[str], str], verbs: Sequence[str]
    ) -> str:
        """Two times in three a guess that would be accepted as things stand."""
        rng, text = self.rng, ""
        if rng.random() < 0.35:
            return guess(rng.choice(verbs[:5]))
        refused: set[str] = set()
        for verb in verbs:
            for _ in range(20):
                text = guess(verb)
                if text in refused:
                    continue
                call = self.engine.parse(text)
                if isinstance(call, Call) and objection(world, agent, call) is None:
                    return text
                refused.add(text)
        return text

    def _guess(self, world: World, agent: str, verb: str) -> str:
        rng, state = self.rng, world.agents[agent]
        if verb == "DONE":
            return verb if rng.random() < 0.05 else "LOOK"
        if verb == "GOTO" and rng.random() < 0.7:
            known = rng.random() < 0.6 and self._known_to(world, agent)
            return f"GOTO {rng.choice(known or self.rooms)}"
        if verb in ("EXPLORE", "LOOK", "WAIT") and rng.random() < 0.8:
            return verb
        if verb == "PLACE":
            held = rng.choice([*state.inventory * 3, rng.choice(self.ids)])
            return f"PLACE {held} {rng.choice(['in', 'on', 'IN'])} {self._around(world, agent)}"
        if verb == "GIVE":
            held = rng.choice([*state.inventory * 3, rng.choice(self.ids)])
            return f"GIVE {held} {rng.choice([*self.agents * 3, *self.ids])}"
        if verb == "MEASURE" and rng.random() < 0.3:
            number = rng.choice(["temperature_c", "mass_kg", "pressure_bar", "colour"])
            return f"MEASURE {self._around(world, agent)} {number}"
        return f"{verb} {self._around(world, agent)}"

    def _around(self, world: World, agent: str) -> str:
        """Something near, something known, or anything at all."""
        luck = self.rng.random()
        near = self._near.get(agent)
        if near is None:
            state = world.agents[agent]
            near = [*world.contents.get(state.focus, ()), state.focus, state.room, *state.inventory]
            self._near[agent] = near
        if luck < 0.5:
            return self.rng.choice(near)
        return self.rng.choice(self._known_to(world, agent) or near if luck < 0.8 else self.ids)

    def _known_to(self, world: World, agent: str) -> list[str]:
        known = self._known.get(agent)
        if known is None:
            known = self._known[agent] = sorted(world.known[agent])
        return known

    def _meet(self, world: World, found: dict[str, str]) -> None:
        """Everybody in a room walks up to the same thing, or all walk to one room."""
        rng = self.rng
        issuer = rng.choice(self.agents)
        room = world.agents[issuer].room
        things = [n for n in self._known_to(world, issuer) if world.room_of(n) == room]
        target = rng.choice(things) if things and rng.random() < 0.8 else room
        for agent in self.agents:
            if target == room or world.agents[agent].room == room:
                found[agent] = f"GOTO {target}"

    def _hand_over(self, world: World, found: dict[str, str]) -> None:
        """Somebody gives what it holds to somebody, mostly in its room, who mostly takes it."""
        rng = self.rng
        full = [agent for agent in self.agents if world.agents[agent].inventory]
        if not full:
            return
        giver = rng.choice(full)
        room = world.agents[giver].room
        here = [a for a in self.agents if a != giver and world.agents[a].room == room]
        receiver = rng.choice([*here * 9, *self.agents])
        given = rng.choice(world.agents[giver].inventory)
        found[giver] = f"GIVE {given} {receiver}"
        if rng.random() < 0.9:
            found[receiver] = f"GRAB {given}"

    def _add_joint(self, world: World, found: dict[str, str]) -> None:
        """Some of the agents give one joint command."""
        rng = self.rng
        issuer = rng.choice(self.agents)
        carried = world.agents[issuer].carrying
        team = rng.sample(self.agents, rng.randint(1, len(self.agents)))
        if rng.random() < 0.7:
            here = world.agents[issuer].focus
            team = [agent for agent in self.agents if world.agents[agent].focus == here]
        if carried is not None and rng.random() < 0.8:
            team = list(world.carriers[carried])
        team = list(dict.fromkeys((issuer, *team)))
        verbs = rng.sample(self.joint, len(self.joint))
        if rng.random() < 0.7:
            verbs.sort(key=["CORP_PLACE", "CORP_GRAB", *self.joint].index)
        if rng.random() < 0.3:
            verbs.insert(0, "CORP_GOTO")
        if rng.random() < 0.3:  # what an object says to take several
            verbs[:0] = rng.sample(self.handling, len(self.handling))
        if carried is None and rng.random() < 0.7:
            verbs = ["CORP_GRAB"]
        text = self._promising_together(world, team, verbs)
        if not text or rng.random() < 0.3:
            text = self._joint_guess(world, issuer, rng.choice(verbs))
        verb, _, rest = text.partition(" ")
        for agent in team:
            if rng.random() < 0.9:
                found[agent] = f"{rng.choice([verb, verb.lower()])} {rng.choice(['', ' '])}{rest}"

    def _promising_together(self, world: World, team: list[str], verbs: Sequence[str]) -> str:
        """A guess that a whole team could carry out as things stand."""
        for verb in verbs:
            for _ in range(20):
                text = self._joint_guess(world, team[0], verb)
                call = self.engine.parse(text)
                if isinstance(call, Call) and joint_objection(world, tuple(team), call) is None:
                    return text
        return ""

    def _joint_guess(self, world: World, issuer: str, verb: str) -> str:
        rng, carried = self.rng, world.agents[issuer].carrying
        if verb == "CORP_GOTO" and rng.random() < 0.6:
            return f"{verb} {rng.choice(self._known_to(world, issuer) or self.ids)}"
        about = self._around(world, issuer)
        if about not in world.location and verb == "CORP_GRAB":
            about = self._around(world, issuer)
        if verb in ("CORP_PLACE", "PLACE"):
            relation = rng.choice(["in", "on", "ON"])
            about = f"{carried or about} {relation} {self._around(world, issuer)}"
        return f"{verb} {about}"

    def _nonsense(self) -> str:
        rng = self.rng
        words = [*self.ids, "in", "on", ",", "a,b", "ä", "1", ""]
        verbs = [*self.singles, *self.joint, "JUMP", "", "corp_", "DONE now", "SAY  hi", "CORP_X"]
        text = " ".join([rng.choice(verbs), *rng.choices(words, k=rng.randrange(6))])
        return rng.choice([text, f"  {text} ", text.lower(), f"SAY {'x' * rng.choice([280, 281])}"])


_EASY = ("GOTO", "EXPLORE", "LOOK", "SAY", "WAIT", "DONE")
