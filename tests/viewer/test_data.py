"""What the page is given: the list, the replay, changes, plans, calls."""

import json
import shutil

import pytest

from earsim.apparatus.model import Sample
from earsim.errors import FileError, UnknownName
from earsim.evaluation.store.database import Store
from earsim.suites import open_suite
from earsim.viewer.episode import episode_data
from earsim.viewer.laboratory import thinned
from earsim.viewer.listing import listing
from earsim.viewer.run import Run
from earsim.viewer.safe_json import safe_json
from tests.evaluation.runs import run
from tests.viewer.conftest import SAID, played


def data_of(folder, scenario, **options):
    run = Run(folder, **options)
    (row,) = [row for row in run.rows() if row.scenario_id == scenario]
    return episode_data(run, row.episode)


def texts(moment):
    return [change["text"] for change in moment["changes"]]


def test_the_list_names_every_episode_of_every_run(won, lost):
    listed = listing([Run(won), Run(lost)])
    entries = [dict(zip(listed["columns"], row, strict=True)) for row in listed["rows"]]
    told = [(each["run"], each["scenario_id"], each["outcome"]) for each in entries]
    assert told == [
        (0, "hut/carry", "success"),
        (0, "hut/light", "success"),
        (1, "hut/carry", "failure"),
        (1, "hut/light", "failure"),
    ]
    assert [run["name"] for run in listed["runs"]] == ["won", "lost"]


def test_runs_of_one_name_are_told_apart_by_their_paths(won, lost):
    again = lost.parent / "elsewhere" / "lost"
    shutil.copytree(lost, again)
    named = [run["name"] for run in listing(list(map(Run, (won, lost, again))))["runs"]]
    assert named == ["won", str(lost), str(again)]


def test_changes_are_told_with_the_agent_that_made_them(won):
    data = data_of(won, "hut/light")
    assert data["problem"] == ""
    explored, _, lit = data["moments"][:3]
    assert "Eva found 2: Chest, Lamp :skull:" in texts(explored)
    (change,) = [each for each in lit["changes"] if each["kind"] == "state"]
    assert change["text"] == "Lamp :skull:: is_on no → yes"
    assert change["agent"] == "eva"
    assert [moment["holds"] for moment in data["moments"]][:3] == [False, False, True]


def test_what_is_done_together_stands_in_every_lane(won):
    data = data_of(won, "hut/carry")
    assert data["agents"] == ["eva", "tom"]
    lifted, walked = data["moments"][3], data["moments"][4]
    assert (
        lifted["together"] == walked["together"] == {"eva": ["eva", "tom"], "tom": ["eva", "tom"]}
    )
    assert "Eva carries Piano with others" in texts(lifted)
    assert data["steps"][4]["commands"] == {"eva": "CORP_GOTO hall", "tom": "CORP_GOTO hall"}
    assert lifted["state"]["agents"]["eva"]["carrying"] == "piano"


def test_the_start_and_the_changes_give_the_end(won):
    data = data_of(won, "hut/carry")
    world = {part: dict(data["start"][part]) for part in ("at", "states", "agents")}
    for moment in data["moments"]:
        for part, here in world.items():
            here.update(moment["state"][part])
    assert world["at"]["piano"] == ["in", "hall"]
    assert {agent["room"] for agent in world["agents"].values()} == {"hall"}


def test_observations_are_those_before_the_decision(won):
    first, second = data_of(won, "hut/light")["moments"][:2]
    assert "lamp" not in first["observations"]["eva"].partition("\n\n")[2]
    assert "Lamp" in second["observations"]["eva"]


def test_the_plan_says_which_of_its_commands_were_done(won, lost):
    done = data_of(won, "hut/light")["plan"]
    assert done["found"] == "plan"
    assert told_of(done) == [("EXPLORE", 0), ("GOTO chest", None), ("TURN_ON lamp", 2)]
    here = data_of(lost, "hut/light")["plan"]
    assert told_of(here) == [("EXPLORE", 2), ("GOTO chest", None), ("TURN_ON lamp", None)]


def told_of(plan):
    return [(each["command"], each["done_at"]) for step in plan["steps"] for each in step.values()]


def test_refusals_unreadable_replies_and_calls_are_there(lost):
    data = data_of(lost, "hut/light")
    assert data["steps"][0]["outcomes"][0]["reason"] == "undiscovered"
    assert data["steps"][1]["commands"] is None
    first, second = data["calls"]
    assert first["request"]["messages"][0]["content"] == "turn 0"
    assert (first["reasoning"], second["reply"]) == ("It is dark.", "I would rather sing.")


def test_a_scenario_that_changed_leaves_the_record_alone(lost, hut):
    hut.write_text(hut.read_text().replace("mass_kg: 30", "mass_kg: 31"))
    data = data_of(lost, "hut/light")
    assert data["problem"] == "its scenario is not here, or has changed since"
    assert (data["scene"], data["moments"], data["plan"]) == (None, (), None)
    assert data["agents"] == ["eva"]
    assert len(data["steps"]) == 5


def test_a_replay_that_leaves_the_record_ends_there(lost):
    with Store.open(lost) as store:
        store._connection.execute("UPDATE steps SET digest = 'x' WHERE decision = 3")
        store._connection.commit()
    data = data_of(lost, "hut/light")
    assert len(data["moments"]) == 3
    assert data["problem"] == "the replay leaves the record at decision 3"


def test_runs_of_trajectories_are_shown_as_well(hut, earsim, here):
    earsim("run", hut, "--policy", "walkthrough", "--out", "old")
    data = data_of(here / "old", "hut/light")
    assert data["problem"] == ""
    assert len(data["moments"]) == len(data["steps"])


def test_what_is_not_there_is_said(won, here):
    with pytest.raises(UnknownName):
        episode_data(Run(won), "nobody/nothing/0")
    with pytest.raises(FileError):
        Run(here / "nowhere")


def test_hostile_text_stays_text(hostile):
    text = safe_json(data_of(hostile, "trap/light"))
    assert not set("<>&\x1b\u2028\u202e\u200b\xa0") & set(text)
    assert text.isascii()
    call = json.loads(text)["calls"][0]
    hidden = {
        character: character.encode("unicode_escape").decode()
        for character in "\x1b\x07\u2028\u202e\u200b\xa0"
    }
    assert call["reply"] == SAID.translate(str.maketrans(hidden))
    assert call["request"]["top"] == "inf"


def test_deep_nesting_is_cut():
    value = []
    for _ in range(500):
        value = [value]
    assert safe_json(value).count("[") == 40


FRIDGE = """\
schema: earsim.scene/1
id: cold
rooms: [{id: hall, temperature_c: 21}]
objects:
  - {id: fridge, name: Fridge, kind: furniture, in: hall, mass_kg: 40, temperature_c: 8,
     container: {}, states: {is_open: false, is_on: false},
     processes: [{compartment: {air_jpk: 6000, wall_wpk: 1.2}},
                 {heats: {power_w: -30, while: {is_on: true}}}]}
tasks:
  - id: on
    category: direct_command
    agents: [{id: eva, max_mass_kg: 20}]
    goal: {all: [{quantity: {object: fridge, of: temperature_c, at_most: 5}}]}
    instruction: "Make the fridge cold."
"""


def test_numbers_that_change_by_themselves_are_curves_over_the_clock(here):
    path = here / "cold.yaml"
    path.write_text(FRIDGE, encoding="utf-8")
    scenario = open_suite(path).load("cold/on")
    commands = ["EXPLORE", "GOTO fridge", "WAIT 600", "TURN_ON fridge", "WAIT 600"]
    record = played(scenario, [{"eva": command} for command in commands])
    data = data_of(run(here / "cold", [record], suites=[str(path)]), "cold/on")
    assert data["problem"] == ""
    (curve,) = data["curves"]
    assert (curve["id"], curve["number"], curve["label"]) == (
        "fridge",
        "temperature_c",
        "temperature, °C",
    )
    clocks, values = zip(*curve["points"], strict=True)
    assert list(clocks) == sorted(clocks)
    assert (clocks[0], values[0]) == (0.0, 8.0)
    assert {step["clock"] for step in data["steps"]} <= set(clocks), "every decision has its point"
    warmest = values.index(max(values))
    assert list(values[: warmest + 1]) == sorted(values[: warmest + 1])
    assert list(values[warmest:]) == sorted(values[warmest:], reverse=True)
    assert len(clocks) > 2 * len(commands), "what bends has points between decisions"


def test_where_nothing_changes_by_itself_there_are_no_curves(won):
    assert data_of(won, "hut/light")["curves"] == ()


def test_runs_of_apparatus_are_told_with_their_readings_and_how_they_ended(benched):
    data = data_of(benched, "bench/tune")
    assert data["problem"] == ""
    lab = data["laboratory"]
    assert lab["apparatus"] == ["__proto__"]
    assert [(r["id"], r["status"]) for r in lab["runs"]] == [
        ("op_1", "halted"),
        ("op_2", "completed"),
        ("op_3", "running"),
    ]
    stopped, settled, running = lab["runs"]
    assert ["diverging", "warning"] in [event[1:] for event in stopped["events"]]
    assert stopped["results"] == {}
    assert settled["to"] - settled["from"] == 30
    assert settled["settings"] == {"Kp": 2.818, "Ki": 0.8, "Kd": 1.886, "topology": "pid"}
    assert settled["results"]["settling_s"] == 2.351
    assert running["to"] is None
    output = settled["readings"][0]
    assert (output["channel"], output["shown"]) == ("y", True), "what the display shows comes first"
    assert not any(reading["shown"] for reading in settled["readings"][1:])
    assert (output["points"][0], len(output["points"])) == ((0.0, 0.0), 301)
    assert output["points"][10] == (1.0, pytest.approx(0.4641, abs=5e-5))


def test_every_row_of_the_ledger_has_the_sum_of_its_account(benched):
    lab = data_of(benched, "bench/tune")["laboratory"]
    money = [row for row in lab["ledger"] if row["account"] == "eur"]
    assert [(row["amount"], row["sum"]) for row in money] == [(2, 2), (2, 4), (2, 6)]
    assert {(row["agent"], row["apparatus"]) for row in lab["ledger"]} == {("ada", "__proto__")}
    assert [row["clock"] for row in lab["ledger"]] == sorted(row["clock"] for row in lab["ledger"])
    assert lab["limits"] == {"eur": 8}


def test_scenes_without_apparatus_have_no_laboratory(won):
    assert data_of(won, "hut/light")["laboratory"] is None


def test_many_readings_are_thinned_without_losing_extremes():
    spikes = {1234: 50.0, 7001: -50.0, 7002: float("nan")}
    samples = [Sample(t, t, (0.0, spikes.get(t, t % 7 / 7))) for t in range(10_000)]
    points = thinned(samples, 1)
    assert len(points) <= 400
    assert (points[0][0], points[-1][0]) == (0, 9999)
    assert {(1234, 50.0), (7001, -50.0)} <= set(points)
    assert [t for t, _ in points] == sorted({t for t, _ in points})
    assert thinned(samples[:300], 1) == [(s.t, s.values[1]) for s in samples[:300]]
