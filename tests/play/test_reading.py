"""What people type, and the canonical command it stands for."""

import pytest

from earsim.play.reading import Reader
from earsim.play.resolving import Doubt

KNOWN = ("EXPLORE", "GOTO desk", "OPEN drawer")


def read(game, text, agent="eva"):
    return Reader(game.session.episode).read(text, agent)


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("explore", "EXPLORE"),
        ("ex", "EXPLORE"),
        ("search", "EXPLORE"),
        ("go to the cellar", "GOTO cellar"),
        ("walk hatch", "GOTO hatch"),
        ("grab Brass Key", "GRAB hatch_key"),
        ("take the brass key", "GRAB hatch_key"),
        ("pick up rag", "GRAB rag"),
        ("clean desk", "CLEAN desk"),
        ("open hatch", "OPEN hatch"),
        ("place rag in hall", "PLACE rag in hall"),
        ("put rag onto the desk", "PLACE rag on desk"),
        ("put key on a card on desk", "PLACE key_on_card on desk"),
        ("put key on card into drawer", "PLACE key_on_card in drawer"),
        ("drop rag", "RELEASE rag"),
        ("say hello, you: there", "SAY hello, you: there"),
        ("done", "DONE"),
    ],
)
def test_one_agent(play, typed, command):
    assert read(play("alone", *KNOWN), typed) == command


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("corp grab stove", "CORP_GRAB stove"),
        ("CORP_GRAB the stove", "CORP_GRAB stove"),
        ("corp_place stove in hall", "CORP_PLACE stove in hall"),
    ],
)
def test_partners(play, typed, command):
    assert read(play("pair", "all: EXPLORE"), typed) == command


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("fly", "There is no verb"),
        ("exlpore", "did you mean 'EXPLORE'"),
        ("c", "no verb"),
        ("cl", "may be CLEAN, CLOSE"),
        ("grab", "GRAB what? It is written GRAB <target>."),
        ("done now", "stands alone"),
        ("say", "SAY what?"),
        ("put rag", "PLACE <target> in|on <destination>"),
        ("put rag on zebra", '"zebra"'),
        ("put key on desk", "Tin key (toy_key)"),
        ("grab key", "Say which"),
        ("grab barrel", "You know of nothing"),
        ("zoe: grab key", '"zoe" is no agent here. There are: eva.'),
    ],
)
def test_doubts_cost_nothing(play, typed, told):
    game = play("alone", *KNOWN)
    found = read(game, typed)
    assert isinstance(found, Doubt)
    assert told in found.message
    before = len(game.session.steps)
    game.hear(typed)
    assert len(game.session.steps) == before


def test_what_is_in_hand_is_what_can_be_put_down(play):
    assert read(play("alone", *KNOWN, "grab toy_key"), "put key on desk") == "PLACE toy_key on desk"


def test_what_has_the_state_is_what_can_change_it(play):
    assert read(play("alone", *KNOWN), "close d") == "CLOSE drawer"


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("give rag eva", "GIVE rag eva"),
        ("give the tin key to eva", "GIVE toy_key eva"),
        ("hand over rag to Tom Bo", "GIVE rag tom"),
        ("give rag to zebra", None),
        ("give rag", None),
    ],
)
def test_giving(play, typed, command):
    found = read(play("pair", "all: explore"), typed)
    assert found == command if command else isinstance(found, Doubt)
