"""`earsim submit`: what a leaderboard file says, what is refused, and what its check finds."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from earsim.errors import FileError
from earsim.evaluation.leaderboard.building import leaderboard
from earsim.evaluation.leaderboard.checking import check_leaderboard
from earsim.evaluation.runs.evaluation import Evaluation
from earsim.evaluation.runs.jobs import Shard
from earsim.evaluation.store.fingerprint import fingerprint
from earsim.evaluation.summary import wilson
from earsim.schema.files.dump import to_json
from earsim.schema.leaderboard import sha256_of
from earsim.suites import open_suite
from earsim.suites.signature import hashes_of, signature_of
from tests.evaluation.conftest import Stub, raising

MakeSweep = Callable[..., Any]


@pytest.fixture
def plan(hut: Path, stub: type[Stub], sweep: MakeSweep) -> Path:
    """A finished run of the hut, in a folder beside it."""
    return played(sweep(), "plan")


def played(sweep: Any, folder: str, **options: Any) -> Path:
    list(Evaluation(sweep, folder, **options).run())
    return Path(folder)


def written(*runs: Path, **changes: Any) -> dict[str, Any]:
    """The data of a leaderboard file."""
    data: dict[str, Any] = json.loads(to_json(leaderboard(runs, **changes)))
    return data


def checked(data: dict[str, Any], *runs: Path) -> list[str]:
    """What the check of a file says, without the name of the file."""
    Path("board.json").write_text(json.dumps(data, indent=2), encoding="utf-8")
    found = check_leaderboard("board.json", runs).findings
    return [str(each).removeprefix("board.json: ") for each in found]


def refused(*runs: Path, **changes: Any) -> str:
    with pytest.raises(FileError) as caught:
        leaderboard(runs, **changes)
    return str(caught.value)


# -- what it says ----------------------------------------------------------------------------------


def test_an_entry_says_scores_costs_versions_and_hashes(plan: Path, hut: Path):
    board = leaderboard([plan])
    (entry,) = board.entries
    assert board.suites == (signature_of("hut", hashes_of(open_suite(hut))),)
    assert board.suites[0].scenarios == 2
    assert (entry.label, entry.ruleset, entry.repeats) == ("stub chat", "physical/2", 1)
    assert entry.episodes == 2
    assert entry.versions["earsim"]
    success = {s.value_of: s for s in entry.scores if s.metric == "success"}
    assert success["all"].value == 1.0
    assert (success["all"].low, success["all"].high) == wilson(2, 2)
    assert set(success) == {"all", "direct_command", "implicit_collaboration"}
    # 4 and 7 decisions, each of one call of 100 + 10 tokens
    assert (entry.cost.decisions, entry.cost.calls) == (11, 11)
    assert (entry.cost.prompt_tokens, entry.cost.completion_tokens) == (1100, 110)
    assert entry.cost.money is None
    assert entry.cost.seconds is not None
    assert entry.model is not None
    assert entry.model.settings["model"] == "m"
    assert entry.model.sha256 == sha256_of(entry.model.settings)
    assert entry.policy.settings["policy"] == "stub"
    assert entry.runs[0].name == "plan"
    assert entry.runs[0].sha256 == fingerprint(plan)


def test_money_is_told_where_there_is_a_price(stub: type[Stub], sweep: MakeSweep):
    model = {"policy": "stub", "name": "stub", "options": {"model": "m"}}
    priced = sweep(models=[{**model, "price": {"input": 1.0, "output": 10.0}}])
    (entry,) = leaderboard([played(priced, "priced")]).entries
    assert entry.cost.money == pytest.approx((1100 + 10 * 110) / 1e6)


@pytest.mark.slow
def test_what_decides_nothing_is_not_in_the_signature(stub: type[Stub], sweep: MakeSweep):
    def entry(folder: str, **options: Any) -> Any:
        model = {"policy": "stub", "name": "stub", "options": {"model": "m", **options}}
        return leaderboard([played(sweep(models=[model]), folder)]).entries[0]

    here, there = entry("here", base_url="http://a"), entry("there", base_url="http://b")
    assert here.policy == there.policy
    assert "http" not in here.model_dump_json()
    warmer = entry("warmer", temperature=0.5)
    assert (warmer.policy, warmer.model.sha256) != (here.policy, here.model.sha256)
    assert warmer.policy == here.policy
    assert entry("another", model="n").model != here.model
    knowing = leaderboard([played(sweep(knowledge=["global"]), "knowing")]).entries[0]
    assert knowing.policy.settings["knowledge"] == "global"
    assert knowing.policy.sha256 != here.policy.sha256


@pytest.mark.slow
def test_equal_episodes_have_equal_fingerprints(plan: Path, stub: type[Stub], sweep: MakeSweep):
    assert fingerprint(played(sweep(), "again")) == fingerprint(plan)
    assert fingerprint(played(sweep(seed=1), "seed")) != fingerprint(plan)
    stub.say = staticmethod(lambda context, decision: dict.fromkeys(context.agents, "DONE"))
    assert fingerprint(played(sweep(), "lazy")) != fingerprint(plan)


def test_signature_of_a_suite_depends_on_every_task(hut: Path):
    before = hashes_of(open_suite(hut))
    assert signature_of("hut", dict(reversed(before.items()))) == signature_of("hut", before)
    changed = {**before, "hut/light": "0" * 64}
    assert signature_of("hut", changed).sha256 != signature_of("hut", before).sha256


# -- what is refused -------------------------------------------------------------------------------


def test_a_run_that_is_not_finished_is_refused(stub: type[Stub], sweep: MakeSweep):
    going = Evaluation(sweep(), "half").run()
    next(going)
    going.close()
    told = refused(Path("half"))
    assert "half: cells.stub-hut-chat-explore: 1 of 2 episodes were played" in told
    assert "go on with the same `earsim eval`" in told


def test_a_shard_is_refused(stub: type[Stub], sweep: MakeSweep):
    assert "holds shard 1/2 alone (put the shards together" in refused(
        played(sweep(), "shard", shard=Shard(1, 2))
    )


def test_an_episode_without_a_measurement_is_refused(stub: type[Stub], sweep: MakeSweep):
    stub.say = raising(RuntimeError("a defect"), "hut/carry")
    told = refused(played(sweep(), "crashed"))
    assert "1 episodes were not measured: 1 crash (play them again, with --retry-errors)" in told


def test_part_of_a_suite_is_refused(stub: type[Stub], sweep: MakeSweep):
    told = refused(played(sweep(limit=1), "part"))
    assert "1 of its 2 scenarios were played, not hut/carry" in told


def test_a_suite_that_has_changed_is_refused(plan: Path, hut: Path):
    hut.write_text(hut.read_text().replace("mass_kg: 60", "mass_kg: 61"), encoding="utf-8")
    told = refused(plan)
    assert "scenarios are others than were played: hut/carry, hut/light" in told


@pytest.mark.slow
def test_a_suite_that_is_gone_is_refused(plan: Path, hut: Path):
    hut.unlink()
    assert "cannot be read: unknown suite" in refused(plan)


def test_episodes_that_were_not_played_as_recorded_are_refused(plan: Path):
    with closing(sqlite3.connect(plan / "run.sqlite")) as store, store:
        change = "UPDATE episodes SET outcome = 'failure', success_final = 0 WHERE success_final"
        forged = store.execute(change).rowcount
    assert forged
    assert f"{forged} episodes are others when replayed" in refused(plan)


def test_several_suites_are_refused_unless_one_is_chosen(
    plan: Path, hut: Path, stub: type[Stub], sweep: MakeSweep
):
    other = hut.with_name("shed.yaml")
    other.write_text(hut.read_text().replace("id: hut", "id: shed"), encoding="utf-8")
    both = played(sweep(suites=[str(hut), str(other)]), "both")
    assert "several suites were played" in refused(both)
    assert leaderboard([both, plan], suite=str(hut)).suites[0].name == "hut"
    assert "nothing of barn was played" in refused(both, suite="barn")


# -- what the check finds --------------------------------------------------------------------------


def test_a_file_as_it_was_written_has_no_findings(plan: Path):
    data = written(plan)
    assert checked(data) == []
    assert checked(data, plan) == []


def test_every_number_is_computed_again_from_the_run(plan: Path):
    data = written(plan)
    entry = data["entries"][0]
    entry["cost"]["prompt_tokens"] = 7
    spl = next(i for i, s in enumerate(entry["scores"]) if s["metric"] == "steps.success")
    entry["scores"][spl]["value"] = 3.0
    assert checked(data, plan) == [
        "entries[0].cost.prompt_tokens: 7 (the run gives 1100)",
        f"entries[0].scores[{spl}].value: 3.0 (the run gives 5.5)",
    ]


def test_another_run_of_that_name_is_found(plan: Path, stub: type[Stub], sweep: MakeSweep):
    data = written(plan)
    other = played(sweep(seed=1), "elsewhere/plan")
    (told,) = checked(data, other)
    assert told.startswith(f"entries[0].runs[0].sha256: {other} is another run")


def test_impossible_numbers_are_found_without_the_run(plan: Path):
    data = written(plan)
    plan.rename("gone")
    entry = data["entries"][0]
    scores = {(s["metric"], s["value_of"]): i for i, s in enumerate(entry["scores"])}
    at = scores["success", "all"]
    entry["scores"][at]["value"] = 0.7
    (told, *_) = checked(data)
    assert told == f"entries[0].scores[{at}]: success 0.7 of 2 (a whole number of episodes)"
    entry["scores"][at] |= {"value": 0.5}
    told = "\n".join(checked(data))
    assert "is not that of the rate (Wilson's is" in told
    assert "2 successes in the categories (1, as over all)" in told


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "value", "told"),
    [
        (("entries", 0, "policy", "settings", "seed"), 5, "is not that of the settings (it is"),
        (("suites", 0, "sha256"), "abc", "suites[0].sha256: "),
        (("entries", 0, "scores", 0, "low"), 2.0, "an interval from 2.0 to 1.0"),
        (("entries", 0, "scores", 1), "first", "entries[0].scores[1]: "),
        (("entries", 0, "episodes"), "many", "entries[0].episodes: "),
        (("entries", 0, "success"), 1, "entries[0].success: "),
        (("entries",), [], "entries: "),
    ],
)
def test_a_file_of_another_shape_is_refused_with_its_place(
    plan: Path, place: tuple[Any, ...], value: Any, told: str
):
    data = written(plan)
    inner: Any = data
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = inner[0] if value == "first" else value
    with pytest.raises(FileError, match=r"board\.json:\d+: ") as caught:
        checked(data)
    assert told in str(caught.value)


def test_a_score_stands_once(plan: Path):
    data = written(plan)
    data["entries"][0]["scores"].append(data["entries"][0]["scores"][0])
    with pytest.raises(FileError, match=r"success all all stands at scores\[0\] already"):
        checked(data)


def test_a_shipped_suite_is_hashed_again(plan: Path):
    data = written(plan)
    plan.rename("gone")
    data["suites"][0]["name"] = "time"
    assert any(told.startswith("suites[0]: time of 2 scenarios, ") for told in checked(data))
