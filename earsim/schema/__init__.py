"""Models of every file: scenes, agents, goals, tasks, scenarios, trajectories; and their loading.

Everything here is data. What lives and changes is in `earsim.world`.
"""

from earsim.errors import FileError, Finding
from earsim.schema.agent import AgentSpec
from earsim.schema.files.dump import to_data, to_json, to_yaml
from earsim.schema.files.load import load_file, load_scenarios, load_scene, parse
from earsim.schema.goal import (
    AllOf,
    AnyOf,
    At,
    AtFact,
    DoneJointly,
    DoneJointlyFact,
    Fact,
    Goal,
    HasState,
    HasStateFact,
    HeldBy,
    HeldByFact,
    InsideRoom,
    InsideRoomFact,
    Not,
    Quantity,
    QuantityFact,
)
from earsim.schema.records.trajectory import OutcomeRecord, Result, StepRecord, Trajectory
from earsim.schema.records.trajectory_file import load_trajectory, save_trajectory
from earsim.schema.scenario import Scenario, SceneFile
from earsim.schema.scene import Scene
from earsim.schema.scene_parts import Container, Door, Room, SceneObject
from earsim.schema.selector import (
    Comparison,
    Filter,
    Largest,
    Only,
    Rank,
    RankBy,
    Selector,
    Smallest,
)
from earsim.schema.task import Category, SceneTask, Task
from earsim.schema.verb_table import AttributeVerb, verb_table

__all__ = [
    "AgentSpec",
    "AllOf",
    "AnyOf",
    "At",
    "AtFact",
    "AttributeVerb",
    "Category",
    "Comparison",
    "Container",
    "DoneJointly",
    "DoneJointlyFact",
    "Door",
    "Fact",
    "FileError",
    "Filter",
    "Finding",
    "Goal",
    "HasState",
    "HasStateFact",
    "HeldBy",
    "HeldByFact",
    "InsideRoom",
    "InsideRoomFact",
    "Largest",
    "Not",
    "Only",
    "OutcomeRecord",
    "Quantity",
    "QuantityFact",
    "Rank",
    "RankBy",
    "Result",
    "Room",
    "Scenario",
    "Scene",
    "SceneFile",
    "SceneObject",
    "SceneTask",
    "Selector",
    "Smallest",
    "StepRecord",
    "Task",
    "Trajectory",
    "load_file",
    "load_scenarios",
    "load_scene",
    "load_trajectory",
    "parse",
    "save_trajectory",
    "to_data",
    "to_json",
    "to_yaml",
    "verb_table",
]
