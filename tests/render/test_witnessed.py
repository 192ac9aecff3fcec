"""What agents notice of each other's commands."""

import pytest

from earsim import Engine, Episode, open_suite
from earsim.render.graph import observed_graph

SCENARIO = "bicycle_workshop/compressor_to_the_yard"


@pytest.fixture
def episode():
    return Episode(Engine(open_suite("starter").load(SCENARIO)))


@pytest.fixture
def own_episode():
    """The same, where each knows what it perceived."""
    scenario = open_suite("starter").load(SCENARIO)
    return Episode(Engine(scenario.model_copy(update={"knowledge": "own"})))


def test_those_in_one_room_see_each_others_outcomes(episode):
    episode.step({"tomas": "GOTO shop_floor"})
    episode.step({"tomas": "GRAB moon", "wiebke": "EXPLORE"})
    assert episode.noticed("tomas") == "Wiebke: EXPLORE (done)"
    assert episode.noticed("wiebke") == "Tomas: GRAB moon (refused)"


def test_nobody_sees_into_another_room(episode):
    episode.step({"tomas": "EXPLORE", "wiebke": "EXPLORE"})
    assert episode.noticed("tomas") == ""


def test_a_message_is_heard_where_it_carries(episode):
    episode.step({"wiebke": "SAY are you there?"})
    assert episode.noticed("tomas") == ""
    episode.step({"tomas": "GOTO shop_floor"})
    episode.step({"wiebke": "SAY there you are"})
    assert episode.noticed("tomas") == "Wiebke says: there you are"


def test_a_stall_is_named_to_all_who_wait(episode):
    episode.step({"tomas": "WAIT"})
    assert "Nobody moves" in episode.noticed("tomas")
    assert "Nobody moves" in episode.noticed("wiebke")


def test_partners_are_told_once_what_they_did_together(episode):
    for commands in ({"tomas": "GOTO shop_floor", "wiebke": "EXPLORE"}, {"tomas": "EXPLORE"}):
        episode.step(commands)
    episode.step(dict.fromkeys(episode.agents, "GOTO compressor"))
    episode.step(dict.fromkeys(episode.agents, "CORP_GRAB compressor"))
    assert episode.noticed("tomas") == ""
    assert "together" in episode.feedback("tomas")


def test_control_characters_of_others_do_not_come_through(episode):
    episode.step({"tomas": "GOTO shop_floor"})
    episode.step({"tomas": "\x1b[31mGRAB"})
    assert "\x1b" not in episode.noticed("wiebke")


def test_a_single_agent_notices_nobody():
    alone = Episode(Engine(open_suite("starter").load("crystal_lab/purest_sulphate")))
    alone.step({alone.agents[0]: "EXPLORE"})
    assert alone.noticed(alone.agents[0]) == ""


def test_a_colleague_who_left_is_out_of_sight(own_episode):
    own_episode.step({"tomas": "GOTO shop_floor"})
    own_episode.step({"wiebke": "GOTO shopfront"})
    assert "Wiebke (wiebke, agent), out of sight" in own_episode.full("tomas")
    own_episode.step({"tomas": "GOTO shopfront"})
    assert "Wiebke (wiebke, agent), in Shopfront" in own_episode.full("tomas")


def test_the_graph_is_told_from_ones_own_picture_too(own_episode):
    for commands in ({"tomas": "GOTO shop_floor"}, {"tomas": "EXPLORE", "wiebke": "EXPLORE"}):
        own_episode.step(commands)
    own_episode.step({"tomas": "GOTO shopfront", "wiebke": "GOTO wheel_floor"})
    own_episode.step({"wiebke": "GRAB wheel_floor"})
    where = {
        agent: [
            edge["relation"]
            for edge in observed_graph(own_episode.world, agent)["edges"]
            if edge["source"] == "wheel_floor"
        ]
        for agent in own_episode.agents
    }
    assert where == {"tomas": ["in"], "wiebke": ["held"]}
