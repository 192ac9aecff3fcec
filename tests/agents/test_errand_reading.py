"""Errands about one of several things of a name, as the player `regex` reads them."""

import time
from collections.abc import Mapping

import pytest

from earsim_agents.baselines.errand_reading import ComparedErrandReading
from earsim_agents.baselines.errand_reading.company import is_alone, stays
from earsim_agents.baselines.errand_reading.degrees import DegreeWords, measure_of
from earsim_agents.baselines.errand_reading.furniture import FURNITURE
from earsim_agents.baselines.errand_reading.kinds import KINDS
from earsim_agents.baselines.errand_reading.measures import MEASURES
from earsim_agents.baselines.errand_reading.pieces import atoms_of
from earsim_agents.baselines.errand_reading.ranks import told_rank
from earsim_agents.baselines.errand_reading.rooms import ROOMS
from earsim_agents.baselines.errand_reading.words import (
    Terms,
    TextSpan,
    rows_of,
    terms_of,
    weight_of,
)
from earsim_agents.baselines.noun_phrases import Unreadable
from earsim_agents.baselines.references import References

KEYS = frozenset({"age_years", "price_eur", "sheets_pages", "blade_length_cm"})
TABLES = {"bench": ("workbench", "cellar"), "desk": ("writing desk", "study")}


class House:
    """Five knives, five backpacks, and what they are compared with, in two rooms."""

    rooms: Mapping[str, str] = {"cellar": "cellar", "study": "study"}

    def __init__(self, *, unseen: str = "") -> None:
        things = {f"knife_{n}": "kitchen knife" for n in range(5)}
        things |= {f"pack_{n}": "backpack" for n in range(5)}
        things |= {"clock": "alarm clock", "atlas": "atlas"}
        things |= {table: name for table, (name, _) in TABLES.items()}
        self.names = {node: name for node, name in things.items() if node != unseen}
        self.loose = [*self.names]

    def is_furniture(self, node: str) -> bool:
        return node in TABLES

    def numbers(self, nodes: list[str]) -> list[str]:
        second = "pockets_count" if nodes[0].startswith("pack") else "price_eur"
        return ["mass_kg", "age_years", second]

    def value(self, node: str, key: str) -> float:
        return 2.5 if node in ("clock", "atlas") else float(node[-1])

    def holder_of(self, node: str) -> str | None:
        return None if node in TABLES else "bench" if node.endswith("0") else "desk"

    def room_of(self, node: str) -> str:
        return TABLES[node if node in TABLES else self.holder_of(node) or "desk"][1]

    def shown(self, node: str) -> str:
        return self.names[node].capitalize()


def read(
    text: str, *, unseen: str = "", is_complete: bool = True
) -> tuple[ComparedErrandReading, References]:
    house = House(unseen=unseen)
    references = References(house, is_complete=is_complete)  # type: ignore[arg-type]
    return ComparedErrandReading(text, references), references


KNIVES = "of the kitchen knives that are older than the atlas, put the cheapest onto the workbench."
PACKS = (
    "as for what hikers carry, only those newer than what rings in the morning count, and the one "
    "with the second fewest pockets replaces the bag on the desk in the study."
)


def test_errands_are_read_and_the_rest_is_left():
    done, references = read(f"ada is locked in the hall. {KNIVES} {PACKS}")
    knife, pack = references.select["kitchen_knife"], references.select["backpack"]
    assert knife.smallest == "price_eur"
    assert knife.among.more_than.model_dump() == {"of": "age_years", "object": "atlas"}
    assert (pack.rank.of, pack.rank.k, pack.rank.order) == ("pockets_count", 2, "smallest")
    assert pack.among.less_than.model_dump() == {"of": "age_years", "object": "clock"}
    assert {"at": {"object": "$kitchen_knife", "on": "bench"}} in done.goal
    assert {"at": {"object": "$backpack", "on": "desk"}} in done.goal
    assert done.rest == "ada is locked in the hall."


def test_an_order_is_read():
    done, _ = read(f"{KNIVES} {PACKS} the backpack is there before the knife is.")
    (order,) = [part["before"] for part in done.goal if "before" in part]
    assert order["first"]["at"]["object"] == "$backpack"
    assert done.rest == ""


def test_one_errand_is_none():
    done, references = read(KNIVES)
    assert (done.goal, done.rest, dict(references.select)) == ([], KNIVES, {})


def test_what_is_not_perceived_is_unreadable():
    with pytest.raises(Unreadable):
        read(f"{KNIVES} {PACKS}", unseen="pack_3")


@pytest.mark.parametrize("unseen", ["atlas", "clock"])
def test_an_errand_that_is_left_out_is_unreadable_until_all_is_perceived(unseen: str):
    with pytest.raises(Unreadable):
        read(f"{KNIVES} {PACKS}", unseen=unseen, is_complete=False)
    _, references = read(f"{KNIVES} {PACKS}", unseen=unseen, is_complete=True)
    assert {"kitchen_knife", "backpack"} == references.select.keys()


def test_a_comparison_may_lean_on_what_was_spoken_of_before():
    knives = "you know what the atlas cost: of the kitchen knives dearer than that, the oldest onto"
    _, references = read(f"{knives} the workbench. {PACKS}")
    assert references.select["kitchen_knife"].among.more_than.object == "atlas"


def test_words_that_mean_nothing_known_mean_what_is_left():
    thing = "of the gadgets that are older than the atlas, put the cheapest onto the workbench."
    _, references = read(f"{thing} {PACKS}")
    assert references.select["kitchen_knife"].smallest == "price_eur"


@pytest.mark.parametrize(
    ("text", "key", "is_most", "place"),
    [
        ("the dearest of them", "price_eur", True, 1),
        ("the one you pay least for", "price_eur", False, 1),
        ("the second least expensive", "price_eur", False, 2),
        ("the longest-serving", "age_years", True, 1),
        ("the newest but one", "age_years", False, 2),
        ("only one of those has a shorter blade", "blade_length_cm", False, 2),
        ("the runner-up in number of pages", "sheets_pages", True, 2),
        ("not the oldest of those but the one right after it", "age_years", True, 2),
        ("the cheapest is too cheap, so the next one up", "price_eur", False, 2),
        ("all but one are dearer than the one i want", "price_eur", False, 2),
        ("and none of those is dearer", "price_eur", True, 1),
        ("newer than just a single other", "age_years", True, 2),
    ],
)
def test_ranks(text: str, key: str, is_most: bool, place: int):
    told = told_rank(text, TextSpan(0, len(text)), [], DegreeWords(text, KEYS), KEYS)
    assert told is not None
    assert (told.key, told.is_most, told.place) == (key, is_most, place)


@pytest.mark.parametrize(
    ("words", "key", "is_more"),
    [
        ("cost less than the atlas", "price_eur", False),
        ("be had for more than the atlas", "price_eur", True),
        ("were made after the atlas", "age_years", False),
        ("go back further than the atlas", "age_years", True),
        ("are not newer than the atlas", "age_years", True),
    ],
)
def test_sides(words: str, key: str, is_more: bool):
    knives = f"of the kitchen knives that {words}, put the cheapest onto the workbench."
    _, references = read(f"{knives} {PACKS}")
    among = references.select["kitchen_knife"].among
    compared = among.more_than if is_more else among.less_than
    assert compared is not None
    assert compared.of == key


def test_exclusions_turn_a_side():
    knives = "kitchen knives: leave out any that are older than the atlas, cheapest of the rest"
    _, references = read(f"{knives} onto the workbench. {PACKS}")
    assert references.select["kitchen_knife"].among.less_than.of == "age_years"


@pytest.mark.parametrize(
    ("text", "is_kept"),
    [
        ("next to the one there, which stays", True),
        ("beside the bag on it, which isn't taken away", True),
        ("leave the one that is there", True),
        ("leave the one that is older than the atlas", None),
        ("in exchange for the one lying there", False),
        ("and the one there now comes off", False),
        ("as the only one there", False),
        ("onto the bench", None),
    ],
)
def test_company(text: str, is_kept: bool | None):
    assert stays(text) is is_kept


def test_alone():
    assert is_alone("no other knife on it")
    assert not is_alone("next to the other knife")


def test_clauses():
    assert [atom.ends for atom in atoms_of("put it there, and come. it is done.")] == [
        False,
        True,
        True,
    ]


def test_terms_are_found_in_singular_and_plural():
    honey = Terms.of_name("jar of honey", ["bee", "sweet*"])
    assert weight_of(honey.hits("two jars of honey")) > weight_of(honey.hits("what bees make"))
    assert not honey.hits("it has been there")
    assert Terms.of_name("kitchen knife").hits("knives")


@pytest.mark.parametrize("table", [KINDS, FURNITURE, ROOMS, MEASURES])
def test_tables_have_rows_of_terms(table: str):
    rows = [*rows_of(table)]
    assert rows
    assert all(len(row) > 1 and row[0] and terms_of(row[1]) for row in rows)


def test_the_longest_stem_names_a_number():
    measure = measure_of("volume_db")
    assert measure is not None
    assert "loud*" in measure.more


@pytest.mark.parametrize(
    "part",
    [
        *("not ", "only one ", "than ", "and ", "leave it, ", "a", "take away "),
        *("the kitchen knives ", "than the atlas, and "),
        "put the kitchen knife older than the atlas, and the backpack newer than the clock. ",
    ],
)
def test_no_pattern_takes_long(part: str):
    text = (part * 2000)[:2000]
    start = time.perf_counter()
    stays(text)
    told_rank(text, TextSpan(0, len(text)), [], DegreeWords(text, KEYS), KEYS)
    read(text)
    assert time.perf_counter() - start < 4.0
