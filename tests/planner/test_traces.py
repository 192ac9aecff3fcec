"""The planner against recordings of the EAR-Bench reference: what was done can be done."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.planner.recorded import Oracle, Success, each_search_once, successes

FILES = (
    "crash",
    "dataall_combined",
    "dataall_globalobs",
    "dataall_solve",
    "decisions",
    "eval_multi",
    "eval_multi_random",
    "eval_single",
    "eval_single_random",
    "probes",
)

SAMPLED = ("dataall_solve", "decisions", "eval_multi", "eval_single")
ONE_IN = 29
"""Of the successes in the sampled files, so many to one are looked at in the fast test."""

PARTS = 8
"""Into so many the scenarios are divided; successes of all files in one are looked at together."""

pytestmark = pytest.mark.bench_data


@pytest.fixture(autouse=True)
def traces(ear_bench_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EAR_BENCH_DIR", str(ear_bench_dir))
    return ear_bench_dir / "traces"


def objections(found: Iterable[Success]) -> list[str]:
    """In the order of scenarios, so that each is loaded and planned for once."""
    oracle = Oracle()
    ordered = sorted(found, key=lambda success: success.scenario_id)
    with each_search_once():
        return [told for success in ordered for told in oracle.objections(success)]


@pytest.mark.slow
@pytest.mark.parametrize("file", SAMPLED)
def test_some_recorded_successes_refute_nothing(traces: Path, file: str):
    found = list(successes(traces / f"{file}.jsonl.gz"))[::ONE_IN]
    assert len(found) > 5
    assert objections(found) == []


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_no_recorded_success_refutes_anything(traces: Path, part: int):
    found = [each for file in FILES for each in successes(traces / f"{file}.jsonl.gz")]
    scenarios = set(sorted({success.scenario_id for success in found})[part::PARTS])
    assert len(scenarios) > 200
    assert objections(success for success in found if success.scenario_id in scenarios) == []


def test_all_recordings_are_looked_at(traces: Path):
    assert sorted(path.name for path in traces.glob("*.gz")) == [
        f"{file}.jsonl.gz" for file in FILES
    ]


def test_what_the_planner_claims_wrongly_is_seen(traces: Path):
    """A success in fewer commands than it takes refutes the planner's bound."""
    success = next(successes(traces / "eval_single.jsonl.gz"))
    told = objections([success._replace(commands=success.commands - 1)])
    assert told == [f"{success}: {success.commands - 1} commands, not {success.commands} at least"]
