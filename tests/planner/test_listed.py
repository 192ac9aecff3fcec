"""Every step of a certified plan is in the list of the agent that gives it."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from earsim import Engine, Episode, open_suite
from earsim.schema import Scenario
from earsim.schema.certificate import Certificate

SCENES = Path(__file__).parents[2] / "scenes"


def certificates(suite: str) -> Iterator[Certificate]:
    file = SCENES / "starter" / "certificates.jsonl"
    if suite != "starter":
        file = SCENES / "earsim-bench" / f"{suite}.certificates.jsonl"
    for line in file.read_text(encoding="utf-8").splitlines():
        yield Certificate.model_validate_json(line)


def plans(certificate: Certificate) -> Iterator[Sequence[Mapping[str, str]]]:
    """The plans that are played in the scenario as it is."""
    for search in (certificate.solution, certificate.informed):
        if search is not None and search.found == "plan":
            yield search.plan


def unlisted(scenario: Scenario, plan: Sequence[Mapping[str, str]]) -> Iterator[str]:
    """The commands that are not in the list of their agent when its turn comes.

    Agents act in file order, and a plan may use what a colleague did before in the same decision.
    """
    episode = Episode(Engine(scenario), budget=10**6)
    for decision in plan:
        turn, before = episode, {}
        for agent in episode.agents:
            if agent not in decision:
                continue
            command = decision[agent].partition("\n")[0]
            if command not in turn.admissible(agent):
                yield f"{scenario.id}: {agent}: {command}"
            before[agent] = decision[agent]
            turn = episode.fork()
            turn.step(before)
        episode.step(decision)


def check(suite: str) -> int:
    """How many plans of a suite there are; each of their steps is listed."""
    opened, seen = open_suite(suite), 0
    for certificate in certificates(suite):
        scenario = opened.load(certificate.scenario_id)
        for plan in plans(certificate):
            assert list(unlisted(scenario, plan)) == []
            seen += 1
    return seen


@pytest.mark.slow
@pytest.mark.parametrize(("suite", "least"), [("starter", 95), ("earsim-bench-mini", 140)])
def test_certified_plans_are_listed(suite, least):
    assert check(suite) >= least


@pytest.mark.slow
@pytest.mark.parametrize("part", ["", "-vocabulary", "-domain"])
def test_all_certified_plans_are_listed(part):
    assert check(f"earsim-bench{part}") >= 700


def test_a_command_that_its_agent_cannot_expect_to_work_is_told():
    scenario = open_suite("starter").load("bicycle_workshop/guest_book_to_the_bench")
    assert list(unlisted(scenario, [{"tomas": "EXPLORE"}, {"tomas": "GRAB guest_book"}])) != []
