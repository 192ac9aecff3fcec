"""Version 2 of the benchmark: what it promises to hold, and that it can be made again."""

import json
import re
from collections import Counter, defaultdict
from functools import cache
from itertools import groupby
from math import comb
from pathlib import Path
from statistics import mean, median, pstdev
from typing import Any

import pytest

from earsim import open_suite
from earsim.engine import Engine
from earsim.envs.observation import fixed_info
from earsim.episode import Episode
from earsim.render.picture.frame import scene_title
from earsim.schema import Goal
from earsim_generators.bench import BenchmarkRecipe, load_recipe
from earsim_generators.bench.measured import MeasuredDifficulty
from earsim_generators.bench.recipe import paraphrases_in
from earsim_generators.families.goods import ALIKE
from earsim_generators.families.rivals import RIVALS, rivals
from earsim_generators.suites import Split
from earsim_generators.suites.job import quotas_of
from tests.generators.bench.shipped import (
    SCENES,
    assert_made_again,
    assert_recorded,
    assert_sound,
    certificates,
    size_of,
    unpacked,
)
from tests.generators.families.goods import numbers_of_groups, numbers_of_single_things

FOLDER = SCENES / "earsim-bench-2"
PARAPHRASES = Path(__file__).parents[3] / "generators" / "paraphrases"
SIZES = {
    "earsim-bench-2": 1476,
    "earsim-bench-2-vocabulary": 714,
    "earsim-bench-2-domain": 714,
    "earsim-bench-2-time": 467,
    "earsim-bench-2-talk": 467,
    "earsim-bench-2-mini": 180,
    "earsim-bench-2-language": 467,
}
OF_DOMAINS = ("earsim-bench-2", "earsim-bench-2-vocabulary", "earsim-bench-2-domain")
WITH_ERRANDS = ("earsim-bench-2-time", "earsim-bench-2-talk", "earsim-bench-2-language")
TIME = {"heat", "phase", "flow", "charge", "discharge", "burns", "drying", "mix"}
FEW = 10
MOST_BYTES = 8_000_000


@pytest.fixture(scope="module")
def recipe() -> BenchmarkRecipe:
    return load_recipe(FOLDER / "recipe.yaml")


@cache
def scenarios(name: str) -> list[dict[str, Any]]:
    return [*map(json.loads, unpacked(FOLDER, name).splitlines())]


def kind(scenario: dict[str, Any]) -> str:
    """The family, the kind of condition or the category."""
    provenance, task = scenario["provenance"], scenario["task"]
    condition = provenance.get("condition", {}).get("kind")
    return provenance.get("family") or condition or task["category"]


@pytest.mark.slow
@pytest.mark.parametrize("name", SIZES)
def test_as_many_as_promised(name: str):
    assert len(scenarios(name)) == SIZES[name]


@pytest.mark.parametrize("name", OF_DOMAINS)
def test_every_kind_has_its_share(name: str, recipe: BenchmarkRecipe):
    part = recipe.parts[name]
    quotas = Counter(quota.label for quota in quotas_of(recipe.settings, part.split))
    of_part = {split: Counter[str]() for split in part.splits}
    for scenario in scenarios(name):
        of_part[Split(scenario["provenance"]["split"])][kind(scenario)] += 1
    found, beside = of_part.values()
    whole = part.n / quotas.total()
    assert found.keys() == quotas.keys()
    assert all(abs(found[label] - n * whole) <= n for label, n in quotas.items())
    assert beside == dict.fromkeys(("impossible", "unclear"), part.declined // 2)


@pytest.mark.parametrize("name", SIZES)
def test_a_tenth_is_to_be_declined(name: str):
    claims = Counter(s["task"].get("right_claim", "done") for s in scenarios(name))
    assert abs(claims["impossible"] + claims["unclear"] - SIZES[name] / 10) <= 1
    assert abs(claims["impossible"] - claims["unclear"]) <= 6


@pytest.mark.parametrize("name", WITH_ERRANDS)
def test_agents_can_report_in_all_tasks_with_errands(name: str, recipe: BenchmarkRecipe):
    of_part = {split: Counter[str]() for split in recipe.parts[name].splits}
    for scenario in scenarios(name):
        of_part[Split(scenario["provenance"]["split"])][scenario["task"]["right_claim"]] += 1
    done, declined = of_part.values()
    assert done.keys() == {"done"}
    assert declined.keys() == {"impossible", "unclear"}


@pytest.mark.parametrize("name", SIZES)
def test_the_first_and_the_last_are_to_be_declined_as_often_as_the_rest(name: str):
    """As often as in a random fifth: within three standard deviations."""
    claims = [s["task"].get("right_claim", "done") != "done" for s in scenarios(name)]
    fifth = len(claims) // 5
    for part in (claims[:fifth], claims[-fifth:]):
        assert abs(sum(part) - 0.1 * fifth) < 3 * (0.09 * fifth) ** 0.5


@pytest.mark.parametrize("name", WITH_ERRANDS)
def test_numbers_tell_little_of_what_is_to_be_declined_without_the_sentence(name: str):
    """Two have a number in common in a third of what can be done, and two kinds never.

    As many single things are beyond all of a group, in a number that they share, as elsewhere.
    """
    ties = Counter[tuple[str, int]]()
    beyond: dict[str, list[int]] = defaultdict(list)
    for scenario in scenarios(name):
        claim, objects = scenario["task"]["right_claim"], scenario["scene"]["objects"]
        groups = [*numbers_of_groups(objects)]
        ties[claim, sum(len(numbers) - len({*numbers}) for _, numbers in groups)] += 1
        beyond[claim].append(
            sum(
                key == of and not min(numbers) < number < max(numbers)
                for of, numbers in groups
                for key, number in numbers_of_single_things(objects)
            )
        )
    assert {claim for claim, tied in ties if tied > 1} == set()
    assert ties["unclear", 0] == 0
    assert ties["done", 1] > 10 * ties["unclear", 1] / 3
    assert ties["impossible", 1] > 0
    deviation = pstdev(beyond["done"])
    for claim in ("impossible", "unclear"):
        counts = beyond[claim]
        off = abs(mean(counts) - mean(beyond["done"]))
        assert off < 3 * deviation / len(counts) ** 0.5


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(
            "earsim-bench-2-time",
            marks=pytest.mark.xfail(
                reason="groups that no errand is about stand last", strict=True
            ),
        ),
        "earsim-bench-2-talk",
        "earsim-bench-2-language",
    ],
)
def test_the_order_of_things_does_not_tell_which_groups_are_asked_for(name: str):
    """No oftener than by chance come those first that errands are about, with others beside."""
    told, chances = [], []
    for scenario in scenarios(name):
        if scenario["task"]["right_claim"] != "done":
            continue
        names = Counter(thing["name"] for thing in scenario["scene"]["objects"])
        groups = [each for each, count in names.items() if count == ALIKE]
        among = [each["among"] for each in scenario["task"]["select"].values()]
        compared = [each for each in among if "more_than" in each or "less_than" in each]
        told.append({each["name"] for each in compared} == {*groups[: len(compared)]})
        chances.append(1 / comb(len(groups), len(compared)))
    chance = mean(chances)
    assert mean(told) < chance + 3 * (chance * (1 - chance) / len(told)) ** 0.5


def words_of(goal: Goal, part: str) -> str:
    """In the words of which kind of condition a goal is told; errands only have an order."""
    told = goal.model_dump_json(by_alias=True, exclude_defaults=True)
    of_domains = ("trips", "never", "exactly", "count", "by", "before")
    kinds = of_domains if part in OF_DOMAINS else ("before",)
    return next((kind for kind in kinds if f'"{kind}":' in told), "")


@pytest.mark.slow
@pytest.mark.parametrize("part", [*OF_DOMAINS, *WITH_ERRANDS])
def test_no_kind_of_sentence_and_no_budget_makes_it_likelier_than_one_in_three(part: str):
    """That a task is to be declined, of those in which agents can say so; ids tell nothing."""
    declined, others = Counter[tuple[object, ...]](), Counter[tuple[object, ...]]()
    for scenario in open_suite(part):
        suite, _, name = scenario.id.partition("/")
        assert suite == part
        assert re.fullmatch("[0-9a-f]{12}", name)
        if scenario.task.right_claim is None:
            continue
        episode = Episode(Engine(scenario))
        info = fixed_info(episode)
        is_declined = scenario.task.right_claim in ("impossible", "unclear")
        facts = ("category", info["category"]), ("parts", info["category"], info["max_score"])
        told = (("budget", info["budget"] // 10), ("score", info["category"], episode.score))
        for fact in (*facts, *told, ("words", words_of(scenario.task.goal, part))):
            (declined if is_declined else others)[fact] += 1
    assert declined.total() > 4 * 0.09 * SIZES[part]
    if part in WITH_ERRANDS:  # made out of tasks that can be done; in a few cells are few of both
        declined = Counter({f: n for f, n in declined.items() if n + others[f] >= FEW})
    assert all(n <= others[fact] / 2 for fact, n in declined.items())
    words = [(n, others[fact]) for fact, n in declined.items() if fact[0] == "words"]
    assert words
    assert all(n <= other / 3 for n, other in words)


@pytest.mark.parametrize("name", SIZES)
def test_no_picture_tells_what_a_scene_was_made_for(name: str):
    assert {scene_title(scenario["scene"]["id"]) for scenario in scenarios(name)} == {"Scene"}


@pytest.mark.parametrize("name", SIZES)
def test_scenes_stand_in_the_order_of_digests(name: str, recipe: BenchmarkRecipe):
    """All tasks of one together; minis follow the part that they are of."""
    blocks = [[*block] for _, block in groupby(scenarios(name), lambda s: s["scene"]["id"])]
    assert len(blocks) == len({block[0]["scene"]["id"] for block in blocks})
    if name in recipe.parts:
        first = [block[0]["id"] for block in blocks]
        assert first == sorted(first)


def test_each_part_with_errands_is_of_families_of_its_own():
    assert {s["provenance"]["family"] for s in scenarios("earsim-bench-2-time")} == TIME
    assert {s["provenance"]["family"] for s in scenarios("earsim-bench-2-talk")} == {"told"}
    assert {s["provenance"]["family"] for s in scenarios("earsim-bench-2-language")} == {"needs"}


@pytest.mark.parametrize(("part", "errands"), [("time", 3), ("talk", 5), ("language", 1)])
def test_errands_stand_beside_what_takes_time_and_what_is_told(part: str, errands: int):
    for scenario in scenarios(f"earsim-bench-2-{part}"):
        among = [each["among"] for each in scenario["task"].get("select", {}).values()]
        compared = [each for each in among if "more_than" in each or "less_than" in each]
        # What an errand that is to be declined refers to, no selector picks.
        assert len(compared) == errands - (scenario["task"]["right_claim"] != "done")


def test_budgets_bind():
    for name in SIZES:
        for scenario in scenarios(name):
            provenance = scenario["provenance"]
            told = provenance.get("condition", provenance)
            assert scenario["task"]["budget"] == -(-3 * told["expert"] // 2)


@pytest.mark.parametrize("name", SIZES)
def test_bands_are_by_who_wins_and_what_the_expert_needs(name: str):
    for scenario in scenarios(name):
        made = scenario["provenance"]
        told = made["difficulty"]
        assert (told["won_by"] is None) == (made.get("family") in TIME)
        played = None if told["won_by"] is None else tuple(told["won_by"])
        assert told["band"] == MeasuredDifficulty(told["expert"], played).band


@pytest.mark.parametrize(
    "name",
    [
        "earsim-bench-2-language",
        *(
            pytest.param(
                name,
                marks=pytest.mark.xfail(
                    reason="rules read most of these texts: the aims are missed", strict=True
                ),
            )
            for name in SIZES
            if name not in ("earsim-bench-2-language", "earsim-bench-2-time")
        ),
    ],
)
def test_few_are_won_by_a_baseline_that_reads_by_regular_expressions(name: str):
    """Of those that it played: none is about time, of which docs/earsim-bench-2.md has a sample."""
    told = [scenario["provenance"]["difficulty"]["won_by"] for scenario in scenarios(name)]
    played = [bool(won_by) for won_by in told if won_by is not None]
    assert len(played) >= 0.75 * len(told)
    assert 0 < sum(played) <= 0.1 * len(played)


def test_nothing_is_described_by_a_verb_that_takes_it_off_again():
    """Who is to fetch something to unseal things with does not think of the tape."""
    puts_on, described = {"unseal": "seal", "unwrap": "wrap"}, 0
    for name in SIZES:
        for scenario in scenarios(name):
            task, things = scenario["task"], scenario["scene"]["objects"]
            provides = {thing["id"]: thing.get("provides", []) for thing in things}
            for reference, selector in task.get("select", {}).items():
                verb = selector.get("only", {}).get("provides")
                described += verb is not None
                assert puts_on.get(verb) not in provides.get(
                    task.get("answer", {}).get(reference), []
                )
    assert described > 200


def test_domains_and_names_are_held_out_of_ordinary_scenes(recipe: BenchmarkRecipe):
    scenes = {
        name: [s["scene"] for s in scenarios(name) if "family" not in s["provenance"]]
        for name in recipe.parts
    }
    domains = {name: {scene["domain"] for scene in found} for name, found in scenes.items()}
    assert domains["earsim-bench-2-domain"] == set(recipe.held_out)
    assert domains["earsim-bench-2"].isdisjoint(recipe.held_out)
    names = {
        name: {thing["name"] for scene in found for thing in scene["objects"]}
        for name, found in scenes.items()
    }
    others = names["earsim-bench-2"] | names["earsim-bench-2-domain"]
    assert names["earsim-bench-2-vocabulary"].isdisjoint(others)


def test_mini_has_the_proportions_of_the_whole():
    mini, whole = (
        Counter(map(kind, scenarios(name))) for name in ("earsim-bench-2-mini", "earsim-bench-2")
    )
    assert all(
        abs(mini[each] - whole[each] * SIZES["earsim-bench-2-mini"] / SIZES["earsim-bench-2"]) < 1
        for each in whole
    )


def test_mini_is_a_part():
    assert set(unpacked(FOLDER, "earsim-bench-2-mini").splitlines()) < set(
        unpacked(FOLDER, "earsim-bench-2").splitlines()
    )


def test_most_instructions_are_in_other_words(recipe: BenchmarkRecipe):
    """All of them where language is the point; nine in ten otherwise."""
    words = paraphrases_in(PARAPHRASES, recipe)
    for name, size in SIZES.items():
        told = [s for s in scenarios(name) if "paraphrase" in s["provenance"]]
        assert len(told) >= size * (1.0 if name == "earsim-bench-2-language" else 0.9)
        if name in words:
            kept = {s["id"]: s["task"]["instruction"] for s in told}
            assert kept.items() <= words[name].instructions.items()


def test_what_is_needed_is_called_by_no_name():
    """Five things in each text of `-language`, each of another set of rivals that lie about."""
    sets = [{name.casefold() for name in names} for names in rivals()]
    for scenario in scenarios("earsim-bench-2-language"):
        names = {thing["id"]: thing["name"].casefold() for thing in scenario["scene"]["objects"]}
        count = Counter(names.values())
        put = [part["at"] for part in scenario["task"]["goal"]["all"] if "at" in part]
        needed = [
            names[each["object"]]
            for each in put
            if not each["object"].startswith("$") and count[names[each["object"]]] == 1
        ]
        assert len(needed) == 5
        text = scenario["task"]["instruction"].casefold()
        for name in needed:
            assert re.search(rf"\b{re.escape(name)}\b", text) is None
            assert any(name in names_of and len(names_of & {*count}) > RIVALS for names_of in sets)


@pytest.mark.parametrize("name", SIZES)
def test_each_has_a_certificate(name: str):
    proofs = [json.loads(line) for line in certificates(FOLDER, name)]
    assert [proof["scenario_id"] for proof in proofs] == list(open_suite(name).ids)
    for proof, scenario in zip(proofs, scenarios(name), strict=True):
        claimed = scenario["task"].get("right_claim", "done")
        if claimed == "done":
            assert proof["solution"]["found"] == "plan"
        else:
            assert (proof["claim"]["claim"], proof["claim"]["shown"]) == (claimed, "proved")


@pytest.mark.parametrize("name", ["earsim-bench-2", "earsim-bench-2-talk"])
def test_what_a_team_needs_at_least_is_proved_to_most_of_its_plan(name: str):
    proofs = [json.loads(line) for line in certificates(FOLDER, name)]
    proofs = [p for p in proofs if p["category"] == "implicit_collaboration" and "claim" not in p]
    plans = [proof["solution"] for proof in proofs]
    assert median(plan["bound"] / len(plan["plan"]) for plan in plans) >= 0.8


@pytest.mark.slow
def test_certificates_replay():
    assert_sound(FOLDER, "earsim-bench-2-mini")


@pytest.mark.slow
@pytest.mark.parametrize(
    "split",
    [
        Split.TEST,
        Split.TEST_VOCABULARY,
        Split.TEST_TIME,
        Split.TEST_TALK,
        Split.TEST_LANGUAGE,
        Split.TEST_DECLINED,
        Split.TEST_TALK_DECLINED,
        Split.TEST_LANGUAGE_DECLINED,
    ],
)
def test_a_sample_is_made_again_byte_for_byte(split: Split, recipe: BenchmarkRecipe):
    assert_made_again(FOLDER, recipe, split, 7, paraphrases_in(PARAPHRASES, recipe))


def test_the_record_tells_the_digests_and_every_scenario_bears_the_canary(recipe: BenchmarkRecipe):
    assert_recorded(FOLDER, recipe, SIZES)


def test_it_is_small_enough_to_be_carried_along():
    assert size_of(FOLDER) <= MOST_BYTES
