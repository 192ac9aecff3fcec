"""`why`: what would help, for the refusals a person meets, and nothing given away."""

import pytest

from earsim.play.advice import Adviser
from tests.play.conftest import said

NEAR = ("explore", "go desk")
TEAM = ("all: explore", "all: go stove")


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
    assert Adviser(game.session.episode).advice(outcome) == []
