"""Replaying recordings of the reference: all are equal, and whatever is not equal is seen."""

import copy
import gzip
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from earsim.errors import FileError
from earsim.goals import compile_goal
from earsim.rulesets.ear_bench import BRIDGED, ear_bench
from earsim.schema import AllOf
from earsim.verdict import Verdict
from tests.conformance import decision_level
from tests.conformance.replay import FileReport, conformance, replay_file
from tests.conformance.scenes import load_setting

pytestmark = pytest.mark.bench_data

Records = list[dict[str, Any]]
Change = Callable[[Records], object]

FILES = (
    "crash",
    "dataall_combined",
    "dataall_globalobs",
    "dataall_solve",
    "decisions",
    "eval_multi",
    "eval_multi_random",
    "eval_single",
    "eval_single_random",
    "probes",
)


_LONG = ("eval_single", "eval_multi", "probes", "dataall_solve")


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow) if n in _LONG else n for n in FILES]
)
def test_recordings_replay_exactly(ear_bench_dir: Path, name: str):
    report = replay_file(ear_bench_dir / "traces" / f"{name}.jsonl.gz", ear_bench_dir)
    assert (report.differences, report.problems) == ([], [])
    assert report.ok
    assert report.episodes_different == report.episodes_not_replayable == 0
    assert report.steps_different == report.steps_not_replayed == 0
    assert report.steps_equal == steps_in(ear_bench_dir / "traces" / f"{name}.jsonl.gz")


def test_every_file_of_recordings_is_replayed(ear_bench_dir: Path):
    found = (ear_bench_dir / "traces").glob("*.jsonl.gz")
    assert sorted(path.name for path in found) == [f"{name}.jsonl.gz" for name in FILES]


def steps_in(file: Path) -> int:
    """Steps or decisions, counted in the text of the file."""
    with gzip.open(file, "rt", encoding="utf-8", newline="\n") as lines:
        records = [json.loads(line) for line in lines]
    return sum(len(record.get("decisions", ())) + (record.get("t") == "s") for record in records)


# -- small recordings to break -------------------------------------------------------------------


def episodes(file: Path) -> dict[str, Records]:
    found: dict[str, Records] = {}
    with gzip.open(file, "rt", encoding="utf-8", newline="\n") as lines:
        for line in lines:
            record = json.loads(line)
            found.setdefault(record["ep"], []).append(record)
    return found


@pytest.fixture(scope="session")
def recorded_commands(ear_bench_dir: Path) -> Records:
    """One episode of the command level in which much happens."""

    def rich(records: Records) -> bool:
        steps = records[1:-1]
        return (
            any(step["ag"]["agent_1"]["load"] for step in steps)
            and any(len(step["ag"]["agent_1"]["inv"]) > 1 for step in steps)
            and any(step["ag"]["agent_1"]["abil"] for step in steps)
            and any("states." in key for step in steps for ch in step["ch"].values() for key in ch)
            and any(step["new"] for step in steps)
            and records[-1].get("solved", False)
        )

    found = episodes(ear_bench_dir / "traces" / "eval_single.jsonl.gz").values()
    return next(records for records in found if rich(records))


@pytest.fixture(scope="session")
def recorded_team(ear_bench_dir: Path) -> Records:
    """One episode of the command level in which two agents lock themselves to an object."""
    found = episodes(ear_bench_dir / "traces" / "eval_multi.jsonl.gz").values()
    return next(
        records for records in found if any(step["ag"]["agent_1"]["coop"] for step in records[1:-1])
    )


@pytest.fixture(scope="session")
def recorded_decisions(ear_bench_dir: Path) -> Records:
    """One episode of the decision level, centralised and completed."""
    found = episodes(ear_bench_dir / "traces" / "decisions.jsonl.gz").values()
    return next(
        records
        for records in found
        if records[0]["mode"] == "centralised"
        and records[0]["end"]["subtask_completed"]
        and records[0]["end"]["reason"] == "done"
        and any("handler_sticky" not in decision for decision in records[0]["decisions"])
    )


def write(folder: Path, *recordings: Records, name: str = "one.jsonl") -> Path:
    lines = [json.dumps(record) for records in recordings for record in records]
    path = folder / name
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture
def replay(ear_bench_dir: Path, tmp_path: Path) -> Callable[..., FileReport]:
    """Replays copies of recordings after they were changed."""

    def run(*recordings: Records, change: Change = len) -> FileReport:
        copies = copy.deepcopy(list(recordings))
        for records in copies:
            change(records)
        return replay_file(write(tmp_path, *copies), ear_bench_dir)

    return run


def first(records: Records, wanted: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    """The first step that has something to tamper with."""
    return next(record for record in records[1:-1] if wanted(record))


@pytest.mark.slow
def test_an_untouched_copy_is_equal(
    replay: Callable[..., FileReport],
    recorded_commands: Records,
    recorded_team: Records,
    recorded_decisions: Records,
):
    report = replay(recorded_commands, recorded_team, recorded_decisions)
    assert report.ok
    assert report.episodes_equal == 3
    steps = len(recorded_commands) + len(recorded_team) - 4
    assert report.steps_equal == steps + len(recorded_decisions[0]["decisions"])


def agent_of(step: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = step["ag"]["agent_1"]
    return found


def swap_inventory(records: Records) -> None:
    agent_of(first(records, lambda step: len(agent_of(step)["inv"]) > 1))["inv"].reverse()


def change_field(records: Records) -> None:
    step = first(
        records, lambda step: any("states." in key for c in step["ch"].values() for key in c)
    )
    fields = next(
        fields for fields in step["ch"].values() if any("states." in key for key in fields)
    )
    key = next(key for key in fields if key.startswith("states."))
    fields[key] = not fields[key]


COMMAND_CHANGES: dict[str, tuple[str, Change]] = {
    "status": ("status", lambda rs: rs[1].update(st="FAILURE")),
    "class": ("class", lambda rs: rs[1].update(f="wrong_room")),
    "inventory order": ("inventory", swap_inventory),
    "near": ("near", lambda rs: agent_of(first(rs, lambda s: agent_of(s)["near"]))["near"].pop()),
    "room": ("room", lambda rs: agent_of(rs[1]).update(loc="nowhere")),
    "abilities": (
        "abilities",
        lambda rs: agent_of(first(rs, lambda s: agent_of(s)["abil"])).update(abil=[]),
    ),
    "load": ("load", lambda rs: agent_of(rs[1]).update(load=0.5)),
    "load that is no number": ("load", lambda rs: agent_of(rs[1]).update(load=float("nan"))),
    "lock": ("lock", lambda rs: agent_of(rs[1]).update(coop="box_1")),
    "agent too many": ("agents", lambda rs: rs[1]["ag"].update(agent_9=agent_of(rs[1]))),
    "changed field": ("changes", change_field),
    "place": (
        "changes",
        lambda rs: next(
            iter(
                first(rs, lambda s: any("location_id" in c for c in s["ch"].values()))[
                    "ch"
                ].values()
            )
        ).update(location_id="in:nowhere"),
    ),
    "change that did not happen": ("changes", lambda rs: rs[1]["ch"].update(ghost_1={})),
    "change left out": ("changes", lambda rs: first(rs, lambda s: s["ch"])["ch"].clear()),
    "discovered": ("discovered", lambda rs: first(rs, lambda s: s["new"])["new"].pop()),
    "now": ("now", lambda rs: rs[1].update(now="1")),
    "ever": ("ever", lambda rs: rs[1].update(stk="1")),
    "other command": (
        "status",
        lambda rs: first(rs, lambda s: s["st"] == "SUCCESS").update(c="FLY"),
    ),
    "agents at the start": (
        "inventory",
        lambda rs: rs[0]["init_agents"]["agent_1"].update(inv=["x"]),
    ),
    "agent ids": ("agent_ids", lambda rs: rs[0].update(agent_ids=["agent_1", "agent_2"])),
    "goal at the start": ("now0", lambda rs: rs[0].update(now0="1")),
    "verbs": ("verbs", lambda rs: rs[0]["verbs"].append("FLY")),
    "verbs left out": ("verbs", lambda rs: rs[0]["verbs"].pop()),
    "checks": ("tasks", lambda rs: rs[0]["tasks"][0]["checks"].clear()),
    "rule of cooperation": ("tasks", lambda rs: rs[0]["tasks"][0].update(coop_rule=True)),
    "missing objects": ("missing_objects", lambda rs: rs[0].update(missing_objects=["box_1"])),
    "loaded state": (
        "start of",
        lambda rs: next(iter(rs[0]["init_obj_diff"].values())).update({"states.is_open": True}),
    ),
    "loaded place": (
        "start of",
        lambda rs: next(iter(rs[0]["init_obj_diff"].values())).update(location_id="in:nowhere"),
    ),
    "loaded weight": (
        "start of",
        lambda rs: next(iter(rs[0]["init_obj_diff"].values())).update({"properties.weight": 3}),
    ),
    "loaded discovery": (
        "start of",
        lambda rs: next(iter(rs[0]["init_obj_diff"].values())).update(is_discovered=True),
    ),
    "loaded default": (
        "start of",
        lambda rs: next(iter(rs[0]["init_obj_diff"].values())).update({"properties.fragile": True}),
    ),
    "steps": ("end steps", lambda rs: rs[-1].update(steps=1)),
    "steps of the attempt": ("end solve_steps", lambda rs: rs[-1].update(solve_steps=99)),
    "solved": ("end solved", lambda rs: rs[-1].update(solved=False)),
    "true at the start": ("end start_true", lambda rs: rs[-1].update(start_true=True)),
}


@pytest.mark.parametrize("change", COMMAND_CHANGES)
def test_a_difference_in_a_command_is_seen(
    replay: Callable[..., FileReport], recorded_commands: Records, change: str
):
    what, apply = COMMAND_CHANGES[change]
    report = replay(recorded_commands, change=apply)
    assert not report.ok
    assert report.episodes_different == 1
    assert what in report.differences[0].what
    assert report.steps_equal + report.steps_different == len(recorded_commands) - 2


def test_a_difference_in_a_lock_is_seen(replay: Callable[..., FileReport], recorded_team: Records):
    def unlock(records: Records) -> None:
        agent_of(first(records, lambda step: agent_of(step)["coop"])).update(coop=None)

    report = replay(recorded_team, change=unlock)
    assert [difference.what for difference in report.differences] == ["agent_1 lock"]
    assert (report.steps_different, report.episodes_different) == (1, 1)


def test_state_that_is_not_recorded_as_discovered_at_the_start_is_seen(
    replay: Callable[..., FileReport], ear_bench_dir: Path
):
    found = episodes(ear_bench_dir / "traces" / "dataall_globalobs.jsonl.gz").values()
    records = next(iter(found))
    report = replay(records, change=lambda rs: rs[0].update(global_observation=False))
    assert report.differences[0].what.startswith("start of")


DECISION_CHANGES: dict[str, tuple[str, Change]] = {
    "reply": ("parsed", lambda rs: rs[0]["decisions"][0].update(reply="Action: WAIT")),
    "what was read": ("parsed", lambda rs: rs[0]["decisions"][0].update(parsed={})),
    "no reply": ("parsed", lambda rs: rs[0]["decisions"][0].update(reply=None)),
    "status of an agent": (
        "per_agent",
        lambda rs: rs[0]["decisions"][0]["per_agent"].update(agent_1="FAILURE"),
    ),
    "overall": ("overall", lambda rs: rs[0]["decisions"][0].update(overall="INVALID")),
    "executed": ("executed", lambda rs: rs[0]["decisions"][0].update(executed=[])),
    "ended": ("ended", lambda rs: rs[0]["decisions"][0].update(ended=True)),
    "claimed": ("claimed", lambda rs: rs[0]["decisions"][0].update(claimed=True)),
    "completed": ("completed_now", lambda rs: rs[0]["decisions"][0].update(completed_now=1)),
    "now": ("now", lambda rs: rs[0]["decisions"][0].update(now=1)),
    "verdict of the command level": (
        "handler_sticky",
        lambda rs: rs[0]["decisions"][0].update(handler_sticky=1),
    ),
    "category": ("category", lambda rs: rs[0].update(category="tool_use")),
    "reason of the end": ("reason", lambda rs: rs[0]["end"].update(reason="limit")),
    "last decision left out": ("total_steps", lambda rs: rs[0]["decisions"].pop()),
}
END_FIGURES = {
    "total_steps": 99,
    "model_claimed_done": False,
    "subtask_completed": False,
    "actual_completion_step": 99,
    "done_command_step": 99,
    "true_positive": False,
    "false_positive": True,
    "true_negative": True,
    "false_negative": True,
    "status": "timeout",
    "successful_steps": 99,
    "failed_steps": 99,
    "command_success_rate": 0.123,
    "llm_interactions": 99,
}


@pytest.mark.parametrize("change", DECISION_CHANGES)
def test_a_difference_in_a_decision_is_seen(
    replay: Callable[..., FileReport], recorded_decisions: Records, change: str
):
    what, apply = DECISION_CHANGES[change]
    report = replay(recorded_decisions, change=apply)
    assert (report.ok, report.episodes_different) == (False, 1)
    assert what in {difference.what for difference in report.differences}


@pytest.mark.parametrize("figure", END_FIGURES)
def test_a_difference_in_a_figure_of_the_end_is_seen(
    replay: Callable[..., FileReport], recorded_decisions: Records, figure: str
):
    def change(records: Records) -> None:
        assert records[0]["end"][figure] != END_FIGURES[figure]
        records[0]["end"][figure] = END_FIGURES[figure]

    report = replay(recorded_decisions, change=change)
    assert [difference.what for difference in report.differences] == [figure]
    assert report.steps_different == 0
    assert report.steps_equal == len(recorded_decisions[0]["decisions"])


# -- what is tolerated ---------------------------------------------------------------------------

OPTIONAL = {
    "agent_ids",
    "ds",
    "init_obj_diff",
    "kind",
    "missing_objects",
    "n",
    "now0",
    "sanitised",
    "scene_id_field",
    "tasks",
    "verbs",
}


def test_unknown_keys_are_ignored(
    replay: Callable[..., FileReport], recorded_commands: Records, recorded_decisions: Records
):
    def decorate(records: Records) -> None:
        for record in records:
            record["remark"] = {"by": "somebody"}
        for step in records[1:-1]:
            agent_of(step)["mood"] = "calm"
        for decision in records[0].get("decisions", ()):
            decision["remark"] = 1

    assert replay(recorded_commands, recorded_decisions, change=decorate).ok


def test_optional_keys_may_be_missing(
    replay: Callable[..., FileReport], recorded_commands: Records
):
    def strip(records: Records) -> None:
        for key in OPTIONAL:
            records[0].pop(key, None)
        for step in records[1:-1]:
            step.pop("r", None)
        records[-1] = {"t": "end", "ep": records[0]["ep"]}

    assert replay(recorded_commands, change=strip).ok


def test_blank_lines_do_not_matter(ear_bench_dir: Path, tmp_path: Path, recorded_commands: Records):
    path = write(tmp_path, recorded_commands)
    path.write_text(path.read_text().replace("\n", "\n\n"))
    assert replay_file(path, ear_bench_dir).ok


def test_episodes_of_one_name_count_apart(
    replay: Callable[..., FileReport], recorded_commands: Records, recorded_decisions: Records
):
    twice = [recorded_commands] * 2 + [recorded_decisions] * 2
    assert replay(*twice).episodes_equal == 4


# -- what cannot be replayed ---------------------------------------------------------------------

BROKEN: dict[str, tuple[str, Change]] = {
    "no such scene file": ("No such file", lambda rs: rs[0].update(scene_file="eval/none.json")),
    "no such task file": ("No such file", lambda rs: rs[0].update(task_file="eval/none.json")),
    "scene outside the data": ("outside", lambda rs: rs[0].update(scene_file="/etc/hostname")),
    "scene above the data": ("outside", lambda rs: rs[0].update(scene_file="../../x.json")),
    "no scene named": ("'scene_file' is missing", lambda rs: rs[0].pop("scene_file")),
    "no agents": ("no list of agents", lambda rs: rs[0].update(agents_config=[])),
    "other number of tasks": ("tasks recorded", lambda rs: rs[0].update(tasks=[{}, {}, {}])),
    "step without agents": ("'ag' is missing", lambda rs: rs[1].pop("ag")),
    "step without status": ("'st' is missing", lambda rs: rs[1].pop("st")),
    "step left out": ("stands where 1 was expected", lambda rs: rs.pop(2)),
    "steps exchanged": ("stands where 0 was expected", lambda rs: rs.insert(1, rs.pop(2))),
    "end left out": ("breaks off", lambda rs: rs.pop()),
    "end too early": ("among the steps", lambda rs: rs.insert(2, rs[-1])),
    "head left out": ("before any 'ep'", lambda rs: rs.pop(0)),
    "head at the end": ("before any 'ep'", lambda rs: rs.append(rs.pop(0))),
    "step of an unknown type": ("among the steps", lambda rs: rs[1].update(t="x")),
    "command that is no text": ("TypeError", lambda rs: rs[1].update(c=3)),
    "agents that are no dictionary": ("Error", lambda rs: rs[1].update(ag=3)),
}


@pytest.mark.parametrize("change", BROKEN)
def test_a_broken_recording_is_reported_and_the_others_replayed(
    replay: Callable[..., FileReport],
    recorded_commands: Records,
    recorded_decisions: Records,
    change: str,
):
    reason, apply = BROKEN[change]

    def break_first(records: Records) -> None:
        if "decisions" not in records[0]:
            apply(records)

    report = replay(recorded_commands, recorded_decisions, change=break_first)
    assert not report.ok
    assert report.episodes_not_replayable >= 1
    assert any(reason in problem for problem in report.problems), report.problems
    assert report.episodes_equal == 1
    assert report.steps_equal == len(recorded_decisions[0]["decisions"])
    assert report.steps_not_replayed >= len(recorded_commands) - 4


@pytest.mark.parametrize(
    ("reason", "change"),
    [
        ("stands where", lambda rs: rs[0]["decisions"].reverse()),
        ("'end' is missing", lambda rs: rs[0].pop("end")),
        ("'max_steps' is missing", lambda rs: rs[0].pop("max_steps")),
        ("'parsed' is missing", lambda rs: rs[0]["decisions"][0].pop("parsed")),
        ("'total_steps' is missing", lambda rs: rs[0]["end"].pop("total_steps")),
        ("Error", lambda rs: rs[0].update(decisions=3)),
        ("Error", lambda rs: rs[0]["decisions"].insert(0, None)),
        ("No such file", lambda rs: rs[0].update(scene_file="none.json")),
    ],
)
def test_a_broken_recording_of_decisions_is_reported(
    replay: Callable[..., FileReport], recorded_decisions: Records, reason: str, change: Change
):
    report = replay(recorded_decisions, change=change)
    assert (report.ok, report.episodes_not_replayable, report.episodes_equal) == (False, 1, 0)
    assert reason in report.problems[0]


def test_interleaved_episodes_are_not_taken_for_whole_ones(
    ear_bench_dir: Path, tmp_path: Path, recorded_commands: Records, recorded_team: Records
):
    mixed = [
        record for pair in zip(recorded_commands, recorded_team, strict=False) for record in pair
    ]
    report = replay_file(write(tmp_path, mixed), ear_bench_dir)
    assert report.episodes_equal == 0
    assert not report.ok


# -- files and folders ---------------------------------------------------------------------------


def test_a_truncated_file_is_reported(ear_bench_dir: Path, tmp_path: Path):
    whole = (ear_bench_dir / "traces" / "crash.jsonl.gz").read_bytes()
    path = tmp_path / "cut.jsonl.gz"
    path.write_bytes(whole[: len(whole) // 2])
    report = replay_file(path, ear_bench_dir)
    assert report.episodes_equal > 0
    assert (report.ok, report.episodes_not_replayable) == (False, 1)
    assert "unreadable" in report.problems[0]


def test_a_damaged_file_is_reported(ear_bench_dir: Path, tmp_path: Path):
    data = bytearray((ear_bench_dir / "traces" / "crash.jsonl.gz").read_bytes())
    middle = len(data) // 2
    data[middle : middle + 64] = bytes(64)
    path = tmp_path / "damaged.jsonl.gz"
    path.write_bytes(data)
    assert not replay_file(path, ear_bench_dir).ok


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "no recordings"),
        (b"\n\n", "no recordings"),
        (b"this is no JSON\n", "not JSON"),
        (b"[1, 2]\n", "not a record"),
        (b"{}\n", "before any 'ep'"),
        (b"\xff\xfe\n", "unreadable"),
        (b"[" * 100_000, "not JSON"),
        (b'{"ep": "x", "decisions": []}\n', "missing"),
        (b'{"t": "ep", "ep": "\x1b[2J\xe2\x80\xae"}\n', "not JSON"),
        (b'{"t": "ep", "ep": "\\u001b[2J\\u202e"}\n', "breaks off"),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_a_file_that_holds_no_recordings_is_reported(
    ear_bench_dir: Path, tmp_path: Path, content: bytes, reason: str, packed: bool
):
    path = tmp_path / ("bad.jsonl.gz" if packed else "bad.jsonl")
    path.write_bytes(gzip.compress(content) if packed else content)
    report = replay_file(path, ear_bench_dir)
    assert not report.ok
    assert reason in report.problems[0]
    assert report.problems[0].isprintable()


def test_a_file_that_only_claims_to_be_gzip_is_reported(ear_bench_dir: Path, tmp_path: Path):
    path = write(tmp_path, [], name="plain.jsonl.gz")
    path.write_text("{}\n")
    assert "unreadable" in replay_file(path, ear_bench_dir).problems[0]


def test_one_bad_file_does_not_hide_the_others(
    ear_bench_dir: Path, tmp_path: Path, recorded_commands: Records
):
    (tmp_path / "a.jsonl").write_text("no JSON\n")
    (tmp_path / "deeper").mkdir()
    write(tmp_path / "deeper", recorded_commands, name="b.jsonl")
    reports = list(conformance(tmp_path, ear_bench_dir))
    assert [(report.file, report.ok) for report in reports] == [
        ("a.jsonl", False),
        ("b.jsonl", True),
    ]


def test_one_file_may_be_named(ear_bench_dir: Path, tmp_path: Path, recorded_commands: Records):
    (report,) = conformance(write(tmp_path, recorded_commands), ear_bench_dir)
    assert report.ok


def test_a_folder_without_recordings_is_an_error(ear_bench_dir: Path, tmp_path: Path):
    with pytest.raises(FileError, match=r"no \*.jsonl"):
        list(conformance(tmp_path, ear_bench_dir))
    with pytest.raises(FileError, match=r"no \*.jsonl"):
        list(conformance(tmp_path / "none", ear_bench_dir))


def test_a_missing_data_folder_is_an_error(tmp_path: Path, recorded_commands: Records):
    write(tmp_path, recorded_commands)
    with pytest.raises(FileError, match="no such folder"):
        list(conformance(tmp_path, tmp_path / "none"))


def test_only_the_first_differences_are_kept_and_all_are_counted(
    replay: Callable[..., FileReport], recorded_commands: Records
):
    def spoil(records: Records) -> None:
        for step in records[1:-1]:
            step["st"] = "PARTIAL"

    report = replay(recorded_commands, recorded_commands, change=spoil)
    steps = len(recorded_commands) - 2
    assert (len(report.differences), report.differences_found) == (5, 2 * steps)
    assert (report.steps_equal, report.steps_different) == (0, 2 * steps)
    assert str(report.differences[0]).endswith("status: recorded 'PARTIAL', replayed 'SUCCESS'")


@pytest.mark.parametrize(
    ("command", "latched"), [("Action: LOOK", 1), ("Action: PLACE", 1), ("", 0)]
)
def test_a_blank_command_does_not_let_the_verdict_of_the_command_level_look(
    ear_bench_dir: Path, recorded_decisions: Records, command: str, latched: int
):
    setting = load_setting(recorded_decisions[0], ear_bench_dir, ear_bench(BRIDGED))
    replaying = decision_level._DecisionReplay(recorded_decisions[0], setting)
    replaying.after_commands = Verdict(compile_goal(AllOf(all=()), {}))
    replaying.execute(replaying.world, "agent_1", command)
    assert int(replaying.after_commands.ever) == latched


# -- as a command ----------------------------------------------------------------------------------


def command(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    given = [sys.executable, "-m", "tests.conformance", *map(str, arguments)]
    root = Path(__file__).parents[1]
    return subprocess.run(given, capture_output=True, text=True, cwd=root, check=False)


@pytest.mark.slow
def test_the_command_counts_and_tells(ear_bench_dir: Path, tmp_path: Path):
    source = ear_bench_dir / "traces" / "dataall_globalobs.jsonl.gz"
    shutil.copy(source, tmp_path / "ok.jsonl.gz")
    done = command(tmp_path, "--data", ear_bench_dir)
    assert done.returncode == 0
    assert "ok.jsonl.gz" in done.stdout
    (tmp_path / "bad.jsonl").write_text("{}\n")
    done = command(tmp_path, "--data", ear_bench_dir)
    assert done.returncode == 1
    assert "not replayable" in done.stdout


@pytest.mark.slow
def test_the_command_says_where_there_is_nothing_to_replay(tmp_path: Path):
    done = command(tmp_path, "--data", tmp_path)
    assert done.returncode == 2
    assert "no *.jsonl" in done.stderr
