"""Tasks whose right answer is that they are impossible, or unclear."""

from __future__ import annotations

import json
from typing import Any

import pytest

from earsim.certificates.validation import check_scenario, check_suite
from earsim.engine import Engine
from earsim.episode import Episode
from earsim.errors import FileError
from earsim.evaluation.policies import make_policy
from earsim.evaluation.runner import play
from earsim.planner.acting.expert import Expert
from earsim.planner.acting.oracle import Oracle
from earsim.planner.proofs.certificate import certify, recheck
from earsim.planner.proofs.claims import AS_IT_IS, ask, reached_after
from earsim.planner.proofs.declining import ask_about_reading
from earsim.schema import Scenario, parse
from earsim.schema.certificate import ClaimShown
from earsim.suites import open_suite

HOUSE = """\
schema: earsim.scene/1
id: house
rooms: [{id: hall, connects: [attic]}, {id: attic}, {id: vault}]
doors:
  - {id: gate, between: [hall, vault], key: key, states: {is_open: false, is_locked: true}}
objects:
  - {id: table, kind: furniture, in: hall, mass_kg: 60}
  - {id: red_cup, name: Cup, kind: item, in: hall, mass_kg: 1}
  - {id: blue_cup, name: Cup, kind: item, in: attic, mass_kg: 1}
  - {id: key, kind: item, in: vault, mass_kg: 1}
abilities: [open, unlock]
tasks:
  - {id: do, category: direct_command, agents: AGENTS, goal: GOAL, instruction: Do it., MORE}
"""
ADA = "[{id: ada, max_mass_kg: 20}]"
PAIR = "[{id: ada, max_mass_kg: 20}, {id: bo, max_mass_kg: 20}]"
RED, BLUE = ({"at": {"object": f"{colour}_cup", "on": "table"}} for colour in ("red", "blue"))
KEY = {"at": {"object": "key", "on": "table"}}
BOTH = {"all": [RED, BLUE]}


def text(goal: Any, right: str | None, *others: Any, agents: str = ADA) -> str:
    more = "" if right is None else f"right_claim: {right}"
    if others:
        more += f", other_readings: {json.dumps(others)}"
    task = HOUSE.replace("GOAL", json.dumps(goal)).replace("AGENTS", agents)
    return task.replace(", MORE", f", {more}" if more else "")


def scenario(goal: Any, right: str | None, *others: Any, agents: str = ADA) -> Scenario:
    (found,) = parse(text(goal, right, *others, agents=agents)).scenarios()
    return found


def end(policy: str, played: Scenario) -> tuple[str, bool]:
    result = play(played, make_policy(policy), name=policy).result
    assert result is not None
    return result.termination, result.success_final


@pytest.mark.parametrize("agents", [ADA, PAIR])
@pytest.mark.parametrize(
    ("policy", "goal", "right", "others", "ends"),
    [
        ("oracle", KEY, "impossible", (), ("reported", True)),
        ("expert", KEY, "impossible", (), ("reported", True)),
        ("oracle", RED, "done", (), ("done", True)),
        ("expert", BLUE, "done", (), ("done", True)),
        ("oracle", RED, "unclear", (BLUE,), ("reported", True)),
        ("expert", RED, "unclear", (BLUE,), ("reported", True)),
    ],
)
def test_who_knows_declines(policy, goal, right, others, ends, agents):
    assert end(policy, scenario(goal, right, *others, agents=agents)) == ends


def test_the_expert_looks_for_what_both_readings_speak_of_before_it_reports():
    engine = Engine(scenario(RED, "unclear", BLUE))
    episode, expert = Episode(engine), Expert(engine)
    told = []
    while not episode.over:
        told.append(expert.decide(episode.world)["ada"])
        expert.note(episode.step({"ada": told[-1]}), episode.world)
    assert told == ["EXPLORE", "GOTO attic", "EXPLORE", "REPORT unclear"]
    assert expert.ended == "unclear"


def test_a_reading_that_speaks_of_what_cannot_be_found_is_none_for_the_expert():
    assert end("expert", scenario(RED, "unclear", KEY)) == ("done", False)


def test_a_reading_that_no_search_reaches_is_reached_part_by_part():
    engine = Engine(scenario(BOTH, "unclear", RED))
    assert ask(engine, AS_IT_IS, nodes=20).found == "unknown"
    found = ask_about_reading(engine, nodes=20)
    assert found.found == "plan"
    assert reached_after(engine, found) == len(found.plan)
    assert ask_about_reading(engine, nodes=1).found == "unknown"


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (
            (
                "EXPLORE",
                "GOTO red_cup",
                "GRAB red_cup",
                "GOTO table",
                "PLACE red_cup on table",
                "DONE",
            ),
            "",
        ),
        (("REPORT unclear",), ""),
        (("EXPLORE", "GOTO red_cup", "GRAB red_cup", "DONE"), "does not win"),
        (("REPORT impossible",), "does not win"),
    ],
)
def test_the_walkthrough_of_an_unclear_task_reports_or_reaches_its_first_reading(said, reason):
    unclear = scenario(RED, "unclear", BLUE)
    task = unclear.task.model_copy(update={"walkthrough": said})
    found = [each.reason for each in check_scenario(unclear.model_copy(update={"task": task}))]
    assert [each.split(":")[0] for each in found] == ([reason] if reason else [])


def test_doing_nothing_is_no_success():
    for right, others in (("impossible", ()), ("unclear", (BLUE,))):
        episode = Episode(Engine(scenario(RED, right, *others)))
        episode.step({"ada": "DONE"})
        assert (episode.over, episode.success) == (True, False)


def test_the_goal_itself_is_no_success_where_a_claim_is_right():
    episode = Episode(Engine(scenario(RED, "unclear", BLUE)))
    for command in (
        "EXPLORE",
        "GOTO red_cup",
        "GRAB red_cup",
        "GOTO table",
        "PLACE red_cup on table",
    ):
        episode.step({"ada": command})
    assert episode.engine.task.goal.holds(episode.world)
    assert not episode.success
    episode.step({"ada": "REPORT unclear"})
    assert episode.success


def test_a_claim_is_copied_digested_and_gone_back_to():
    episode = Episode(Engine(scenario(KEY, "impossible")))
    before = episode.snapshot()
    episode.step({"ada": "REPORT impossible"})
    twin = episode.fork()
    assert (twin.world.claim, twin.success) == ("impossible", True)
    episode.restore(before)
    assert (episode.world.claim, episode.success) == ("", False)


@pytest.mark.parametrize("agents", [ADA, PAIR])
def test_scenes_without_it_list_nothing_new(agents):
    """And nobody who may report is told whether that is right."""
    plain, declinable, done = (
        Episode(Engine(scenario(KEY, right, agents=agents)))
        for right in (None, "impossible", "done")
    )
    assert "REPORT" not in plain.help("ada") + str(plain.admissible("ada"))
    reports = {"REPORT impossible", "REPORT unclear"}
    assert set(declinable.admissible("ada")) - set(plain.admissible("ada")) == reports
    assert declinable.help("ada") == done.help("ada")
    assert declinable.full("ada") == plain.full("ada")


def test_the_structured_form_is_the_same_command():
    engine = Engine(scenario(KEY, "impossible"))
    assert engine.text_of({"verb": "REPORT", "claim": "unclear"}) == "REPORT unclear"
    assert engine.schemas()["REPORT"]["properties"]["claim"]["enum"] == ["impossible", "unclear"]


def test_a_hash_does_not_change_without_it():
    assert scenario(KEY, None).hash != scenario(KEY, "done").hash
    assert "right_claim" not in json.dumps(scenario(KEY, None).model_dump(exclude_defaults=True))


@pytest.mark.parametrize(
    ("goal", "right", "others", "shown"),
    [
        (KEY, "impossible", (), ClaimShown.PROVED),
        (RED, "impossible", (), ClaimShown.REFUTED),
        (RED, "unclear", (BLUE,), ClaimShown.PROVED),
        (RED, "unclear", (BOTH,), ClaimShown.REFUTED),  # who does both has done the one
        (BOTH, "unclear", (RED,), ClaimShown.REFUTED),
        (RED, "unclear", (KEY,), ClaimShown.REFUTED),  # so it is the red one
    ],
)
def test_proofs(goal, right, others, shown):
    asked = scenario(goal, right, *others)
    proof = certify(asked).claim
    assert proof is not None
    assert proof.shown is shown
    said = [finding.place for finding in recheck(certify(asked), asked)]
    assert said == ([] if shown is ClaimShown.PROVED else ["certificate.claim"])


def test_a_proof_of_something_else_is_found():
    asked = scenario(RED, "unclear", BLUE)
    found = certify(asked)
    assert found.claim is not None
    stolen = found.claim.model_copy(update={"others": (found.solution,)})
    wrong = [stolen, None]
    for claim in wrong:
        broken = found.model_copy(update={"claim": claim})
        assert [each.place for each in recheck(broken, asked)] == ["certificate.claim"]


def test_where_everything_can_be_done_there_is_no_such_proof():
    assert certify(scenario(RED, "done")).claim is None


@pytest.mark.parametrize(
    ("goal", "right", "others", "prove", "told"),
    [
        (KEY, "impossible", (), False, "warning: nothing shows that 'impossible' is right"),
        (KEY, "impossible", (), True, ""),
        (RED, "impossible", (), True, "finding: 'impossible' is not the right claim"),
        (RED, "unclear", (BLUE,), True, ""),
        (RED, "unclear", (BOTH,), True, "finding: 'unclear' is not the right claim"),
    ],
)
def test_validate(goal, right, others, prove, told, tmp_path):
    (tmp_path / "house.yaml").write_text(text(goal, right, *others), encoding="utf-8")
    (checked,) = check_suite(open_suite(str(tmp_path)), prove=prove)
    said = [f"finding: {each.reason}" for each in checked.findings]
    said += [f"warning: {each.reason}" for each in checked.warnings]
    assert [each for each in said if "vault" not in each] == ([told] if told else [])


def test_rules_without_the_verb_are_a_finding():
    published = scenario(KEY, "impossible").model_copy(update={"ruleset": "ear-bench"})
    assert [each.place for each in check_scenario(published)] == ["task.right_claim"]


def test_a_reading_that_is_so_already_is_a_finding():
    there = {"inside_room": {"object": "red_cup", "room": "hall"}}
    places = [each.place for each in check_scenario(scenario(RED, "unclear", there))]
    assert places == ["task.other_readings[0]"]


@pytest.mark.parametrize("right", ["done", "impossible", "unclear"])
def test_other_readings_are_those_of_an_unclear_task(right):
    others = () if right == "unclear" else (BLUE,)
    with pytest.raises(FileError, match="go together"):
        scenario(RED, right, *others)


def test_an_expert_that_has_not_looked_everywhere_claims_nothing():
    """The cup in the attic is not known at first, and may be anywhere."""
    engine = Engine(scenario(BLUE, "done"))
    assert Expert(engine).decide(engine.start()) != {"ada": "REPORT impossible"}
    assert Oracle(engine).decide(engine.start()) != {"ada": "REPORT impossible"}
