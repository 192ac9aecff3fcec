"""Things that are asked for by what they are needed for, as the player `regex` reads them."""

import re
from random import Random

import pytest

from earsim.engine import Engine
from earsim.schema.files.document import Document
from earsim.schema.files.load import validated
from earsim.schema.scenario import SceneFile
from earsim_agents.baselines.lexicon import Lexicon
from earsim_agents.baselines.needed_reading import NeededReading
from earsim_agents.baselines.needed_reading.clauses import clauses_of, sentences_of
from earsim_agents.baselines.needed_reading.passages import NeededPassage
from earsim_agents.baselines.needed_reading.rival_sets import RivalSets, known_things, words_of
from earsim_agents.baselines.needed_reading.tables import ToldTables
from earsim_agents.baselines.noun_phrases import Unreadable
from earsim_agents.baselines.references import References
from earsim_agents.baselines.sentences import ReadInstruction
from earsim_generators.families import FAMILIES
from earsim_generators.families.compared_errand import ErrandRequest
from earsim_generators.families.rivals import rivals


class Place:
    """A scene of the family, and words that ask for what is needed in it."""

    def __init__(self, seed: int = 3) -> None:
        request = ErrandRequest(1, needed=5)
        document = FAMILIES["needs"](Random(seed), "easy", request)
        (scenario,) = validated(Document("drawn", document), SceneFile).scenarios()
        self.engine = Engine(scenario)
        self.world = self.engine.start()
        self.needed = request.drawn.needed

    def references(self, *, is_complete: bool = True) -> References:
        things = [*self.engine.blueprint.things, *self.engine.blueprint.doors]
        return References(Lexicon(self.world, things), is_complete=is_complete)

    @property
    def text(self) -> str:
        """For each thing a sentence of words that are on its list alone."""
        lexicon = self.references().lexicon
        sets = RivalSets(lexicon)
        told = []
        for each in self.needed:
            name = lexicon.names[each.thing]
            (rivals_of_it,) = (names for names in sets.each if name in names)
            others = {t.text for rival in rivals_of_it if rival != name for t in terms(rival)}
            own = [term.text for term in terms(name) if term.text not in others]
            plain = [text for text in own if text.isalpha()][:25]
            room = lexicon.rooms[self.world.room_of(each.table)]
            where = f"at the {lexicon.names[each.table]} in the {room}"
            told.append(f"Somebody {where} talks of {' '.join(plain)}.")
        return " ".join(told)


def terms(name):
    return words_of(name).needed


def test_it_knows_each_set_that_tasks_are_made_of():
    known: dict[int, set[str]] = {}
    for names in rivals():
        for name in names:
            for number in known_things()[name.lower()].sets:
                known.setdefault(number, set()).add(name)
    assert {frozenset(names) for names in known.values()} == {frozenset(n) for n in rivals()}


def test_sets_that_lie_about_are_told_apart():
    place = Place()
    sets = RivalSets(place.references().lexicon)
    assert len(sets.each) == 6
    names = [name for each in sets.each for name in each]
    assert len({*names}) == len(names)


def test_words_of_who_needs_a_thing_ask_for_it_and_not_for_its_rivals():
    right = asked = 0
    for seed in range(2):
        place = Place(seed)
        read = NeededReading(place.text, place.references()).goal
        meant = [{"at": {"object": each.thing, "on": each.table}} for each in place.needed]
        asked += len(meant)
        right += sum(part in read for part in meant)
    assert right >= 0.8 * asked


def test_an_errand_about_things_alike_is_read_beside_what_is_needed():
    place = Place()
    (compared,) = re.findall(r"Of the [^.]+\.", place.engine.instruction)
    read = ReadInstruction(f"{place.text} {compared}", place.references())
    put = [part["at"]["object"] for part in read.goal["all"] if "at" in part]
    assert [node for node in put if node.startswith("$")] == [f"${name}" for name in read.select]
    assert len(read.select) == 1
    assert len([node for node in put if not node.startswith("$")]) >= 5


def test_a_table_is_the_one_that_is_named_or_was_named_last_or_comes_next():
    place = Place()
    lexicon = place.references().lexicon
    tables = [node for node in lexicon.loose if lexicon.is_furniture(node)]
    one, other = (
        f"{lexicon.names[t]} in the {lexicon.rooms[lexicon.room_of(t)]}" for t in tables[:2]
    )
    sentences = ["he waits.", f"so he sits at the {one}.", "it hurts.", f"not at the {other}."]
    told = ToldTables(sentences, lexicon)
    found = [told.of(NeededPassage(n, n + 1, "")) for n in range(len(sentences))]
    assert found == [tables[0], tables[0], tables[0], tables[1]]


def test_nothing_is_read_before_all_has_been_perceived():
    place = Place()
    with pytest.raises(Unreadable):
        NeededReading(place.text, place.references(is_complete=False))


def test_a_short_text_asks_for_nothing_in_this_way():
    place = Place()
    assert NeededReading("Put the lamp onto the table.", place.references()).goal == []


def test_a_long_sentence_is_read_in_parts():
    sentence = "The cook " + "waits and waits, and the soup boils, so the guests sing, " * 6
    parts = sentences_of(sentence)
    assert len(parts) > 1
    assert " ".join(parts) == sentence.strip()
    assert len(clauses_of(sentence)) > 10


@pytest.mark.parametrize(
    "text", ["", " " * 800, ". " * 600, "and, " * 400, "A" * 2000, "needs the\n" * 200]
)
def test_hostile_texts_do_no_harm(text):
    place = Place()
    assert len(NeededReading(text, place.references()).goal) <= 5
