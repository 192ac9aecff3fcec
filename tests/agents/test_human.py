"""The policy `human`: what is shown is safe, what is typed is played."""

from earsim import Engine, Episode
from earsim.envs.policy import PolicyContext, observations_of
from earsim_agents.human import HumanPolicy
from tests.agents.rig import ALONE, TEAM, scenario


def test_a_person_plays():
    typed = iter(["EXPLORE", " GOTO guest_book ", ""])
    shown = []

    def ask(text):
        shown.append(text)
        try:
            return next(typed)
        except StopIteration:
            raise EOFError from None

    episode = Episode(Engine(scenario(ALONE)))
    policy = HumanPolicy(ask)
    policy.reset(PolicyContext("", episode.agents, episode.budget, 0, scenario(ALONE)))
    while not episode.over:
        episode.step(policy.act(observations_of(episode)))
    assert policy.memory == {
        "typed": [
            {"tomas": "EXPLORE"},
            {"tomas": "GOTO guest_book"},
            {},
            {"tomas": "DONE"},
        ]
    }
    assert "Task: Put the guest book on the workbench." in shown[0]
    assert "You are at Guest book." in shown[2]


def test_each_agent_is_asked_until_it_is_done():
    asked = []

    def ask(text):
        asked.append(text.rsplit("\n", 1)[-1])
        return "DONE" if len(asked) == 1 else "WAIT"

    episode = Episode(Engine(scenario(TEAM)))
    policy = HumanPolicy(ask)
    for _ in range(2):
        episode.step(policy.act(observations_of(episode)))
    assert asked == ["tomas> ", "wiebke> ", "wiebke> "]
