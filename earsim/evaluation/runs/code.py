"""Code that agents have executed: whether the machine was up to it, and how it was isolated."""

from __future__ import annotations

from typing import Any

from earsim.actions.outcome import Reason
from earsim.apparatus.bodies.confinement import DEMAND, reached
from earsim.apparatus.bodies.transcript import Piece, PieceEnd
from earsim.episode import Episode
from earsim.evaluation.termination import Ending
from earsim.schema import StepRecord
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


def sandbox_of(episode: Episode | None) -> dict[str, Any]:
    """The level of isolation that was demanded and reached, where code was executed."""
    if episode is None or not pieces(episode.world):
        return {}
    return {"sandbox": {"demanded": DEMAND.level, "reached": int(reached().level)}}
