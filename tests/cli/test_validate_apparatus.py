"""`earsim validate`: apparatus that cannot be, and tasks that ask too much of them."""

import pytest

from earsim import Engine
from earsim.apparatus.bodies.confinement import DEMAND
from earsim.certificates.validation import check_scenario
from earsim.errors import UsageError
from earsim.schema import SceneFile, load_file

SCENE = """\
schema: earsim.scene/1
id: lab
rooms:
  - {id: hall, name: Hall}
objects:
  - {id: badge, name: Badge, kind: item, in: hall, mass_kg: 0.1, provides: [unlock]}
  - {id: ball, name: Ball, kind: item, in: hall, mass_kg: 0.1}
  - {id: rig, name: Rig, kind: furniture, in: hall, mass_kg: 40,
     apparatus: {model: maglev/1, settings: {Kp: 5.0}, bounds: {Kp: [0, 12]}, tunable: [Kp, Ki],
       levels: {Kp: [3, 12]}, needs: {ability: unlock, loaded: ball}, price: {eur_per_run: 2.0},
       show: [y]}}
tasks:
  - id: tune
    category: direct_command
    agents: [{id: eva, name: Eva, max_mass_kg: 20}]
    limits: {eur: 8.0}
    goal: {all: [{measured: {apparatus: rig, result: settling_s, at_least: 0}}]}
    instruction: "Make it settle."
    walkthrough: [EXPLORE, GOTO badge, GRAB badge, GOTO ball, GRAB ball, GOTO rig,
      PLACE ball on rig, CONFIGURE rig Kp=2.818 Ki=0.8, RUN rig, WAIT UNTIL rig done]
"""


@pytest.fixture
def lab(here):
    def written(*changes):
        path, text = here / "lab.yaml", SCENE
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path.write_text(text)
        return path

    return written


def test_a_sane_scene(earsim, lab):
    result = earsim("validate", lab())
    assert result.exit_code == 0, result.stdout


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("maglev/1", "magleb/1", ("apparatus.model", "unknown model 'magleb/1'", "maglev/1")),
        ("maglev/1", "maglev", ("apparatus.model", "a model and its version, such as maglev/1")),
        ("maglev/1", "../maglev/1", ("apparatus.model", "a model and its version")),
        ("settings: {Kp:", "settings: {Kq:", ("settings.Kq", "unknown setting 'Kq'")),
        ("settings: {Kp: 5.0}", "settings: {Kp: 1e9}", ("settings.Kp", "out of bounds")),
        ("settings: {Kp: 5.0}", "settings: {topology: lqr}", ("settings.topology", "pid")),
        ("bounds: {Kp:", "bounds: {Kq:", ("bounds.Kq", "unknown setting 'Kq'")),
        ("[0, 12]", "[5, 4]", ("bounds.Kp", "no value lies in 5 to 4")),
        ("[0, 12]", "[-1, 12]", ("bounds.Kp", "-1 to 12 are more than maglev/1 takes", "0 to 50")),
        ("[0, 12]", "[0, 999]", ("bounds.Kp", "0 to 999 are more than maglev/1 takes")),
        ("tunable: [Kp", "tunable: [Kq", ("tunable[0]", "unknown setting 'Kq'")),
        ("levels: {Kp: [3, 12]", "levels: {Kp: [3, 13]", ("levels.Kp[1]", "out of bounds")),
        ("ability: unlock", "ability: unlok", ("needs.ability", "no object provides 'unlok'")),
        ("loaded: ball", "loaded: bal", ("needs.loaded", "unknown object 'bal'", "ball")),
        ("loaded: ball", "loaded: rig", ("needs.loaded", "in or on itself")),
        ("show: [y]", "show: [z]", ("show[0]", "unknown channel 'z'")),
        ("result: settling_s", "result: setling_s", ("task.goal", "settling_s")),
        ("measured: {apparatus: rig", "measured: {apparatus: ball", ("task.goal", "apparatus")),
        ("limits: {eur: 8.0}", "limits: {kwh: 8.0}", ("limits.kwh", "no apparatus costs any")),
    ],
)
def test_what_cannot_be_is_a_finding(earsim, lab, old, new, said):
    result = earsim("validate", lab((old, new)))
    assert result.exit_code == 1, result.stdout
    for words in said:
        assert words in result.stdout, result.stdout


def test_under_ear_bench_no_apparatus_runs(lab):
    scenario = load_file(lab()).scenarios()[0].model_copy(update={"ruleset": "ear-bench"})
    (finding,) = check_scenario(scenario)
    assert "runs no apparatus" in finding.reason


def test_a_scene_that_names_what_the_model_does_not_have_is_refused_by_name(lab):
    content = {
        "id": "lab",
        "rooms": [{"id": "hall"}],
        "objects": [
            {"id": "rig", "kind": "furniture", "in": "hall", "mass_kg": 40}
            | {"apparatus": {"model": "maglev/1", "bounds": {"Kq": [0, 1]}}}
        ],
        "tasks": [
            {"id": "t", "category": "direct_command", "instruction": "-", "goal": {"any": []}}
            | {"agents": [{"id": "eva", "max_mass_kg": 20}]}
        ],
    }
    (scenario,) = SceneFile.model_validate(content).scenarios()
    with pytest.raises(UsageError, match=r"apparatus 'rig', bounds.Kq: unknown setting 'Kq'"):
        Engine(scenario)


def test_where_there_is_no_sandbox_code_is_not_played_and_that_is_no_fault(earsim, monkeypatch):
    monkeypatch.setattr(DEMAND, "level", 9)
    result = earsim("validate", "numerics_room/how_high")
    assert result.exit_code == 0
    assert "1 checked: 1 sound, 0 with findings; 0 walkthroughs replayed." in result.stdout
    (told,) = [line for line in result.stdout.splitlines() if "not played" in line]
    assert told.startswith("1 not played, which is no fault of theirs: No code is executed:")
    assert "certificates replayed" not in result.stdout
