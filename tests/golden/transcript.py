"""Golden transcripts: what is said to the world, and what the world answers.

A transcript is a header in YAML, a line of dashes, and a dialogue::

    # EAR-Bench 3.4, check 9: one must have approached it.
    scene: kitchen.yaml
    ruleset: ear-bench/1
    agents: [{id: agent_1, max_mass_kg: 10}]
    ---
    > GRAB cup
    FAILURE not_near_grab: Cup (cup) is out of reach; GOTO it first.
    = near: nothing

    > agent_1: EXPLORE | agent_2: GRAB cup
    agent_1 SUCCESS: You search Kitchen and find 3 things.
    agent_2 FAILURE not_near_grab: Cup (cup) is out of reach; GOTO it first.
    decision FAILURE

One line of commands is one decision. A command that holds ` | ` or outer blanks is written as a
JSON string, and `(no reply)` stands for a reply that could not be read. Lines that begin with `=`
state a fact about the world at that moment, `FACTS` says which there are; with one agent, its name
may be left out. Blank lines and comments are kept as they are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from earsim.actions.outcome import Outcome
from earsim.engine import Engine
from earsim.episode import Episode
from earsim.render.things import thing_facts
from earsim.rulesets import RULESETS, Ruleset
from earsim.schema import AgentSpec, Scenario, Task
from earsim.schema.files.load import load_scene
from earsim.schema.files.yaml_text import parse_yaml
from earsim.world import World, digest
from earsim.world.belief import UNSEEN, view
from earsim.world.perceived import states_shown

SCENES = Path(__file__).with_name("scenes")
RULE = "---"
NO_REPLY = "(no reply)"


@dataclass(frozen=True)
class Header:
    """What a transcript is played in.

    Attributes:
        ruleset: id with version, such as `ear-bench/1`.
        discovered: every object is known from the start.
        limits: what may be spent, by account.
        right_claim: what an agent is right to say in the end; None where it cannot report.
    """

    scene: str
    ruleset: str
    agents: tuple[AgentSpec, ...]
    goal: Any = None
    category: str = "direct_command"
    budget: int | None = None
    discovered: bool = False
    end_on: Any = "done"
    channel: Any = "room"
    knowledge: Any = "shared"
    limits: Any = None
    right_claim: Any = None

    @classmethod
    def read(cls, text: str, source: str) -> Header:
        """Parse the part above the dashes; unknown keys are errors."""
        found = parse_yaml(text, source).value
        specs = tuple(AgentSpec.model_validate(spec, by_alias=True) for spec in found["agents"])
        return cls(**{**found, "agents": specs})

    @property
    def rules(self) -> Ruleset:
        """The current ruleset of that name, whatever its version."""
        return RULESETS[self.ruleset.partition("/")[0]]

    def episode(self) -> Episode:
        """A fresh episode; a goal that nothing fulfils where none is given."""
        goal = {"any": []} if self.goal is None else self.goal
        task = Task.model_validate(
            {"id": "golden", "category": self.category, "instruction": "-", "goal": goal}
            | ({} if self.limits is None else {"limits": self.limits})
            | ({} if self.right_claim is None else {"right_claim": self.right_claim})
        )
        scenario = Scenario(
            id="golden",
            ruleset=self.rules.name,
            scene=load_scene(SCENES / self.scene),
            agents=self.agents,
            task=task,
            channel=self.channel,
            knowledge=self.knowledge,
        )
        engine = Engine(scenario)
        return Episode(engine, end_on=self.end_on, budget=self.budget, discovered=self.discovered)


class Reply(NamedTuple):
    """One line of an answer, taken apart; `who` is empty where one agent speaks alone."""

    who: str
    status: str
    reason: str
    sentence: str

    @classmethod
    def read(cls, line: str) -> Reply | None:
        """The reply in a line, None for a line that is none."""
        found = _REPLY.match(line)
        return None if found is None else cls(*(part or "" for part in found.groups()))

    def __str__(self) -> str:
        words = " ".join(filter(None, (self.who, self.status, self.reason)))
        return f"{words}: {self.sentence}" if self.sentence else words


_REPLY = re.compile(r"(?:(\w+) )?(SUCCESS|FAILURE|INVALID|PARTIAL|WAITING)(?: (\w+))?(?:: (.*))?\Z")


class Transcript(NamedTuple):
    """A transcript as text, with the header apart."""

    head: str
    body: str
    header: Header

    @classmethod
    def read(cls, text: str, source: str = "transcript") -> Transcript:
        """Take a transcript apart."""
        head, rule, body = text.partition(f"\n{RULE}\n")
        assert rule, f"{source}: no line {RULE!r} below the header"
        return cls(head, body, Header.read(head, source))

    @property
    def text(self) -> str:
        """Head and body together."""
        return f"{self.head}\n{RULE}\n{self.body}"

    def played(self) -> Transcript:
        """The same transcript with the answers that the world gives today."""
        return self.performed()[0]

    def outcomes(self) -> list[Outcome]:
        """Every outcome of playing it."""
        return self.performed()[1]

    def performed(self) -> tuple[Transcript, list[Outcome]]:
        """The same transcript as the world answers today, and every outcome of it."""
        play = _Play(self.header.episode())
        lines = list(play.lines(self.body.split("\n")))
        return self._replace(body="\n".join(lines)), play.outcomes

    def replies(self) -> Iterator[tuple[str, Reply]]:
        """Every reply with the line of commands that it answers."""
        said = ""
        for line in self.body.split("\n"):
            if line.startswith("> "):
                said = line[2:]
            elif (reply := Reply.read(line)) is not None and reply.who != "decision":
                yield said, reply

    def behaviour(self) -> list[str]:
        """All that is rules and not wording: commands, statuses, reasons and facts."""
        lines = [line for line in self.body.split("\n") if line and not line.startswith("#")]
        replies = ((line, Reply.read(line)) for line in lines)
        return [str(reply._replace(sentence="")) if reply else line for line, reply in replies]


class _Play:
    """One playing of a transcript."""

    def __init__(self, episode: Episode) -> None:
        self.episode = episode
        self.before = digest(episode.world)
        self.outcomes: list[Outcome] = []

    def lines(self, lines: Iterable[str]) -> Iterator[str]:
        """The lines again, answers replaced."""
        for line in lines:
            if line.startswith("> "):
                yield line
                yield from self._answers(line[2:])
            elif line.startswith("= "):
                yield self._stated(line[2:])
            elif not line or line.startswith("#"):
                yield line

    def _answers(self, said: str) -> Iterator[str]:
        episode = self.episode
        self.before = digest(episode.world)
        commands = _commands(said, episode.agents)
        decision = episode.step(commands)
        self.outcomes += decision.outcomes.values()
        alone = len(commands or ()) < 2 and len(decision.outcomes) < 2
        for agent, outcome in decision.outcomes.items():
            sentence = episode.feedback(agent).replace("\n", "\\n")
            reason = "" if outcome.reason is None else outcome.reason.value
            yield str(Reply("" if alone else agent, outcome.status.value, reason, sentence))
        ends = ", claimed" * decision.claimed + ", over" * decision.over
        if ends or not alone or not decision.outcomes:
            yield f"decision {decision.status.value}{ends}"
        refused = not any(outcome.accepted for outcome in decision.outcomes.values())
        if refused and digest(episode.world) != self.before:
            yield "REFUSED, BUT THE WORLD CHANGED"

    def _stated(self, text: str) -> str:
        subject, _, _ = text.partition(":")
        noun, _, about = subject.partition(" ")
        if noun == "digest":
            same = digest(self.episode.world) == self.before
            return f"= {subject}: {'unchanged' if same else 'changed'}"
        return f"= {subject}: {FACTS[noun](self.episode, about)}"


def _commands(said: str, agents: tuple[str, ...]) -> dict[str, str] | None:
    """`agent_1: A | agent_2: B`, or one command of the only agent."""
    if said == NO_REPLY:
        return None
    named = [re.match(r"(\w+): (.*)\Z", part, re.DOTALL) for part in said.split(" | ")]
    found = {match[1]: _unquoted(match[2]) for match in named if match}
    if len(found) == len(named):
        return found
    assert len(agents) == 1, f"{said!r}: say who gives the command"
    return {agents[0]: _unquoted(said)}


def _unquoted(text: str) -> str:
    return str(json.loads(text)) if text.startswith('"') else text


# -- facts ---------------------------------------------------------------------------------------


def _of_agent(fact: Callable[[World, str], str]) -> Callable[[Episode, str], str]:
    def stated(episode: Episode, agent: str) -> str:
        return fact(episode.world, agent or episode.agents[0])

    return stated


def _of_object(fact: Callable[[World, str], str]) -> Callable[[Episode, str], str]:
    return lambda episode, node: fact(episode.world, node)


def _listed(ids: Iterable[str]) -> str:
    return ", ".join(ids) or "nothing"


def _states(world: World, node: str) -> str:
    return _listed(f"{key} {json.dumps(value)}" for key, value in world.states[node].items())


def _seen(episode: Episode, about: str) -> str:
    """The states of an object as an agent last saw them."""
    *agent, node = about.split()
    picture = view(episode.world, agent[0] if agent else episode.agents[0])
    shown = states_shown(picture, node).items()
    return _listed(f"{key} {json.dumps(value)}" for key, value in shown)


def _admissible(episode: Episode, about: str) -> str:
    """The admissible commands of an agent; of one verb where one is named."""
    words = about.split()
    agent = words.pop(0) if words and words[0] in episode.agents else episode.agents[0]
    wanted = [text for text in episode.admissible(agent) if not words or text.split()[0] in words]
    return _listed(wanted)


def _verdict(episode: Episode, about: str) -> str:
    verdict = episode.verdict
    ever = f"since decision {verdict.since}" if verdict.ever else "never"
    return f"{'true' if verdict.now else 'false'} now, {ever}"


def _believed(episode: Episode, about: str) -> str:
    """Where an agent believes an object to be, or what it believes of a door."""
    agent, node = about.split()
    belief = view(episode.world, agent)
    if node in belief.blueprint.doors:
        return _states(belief, node) if node in belief.states else "nothing"
    if node not in belief.location:
        return "nothing"
    place = belief.location[node]
    return "out of sight" if place.relation == UNSEEN else f"{place.relation} {place.holder}"


def _told(episode: Episode, about: str) -> str:
    """What an agent is told of an object, its states apart."""
    *agent, node = about.split()
    seen = view(episode.world, agent[0] if agent else episode.agents[0])
    return thing_facts(seen, node) or "nothing"


def _heard(episode: Episode, about: str) -> str:
    return "; ".join(
        f"{said.clock} s {said.speaker} to {', '.join(said.heard_by) or 'nobody'}: {said.text}"
        for said in episode.world.messages
    )


def _stalled(episode: Episode, about: str) -> str:
    return ", ".join(episode.last.stalled if episode.last else ()) or "nobody"


FACTS: Mapping[str, Callable[[Episode, str], str]] = {
    # about an agent
    "room": _of_agent(lambda world, agent: world.agents[agent].room),
    "near": _of_agent(lambda world, agent: _listed(sorted(world.agents[agent].near))),
    "focus": _of_agent(lambda world, agent: world.agents[agent].focus),
    "inventory": _of_agent(lambda world, agent: _listed(world.agents[agent].inventory)),
    "abilities": _of_agent(lambda world, agent: _listed(world.agents[agent].abilities)),
    "load": _of_agent(lambda world, agent: f"{world.agents[agent].load:.6g}"),
    "carrying": _of_agent(lambda world, agent: world.agents[agent].carrying or "nothing"),
    "known": _of_agent(lambda world, agent: _listed(sorted(world.known[agent]))),
    "admissible": _admissible,
    # about an object
    "place": _of_object(lambda world, node: world.location[node].text),
    "states": _of_object(_states),
    "seen": _seen,
    "jointly": _of_object(lambda world, node: _listed(world.jointly.get(node, ()))),
    "carriers": _of_object(lambda world, node: _listed(world.carriers.get(node, ()))),
    "believed": _believed,
    "told": _told,
    # about the episode
    "heard": _heard,
    "stalled": _stalled,
    "verdict": _verdict,
    "score": lambda episode, about: f"{episode.score} of {episode.max_score}",
    "clock": lambda episode, about: f"{episode.world.clock:g}",
}
"""What a line beginning with `=` may state; `= digest: unchanged` is there besides."""
