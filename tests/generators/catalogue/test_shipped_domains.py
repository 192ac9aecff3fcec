"""The domains that come with the package: there, rich enough, and with words of their own."""

from collections import Counter, defaultdict
from pathlib import Path

import pytest

from earsim.errors import FileError, UnknownName
from earsim.schema import verb_table
from earsim_generators.catalogue import Domain, domain_names, load_domain

PROMISED = {
    "clinic", "data_centre", "home", "kitchen", "laboratory", "museum",
    "office", "school", "shop", "warehouse", "workshop",
}  # fmt: skip


@pytest.fixture(params=domain_names())
def domain(request) -> Domain:
    return load_domain(request.param)


def test_every_promised_domain_is_there():
    assert set(domain_names()) >= PROMISED


def test_a_domain_is_called_like_its_file(domain):
    assert domain.id in domain_names()


def test_there_is_variety(domain):
    assert len(domain.rooms) >= 6
    assert len(domain.furniture) >= 15
    assert len(domain.items) >= 35
    assert len([item for item in domain.items if item.provides]) >= 8
    assert len([item for item in domain.items if item.holds]) >= 1
    assert any(item.opens_doors for item in domain.items)


def changes(domain: Domain, *, with_tool: bool) -> set[tuple[str, str]]:
    """Verbs of a domain with the state of some kind that they change, as it is at first."""
    return {
        (verb.name, state)
        for kind in (*domain.furniture, *domain.items)
        for state, chance in kind.states.items()
        for verb in verb_table().values()
        if verb.name in domain.verbs
        and verb.attribute == state
        and verb.requires_tool == with_tool
        and (chance > 0 if verb.value else chance < 1)
    }


@pytest.mark.slow
def test_there_is_much_to_do_with_tools_and_without(domain):
    assert len(changes(domain, with_tool=True)) >= 8
    assert len(changes(domain, with_tool=False)) >= 6


def test_some_things_take_two_people(domain):
    heavy = [
        item for item in domain.stock.items if item.mass_kg.low >= 28 and item.mass_kg.high <= 130
    ]
    assert len(heavy) >= 6
    assert len([item for item in heavy if len(item.scales) >= 2]) >= 6


def test_many_kinds_can_be_told_apart_by_numbers(domain):
    assert len([item for item in domain.stock.items if len(item.scales) >= 2]) >= 20


def test_every_thing_has_a_held_out_name(domain):
    assert domain.stock.without_held_out_names == ()
    assert all(room.held_out_names for room in domain.rooms)


def test_held_out_names_are_common_nowhere():
    common, held_out = defaultdict(set), defaultdict(set)
    for name in domain_names():
        domain = load_domain(name)
        for kind in (*domain.rooms, *domain.furniture, *domain.items):
            for word in kind.names:
                common[word.casefold()].add(f"{name}: {kind.id}")
            for word in kind.held_out_names:
                held_out[word.casefold()].add(f"{name}: {kind.id}")
    assert {word: (common[word], held_out[word]) for word in common.keys() & held_out.keys()} == {}


def test_names_do_not_contradict_what_a_thing_is_made_of(domain):
    told = {"brass", "bronze", "marble", "oak", "pine", "leather", "porcelain", "cotton", "wool"}
    for kind in (*domain.furniture, *domain.items):
        for name in (*kind.names, *kind.held_out_names):
            material = name.casefold().split()[0]
            assert material not in told or set(kind.material) == {material}, f"{kind.id}: {name}"


def test_kinds_have_different_names(domain):
    names = Counter(
        word.casefold()
        for kind in (*domain.rooms, *domain.furniture, *domain.items)
        for word in {*kind.names, *kind.held_out_names}
    )
    assert [word for word, count in names.items() if count > 1] == []


@pytest.mark.parametrize("name", ["hom", "../home", "home.yaml.exe", "nowhere"])
def test_an_unknown_domain_is_an_error_with_near_misses(name):
    with pytest.raises(UnknownName):
        load_domain(name)


def test_a_path_is_read(tmp_path: Path):
    with pytest.raises(FileError, match="does not exist"):
        load_domain(tmp_path / "mine.yaml")
