"""The instruction of a task, with every `{name}` told in words from the tree that the goal uses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from earsim.prose import listing
from earsim.render.words.names import definite, indefinite, noun
from earsim.render.words.quantities import bounds, comparison, superlative
from earsim.render.words.traits import TraitPhrase, attribute_words, state_words
from earsim.schema.goal import EACH
from earsim.schema.selector import Filter, Largest, Only, Rank, Smallest
from earsim.schema.task import Task
from earsim.world import Blueprint

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_SENTENCE_END = (".", "!", "?")
_PLURALS = {"is": "are", "has": "have", "holds": "hold", "weighs": "weigh", "costs": "cost"}


def instruction(task: Task, blueprint: Blueprint) -> str:
    """What agents are told: `{target}` becomes its selector's phrase, `{ward}` that room's name."""
    phrases = Phrases(blueprint, task.select)

    def told(match: re.Match[str]) -> str:
        words = phrases.placeholder(match.group(1))
        before = task.instruction[: match.start()].rstrip()
        opens = not before or before.endswith(_SENTENCE_END)
        return words[:1].upper() + words[1:] if opens else words

    return _PLACEHOLDER.sub(told, task.instruction)


def phrase(selector: Any, blueprint: Blueprint, select: Mapping[str, Any] | None = None) -> str:
    """`oxygen cylinder with the highest pressure`, to be put behind "the".

    Args:
        selector: what to tell.
        blueprint: where names come from.
        select: the selectors that its `$name` references stand for.
    """
    return Phrases(blueprint, select or {}).of(selector)


class Phrases:
    """Tells the selectors of one task; one may speak of another."""

    def __init__(self, blueprint: Blueprint, select: Mapping[str, Any]) -> None:
        self._blueprint = blueprint
        self._select = select

    def placeholder(self, name: str) -> str:
        """What stands for `{name}`: a phrase, an agent's name, or the name of anything else."""
        if name in self._select:
            return self.of(self._select[name])
        said = self._blueprint.name(name)
        return said if name in self._blueprint.bodies else noun(said)

    def of(self, selector: Any) -> str:
        """The phrase of a selector, without an article."""
        if isinstance(selector, Only):
            return f"only {self._described(selector.only)}"
        if isinstance(selector, Largest):
            return self._ranked(selector.largest, 1, selector.among, largest=True)
        if isinstance(selector, Smallest):
            return self._ranked(selector.smallest, 1, selector.among, largest=False)
        assert isinstance(selector, Rank)
        rank = selector.rank
        return self._ranked(rank.of, rank.k, selector.among, largest=rank.order == "largest")

    def _ranked(self, of: str, k: int, among: Filter, *, largest: bool) -> str:
        before, after = superlative(of, k, largest=largest)
        return self._described(among, before, after)

    def described(self, among: Filter) -> str:
        """What meets a filter, in the singular and without an article."""
        return self._described(among)

    def _described(self, among: Filter, before: str = "", after: str = "") -> str:
        """Superlative, adjectives, noun, place, what ranks it, and whatever else must be so."""
        kind = "piece of furniture" if among.kind == "furniture" else among.kind or "object"
        traits = _traits(among)
        head = (before, *(said.adjective for said in traits), noun(among.name or kind))
        that = [said.that for said in traits if said.that] + [*self._clauses(among)]
        whose = [said.whose for said in traits if said.whose]
        of_those = ""
        if after and (that or whose):  # "with the largest lid that is oak" would speak of the lid
            of_those = "of those"
            that = [plural(clause) for clause in that]
        words = (*head, self._where(among), after, of_those, relative(that, whose))
        return " ".join(filter(None, words))

    def _where(self, among: Filter) -> str:
        places = (("on", among.on), ("in", among.in_), ("in", among.inside_room))
        return " ".join(f"{relation} {self._the(node)}" for relation, node in places if node)

    def _the(self, reference: str) -> str:
        if reference == f"${EACH}":
            return "it"
        if reference.startswith("$"):
            return f"the {self.of(self._select[reference[1:]])}"
        name = self._blueprint.name(reference)
        return name if reference in self._blueprint.bodies else definite(name)

    def _clauses(self, among: Filter) -> Iterator[str]:
        """What follows "that", each with its verb first."""
        if among.provides is not None:
            yield f"can {among.provides.replace('_', ' ')}"
        yield from bounds(among.at_least, among.at_most)
        for compared, more in ((among.more_than, True), (among.less_than, False)):
            if compared is not None:
                yield comparison(compared.of, self._the(compared.object), more=more)
        if among.not_ is not None:
            yield self._denied(among.not_)

    def _denied(self, condition: Filter) -> str:
        """One simple condition is denied by itself; any others only together."""
        if len(condition.model_fields_set) == 1:
            if where := self._where(condition):
                return f"is not {where}"
            if condition.provides is not None:
                return f"cannot {condition.provides.replace('_', ' ')}"
            adjectives = [said.adjective for said in _traits(condition)]
            if len(adjectives) == 1 and adjectives[0]:
                return f"is not {adjectives[0]}"
        return f"is not {indefinite(self._described(condition))}"


def _traits(among: Filter) -> list[TraitPhrase]:
    states = [state_words(state, what) for state, what in among.has_state.items()]
    return states + [attribute_words(name, what) for name, what in among.attribute.items()]


def relative(that: Sequence[str], whose: Sequence[str]) -> str:
    """Relative clauses: `that weighs at most 5 kg and whose owner is Omar`."""
    clauses = [f"that {listing(that)}"] if that else []
    clauses += [f"whose {listing(whose)}"] if whose else []
    return " and ".join(clauses)


def plural(clause: str) -> str:
    """A clause that begins with its verb, in the plural: `are open` for `is open`."""
    verb, _, rest = clause.partition(" ")
    return f"{_PLURALS.get(verb, verb)} {rest}"
