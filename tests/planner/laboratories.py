"""Tiny scenes with one apparatus, for tests of plans, certificates and rules."""

from earsim.engine import Engine
from earsim.schema.scenario import SceneFile

ADA = {"id": "ada", "in": "lab", "max_mass_kg": 20.0}
BEN = {"id": "ben", "in": "lab", "max_mass_kg": 20.0}
KEY = {"id": "key", "kind": "item", "in": "store", "mass_kg": 0.1, "also_provides": ["operate_rig"]}
BALL = {"id": "ball", "kind": "item", "in": "store", "mass_kg": 0.05}

SETTLES = {"measured": {"apparatus": "rig", "result": "settling_s", "at_most": 3.0}}
NO_ERROR = {"measured": {"apparatus": "rig", "result": "steady_error", "at_most": 0.001}}
TUNED = {"all": [SETTLES, NO_ERROR]}
COMPLETED = {"operation": {"apparatus": "rig", "status": "completed"}}


def error(tolerance):
    return {"measured": {"apparatus": "rig", "result": "error", "at_most": tolerance}}


def scenario_of(
    goal,
    *,
    model="maglev/1",
    needs=None,
    limits=None,
    agents=(ADA,),
    objects=(KEY, BALL),
    category="tool_use",
    instruction="Tune the {rig}.",
    walkthrough=(),
    **apparatus,
):
    """A rig in a laboratory that is off; key and ball lie in the store beside it."""
    rig = {"id": "rig", "kind": "furniture", "in": "lab", "mass_kg": 41.0}
    rig |= {"states": {"is_on": False}, "needs": ["is_on"]}
    rig["apparatus"] = {"model": model, "needs": needs or {}, **apparatus}
    task = {"id": "task", "category": category, "instruction": instruction, "goal": goal}
    task |= {"limits": limits or {}, "agents": list(agents), "walkthrough": list(walkthrough)}
    rooms = [{"id": "lab"}, {"id": "store", "connects": ["lab"]}]
    scene = {"id": "tiny", "rooms": rooms, "objects": [*objects, rig], "tasks": [task]}
    return SceneFile.model_validate(scene).scenarios()[0]


def engine_of(goal, **changes):
    return Engine(scenario_of(goal, **changes))


OCEAN = {"model": "sixbox/1", "needs": {"ability": "operate_rig"}}


def threshold(name, asks):
    """An instruction that asks one question of the six-box ocean."""
    return f"{asks} Find out on {{rig}} and answer with SUBMIT {name}=NUMBER or {name}=none."
