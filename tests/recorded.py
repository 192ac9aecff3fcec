"""What tests of several folders read out of runs, and how they make small ones."""

from pathlib import Path

from earsim.evaluation.formats.trajectories import trajectories_of
from earsim.evaluation.runs.evaluation import Evaluation
from earsim.evaluation.runs.sweep import Sweep
from earsim.evaluation.store.database import Store
from earsim.schema import Trajectory


def recorded(folder: Path) -> dict[str, Trajectory]:
    """The trajectories of a run by scenario."""
    return {row.scenario_id: trajectory for _, row, trajectory in trajectories_of(folder)}


def endings(folder: Path) -> dict[str, str]:
    """Why the episodes of a run ended, by scenario."""
    with Store.open(folder, readonly=True) as store:
        return {row.scenario_id: row.termination for row in store.episodes()}


def play_run(folder: Path, suite: Path | str, policy: str, **settings: object) -> Path:
    """Let a policy play a suite into a folder."""
    sweep = {"models": [{"policy": policy}], "suites": [str(suite)], **settings}
    list(Evaluation(Sweep.model_validate(sweep), folder).run())
    return folder
