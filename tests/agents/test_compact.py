"""The style `compact`: two short messages, built anew, with what the present does not show."""

from earsim_agents.scripted_server import ServerScript
from tests.agents.rig import ALONE, TEAM, played


def users(found):
    return [call.request["messages"][1]["content"] for call in found.calls]


def test_it_is_two_messages_a_fraction_of_a_paper_prompt():
    compact, paper = (played("llm", ALONE, style=style) for style in ("compact", "paper"))
    assert all(len(call.request["messages"]) == 2 for call in compact.calls)
    sizes = [sum(map(len, users(found))) for found in (compact, paper)]
    assert sizes[0] < 0.25 * sizes[1]


def test_it_tells_the_last_command_and_what_came_of_it():
    found = played("llm", ALONE, ServerScript(say="Action: GRAB moon"), style="compact")
    assert "Last: " not in users(found)[0]
    assert "Last: GRAB moon\n" in users(found)[1]
    assert "moon" in users(found)[1].rpartition("\n")[2]


def test_a_walkthrough_wins_in_it():
    for kind, scenario_id in (("llm", ALONE), ("centralized", TEAM)):
        assert played(kind, scenario_id, style="compact").episode.success


def test_what_it_remembers_is_the_rooms_and_how_things_were():
    (memory,) = played("llm", ALONE, style="compact").memory["voices"].values()
    (outline,) = memory["outlines"].values()
    assert "shopfront" in outline["searched"]
    assert outline["first"]["guest_book"][0].startswith("on ")


def test_a_team_is_told_of_each_agent_once():
    (first, *_) = users(played("centralized", TEAM, style="compact"))
    assert first.count("Agent tomas") == 1
    assert first.count("# Task") == 1
