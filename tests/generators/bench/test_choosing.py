"""A small suite is as mixed as the large one that it is chosen from."""

from collections import Counter

from earsim.schema import Category
from earsim_generators.bench.subset import SubsetCandidate, chosen

BANDS = ("easy", "medium", "hard")
DOMAINS = ("clinic", "home", "shop", "school")

LARGE = [
    SubsetCandidate(f"{category}_{number}", category.value, BANDS[number % 3], DOMAINS[number % 4])
    for number in range(24)
    for category in Category
]
BY_ID = {candidate.id: candidate for candidate in LARGE}


def test_as_many_of_each_category_band_and_domain():
    found = [BY_ID[id] for id in chosen(LARGE, 84)]
    assert set(Counter(each.kind for each in found).values()) == {12}
    assert set(Counter(each.band for each in found).values()) == {28}
    assert set(Counter(each.domain for each in found).values()) == {21}


def test_none_twice_and_always_the_same():
    assert len(chosen(LARGE, 50)) == 50
    assert chosen(LARGE, 50) == chosen(list(LARGE), 50)


def test_where_a_band_runs_out_the_others_fill_in():
    few = [each for each in LARGE if each.band != "hard"]
    found = [BY_ID[id] for id in chosen(few, 21)]
    assert set(Counter(each.kind for each in found).values()) == {3}


def test_all_of_them():
    assert chosen(LARGE, len(LARGE)) == BY_ID.keys()


def test_each_kind_has_the_share_that_it_has_of_the_whole():
    rare = [
        each for each in LARGE if each.kind != "direct_command" or each.id.endswith(("_1", "_2"))
    ]
    found = Counter(BY_ID[id].kind for id in chosen(rare, 73))
    assert found.pop("direct_command") == 1  # two of 146
    assert set(found.values()) == {12}
