"""Instructions: from sentences to a goal, by regular expressions and the table of verbs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from earsim.schema.verb_table import AttributeVerb, verb_table
from earsim_agents.baselines.changes import ChangeReading
from earsim_agents.baselines.conditions import ConditionReading
from earsim_agents.baselines.errand_reading import ComparedErrandReading
from earsim_agents.baselines.families import as_told_by_the_grammar
from earsim_agents.baselines.free_reading import FreeReading
from earsim_agents.baselines.needed_reading import NeededReading
from earsim_agents.baselines.noun_phrases import ReadPhrase, Unreadable
from earsim_agents.baselines.references import References
from earsim_agents.baselines.slot_reading.crews import as_told_to_a_crew
from earsim_agents.baselines.slot_reading.standing import understood
from earsim_agents.baselines.teamwork import Teamwork, plainly
from earsim_agents.baselines.verbs import patterns

_FRAMES = (
    r"please ", r"could you (?:please )?", r"would you (?:please )?", r"can you (?:please )?",
    r"(?:i|we) need (?:you|both of you|all \w+ of you|all of you) to ", r"your task is to ",
    r"together, ", r"work together to ", r"join forces to ", r"i want you to ", r"i'd like you to ",
)  # fmt: skip
_FRAME = re.compile("|".join(_FRAMES))
_TOGETHER = re.compile(r"\b(?:together|join forces|(?:both|all \w+|all) of you)\b")
_CALLED = re.compile(r"^[\w' -]+(?:, [\w' -]+)*(?: and [\w' -]+)?, (?:it takes [\w ]+ of you: )?")
_LEAD = re.compile(r"(?P<what>.+?) (?:is|are|has|have) [^:]+: (?P<do>.+)")
_MOVES = "put|place|move|lift|bring|carry|take|set down|lay|get|remove|give|hand|fetch"
_TO = re.compile(r" (into|onto|in|on|to|inside) ")
_OUT = re.compile(r"(?:take|get|remove) (?P<what>.+) (?P<way>out of|off|from) (?P<where>.+)")
_GIVE = re.compile(r"(?:give|hand) (?P<what>.+) to (?P<whom>.+)")


def _plain(text: str) -> str:
    """In lower case, and without what is said in passing."""
    return plainly(" ".join(text.casefold().split()))


class ReadInstruction:
    """The reading of one instruction.

    Attributes:
        goal: as a scenario has it.
        select: what picks the things that have no name.
        nouns: of these, by the name of the selector.
        lexicon: what has been perceived.
    """

    def __init__(self, text: str, references: References) -> None:
        """Read an instruction.

        Raises:
            Unreadable: Some of it means nothing that has been perceived.
        """
        self.lexicon = references.lexicon
        self._references = references
        self._phrases = references.phrases
        self._room = ""
        try:
            self.goal = self._needed(text) or self._read(_plain(text))
        except Unreadable:
            references.forget()
            is_early = len(self.lexicon.agents) > 1 and not references.is_complete
            free = None if is_early else FreeReading(text, references).goal
            if free is None:
                references.forget()
                raise
            self.goal = free
        self.select, self.nouns = self._references.select, self._references.nouns

    def _needed(self, text: str) -> dict[str, Any] | None:
        """The goal of an instruction that asks for things by what they are needed for."""
        needed = NeededReading(text, self._references).goal
        if not needed:
            return None
        beside = ComparedErrandReading(_plain(text), self._references, is_beside_needed=True)
        return {"all": [*needed, *beside.goal]}

    def _read(self, text: str) -> dict[str, Any]:
        """The goal of an instruction that is told as a grammar tells it."""
        whole = self._whole(text)
        if whole is not None:
            return whole
        try:
            return self._one_by_one(text)
        except Unreadable:
            said = as_told_to_a_crew(text, self.lexicon)
            if said is None:
                raise
        self._references.forget()
        return self._of_a_kind(said) or self._one_by_one(said)

    def _one_by_one(self, text: str) -> dict[str, Any]:
        """What sentences ask for, one after the other."""
        return {"all": [part for said in _sentences(text) for part in self._facts(said)]}

    def _whole(self, text: str) -> dict[str, Any] | None:
        """The goal of an instruction that is of one of the kinds that are read as a whole.

        Where none of them fits, what the words may be about is said as the grammar says it.
        """
        errands = ComparedErrandReading(text, self._references)
        if errands.goal:
            beside = self._of_one(errands.rest)
            return {"all": [*([] if beside is None else beside["all"]), *errands.goal]}
        return self._of_one(text)

    def _of_one(self, text: str) -> dict[str, Any] | None:
        goal = self._of_a_kind(text)
        if goal is None:
            said = as_told_by_the_grammar(text, self.lexicon)
            goal = None if said is None else self._of_a_kind(said)
        if goal is not None:
            goal = {"all": [*goal["all"], *understood(goal["all"], self._references)]}
        return goal

    def _of_a_kind(self, text: str) -> dict[str, Any] | None:
        for reader in (ConditionReading, Teamwork, ChangeReading):
            goal = reader(self._references).read(text)
            if goal is not None:
                return goal
        return None

    def _facts(self, sentence: str) -> Iterator[dict[str, Any]]:
        is_joint = _TOGETHER.search(sentence) is not None
        names = [name.split()[0] for name in self.lexicon.agents.values()]
        called = _CALLED.match(sentence)
        if called is not None and sentence.startswith(tuple(names)):
            sentence = sentence[called.end() :]
        while match := _FRAME.match(sentence):
            sentence = sentence[match.end() :]
        lead = _LEAD.fullmatch(sentence)
        if lead is not None:
            sentence = lead["do"]
            self._phrases.said.append(self._phrases.read(lead["what"]))
        for clause in _clauses(sentence):
            yield from self._fact(clause, is_joint)

    def _fact(self, clause: str, is_joint: bool) -> Iterator[dict[str, Any]]:
        is_joint = is_joint and "together" in clause
        clause = re.sub(r"^work together to | together\b| again\b", "", clause).strip(" ,.?!")
        if re.match(rf"(?:{_MOVES})\b", clause):
            moved = self._moved(clause)
            if moved is not None:
                yield moved
                return
        row, what = self._change(clause)
        self._phrases.said.append(what)
        fact = {"object": self._told(what), "state": row.attribute}
        yield {"has_state": {**fact, "equals": not row.value}}
        if is_joint:
            yield {"done_jointly": fact}

    def decided(self, chosen: Mapping[str, Sequence[str]]) -> dict[str, Any]:
        """The goal for things that were chosen otherwise, done to each of them.

        Args:
            chosen: ids by the name of the selector that would pick one.
        """
        parts = self.goal["all"]
        for name, nodes in chosen.items():
            parts = [other for part in parts for other in _for_each(part, f"${name}", nodes)]
        return {"all": parts}

    # -- moving ------------------------------------------------------------------------------------

    def _moved(self, clause: str) -> dict[str, Any] | None:
        match = _GIVE.fullmatch(clause)
        if match is not None:
            whom = next((a for a, n in self.lexicon.agents.items() if n == match["whom"]), None)
            if whom is not None:
                return {"held_by": {"object": self._object(match["what"]), "agent": whom}}
        match = _OUT.fullmatch(clause)
        if match is not None and (match["way"] != "from" or clause.startswith("remove")):
            return self._taken_out(match["what"], match["way"], match["where"])
        body = re.sub(rf"^(?:{_MOVES}) ", "", clause)
        if body.endswith((" there", " there too")) and self._room:
            said = re.sub(r" there(?: too)?$", "", body)
            if not _TO.search(said):
                return {"inside_room": {"object": self._object(said), "room": self._room}}
        for cut in _TO.finditer(body):
            found = self._put(body[: cut.start()], cut[1], body[cut.end() :])
            if found is not None:
                return found
        return None

    def _put(self, said: str, way: str, where: str) -> dict[str, Any] | None:
        room = self.lexicon.room(re.sub(r"^the ", "", where))
        before = list(self._phrases.said)
        try:
            what = self._phrases.read(re.sub(r" (?:that|which) (?:is|are)$", "", said))
            if way == "to" and room is not None:
                self._phrases.said.append(what)
                self._room = room
                return {"inside_room": {"object": self._told(what), "room": room}}
            to = self._phrases.read(self._there(where, what))
        except Unreadable:
            self._phrases.said[:] = before
            return None
        if to == what:
            return None
        self._phrases.said += [to, what]
        holder = self._told(to)
        key = "on" if way in ("on", "onto") else "in"
        if way == "to":
            key = "in" if self.lexicon.is_container(holder) else "on"
        return {"at": {"object": self._told(what), key: holder}}

    def _there(self, where: str, what: ReadPhrase) -> str:
        """`the table there`: in the room that was told with the thing."""
        if not where.endswith(" there"):
            return where
        room = self.lexicon.room_of(what.node) if what.node else self._room
        name = self.lexicon.rooms.get(room or "")
        return where if name is None else f"{where.removesuffix(' there')} in the {name}"

    def _taken_out(self, said: str, way: str, where: str) -> dict[str, Any] | None:
        room = self.lexicon.room(re.sub(r"^the ", "", where))
        if room is not None:
            what = self._object(f"{said} from {where}")
            return {"not": {"inside_room": {"object": what, "room": room}}}
        what = self._object(said)
        holder = self._told(self._phrases.read(where))
        key = "on" if way == "off" else "in"
        if way == "from":
            key = "in" if self.lexicon.is_container(holder) else "on"
        return {"not": {"at": {"object": what, key: holder}}}

    # -- changing ----------------------------------------------------------------------------------

    def _change(self, clause: str) -> tuple[AttributeVerb, ReadPhrase]:
        """The verb of the table that a clause means, and what it is about."""
        for row, pattern in patterns():
            match = pattern.fullmatch(clause)
            if match is None:
                continue
            for what in self._meant(match[1]):
                nodes = [what.node] if what.node else self.lexicon.called(what.noun)
                if row.attribute in self.lexicon.states(nodes):
                    return row, what
        raise Unreadable(clause)

    def _meant(self, said: str) -> Iterator[ReadPhrase]:
        """What a phrase may mean; a pronoun anything that was spoken of, the last first."""
        if said in ("it", "them", "its", "their"):
            yield from reversed(self._phrases.said)
            return
        try:
            yield self._phrases.read(said)
        except Unreadable:
            return

    def _object(self, said: str) -> str:
        return self._references.object(said)

    def _told(self, what: ReadPhrase) -> str:
        return self._references.told(what)


def _for_each(part: Any, name: str, nodes: Sequence[str]) -> list[Any]:
    """A goal once for each thing, where it speaks of what `name` stands for."""
    told = json.dumps(part)
    if f'"{name}"' not in told:
        return [part]
    return [json.loads(told.replace(f'"{name}"', json.dumps(node))) for node in nodes]


def _sentences(text: str) -> Iterator[str]:
    for said in re.split(r"(?<=[.?!]) +", text.strip()):
        yield re.sub(r"^(?:then|after that),? ", "", said.strip(" .?!"))


def _clauses(sentence: str) -> list[str]:
    verbs = "|".join(sorted({name.split("_")[0] for name in verb_table()} | set(_MOVES.split("|"))))
    cut = rf",? and then (?=(?:{verbs})\b)|, then |, (?=(?:work together to )?(?:{verbs})\b)"
    cut += rf"| and (?=(?:work together to )?(?:{verbs}) )"
    return [part for part in re.split(cut, sentence) if part]
