"""Directed scenarios, each for one thing that a planner can get wrong; their answers by hand.

They stand in `families_*.txt`, a block each::

    fetch the key, unlock, open: 6
      things: brass in hall; table in store furniture 40kg
      goal: inside ada store and not held brass
      decides: UNLOCK somebody_is_equipped
      doors: gate hall-store locked key=brass

The number is the fewest decisions that do; or it says `never`, and why. `decides` names a check of
a verb without which fewer would do. A thing is its id, its place, then in any order `furniture`,
`2kg`, `5l`, `1x0.5x0.5m`, `holds` or `holds=<litres>`, `open`, `closed`, `locked`, `unlocked`,
`dirty`, `clean`, `lit`, `dark`, `broken`, `plugged`, `unplugged`, `key=<id>`,
`does=<verb>,<verb>`, `needs=<state>,<state>`, `bears=<mass>kg`, `wheels` or `wheels=<mass>kg`. An
agent is its id, room and limit, then `hands=1` and edges, a door its id, rooms, state, `key=<id>`,
`wide=0.5m`, `stairs`. `asked` may say `unexplored` (else all is known from the start), `any` (the
command class), `commands` (instead of decisions) and `one_acts`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from earsim.actions.verb import Verb
from earsim.engine import Engine
from earsim.planner import CommandClass, Knowledge, Why
from earsim.rulesets import RULESETS
from earsim.schema import Scenario
from earsim.world import Blueprint
from tests.planner.agreement import Question, Setting
from tests.planner.brute_force import Space, start_of
from tests.planner.goal_text import goal_of
from tests.planner.small_worlds import ABILITIES, Data, scenario_of

_STATES = {
    "open": {"is_open": True},
    "closed": {"is_open": False},
    "locked": {"is_open": False, "is_locked": True},
    "unlocked": {"is_locked": False},
    "dirty": {"is_dirty": True},
    "clean": {"is_dirty": False},
    "lit": {"is_on": True},
    "dark": {"is_on": False},
    "broken": {"is_broken": True},
    "plugged": {"is_plugged_in": True},
    "unplugged": {"is_plugged_in": False},
}
_ABOUT_HANDS = frozenset({"is_held", "is_in_hands"})


@dataclass(frozen=True, slots=True)
class Family:
    """A scenario with a known answer.

    Attributes:
        least: the fewest decisions (or commands) that reach the goal; None: it cannot be reached.
        why: the reason that the planner has to give then.
        decides: a verb and one of its checks without which fewer would do.
    """

    name: str
    scenario: Scenario
    setting: Setting
    least: int | None
    why: Why | None
    decides: tuple[str, str] | None

    def question(self, states: int) -> Question:
        """The question, with some of what brute force finds."""
        return Question.of(self.setting, self.scenario, states)

    def found(self, engine: Engine) -> int | None:
        """The least number that brute force finds under some rules."""
        space = self.space(engine)
        first = space.first(engine.task.goal.holds)
        assert first is not None or space.exhausted, "too large for brute force"
        return None if first is None else space.depths[first]

    def space(self, engine: Engine, states: int = 20_000) -> Space:
        """What can become of it under some rules, up to where the goal is reached."""
        unheld = self.decides is not None and self.decides[1] in _ABOUT_HANDS
        brute = self.setting.brute_force(engine, hands_empty=unheld)
        start = start_of(engine, discovered=self.setting.knowledge is Knowledge.GLOBAL)
        return brute.explore(start, states=states, until=engine.task.goal.holds)


def families(ruleset: str) -> dict[str, Family]:
    """All of a ruleset by name."""
    path = Path(__file__).with_name(f"families_{ruleset.replace('-', '_')}.txt")
    text = re.sub(r"^#.*\n", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    found = [_family(ruleset, block) for block in text.strip().split("\n\n") if block.strip()]
    assert len({family.name for family in found}) == len(found)
    return {family.name: family for family in found}


def without_check(scenario: Scenario, verb_name: str, check_name: str) -> Engine:
    """An engine that has forgotten one check of one verb."""
    ruleset = RULESETS[scenario.ruleset]

    def verbs(blueprint: Blueprint) -> dict[str, Verb]:
        found = dict(ruleset.verbs(blueprint))
        verb = found[verb_name]
        left = [pair for pair in verb.checks if pair[0].name != check_name]
        assert len(left) == len(verb.checks) - 1, f"{verb_name} has no check {check_name}"
        found[verb_name] = replace(verb, checks=tuple(left))
        return found

    return Engine(scenario, replace(ruleset, verbs=verbs))


# -- reading -------------------------------------------------------------------------------------


def _family(ruleset: str, block: str) -> Family:
    title, *lines = block.strip().splitlines()
    name, _, answer = title.rpartition(": ")
    said = dict(line.strip().split(": ", 1) for line in lines)
    people = said.get("people", "ada in hall 10kg").split("; ")
    verb, _, check = said.get("decides", "").partition(" ")
    return Family(
        name,
        _scenario(ruleset, people, said),
        _setting(ruleset, len(people), said.get("asked", "").split()),
        least=None if answer.startswith("never") else int(answer),
        why=Why(answer.removeprefix("never ")) if answer.startswith("never") else None,
        decides=(verb, check) if verb else None,
    )


def _setting(ruleset: str, team: int, asked: list[str]) -> Setting:
    return Setting(
        ruleset,
        team=team,
        command_class=CommandClass.ANY if "any" in asked else CommandClass.PLAIN,
        knowledge=Knowledge.ORACLE if "unexplored" in asked else Knowledge.GLOBAL,
        acting=1 if "one_acts" in asked else None,
        counts="commands" if "commands" in asked else "decisions",
    )


def _scenario(ruleset: str, people: list[str], said: dict[str, str]) -> Scenario:
    doors = [_door(line) for line in said.get("doors", "").split("; ") if line]
    rooms = said.get("rooms", "hall store").split()
    closed = [set(door["between"]) for door in doors]
    return scenario_of(
        ruleset,
        [
            {"id": r, "connects": [n for n in rooms if n != r and {n, r} not in closed]}
            for r in rooms
        ],
        [_thing(line) for line in said["things"].split("; ")],
        [_person(line) for line in people],
        goal_of(said["goal"]),
        doors=doors,
        abilities=said["verbs"].split() if "verbs" in said else ABILITIES,
    )


def _thing(line: str) -> Data:
    name, relation, holder, *words = line.split()
    thing: Data = {"id": name, relation: holder, "kind": "item", "mass_kg": 1, "states": {}}
    for word in words:
        _add(thing, word)
    return thing


def _add(thing: Data, word: str) -> None:
    key, _, value = word.partition("=")
    if word in _STATES:
        thing["states"].update(_STATES[word])
    elif word == "furniture":
        thing["kind"] = word
    elif key == "holds":
        thing["container"] = {"capacity_l": float(value)} if value else {}
    elif key == "does":
        thing["provides"] = value.split(",")
    elif key in ("wheels", "bears"):
        limit = {"max_load_kg": float(value.removesuffix("kg"))} if value else {}
        thing.update(limit if key == "bears" else {"wheels": limit})
    elif key == "needs":
        thing["needs"] = value.split(",")
    elif key == "people":
        thing["people"] = int(value)
    elif key == "key":
        thing["key"] = value
    elif match := re.fullmatch(r"([\d.]+)(kg|l)", word):
        thing[{"kg": "mass_kg", "l": "volume_l"}[match[2]]] = float(match[1])
    else:
        thing["size_m"] = _size(word)


def _person(line: str) -> Data:
    name, _, room, mass, *words = line.split()
    person: Data = {"id": name, "in": room, "max_mass_kg": float(mass.removesuffix("kg"))}
    for word in words:
        if word.startswith("hands="):
            person["hands"] = int(word.removeprefix("hands="))
        else:
            person["max_size_m"] = _size(word)
    return person


def _door(line: str) -> Data:
    name, between, state, *words = line.split()
    door: Data = {"id": name, "between": between.split("-"), "states": _STATES[state]}
    for word in words:
        if word == "stairs":
            door["stairs"] = True
            continue
        key, _, value = word.partition("=")
        door |= {"width_m": float(value.removesuffix("m"))} if key == "wide" else {key: value}
    return door


def _size(word: str) -> list[float]:
    return [float(edge) for edge in word.removesuffix("m").split("x")]
