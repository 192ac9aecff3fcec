"""Realisation of instructions from the goal and selector trees that decide success.

A thing that a selector picks is referred to by that selector only, never by a name of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from random import Random
from typing import Any

from earsim.render.words.instruction import plural
from earsim.schema import AgentSpec, Goal, Scene
from earsim_generators.language.aggregation import ImperativeClause, sentence
from earsim_generators.language.content_plan import ContentStep, StepKind, steps_of
from earsim_generators.language.object_names import SceneNaming
from earsim_generators.language.predicates import complaint, told, told_of, verb_for
from earsim_generators.language.referring_expressions import NounPhrase, choice

_MOVING = {
    StepKind.PUT_ON: (*("put {x} on {y}",) * 3, "place {x} on {y}", "move {x} onto {y}"),
    StepKind.PUT_IN: (*("put {x} in {y}",) * 2, "put {x} into {y}", "place {x} in {y}"),
    StepKind.BRING: (
        *("bring {x} to {y}", "take {x} to {y}") * 2,
        "carry {x} to {y}",
        "move {x} to {y}",
    ),
    StepKind.HAND: ("give {x} to {y}", "hand {x} to {y}"),
    StepKind.TAKE_OUT: ("take {x} out of {y}", "get {x} out of {y}", "remove {x} from {y}"),
    StepKind.TAKE_OFF: ("take {x} off {y}", "remove {x} from {y}"),
}
_LIFTING = {
    StepKind.PUT_ON: ("lift {x} onto {y}", "put {x} on {y}", "move {x} onto {y}"),
    StepKind.PUT_IN: ("lift {x} into {y}", "put {x} in {y}"),
    StepKind.BRING: ("carry {x} to {y}", "bring {x} to {y}", "move {x} to {y}"),
}
_MOVING_FAR = {
    StepKind.PUT_ON: ("put {x} onto {y}", "move {x} onto {y}"),
    StepKind.PUT_IN: ("put {x} into {y}", "move {x} into {y}"),
}
"""The same where what tells the thing might be taken to go on: `the one that is old in the box`."""

_GOES_ON = (" that ", " whose ", "whichever ", " of the ", " of all the ", " with ", " on ", " in ")
"""What might seem to go on with where the thing goes: put the heaviest of the cans in the box."""

_CLAUSES = (" that ", " whose ", "whichever ")

_ANYWHERE, _NOWHERE = "*", "-"
"""Whether the room of a thing may be told with it, where it need not be."""

_BECAUSE = 0.4
"""How often a state that is to be changed is told first: the pump is broken: repair it."""

_FROM = 0.25
"""How often it is also told where a thing is at the start, although its name tells it apart."""

_HARDLY_SAID = ("is_open", "is_locked")
"""States that nobody complains of."""

_WELL = ("is_broken", "is_dirty", "is_hot", "is_loose", "is_wet")
"""States whose absence nobody complains of."""


class RealiserContext:
    """The parts of a scene that instructions refer to."""

    def __init__(self, scene: Scene, verbs: Collection[str]) -> None:
        self.naming = SceneNaming(scene)
        self.verbs = frozenset(verbs)
        self.states: dict[str, Mapping[str, Any]] = {t.id: t.states for t in scene.objects}
        self.states |= {d.id: {str(k): v for k, v in d.states.items()} for d in scene.doors}


class Realiser:
    """One instruction under construction."""

    def __init__(
        self,
        context: RealiserContext,
        select: Mapping[str, Any],
        answer: Mapping[str, str],
        agents: Sequence[AgentSpec],
        *,
        jointly: Collection[str] = (),
        rng: Random,
    ) -> None:
        """Prepare an instruction.

        Args:
            context: The scene.
            select: Selectors of the goal.
            answer: Their answers; used for initial states only.
            agents: Who is addressed.
            jointly: References to things that several must move together.
            rng: Chooses among the ways to say it.
        """
        self._context = context
        self._naming = context.naming
        self._select = {f"${name}": selector for name, selector in select.items()}
        self._answer = {f"${name}": node for name, node in answer.items()}
        self._agents = {agent.id: agent.name for agent in agents}
        self._jointly = jointly
        self._rng = rng
        self._said: dict[str, NounPhrase] = {}
        self._aside: set[str] = set()
        self._last = ""
        self._is_plain = False
        self._to_room = ""
        self._put = ("", "")
        self._shuts = ""
        self._texts = ""

    def of(self, goal: Goal) -> str:
        """The instruction for a goal."""
        steps = steps_of(goal)
        lead = self._lead(steps[0])
        clauses = [self._clause(step) for step in steps]
        return sentence(clauses, tuple(self._agents.values()), lead=lead, rng=self._rng)

    # -- clauses -----------------------------------------------------------------------------------

    def _lead(self, step: ContentStep) -> str:
        """An introductory clause: `The pump is broken`; may be empty."""
        is_fit = step.deed is StepKind.CHANGE and step.what not in self._select
        if not is_fit or step.state in _HARDLY_SAID or self._rng.random() > _BECAUSE:
            return ""
        now = self._context.states[step.what].get(step.state)
        said = complaint(step.state, now)
        is_well = now is False and step.state in _WELL
        if now == step.value or is_well or not said:
            return ""
        phrase = self._first(step.what)
        self._note(step.what, phrase, plain=True)  # the subject is what is spoken of
        self._texts = phrase.text
        return f"{phrase.text} {plural(said) if phrase.noun.is_many else said}"

    def _clause(self, step: ContentStep) -> ImperativeClause:
        jointly = step.jointly or step.what in self._jointly
        if step.deed is StepKind.CHANGE:
            about = self._put[1] if step.what == self._put[0] else step.what
            return self._told_as(ImperativeClause(self._change(step), jointly, about))
        phrase, text = self._object(
            step.what,
            before_a_place=True,
            at=step.to if step.deed is StepKind.TAKE_OUT else _ANYWHERE,
        )
        forms = _LIFTING if jointly else _MOVING
        if any(word in text for word in _GOES_ON):
            forms = {**forms, **_MOVING_FAR}
        form = self._rng.choice(forms[step.deed])
        if step.deed is StepKind.TAKE_OUT and not self.inside(step.to).startswith("in "):
            form = "remove {x} from {y}"  # one is out of a yard, but off a stage
        is_plain = not any(word in text for word in _CLAUSES)
        if step.deed is StepKind.BRING and step.to == self._to_room and is_plain:
            form = form.replace("to {y}", "there too")
        to = self._to(step.to, beside=self._room_told(step.what, text))
        self._note(step.what, phrase, plain=False)
        self._to_room = step.to if step.deed is StepKind.BRING else ""
        self._put = (step.to, step.what) if step.deed is StepKind.PUT_IN else ("", "")
        can_be_meant = phrase.others or "is_open" in self._states(step.what)
        self._shuts = "" if can_be_meant else self._put[0]
        return self._told_as(ImperativeClause(form.format(x=text, y=to), jointly, step.what))

    def _told_as(self, clause: ImperativeClause) -> ImperativeClause:
        self._texts += f" {clause.do}"
        return clause

    def _change(self, step: ContentStep) -> str:
        states = self._states(step.what)
        row = verb_for(states, step.state, self._context.verbs)
        again = ""
        if states.get(step.state) == step.value:
            other = {**states, step.state: not step.value}
            row, again = verb_for(other, step.state, self._context.verbs), " again"
        assert row is not None, "tasks ask only for what some verb brings about"
        if again and step.what == self._shuts:  # what was put in there cannot be closed
            return told_of(row.name, self._said[step.what].noun.it) + again
        phrase, text = self._object(step.what)
        self._note(step.what, phrase, plain=not phrase.others)
        if text == phrase.noun.it:
            return told_of(row.name, text) + again
        return told(row.name, text) + again

    def _states(self, what: str) -> Mapping[str, Any]:
        return self._context.states[self._answer.get(what, what)]

    # -- things ------------------------------------------------------------------------------------

    def _object(
        self, what: str, *, before_a_place: bool = False, at: str = _ANYWHERE
    ) -> tuple[NounPhrase, str]:
        """The first phrase of the object of a step, and the one to use now."""
        known = self._said.get(what)
        if known is None:
            phrase = self._first(what, before_a_place=before_a_place, at=at)
            return phrase, phrase.text
        if what == self._last and self._is_plain:
            return known, known.noun.it
        return known, self._again(what, known)

    def _room_told(self, what: str, text: str) -> str | None:
        """The room of a thing, if the phrase `text` ends with it."""
        place = None if what in self._select else self._naming.place_of(what)
        if place is None or not text.endswith(f" from {place.holder}"):
            return None
        room = self._naming.room_of(what)
        others = [noun for other, noun in self._naming.rooms.items() if other != room]
        # "There" might be any room that was mentioned.
        return None if any(noun in self._texts for noun in others) else room

    def _to(self, node: str, *, beside: str | None = None) -> str:
        """The phrase of a destination; `beside` is a room that was just mentioned."""
        if node in self._agents:
            return self._agents[node]
        known = self._said.get(node)
        if known is not None:
            return self._again(node, known)
        phrase = self._first(node, at=_NOWHERE)
        self._said[node] = phrase
        called = self._naming.called(node) if node not in self._select else None
        place = None if called is None else called.place
        if called is None or place is None or not place.is_room:
            return phrase.text
        is_there = self._naming.room_of(node) == beside
        return f"{called.name} there" if is_there else phrase.text

    def _again(self, what: str, known: NounPhrase) -> str:
        """A later mention: by name, or as `that`."""
        if what not in self._select:
            called = self._naming.called(what)
            assert called is not None, "it was mentioned by its name"
            return called.name if self._is_told_apart(what) else called.text
        return f"{'those' if known.noun.is_many else 'that'} {known.noun.one}"

    def _is_told_apart(self, what: str) -> bool:
        """Whether no other thing of its name was mentioned."""
        noun = self._naming.noun(what)
        others = [phrase.noun for said, phrase in self._said.items() if said != what]
        others += [self._naming.noun(node) for node in self._aside if node != what]
        return noun not in others

    def _first(self, what: str, *, before_a_place: bool = False, at: str = _ANYWHERE) -> NounPhrase:
        """The first mention; `at` is a room that is mentioned anyway, if any."""
        if what in self._select:
            return choice(self._select[what], self, self._rng, before_a_place=before_a_place)
        called = self._naming.called(what)
        assert called is not None, "tasks speak only of what has a name"
        is_apart = called.place is not None and not called.place.is_room
        if is_apart:
            self._aside.add(self._naming.holder_of(what))
        elif at == self._naming.room_of(what):
            called = called._replace(place=None)
        elif (
            called.place is None
            and at == _ANYWHERE
            and self._rng.random() < _FROM
            and not self._naming.tells_its_room(what)  # the kitchen table in the kitchen
        ):
            called = called._replace(place=self._naming.place_of(what))
        text = called.before_a_place if before_a_place else called.text
        return NounPhrase(text, self._naming.noun(what))

    def the(self, reference: str) -> str:
        """The phrase for something that is mentioned by the way."""
        if reference in self._select:
            return choice(self._select[reference], self, self._rng).text
        called = self._naming.called(reference)
        assert called is not None, "tasks speak only of what has a name"
        self._aside.add(reference)
        return called.text

    def inside(self, room: str) -> str:
        """`in the yard`."""
        return self._naming.inside(room)

    def _note(self, what: str, phrase: NounPhrase, *, plain: bool) -> None:
        self._said[what] = phrase
        self._last, self._is_plain = what, plain
