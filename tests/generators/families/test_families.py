"""Families: scenes about processes whose tasks are possible, and not for those who only wait."""

import re
from functools import cache
from itertools import islice
from random import Random

import pytest

from earsim import Engine, Episode
from earsim.planner.proofs.certificate import recheck
from earsim.schema.certificate import LabelProof
from earsim.schema.files.document import Document
from earsim.schema.files.load import validated
from earsim.schema.scenario import SceneFile
from earsim_generators import GenerationSettings, generate
from earsim_generators.families import FAMILIES
from earsim_generators.presets import PRESETS
from earsim_generators.suites.family_worker import wins_by_waiting

OVER_TIME = PRESETS["time"].families
WAITING = [name for name in OVER_TIME if name != "mix"]
"""Families whose plans let time pass; what is mixed is done at once."""


@cache
def made(family, count=2, seed=9):
    settings = GenerationSettings(seed=seed, families=(family,))
    return tuple(islice(generate(settings), count))


def won(scenario, commands):
    episode = Episode(Engine(scenario))
    (agent,) = episode.agents
    for command in commands:
        episode.step({agent: command})
    return episode.success


def plan_of(one):
    (agent,) = one.scenario.agents
    return [decision[agent.id] for decision in one.certificate.solution.plan]


def with_longest_wait(plan, factor):
    waits = [(int(c.split()[1]), i) for i, c in enumerate(plan) if re.fullmatch(r"WAIT \d+", c)]
    seconds, index = max(waits)
    longer, left = [], round(seconds * factor)
    while left > 0:
        longer.append(f"WAIT {min(left, 3600)}")
        left -= 3600
    return [*plan[:index], *longer, *plan[index + 1 :]]


@pytest.mark.slow
@pytest.mark.parametrize("family", OVER_TIME)
def test_every_task_has_a_proved_plan_and_says_what_is_to_be_done(family):
    for one in made(family):
        scenario, certificate = one.scenario, one.certificate
        assert not list(recheck(certificate, scenario))
        assert certificate.solution.found == "plan"
        assert certificate.label is not LabelProof.NOT_PROVED
        assert len(certificate.solution.plan) <= 0.6 * certificate.budget
        assert won(scenario, plan_of(one))
        said = Engine(scenario).instruction
        assert "{" not in said
        assert "minute" in said
        assert scenario.provenance["family"] == family
        assert scenario.provenance["level"] in ("easy", "medium", "hard")


@pytest.mark.slow
@pytest.mark.parametrize("family", OVER_TIME)
def test_nobody_wins_by_waiting(family):
    for one in made(family):
        engine = Engine(one.scenario)
        assert not any(wins_by_waiting(engine, f"WAIT {n}") for n in (10, 60, 600, 3600))


@pytest.mark.parametrize("family", WAITING)
def test_no_round_number_of_seconds_will_do(family):
    for one in made(family):
        for seconds in (60, 600, 3600):
            commands = [
                f"WAIT {seconds}" if each.startswith("WAIT") else each for each in plan_of(one)
            ]
            assert not won(one.scenario, commands)


@pytest.mark.parametrize("family", OVER_TIME)
def test_nobody_wins_by_chance(family):
    for one in made(family):
        episode, rng = Episode(Engine(one.scenario), end_on="goal"), Random(one.id)
        (agent,) = episode.agents
        while not (episode.over or episode.truncated):
            commands = [each for each in episode.admissible(agent) if each != "DONE"]
            episode.step({agent: rng.choice(commands)})
        assert not episode.verdict.ever


@pytest.mark.parametrize("family", WAITING)
@pytest.mark.parametrize("factor", [0.4, 2.5])
def test_a_wait_that_is_far_too_short_or_long_loses(family, factor):
    for one in made(family):
        assert not won(one.scenario, with_longest_wait(plan_of(one), factor))


@pytest.mark.parametrize("family", OVER_TIME)
def test_the_same_seed_makes_the_same_documents_and_another_one_others(family):
    draw = FAMILIES[family]
    assert draw(Random("a"), "medium") == draw(Random("a"), "medium")
    assert draw(Random("a"), "medium") != draw(Random("b"), "medium")


def test_harder_scenes_have_more_rooms_and_tighter_deadlines():
    drawn = [FAMILIES["charge"](Random(7), level) for level in ("easy", "medium", "hard")]
    rooms = [len(document["rooms"]) for document in drawn]
    assert rooms == sorted(rooms)
    assert rooms[0] < rooms[-1]
    for document, most in zip(drawn, (15, 10, 6), strict=True):
        (charged,) = [
            part["quantity"] for part in document["tasks"][0]["goal"]["all"] if "quantity" in part
        ]
        assert charged["at_most"] - charged["at_least"] == most


@pytest.mark.parametrize("family", ["heat", "flow", "charge", "drying", "mix"])
def test_which_of_the_lookalikes_is_meant_does_not_show_in_its_id(family):
    endings = set()
    for seed in range(12):
        document = Document("drawn", FAMILIES[family](Random(seed), "easy"))
        (scenario,) = validated(document, SceneFile).scenarios()
        (answer,) = Engine(scenario).task.answer.values()
        endings.add(answer.rpartition("_")[2] if answer[-1].isdigit() else "1")
    assert endings == {"1", "2", "3"}
