"""A small house to play in, alone or as two."""

from collections.abc import Callable

import pytest

from earsim.play.game import Game
from earsim.play.session import Session
from earsim.schema import Scenario, parse
from earsim.schema.records.episode_settings import EpisodeSettings

HOUSE = """\
schema: earsim.scene/1
id: house
rooms:
  - {id: hall, name: Hall}
  - {id: cellar, name: Cellar, temperature_c: 9}
doors:
  - {id: hatch, name: "[red]Hatch[/red]", between: [hall, cellar], key: hatch_key,
     states: {is_open: false, is_locked: true}}
objects:
  - {id: desk, name: Desk, kind: furniture, in: hall, mass_kg: 30, states: {is_dirty: true}}
  - {id: drawer, name: Drawer, kind: furniture, on: desk, mass_kg: 5,
     container: {capacity_l: 5}, states: {is_open: false}}
  - {id: hatch_key, name: Brass key, kind: item, in: drawer, mass_kg: 0.1}
  - {id: toy_key, name: Tin key, kind: item, on: desk, mass_kg: 0.1}
  - {id: rag, name: Rag, kind: item, on: desk, mass_kg: 0.1, provides: [clean],
     attributes: {color: blue}}
  - {id: key_on_card, name: Key on a card, kind: item, on: desk, mass_kg: 0.1}
  - {id: stove, name: Stove, kind: item, in: hall, mass_kg: 60, size_m: [1, 1, 1]}
  - {id: barrel, name: Barrel, kind: item, in: cellar, mass_kg: 20, volume_l: 30}
tasks:
  - id: alone
    category: tool_use
    agents: [{id: eva, name: Eva, in: hall, max_mass_kg: 40, hands: 1}]
    goal: {all: [{has_state: {object: desk, state: is_dirty, equals: false}}]}
    instruction: "Clean the {desk}."
    budget: 20
  - id: pair
    category: implicit_collaboration
    agents: [{id: eva, name: Eva, max_mass_kg: 40}, {id: tom, name: Tom Bo, max_mass_kg: 35}]
    goal: {all: [{inside_room: {object: stove, room: cellar}},
                 {has_state: {object: desk, state: is_dirty, equals: false}}]}
    instruction: "Carry the {stove} down and clean the {desk}."
    budget: 40
  - id: apart
    category: implicit_collaboration
    knowledge: own
    agents: [{id: eva, name: Eva, in: hall, max_mass_kg: 40},
             {id: tom, name: Tom Bo, in: hall, max_mass_kg: 35}]
    goal: {all: [{has_state: {object: desk, state: is_dirty, equals: false}}]}
    instruction: "Clean the {desk}."
    budget: 40
"""


CELLAR, DESK = "  - {id: cellar,", "  - {id: desk,"
KITCHEN = "  - {id: kitchen, name: Kitchen, connects: [hall]}\n"
ANVIL = (
    "  - {id: anvil, name: Anvil, kind: item, in: hall, mass_kg: 55,"
    " perceived_by: {mass_kg: felt}}\n"
)
LARGER_HOUSE = HOUSE.replace(CELLAR, KITCHEN + CELLAR).replace(DESK, ANVIL + DESK)
"""With a room to go to, and a thing whose mass nobody sees; where knowledge is own."""


def _scenario(task: str) -> Scenario:
    house = LARGER_HOUSE if task == "apart" else HOUSE
    return next(s for s in parse(house).scenarios() if s.id == f"house/{task}")


NewGame = Callable[..., Game]


@pytest.fixture
def play() -> NewGame:
    """A game of one task; `heard` are lines typed already."""

    def new(task: str = "alone", *heard: str, **options: bool) -> Game:
        game = Game(Session(_scenario(task), EpisodeSettings()), **options)
        for line in heard:
            game.hear(line)
        return game

    return new


def said(pieces) -> str:
    return "\n".join(f"{piece.kind}: {piece.title} {piece.text}" for piece in pieces)
