"""Who has to be told: two scenarios that look alike to those who act, and ask for other things."""

from typing import Any

import pytest
import yaml

from earsim.engine import Engine
from earsim.planner.proofs.certificate import certify
from earsim.planner.proofs.twins import cannot_know
from earsim.render.proof import proof_line
from earsim.schema import Scenario, SceneFile
from earsim.schema.certificate import LabelProof, Means, Question, Shown
from earsim.schema.files.document import Document
from earsim.schema.files.load import validated

SILENT = Question(silent=True)

VAULT = """\
schema: earsim.scene/1
id: vault
rooms:
  - {id: vault, name: Vault}
  - {id: hall, name: Hall}
  - {id: yard, name: Yard, connects: [hall]}
doors:
  - {id: grate, name: Grate, between: [vault, hall], states: {is_open: false, is_locked: true}}
objects:
  - {id: gauge, name: Gauge, kind: item, in: vault, mass_kg: 1, pressure_bar: 50}
  - {id: can_a, name: Can, kind: item, in: hall, mass_kg: 2, pressure_bar: 40}
  - {id: can_b, name: Can, kind: item, in: hall, mass_kg: 2, pressure_bar: 60}
  - {id: can_c, name: Can, kind: item, in: hall, mass_kg: 2, pressure_bar: 45}
tasks:
  - id: fuller
    category: implicit_collaboration
    instruction: Bring the can whose pressure is next above that of the gauge to the yard alone.
    agents: [{id: ada, in: vault, max_mass_kg: 20}, {id: bo, in: hall, max_mass_kg: 20}]
    channel: all
    knowledge: own
    select:
      target:
        smallest: pressure_bar
        among: {name: Can, more_than: {of: pressure_bar, object: gauge}}
    goal:
      all:
        - {inside_room: {object: $target, room: yard}}
        - {not: {inside_room: {object: can_c, room: yard}}}
"""


def vault(**changed: Any) -> Scenario:
    """The scenario, with fields of its only task as they are given, and texts replaced."""
    text = VAULT
    for old, new in changed.pop("replaced", {}).items():
        assert old in text
        text = text.replace(old, new)
    document = yaml.safe_load(text)
    document["tasks"][0].update(changed)
    return validated(Document("vault", document), SceneFile).scenarios()[0]


def test_what_only_one_who_is_shut_in_can_read_must_be_told():
    found = certify(vault(), nodes=1000)
    proofs = {proof.of: proof for proof in found.necessity}
    assert found.label is LabelProof.PROVED
    assert proofs[Means.MESSAGE].shown is Shown.NEEDED
    assert "unless somebody says it" in proof_line(proofs[Means.MESSAGE])
    (claim,) = proofs[Means.MESSAGE].searches
    assert (claim.method, claim.why) == ("twins", "cannot_know")
    assert claim.facts["id"] == "gauge"
    assert claim.facts["of"] == "pressure_bar"


def test_the_team_is_needed_as_each_alone_cannot_enter_or_cannot_know():
    team = next(p for p in certify(vault(), nodes=1000).necessity if p.of is Means.TEAM)
    assert [(each.question.agents, each.why) for each in team.searches] == [
        (("ada",), "unreachable_room"),
        (("bo",), "cannot_know"),
    ]


def test_the_other_value_asks_for_another_thing_of_the_same_words():
    claim = cannot_know(Engine(vault()), SILENT)
    assert claim is not None
    other = float(claim.facts["other"])
    twin = Engine(vault(replaced={"pressure_bar: 50": f"pressure_bar: {other}"}))
    here = Engine(vault())
    assert twin.instruction == here.instruction
    assert twin.task.answer != here.task.answer


KEY = {
    "is_locked: true}}": "is_locked: true}, key: key}",
    "objects:": "objects:\n  - {id: key, name: Key, kind: item, in: yard, mass_kg: 0.1}",
}


EITHER = [{"inside_room": {"object": can, "room": "yard"}} for can in ("can_a", "can_c", "$target")]
GAUGE_STAYS = "all:\n        - {inside_room: {object: gauge, room: vault}}"

NOT_SO: dict[str, dict[str, Any]] = {
    "all know": {"knowledge": "shared"},
    "a door that opens": {"replaced": {"is_locked: true": "is_locked: false"}},
    "an open door": {"replaced": {"false, is_locked: true": "true, is_locked: false"}},
    "in sight": {"replaced": {"kind: item, in: vault": "kind: item, in: hall"}},
    "nobody outside": {"replaced": {"id: bo, in: hall": "id: bo, in: vault"}},
    "no comparison": {"select": {"target": {"largest": "pressure_bar", "among": {"name": "Can"}}}},
    "both may be": {"goal": {"any": EITHER}},
    "about the inside": {"replaced": {"all:": GAUGE_STAYS}},
}


@pytest.mark.parametrize("changed", NOT_SO.values(), ids=NOT_SO)
def test_otherwise_nothing_is_claimed(changed: dict[str, Any]):
    assert cannot_know(Engine(vault(**changed)), SILENT) is None


def test_a_key_that_is_about_opens_what_is_shut():
    assert cannot_know(Engine(vault(replaced=KEY)), SILENT) is None


def test_who_may_talk_is_told():
    assert cannot_know(Engine(vault()), Question()) is None
    assert cannot_know(Engine(vault()), Question(agents=("ada", "bo"))) is None


def test_a_goal_over_time_is_left_alone():
    late = {"by": {"goal": {"inside_room": {"object": "$target", "room": "yard"}}, "seconds": 600}}
    assert cannot_know(Engine(vault(goal={"all": [late]})), SILENT) is None
