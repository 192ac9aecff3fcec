"""`tipgan/1`: settings of the six-box ocean near a tipping point, proposed by trained generators.

A run proposes settings, and the ocean itself judges each of them: what becomes of Atlantic sinking,
and how far the freshwater is from the value at which that would change. Networks are files of this
distribution, run forward in numpy. Even draws stand beside them, for generators are worth no more
than what they are nearer than these.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from statistics import median
from typing import Any, ClassVar, Final

import numpy as np

from earsim.apparatus.events import system_event
from earsim.apparatus.model import Advanced, Expected, Model, ModelEvent, ModelOutput, Sample
from earsim.apparatus.parameter import Parameter, Settings, Value
from earsim.apparatus.publish import publish
from earsim.apparatus.sixbox.model import SIXBOX, STEP_COST
from earsim.apparatus.tipgan.accuracy import merged, weighted_accuracy
from earsim.apparatus.tipgan.inputs import INPUTS, Array, settings_of
from earsim.apparatus.tipgan.networks import DIGITS, SHIPPED, TipGanNetworks
from earsim.apparatus.tipgan.oracle import (
    BROKEN,
    FRESH,
    FURTHEST,
    NO_SHUT_OFF,
    RECOVERY,
    RUNS_OF_A_JUDGEMENT,
    SHUT_OFF,
    STEPS,
    ProposalJudgement,
    judged,
)

EVEN: Final = "even"
"""The method that draws settings evenly, without a network."""

TRAINED: Final = ("balanced", "uncertain")
"""The methods with networks, as their files are called."""

PROPOSAL_COST: Final = RUNS_OF_A_JUDGEMENT * STEPS * STEP_COST
"""Cost units of a proposal: of the runs that judge it, be all of them needed or not."""

_FATES = {
    NO_SHUT_OFF: ("share_on", "goes on sinking"),
    SHUT_OFF: ("share_off", "is off at the end"),
    RECOVERY: ("share_recovered", "was off and came back"),
    BROKEN: ("share_broken", "has no end, for the run broke off"),
}


@dataclass(frozen=True, slots=True)
class ProposingRun:
    """A run after some of its proposals.

    Attributes:
        settings: what it runs with.
        judgements: of the proposals so far.
    """

    settings: Settings
    judgements: tuple[ProposalJudgement, ...] = ()

    @property
    def count(self) -> int:
        """Proposals to be made."""
        return int(self.settings["proposals"])

    @property
    def rows(self) -> Array:
        """All proposals, judged or not, (proposals, inputs)."""
        given = self.settings
        return _proposals(str(given["method"]), self.count, int(given["seed"]))

    @property
    def done(self) -> bool:
        """Whether all are judged."""
        return len(self.judgements) == self.count

    @property
    def spent(self) -> float:
        """Cost units."""
        return PROPOSAL_COST * len(self.judgements)


class TipGan(Model):
    """Proposals near tipping points of Atlantic sinking, each judged by runs of the ocean."""

    id: ClassVar[str] = "tipgan/1"
    title: ClassVar[str] = "proposals near tipping points of the six-box ocean"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("method", "who proposes", TRAINED[0], choices=(EVEN, *TRAINED)),
        Parameter("proposals", "how many", 40, low=1, high=200, integer=True),
        Parameter(
            "within",
            f"distance up to which one counts as near, of {FRESH}",
            5e4,
            "m3/s",
            0,
            FURTHEST,
        ),
        Parameter("seed", "of the numbers drawn", 0, low=0, high=999_999, integer=True),
    )
    channels: ClassVar[tuple[ModelOutput, ...]] = (
        *(
            ModelOutput(each.name, each.unit, f"{each.says}, proposed")
            for each in SIXBOX.parameters
            if each.name in INPUTS
        ),
        ModelOutput("fate", "", "of the Atlantic: 0 on, 1 off, 2 off and back, -1 broken off"),
        ModelOutput("distance", "m3/s", f"from the {FRESH} at which its end changes; nan for none"),
    )
    quantities: ClassVar[tuple[ModelOutput, ...]] = (
        ModelOutput("distance", "m3/s", f"from the {FRESH} at which the Atlantic tips, the median"),
        ModelOutput("least_distance", "m3/s", "of the nearest proposal"),
        ModelOutput("nearest_proposal", "", "its number, from 1"),
        ModelOutput("share_near", "", "of the proposals that tip within the distance that is set"),
        *(ModelOutput(name, "", f"whose Atlantic {says}") for name, says in _FATES.values()),
        ModelOutput("accuracy", "", "of the discriminator on them, every fate weighing the same"),
    )
    events: ClassVar[tuple[str, ...]] = ("done",)
    rate: ClassVar[float | None] = SIXBOX.rate

    def start(self, settings: Settings) -> ProposingRun:
        """Nothing is judged yet."""
        return ProposingRun(settings)

    def advance(self, state: Any, allowance: float) -> Advanced:
        """Judge as many proposals as are paid for."""
        run: ProposingRun = state
        samples: list[Sample] = []
        events: list[ModelEvent] = []
        until = math.floor(min(run.count, allowance * (1.0 + 1e-12) / PROPOSAL_COST))
        while len(run.judgements) < until:
            row = run.rows[len(run.judgements)]
            run = replace(run, judgements=(*run.judgements, judged(row)))
            samples.append(_sample(run, row))
            if run.done:
                events.append(system_event("done", run.spent, float(run.count), judged=run.count))
        part = len(run.judgements) / run.count
        return Advanced(run, tuple(samples), tuple(events), run.spent, part, run.done)

    def results(self, state: Any) -> Mapping[str, Value | None]:
        """What became of all proposals, of a completed run."""
        run: ProposingRun = state
        found: dict[str, Value | None] = dict.fromkeys(each.name for each in self.quantities)
        if not run.done:
            return found
        fates = [each.fate for each in run.judgements]
        far = [math.inf if each.distance is None else each.distance for each in run.judgements]
        near = sum(each <= float(run.settings["within"]) for each in far) / run.count
        found |= {"share_near": publish(near), "accuracy": _accuracy(run, fates)}
        found |= {
            name: publish(fates.count(fate) / run.count) for fate, (name, _) in _FATES.items()
        }
        if math.isfinite(min(far)):
            nearest = min(range(run.count), key=lambda at: far[at])
            found |= {"least_distance": publish(far[nearest]), "nearest_proposal": nearest + 1}
        middle = median(far)
        return found | {"distance": publish(middle) if math.isfinite(middle) else None}

    def expected(self, settings: Settings) -> Expected:
        """Known beforehand: the same for each proposal."""
        cost = PROPOSAL_COST * int(settings["proposals"])
        return Expected(cost, cost)


@cache
def _networks(method: str) -> TipGanNetworks:
    return TipGanNetworks.load(SHIPPED / f"{method}.npz")


@lru_cache(maxsize=8)
def _proposals(method: str, count: int, seed: int) -> Array:
    if method != EVEN:
        found = _networks(method).proposals(count, seed)
    else:
        drawn = np.random.default_rng(seed).uniform(-1.0, 1.0, (count, len(INPUTS)))
        found = np.round(drawn, DIGITS)
    found.flags.writeable = False
    return found


def _sample(run: ProposingRun, row: Array) -> Sample:
    """The newest proposal, in the order of the channels."""
    proposed, (fate, distance) = settings_of(row), run.judgements[-1]
    numbers = [float(proposed[each.name]) for each in TipGan.channels[: len(INPUTS)]]
    numbers += [float(fate), math.nan if distance is None else distance]
    return Sample(run.spent, float(len(run.judgements)), tuple(map(publish, numbers)))


def _accuracy(run: ProposingRun, fates: list[int]) -> float | None:
    """Weighted, on the proposals that came to an end; None where there is no discriminator."""
    method = str(run.settings["method"])
    if method == EVEN:
        return None
    networks, true = _networks(method), np.array(fates)
    ended, count = true != BROKEN, len(networks.classes.bias)
    told = networks.told(run.rows)[ended]
    found = weighted_accuracy(told, merged(true[ended], count), count)
    return None if found is None else publish(found)


TIPGAN = TipGan()
