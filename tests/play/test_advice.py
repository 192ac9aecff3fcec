"""`why`: what would help, for the refusals a person meets, and nothing given away."""

import pytest

from earsim.actions.outcome import Reason
from earsim.engine import Engine
from earsim.play.advice import _HELPS, Adviser
from earsim.play.game import Game
from earsim.play.liquid_advice import _HELPS as _LIQUID_HELPS
from earsim.play.session import Session
from earsim.rulesets import RULESETS
from earsim.schema.records.episode_settings import EpisodeSettings
from earsim.suites import open_suite
from tests.play.conftest import said

NEAR = ("explore", "go desk")
TEAM = ("all: explore", "all: go stove")
RAG = ("all: explore", "tom: go rag", "tom: take rag")


@pytest.mark.parametrize(
    ("task", "typed", "reason", "help_"),
    [
        ("alone", ("!GRAB barrel",), "undiscovered", "Nobody has searched Hall (hall) and Cellar"),
        ("alone", (*NEAR, "!GRAB barrel"), "undiscovered", "Closed so far: Drawer (drawer)"),
        ("alone", ("explore", "open drawer"), "not_near", "GOTO drawer."),
        ("alone", ("explore", "go hatch", "open hatch"), "locked", "You know of Tin key (toy_key)"),
        ("alone", ("go hatch", "unlock hatch"), "no_key", "not come across any key"),
        ("alone", (*NEAR, "clean desk"), "no_ability", "Rag (rag) on Desk"),
        ("alone", (*NEAR, "take rag", "take toy_key"), "hands_full", "In hand: Rag (rag)."),
        ("alone", (*NEAR, "take rag", "put rag in drawer"), "closed_container", "OPEN drawer."),
        ("alone", (*NEAR, "take rag", "put rag in desk"), "not_container", "PLACE ... on desk"),
        ("alone", (*NEAR, "take rag", "put rag on hall"), "on_room", "PLACE ... in hall"),
        ("alone", (*NEAR, "close drawer"), "attr_precondition", "Drawer is closed as it is"),
        ("alone", ("explore", "go stove", "take stove"), "overweight", "weighs 60 kg"),
        ("pair", (*TEAM, "eva: take stove"), "overweight", "75 kg more (Eva 40 kg, Tom Bo 35 kg)"),
        ("pair", (*TEAM, "eva: take stove"), "overweight", "eva,tom: CORP_GRAB stove"),
        ("pair", (*TEAM, "eva: corp grab stove"), "partner_missing", "eva,tom: CORP_GRAB stove"),
        ("pair", (*RAG, "eva: grab rag"), "held_by_other", "tom: GIVE rag eva | eva: GRAB rag"),
        ("pair", (*RAG, "tom: give rag eva"), "partner_missing", "tom: GIVE rag eva | eva: GRAB"),
        ("apart", (*RAG, "eva: go kitchen", "tom: give rag to eva"), "not_in_sight", "in one room"),
        ("pair", (*TEAM, "all: corp grab stove", "eva: go desk"), "coop_lock", "RELEASE stove"),
        ("pair", (*TEAM, "all: corp grab stove", "tom: done"), "coop_lock", "eva,tom: CORP_GOTO"),
    ],
)
def test_what_would_help(play, task, typed, reason, help_):
    told = said(play(task, *typed).hear("why"))
    assert f"({reason})" in told
    assert help_ in told


def test_a_walk_that_stops_at_a_door_is_helped_on(play):
    told = said(play("alone", "explore", "go cellar").hear("why"))
    assert "UNLOCK hatch with its key in hand, and OPEN hatch." in told


def test_nothing_unknown_is_named(play):
    game = play("alone", "go hatch", "unlock hatch")
    assert "hatch_key" not in said(game.hear("why"))


def test_what_was_accepted_needs_no_advice(play):
    game = play("alone", "explore")
    outcome = game.session.episode.outcome("eva")
    assert Adviser(game.session.episode, "eva").advice(outcome) == []


@pytest.mark.parametrize(
    ("typed", "reason", "told", "kept"),
    [
        pytest.param(  # Eva last saw the rag on the desk
            ("tom: take rag", "tom: go kitchen", "tom: release rag", "eva: clean desk"),
            "no_ability",
            "Rag (rag) held by Tom Bo",
            "Kitchen",
            id="what was carried away is where one last saw it",
        ),
        pytest.param(
            ("eva: go kitchen", "tom: take rag", "eva: !CLEAN desk"),
            "not_near",
            "GOTO hall, then GOTO desk.",
            "rag",
            id="what stays put is approached where one last saw it",
        ),
        pytest.param(
            ("tom: take tin key", "tom: go kitchen", "eva: go hatch", "eva: unlock hatch"),
            "no_key",
            "You know of Tin key (toy_key)",
            "Kitchen",
            id="a key in a hand elsewhere is no nearer than one knows",
        ),
        pytest.param(
            ("tom: take rag", "eva: go kitchen", "tom: open drawer", "eva: !GRAB hatch_key"),
            "undiscovered",
            "Closed so far: Drawer (drawer)",
            "hatch_key",
            id="who saw it closed believes it closed",
        ),
        pytest.param(
            ("tom: take rag", "eva: go hall", "eva: go anvil", "eva: take anvil"),
            "overweight",
            "Together you can carry at most 75 kg more (Eva 40 kg, Tom Bo 35 kg)",
            "55",
            id="what was not felt has no mass, and a colleague's load no weight",
        ),
    ],
)
def test_what_one_did_not_perceive_oneself_is_not_told(play, typed, reason, told, kept):
    game = play("apart", "all: explore", "tom: go desk", "eva: go desk", *typed)
    why = said(game.hear("why"))
    assert f"({reason})" in why
    assert told in why
    assert kept not in why.partition("\n")[2]


def test_a_room_is_searched_for_who_knows_of_something_there(play):
    game = play("apart", "tom: go kitchen", "tom: explore", "eva: !GRAB rag")
    assert "You have not searched Hall (hall), Kitchen" in said(game.hear("why"))
    game = play("apart", "all: explore", "tom: go desk", "tom: take rag", "eva: go kitchen")
    for line in ("tom: release rag", "tom: take rag", "eva: !GRAB barrel"):
        game.hear(line)
    assert "Hall (hall)" not in said(game.hear("why"))


def test_what_is_not_where_it_was_is_not_found_by_advice(play):
    game = play("apart", "all: explore", "tom: go desk", "tom: take rag", "eva: go kitchen")
    for line in ("tom: go cellar", "tom: release rag", "eva: go hall", "eva: !GOTO rag"):
        game.hear(line)
    told = said(game.hear("why"))
    assert "Rag (rag) held by" not in told
    assert "GOTO" not in told.partition("\n")[2]


def test_what_a_colleague_knows_is_not_counted(play):
    game = play("apart", "tom: explore", "tom: wait")
    assert "more things" not in said(game.hear("look"))


NO_MORE_TO_SAY = frozenset(
    {
        *("unknown_verb", "bad_format", "blank_command", "too_long", "place_incomplete"),
        *("no_such_agent", "no_such_object", "no_such_target", "no_such_location", "idle"),
        *("already_holding", "not_holding", "not_grabbable", "inside_itself"),
        *("attr_missing", "nothing_to_measure", "explore_other_room", "nowhere", "no_path"),
        *("lid_blocked", "plugged_in", "on_wheels", "overloaded", "stairs", "too_narrow"),
        *("coop_not_carrying", "coop_not_needed", "coop_agent_elsewhere", "coop_disagree"),
        *("coop_move_failed", "place_target_other_room"),
        *("derived", "already_so", "not_connected", "not_apparatus", "not_running"),
        *("limit_reached", "unknown_setting", "bad_value", "out_of_bounds", "unknown_question"),
    }
)
"""Refusals whose sentence says all that can be said."""


def test_an_instrument_that_is_known_is_told_of():
    scenario = next(s for s in open_suite("starter") if "MEASURE" in Engine(s).verbs)
    game = Game(Session(scenario, EpisodeSettings()))
    thing = next(iter(scenario.scene.objects)).id
    episode = game.session.episode
    instrument = next(t.id for t in scenario.scene.objects if t.senses)
    for agent in episode.agents:
        episode.world.discover(agent, (thing, instrument))
    game.hear(f"!MEASURE {thing}")
    assert f"({instrument})" in said(game.hear("why"))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_there_is_advice_on_every_refusal_that_does_not_say_it_all(ruleset):
    scenarios = [*open_suite("starter"), *open_suite("time")]
    reasons = {r.value for each in scenarios for r in Engine(each, ruleset).reasons}
    advised = {reason.value for reason in (*_HELPS, *_LIQUID_HELPS)}
    assert not NO_MORE_TO_SAY & advised
    assert reasons <= NO_MORE_TO_SAY | advised
    assert {reason.value for reason in Reason} >= NO_MORE_TO_SAY | advised


@pytest.mark.parametrize("ruleset", RULESETS)
def test_help_knows_every_verb(ruleset):
    seen: set[str] = set()
    for each in open_suite("starter"):
        new = Engine(each, ruleset).verbs.keys() - seen
        game = Game(Session(each, EpisodeSettings(ruleset=ruleset))) if new else None
        for verb in sorted(new):
            assert f"panel: {verb} ".casefold() in said(game.hear(f"help {verb}")).casefold()
        seen |= new
