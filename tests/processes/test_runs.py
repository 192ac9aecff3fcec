"""Runs of apparatus: a model that goes wrong fails its run, and how time is cut changes nothing."""

import math
import pickle
from collections.abc import Mapping
from typing import Any, ClassVar

import pytest

from earsim import Engine, Episode, digest
from earsim.actions.outcome import Reason
from earsim.apparatus.model import Advanced, Expected, Model, ModelOutput, Sample
from earsim.apparatus.operation import Failure, OperationStatus
from earsim.apparatus.parameter import Parameter, Settings, Value
from earsim.apparatus.registry import MODELS
from earsim.goals.laboratory import compile_spent
from earsim.processes import runs
from earsim.schema import Scenario
from earsim.schema.goal import SpentFact
from earsim.world.reading import SeenNow

HOW = ("well", "raises", "mute", "nan", "endless")


class Tick(Model):
    """Counts whole seconds up to `steps`, and goes wrong in the way that `how` names."""

    id: ClassVar[str] = "tick/1"
    title: ClassVar[str] = "A clock that ticks"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("steps", "how many", 30, low=1, high=10**6, integer=True),
        Parameter(
            "how", "what it does", "well", choices=("well", "raises", "mute", "nan", "endless")
        ),
    )
    channels: ClassVar[tuple[ModelOutput, ...]] = (ModelOutput("n", "", "ticks"),)
    quantities: ClassVar[tuple[ModelOutput, ...]] = (ModelOutput("ticks", "", "ticks so far"),)
    events: ClassVar[tuple[str, ...]] = ()

    def start(self, settings: Settings) -> Any:
        return (0, int(settings["steps"]), settings["how"])

    def advance(self, state: Any, allowance: float) -> Advanced:
        done, steps, how = state
        ticks = int(allowance) if how == "endless" else min(int(allowance), steps)
        if how == "raises" and ticks >= 3:
            raise ValueError("no such root")
        if how == "nan" and ticks >= 3:
            bad = (Sample(3.0, 3.0, (math.nan,)),)
            return Advanced((3, steps, how), bad, (), 3.0, None, False, "nonfinite")
        new = range(done + 1, ticks + 1)
        samples = tuple([Sample(float(n), float(n), (float(n),)) for n in new])
        ended = how != "endless" and ticks == steps
        fraction = None if how == "endless" else ticks / steps
        return Advanced((ticks, steps, how), samples, (), float(ticks), fraction, ended)

    def results(self, state: Any) -> Mapping[str, Value | None]:
        if state[2] == "mute":
            raise KeyError("ticks")
        return {"ticks": state[0]}

    def expected(self, settings: Settings) -> Expected:
        if settings["how"] == "endless":
            return Expected(None, None)
        return Expected(float(settings["steps"]), 0.0)


class Solver(Tick):
    """The same with ten cost units a second, and a cost that is not known beforehand."""

    id: ClassVar[str] = "ticksolver/1"
    rate: ClassVar[float | None] = 10.0

    def expected(self, settings: Settings) -> Expected:
        return Expected(None, None)


@pytest.fixture(autouse=True)
def models():
    for model in (Tick(), Solver()):
        MODELS.add(model.id, model)
    yield
    for name in (Tick.id, Solver.id):
        del MODELS._entries[name]


def episode(model: str = "tick/1", limits: Mapping[str, float] | None = None, **settings: Any):
    rig = {"id": "rig", "kind": "furniture", "in": "lab", "mass_kg": 40}
    price = {"eur_per_run": 2.0, "eur_per_h": 360.0, "kwh_per_h": 36.0, "eur_per_mflop": 1e4}
    rig["apparatus"] = {"model": model, "settings": settings, "price": price}
    task = {"id": "t", "category": "direct_command", "instruction": "-", "goal": {"any": []}}
    content = {
        "id": "lab/t",
        "scene": {"schema": "earsim.scene/1", "id": "lab", "rooms": [{"id": "lab"}]}
        | {"objects": [rig, rig | {"id": "spare"}]},
        "agents": [{"id": "ada", "max_mass_kg": 20}],
        "task": task | {"limits": limits or {}},
    }
    played = Episode(Engine(Scenario.model_validate(content)), budget=10**6)
    return give(played, "EXPLORE", "GOTO rig")


def give(played: Episode, *commands: str) -> Episode:
    for command in commands:
        played.step({"ada": command})
    return played


def test_what_is_left_is_told_with_what_goes_on_set_aside():
    played = episode("tick/1", {"eur": 8.0, "runs": 3.0}, how="well", steps=10)
    assert "8 of 8 EUR and 3 of 3 runs left." in played.full("ada").split("\n")[0]
    give(played, "RUN rig")  # 2 EUR, and 0.11 a second
    assert "5 of 8 EUR and 2 of 3 runs left." in played.full("ada").split("\n")[0]
    give(played, "WAIT 3", "STOP rig")
    assert "5.67 of 8 EUR and 2 of 3 runs left." in played.full("ada").split("\n")[0]


def last(played: Episode):
    return played.world.timeline.lab.last("rig")


@pytest.mark.parametrize(
    ("model", "settings", "reason", "said"),
    [
        ("tick/1", {"how": "raises"}, Failure.ERROR, "the model failed: no such root"),
        ("tick/1", {"how": "mute"}, Failure.ERROR, "the model failed: 'ticks'"),
        ("tick/1", {"how": "nan"}, Failure.ERROR, "nonfinite"),
        ("tick/1", {"how": "endless"}, Failure.TIMEOUT, "no end after 50 s"),
        ("ticksolver/1", {"how": "well"}, Failure.BUDGET, "what may be spent is spent"),
    ],
)
def test_a_model_that_goes_wrong_fails_its_run_and_the_world_goes_on(
    monkeypatch, model, settings, reason, said
):
    monkeypatch.setattr(runs, "LONGEST_S", 50)
    limits = {"flop": 20.0} if reason is Failure.BUDGET else None
    played = give(episode(model, limits, **settings), "RUN rig", "WAIT 60", "WAIT 10")
    run = last(played)
    assert (run.operation.status, run.operation.failure) == (OperationStatus.FAILED, reason)
    assert said in run.message
    assert run.ended_ms is not None
    clock = played.world.clock
    assert give(played, "WAIT 10").world.clock == clock + 10
    assert give(played, "READ rig").feedback("ada").count(said) == 1


def test_the_end_of_a_run_whose_model_raises_is_told():
    played = give(episode(how="raises"), "RUN rig", "WAIT UNTIL rig done")
    told = [event for event in played.world.timeline.events if event.node == "rig"]
    assert [event.name for event in told] == ["op_1 failed"]


def test_a_model_raises_after_its_last_reading():
    run = last(give(episode(how="raises"), "RUN rig", "WAIT 1", "WAIT 1", "WAIT 10"))
    assert [sample.at for sample in run.samples] == [1.0, 2.0]
    assert [(event.name, event.at) for event in run.events] == [("model_error", 2.0)]


def test_two_runs_without_a_known_end_share_what_is_left():
    """Each spends ten cost units a second; however time is cut, both end where 95 are spent."""
    ends = set()
    for waits in [("WAIT 60",), ("WAIT 10",) * 6, ("WAIT 1",) * 60]:
        limits = {"flop": 95.0}
        played = give(episode("ticksolver/1", limits, how="endless"), "RUN rig", "GOTO spare")
        give(played, "RUN spare", *waits)
        ran = list(played.world.timeline.lab.runs.values())
        assert [run.operation.failure for run in ran] == [Failure.BUDGET] * 2
        assert 94 <= sum(run.spent for run in ran) <= 95
        ends.add(tuple(run.ended_ms for run in ran))
    assert len(ends) == 1


def test_two_runs_without_a_known_end_share_an_account():
    """It is charged by the second for both, also for the seconds in which only one went on."""
    ends = set()
    for waits in [("WAIT 120",), ("WAIT 10",) * 12, ("WAIT 3", "WAIT 117")]:
        played = give(episode("tick/1", {"kwh": 1.0}, how="endless"), "RUN rig", "WAIT 5")
        give(played, "GOTO spare", "RUN spare", *waits)
        lab = played.world.timeline.lab
        assert [run.operation.failure for run in lab.runs.values()] == [Failure.BUDGET] * 2
        assert 0.99 <= lab.booked("kwh") <= 1.0
        ends.add(tuple(run.ended_ms for run in lab.runs.values()))
    assert len(ends) == 1


@pytest.mark.parametrize(
    ("model", "settings", "limits", "ends", "spent"),
    [
        # 30 units are used by the one that ends; the other has what is left of them
        ("ticksolver/1", {"steps": 30}, {"flop": 400.0}, (None, Failure.BUDGET), 400.0),
        # 0.6 kWh are kept for the one that takes a minute
        ("tick/1", {"steps": 60}, {"kwh": 1.0}, (None, Failure.BUDGET), 1.0),
    ],
)
def test_a_run_that_ends_leaves_the_rest_to_the_other_however_time_is_cut(
    model, settings, limits, ends, spent
):
    found = set()
    for waits in [("WAIT 120",), ("WAIT 3", "WAIT 117"), ("WAIT 10",) * 12, ("WAIT 1",) * 120]:
        played = give(
            episode(model, limits, **settings), "GOTO spare", "CONFIGURE spare how=endless"
        )
        give(played, "RUN spare", "GOTO rig", "RUN rig", *waits)
        lab = played.world.timeline.lab
        ran = sorted(lab.runs.values(), key=lambda run: run.apparatus)
        assert tuple(run.operation.failure for run in ran) == ends
        (account,) = limits
        assert spent - 1.0 <= lab.booked(account) <= spent
        found.add(tuple(run.ended_ms for run in ran))
    assert len(found) == 1


def test_what_goes_on_is_spent_before_it_is_booked():
    """Two at the start, one for ten seconds and a tenth for ten ticks."""
    played = give(episode(how="endless"), "RUN rig", "WAIT 10")
    assert last(played).ended_ms is None

    def spent(at_most: float) -> bool:
        fact = SpentFact(account="eur", at_most=at_most)
        return compile_spent(fact)(played.world)

    assert spent(3.1)
    assert not spent(3.05)


def test_two_runs_at_once_are_not_promised_the_same_money():
    limits = {"eur": 9.0}  # a run of 30 s is known to cost 2 and 3
    played = give(episode(limits=limits), "RUN rig", "GOTO spare", "RUN spare")
    assert played.last.outcomes["ada"].reason is Reason.LIMIT_REACHED
    assert played.last.outcomes["ada"].facts["left"] == 4.0
    give(played, "WAIT UNTIL rig done")
    assert played.world.timeline.lab.booked("eur") == pytest.approx(5.3)


def test_a_wait_of_a_minute_is_six_of_ten_seconds_while_a_run_goes_on():
    for steps in (7, 30, 60, 100):
        whole, parts = (give(episode(steps=steps), "RUN rig") for _ in range(2))
        give(whole, "WAIT 60")
        give(parts, *["WAIT 10"] * 6)
        assert last(whole) == last(parts)
        assert whole.world.timeline.lab == parts.world.timeline.lab
        assert digest(whole.world) == digest(parts.world)


@pytest.mark.parametrize(
    ("model", "settings", "limits", "took_ms"),
    [
        ("tick/1", {"how": "raises"}, {}, 3000),
        ("tick/1", {"how": "nan"}, {}, 3000),
        ("tick/1", {"how": "endless"}, {}, 35_000),
        ("ticksolver/1", {}, {"flop": 20.0}, 2000),
    ],
)
def test_when_a_run_fails_does_not_depend_on_how_time_is_cut(
    monkeypatch, model, settings, limits, took_ms
):
    monkeypatch.setattr(runs, "LONGEST_S", 35)
    whole, parts = (give(episode(model, limits, **settings), "RUN rig") for _ in range(2))
    give(whole, "WAIT 60")
    give(parts, *["WAIT 10"] * 6)
    for played in (whole, parts):
        assert last(played).ended_ms - last(played).started_ms == took_ms
    assert whole.world.timeline.lab.ledger == parts.world.timeline.lab.ledger


def test_a_copy_in_the_middle_of_a_run_goes_on_as_the_world_itself():
    straight = give(episode(), "RUN rig", "WAIT 10")
    copies = [straight.fork(), pickle.loads(pickle.dumps(straight.snapshot()))]
    before = digest(straight.world)
    ends = []
    for copy in copies:
        other = copy if isinstance(copy, Episode) else episode()
        if other is not copy:
            other.restore(copy)
        assert digest(other.world) == before
        give(other, "WAIT UNTIL rig done", "READ rig")
        ends.append((digest(other.world), last(other).results))
    assert digest(straight.world) == before, "the copies share nothing that changed"
    give(straight, "WAIT UNTIL rig done", "READ rig")
    assert ends == [(digest(straight.world), last(straight).results)] * 2


@pytest.mark.parametrize(
    "command",
    ["RUN rig", "CONFIGURE rig steps=3", "STOP lab", "READ rig 99", "SUBMIT x=1", "MEASURE rig q"],
)
def test_a_refusal_while_a_run_goes_on_changes_nothing(command):
    played = give(episode(), "RUN rig")
    before, lab = digest(played.world), played.world.timeline.lab
    decision = played.step({"ada": command})
    assert not decision.outcomes["ada"].accepted
    assert (digest(played.world), played.world.timeline.lab) == (before, lab)


def test_what_a_run_costs_is_booked_when_it_begins_and_when_it_ends():
    played = give(episode(steps=25), "RUN rig")
    lab = played.world.timeline.lab
    assert [(row.account, row.amount) for row in lab.ledger] == [("runs", 1.0), ("eur", 2.0)]
    lab = give(played, "WAIT 60").world.timeline.lab
    seconds = (last(played).ended_ms - last(played).started_ms) / 1000
    flop = last(played).spent
    assert lab.booked("kwh") == pytest.approx(36.0 * seconds / 3600)
    assert lab.booked("eur") == pytest.approx(2.0 + 360.0 * seconds / 3600 + 1e4 * flop / 1e6)
    assert lab.booked("runs") == 1.0
    assert {row.agent for row in lab.ledger} == {"ada"}


def test_a_run_that_is_stopped_costs_what_it_took():
    played = give(episode(steps=1000), "RUN rig", "WAIT 10", "STOP rig")
    assert last(played).operation.failure is Failure.HALTED
    seconds = (last(played).ended_ms - last(played).started_ms) / 1000
    assert 10 <= seconds <= 11
    assert played.world.timeline.lab.booked("kwh") == pytest.approx(36.0 * seconds / 3600)


def test_who_has_an_apparatus_in_view_sees_the_newest_reading_on_its_display():
    played = give(episode(steps=30), "RUN rig", "WAIT 10")
    newest = played.world.timeline.lab.last("rig").samples[-1]
    assert newest.values[0] > 1.0
    shown = played.world.readings["rig"]["n"]
    assert isinstance(shown, SeenNow)
    assert shown.value == newest.values[0]
    assert "n" not in played.world.readings.get("spare", {})
