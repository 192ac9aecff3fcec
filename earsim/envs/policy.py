"""What a policy is: the face of an episode that turns observations into commands.

A policy keeps what it remembers in `memory`, a JSON value that is saved with the trajectory. It is
given each agent's observation as something to ask, so nobody pays for a text that nobody reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from earsim.actions.outcome import Outcome
from earsim.apparatus.message import Envelope, MessageDirection
from earsim.envs.observation import delta_text, full_text, last_words
from earsim.episode import Episode
from earsim.processes.messages import messages
from earsim.render.action_help import usable_verbs
from earsim.render.outline.locations import Locations as Locations
from earsim.render.outline.memory import OutlineMemory as OutlineMemory
from earsim.render.outline.outline import Outline, outline
from earsim.render.pictures import pictures_read
from earsim.schema import Scenario
from earsim.schema.records.model_call import ModelCall
from earsim.schema.scenario import DEFAULT_RULESET
from earsim.tables.document import Picture
from earsim.world.proximity import within_reach


@dataclass(frozen=True, slots=True)
class PolicyContext:
    """What a policy knows before the first decision.

    Attributes:
        instruction: the task, as the agents are told it.
        agents: agent ids in file order.
        budget: decisions the episode may take.
        seed: of the run; mix in the scenario's id before drawing from it.
        scenario: everything, goal and walkthrough included. For oracles: a policy whose score is to
            mean something reads nothing of it but its id.
        ruleset: name of the rules in force.
        texts: names of the verbs that bring a text of many lines along.
    """

    instruction: str
    agents: tuple[str, ...]
    budget: int
    seed: int
    scenario: Scenario
    ruleset: str = DEFAULT_RULESET
    texts: frozenset[str] = frozenset()

    @classmethod
    def of(cls, episode: Episode, seed: int = 0) -> PolicyContext:
        """The context of an episode that begins."""
        engine = episode.engine
        return cls(
            engine.instruction,
            episode.agents,
            episode.budget,
            seed,
            engine.scenario,
            engine.ruleset.name,
            engine.texts,
        )


class Observation:
    """What one agent is told before a decision; each form is made when it is first read.

    `full` and `delta` are whole observations; the other texts are the parts they consist of. Read
    `delta` or the parts `changes` and `changed_help`, not both: each tells a change once.

    Attributes:
        agent: whom it is for.
    """

    def __init__(self, episode: Episode, agent: str) -> None:
        self.agent = agent
        self._episode = episode

    @property
    def episode(self) -> Episode:
        """What all this is told of, for oracles, experts and labels.

        A policy whose score is to mean something leaves it alone.
        """
        return self._episode

    @cached_property
    def full(self) -> str:
        """Feedback, task, everything known, and what one can do."""
        return full_text(self._episode, self.agent)

    @cached_property
    def delta(self) -> str:
        """Feedback and what changed since the delta that was read last."""
        return delta_text(self._episode, self.agent)

    @cached_property
    def told(self) -> str:
        """What became of the agent's last command, and what it noticed of the others'."""
        return last_words(self._episode, self.agent)

    @cached_property
    def scene(self) -> str:
        """Everything the agent knows of the world."""
        return self._episode.full(self.agent)

    def outline(self, memory: OutlineMemory) -> Outline:
        """What the agent knows in few words, what the task speaks of last.

        Args:
            memory: of the reader; it takes note of what is new.
        """
        episode = self._episode
        task, outcome = episode.engine.instruction, self.outcome
        return outline(episode.world, self.agent, task=task, memory=memory, outcome=outcome)

    @cached_property
    def whereabouts(self) -> Locations:
        """Where the agent believes things to be, in the words of `outline`."""
        return Locations(self._episode.world, self.agent)

    @cached_property
    def changes(self) -> str:
        """What changed in `scene` since this was read last; at first, all of it."""
        return self._episode.changes(self.agent)

    @cached_property
    def help(self) -> str:
        """What the agent can do now, verb by verb."""
        return self._episode.help(self.agent)

    @cached_property
    def changed_help(self) -> str:
        """`help` if it is not what this gave last; empty otherwise."""
        return self._episode.changed_help(self.agent)

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """The verbs of `help` as forms, such as ``PLACE {target} {relation} {destination}``."""
        episode = self._episode
        verbs = usable_verbs(episode.world, self.agent, episode.engine.verbs)
        return tuple(verb.grammar.form for verb in verbs)

    @property
    def finished(self) -> bool:
        """Whether the agent has said DONE and is asked for nothing more."""
        return self._episode.world.agents[self.agent].idle

    @cached_property
    def feedback(self) -> str:
        """What became of the agent's last command; empty before the first."""
        return self._episode.feedback(self.agent)

    @cached_property
    def admissible(self) -> tuple[str, ...]:
        """Commands that would be accepted now, over what the agent has discovered, sorted."""
        return self._episode.admissible(self.agent)

    @cached_property
    def stream(self) -> tuple[Envelope, ...]:
        """What the bodies at hand sent so far: messages about every run of an apparatus in reach.

        They are those of a socket (`earsim.apparatus.message`), of one run after the other.
        """
        world = self._episode.world
        lab = None if world.timeline is None else world.timeline.lab
        if lab is None:
            return ()
        near = {
            id for id, run in lab.runs.items() if within_reach(world, self.agent, run.apparatus)
        }
        return tuple(
            envelope
            for envelope, direction in messages(world, self.agent)
            if direction is MessageDirection.TO_AGENT and envelope.operation_id in near
        )

    @cached_property
    def pictures(self) -> tuple[Picture, ...]:
        """The pictures of what the last command has read, for policies that can look."""
        return pictures_read(self._episode.engine.blueprint, self.outcome)

    @property
    def outcome(self) -> Outcome | None:
        """The typed form of `feedback`."""
        return self._episode.outcome(self.agent)


def observations_of(episode: Episode) -> dict[str, Observation]:
    """The observation of every agent, in file order, as the episode stands now."""
    return {agent: Observation(episode, agent) for agent in episode.agents}


class Policy(Protocol):
    """Maps observations to commands, one decision at a time.

    One policy plays one episode after another; `reset` begins each. The same context and the same
    observations must give the same commands.
    """

    @property
    def memory(self) -> Any:
        """What is remembered of this episode, as a JSON value."""
        ...

    def reset(self, context: PolicyContext) -> None:
        """Begin an episode."""
        ...

    def act(self, observations: Mapping[str, Observation]) -> Mapping[str, str] | None:
        """The next command of each agent; an agent left out gives none.

        None stands for a decision in which no command could be read, and costs it.
        """
        ...


class AsyncPolicy(Protocol):
    """A policy that waits for somebody, such as a model server; one per episode in flight.

    It keeps the contract of `Policy`. What it waits for is awaited, so that others go on meanwhile.
    """

    @property
    def memory(self) -> Any:
        """What is remembered of this episode, as a JSON value."""
        ...

    def reset(self, context: PolicyContext) -> None:
        """Begin an episode."""
        ...

    async def act(self, observations: Mapping[str, Observation]) -> Mapping[str, str] | None:
        """The next command of each agent, as `Policy.act`.

        Raises:
            ServerFault: No usable answer came, retries included; the episode is not measured.
            ContextOverflow: The prompt is longer than the model can read.
        """
        ...

    def take_calls(self) -> list[ModelCall]:
        """The model calls that were made since this was last asked."""
        ...

    async def close(self) -> None:
        """Let go of whatever this policy alone holds."""
        ...
