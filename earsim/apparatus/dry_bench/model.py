"""`dry_bench/1`: a Python workstation with a problem on it.

``SAVE`` fills in its files, ``EXEC`` tries things out beside them, and ``RUN`` runs the tests: in a
fresh interpreter with the files as they are, one line of output, so one second, for each test.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from earsim.apparatus.bodies.model import Workstation
from earsim.apparatus.bodies.transcript import Entry, Piece, PieceEnd, Saved
from earsim.apparatus.dry_bench.problem import DryProblem
from earsim.apparatus.model import ModelOutput
from earsim.apparatus.parameter import Settings, Value

_NOTHING = DryProblem("", "main", {}, ())


class DryBench(Workstation):
    """A dry bench.

    Attributes:
        problem: what lies on it.
    """

    id = "dry_bench/1"
    title = "dry bench: a function to fill in, tested in a sandbox"
    language = "Python"
    quantities = (
        *Workstation.quantities,
        ModelOutput("passed", "", "tests that passed; results of RUN, as are those below"),
        ModelOutput("tests", "", "tests that there are"),
        ModelOutput("seconds", "s", "world time that they took"),
        ModelOutput("failed_to_run", "", "whether a call raised an error or returned nothing"),
    )

    def __init__(self, problem: DryProblem = _NOTHING) -> None:
        self.problem = problem

    def of(self, problem: DryProblem) -> DryBench:
        """The same bench with another problem."""
        return DryBench(problem)

    def start(self, settings: Settings) -> Piece:
        """The tests of the files as they lie there at first."""
        return self.trial((), settings)

    def piece(self, code: str, work: Sequence[Entry], settings: Settings) -> Piece:
        """The execution of a piece of code beside the files."""
        return super().piece(code, (*self.problem.saved, *work), settings)

    def trial(self, files: Sequence[Saved], settings: Settings) -> Piece:
        """The tests, in a fresh interpreter.

        Args:
            files: what was saved since, oldest first.
            settings: of the run.
        """
        return replace(self.piece(self.problem.program, files, settings), apart=True)

    def results(self, state: Piece) -> Mapping[str, Value | None]:
        """What the lines so far say; of code that is no trial, what it said itself."""
        if not state.apart:
            none = dict.fromkeys(each.name for each in self.quantities)
            return {**none, **super().results(state)}
        returned, tests = len(self.problem.outputs(state.lines)), self.problem.size
        return {
            "result": None,
            "lines": len(state.lines),
            "passed": self.problem.passed(state.lines),
            "tests": tests,
            "seconds": (len(state.lines) + 1) * state.pace,
            "failed_to_run": state.end is not PieceEnd.COMPLETED or returned < tests,
        }
