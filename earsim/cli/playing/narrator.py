"""What a spectator of an episode is told, decision by decision."""

from __future__ import annotations

from collections.abc import Mapping

from rich.text import Text

from earsim.cli.screen import Screen, line, safe
from earsim.episode import Episode
from earsim.play.typed import one_line
from earsim.prose import listing, number
from earsim.render.words.goals import goal_lines

_STYLES = ("cyan", "magenta", "yellow", "blue")
_INDENT = " " * 4
_DEEPER = " " * 10


class Narrator:
    """Tells episodes to a screen, one after another."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._held: dict[str, str] = {}
        self._done: tuple[bool, ...] = ()
        self._refused = 0

    def open(self, episode: Episode, title: str) -> None:
        """Say what the task is and who is there."""
        engine = episode.engine
        self._refused = 0
        self._screen.say(safe(title, "bold"))
        self._screen.say(_INDENT, line(f"{engine.scenario.id} ({engine.scenario.task.category})"))
        self._screen.say(_INDENT, line(f'"{engine.instruction}"', "italic"))
        for body in engine.blueprint.bodies.values():
            room = engine.blueprint.name(body.start_room)
            limits = f"can lift {number(body.max_mass_kg)} kg, starts in {room}"
            self._screen.say(_INDENT, self._name(episode, body.id), ": ", line(limits))
        self._held = dict.fromkeys(episode.agents, "")
        self._done = _parts(episode)
        for said, is_met in zip(_goal(episode), self._done, strict=True):
            already = " (so already; it must stay so)" if is_met else ""
            self._screen.say(_INDENT, "goal: ", line(said), already)
        self._screen.say()

    def tell(self, episode: Episode, commands: Mapping[str, str], thought: str = "") -> None:
        """Say what was commanded in the decision just taken, and what became of it."""
        if thought:
            self._screen.say("      ", line(f"({thought})", "dim italic"))
        count = f"{episode.decisions:>4}  "
        for agent, command in commands.items():
            name = self._name(episode, agent)
            self._screen.say(count, name, ": ", line(one_line(command), "bold"))
            self._screen.say(_DEEPER, self._outcome(episode, agent))
            count = " " * len(count)
        self._tell_hands(episode)
        self._tell_goal(episode)

    def close(self, episode: Episode) -> None:
        """Give the verdict."""
        won = episode.success
        verdict = Text("WON" if won else "NOT WON", style="bold green" if won else "bold red")
        refused = f", {self._refused} refused" if self._refused else ""
        share = f"{episode.score} of {episode.max_score} parts of the goal"
        told = f": {share} after {episode.decisions} decisions (budget {episode.budget}){refused}\n"
        self._screen.say(_INDENT, verdict, told)

    def _outcome(self, episode: Episode, agent: str) -> Text:
        outcome = episode.outcome(agent)
        if outcome is None:
            return Text("no outcome", style="dim")
        if outcome.reason is None:
            return line(episode.feedback(agent), "green")
        self._refused += 1
        refused = Text(f"REFUSED ({outcome.reason.value}) ", style="bold red")
        return refused.append_text(line(episode.feedback(agent)))

    def _tell_hands(self, episode: Episode) -> None:
        """Say who holds what, where that changed; partners are told of together."""
        changed: dict[str, list[str]] = {}
        for agent in episode.agents:
            held = _held(episode, agent)
            if held != self._held[agent]:
                self._held[agent] = held
                changed.setdefault(held, []).append(episode.engine.blueprint.name(agent))
        for held, names in changed.items():
            verb = "holds" if len(names) == 1 else "hold"
            what = held or "nothing any more"
            self._screen.say(_DEEPER, line(f"{listing(names)} {verb} {what}.", "dim"))

    def _tell_goal(self, episode: Episode) -> None:
        now = _parts(episode)
        for said, was, is_met in zip(_goal(episode), self._done, now, strict=True):
            if was != is_met:
                mark = Text("goal met: " if is_met else "goal lost: ", style="bold yellow")
                self._screen.say(_DEEPER, mark, line(said))
        self._done = now

    def _name(self, episode: Episode, agent: str) -> Text:
        index = episode.agents.index(agent) if agent in episode.agents else 0
        return line(episode.engine.blueprint.name(agent), _STYLES[index % len(_STYLES)])


def _held(episode: Episode, agent: str) -> str:
    state = episode.world.agents[agent]
    things = [*state.inventory, *([state.carrying] if state.carrying else [])]
    return listing(map(episode.engine.blueprint.name, things), "")


def _goal(episode: Episode) -> tuple[str, ...]:
    engine = episode.engine
    return goal_lines(engine.scenario.task.goal, engine.task.answer, engine.blueprint)


def _parts(episode: Episode) -> tuple[bool, ...]:
    return tuple(part(episode.world) for part in episode.engine.task.goal.parts)
