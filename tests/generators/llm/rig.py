"""Two small places that a scripted author knows by heart, and ways to have it write them."""

import asyncio
import gzip
import json
from pathlib import Path
from typing import Any

from earsim.schema import Scenario, parse
from earsim_agents.scripted_server import ScriptedServer
from earsim_generators.llm import Pipeline, ServerSettings, Stage, WritingSettings
from earsim_generators.llm.folder import Sorted, WritingFolder
from earsim_generators.llm.scene_request import read_texts
from earsim_generators.llm.scripted_author import AnswerFixtures, Author

SHED = """\
schema: earsim.scene/1
id: shed
title: The shed
domain: garden
rooms:
  - {id: yard, name: Yard, connects: [shed]}
  - {id: shed, name: Shed}
objects:
  - {id: bench, name: Potting bench, kind: furniture, in: shed, mass_kg: 160}
  - {id: sack_a, name: Sack of sand, kind: item, in: yard, mass_kg: 11}
  - {id: sack_b, name: Sack of sand, kind: item, in: yard, mass_kg: 17}
  - {id: sack_c, name: Sack of sand, kind: item, in: shed, mass_kg: 14}
  - {id: pane, name: Pane, kind: item, on: bench, mass_kg: 4, states: {is_dirty: true}}
  - {id: sponge, name: Sponge, kind: item, in: yard, mass_kg: 0.1, provides: [clean]}
  - {id: tub, name: Lemon tree, kind: item, in: yard, mass_kg: 52}
tasks:
  - id: sand
    category: attribute_reasoning
    agents: [{id: noor, name: Noor, max_mass_kg: 25}]
    select: {target: {largest: mass_kg, among: {name: Sack of sand}}}
    goal: {all: [{inside_room: {object: $target, room: shed}}]}
    instruction: "Bring the {target} into the {shed}."
  - id: pane
    category: tool_use
    agents: [{id: noor, name: Noor, max_mass_kg: 25}]
    goal: {all: [{has_state: {object: pane, state: is_dirty, equals: false}}]}
    instruction: "Clean the pane on the potting bench."
  - id: frost
    category: implicit_collaboration
    agents: [{id: noor, name: Noor, max_mass_kg: 30}, {id: piet, name: Piet, max_mass_kg: 28}]
    goal: {all: [{inside_room: {object: tub, room: shed}}]}
    instruction: "There will be frost: the lemon tree must go into the shed."
"""
BOAT_HOUSE = (
    SHED.replace("The shed", "The boat house")
    .replace("mass_kg: 17", "mass_kg: 19")
    .replace("mass_kg: 4,", "mass_kg: 6,")
    .replace("mass_kg: 52", "mass_kg: 55")
)
BOTH = [SHED, BOAT_HOUSE]
CATEGORIES = ("attribute_reasoning", "tool_use", "implicit_collaboration")
QUICK = {"backoff_s": 0.001, "max_backoff_s": 0.01, "attempts": 3}


def book(*files: str) -> AnswerFixtures:
    return AnswerFixtures(
        scenario for text in files or BOTH for scenario in parse(text).scenarios()
    )


def author(**changes: Any) -> Author:
    return Author(**{"fixtures": book(), **changes})


def settings(**changes: Any) -> WritingSettings:
    """Two scenes of three tasks, unless a test says otherwise."""
    data = {
        "models": dict.fromkeys(Stage, "scripted"),
        "options": QUICK,
        "n": 2,
        "tasks": 3,
        "categories": CATEGORIES,
        "rooms": 2,
        "objects": 6,
        "distractors": 1,
        "horizon": 3,
    }
    return WritingSettings.model_validate({**data, **changes})


class Written:
    """A run that is over: its folder, what was sorted out, and what the server saw."""

    def __init__(
        self, folder: WritingFolder, pipeline: Pipeline, found: Sorted, requests: int
    ) -> None:
        self.folder, self.pipeline, self.found, self.requests = folder, pipeline, found, requests

    @property
    def scenarios(self) -> list[Scenario]:
        return [each.scenario for each in self.found.accepted]

    @property
    def flaws(self) -> list[tuple[str, str]]:
        return [(each.stage.value, each.flaw.value) for each in self.found.rejected]


def written(
    path: Path,
    script: Author,
    asked: WritingSettings | None = None,
    *,
    texts: Path | None = None,
    **serving: Any,
) -> Written:
    """A whole run against a server of its own."""

    async def run() -> Written:
        async with ScriptedServer(script) as server:
            folder = WritingFolder(path)
            defaults = {"base_url": (server.url,), "jobs": 1, "concurrency": 4}
            served = ServerSettings(**{**defaults, **serving})
            pipeline = Pipeline(asked or settings(), served, folder, texts=read_texts(texts))
            await asyncio.wait_for(pipeline.run(), 60)
            return Written(folder, pipeline, pipeline.save(), server.requests)

    return asyncio.run(run())


def lines(path: Path) -> list[dict[str, Any]]:
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in data.splitlines()]


def contents(folder: Path) -> dict[str, bytes]:
    """Every file that a run leaves besides what it works with."""
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
    kept = (path for path in paths if "work" not in path.relative_to(folder).parts)
    return {str(path.relative_to(folder)): path.read_bytes() for path in kept}
