"""The policy `replay`: gives recorded commands again, under whatever rules are in force now."""

from __future__ import annotations

from pathlib import Path

from earsim.envs.policy import PolicyContext
from earsim.errors import FileError, Finding, UnknownName, UsageError
from earsim.schema import load_trajectory
from earsim_agents.command_script import ScriptedPolicy


class ReplayPolicy(ScriptedPolicy):
    """Gives the commands that a trajectory of the same scenario holds, then DONE."""

    def __init__(self, trajectories: str | Path) -> None:
        """Look up what was recorded.

        Args:
            trajectories: a trajectory file, or a folder (a run, say) with such files below it.

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
        steps = load_trajectory(self._recorded[scenario_id]).steps
        self.begin([step.commands for step in steps], context.agents)


def _by_scenario(root: Path) -> dict[str, Path]:
    """The file of each recorded scenario."""
    paths = sorted(root.rglob("*.jsonl")) if root.is_dir() else [root]
    found: dict[str, Path] = {}
    for path in paths:
        scenario_id = load_trajectory(path).scenario_id
        if scenario_id in found:
            raise UsageError(f"{found[scenario_id]} and {path} are both of {scenario_id}")
        found[scenario_id] = path
    if not found:
        expected = "expected *.jsonl files with trajectories"
        raise FileError(str(root), [Finding(str(root), "", "no trajectories", expected)])
    return found
