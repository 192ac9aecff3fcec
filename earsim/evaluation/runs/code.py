"""Code that agents have executed: whether the machine was up to it, and how it was isolated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from earsim.actions.outcome import Reason
from earsim.apparatus.bodies.confinement import DEMAND, reached
from earsim.apparatus.bodies.pool import Received
from earsim.apparatus.bodies.transcript import OutputLine, Piece, PieceEnd
from earsim.episode import Episode
from earsim.evaluation.termination import Ending
from earsim.schema import StepRecord
from earsim.schema.files.document import Document
from earsim.schema.files.load import validated
from earsim.schema.model import FileModel
from earsim.world import World


def machine_fault(record: StepRecord, world: World) -> tuple[Ending, str] | None:
    """Why a decision makes its episode no measurement: nothing that the agents did.

    Args:
        record: of the decision.
        world: after it.
    """
    for outcome in record.outcomes:
        if outcome.reason == Reason.NO_SANDBOX:
            return Ending.NO_SANDBOX, outcome.message
    for piece in pieces(world):
        if piece.end is PieceEnd.TIMEOUT:
            return Ending.CODE_TIMEOUT, piece.message
        if piece.end is PieceEnd.NO_BODY:
            return Ending.NO_SANDBOX, piece.message
    return None


def pieces(world: World) -> list[Piece]:
    """Every piece of code that was begun, oldest first."""
    lab = None if world.timeline is None else world.timeline.lab
    runs = () if lab is None else lab.runs.values()
    return [run.state for run in runs if isinstance(run.state, Piece)]


def code_record(world: World) -> dict[str, Any]:
    """What was received of all code, as a trajectory keeps it; empty where none was executed."""
    found = [
        {
            "key": piece.key,
            "lines": [list(line) for line in piece.lines],
            "end": None if piece.end is None else piece.end.value,
            "message": piece.message,
        }
        for piece in pieces(world)
    ]
    return {"code": found} if found else {}


class _PieceRecord(FileModel):
    """What was received of one piece of code."""

    key: str
    lines: tuple[tuple[Literal["stdout", "stderr"], str], ...]
    end: PieceEnd | None
    message: str


class _CodeRecord(FileModel):
    code: tuple[_PieceRecord, ...]


def read_code(extra: Mapping[str, Any], source: str) -> dict[str, Received] | None:
    """What was received of all code, by the key of the piece; None where nothing is recorded.

    Args:
        extra: what the writer of an episode noted beside it.
        source: names the episode in messages.

    Raises:
        FileError: The record is none.
    """
    if "code" not in extra:
        return None
    record = validated(Document(source, {"code": extra["code"]}), _CodeRecord)
    return {
        each.key: Received(
            tuple([OutputLine(*line) for line in each.lines]), each.end, each.message
        )
        for each in record.code
    }


def sandbox_of(episode: Episode) -> dict[str, Any]:
    """The level of isolation that was demanded and reached, where code was executed."""
    if not pieces(episode.world):
        return {}
    return {"sandbox": {"demanded": DEMAND.level, "reached": int(reached().level)}}
