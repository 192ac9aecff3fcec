"""Sweeps: what they combine, how their parts are called, and how settings are changed."""

import pytest

from earsim.errors import EarSimError, FileError, UnknownName, UsageError
from earsim.evaluation.policies import POLICIES
from earsim.evaluation.runs.jobs import Shard, jobs_of, suites_of
from earsim.evaluation.runs.run_config import run_configs_of
from earsim.evaluation.runs.sweep import Price, Sweep
from earsim.evaluation.runs.sweep_file import read_sweep, sweep_of

QWEN = {"policy": "centralized", "options": {"model": "Qwen/Qwen3-8B"}}


def sweep(**changes):
    return Sweep.model_validate({"models": [{"policy": "random"}], **changes})


def names(**changes):
    return [cell.name for cell in run_configs_of(sweep(**changes))]


def test_cells_are_all_combinations_with_telling_names():
    found = names(
        models=[QWEN, {"policy": "random"}],
        suites=["starter", "scenes/my folder.yaml"],
        styles=["paper", "chat"],
        rulesets=[None, "ear-bench"],
    )
    assert len(found) == len(set(found)) == 2 * 2 * 2 + 2 * 2
    assert found[0] == "centralized-Qwen3-8B-starter-paper-explore"
    assert found[1] == "centralized-Qwen3-8B-starter-paper-explore-ear-bench"
    assert found[-1] == "random-my_folder-ear-bench"


def test_styles_are_for_policies_with_prompts_and_knowledge_is_for_all():
    assert names(styles=["paper", "chat"], knowledge=["explore", "global"]) == [
        "random-starter",
        "random-starter-global",
    ]


def test_two_models_of_one_name_need_names():
    twins = [QWEN, {**QWEN, "options": {"model": "other/Qwen3-8B"}}]
    with pytest.raises(UsageError, match="give the models a `name`"):
        names(models=twins)
    assert names(models=[QWEN, {**twins[1], "name": "other"}])[1] == "other-starter-chat-explore"


def test_two_suites_of_one_file_name_need_others():
    with pytest.raises(UsageError, match=r"give a/test\.jsonl and b/test\.jsonl different file"):
        names(suites=["a/test.jsonl", "b/test.jsonl"])


def test_what_stands_twice_is_a_mistake():
    with pytest.raises(ValueError, match="it stands there twice"):
        sweep(suites=["starter", "starter"])


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"models": [{"policy": "randm"}]}, "did you mean 'random'"),
        ({"rulesets": ["physcal"]}, "did you mean 'physical'"),
    ],
)
def test_unknown_names_have_near_misses(changes, said):
    with pytest.raises(UnknownName, match=said):
        names(**changes)


def test_where_a_server_is_does_not_change_what_a_cell_is():
    def identity(**options):
        model = {**QWEN, "options": {**QWEN["options"], **options}}
        return run_configs_of(sweep(models=[model]))[0].identity

    assert identity() == identity(base_url="http://other/v1", timeout_s=3, concurrency=2)
    assert identity() != identity(temperature=0.9)


# -- settings ------------------------------------------------------------------------------------


def test_assignments_reach_any_place():
    data = {"models": [{"policy": "random"}]}
    found = sweep_of(
        data,
        [
            "repeats=3",
            "models.0.options.temperature=0.5",
            "models.0.options.extra_body.a=[1, x]",
            "suites=[starter, other]",
            "rulesets=[null]",
            "models.0.name=it",
        ],
    )
    assert found.repeats == 3
    assert found.models[0].options == {"temperature": 0.5, "extra_body": {"a": [1, "x"]}}
    assert (found.suites, found.rulesets) == (("starter", "other"), (None,))


@pytest.mark.parametrize(
    "assignment", ["repeats", "=3", "a..b=1", "models.x.name=1", "models.3.name=1", "seed.x=1"]
)
def test_assignments_that_lead_nowhere(assignment):
    with pytest.raises((UsageError, FileError)):
        sweep_of({"models": [{"policy": "random"}], "seed": 1}, [assignment])


def test_an_unknown_setting_has_near_misses():
    with pytest.raises(FileError, match="repeats"):
        sweep_of({"models": [{"policy": "random"}]}, ["repeat=3"])


def test_a_file_is_told_with_its_lines(tmp_path):
    path = tmp_path / "sweep.yaml"
    path.write_text("models:\n  - {policy: random}\nrepeats: none\nsuite: starter\n")
    with pytest.raises(FileError) as found:
        read_sweep(path)
    assert f"{path}:3: repeats" in str(found.value)
    assert "did you mean 'suites'?" in str(found.value)
    path.write_text("[1, 2]\n")
    with pytest.raises(EarSimError):
        read_sweep(path)


def test_prices():
    price = Price(input=2.0, output=8.0, cached_input=0.5)
    assert price.cost(1_000_000, 500_000, 400_000) == pytest.approx(1.2 + 0.2 + 4.0)
    assert Price(input=2.0, output=8.0).cost(1_000_000, 0, 400_000) == pytest.approx(2.0)


# -- shards --------------------------------------------------------------------------------------


def test_shards_hold_everything_once():
    asked = sweep(repeats=4)
    cells, suites = run_configs_of(asked), suites_of(asked)
    whole = [job.episode for job in jobs_of(asked, cells, suites)]
    parts = [
        [job.episode for job in jobs_of(asked, cells, suites, Shard(number, 5))]
        for number in range(1, 6)
    ]
    assert sorted(whole) == sorted(episode for part in parts for episode in part)
    assert all(len(part) > len(whole) / 10 for part in parts)
    assert len(whole) == len(set(whole)) == 92 * 4


@pytest.mark.parametrize("text", ["0/4", "5/4", "1", "a/b", "-1/4", "1/0", "1/4/2"])
def test_no_shards(text):
    with pytest.raises(UsageError, match="expected I/N"):
        Shard.read(text)


def test_every_policy_can_be_in_a_sweep():
    assert names(models=[{"policy": name} for name in POLICIES])
