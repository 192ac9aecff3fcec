"""The certificates of the suite `time`: about the tasks as they are, true, claiming no more."""

from pathlib import Path

import pytest

from earsim import Engine, Episode, open_suite
from earsim.certificates.file import CertificateFile
from earsim.certificates.validation import check_suite
from earsim.planner.acting.oracle import Oracle
from earsim.planner.proofs.certificate import recheck, staleness
from earsim.planner.proofs.claims import ask, reached_after
from earsim.planner.timed.waits import MARGIN_MS
from earsim.schema.certificate import Certificate, LabelProof

FILE = CertificateFile(Path(__file__).parents[2] / "scenes" / "time" / "certificates.jsonl")
SUITE = open_suite("time")
IDS = list(SUITE.ids)
TOO_MUCH_FOR_A_SEARCH = {
    "cold_chain/an_hour_in_the_yard",
    "cold_chain/vaccine_for_the_round",
    "tank_farm/rinse_the_low_tank",
}
"""Where the search ends at its limit, and the walkthrough alone shows that it can be done."""


def certificate(scenario_id: str) -> Certificate:
    found = FILE.latest(scenario_id, "physical")
    assert found is not None, scenario_id
    return found


@pytest.mark.slow
@pytest.mark.parametrize("scenario_id", IDS)
def test_a_certificate_is_about_the_task_as_it_is_and_true(scenario_id: str):
    scenario, found = SUITE.load(scenario_id), certificate(scenario_id)
    assert staleness(found, scenario) == ""
    assert list(recheck(found, scenario)) == []
    assert found.solution.found == "plan"
    assert len(found.solution.plan) <= found.budget
    assert found.solution.seconds is not None


@pytest.mark.parametrize("scenario_id", IDS)
def test_a_plan_keeps_its_margin_and_ends_where_the_goal_is_reached(scenario_id: str):
    engine, solution = Engine(SUITE.load(scenario_id)), certificate(scenario_id).solution
    assert solution.margin_ms is not None
    assert solution.margin_ms >= MARGIN_MS
    for plan in ((), solution.plan[:-1]):
        assert reached_after(engine, solution.model_copy(update={"plan": plan})) is None


@pytest.mark.parametrize("scenario_id", IDS)
def test_no_category_promises_what_is_not_proved(scenario_id: str):
    found = certificate(scenario_id)
    assert found.label in (LabelProof.PROVED, LabelProof.NOTHING_PROMISED)


@pytest.mark.parametrize("scenario_id", IDS)
def test_what_is_impossible_is_so_by_the_rules_and_is_found_again_at_once(scenario_id: str):
    engine = Engine(SUITE.load(scenario_id))
    for proof in certificate(scenario_id).necessity:
        if proof.shown.is_proof:
            for search in proof.searches:
                assert (search.found, search.method) == ("impossible", "rules")
                assert ask(engine, search.question, nodes=1) == search


def test_nothing_is_claimed_of_shorter_plans():
    assert {certificate(id_).solution.least for id_ in IDS} == {False}
    assert {certificate(id_).solution.bound for id_ in IDS} == {1}


def test_where_the_search_ends_at_its_limit_the_walkthrough_is_the_plan():
    ended = {id_ for id_ in IDS if certificate(id_).solution.nodes >= certificate(id_).node_limit}
    assert ended == TOO_MUCH_FOR_A_SEARCH
    assert {certificate(id_).solution.method for id_ in ended} == {"walkthrough"}


@pytest.mark.slow
def test_validation_knows_them():
    checked = list(check_suite(SUITE, [FILE]))
    assert len(FILE) == len(checked) == len(IDS)
    assert all(one.certified and not one.stale and not one.findings for one in checked)


@pytest.mark.slow
@pytest.mark.parametrize("scenario_id", IDS)
def test_the_oracle_wins_be_it_by_the_walkthrough(scenario_id: str):
    engine = Engine(SUITE.load(scenario_id))
    episode, player = Episode(engine), Oracle(engine, nodes=300)
    while not (episode.over or episode.truncated):
        episode.step(player.decide(episode.world))
    assert episode.success
