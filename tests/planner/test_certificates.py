"""Certificates: made, written, read, played again, proved again, and found out when false."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from earsim.certificates import certifying
from earsim.certificates.certifying import Certified, certify_suite, reprove_suite
from earsim.certificates.file import CertificateFile, key_of
from earsim.certificates.location import place_to_write, places_to_read, user_cache
from earsim.certificates.summary import tabulate
from earsim.certificates.validation import check_suite
from earsim.errors import FileError
from earsim.planner import DEFAULT_NODE_LIMIT, Why
from earsim.planner.proofs.certificate import certify, is_about, recheck, reprove, staleness
from earsim.planner.version import PLANNER_VERSION
from earsim.render.proof import impossible, proof_line, solution_line
from earsim.rulesets import RULESETS
from earsim.schema import Category
from earsim.schema.certificate import Certificate, Proof, Question, Search, Shown
from earsim.schema.files.json_schema import export
from earsim.suites import Suite, open_suite
from earsim.suites.opening import suite_path
from earsim.suites.suite import Selection
from earsim.world import Blueprint

ROOT = Path(__file__).resolve().parents[2]

CABIN = """\
schema: earsim.scene/1
id: cabin
rooms: [{id: hall, name: Hall, connects: [loft]}, {id: loft, name: Loft}]
objects:
  - {id: chest, name: Chest, kind: furniture, in: hall, mass_kg: 30}
  - {id: lamp, name: Lamp, kind: item, on: chest, mass_kg: 1, states: {is_on: false}}
  - {id: piano, name: Piano, kind: item, in: loft, mass_kg: 60}
tasks:
  - id: light
    category: direct_command
    agents: [{id: eva, name: Eva, max_mass_kg: 20}]
    goal: {has_state: {object: lamp, state: is_on}}
    instruction: Light the lamp.
  - id: carry
    category: implicit_collaboration
    agents: [{id: eva, name: Eva, max_mass_kg: 40}, {id: tom, name: Tom, max_mass_kg: 40}]
    goal: {inside_room: {object: piano, room: hall}}
    instruction: Bring the piano to the hall.
  - id: never
    category: tool_use
    agents: [{id: eva, name: Eva, max_mass_kg: 20}]
    goal: {inside_room: {object: piano, room: hall}}
    instruction: Bring the piano to the hall.
"""


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    path = tmp_path / "cabin.yaml"
    path.write_text(CABIN, encoding="utf-8")
    return path


@pytest.fixture
def suite(scene: Path) -> Suite:
    return open_suite(scene)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "earsim"


def all_of(suite: Suite, file: CertificateFile, **kwargs: Any) -> list[Certified]:
    return list(certify_suite(suite, file, jobs=1, **kwargs))


# -- one certificate -----------------------------------------------------------------------------


def test_it_says_what_is_proved(suite: Suite):
    found = certify(suite.load("cabin/light"))
    assert found.ruleset == "physical/2"
    assert found.planner == PLANNER_VERSION
    assert found.goal_at_start is False
    assert [*found.solution.plan[-1].values()] == ["TURN_ON lamp"]
    assert found.solution.least
    assert found.exploit is None


def test_it_survives_being_written(suite: Suite, tmp_path: Path):
    for scenario in suite:
        file = CertificateFile(tmp_path / f"{scenario.task.id}.jsonl")
        made = certify(scenario)
        file.add(made)
        assert CertificateFile(file.path).find(key_of(made), scenario) == made


def test_what_is_written_fits_the_json_schema(suite: Suite, tmp_path: Path):
    jsonschema = pytest.importorskip("jsonschema")
    file = CertificateFile(tmp_path / "c.jsonl")
    all_of(suite, file)
    schema = export("certificate")
    for line in file.path.read_text(encoding="ascii").splitlines():
        jsonschema.validate(json.loads(line), schema)


def test_a_true_one_replays(suite: Suite):
    for scenario in suite:
        assert [*recheck(certify(scenario), scenario)] == []
        assert reprove(certify(scenario), scenario) == ()


def test_the_author_s_plan_where_the_search_gave_up(scene: Path):
    walk = ["{eva: GOTO loft, tom: GOTO loft}", "{eva: EXPLORE, tom: EXPLORE}"]
    walk += ["{eva: GOTO piano, tom: GOTO piano}", "{eva: CORP_GRAB piano, tom: CORP_GRAB piano}"]
    walk += ["{eva: CORP_GOTO hall, tom: CORP_GOTO hall}", "{eva: DONE, tom: DONE}"]
    end = "    instruction: Bring the piano to the hall.\n  - id: never"
    text = CABIN.replace(end, f"    walkthrough: [{', '.join(walk)}]\n{end}")
    scene.write_text(text, encoding="utf-8")
    found = certify(open_suite(scene).load("cabin/carry"), nodes=1)
    assert found.solution.method == "walkthrough"
    assert len(found.solution.plan) == 5
    assert not found.solution.least
    assert found.solution.bound


def spoilt(found: Certificate, **changes: Any) -> Certificate:
    return found.model_copy(update=changes)


def test_a_false_one_is_found_out(suite: Suite):
    scenario = suite.load("cabin/light")
    found = certify(scenario)
    plan = found.solution.plan
    short = found.solution.model_copy(update={"plan": plan[:-1]})
    long = found.solution.model_copy(update={"plan": (*plan, plan[0])})
    for changes, place in (
        ({"solution": short}, "certificate.solution"),
        ({"solution": long}, "certificate.solution"),
        ({"goal_at_start": True}, "certificate.goal_at_start"),
        ({"label": "proved"}, "certificate.label"),
    ):
        (finding,) = recheck(spoilt(found, **changes), scenario)
        assert finding.place == place
        if place == "certificate.goal_at_start":
            assert finding.reason == "says true, and it is not so"
        assert reprove(spoilt(found, **changes), scenario) == (place.rpartition(".")[2],)


def test_a_selector_s_false_proof_is_found_out(suite: Suite):
    scenario = suite.load("cabin/never")
    task = scenario.task.model_copy(update={"category": Category.ATTRIBUTE_REASONING})
    picking = scenario.model_copy(update={"task": task})
    found = certify(picking)
    (proof,) = found.necessity
    assert [*recheck(found, picking)] == []
    false = proof.model_copy(update={"shown": Shown.ONE_ANSWER})
    findings = [each.place for each in recheck(spoilt(found, necessity=(false,)), picking)]
    assert findings == ["certificate.necessity[0]", "certificate.label"]


def test_a_false_exploit_is_found_out(suite: Suite):
    scenario = suite.load("cabin/carry")
    found = certify(scenario, ruleset="ear-bench")
    assert found.exploit is not None
    assert [*recheck(found, scenario)] == []
    (alone,) = found.exploit.alone
    for field, search in (("together", found.exploit.together), ("alone", alone)):
        short = search.model_copy(update={"plan": search.plan[:-1]})
        false = {field: short if field == "together" else (short,)}
        spoiled = spoilt(found, exploit=found.exploit.model_copy(update=false))
        (finding,) = recheck(spoiled, scenario)
        assert finding.place == f"certificate.exploit.{field}"


def test_agents_are_asked_for_an_exploit_up_to_the_first_who_has_one(scene: Path):
    goal = "goal: {held_by: {object: lamp, agent: tom}}"
    text = CABIN.replace("goal: {inside_room: {object: piano, room: hall}}", goal, 1)
    third = "max_mass_kg: 40}, {id: zoe, name: Zoe, max_mass_kg: 40}]"
    scene.write_text(text.replace("max_mass_kg: 40}]", third), encoding="utf-8")
    scenario = open_suite(scene).load("cabin/carry")
    exploit = certify(scenario, ruleset="ear-bench", nodes=200).exploit
    assert exploit is not None
    asked = [(search.question.agents, search.found == "plan") for search in exploit.alone]
    assert asked == [(("eva",), False), (("tom",), True)]


def test_a_plan_for_one_in_which_another_acts_is_found_out(suite: Suite):
    scenario = suite.load("cabin/carry")
    found = certify(scenario)
    (proof,) = found.necessity
    alone = found.solution.model_copy(update={"question": Question(agents=("eva",))})
    false = proof.model_copy(update={"searches": (alone,)})
    (finding,) = recheck(spoilt(found, necessity=(false,)), scenario)
    assert finding.place == "certificate.necessity[0]"


def test_what_makes_it_stale(suite: Suite):
    scenario, other = suite.load("cabin/light"), suite.load("cabin/carry")
    found = certify(scenario)
    assert staleness(found, scenario) == ""
    assert "scenario has changed" in staleness(found, other)
    assert "physical/2 is in force" in staleness(spoilt(found, ruleset="physical/0"), scenario)
    older = spoilt(found, planner="0")
    assert "made by planner 0" in staleness(older, scenario)
    assert is_about(older, scenario)
    assert not is_about(found, other)


@pytest.mark.parametrize(
    "claim",
    [
        {"found": "unknown", "nodes": 1, "plan": [{"a": "WAIT"}]},
        {"found": "impossible", "nodes": 1},
        {"found": "plan", "nodes": 1, "why": "too_heavy"},
        {"found": "plan", "nodes": 1, "least": True, "bound": 3},
    ],
)
def test_a_claim_that_contradicts_itself_is_refused(claim: dict[str, Any]):
    with pytest.raises(ValueError, match=r"found|bound"):
        Search.model_validate(claim)


@pytest.mark.parametrize("ruleset", ["physical", "ear-bench"])
def test_only_the_published_rules_have_exploits(suite: Suite, ruleset: str):
    found = certify(suite.load("cabin/carry"), ruleset=ruleset)
    assert found.ruleset == RULESETS[ruleset].id
    assert (found.exploit is not None) == (ruleset == "ear-bench")


def test_an_exploit_is_kept_with_its_plan(suite: Suite):
    """One agent lifts the piano by naming itself as a team (EAR-Bench Q10)."""
    scenario = suite.load("cabin/carry")
    found = certify(scenario, ruleset="ear-bench")
    assert found.exploit is not None
    (alone,) = found.exploit.alone
    assert alone.question == Question(agents=("eva",), command_class="any")
    assert alone.found == "plan"
    assert [*recheck(found, scenario)] == []


# -- a file of them ------------------------------------------------------------------------------


def test_a_second_run_does_nothing(suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = CertificateFile(tmp_path / "c.jsonl")
    first = all_of(suite, file)
    written = file.path.read_bytes()
    monkeypatch.setattr(certifying, "certify", None)
    second = all_of(suite, CertificateFile(file.path))
    assert all(one.resumed for one in second)
    assert [one.certificate for one in second] == [one.certificate for one in first]
    assert file.path.read_bytes() == written


@pytest.mark.parametrize("lost", [1, 200, 1500])
def test_a_torn_end_is_forgotten_and_made_again(suite: Suite, tmp_path: Path, lost: int):
    whole = CertificateFile(tmp_path / "whole.jsonl")
    all_of(suite, whole)
    data = whole.path.read_bytes()
    torn = tmp_path / "torn.jsonl"
    torn.write_bytes(data[:-lost])
    file = CertificateFile(torn)
    assert len(file) < 3
    all_of(suite, file)
    assert torn.read_bytes() == data


def test_a_broken_line_in_the_middle_is_an_error(suite: Suite, tmp_path: Path):
    file = CertificateFile(tmp_path / "c.jsonl")
    all_of(suite, file)
    lines = file.path.read_text(encoding="ascii").splitlines(keepends=True)
    file.path.write_text("".join([lines[0], "<<<<<<< HEAD\n", *lines[1:]]), encoding="ascii")
    with pytest.raises(FileError, match=":2: the line is no certificate"):
        CertificateFile(file.path)


@pytest.mark.slow
def test_several_processes_write_the_same_bytes(
    suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    one, several = (CertificateFile(tmp_path / name) for name in ("one.jsonl", "several.jsonl"))
    all_of(suite, one)
    monkeypatch.setattr(certifying, "FEW", 0)
    list(certify_suite(suite, several, jobs=2))
    assert one.path.read_bytes() == several.path.read_bytes()


def test_what_has_changed_is_certified_anew(suite: Suite, scene: Path, tmp_path: Path):
    file = CertificateFile(tmp_path / "c.jsonl")
    all_of(suite, file)
    scene.write_text(CABIN.replace("max_mass_kg: 20", "max_mass_kg: 21"), encoding="utf-8")
    changed = open_suite(scene)
    again = all_of(changed, file)
    assert [one.resumed for one in again] == [False, True, False]
    file.arrange(changed.ids)
    assert len(file.path.read_text(encoding="ascii").splitlines()) == 3


def test_a_certificate_follows_a_scenario_to_another_id(suite: Suite, tmp_path: Path):
    file = CertificateFile(tmp_path / "c.jsonl")
    made = certify(suite.load("cabin/light"))
    file.add(made.model_copy(update={"scenario_id": "hut/light"}))
    first, *_ = all_of(suite, file)
    assert first.certificate == made
    assert not first.resumed
    file.arrange(suite.ids)
    assert "hut/light" not in file.path.read_text(encoding="ascii")


def test_more_nodes_for_what_gave_up(suite: Suite, tmp_path: Path):
    file = CertificateFile(tmp_path / "c.jsonl")
    made = certify(suite.load("cabin/light"), nodes=1000)
    gave_up = Search(found="unknown", nodes=1000, bound=2)
    file.add(made.model_copy(update={"solution": gave_up}))
    first, *_ = all_of(suite, file, nodes=1000)
    assert first.resumed
    first, *_ = all_of(suite, file, nodes=1001)
    assert not first.resumed
    assert first.certificate is not None
    assert first.certificate.solution.found == "plan"


def test_what_does_not_load_or_breaks_is_told(
    suite: Suite, scene: Path, monkeypatch: pytest.MonkeyPatch
):
    (scene.parent / "torn.yaml").write_text("{", encoding="utf-8")

    def broken(*args: object, **kwargs: object) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(certifying, "certify", broken)
    folder = open_suite(scene.parent)
    done = all_of(folder, CertificateFile(scene.parent / "c.jsonl"))
    assert [one.certificate for one in done] == [None] * 4
    assert done[0].problem == "ZeroDivisionError: oh"
    assert "torn.yaml" in done[-1].problem


def test_claims_are_proved_again(suite: Suite, tmp_path: Path):
    file = CertificateFile(tmp_path / "c.jsonl")
    light = certify(suite.load("cabin/light"))
    wrong = light.solution.model_copy(update={"nodes": light.solution.nodes + 1})
    file.add(light.model_copy(update={"solution": wrong}))
    file.add(certify(suite.load("cabin/carry")))
    found = list(reprove_suite(suite, [file], jobs=1))
    assert [one.differs for one in found] == [("solution",), (), ()]
    assert [one.problem for one in found] == ["", "", "no certificate"]


def test_validation_plays_certificates(suite: Suite, tmp_path: Path):
    file = CertificateFile(tmp_path / "c.jsonl")
    all_of(suite, file)
    checked = list(check_suite(suite, [file]))
    assert all(one.certified and not one.findings and not one.stale for one in checked)
    light = certify(suite.load("cabin/light"))
    file.add(light.model_copy(update={"goal_at_start": True}))
    first, *_ = check_suite(suite, [file])
    assert [finding.place for finding in first.findings] == ["certificate.goal_at_start"]


def test_the_summary_counts(suite: Suite, tmp_path: Path):
    done = all_of(suite, CertificateFile(tmp_path / "c.jsonl"), ruleset="ear-bench")
    *rows, total = tabulate([*done, Certified("x", None, "broken")])
    assert [row.category for row in rows] == [
        "direct_command",
        "tool_use",
        "implicit_collaboration",
        "unknown",
    ]
    assert (total.scenarios, total.solved, total.impossible) == (4, 2, 1)
    assert (total.proved, total.marked, total.not_proved) == (1, 0, 1)
    assert (total.exploitable, total.saved) == (2, 2)  # one agent lifts it, named as a team
    assert total.alone == 1  # the task of two


# -- where they lie ------------------------------------------------------------------------------


def test_beside_what_they_are_about(scene: Path, cache: Path):
    file = open_suite(scene)
    assert place_to_write(file, str(scene)) == scene.parent / "cabin.certificates.jsonl"
    folder = open_suite(scene.parent)
    place = place_to_write(folder, str(scene.parent))
    assert place == scene.parent / "certificates.jsonl"
    place.touch()
    assert places_to_read(file, str(scene)) == (place,)
    assert open_suite(scene.parent).ids == file.ids  # it is no scene, nor a suite


def test_a_folder_that_is_asked_for_comes_first(scene: Path, cache: Path, tmp_path: Path):
    out = tmp_path / "out"
    place = place_to_write(open_suite(scene), str(scene), out)
    assert place == out / "cabin.certificates.jsonl"


def test_in_the_cache_where_the_folder_is_not_ours_to_write(
    scene: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("os.access", lambda path, mode: False)
    place = place_to_write(open_suite(scene), str(scene))
    assert place.parent == cache / "certificates"
    assert place.name.startswith("cabin-")


@pytest.mark.bench_data
def test_a_benchmark_s_folder_is_left_alone(
    ear_bench_dir: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("EAR_BENCH_DIR", str(ear_bench_dir))
    place = place_to_write(open_suite("eval-single"), "eval-single")
    assert place.is_relative_to(cache)


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"XDG_CACHE_HOME": "/x"}, "/x/earsim"),
        ("linux", {"XDG_CACHE_HOME": "relative"}, "HOME/.cache/earsim"),
        ("linux", {}, "HOME/.cache/earsim"),
        ("darwin", {}, "HOME/Library/Caches/earsim"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/earsim/Cache"),
        ("win32", {}, "HOME/AppData/Local/earsim/Cache"),
    ],
)
def test_the_user_s_cache(
    platform: str,
    variables: dict[str, str],
    expected: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.platform", platform)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert user_cache() == Path(expected.replace("HOME", str(tmp_path)))


def test_where_a_suite_lies(scene: Path):
    starter = suite_path("starter")
    assert starter is not None
    assert starter.name == "starter"
    assert suite_path(scene) == scene
    assert suite_path("nothing of the kind") is None
    assert suite_path("\0") is None


# -- in words ------------------------------------------------------------------------------------

FACTS = {
    "id": "lamp",
    "state": "is_on",
    "value": True,
    "holder": "chest",
    "container": "chest",
    "ability": "turn_on",
    "tools": ["lamp"],
    "key": "lamp",
    "room": "loft",
    "mass_kg": 60.0,
    "limit_kg": 40.0,
    "size_m": [1, 2, 3],
}


@pytest.fixture
def blueprint(suite: Suite) -> Blueprint:
    scenario = suite.load("cabin/carry")
    return Blueprint.compile(scenario.scene, scenario.agents)


@pytest.mark.parametrize("why", Why)
def test_every_reason_has_a_sentence(blueprint: Blueprint, why: Why):
    said = impossible(why.value, FACTS, blueprint)
    assert said.endswith(".")
    assert said[0].isupper()
    assert "None" not in said


@pytest.mark.parametrize("shown", Shown)
@pytest.mark.parametrize("of", ["tool", "team", "selector", "message"])
def test_everything_shown_has_words(of: Any, shown: Shown):
    search = Search(question=Question(without=("clean",), agents=("eva",)), found="plan", nodes=1)
    said = proof_line(Proof(of=of, shown=shown, searches=(search,)))
    assert said.startswith(f"{of}: ")


def test_the_solution_in_words(suite: Suite, blueprint: Blueprint):
    light, carry, never = (certify(scenario) for scenario in suite)
    assert solution_line(light, blueprint).endswith("decisions, least: proved")
    over = light.model_copy(update={"budget": 1})
    assert solution_line(over, blueprint).endswith("over the budget of 1")
    assert "nothing to do" in solution_line(spoilt(carry, goal_at_start=True), blueprint)
    assert "Piano (piano) weighs 60 kg" in solution_line(never, blueprint)
    gave_up = spoilt(light, solution=Search(found="unknown", nodes=9))
    assert (
        solution_line(gave_up, blueprint)
        == f"no plan was found within {DEFAULT_NODE_LIMIT:,} nodes"
    )


# -- the same everywhere -------------------------------------------------------------------------

TWO_WAYS = """\
schema: earsim.scene/1
id: two_ways
rooms: [{id: hall, name: Hall}]
objects:
  - {id: chest, name: Chest, kind: furniture, in: hall, mass_kg: 30}
  - {id: lamp, name: Lamp, kind: item, on: chest, mass_kg: 1, states: {is_dirty: true}}
  - {id: sponge, name: Sponge, kind: item, on: chest, mass_kg: 1, provides: [clean]}
  - {id: cloth, name: Cloth, kind: item, on: chest, mass_kg: 1, provides: [clean]}
  - {id: brush, name: Brush, kind: item, on: chest, mass_kg: 1, provides: [clean]}
tasks:
  - id: clean
    category: tool_use
    agents: [{id: eva, name: Eva, max_mass_kg: 20}]
    goal: {has_state: {object: lamp, state: is_dirty, equals: false}}
    instruction: Clean the lamp.
"""


CERTIFY = """
import sys
from earsim.cli import app

for ruleset in ("physical", "ear-bench"):
    words = ["certify", "two_ways.yaml", "--ruleset", ruleset, "--out", f"{sys.argv[1]}/{ruleset}"]
    app(words, standalone_mode=False)
"""


@pytest.mark.slow
def test_the_order_of_sets_decides_nothing(tmp_path: Path):
    """Python orders sets of strings differently in every process."""
    (tmp_path / "two_ways.yaml").write_text(TWO_WAYS, encoding="utf-8")
    written = []
    for seed in ("1", "5", "6"):
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-c", CERTIFY, seed]
        subprocess.run(command, cwd=tmp_path, env=env, check=True, capture_output=True)
        folders = [tmp_path / seed / ruleset for ruleset in ("physical", "ear-bench")]
        written.append([path.read_bytes() for folder in folders for path in folder.iterdir()])
        assert len(written[-1]) == 2
    assert written[0] == written[1] == written[2]


# -- our own -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_our_own_certificates_are_current_and_true():
    suite = open_suite("starter")
    (path, *_) = places_to_read(suite, "starter")
    checked = list(check_suite(suite, [CertificateFile(path)]))
    assert path.parent == suite_path("starter")
    assert [one.id for one in checked if not one.certified] == []
    assert [one.stale for one in checked if one.stale] == []
    assert [one.findings for one in checked if one.findings] == []


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("part", range(3))
@pytest.mark.parametrize("name", ["starter", "time", "laboratory"])
def test_our_own_claims_are_proved_again(name, part):
    suite = open_suite(name)
    (path, *_) = places_to_read(suite, name)
    found = list(reprove_suite(Selection(suite, suite.ids[part::3]), [CertificateFile(path)]))
    assert [one for one in found if one.differs or one.problem] == []
