"""What would help after a refusal, from what the agent knows; nothing is given away."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from earsim.actions.outcome import Outcome, Reason
from earsim.episode import Episode
from earsim.joint import is_joint
from earsim.play.liquid_advice import LiquidAdviser
from earsim.play.sight import state_told
from earsim.prose import listing, number
from earsim.render.things import tells_load
from earsim.world.belief import NOWHERE, has_beliefs, view
from earsim.world.containment import is_closed

Facts = Mapping[str, Any]
_KEYLIKE = ("key", "card", "fob", "token")


class Adviser:
    """Gives advice on the refusals of one agent, as its world is now."""

    def __init__(self, episode: Episode, agent: str) -> None:
        self._agent = agent
        self._seen = view(episode.world, agent)
        self._blueprint = episode.engine.blueprint
        self._known = self._seen.known[agent] & self._seen.states.keys()  # of some the id alone
        self._is_own = has_beliefs(episode.world)
        verbs = episode.engine.verbs.values()
        self._names_teams = any(verb.teams is not None for verb in verbs)

    def advice(self, outcome: Outcome) -> list[str]:
        """What may help, the simplest first; nothing for a command that was accepted."""
        if "stopped_at" in outcome.facts:
            return [self._how_to_open(str(outcome.facts["stopped_at"]))]
        if outcome.reason is None:
            return []
        helps, live = _HELPS.get(outcome.reason), self._blueprint.live
        if helps is None and live is not None:
            liquids = LiquidAdviser(self._seen, live, self._known, self._located)
            return list(liquids.advice(outcome))
        return [] if helps is None else list(helps(self, outcome))

    # -- reach ---------------------------------------------------------------------------------

    def _walk(self, outcome: Outcome) -> Iterator[str]:
        node = str(outcome.facts["id"])
        here = self._seen.agents[self._agent].room
        if node in self._seen.agents:
            yield f"Be in one room with {self._named(node)} first."
            return
        door = self._blueprint.doors.get(node)
        if door is not None and here not in door.between:
            rooms = " or ".join(f"GOTO {room}" for room in door.between)
            yield f"A door is reached from the rooms that it joins: {rooms} first."
            return
        if self._is_lost(node):
            yield f"{self._named(node)} is not where you last saw it: search for it, or ask."
            return
        room = self._seen.room_of(node)
        if room and room != here:
            yield f"GOTO {room}, then GOTO {node}."
        else:
            yield f"GOTO {node}. One is near only what one walked up to."

    def _unshut(self, outcome: Outcome) -> Iterator[str]:
        yield from self._opening(str(outcome.facts["container"]))

    def _unlock(self, outcome: Outcome) -> Iterator[str]:
        yield from self._keys(str(outcome.facts["id"]))

    def _opening(self, node: str) -> Iterator[str]:
        yield self._how_to_open(node)

    def _how_to_open(self, node: str) -> str:
        if self._seen.states.get(node, {}).get("is_locked"):
            return f"UNLOCK {node} with its key in hand, and OPEN {node}."
        return f"OPEN {node}."

    def _keys(self, node: str) -> Iterator[str]:
        yield f"UNLOCK {node} with its key in hand; every lock has one key."
        keys = [key for key in self._things() if self._is_keylike(key)]
        yield (
            f"You know of {listing(map(self._named, keys))}."
            if keys
            else "You have not come across any key yet: EXPLORE, and open what is closed."
        )

    def _is_keylike(self, node: str) -> bool:
        words = self._blueprint.name(node).casefold().split()
        return any(word in _KEYLIKE for word in words)

    def _find(self, outcome: Outcome) -> Iterator[str]:
        rooms = [room for room in self._blueprint.rooms if not self._anything_known_in(room)]
        if rooms:
            who = "You have not" if self._is_own else "Nobody has"
            yield f"{who} searched {listing(map(self._named, rooms))} yet."
        shut = [node for node in self._things() if is_closed(self._seen, node)]
        if shut:
            yield f"Closed so far: {listing(map(self._named, shut))}."

    def _anything_known_in(self, room: str) -> bool:
        return any(node in self._known for node in self._seen.contents.get(room, ()))

    # -- hands and loads -----------------------------------------------------------------------

    def _lighten(self, outcome: Outcome) -> Iterator[str]:
        node = str(outcome.facts["id"])
        agent = self._seen.agents[outcome.agent]
        body = self._blueprint.bodies[outcome.agent]
        own = self._blueprint.things[node].mass_kg
        whole = outcome.facts.get("mass_kg")  # left out where not all of it is known
        if agent.load and (whole is None or whole <= body.max_mass_kg):
            yield f"Put something down first: you hold {self._held(outcome.agent)}."
        if whole is not None and own <= body.max_mass_kg < whole:
            yield f"By itself it weighs {number(own)} kg: take out what is in or on it."
        live = self._blueprint.live
        if live is not None and node in live.vessels:
            yield "What liquid there is in it weighs as well: with less of it, it is lighter."
        if not is_joint(outcome.verb):
            yield from self._together(node, whole)

    def _together(self, node: str, mass: float | None) -> Iterator[str]:
        """Whether the team could lift it; nobody is told what a colleague's load weighs."""
        bodies = self._blueprint.bodies
        if len(bodies) == 1:
            return
        free = {
            a: bodies[a].max_mass_kg
            - (state.load if tells_load(self._blueprint, self._agent, a) else 0)
            for a, state in self._seen.agents.items()
        }
        told = ", ".join(f"{bodies[a].name} {number(kg)} kg" for a, kg in free.items())
        most = "at most " if self._is_own else ""
        yield f"Together you can carry {most}{number(sum(free.values()))} kg more ({told})."
        if mass is None or mass <= sum(free.values()):
            names = ",".join(bodies)
            how = f"CORP_GRAB {names} {node}" if self._names_teams else f"{names}: CORP_GRAB {node}"
            yield f"All walk up to it (GOTO {node}), then {how}."

    def _free_a_hand(self, outcome: Outcome) -> Iterator[str]:
        agent = str(outcome.facts.get("agent", outcome.agent))
        yield f"In hand: {self._held(agent)}."
        yield "RELEASE sets down in the room, PLACE puts in or on something near."

    def _too_large(self, outcome: Outcome) -> Iterator[str]:
        if not is_joint(outcome.verb):
            yield "Several can carry what is too long for one: with CORP_GRAB, lengths add up."

    def _held(self, agent: str) -> str:
        return listing(map(self._named, self._seen.agents[agent].inventory))

    # -- tools and states ----------------------------------------------------------------------

    def _tool(self, outcome: Outcome) -> Iterator[str]:
        ability = str(outcome.facts["ability"])
        things = self._blueprint.things
        tools = [node for node in self._things() if ability in things[node].provides]
        if tools:
            yield f"In the right hand this would do: {listing(map(self._located, tools))}."
        else:
            yield "You know of no such tool yet: EXPLORE, and open what is closed."

    def _instrument(self, outcome: Outcome) -> Iterator[str]:
        wanted, things = outcome.facts.get("property"), self._blueprint.things
        senses = {node: things[node].senses for node in self._things()}
        found = [node for node, own in senses.items() if (wanted in own if wanted else own)]
        if found:
            yield f"In hand this would do: {listing(map(self._located, found))}."
        else:
            yield "You know of no such instrument yet: EXPLORE, and open what is closed."

    def _key(self, outcome: Outcome) -> Iterator[str]:
        yield from self._keys(str(outcome.facts["id"]))

    def _close_first(self, outcome: Outcome) -> Iterator[str]:
        yield f"CLOSE {outcome.facts['id']} first."

    def _not_in(self, outcome: Outcome) -> Iterator[str]:
        node = outcome.facts["id"]
        if node in self._blueprint.things:
            yield f"Things can be put on it: PLACE ... on {node}."

    def _so_already(self, outcome: Outcome) -> Iterator[str]:
        node, state = str(outcome.facts["id"]), str(outcome.facts["attribute"])
        now = state_told(state, outcome.facts["value"])
        yield f"{self._blueprint.name(node)} is {now} as it is: there is nothing to change."

    def _take_out(self, outcome: Outcome) -> Iterator[str]:
        yield f"Take something out of {outcome.facts['destination']} first, or use another place."

    # -- partners ------------------------------------------------------------------------------

    def _join(self, outcome: Outcome) -> Iterator[str]:
        if self._names_teams:
            names = ",".join(self._seen.agents)
            yield f"Name all who take part, yourself as well: {outcome.verb} {names} ..."
            return
        if "receiver" in outcome.facts:
            yield self._handing(outcome.agent, str(outcome.facts["receiver"]), outcome)
            return
        carriers = self._carriers(str(outcome.facts["id"]))
        names = ",".join(carriers or self._seen.agents)
        yield f"Give it together, in one line: {names}: {outcome.command}"

    def _from_hand(self, outcome: Outcome) -> Iterator[str]:
        holder = str(outcome.facts["holder"])
        in_hand = outcome.facts["id"] in self._seen.agents[holder].inventory
        if in_hand and not self._names_teams:
            yield self._handing(holder, outcome.agent, outcome)

    def _handing(self, giver: str, receiver: str, outcome: Outcome) -> str:
        thing = outcome.facts["id"]
        return f"Give both in one line: {giver}: GIVE {thing} {receiver} | {receiver}: GRAB {thing}"

    def _as_one(self, outcome: Outcome) -> Iterator[str]:
        node = str(outcome.facts["carrying"])
        names = ",".join(self._carriers(node))
        start, rest = (f"{names}: ", "") if not self._names_teams else ("", f"{names} ")
        yield f"{start}CORP_GOTO {rest}<place>, then {start}CORP_PLACE {rest}{node} in|on <place>."
        yield f"RELEASE {node} sets it down here."

    # -- apparatus, fittings -------------------------------------------------------------------

    def _wait_or_stop(self, outcome: Outcome) -> Iterator[str]:
        node = outcome.facts["id"]
        yield f"WAIT UNTIL {node} done, or STOP {node}."

    def _power(self, outcome: Outcome) -> Iterator[str]:
        node = str(outcome.facts["id"])
        for state in self._blueprint.things[node].needs:
            if self._seen.states.get(node, {}).get(state) is False:
                yield f"It works only when {state_told(state, True)}."

    def _load(self, outcome: Outcome) -> Iterator[str]:
        load = str(outcome.facts.get("load", ""))
        if load in self._known:
            yield f"PLACE it there: {self._located(load)}."
        else:
            yield from self._find(outcome)

    def _input(self, outcome: Outcome) -> Iterator[str]:
        """Where a material or an instrument is; of a state that actions set, who sets it."""
        node, live = str(outcome.facts["input"]), self._blueprint.live
        if outcome.facts["has"] is None and node in self._known:
            yield f"It has to be there: {self._located(node)}."
        bench = None if live is None else live.benches.get(str(outcome.facts["id"]))
        for action in () if bench is None else bench.pool.actions.values():
            made = action.outputs.get(node)
            wanted = outcome.facts["wanted"].items()
            if made is not None and all(made.get(name) == value for name, value in wanted):
                yield f"{action.name} makes it so."

    def _run_first(self, outcome: Outcome) -> Iterator[str]:
        yield f"RUN {outcome.facts['id']} first; READ without a page gives the results."

    def _disconnect(self, outcome: Outcome) -> Iterator[str]:
        joined = outcome.facts.get("joined")
        if joined is not None:
            yield f"DISCONNECT {outcome.facts['id']} {joined} first."

    def _in_room(self, outcome: Outcome) -> Iterator[str]:
        yield f"PLACE ... in {outcome.facts['id']}"

    # -- words ---------------------------------------------------------------------------------

    def _things(self) -> Iterator[str]:
        return (node for node in self._blueprint.things if node in self._known)

    def _carriers(self, node: str) -> tuple[str, ...]:
        """Those who carry a thing together, as far as the agent sees it."""
        agents = self._seen.agents.items()
        return tuple([agent for agent, state in agents if state.carrying == node])

    def _is_lost(self, node: str) -> bool:
        place = self._seen.location.get(node)
        return place is not None and place.holder == NOWHERE

    def _named(self, node: str) -> str:
        return f"{self._blueprint.name(node)} ({node})"

    def _located(self, node: str) -> str:
        place = self._seen.location[node]
        if place.holder == NOWHERE:
            return f"{self._named(node)}, not where you last saw it"
        relation = "held by" if place.holder in self._seen.agents else place.relation
        return f"{self._named(node)} {relation} {self._blueprint.name(place.holder)}"


_HELPS: Mapping[Reason, Callable[[Adviser, Outcome], Iterator[str]]] = {
    Reason.NOT_NEAR: Adviser._walk,
    Reason.NOT_NEAR_GRAB: Adviser._walk,
    Reason.NOT_NEAR_PLACE: Adviser._walk,
    Reason.WRONG_ROOM: Adviser._walk,
    Reason.NOT_IN_SIGHT: Adviser._walk,
    Reason.CLOSED_CONTAINER: Adviser._unshut,
    Reason.LOCKED: Adviser._unlock,
    Reason.NO_KEY: Adviser._key,
    Reason.UNDISCOVERED: Adviser._find,
    Reason.OVERWEIGHT: Adviser._lighten,
    Reason.OVERWEIGHT_WITH_CONTENTS: Adviser._lighten,
    Reason.TOO_LARGE: Adviser._too_large,
    Reason.HELD_BY_OTHER: Adviser._from_hand,
    Reason.HANDS_FULL: Adviser._free_a_hand,
    Reason.NO_ABILITY: Adviser._tool,
    Reason.NO_INSTRUMENT: Adviser._instrument,
    Reason.STILL_OPEN: Adviser._close_first,
    Reason.NOT_CONTAINER: Adviser._not_in,
    Reason.ON_ROOM: Adviser._in_room,
    Reason.ATTR_PRECONDITION: Adviser._so_already,
    Reason.NO_SPACE: Adviser._take_out,
    Reason.BUSY: Adviser._wait_or_stop,
    Reason.NO_POWER: Adviser._power,
    Reason.NOT_LOADED: Adviser._load,
    Reason.NO_OUTPUT: Adviser._run_first,
    Reason.MISSING_INPUT: Adviser._input,
    Reason.CONNECTED: Adviser._disconnect,
    Reason.COOP_LOCK: Adviser._as_one,
    Reason.PARTNER_MISSING: Adviser._join,
    Reason.INITIATOR_NOT_LISTED: Adviser._join,
}
