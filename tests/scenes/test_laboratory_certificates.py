"""Certificates of the suite `laboratory`: about the tasks as they are, true, claiming no more."""

from pathlib import Path

import pytest

from earsim import Engine, open_suite
from earsim.certificates.file import CertificateFile
from earsim.certificates.validation import check_suite
from earsim.planner.laboratory.numeric import LEAST_MARGIN
from earsim.planner.proofs.certificate import recheck
from earsim.planner.proofs.claims import ask, reached_after
from earsim.schema.certificate import Certificate, LabelProof, NumericRecord
from earsim.schema.goal import MeasuredFact, SubmittedFact
from earsim.schema.goal_tree import leaves
from tests.scenes.test_laboratory import CODED, marks_of

FILE = CertificateFile(Path(__file__).parents[2] / "scenes" / "laboratory" / "certificates.jsonl")
SUITE = open_suite("laboratory")
IDS = list(SUITE.ids)
FLOWS = ("around_a_cylinder", "the_city_block", "before_it_blows_up", "one_attends_one_fetches")
"""Plans with a run that takes half a second or more."""

EACH = [
    pytest.param(id_, marks=[pytest.mark.slow] if id_.endswith(FLOWS) else marks_of(id_), id=id_)
    for id_ in IDS
]
BY_THE_AUTHOR = {
    "control_lab/one_stays_with_the_ball",
    "control_lab/stop_it_and_mend_it",
    "shock_hall/one_shot_at_lax",
    "shock_hall/the_driver_bottle",
    "shock_hall/two_tubes_at_once",
    *(id_ for id_ in IDS if id_.startswith((*CODED, "reading_room/"))),
    "wet_bench/clear_the_lysate",
    "wet_bench/purify_the_protein",
    "wet_bench/transform_the_cells",
}
"""Where the walkthrough takes fewer decisions than the plan that was found, or code is executed."""


WORKED_OUT = (
    *("nearer", "per_ml", "mol_per_l"),
    *("distance", "percent", "mm", "metres", "mwh", "bits", "temperature", "kms"),
    *("metal", "ratio", "answer"),
)
"""Answers that follow from results, and are none themselves."""


def certificate(scenario_id: str) -> Certificate:
    found = FILE.latest(scenario_id, "physical")
    assert found is not None, scenario_id
    return found


def numbers(scenario_id: str) -> tuple[NumericRecord, ...]:
    return certificate(scenario_id).solution.numeric


@pytest.mark.parametrize("scenario_id", IDS)
def test_a_certificate_holds_a_plan_within_the_budget(scenario_id: str):
    found = certificate(scenario_id)
    assert found.solution.found == "plan"
    assert len(found.solution.plan) <= found.budget
    assert found.solution.seconds is not None


@pytest.mark.slow
@pytest.mark.parametrize("scenario_id", EACH)
def test_a_plan_ends_where_the_goal_is_reached(scenario_id: str):
    engine, solution = Engine(SUITE.load(scenario_id)), certificate(scenario_id).solution
    short = solution.model_copy(update={"plan": solution.plan[:-1]})
    assert reached_after(engine, short) is None


@pytest.mark.parametrize("scenario_id", IDS)
def test_no_category_promises_what_is_not_proved(scenario_id: str):
    found = certificate(scenario_id)
    assert found.category is SUITE.load(scenario_id).task.category
    assert found.label in (LabelProof.PROVED, LabelProof.NOTHING_PROMISED)


@pytest.mark.parametrize("scenario_id", IDS)
def test_what_is_impossible_is_so_by_the_rules_of_the_world(scenario_id: str):
    """No number is ever the reason: only loads, hands and tools."""
    for proof in certificate(scenario_id).necessity:
        for search in proof.searches:
            assert (search.found, search.method) == ("impossible", "rules")
            assert search.why in ("no_provider", "not_together", "too_heavy")
            assert search.numeric == ()


@pytest.mark.parametrize(
    "scenario_id",
    ["control_lab/two_at_the_buttons", "heat_bay/good_to_a_percent", "heat_bay/the_slab"],
)
def test_what_is_impossible_is_found_again(scenario_id: str):
    engine, found = Engine(SUITE.load(scenario_id)), certificate(scenario_id)
    searches = [search for proof in found.necessity for search in proof.searches]
    assert searches
    assert [ask(engine, each.question, nodes=found.node_limit) for each in searches] == searches


def test_nothing_is_claimed_of_shorter_plans():
    assert {certificate(id_).solution.least for id_ in IDS} == {False}
    assert {certificate(id_).solution.bound for id_ in IDS} == {1}


@pytest.mark.parametrize("scenario_id", IDS)
def test_every_number_of_a_goal_has_a_claim_that_keeps_its_margin(scenario_id: str):
    task, claims = SUITE.load(scenario_id).task, numbers(scenario_id)
    shown = {(claim.apparatus, name) for claim in claims for name in claim.best}
    answers = {name for _, name in shown}
    for _, fact in leaves(task.goal, denied=False):
        if isinstance(fact, MeasuredFact):
            assert (fact.apparatus, fact.result) in shown
        elif isinstance(fact, SubmittedFact) and fact.name not in WORKED_OUT:
            assert fact.name in answers
    assert all(claim.margin is None or claim.margin >= LEAST_MARGIN for claim in claims)


@pytest.mark.parametrize("scenario_id", IDS)
def test_a_claim_says_how_it_was_found_and_among_what(scenario_id: str):
    models = {
        thing.id: thing.apparatus.model
        for thing in SUITE.load(scenario_id).scene.objects
        if thing.apparatus is not None
    }
    for claim in numbers(scenario_id):
        assert claim.model == models[claim.apparatus]
        if claim.method in ("run", "as it is"):
            assert (claim.grid, claim.evaluated) == ("", 1)
        elif claim.method != "textbook tuning":
            assert claim.grid
            assert claim.evaluated > 1


def test_where_the_author_s_plan_is_shorter_its_own_runs_are_the_numbers():
    assert {id_ for id_ in IDS if certificate(id_).solution.method != "search"} == BY_THE_AUTHOR
    for id_ in BY_THE_AUTHOR:
        assert all(claim.method == "run" for claim in numbers(id_))


@pytest.mark.parametrize(
    ("scenario_id", "name"),
    [("heat_bay/the_slab", "error"), ("heat_bay/what_flows_through_brick", "flux")],
)
def test_a_false_number_is_found_out(scenario_id: str, name: str):
    found = certificate(scenario_id)
    (claim,) = found.solution.numeric
    false = claim.model_copy(update={"best": {name: claim.best[name] * (1 + 1e-6)}})
    solution = found.solution.model_copy(update={"numeric": (false,)})
    spoilt = found.model_copy(update={"solution": solution})
    (finding,) = recheck(spoilt, SUITE.load(scenario_id))
    assert finding.place == "certificate.solution"


@pytest.mark.slow
def test_validation_finds_each_current_and_true():
    checked = list(check_suite(SUITE, [FILE]))
    assert len(FILE) == len(checked) == len(IDS)
    assert all(one.certified and not one.stale and not one.findings for one in checked)
