"""The expert in a laboratory: it gets apparatus ready as anything else, and tunes them by rules.

Errands are those of the ordinary expert, in the scene without apparatus. What it knows of runs
comes from the outcomes of commands; no model is ever computed beside the world.
"""

from __future__ import annotations

from typing import Any

from earsim.actions.decision import Decision as Taken
from earsim.apparatus.bodies.model import Workstation
from earsim.apparatus.lookup import LookUpModel
from earsim.engine import Engine
from earsim.planner.acting.approach import Approach
from earsim.planner.acting.execution import Decision, awake, done_for_all
from earsim.planner.acting.expert import Expert
from earsim.planner.acting.exploration_memory import ExplorationMemory
from earsim.planner.acting.oracle import LIMIT
from earsim.planner.acting.telling import told
from earsim.planner.laboratory.bare import has_apparatus
from earsim.planner.laboratory.demands import is_about_apparatus, ways
from earsim.planner.laboratory.evidence import questions_of
from earsim.planner.laboratory.funds import allowed, cost_law
from earsim.planner.laboratory.inquiry import Inquiry, Search, WantedRun
from earsim.planner.laboratory.notebook import NotebookStage
from earsim.planner.laboratory.numeric import changes
from earsim.planner.laboratory.planning import configure, said
from earsim.planner.laboratory.protocols import action_command
from earsim.planner.laboratory.questions import proposed
from earsim.planner.laboratory.told_protocol import told_protocol
from earsim.world import World
from earsim.world.lab import Rig

_PATIENT = frozenset({"sixbox/1", "ns2d/1", "wet_bench/1"})
"""Models that warn of what may still end well, or take longer than one waits at once."""


NO_CODE = "it writes no code, and the goal asks for runs of a workstation"
"""Why it gives up where code has to be executed."""

NO_READING = "it reads no texts and no figures, and the goal asks for what they say"
"""Why it gives up where something has to be looked up."""


class Experimenter:
    """One attempt at one scenario whose goal is about apparatus.

    Attributes:
        ended: why it had everybody say DONE, as of `Expert`; empty before.
    """

    def __init__(
        self,
        engine: Engine,
        exploration_memory: ExplorationMemory | None = None,
        *,
        search: Search = "bracket",
    ) -> None:
        self._approach = Approach(engine, exploration_memory)
        self.ended = ""
        self._engine = engine
        self._way = next(ways(engine.task.goal_tree))
        questions = questions_of(engine, self._way.answers)
        live = engine.blueprint.live
        assert live is not None, "the scene has apparatus"
        self._rigs = live.rigs
        text = engine.instruction
        as_it_is = any(words in text for words in ("as it stands", "as they are", "run it so"))
        self._inquiry = Inquiry(
            self._way,
            questions,
            live.rigs,
            as_it_stands=as_it_is,
            proposed={node: proposed(text, rig) for node, rig in live.rigs.items()},
            most=allowed(engine.scenario.task),
            law=cost_law(text),
            protocols={
                node: told_protocol(text, bench.pool) for node, bench in live.benches.items()
            },
            search=search,
        )
        self._benches = live.benches

    @property
    def memory(self) -> dict[str, Any]:
        """What it remembers, as a JSON value."""
        found = {"runs": self._inquiry.runs, "answers": self._inquiry.answers}
        return {**self.exploration_memory.memory, **found, "ended": self.ended}

    @property
    def exploration_memory(self) -> ExplorationMemory:
        """What it remembers of where it has looked."""
        return self._approach.exploration_memory

    def note(self, decision: Taken, world: World) -> None:
        """Remember what came of a decision, its own or another's, that led to this world."""
        once: dict[tuple[str, str], None] = {}
        for outcome in decision.outcomes.values():
            words = outcome.command.split("\n")[0].split()
            node = next((word for word in words[1:] if word in self._rigs), "")
            if outcome.verb == "SUBMIT" and outcome.accepted:
                self._inquiry.answers.update(outcome.facts["answers"])
            elif node and (outcome.verb, node) not in once:  # a team's RUN is one
                once[outcome.verb, node] = None
                self._inquiry.notebooks[node].note(outcome)
        self._approach.note(decision, world)

    # -- deciding ----------------------------------------------------------------------------------

    def decide(self, world: World, *, left: int | None = None) -> Decision:
        """The next decision; DONE for all once nothing is left to do, or to try.

        Args:
            world: as it is now; left as it is.
            left: decisions that the episode may still take.
        """
        team = awake(world)
        if not team:
            return {}
        going_on = [
            n for n, book in self._inquiry.notebooks.items() if book.stage is not NotebookStage.IDLE
        ]
        if going_on:
            return told(world, self._watch(world, going_on[0]))
        known = self._inquiry.known
        if known:
            name, answer = next(iter(known.items()))
            return told(world, {team[0]: f"SUBMIT {name}={said(answer)}"})
        wanted = self._inquiry.next_run()
        if wanted is not None:
            self.ended = _beyond(self._rigs[wanted.apparatus])
            if self.ended:
                return done_for_all(world, lambda world: False)
            decision = self._run(world, wanted, left)
            return told(world, decision) if decision else self._give_up(world)
        return self._rest(world, left)

    def _rest(self, world: World, left: int | None) -> Decision:
        decision = self._approach.errand(world, self._way.rest, left=left)
        answered = self._way.answers.keys() <= self._inquiry.answers.keys()
        done = answered and self._inquiry.is_done
        self.ended = self._approach.ended and (self._approach.ended if done else LIMIT)
        return decision

    def _give_up(self, world: World) -> Decision:
        self.ended = self._approach.ended or LIMIT
        return done_for_all(world, lambda world: False)

    # -- runs --------------------------------------------------------------------------------------

    def _run(self, world: World, wanted: WantedRun, left: int | None) -> Decision | None:
        """The next decision towards a run; None where it cannot be got ready."""
        node = wanted.apparatus
        action = self._benches[node].pool.actions[wanted.step] if wanted.step else None
        decision = self._approach.to(world, node, left=left, action=action)
        if decision is None or decision:
            return decision
        team = self._approach.operators(world, node, action)
        if action is not None and wanted.settings is not None:
            return dict.fromkeys(team, action_command(node, action, wanted.settings))
        book = self._inquiry.notebooks[node]
        new = {} if wanted.settings is None else changes(book.settings, wanted.settings)
        if new:
            return {team[0]: configure(node, new)}
        return dict.fromkeys(team, f"RUN {node}")

    def _watch(self, world: World, node: str) -> Decision:
        """Wait for a run, read it; stop it where that is wanted, or once it has warned."""
        book, team = self._inquiry.notebooks[node], self._approach.operators(world, node)
        wanted = self._inquiry.next_run()
        to_stop = wanted is not None and wanted.apparatus == node and wanted.stop
        patient = self._rigs[node].model.id in _PATIENT
        if book.stage is NotebookStage.STOP and patient and not to_stop:
            book.stage = NotebookStage.WAIT
        if wanted is not None and wanted.warned:
            to_stop = False  # not before it warns
        if to_stop or book.stage is NotebookStage.STOP:
            return {team[0]: f"STOP {node}"}
        if book.stage is NotebookStage.WAIT:
            return {team[0]: f"WAIT UNTIL {node} done"}
        return {team[0]: f"READ {node}"}


def _beyond(rig: Rig) -> str:
    """Why no rule runs an apparatus; empty where rules do."""
    if isinstance(rig.model, Workstation):
        return NO_CODE
    return NO_READING if isinstance(rig.model, LookUpModel) else ""


def expert_of(
    engine: Engine,
    exploration_memory: ExplorationMemory | None = None,
    *,
    search: Search = "bracket",
) -> Expert | Experimenter:
    """The expert for a scenario: one who experiments where its goal is about apparatus.

    Args:
        engine: of the scenario.
        exploration_memory: where somebody has looked; None for nowhere.
        search: how thresholds are looked for.
    """
    if has_apparatus(engine) and is_about_apparatus(engine.task.goal_tree):
        return Experimenter(engine, exploration_memory, search=search)
    return Expert(engine, exploration_memory)
