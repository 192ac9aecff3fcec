"""EXEC and SAVE in the world: texts arrive as they are given, and worlds stay values."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest

from earsim import Engine, Episode, Reason
from earsim.actions import execute
from earsim.actions.outcome import Refusal
from earsim.apparatus.bodies import pool as pools
from earsim.apparatus.bodies.confinement import DEMAND, reached
from earsim.apparatus.bodies.pool import Pool
from earsim.apparatus.message import MessageDirection
from earsim.apparatus.tracker import Rejection, Tracker
from earsim.planner.known_verbs import unknown_verbs
from earsim.processes.messages import messages
from earsim.render.things import thing_facts
from earsim.sandbox import Isolation, SandboxLevel
from earsim.schema import Scenario
from earsim.world import digest
from earsim.world.lab import Lab

needs_sandbox = pytest.mark.skipif(
    reached().level < DEMAND.level, reason="this machine has no sandbox for code"
)


def scenario(*, people: int = 1, agents: tuple[str, ...] = ("ada",), **task: Any) -> Scenario:
    """Workstations in a room; everybody stands in it."""
    thing: dict[str, Any] = {"kind": "furniture", "in": "room", "mass_kg": 9}
    ws = {"model": "python/1", "needs": {"people": people}}
    octave = {"model": "octave/1"}
    return Scenario.model_validate(
        {
            "id": "s",
            "scene": {
                "schema": "earsim.scene/1",
                "id": "s",
                "rooms": [{"id": "room", "name": "Room"}],
                "objects": [
                    {"id": "ws", "name": "Workstation", **thing, "apparatus": ws},
                    {"id": "oct", "name": "Octave desk", **thing, "apparatus": octave},
                ],
            },
            "agents": [{"id": a, "name": a.title(), "max_mass_kg": 20} for a in agents],
            "task": {
                "id": "t",
                "category": "direct_command",
                "instruction": "Compute.",
                "goal": {"submitted": {"name": "x", "equals": 6, "within": 0.1}},
                **task,
            },
        }
    )


def begun(*commands: str, **kinds: Any) -> Episode:
    episode = Episode(Engine(scenario(**kinds)), discovered=True)
    for command in ("GOTO ws", *commands):
        episode.step(dict.fromkeys(episode.agents, command))
    return episode


def lab_of(episode: Episode) -> Lab:
    assert episode.world.timeline is not None
    assert episode.world.timeline.lab is not None
    return episode.world.timeline.lab


def lines(episode: Episode, operation: str) -> list[str]:
    return [line.text for line in lab_of(episode).runs[operation].state.lines]


CODE = "if True:\n\n    x = 'a  b\tc'\n    print(x)   # EXEC ws\n"


@pytest.mark.parametrize("head", ["EXEC ws\n", "exec ws ", "  EXEC\tws \r\n"])
def test_code_arrives_as_it_was_given(head: str) -> None:
    engine = Engine(scenario())
    call = engine.parse(head + CODE)
    assert not isinstance(call, Refusal)
    assert call.details == CODE  # type: ignore[union-attr]
    assert call.target == "ws"


def test_commands_as_text_and_as_json_are_one() -> None:
    engine = Engine(scenario())
    for command in (
        {"verb": "EXEC", "target": "ws", "code": CODE},
        {"verb": "SAVE", "target": "ws", "file": "a.py", "content": "\n" + CODE},
    ):
        call = engine.parse(engine.text_of(command))
        assert call.details == list(command.values())[-1]  # type: ignore[union-attr]
        assert engine.parse(call.text()) == call  # type: ignore[union-attr]
    for wrong in (
        {"verb": "EXEC", "target": "ws"},
        {"verb": "EXEC", "target": "ws", "code": " "},
        {"verb": "SAVE", "target": "ws", "file": "a b", "content": "x"},
    ):
        assert engine.text_of(wrong) == json.dumps(wrong)


def test_code_is_not_remembered_and_has_a_bounded_length() -> None:
    engine = Engine(scenario())
    engine.parse("EXEC ws " + "x" * 32_768)
    assert engine._parsed == {}
    refusal = engine.parse("EXEC ws " + "x" * 32_769)
    assert refusal.facts == {"chars": 32_769, "limit": 32_768}  # type: ignore[union-attr]
    blanks = engine.parse("EXEC ws" + " " * 36_000)
    assert blanks.reason is Reason.TOO_LONG  # type: ignore[union-attr]


def test_a_message_rides_beside_no_code() -> None:
    episode = begun(agents=("ada", "bo"))
    engine = episode.engine
    assert "message" not in engine.schemas()["EXEC"]["properties"]
    assert "message" in engine.schemas()["LOOK"]["properties"]
    call = {"verb": "EXEC", "target": "ws", "code": "x = 1", "message": "hi"}
    assert engine.text_of(call) == json.dumps(call)


@needs_sandbox
def test_two_who_give_the_same_code_execute_it_once() -> None:
    episode = begun(agents=("ada", "bo"), people=2)
    first = episode.step({"ada": "EXEC ws print(1)", "bo": "EXEC ws print(2)"})
    assert {o.reason for o in first.outcomes.values()} == {Reason.PARTNER_MISSING}
    episode.step(dict.fromkeys(("ada", "bo"), "EXEC ws\nprint(1)\nprint(2)"))
    episode.step({"ada": "WAIT 60", "bo": "WAIT 60"})
    assert list(lab_of(episode).runs) == ["op_1"]
    assert lab_of(episode).runs["op_1"].agents == ("ada", "bo")
    assert lines(episode, "op_1") == ["1", "2"]


def test_below_the_level_demanded_nothing_is_executed(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Isolation(SandboxLevel.LIMITS, ("limits",), ("no Landlock in this kernel",))
    monkeypatch.setattr(execute, "reached", lambda: found)
    episode = begun()
    before = digest(episode.world)
    (outcome,) = episode.step({"ada": "EXEC ws print(1)"}).outcomes.values()
    assert outcome.reason is Reason.NO_SANDBOX
    lacks = ["no Landlock in this kernel"]
    assert outcome.facts == {"id": "ws", "level": 1, "needed": 2, "lacks": lacks}
    assert digest(episode.world) == before
    assert episode.feedback("ada") == (
        "No code is executed: sandbox level 2 is demanded, and this machine reaches 1 "
        "(no Landlock in this kernel)."
    )


def test_a_missing_octave_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execute, "has_interpreter", lambda body: body != "octave/1")
    episode = begun("GOTO oct")
    (outcome,) = episode.step({"ada": "EXEC oct x = 1"}).outcomes.values()
    assert outcome.reason is Reason.NO_INTERPRETER
    assert episode.feedback("ada") == "Octave is not installed on this machine."


def test_a_folder_takes_a_hundred_files() -> None:
    episode = begun(*[f"SAVE ws f{k}.txt {k}" for k in range(100)], budget=200)
    (outcome,) = episode.step({"ada": "SAVE ws more.txt x"}).outcomes.values()
    assert outcome.reason is Reason.FOLDER_FULL
    assert outcome.facts == {"id": "ws", "limit": 100}


@needs_sandbox
def test_what_is_waited_for_in_parts_is_the_same() -> None:
    whole = begun("EXEC ws for k in range(7): print(k)", "WAIT 10")
    parts = begun("EXEC ws for k in range(7): print(k)", *["WAIT 1"] * 10)
    assert digest(whole.world) == digest(parts.world)
    assert whole.world.clock == parts.world.clock


@pytest.mark.slow
@needs_sandbox
def test_copies_go_on_each_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = Pool()
    monkeypatch.setattr(pools, "POOL", pool)
    episode = begun("SAVE ws a.txt 5", "EXEC ws\nx = 1\nprint(x)\nprint(2)", "WAIT 1")
    engine = episode.engine
    worlds = [pickle.loads(pickle.dumps(episode.world)), episode.world.copy(), episode.world]
    for number, world in enumerate(worlds):
        for command in (
            "WAIT 10" if number else "STOP ws",
            f"EXEC ws\nx += {number}\nprint(x, open('a.txt').read())",
            "WAIT 10",
        ):
            assert all(o.accepted for o in engine.step(world, {"ada": command}).outcomes.values())
    told = [w.timeline.lab.runs["op_2"].state.lines[0].text for w in worlds]
    assert told == ["1 5", "2 5", "3 5"]
    pool.close()


@pytest.mark.slow
@needs_sandbox
def test_an_episode_from_its_start_has_the_same_digests(monkeypatch: pytest.MonkeyPatch) -> None:
    commands = ("EXEC ws\nx = {}\nx['a'] = hash('a')\nprint(x)", "WAIT 3", "READ ws")
    digests = []
    for _ in range(2):
        pool = Pool()
        monkeypatch.setattr(pools, "POOL", pool)
        digests.append(digest(begun(*commands).world))
        pool.close()
    assert digests[0] == digests[1]


@needs_sandbox
def test_messages_are_those_of_the_protocol() -> None:
    code = "print('INTERMEDIATE: a=0.5')\nprint('STATE: {\"y\": 2}')\nprint('result = 6')\n1 / 0"
    episode = begun(f"EXEC ws\n{code}", "WAIT 60")
    tracker: Tracker | Rejection = Tracker("s")
    told = messages(episode.world, "s")
    for envelope, direction in told:
        assert isinstance(tracker, Tracker)
        tracker = tracker.take(envelope, MessageDirection(direction))
    assert isinstance(tracker, Tracker), tracker
    kinds = [str(each.envelope.type) for each in told]
    assert kinds[:3] == ["operation_request", "operation_ack", "operation_start"]
    assert kinds[3:7] == ["code_output", "model_state_update"] * 2
    assert kinds[-1] == "operation_failed"


@needs_sandbox
def test_every_view_of_a_world_shows_a_workstation() -> None:
    from earsim.render.graph import observed_graph
    from earsim.viewer.laboratory import lab_of as viewed
    from earsim.viewer.laboratory import laboratory

    episode = begun("EXEC ws\nprint('INTERMEDIATE: a=0.5')", "WAIT 60")
    told = thing_facts(episode.world, "ws")
    assert "runs python/1: seconds_per_line 1; op_1 completed" in told
    told = json.dumps(laboratory(episode.world.blueprint, viewed(episode.world)), allow_nan=False)
    assert '"status": "completed"' in told
    assert json.dumps(observed_graph(episode.world, "ada"))
    assert unknown_verbs(episode.engine) == []
    assert not any(text.startswith(("EXEC", "SAVE")) for text in episode.admissible("ada"))


def test_scenes_without_workstations_have_no_such_verbs() -> None:
    data = scenario().model_dump(mode="json", by_alias=True, exclude_none=True)
    for thing in data["scene"]["objects"]:
        thing["apparatus"] = {"model": "maglev/1"}
    engine = Engine(Scenario.model_validate(data))
    assert not {"EXEC", "SAVE"} & engine.verbs.keys()
    assert engine.verbatim("EXEC ws x") is None
