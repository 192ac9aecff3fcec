"""The switches under which recordings of the command level replay (EAR-Bench Q7, Q17, Q40, Q41)."""

import pytest

from earsim.actions.outcome import Outcome, Reason, Status
from earsim.engine import Engine
from earsim.rulesets.ear_bench import BRIDGED, REPLAY, Quirks, ear_bench
from earsim.world import World
from tests.rulesets.conftest import TEAM, scenario


class Stage:
    """A world in which commands are carried out one by one."""

    def __init__(self, quirks: Quirks) -> None:
        self.engine = Engine(scenario({"any": []}, TEAM), ear_bench(quirks))
        self.world: World = self.engine.start()

    def do(self, *commands: str, agent: str = "agent_1") -> Outcome:
        """The outcome of the last of some commands."""
        outcomes = [self.engine.execute(self.world, agent, command) for command in commands]
        return outcomes[-1]


@pytest.fixture
def replayed() -> Stage:
    return Stage(REPLAY)


@pytest.mark.parametrize("command", ["PICKUP cup", " LOOK", "LOOK ", "SCAN"])
def test_without_the_bridge_there_are_no_aliases_and_no_stripping(replayed: Stage, command: str):
    assert replayed.do(command).status is Status.INVALID


def test_one_final_newline_is_tolerated(replayed: Stage):
    assert replayed.do("LOOK\n").accepted
    assert not replayed.do("LOOK\n\n").accepted


def test_without_the_bridge_scan_is_the_verb_of_the_scene(replayed: Stage):
    outcome = replayed.do(
        "EXPLORE", "GOTO scanner", "GRAB scanner", "GOTO hall", "EXPLORE", "SCAN radio"
    )
    assert (outcome.verb, outcome.accepted) == ("SCAN", True)


def test_strangers_may_order_joint_carrying(replayed: Stage):
    assert replayed.do("CORP_GRAB agent_1,agent_2 bench", agent="stranger").accepted
    assert replayed.do("CORP_GOTO agent_1,agent_2 hall", agent="stranger").accepted
    assert replayed.do("CORP_PLACE agent_1,agent_2 bench in hall", agent="stranger").accepted
    assert replayed.do("EXPLORE", agent="stranger").reason is Reason.NO_SUCH_AGENT


def test_an_object_may_be_placed_in_itself_and_is_then_nowhere(replayed: Stage):
    assert replayed.do("EXPLORE", "GOTO box", "GRAB box", "PLACE box in box").accepted
    assert replayed.world.location["box"].text == "in:box"
    for command in ("GOTO box", "GRAB box", "LOOK box"):
        assert replayed.do(command).reason is Reason.NOWHERE


def test_an_object_may_be_placed_in_its_own_contents(replayed: Stage):
    replayed.do("EXPLORE", "GOTO box", "GRAB box", "GOTO pen")
    assert replayed.do("PLACE box on pen").accepted
    assert replayed.do("GOTO eraser").reason is Reason.NOWHERE


def test_joint_placing_makes_cycles_too(replayed: Stage):
    assert replayed.do("CORP_GRAB agent_1 anvil", "CORP_PLACE agent_1 anvil on anvil").accepted


def test_nothing_is_placed_together_on_what_is_nowhere(replayed: Stage):
    replayed.do("EXPLORE", "GOTO cup", "GRAB cup", "PLACE cup on cup", "CORP_GRAB agent_1 anvil")
    before = replayed.world.location["anvil"]
    assert replayed.do("CORP_PLACE agent_1 anvil on cup").status is Status.FAILURE
    assert replayed.world.location["anvil"] == before
    assert replayed.world.agents["agent_1"].carrying == "anvil"
    assert replayed.do("CORP_PLACE agent_1 anvil in hall").accepted


def test_recordings_of_decisions_have_cycles_behind_the_bridge():
    stage = Stage(BRIDGED)
    assert stage.do("EXPLORE", "GOTO box", "PICKUP box", "PUT box in box").accepted
    assert stage.do("TAKE box").status is Status.FAILURE


def test_the_first_room_of_the_holder_is_a_switch():
    """Q1: off, what is held goes where its holder goes."""
    carried = ("EXPLORE", "GOTO box", "GRAB box", "GOTO hall", "GOTO box")
    assert Stage(Quirks()).do(*carried).reason is Reason.WRONG_ROOM
    assert Stage(Quirks(held_things_stay_behind=False)).do(*carried).accepted


def test_a_recording_is_read_however_long_its_commands_are(replayed: Stage):
    words = " and" * 2000  # EAR-Bench 3.10: extra words are ignored
    assert replayed.do(f"CORP_GOTO agent_1{words}").reason is Reason.NO_SUCH_TARGET
    assert replayed.do("GOTO " + "x" * 5000).reason is Reason.NO_SUCH_TARGET
    assert Stage(Quirks()).do("GOTO " + "x" * 5000).reason is Reason.TOO_LONG
