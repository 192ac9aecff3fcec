"""A recipe says everything that decides a benchmark, and what is wrong with it."""

from collections import Counter
from pathlib import Path

import pytest

from earsim.errors import FileError, UnknownName
from earsim.schema import Category
from earsim_generators.bench import BenchmarkRecipe, load_recipe
from earsim_generators.suites import Split
from earsim_generators.suites.job import quotas_of
from tests.generators.bench.conftest import TINY


def read(tmp_path: Path, old: str, new: str) -> BenchmarkRecipe:
    assert old in TINY
    path = tmp_path / "recipe.yaml"
    path.write_text(TINY.replace(old, new), encoding="utf-8")
    return load_recipe(path)


def test_settings_come_from_the_recipe_alone(recipe: BenchmarkRecipe):
    settings = recipe.settings
    assert dict(settings.splits) == {
        Split.TEST: 14, Split.TEST_VOCABULARY: 7, Split.TEST_DOMAIN: 7,
    }  # fmt: skip
    assert settings.seed == 5
    assert settings.wanted_categories == tuple(Category)
    assert settings.domains_of(Split.TEST_DOMAIN) == ("museum",)
    assert settings.domains_of(Split.TEST) == ("clinic", "home")


def test_what_is_to_be_declined_is_made_last_and_beside_a_part(tmp_path: Path):
    recipe = read(tmp_path, "test, n: 14}", "test, n: 14, declined: 2}")
    assert list(recipe.settings.splits.items())[0::3] == [
        (Split.TEST, 14),
        (Split.TEST_DECLINED, 2),
    ]
    assert recipe.part_of(Split.TEST_DECLINED) == "tiny"
    assert recipe.parts["tiny"].size == 16
    declined = recipe.settings.of_part(Split.TEST_DECLINED)
    labels = Counter(quota.label.partition("_")[0] for quota in quotas_of(declined))
    assert labels["impossible"] == labels["unclear"] == labels.total() / 2
    assert declined.domains_of(Split.TEST_DECLINED) == ("clinic", "home")


def test_a_part_of_errands_has_a_preset_for_what_is_to_be_declined(tmp_path: Path):
    told = "test_talk, n: 3, preset: talk_errands, declined: 2}"
    recipe = read(tmp_path, "test_vocabulary, n: 7}", told)
    declined = recipe.settings.of_part(Split.TEST_TALK_DECLINED)
    assert declined.preset == "talk_errands_declined"
    assert [(q.family, q.condition) for q in quotas_of(declined)] == [
        ("told", "impossible"),
        ("told", "unclear"),
    ]


@pytest.mark.parametrize(
    ("split", "beside"),
    [
        (Split.TEST_VOCABULARY, Split.TEST_VOCABULARY_DECLINED),
        (Split.TEST_DOMAIN, Split.TEST_DOMAIN_DECLINED),
    ],
)
def test_what_is_to_be_declined_has_the_words_and_domains_of_its_part(
    tmp_path: Path, split: Split, beside: Split
):
    settings = read(tmp_path, f"{split}, n: 7}}", f"{split}, n: 7, declined: 2}}").settings
    assert settings.domains_of(beside) == settings.domains_of(split)
    words = [settings.of_part(each).parameters_of(each).vocabulary for each in (split, beside)]
    assert words[0] == words[1]


def test_all_names(recipe: BenchmarkRecipe):
    assert recipe.names == ("tiny", "tiny-words", "tiny-places", "tiny-mini")
    assert recipe.part_of(Split.TEST_VOCABULARY) == "tiny-words"


@pytest.mark.parametrize(
    ("old", "new", "finding"),
    [
        ("seed: 5", "sed: 5", "did you mean 'seed'"),
        (
            "test_domain, n: 7}",
            "validation, n: 7, declined: 1}",
            "nothing is made to be declined beside validation",
        ),
        (
            "test, n: 14}",
            "test, n: 14}\n  tiny-no: {split: test_beside, n: 2}",
            "test_beside is what is to be declined beside another split",
        ),
        ("{split: test_domain, n: 7}", "{split: test, n: 7}", "test is the split of tiny"),
        ("{of: tiny, n: 7}", "{of: tinny, n: 7}", "no part 'tinny'"),
        ("{of: tiny, n: 7}", "{of: tiny, n: 15}", "more than tiny has"),
        ("tiny-mini: {of", "tiny-words: {of", "tiny-words is a part as well"),
        ("earsim.recipe/1", "earsim.recipe/2", "earsim.recipe/1"),
        ("  tiny: {split", "  ./../tiny: {split", "name of a suite"),
        ("  tiny-mini: {of", "  /tmp/tiny: {of", "name of a suite"),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, old: str, new: str, finding: str):
    with pytest.raises(FileError, match=r"recipe\.yaml") as raised:
        read(tmp_path, old, new)
    assert finding in str(raised.value)


def test_what_the_generator_does_not_know(tmp_path: Path):
    with pytest.raises((FileError, UnknownName), match="museeum"):
        read(tmp_path, "home, museum]", "home, museeum]").settings  # noqa: B018 - it raises
