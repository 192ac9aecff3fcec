"""From rows to what the metrics count: outcomes, verdicts, usage and groups of episodes."""

import pytest

from earsim.errors import UsageError
from earsim.evaluation.metrics.counters import counted
from earsim.evaluation.metrics.episode import RoleUsage
from earsim.evaluation.metrics.measurement import by_category, groups, measurements
from earsim.evaluation.metrics.registry import METRICS
from earsim.evaluation.metrics.results_group import (
    ResultsGroup,
    by_ruleset,
    labelled,
    read_groups,
)
from earsim.evaluation.metrics.suite_lookup import SuiteLookup
from earsim.evaluation.runs.run_config import run_configs_of
from earsim.evaluation.runs.sweep import Price, Sweep
from earsim.evaluation.store.database import Store
from earsim.evaluation.store.manifest import new_manifest, save_manifest
from earsim.evaluation.store.rows import CallRow, EpisodeRow, StepRow
from earsim.evaluation.summary import wilson
from earsim.schema import Scenario
from earsim.suites import open_suite
from earsim.suites.ear_suite import EarBenchSuite
from earsim.suites.repair import Repair, RepairKind
from tests.evaluation.runs import call, episode, outcome, recorded, row
from tests.evaluation.test_failure_modes import SCENARIOS, SHOWN

NOWHERE = SuiteLookup("no such suite")


def steps(*decisions):
    """Decisions of several outcomes each; None for a reply that could not be read."""
    return [
        StepRow("e", number, None if each is None else {"eva": "X"}, tuple(each or ()), "d", 0.0)
        for number, each in enumerate(decisions)
    ]


def calls(*changes):
    fields = CallRow._fields[1:]
    facts = [call(**each) for each in changes]
    return [CallRow("e", *(getattr(each, name, None) for name in fields)) for each in facts]


def usage(*changes, price=None):
    return counted(row(), [], calls(*changes), library=NOWHERE, price=price).usage


@pytest.mark.slow
def test_commands_are_counted_by_what_became_of_them():
    refused = [outcome("GRAB cup", "not_near"), outcome("OPEN box", "locked")]
    played = steps([outcome("EXPLORE")], None, refused, [outcome("GRAB cup", "not_near")])
    found = counted(row(decisions=4), played, (), library=NOWHERE)
    assert (found.commands, found.accepted, found.unread) == (4, 1, 1)
    assert found.rejections == {"not_near": 2, "locked": 1}
    assert (found.level, found.category, found.repeat) == ("one agent, L1", "direct_command", 0)


LATCHED = {"success_latched": True, "success_final": False}
FINAL = {"success_latched": False, "success_final": True}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "succeeded"),
    [
        ({**LATCHED, "ruleset": "ear-bench/1"}, True),
        ({**FINAL, "ruleset": "ear-bench/1"}, False),
        ({**LATCHED, "ruleset": "physical/2"}, False),
        ({**FINAL, "ruleset": "physical/2"}, True),
        ({"ruleset": "homemade/1", "outcome": "success"}, True),
        ({"ruleset": "homemade/1", "outcome": "failure"}, False),
        ({**FINAL, "outcome": "no_measurement"}, False),
    ],
)
def test_the_verdict_is_the_one_that_the_rules_publish(changes, succeeded):
    found = counted(row(**changes), [], (), library=NOWHERE)
    assert found.succeeded is succeeded
    assert found.measured is (changes.get("outcome") != "no_measurement")


def test_what_the_suite_knows_is_not_known_without_it():
    found = counted(row(category="", level=None), [], (), library=NOWHERE)
    assert (found.plan, found.loads_in_reference, found.modes) == (None, None, None)
    assert (found.category, found.level) == ("unknown", "unknown")


def test_calls_add_up_by_role():
    price = Price(input=2.0, output=10.0, cached_input=1.0)
    more = {"prompt_tokens": 50, "completion_tokens": 5, "cached_tokens": 20, "attempts": 3}
    found = usage({}, more, {"role": "judge", "attempts": 2}, price=price)
    cost = (100 * 2 + 10 * 10 + 30 * 2 + 20 * 1 + 5 * 10) / 1e6
    assert found["llm"] == RoleUsage(2, 150, 15, 20, 0, 2, pytest.approx(cost))
    assert found["judge"] == RoleUsage(1, 100, 10, 0, 0, 1, pytest.approx(300 / 1e6))
    assert usage({}, more)["llm"].cost is None


def test_what_costs_nothing_has_a_cost_of_nothing():
    free = Price(input=0.0, output=0.0)
    assert usage({}, {}, price=free)["llm"].cost == 0
    assert usage({}, {}, price=Price(input=1e6, output=0.0))["llm"].cost == 200
    assert usage({"attempts": 0})["llm"].retries == 0


class Here(SuiteLookup):
    """A suite of one scenario."""

    def __init__(self, scenario: Scenario) -> None:
        super().__init__("no such suite")
        self._scenario = scenario

    def scenario(self, row: EpisodeRow) -> Scenario | None:
        return self._scenario if row.scenario_hash == self._scenario.hash else None


@pytest.mark.slow
def test_modes_are_those_of_failures_that_replay():
    failed = SHOWN["gave_up"]
    here = Here(SCENARIOS["light"])

    def modes(**changes):
        return counted(failed.row._replace(**changes), failed.steps, (), library=here).modes

    assert modes() == ("gave_up",)
    assert modes(success_final=True) is None
    assert modes(outcome="no_measurement") is None
    assert modes(scenario_hash="x") is None
    assert modes(ruleset="physical/99") is None


@pytest.mark.parametrize("field", ["prompt_tokens", "completion_tokens"])
@pytest.mark.parametrize("order", [1, -1])
def test_a_call_without_counts_is_told_and_has_no_cost(field, order):
    found = usage(*[{field: None}, {}][::order], price=Price(input=1.0, output=1.0))["llm"]
    assert (found.calls, found.untold, found.cost) == (2, 1, None)
    assert found.tokens == 220 - (100 if field == "prompt_tokens" else 10)


def test_groups_are_all_then_categories_levels_and_suites():
    found = [
        episode("a", category="unknown", level="unknown"),
        episode("b", category="tool_use", level="one agent, L2", suite="other"),
        episode("c"),
        episode("d", category="cooking"),
    ]
    assert {key: [each.scenario_id for each in those] for key, those in groups(found).items()} == {
        ("all", "all"): ["a", "b", "c", "d"],
        ("category", "direct_command"): ["c"],
        ("category", "tool_use"): ["b"],
        ("category", "unknown"): ["a"],
        ("level", "one agent, L1"): ["c", "d"],
        ("level", "one agent, L2"): ["b"],
        ("level", "unknown"): ["a"],
        ("suite", "other"): ["b"],
        ("suite", "starter"): ["a", "c", "d"],
    }
    assert list(by_category(found)) == ["direct_command", "tool_use", "unknown"]
    assert next(iter(groups(found))) == ("all", "all")


def group_of(*episodes, **changes):
    facts = {
        "label": "m chat",
        "run": "runs/one",
        "cells": ("m",),
        "asked": ("starter",),
        "version": "0.1.0",
        **dict.fromkeys(("policy", "model", "style", "knowledge", "identity"), ""),
        **changes,
    }
    return ResultsGroup(**facts, episodes=episodes)


def test_a_measurement_can_be_read_alone():
    refused = episode("b", commands=2, rejections={"not_near": 1})
    found = list(measurements([group_of(episode("a", won=True), refused)]))
    assert {each.metric for each in found} == set(METRICS)
    assert {(each.group, each.value_of) for each in found} == set(groups([episode()]))
    first = found[0]
    assert first == (
        *("measured", "m chat", "runs/one", "0.1.0", "physical/2", "all", "all", "success", ""),
        *(0.5, *wilson(1, 2), 2, "share"),
    )


def test_labels_say_no_more_than_tells_groups_apart():
    def labels(*found):
        return [each.label for each in labelled(found)]

    plain, other = group_of(episode()), group_of(episode(suite="hut"))
    older = group_of(episode(ruleset="physical/0"))
    assert labels(plain, group_of(episode(), label="n")) == ["m chat", "n"]
    assert labels(plain, other) == ["m chat on starter", "m chat on hut"]
    assert labels(plain, older) == ["m chat under physical/2", "m chat under physical/0"]
    assert labels(plain, group_of(run="runs/two")) == ["m chat on starter", "m chat on "]
    assert labels(plain, group_of(episode(), run="runs/two")) == ["m chat [one]", "m chat [two]"]
    assert labels(plain, plain, plain) == ["m chat", "m chat #2", "m chat #3"]


def test_episodes_are_apart_by_rules_and_the_unplayed_go_with_their_suite():
    one, two = episode("a", ruleset="r/1"), episode("b", ruleset="r/2", suite="hut")
    lost, lost_two = episode("c", ruleset=""), episode("d", ruleset="", suite="hut")
    stray = episode("e", ruleset="", suite="barn")
    assert by_ruleset([one, two, lost_two, lost]) == [[one, lost], [two, lost_two]]
    assert by_ruleset([one, stray]) == [[one, stray]]
    assert by_ruleset([one, two, stray]) == [[one], [two], [stray]]
    assert by_ruleset([]) == []


def test_a_suite_that_is_not_at_hand_knows_nothing():
    assert NOWHERE.scenario(row()) is None
    assert NOWHERE.solution(row()) is None
    assert NOWHERE.plan(row()) is None
    assert NOWHERE.loads_in_reference(row()) is None


def test_a_suite_at_hand_knows_its_scenarios_and_plans():
    suite = open_suite("starter")
    scenario = suite.load(suite.ids[0])
    here = SuiteLookup("starter")
    told = row(scenario.id, scenario_hash=scenario.hash)
    assert here.scenario(told) == scenario
    assert here.scenario(told._replace(scenario_hash="x")) is None
    assert here.scenario(row("no such one")) is None
    plan = here.plan(told)
    assert plan is not None
    assert plan == len(here.solution(told).plan)
    assert here.plan(told._replace(scenario_hash="x")) is None
    assert here.plan(told._replace(ruleset="physical/0")) is None
    assert here.plan(told._replace(ruleset="ear-bench/1")) != plan
    assert here.loads_in_reference(told) is None


def test_a_group_played_on_one_scenario_is_named_by_it():
    asked = {"asked": ("scenes/hut/lamp",)}
    assert group_of(episode("hut/lamp"), **asked).played_on == ("hut/lamp",)
    assert group_of(episode("hut/crate"), **asked).played_on == ("starter",)
    assert group_of(episode("hut/lamp"), episode("hut/crate"), **asked).played_on == ("starter",)
    assert group_of(**asked).played_on == ()


def test_the_two_parts_of_ear_bench_are_one_group_and_nothing_else_is(tmp_path):
    suites = ["eval-single", "eval-multi", "starter"]
    models = [{"policy": "llm", "options": {"model": "m", "base_url": "http://h"}}]
    made = Sweep.model_validate({"models": models, "styles": ["chat", "paper"], "suites": suites})
    cells = run_configs_of(made)
    save_manifest(new_manifest(made, cells, {cell.name: 1 for cell in cells}), tmp_path)
    with Store.open(tmp_path) as store:
        for cell in cells:
            told = row(suite=cell.suite, episode=f"{cell.name}/a/0", cell=cell.name)
            store.add(recorded(told))
    found = read_groups([tmp_path])
    assert [(each.style, each.asked) for each in found] == [
        ("chat", ("eval-single", "eval-multi")),
        ("paper", ("eval-single", "eval-multi")),
        ("chat", ("starter",)),
        ("paper", ("starter",)),
    ]
    assert {each.model for each in found} == {"m"}
    assert [len(each.episodes) for each in found] == [2, 2, 1, 1]
    assert {each.run for each in found} == {str(tmp_path)}


class Mended(EarBenchSuite):
    """A suite whose files were mended in one way."""

    def __init__(self, kind: RepairKind) -> None:
        self.kind = kind

    def repairs(self, scenario_id: str) -> tuple[Repair, ...]:
        if scenario_id == "broken":
            raise UsageError("cannot be read")
        return (Repair(self.kind, "object", "note"),)


REFUSED = {"size limit", "hand limit", "mass limit", "missing mass"}


@pytest.mark.parametrize("kind", RepairKind)
def test_files_that_the_reference_refuses_are_those_mended_so(monkeypatch, kind):
    monkeypatch.setattr(SuiteLookup, "_suite", Mended(kind))
    here = SuiteLookup("eval-single")
    assert here.loads_in_reference(row("a")) is (kind.value not in REFUSED)
    assert here.loads_in_reference(row("broken")) is False
