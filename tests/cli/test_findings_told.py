"""A file with findings: whatever is asked of it, the findings are what is told."""

import pytest

BROKEN = """\
schema: earsim.scene/1
id: hut
rooms: [{id: hall}, {id: loft}]
doors:
  - {id: hatch, between: [hall, loft], states: {is_open: "no"}}
objects:
  - {id: lamp, kind: item, in: hall, mass_kg: 1, states: {is_on: "no"}}
  - {id: cup, kind: item, in: hall, mas_kg: 1}
tasks:
  - id: light
    category: direct_command
    agents: [{id: eva, max_mass_kg: 20}]
    goal: {all: [{has_state: {object: lamp, state: is_on}}]}
    instruction: Light the lamp.
"""
FINDINGS = (
    "hut.yaml:5: doors[0].states.is_open: 'no' (expected true or false)",
    "hut.yaml:7: objects[0].states.is_on: 'no' is no truth value (expected true or false)",
    "hut.yaml:8: objects[1].mas_kg: unknown key (did you mean 'mass_kg'?)",
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "exit_code"),
    [
        ("validate hut.yaml", 1),
        ("show hut.yaml", 2),
        ("show hut.yaml/light", 2),
        ("show hut.yaml/nosuch", 2),
        ("plan hut.yaml", 2),
        ("plan hut.yaml/light", 2),
        ("plan hut.yaml/light --walkthrough --write", 2),
        ("play hut.yaml", 2),
        ("play hut.yaml/light", 2),
        ("run hut.yaml/light --policy random", 2),
        ("run hut.yaml --policy random", 1),
        ("certify hut.yaml", 1),
        ("certify hut.yaml/light", 2),
        ("audit hut.yaml", 1),
        ("export-pddl hut.yaml/light", 2),
        ("new task hut.yaml", 2),
    ],
)
def test_the_findings_are_told(earsim, here, words, exit_code):
    (here / "hut.yaml").write_text(BROKEN)
    result = earsim(*words.split())
    assert result.exit_code == exit_code
    told = result.stdout + result.stderr
    assert all(finding in told for finding in FINDINGS), told
    assert "unknown scenario" not in told
