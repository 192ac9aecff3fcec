"""A shed with tasks of several kinds, and models that write and read what a test says."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from earsim.schema import Scenario, parse
from earsim_agents.scripted_server import ServerScript
from earsim_agents.scripted_server.prompt_parser import PromptFacts

SHED = """\
schema: earsim.scene/1
id: shed
title: The shed
rooms:
  - {id: yard, name: Yard, connects: [shed]}
  - {id: shed, name: Shed, connects: [loft]}
  - {id: loft, name: Loft}
objects:
  - {id: bench_1, name: Potting bench, kind: furniture, in: shed, mass_kg: 160}
  - {id: chest_1, name: Chest, kind: furniture, in: loft, mass_kg: 30, container: {}}
  - {id: sack_1, name: Sack of sand, kind: item, in: yard, mass_kg: 11}
  - {id: sack_2, name: Sack of sand, kind: item, in: yard, mass_kg: 17}
  - {id: sack_3, name: Sack of sand, kind: item, in: shed, mass_kg: 14}
  - {id: pane_1, name: Pane, kind: item, on: bench_1, mass_kg: 4, states: {is_dirty: true}}
  - {id: rake_1, name: Rake, kind: item, in: yard, mass_kg: 1, attributes: {material: oak}}
tasks:
  - id: heaviest
    category: attribute_reasoning
    agents: [{id: noor, name: Noor, max_mass_kg: 25}]
    select: {target: {largest: mass_kg, among: {name: Sack of sand}}}
    goal: {all: [{inside_room: {object: $target, room: shed}}, {clock: {at_most: 600.0}}]}
    instruction: "Within ten minutes, bring the heaviest sack of sand into the shed."
  - id: two
    category: attribute_reasoning
    agents: [{id: noor, name: Noor, max_mass_kg: 25}]
    select:
      sack: {largest: mass_kg, among: {name: Sack of sand}}
      tool: {largest: mass_kg, among: {name: Rake}}
    goal:
      all:
        - {inside_room: {object: $sack, room: shed}}
        - {inside_room: {object: $tool, room: shed}}
    instruction: "The heaviest sack of sand and the heaviest rake belong in the shed."
  - id: ordered
    category: direct_command
    agents: [{id: noor, name: Noor, max_mass_kg: 25}]
    goal:
      all:
        - {inside_room: {object: rake_1, room: loft}}
        - {at: {object: pane_1, in: chest_1}}
        - before:
            first: {inside_room: {object: rake_1, room: loft}}
            then: {at: {object: pane_1, in: chest_1}}
    instruction: "First take the rake to the loft, then put the pane into the chest."
  - id: these
    category: direct_command
    agents: [{id: noor, name: Noor, max_mass_kg: 25}]
    goal:
      exactly:
        these: [sack_2, sack_3]
        among: {name: Sack of sand}
        goal: {inside_room: {object: $each, room: loft}}
    instruction: "The sacks of sand that weigh over 12 kg belong in the loft, and no other."
  - id: unclear
    category: direct_command
    agents: [{id: noor, name: Noor, max_mass_kg: 25}]
    right_claim: unclear
    goal: {all: [{inside_room: {object: sack_1, room: loft}}]}
    other_readings: [{all: [{inside_room: {object: sack_2, room: loft}}]}]
    instruction: "Bring the sack of sand from the yard to the loft."
"""

LETTERED = re.compile(r"^([A-Z]): (.*)$", re.MULTILINE)


def scenario(task: str) -> Scenario:
    return next(each for each in parse(SHED).scenarios() if each.task.id == task)


@dataclass(frozen=True, kw_only=True)
class Models(ServerScript):
    """Writes the same to everybody, and reads by a function of the lettered goals.

    Attributes:
        written: The answer of the writer, as text.
        reads: From goals by letter to the letters that are answered.
    """

    written: str
    reads: Callable[[Mapping[str, str]], list[str]]

    def reply(self, request: str, body: Mapping[str, Any], asked: PromptFacts) -> str:
        user = str(body["messages"][1]["content"])
        goals = dict(LETTERED.findall(user))
        if not goals:
            return self.written
        return json.dumps({"fits": self.reads(goals)})
