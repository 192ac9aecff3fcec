"""How many errands the regex player reads right: `python -m docs.figures.errands_read SUITE ...`.

An errand is right if the thing that is picked and the table are those of the goal, and what lies
there goes or stays as it says. Everything is taken for seen, so that what it does not know it
guesses among what is left, and nothing is played.
`--words-of FILE` reads the words of another edition of a suite for the tasks of the same scenes.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from earsim import Scenario, open_suite
from earsim.engine import Engine
from earsim.errors import EarSimError, NoSingleAnswer, UsageError
from earsim.goals.selectors import pick
from earsim.schema import Selector
from earsim.schema.selector import Only
from earsim.tables.document import Cell, Table
from earsim.tables.markdown import table_text
from earsim.world import World
from earsim_agents.baselines.errand_reading import ComparedErrandReading
from earsim_agents.baselines.lexicon import Lexicon
from earsim_agents.baselines.noun_phrases import Unreadable
from earsim_agents.baselines.references import References
from earsim_agents.baselines.teamwork import plainly


class ErrandsRead(NamedTuple):
    """Of one scenario: how many errands it has, and how many are read right."""

    asked: int
    right: int


def errands_read(scenario: Scenario, words: str) -> ErrandsRead:
    """Read the errands of an instruction, of which no other agent has to tell anything."""
    engine = Engine(scenario)
    world = engine.start()
    things = [*engine.blueprint.things, *engine.blueprint.doors]
    references = References(Lexicon(world, things), is_complete=True)
    asked = {
        name: selector
        for name, selector in scenario.task.select.items()
        if not isinstance(selector, Only) and (selector.among.more_than or selector.among.less_than)
    }
    try:
        text = plainly(" ".join(words.casefold().split()))
        read = ComparedErrandReading(text, references).goal
    except Unreadable:
        return ErrandsRead(len(asked), 0)
    meant = json.loads(scenario.task.goal.model_dump_json(by_alias=True))["all"]
    read_tables, tables = dict(_put(read)), dict(_put(meant))
    taken, kept = {*_taken(read)}, tables.keys()
    told = {selector.among.name: name for name, selector in references.select.items()}
    right = sum(
        selector.among.name in told
        and _picked(references.select[told[selector.among.name]], world) == _picked(selector, world)
        and read_tables.get(f"${told[selector.among.name]}") == tables[f"${name}"]
        and all(
            (node in taken) is (node not in kept)
            for node in _there(world, tables[f"${name}"], selector.among.name)
        )
        for name, selector in asked.items()
    )
    return ErrandsRead(len(asked), right)


def _picked(selector: Selector, world: World) -> str | None:
    try:
        return pick(selector, world, {}).answer
    except NoSingleAnswer:
        return None


def _put(parts: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """What comes onto which table."""
    for part in parts:
        at = part.get("at")
        if isinstance(at, Mapping) and at.get("on"):
            yield at["object"], at["on"]


def _taken(parts: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What is to lie on a table no longer."""
    for part in parts:
        for gone in (part.get("not") or {}).get("any") or ():
            yield gone["at"]["object"]


def _there(world: World, holder: str, name: str | None) -> Iterator[str]:
    """Things of a name that lie on a table at the start."""
    for node in world.contents.get(holder, ()):
        if world.blueprint.name(node) == name:
            yield node


def table(suites: Mapping[str, Mapping[str, str]]) -> Table:
    """A row for each suite, of the tasks whose words are given.

    Raises:
        UsageError: Of a suite, none are.
    """
    rows: list[tuple[Cell, ...]] = []
    for name, words in suites.items():
        told = [(one, words[_task(one)]) for one in open_suite(name) if _task(one) in words]
        if not told:
            raise UsageError(f"no paraphrase of a task of {name} is given")
        found = [errands_read(scenario, instruction) for scenario, instruction in told]
        asked, right = (sum(column) for column in zip(*found, strict=True))
        rows.append((name, asked, right, len(found), sum(one.asked == one.right for one in found)))
    head = ("suite", "errands", "right", "scenarios", "all right")
    return Table("Errands read", head, name="errands", spaced=True).with_rows(rows)


def paraphrased(suite: str) -> dict[str, str]:
    """What tasks are told with that have a paraphrase, by scene and task."""
    return {
        _task(scenario): scenario.task.instruction or ""
        for scenario in open_suite(suite)
        if "paraphrase" in (scenario.provenance or {})
    }


def _task(scenario: Scenario) -> str:
    """Scene and task, which are the same in all editions."""
    return f"{scenario.scene.id}/{scenario.task.id}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m docs.figures.errands_read", description=__doc__
    )
    parser.add_argument("suites", metavar="SUITE", nargs="+")
    parser.add_argument("--words-of", metavar="FILE", help="of a suite, in place of its own words")
    options = parser.parse_args()
    try:
        told = {name: paraphrased(options.words_of or name) for name in options.suites}
        sys.stdout.write(table_text(table(told)) + "\n")
    except EarSimError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
