"""The policy `replay`: gives recorded commands again, under whatever rules are in force now."""

from __future__ import annotations

from pathlib import Path

from earsim.envs.policy import PolicyContext
from earsim.errors import UnknownName, UsageError
from earsim.evaluation.formats.trajectories import recordings_below
from earsim.schema import Trajectory
from earsim_agents.command_script import ScriptedPolicy


class ReplayPolicy(ScriptedPolicy):
    """Gives the commands that a trajectory of the same scenario holds, then DONE."""

    def __init__(self, trajectories: str | Path) -> None:
        """Look up what was recorded.

        Args:
            trajectories: a trajectory file, a run, or a folder with such below it.

        Raises:
            FileError: There are none, or one cannot be read.
            UsageError: Two of them are of one scenario.
        """
        super().__init__()
        self._recorded = _by_scenario(Path(trajectories))

    def reset(self, context: PolicyContext) -> None:
        """Begin the recording of this scenario.

        Raises:
            UnknownName: Nothing was recorded of it.
        """
        scenario_id = context.scenario.id
        if scenario_id not in self._recorded:
            raise UnknownName("recording of scenario", scenario_id, self._recorded)
        steps = self._recorded[scenario_id].steps
        self.begin([step.commands for step in steps], context.agents)


def _by_scenario(root: Path) -> dict[str, Trajectory]:
    """The recording of each scenario."""
    found: dict[str, Trajectory] = {}
    sources: dict[str, str] = {}
    for recording in recordings_below(root):
        trajectory = recording.load()
        scenario_id = trajectory.scenario_id
        if scenario_id in found:
            both = f"{sources[scenario_id]} and {recording.source}"
            raise UsageError(f"{both} are both of {scenario_id}")
        found[scenario_id], sources[scenario_id] = trajectory, recording.source
    return found
