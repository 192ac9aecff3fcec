"""The engine of one scenario: it starts worlds and carries out commands in them.

An engine never changes after it was made and holds no world, so one engine serves any number of
worlds at once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from earsim.actions.decision import Decision
from earsim.actions.outcome import Outcome, Reason, Refusal, Status
from earsim.actions.verb import Call, Verb, joint_objection, objection
from earsim.admissible import Offers
from earsim.errors import UsageError
from earsim.goals.compiled_task import CompiledTask, compile_task
from earsim.processes.clock import UNWATCHED, Watch, begin
from earsim.render.action_help import ActionHelp
from earsim.render.things import SceneLines
from earsim.render.words.instruction import instruction
from earsim.rulesets import RULESETS, Ruleset
from earsim.schema import Scenario
from earsim.world import Blueprint, World
from earsim.world.belief import form_beliefs, see_doors

MAX_COMMAND_CHARS = 4096
"""Longer commands are refused unread."""

PARSE_REASONS = (Reason.UNKNOWN_VERB, Reason.BAD_FORMAT, Reason.BLANK_COMMAND, Reason.TOO_LONG)
"""Why a text is no command at all."""

MAX_TEXT_CHARS = 32_768
"""The same for a command that brings code or another text along."""

_MEMO_SIZE = 2048


class Engine:
    """The rules of one scenario at work.

    Attributes:
        scenario: what is played.
        ruleset: the rules in force.
        blueprint: the compiled scene and agents.
        verbs: every verb of this scene by canonical name.
        texts: names of the verbs that bring a text of many lines along.
    """

    def __init__(self, scenario: Scenario, ruleset: Ruleset | str | None = None) -> None:
        """Compile a scenario under its own ruleset, or under another.

        Raises:
            UnknownName: There is no such ruleset.
        """
        chosen = scenario.ruleset if ruleset is None else ruleset
        self.scenario = scenario
        self.ruleset = RULESETS[chosen] if isinstance(chosen, str) else chosen
        self.blueprint = Blueprint.compile(
            scenario.scene,
            scenario.agents,
            channel=scenario.channel,
            knowledge=scenario.knowledge if self.ruleset.physics.own_knowledge else "shared",
            numbers_hide=self.ruleset.physics.numbers_hide,
            time_works=self.ruleset.physics.time_works,
            reports=scenario.task.right_claim is not None,
        )
        verbs = self.ruleset.verbs(self.blueprint)
        self.verbs = {name: verb.fitted(self.blueprint) for name, verb in verbs.items()}
        self.texts = frozenset(n for n, v in self.verbs.items() if v.grammar.verbatim)
        self._parsed: dict[str, Call | Refusal] = {}
        self._offers: Offers | None = None
        self._lines: SceneLines | None = None
        self._help: ActionHelp | None = None
        self._task: CompiledTask | None = None
        self._instruction: str | None = None
        self._watch: Watch | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as what it is made from; a registered ruleset goes by its name."""
        name = self.ruleset.name
        registered = name in RULESETS and RULESETS[name] is self.ruleset
        return Engine, (self.scenario, name if registered else self.ruleset)

    @property
    def offers(self) -> Offers:
        """The commands worth trying when the admissible ones are listed."""
        if self._offers is None:
            self._offers = Offers(self.verbs, alone=len(self.blueprint.bodies) == 1)
        return self._offers

    @property
    def lines(self) -> SceneLines:
        """The lines about the scene, of which pictures are put together."""
        if self._lines is None:
            perceived = self.ruleset.physics.own_knowledge
            self._lines = SceneLines(self.blueprint, perceived=perceived)
        return self._lines

    @property
    def help(self) -> ActionHelp:
        """What agents can do, verb by verb."""
        if self._help is None:
            self._help = ActionHelp(self.verbs)
        return self._help

    @property
    def task(self) -> CompiledTask:
        """What the task comes to in its scene.

        Raises:
            NoSingleAnswer: A selector fits nothing, or several things alike.
        """
        if self._task is None:
            initial = World(self.blueprint, self.ruleset.physics)
            self._task = compile_task(self.scenario.task, initial)
        return self._task

    @property
    def watch(self) -> Watch:
        """What the goal wants to know while time passes; another may be put in its place.

        Raises:
            UsageError: It has conditions over time, and no time passes under the ruleset.
        """
        if self._watch is not None:
            return self._watch
        if not self.task.remembers:
            return UNWATCHED
        if not self.ruleset.physics.time_works:
            raise UsageError(
                f"the goal of {self.scenario.id} has conditions over time, and under "
                f"{self.ruleset.id} no number changes by itself"
            )
        return self.task.goal

    @watch.setter
    def watch(self, watch: Watch) -> None:
        """Have all worlds of this engine watched by another, which asks that of the goal."""
        self._watch = watch

    @property
    def instruction(self) -> str:
        """What the agents are told to do."""
        if self._instruction is None:
            self._instruction = instruction(self.scenario.task, self.blueprint)
        return self._instruction

    @property
    def budget(self) -> int:
        """Decisions an episode may take."""
        return self.scenario.task.budget or self.ruleset.budget

    def start(self, *, discovered: bool = False) -> World:
        """A fresh world; with `discovered`, every object is known at first (EAR-Bench 2.6)."""
        world = World(self.blueprint, self.ruleset.physics)
        if discovered:
            everything = (*self.blueprint.things, *self.blueprint.doors)
            for agent in world.agents:
                world.discover(agent, everything)
        elif self.ruleset.physics.doors_stop:
            for agent, state in world.agents.items():
                see_doors(world, agent, (state.room,))
        form_beliefs(world)
        if self.blueprint.live is not None or self.task.remembers:
            limits = {str(name): most for name, most in self.scenario.task.limits.items()}
            begin(world, self.watch, limits=limits, questions=self.task.questions)
        return world

    def step(self, world: World, commands: Mapping[str, str] | None) -> Decision:
        """Carry out one decision: a command per agent.

        Under `ear-bench` the order is that of the mapping; under `physical` it is that of the
        agents in the file, joint commands last. Any string is accepted and answered. None stands
        for a reply that could not be read.
        """
        return self.ruleset.decide(self, world, commands)

    def execute(
        self, world: World, agent: str, text: str, partners: tuple[str, ...] = ()
    ) -> Outcome:
        """Carry out a command at once; a refused one leaves the world as it was.

        Args:
            world: is changed.
            agent: who gives it.
            text: the command.
            partners: all who give it together, the agent first; empty where it acts alone.
        """
        call = self._parsed.get(text) or self.parse(text)
        if isinstance(call, Refusal):
            return _refused(agent, text, "", call, Status.INVALID)
        verb = call.verb
        if partners:
            call = call.given_by(partners)
            objected = joint_objection(world, partners, call)
        else:
            objected = objection(world, agent, call)
        if objected is not None:
            return _refused(agent, text, verb.name, *objected)
        facts = verb.effect(world, agent, call)
        actors = call.actors or (agent,)
        seconds = facts.get("seconds", verb.seconds)
        status = Status.PARTIAL if "stopped_at" in facts else Status.SUCCESS
        return Outcome.success(agent, text, verb.name, facts, actors, seconds, status)

    def parse(self, text: str) -> Call | Refusal:
        """The call a text stands for, or why it stands for none."""
        found = self._parsed.get(text)
        if found is None:
            verb = self.verbatim(text)
            if verb is not None:
                return _parse_verbatim(verb, text)
            found = self._parse(text)
            if len(self._parsed) >= _MEMO_SIZE:
                self._parsed.clear()
            self._parsed[text] = found
        return found

    def _parse(self, text: str) -> Call | Refusal:
        if len(text) > MAX_COMMAND_CHARS and not self.ruleset.any_length:
            return Refusal(Reason.TOO_LONG, {"chars": len(text), "limit": MAX_COMMAND_CHARS})
        text = self.ruleset.front(text, self.verbs)
        words = text.split(maxsplit=1)
        if not words:
            return Refusal(Reason.BLANK_COMMAND)
        verb = self.verbs.get(words[0].upper())
        call = None if verb is None else verb.parse(text)
        if call is not None:
            return call
        if verb is None or verb.grammar.exact:
            return Refusal(Reason.UNKNOWN_VERB, {"verb": words[0]})
        return Refusal(Reason.BAD_FORMAT, {"verb": verb.name, "form": verb.grammar.form})

    def verbatim(self, text: str) -> Verb | None:
        """The verb of a command that brings a text along, so that all of it is taken as it is."""
        if not self.texts:
            return None
        words = text[:_LONGEST_BLANKS].split(maxsplit=1)
        name = words[0].upper() if words and words[0].isascii() else ""
        return self.verbs[name] if name in self.texts else None

    @property
    def reasons(self) -> frozenset[Reason]:
        """Every reason for which a command can be refused in this scenario."""
        of_verbs = [verb.reasons for verb in self.verbs.values()]
        return self.ruleset.reasons.union(PARSE_REASONS, *of_verbs)

    def text_of(self, command: Mapping[str, Any]) -> str:
        """The text that a structured command stands for; its own JSON where it fits no schema.

        Where something can be said beside a command, it may have a `message`.
        """
        verb = self.verbs.get(str(command.get("verb", "")).upper())
        message, rest = command.get("message"), dict(command)
        beside = ""
        may_speak = verb is not None and verb.name != "SAY" and not verb.grammar.verbatim
        if self.messages and may_speak and isinstance(message, str):
            del rest["message"]
            words = message.split()
            beside = f"\nSAY {' '.join(words)}" if words else ""
        text = None if verb is None else verb.from_json(rest)
        return _as_json(command) if text is None else text + beside

    @property
    def messages(self) -> bool:
        """Whether something can be said beside a command."""
        return self.ruleset.messages and len(self.blueprint.bodies) > 1

    def schemas(self) -> dict[str, dict[str, Any]]:
        """One JSON schema per verb, for tool-calling models."""
        found = {name: verb.json_schema() for name, verb in self.verbs.items()}
        if self.messages:
            beside = {"type": "string", "description": "what to say beside it, at no cost"}
            for name in found.keys() - self.texts:
                found[name]["properties"].setdefault("message", beside)
        return found


_RAISED = frozenset({Reason.BLANK_COMMAND, Reason.NOWHERE})
"""What is an exception in the reference, and FAILURE behind its bridge (EAR-Bench Q7, Q40)."""


_LONGEST_BLANKS = 256
"""Within so many characters a verb is looked for."""


def _parse_verbatim(verb: Verb, text: str) -> Call | Refusal:
    """The call of a command that brings a text along; such are not remembered."""
    call = verb.parse(text) if len(text) <= MAX_TEXT_CHARS + MAX_COMMAND_CHARS else None
    chars = len(text) if call is None else len(call.details)
    if chars > MAX_TEXT_CHARS:
        return Refusal(Reason.TOO_LONG, {"chars": chars, "limit": MAX_TEXT_CHARS})
    if call is not None:
        return call
    return Refusal(Reason.BAD_FORMAT, {"verb": verb.name, "form": verb.grammar.form})


def _refused(agent: str, text: str, verb: str, refusal: Refusal, status: Status) -> Outcome:
    if refusal.reason in _RAISED:
        status = Status.FAILURE
    return Outcome.refused(agent, text, verb, refusal, status)


def _as_json(command: Mapping[str, Any]) -> str:
    """A structured command as it stands; an empty one where no JSON stands for it."""
    try:
        return json.dumps(command, default=repr)
    except (TypeError, ValueError, RecursionError):
        return "{}"
