"""A teacher labels what somebody else did: the prompts are the player's, the replies its own."""

from __future__ import annotations

import json

import pytest

from earsim.errors import FileError, UnknownName, UsageError
from earsim.suites import open_suite
from earsim_training.export.demonstrations.demonstration import Demonstration, DemonstrationTurn
from earsim_training.export.demonstrations.teacher_labels import teacher_labelled
from earsim_training.export.relabelling import relabel
from earsim_training.export.settings import DemonstrationSettings, PromptSettings
from tests.cli.conftest import earsim as earsim
from tests.cli.conftest import here as here
from tests.recorded import play_run
from tests.training.exported import export, flat, rows

DECISIONS = ("decisions",)
EXPERT = {"teacher": "expert"}


@pytest.fixture
def run(tmp_path):
    """Episodes of a player that draws its commands: most of them fail."""
    return play_run(tmp_path / "run", flat(tmp_path), "random", seed=3)


def test_every_state_of_the_player_gets_the_teachers_word(run, tmp_path):
    everything = {"failures": True, "refused": True, "duplicates": True}
    export(run, tmp_path / "played", forms=DECISIONS, choosing=everything)
    export(
        run,
        tmp_path / "teacher_labelled",
        forms=DECISIONS,
        choosing=everything,
        demonstrating=EXPERT,
    )
    played = {row["id"]: row for row in rows(tmp_path / "played")}
    teacher_labelled = {row["id"]: row for row in rows(tmp_path / "teacher_labelled")}
    assert teacher_labelled.keys() <= played.keys()
    assert len(teacher_labelled) > 20
    assert all(row["prompt"] == played[id]["prompt"] for id, row in teacher_labelled.items())
    assert any(
        row["completion"] != played[id]["completion"] for id, row in teacher_labelled.items()
    )
    assert {row["teacher"] for row in teacher_labelled.values()} == {"expert"}
    assert {row["teacher"] for row in played.values()} == {""}


def test_a_teacher_says_what_its_own_command_is_for(run, tmp_path):
    telling = {"rationale": True, "style": "compact"}
    export(run, tmp_path / "out", forms=DECISIONS, demonstrating=EXPERT, telling=telling)
    single = [row for row in rows(tmp_path / "out") if row["agents"] == 1]
    alone = [row["completion"][0]["content"].split("\n") for row in single]
    assert all(thought.startswith("Thought: ") for thought, _ in alone)
    meant = ("cup is not found, table is not found", "cup is not found, table is table")
    meant += ("cup is cup, table is table", "cup is not found", "cup is cup")
    assert {t for t, command in alone if command == "Action: EXPLORE"} <= {
        f"Thought: {each}; look in {room} here"
        for each in meant
        for room in ("kitchen", "hall", "cellar")
    }
    gone = {thought for thought, command in alone if command == "Action: GOTO cellar"}
    assert gone <= {f"Thought: {each}; look in cellar" for each in meant}
    assert gone


def test_what_a_lesson_is_for_does_not_depend_on_the_time_that_is_left(tmp_path):
    (played,) = [each for each in open_suite(flat(tmp_path)) if each.id == "flat/cup"]
    stuck = tuple(DemonstrationTurn({"ada": "GRAB moon"}) for _ in range(30))
    settings = DemonstrationSettings().episode(PromptSettings())
    shown = Demonstration("stuck", played, settings, stuck, "nobody")
    lessons = teacher_labelled(shown, "oracle", intents=True).turns
    told = relabel(
        shown._replace(turns=lessons), PromptSettings(style="compact", rationale=True)
    ).told
    assert len({each.reply for each in told}) == 1
    assert all(turn.intent for turn in lessons)


def test_failed_episodes_are_taught(run, tmp_path):
    export(run, tmp_path / "out", forms=DECISIONS, demonstrating=EXPERT)
    assert False in {row["success"] for row in rows(tmp_path / "out")}


@pytest.mark.parametrize("rationale", [False, True])
def test_a_teacher_that_agrees_says_what_was_played(tmp_path, rationale):
    telling = {"rationale": rationale}
    own = export(flat(tmp_path), tmp_path / "own", forms=DECISIONS, telling=telling)
    how = {"demonstrating": EXPERT, "telling": telling}
    export(flat(tmp_path), tmp_path / "teacher_labelled", forms=DECISIONS, **how)
    learned = [
        [(row["id"], row["prompt"], row["completion"]) for row in rows(tmp_path / name)]
        for name in ("own", "teacher_labelled")
    ]
    assert own.rows
    assert learned[0] == learned[1]


def test_each_voice_of_a_team_is_taught(tmp_path):
    home, telling = flat(tmp_path), {"role": "decentralized"}
    how = {"policy": "random", "teacher": "expert"}
    export(home, tmp_path / "out", forms=DECISIONS, demonstrating=how, telling=telling)
    team = [row for row in rows(tmp_path / "out") if row["agents"] == 2]
    assert {row["agent"] for row in team} == {"ada", "ben"}
    assert all(set(json.loads(row["command"])) == {row["agent"]} for row in team)


def test_what_cannot_be_taught_is_refused(tmp_path):
    home = flat(tmp_path)
    with pytest.raises(ValueError, match="what was played"):
        export(home, tmp_path / "a", demonstrating=EXPERT)
    with pytest.raises(UnknownName, match="expert"):
        export(home, tmp_path / "c", forms=DECISIONS, demonstrating={"teacher": "expret"})
    records = tmp_path / "records.json"
    records.write_text('[{"system": "s", "instruction": "i", "output": "o"}]', encoding="utf-8")
    with pytest.raises((UsageError, FileError), match="a teacher"):
        export(records, tmp_path / "d", forms=DECISIONS, demonstrating=EXPERT)


def test_at_the_terminal_a_teacher_means_decisions(earsim, here):
    options = ("--policy", "random", "--teacher", "oracle", "--jobs", 1)
    assert earsim("export-sft", flat(here), "--out", "data", *options).exit_code == 0
    assert rows(here / "data")
    assert not rows(here / "data", "episodes")
    wrong = earsim("export-sft", flat(here), "--out", "b", *options, "--form", "episodes")
    assert wrong.exit_code == 2
    assert "what a teacher says" in wrong.stderr
