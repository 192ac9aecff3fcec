"""`earsim certify`, and what `earsim validate` makes of the certificates."""

import pytest

FILE = "hut.certificates.jsonl"


@pytest.fixture(autouse=True)
def cache(here, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(here / "cache"))


def test_beside_the_scene(earsim, scene):
    result = earsim("certify", scene)
    assert result.exit_code == 0
    assert len((scene.parent / FILE).read_text().splitlines()) == 2
    assert "direct_command" in result.stdout
    assert "certified before" not in result.stdout
    assert "2 certified before and skipped." in earsim("certify", scene).stdout


def test_one_scenario_goes_into_the_file_of_all(earsim, scene):
    assert earsim("certify", f"{scene}/carry").exit_code == 0
    assert earsim("certify", f"{scene}/light").exit_code == 0
    parts = (scene.parent / FILE).read_text()
    (scene.parent / FILE).unlink()
    earsim("certify", scene)
    assert (scene.parent / FILE).read_text() == parts


def test_into_a_folder(earsim, scene, here):
    earsim("certify", scene, "--out", "proofs", "--category", "direct_command")
    assert len((here / "proofs" / FILE).read_text().splitlines()) == 1
    assert not (scene.parent / FILE).exists()
    assert "1 certificates replayed" in earsim("validate", scene, "--certificates", "proofs").stdout


def test_a_label_that_is_not_proved(earsim, scene):
    scene.write_text(scene.read_text().replace("max_mass_kg: 40", "max_mass_kg: 70"))
    result = earsim("certify", scene)
    assert result.exit_code == 1
    assert "hut/carry: implicit_collaboration is not proved: team: eva does it alone" in (
        result.stdout
    )


def test_what_cannot_be_solved_or_loaded(earsim, scene):
    scene.write_text(scene.read_text().replace("mass_kg: 60", "mass_kg: 600"))
    (scene.parent / "torn.yaml").write_text("{")
    result = earsim("certify", scene.parent)
    assert result.exit_code == 1
    assert "hut/carry: there is no plan: Piano (piano) weighs 600 kg" in result.stdout
    assert "torn: " in result.stdout


def test_the_exploits_of_the_published_rules(earsim, scene):
    shown = earsim("certify", scene, "--ruleset", "ear-bench").stdout
    assert "one agent alone" in shown
    assert "one agent alone" not in earsim("certify", scene).stdout
    assert len((scene.parent / FILE).read_text().splitlines()) == 4  # one for each ruleset


def test_validation_replays_and_proves_again(earsim, scene):
    assert "certificates" not in earsim("validate", scene).stdout
    earsim("certify", scene)
    result = earsim("validate", scene, "--reprove")
    assert result.exit_code == 0
    assert "2 certificates replayed, 0 stale." in result.stdout
    assert "2 certificates proved again, 0 not." in result.stdout


def test_validation_says_what_is_stale(earsim, scene):
    earsim("certify", scene)
    scene.write_text(scene.read_text().replace("mass_kg: 1,", "mass_kg: 2,"))
    result = earsim("validate", scene)
    assert result.exit_code == 0
    assert "stale certificate: hut/light: the scenario has changed since" in result.stdout
    assert "0 certificates replayed, 2 stale; `earsim certify` renews them." in result.stdout
    result = earsim("validate", scene, "--reprove")
    assert result.exit_code == 1
    assert "hut/light: not proved again: the scenario has changed since" in result.stdout


def test_a_false_claim_is_a_finding(earsim, scene):
    earsim("certify", scene)
    path = scene.parent / FILE
    path.write_text(path.read_text().replace("TURN_ON lamp", "TURN_OFF lamp"))
    result = earsim("validate", scene)
    assert result.exit_code == 1
    assert "hut/light: certificate.solution: its plan does not reach the goal" in result.stdout


def test_a_wrong_ruleset(earsim, scene):
    result = earsim("certify", scene, "--ruleset", "physicl")
    assert result.exit_code == 2
    assert "did you mean 'physical'" in result.stderr
