"""What the regex player makes of errands: which thing is meant, where it goes, in which order."""

from random import Random

import pytest

from docs.figures.errands_read import errands_read, paraphrased, table
from earsim import open_suite
from earsim.engine import Engine
from earsim.errors import UsageError
from earsim.goals.selectors import pick
from earsim.schema import parse
from earsim.schema.files.document import Document
from earsim.schema.files.load import validated
from earsim.schema.scenario import SceneFile
from earsim_agents.baselines.compared_errands import ComparedErrandReading
from earsim_agents.baselines.lexicon import Lexicon
from earsim_agents.baselines.noun_phrases import Unreadable
from earsim_agents.baselines.references import References
from earsim_agents.baselines.sentences import ReadInstruction
from earsim_generators.families import FAMILIES

SCENE = """\
schema: earsim.scene/1
id: home
title: Home
rooms:
  - {id: hall, name: Hall, connects: [attic]}
  - {id: attic, name: Attic}
objects:
  - {id: desk, name: Desk, kind: furniture, in: hall, mass_kg: 20}
  - {id: shelf, name: Old shelf, kind: furniture, in: attic, mass_kg: 20}
  - {id: lamp, name: Lamp, kind: item, in: attic, mass_kg: 1, states: {is_on: false}}
  - {id: jar_a, name: Glass jar, kind: item, on: shelf,
     mass_kg: 1, height_mm: 130, diameter_mm: 90}
  - {id: jar_b, name: Glass jar, kind: item, on: desk,
     mass_kg: 1, height_mm: 180, diameter_mm: 80}
  - {id: jar_c, name: Glass jar, kind: item, on: desk,
     mass_kg: 1, height_mm: 200, diameter_mm: 120}
  - {id: jar_d, name: Glass jar, kind: item, on: desk,
     mass_kg: 1, height_mm: 230, diameter_mm: 85}
  - {id: carafe, name: Glass carafe, kind: item, on: desk,
     mass_kg: 1, height_mm: 160, diameter_mm: 100}
  - {id: pane_a, name: Window pane, kind: item, in: attic,
     mass_kg: 1, width_mm: 300, height_mm: 500}
  - {id: pane_b, name: Window pane, kind: item, in: attic,
     mass_kg: 1, width_mm: 350, height_mm: 400}
  - {id: pane_c, name: Window pane, kind: item, in: attic,
     mass_kg: 1, width_mm: 400, height_mm: 300}
  - {id: frame, name: Picture glass, kind: item, in: attic,
     mass_kg: 1, width_mm: 320, height_mm: 450}
tasks:
  - id: any
    category: direct_command
    agents: [{id: ada, name: Ada, max_mass_kg: 30}]
    goal: {all: [{inside_room: {object: jar_a, room: attic}}]}
    instruction: "-"
"""
BESIDE = "put the lowest pane that is wider than the picture glass onto the desk. "
JAR = {"at": {"object": "$jar", "on": "shelf"}}
PANE = {"at": {"object": "$pane", "on": "desk"}}


def engine_of(scene: str) -> Engine:
    (scenario,) = parse(scene).scenarios()
    return Engine(scenario)


@pytest.fixture(scope="module")
def house() -> Engine:
    return engine_of(SCENE)


def references(engine: Engine) -> References:
    return References(Lexicon(engine.start(), [*engine.blueprint.things, *engine.blueprint.doors]))


@pytest.mark.parametrize(
    ("told", "meant"),
    [
        ("onto the old shelf goes the tallest jar that is slimmer than the carafe", "jar_d"),
        ("the shortest jar taller than the carafe, put it on the old shelf", "jar_b"),
        ("a jar no shorter than the carafe, though fatter, for the old shelf", "jar_c"),
        (
            "a jar no shorter than the carafe, though slimmer, the stoutest, to the old shelf",
            "jar_d",
        ),
        (
            "old shelf: one jar, no other, taller than the carafe but slimmer, second highest",
            "jar_b",
        ),
        (
            "old shelf: of the jars that the carafe is lower than, the one with two higher ones",
            "jar_b",
        ),
        (
            "old shelf: a jar that the carafe outdoes in diameter but not in height, the tallest",
            "jar_d",
        ),
        ("old shelf: a jar taller than the carafe and less stout, the lowest such", "jar_b"),
        ("old shelf: a jar taller than the carafe but slimmer, second from the tall end", "jar_b"),
        ("old shelf: of the jars taller than the carafe the third in height", "jar_b"),
        (
            "the jars which the carafe beats in diameter: the runner-up in height, old shelf",
            "jar_b",
        ),
        ("a jar taller than the carafe goes on the old shelf, just one of those is lower", "jar_c"),
    ],
)
def test_the_thing_is_read_by_words_of_degree(house: Engine, told: str, meant: str):
    found = references(house)
    reading = ComparedErrandReading(f"{BESIDE}{told}.", found)
    assert JAR in reading.goal
    assert pick(found.select["jar"], house.start(), {}).answer == meant


@pytest.mark.parametrize(
    ("told", "meant"),
    [
        (
            "rule out jars that aren't both taller and slimmer than the carafe, the lowest",
            "jar_b",
        ),
        ("disregard jars as low as the carafe or lower, skip the stoutest, the next one", "jar_d"),
        ("forget jars no taller than the carafe and the tallest: next tallest", "jar_c"),
        ("jars no taller than the carafe are crossed out, it is the third tallest left", "jar_b"),
        ("strike every jar off that isn't taller than the carafe, the third lowest", "jar_d"),
        ("of the jars taller than the carafe set the two lowest aside, the lowest then", "jar_d"),
        ("sort jars that are taller than the carafe from stout to slender, number three", "jar_b"),
        ("jars taller than the carafe in a row, slimmest first: it is the second", "jar_d"),
        ("of the jars taller than the carafe exactly two are slimmer than the new one", "jar_c"),
        ("just one of the jars that are taller than the carafe is higher than mine", "jar_c"),
        ("a jar that has a single lower one among those taller than the carafe", "jar_c"),
        ("of those jars taller than the carafe one that is stouter than just one other", "jar_d"),
        ("the jar that only one other beats in height among those taller than the carafe", "jar_c"),
        ("the jar that beats exactly one other in height of those taller than the carafe", "jar_c"),
        ("the jar with exactly two of smaller diameter of those taller than the carafe", "jar_c"),
        ("of jars taller than the carafe the one second in diameter, from the least", "jar_d"),
        ("from the slim end of the jars taller than the carafe count to three", "jar_c"),
        (
            "jars that fall short of the carafe in height are no use, the lowest of the rest",
            "jar_b",
        ),
    ],
)
def test_the_place_in_an_order_is_read(house: Engine, told: str, meant: str):
    found = references(house)
    assert JAR in ComparedErrandReading(f"{BESIDE}old shelf: {told}.", found).goal
    assert pick(found.select["jar"], house.start(), {}).answer == meant


def test_the_table_is_the_last_that_was_named(house: Engine):
    told = (
        "two for the old shelf. one jar, the tallest that is slimmer than the carafe. and a pane,"
    )
    reading = ComparedErrandReading(f"{told} the lowest as wide as they get.", references(house))
    assert [part["at"]["on"] for part in reading.goal if "at" in part] == ["shelf", "shelf"]


@pytest.mark.parametrize(
    ("order", "first"),
    [
        ("the jar is there before the pane is.", JAR),
        ("the jar comes to its place only after the pane has come to its own.", PANE),
        ("once the pane lies there, the jar is due.", PANE),
        ("the jar has to wait until the pane is on its desk.", PANE),
        ("with the pane in its place, and no sooner, the jar is due.", PANE),
        ("the jar gets to its shelf earlier than the pane.", JAR),
    ],
)
def test_the_order_is_read(house: Engine, order: str, first: object):
    told = "put the tallest jar that is slimmer than the carafe onto the old shelf. "
    reading = ComparedErrandReading(told + BESIDE + order, references(house))
    (before,) = [part["before"] for part in reading.goal if "before" in part]
    assert before == {"first": first, "then": PANE if first == JAR else JAR}


def test_what_is_compared_tells_no_order(house: Engine):
    told = "onto the old shelf goes, after you have left out every jar no taller than the carafe, "
    reading = ComparedErrandReading(f"{told}the next to last. {BESIDE}", references(house))
    assert [part for part in reading.goal if "before" in part] == []


def test_a_table_is_spoken_of_again(house: Engine):
    told = f"the old shelf is bare. {BESIDE}on that shelf i need the tallest jar"
    reading = ComparedErrandReading(f"{told} slimmer than the carafe.", references(house))
    assert JAR in reading.goal
    assert PANE in reading.goal


def test_the_table_next_to_the_thing_counts(house: Engine):
    told = "the lamp belongs on the desk, and the old shelf gets a jar, the tallest one"
    reading = ComparedErrandReading(f"{BESIDE}{told} slimmer than the carafe.", references(house))
    assert JAR in reading.goal


@pytest.mark.parametrize("more", ["", ", as the desk is full"])
def test_it_cannot_be_read_before_the_table_is_seen(house: Engine, more: str):
    seen = [node for node in house.blueprint.things if node != "shelf"]
    told = f"{BESIDE}the tallest jar slimmer than the carafe goes on the old shelf in the attic"
    with pytest.raises(Unreadable):
        ComparedErrandReading(f"{told}{more}.", References(Lexicon(house.start(), seen)))


def test_an_unseen_table_behind_the_one_that_is_named_does_not_matter(house: Engine):
    seen = [node for node in house.blueprint.things if node != "shelf"]
    told = f"{BESIDE}the tallest jar slimmer than the carafe goes on the desk, not to the attic."
    reading = ComparedErrandReading(told, References(Lexicon(house.start(), seen)))
    assert {"at": {"object": "$jar", "on": "desk"}} in reading.goal


@pytest.mark.parametrize(
    ("lot", "is_gone"),
    [
        ("next to the jar on it, which nobody takes away", False),
        ("without removing the jar on it", False),
        ("where the present jar stays put, and no longer alone", False),
        ("where the jar on it is left lying", False),
        ("in place of the jar on it", True),
        ("where the jar on it does not remain", True),
        ("and a different jar it is to be", True),
        ("for which you leave out any jar no taller than the carafe, as the only jar", True),
    ],
)
def test_what_becomes_of_the_one_that_lies_there(house: Engine, lot: str, is_gone: bool):
    told = f"{BESIDE}the tallest jar slimmer than the carafe goes on the old shelf, {lot}."
    reading = ComparedErrandReading(told, references(house))
    assert any("not" in part for part in reading.goal) is is_gone


def test_what_is_said_of_several_is_said_of_each(house: Engine):
    told = f"two things are swapped. {BESIDE}old shelf: the tallest jar slimmer than the carafe."
    reading = ComparedErrandReading(told, references(house))
    assert any("not" in part for part in reading.goal)


def test_that_no_other_lies_there_is_read(house: Engine):
    told = f"{BESIDE}the tallest jar that is slimmer than the carafe onto the old shelf"
    reading = ComparedErrandReading(f"{told}, beside the one that stays", references(house))
    assert reading.goal == [JAR, PANE]
    reading = ComparedErrandReading(f"{told}, and none of the others", references(house))
    gone = {"not": {"any": [{"at": {"object": "jar_a", "on": "shelf"}}]}}
    assert reading.goal == [JAR, gone, PANE]
    reading = ComparedErrandReading(f"{told}, and take away the one there", references(house))
    assert reading.goal == [JAR, gone, PANE]


def test_what_stands_beside_errands_is_left_for_other_readers(house: Engine):
    one = "put the tallest jar that is slimmer than the carafe on the old shelf."
    two = ComparedErrandReading(f"turn on the lamp. {BESIDE}{one}", references(house))
    assert two.rest == "turn on the lamp."
    alone = ComparedErrandReading(one, references(house))
    assert (alone.goal, alone.rest) == ([], one)


LONE_JAR = "put the tallest jar slimmer than the carafe onto the old shelf."


def test_a_sentence_goes_on_about_the_same_thing(house: Engine):
    reading = ComparedErrandReading(
        f"{BESIDE}{LONE_JAR} the old one is removed.", references(house)
    )
    assert any("not" in part for part in reading.goal)
    assert reading.rest == ""


def test_a_sentence_turns_to_something_else(house: Engine):
    more = "the rest concerns the attic, which is to be cleared."
    reading = ComparedErrandReading(f"{BESIDE}{LONE_JAR} {more}", references(house))
    assert reading.goal == [JAR, PANE]
    assert reading.rest == more


def test_a_list_of_what_things_are_compared_with_speaks_of_no_errand(house: Engine):
    more = "ben alone sees the carafe, the picture glass and the feed roller."
    reading = ComparedErrandReading(f"{more} {BESIDE}{LONE_JAR}", references(house))
    assert reading.goal == [JAR, PANE]
    assert reading.rest.startswith("ben alone sees")


def test_it_cannot_be_read_before_what_it_is_compared_with_is_seen(house: Engine):
    seen = [node for node in house.blueprint.things if node != "carafe"]
    told = f"{BESIDE}the tallest jar that is slimmer than the carafe goes onto the old shelf"
    with pytest.raises(Unreadable):
        ComparedErrandReading(told, References(Lexicon(house.start(), seen)))


def test_errands_in_the_words_of_the_grammar_are_read():
    document = FAMILIES["told"](Random(3), "easy", 5)
    (scenario,) = validated(Document("drawn", document), SceneFile).scenarios()
    engine = Engine(scenario)
    found = references(engine)
    ReadInstruction(engine.instruction, found)
    world = engine.start()
    meant = {name: pick(how, world, {}).answer for name, how in scenario.task.select.items()}
    assert {name: pick(how, world, {}).answer for name, how in found.select.items()} == meant


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("family", "errands"), [("told", 5), ("heat", 3), ("drying", 3)])
def test_every_errand_is_right_in_the_words_of_the_grammar(family: str, errands: int, seed: int):
    document = FAMILIES[family](Random(seed), "easy", errands)
    (scenario,) = validated(Document("drawn", document), SceneFile).scenarios()
    words = Engine(scenario).instruction
    assert errands_read(scenario, words) == (errands, errands)
    assert errands_read(scenario, words.replace(" less ", " greater ")).right < errands
    assert errands_read(scenario, "put it there") == (errands, 0)


def test_errands_are_counted_where_words_are_given_for_scene_and_task():
    """Scenes and tasks have the same names in all editions, and ids have not."""
    first = next(iter(open_suite("earsim-bench-2-talk")))
    words = paraphrased("earsim-bench-2-talk")
    task = f"{first.scene.id}/{first.task.id}"
    counted = table({"earsim-bench-2-talk": {task: words[task]}})
    errands = errands_read(first, words[task])
    (row,) = counted.rows
    assert row.cells == ("earsim-bench-2-talk", *errands, 1, int(errands[0] == errands[1]))
    with pytest.raises(UsageError, match="no paraphrase of a task of starter"):
        table({"starter": words})
