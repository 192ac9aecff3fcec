"""What a world knows of its apparatus: the workspace of a workstation, and the digest."""

from typing import Any

import pytest

from earsim import Engine, digest
from earsim.apparatus.bodies.transcript import Executed, OutputLine, Piece, PieceEnd, Saved
from earsim.apparatus.model import Expected, ModelEvent, Sample, Severity
from earsim.apparatus.operation import Failure, Operation, OperationStatus, OperationType
from earsim.schema import SceneFile
from earsim.world import World
from earsim.world.channels import channels_shown
from earsim.world.lab import Lab, LabRun, LedgerRow, SavedFile

LINE = OutputLine("stdout", "1")
TEXT, NOTE = Saved("a.py", "x = 1"), Saved("b.txt", "note")


def piece(code: str, end: PieceEnd | None = PieceEnd.COMPLETED, **more: Any) -> Piece:
    return Piece("python/1", (), code, 1.0, (LINE,), end, **more)


def run_of(state: Any, number: int = 1, apparatus: str = "desk") -> LabRun:
    operation = Operation(f"op_{number}", OperationType.RUN, 1.0, OperationStatus.COMPLETED)
    return LabRun(operation, apparatus, ("ada",), {}, state, 0, 9, 1.0, None, Expected(None, None))


def lab(*states: Any, files: tuple[SavedFile, ...] = ()) -> Lab:
    runs = {f"op_{number}": run_of(state, number) for number, state in enumerate(states)}
    other = run_of(piece("z = 0"), 99, "other")
    return Lab(runs={**runs, "op_99": other}, files={"desk": files})


def executed(code: str, *, stopped: bool = False) -> Executed:
    return Executed(code, (LINE,), stopped)


def test_a_workspace_has_come_from_what_was_saved_and_executed_in_that_order():
    files = (SavedFile(0, TEXT), SavedFile(2, NOTE))
    made = lab(piece("a = 1"), piece("b = 1", PieceEnd.RAISED), files=files)
    assert made.work("desk") == (TEXT, executed("a = 1"), executed("b = 1"), NOTE)
    assert made.work("other") == (executed("z = 0"),)
    assert made.work("nowhere") == ()


def test_an_interpreter_that_died_leaves_the_files():
    files = (SavedFile(0, TEXT), SavedFile(1, NOTE))
    made = lab(piece("a = 1"), piece("b = 1", PieceEnd.LOST), piece("c = 1"), files=files)
    assert made.work("desk") == (TEXT, NOTE, executed("c = 1"))


@pytest.mark.parametrize("end", [PieceEnd.COMPLETED, PieceEnd.LOST])
def test_what_is_executed_apart_leaves_nothing_and_takes_nothing(end: PieceEnd):
    made = lab(piece("a = 1"), piece("t = 1", end, apart=True), files=(SavedFile(2, NOTE),))
    assert made.work("desk") == (executed("a = 1"), NOTE)


def test_a_piece_that_goes_on_counts_with_the_lines_it_has():
    assert lab(piece("a = 1", None)).work("desk") == (executed("a = 1", stopped=True),)


# -- digest ----------------------------------------------------------------------------------------


def world(made: Lab) -> World:
    thing = {"id": "rig", "kind": "furniture", "in": "lab", "mass_kg": 40.0}
    task = {"id": "t", "category": "direct_command", "instruction": "-", "goal": {"any": []}}
    task |= {"agents": [{"id": "ada", "max_mass_kg": 20.0}]}
    rig = thing | {"apparatus": {"model": "maglev/1"}}
    content = {"id": "lab", "rooms": [{"id": "lab"}], "objects": [rig], "tasks": [task]}
    (scenario,) = SceneFile.model_validate(content).scenarios()
    started = Engine(scenario).start()
    assert started.timeline is not None
    started.timeline.lab = made
    return started


FAILED = Operation("op_1", OperationType.RUN, 1.0, OperationStatus.FAILED, Failure.ERROR)
READING = Sample(1.0, 1.0, (2.0,))
EVENT = ModelEvent(1.0, 1.0, "done", Severity.INFO, {})


@pytest.mark.parametrize(
    "changes",
    [
        {"operation": FAILED},
        {"apparatus": "spare"},
        {"settings": {"Kp": 3.0}},
        {"started_ms": 1},
        {"ended_ms": None},
        {"spent": 2.0},
        {"samples": (READING, READING)},
        {"samples": (READING._replace(values=(3.0,)),)},
        {"operation": run_of(None, 2).operation},
        {"events": ()},
        {"events": (EVENT._replace(name="diverging"),)},
        {"events": (EVENT._replace(t=2.0),)},
        {"results": {"lines": 1}},
        {"state": piece("b = 1")},
        {"state": Piece("python/1", (), "a = 1", 1.0)},
    ],
)
def test_worlds_whose_runs_differ_have_other_digests(changes: dict[str, Any]):
    run = run_of(piece("a = 1"))._replace(samples=(READING,), events=(EVENT,))
    one, other = (world(Lab(runs={"op_1": each})) for each in (run, run._replace(**changes)))
    assert digest(one) != digest(other)


def test_of_the_readings_of_a_run_the_newest_tells_of_the_others():
    first = READING._replace(values=(3.0,))
    runs = [run_of(None)._replace(samples=(each, READING)) for each in (READING, first)]
    one, other = (world(Lab(runs={"op_1": run})) for run in runs)
    assert digest(one) == digest(other)


def test_a_display_of_a_workstation_shows_the_newest_number_of_every_name():
    told = ("a=1", "b=2", "a=3")
    lines = tuple([OutputLine("stdout", f"INTERMEDIATE: {each}") for each in told])
    run = run_of(Piece("python/1", (), "-", 1.0, lines, None), apparatus="rig")
    assert channels_shown(world(Lab(runs={"op_1": run})), "rig") == {"a": 3.0, "b": 2.0}


@pytest.mark.parametrize(
    "changes",
    [
        {"settings": {"rig": {"Kp": 3.0}}},
        {"ledger": (LedgerRow(1, "ada", "rig", "eur", 2.0),)},
        {"answers": {"who": "ada"}},
        {"tries": {"who": 1}},
        {"files": {"desk": (SavedFile(0, TEXT),)}},
    ],
)
def test_worlds_whose_labs_differ_have_other_digests(changes: dict[str, Any]):
    assert digest(world(Lab())) != digest(world(Lab(**changes)))


def test_worlds_whose_files_were_saved_at_other_times_have_other_digests():
    one, other = (world(Lab(files={"desk": (SavedFile(at, TEXT),)})) for at in (0, 1))
    assert digest(one) != digest(other)
