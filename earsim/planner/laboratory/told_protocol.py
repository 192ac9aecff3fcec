"""A protocol read from an instruction by rule: the actions that it names, and what these take.

An action is named by its words: ``heat_shock`` by "heat shock". What is said between that and the
next one are its parameters, recognised by their units, or by their names where they have none. The
order is that of the text, but for what is told "before you", "only after you" or "but first".
Where a material is not in the state that an action takes, the shortest way there is searched among
the actions of the pool. What a text leaves to knowledge of the field is not found so.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import NamedTuple

from earsim.apparatus.amounts import converted, read_amount
from earsim.apparatus.parameter import Parameter, SettingProblem, Settings, Value
from earsim.apparatus.wet_bench.pool import ACTION, Action, BenchPool, Contents, read_value

_MOST_STATES = 5000
"""So many states of the materials are searched for a way to the next action that is named."""

_NUMBER = r"[0-9]+(?:\.[0-9]+)?"
_COMES_LATER = re.compile(r"\bbefore\s+you\s+$", re.IGNORECASE)
"""What stands before an action that comes after the one that is named next."""

_COMES_EARLIER = re.compile(r"\b(?:only\s+after\s+you|but\s+first)\s+$", re.IGNORECASE)
"""What stands before an action that comes before the one that was named last."""

_AMOUNTS = re.compile(rf"{_NUMBER} ?(?:[A-Za-zµμ°%]+(?:/min)?)")


class NamedAction(NamedTuple):
    """A place in a text that names an action.

    Attributes:
        action: which.
        told: the text from there to the next one.
    """

    action: Action
    told: str


def told_protocol(text: str, pool: BenchPool) -> list[Settings]:
    """The actions that a text has performed, in its order, with what each of them takes first.

    Returns:
        Nothing where no way leads to one of them, or a parameter that has to be given is not told.
    """
    found: list[Settings] = []
    contents = pool.contents(())
    for mention in mentions(text, pool):
        way = _way(pool, contents, mention.action)
        told = _settings(mention.action, mention.told)
        if way is None or told is None:
            return []
        for settings in (*way, told):
            found.append(settings)
            contents = pool.after(contents, settings)
    return found


def mentions(text: str, pool: BenchPool) -> list[NamedAction]:
    """The actions that a text names, each time that it does, in the order that it says."""
    names = sorted(pool.actions, key=len, reverse=True)
    words = {name: r"\s+".join(map(re.escape, name.split("_"))) for name in names}
    if not words:
        return []
    # A group of its own for each: what is found tells which it was.
    either = "|".join(f"(?P<a_{name}>{pattern})" for name, pattern in words.items())
    places = list(re.finditer(rf"\b(?:{either})\b", text, re.IGNORECASE))
    found = []
    for place, following in zip_longest(places, places[1:]):
        end = len(text) if following is None else following.start()
        action = pool.actions[str(place.lastgroup)[2:]]
        found.append(NamedAction(action, text[place.end() : end]))
    for at, place in enumerate(places):
        before = text[: place.start()]
        first = at if _COMES_LATER.search(before) else at - 1
        if 0 <= first < len(found) - 1 and (first == at or _COMES_EARLIER.search(before)):
            found[first], found[first + 1] = found[first + 1], found[first]
    return found


def _settings(action: Action, told: str) -> Settings | None:
    """An action with the parameters that a text tells; the others have their defaults, if any."""
    amounts = _AMOUNTS.findall(told)
    found: dict[str, Value] = {}
    for parameter in action.parameters:
        value = next(_values(parameter, told, amounts), None)
        if value is None and parameter.name in action.required:
            return None
        found[parameter.name] = parameter.default if value is None else value
    return {ACTION: action.name, **found}


def _values(parameter: Parameter, told: str, amounts: list[str]) -> Iterator[Value]:
    """What a text may tell of a parameter; an amount is told of one parameter alone."""
    if parameter.choices:
        yield from (word for word in re.findall(r"\w+", told) if word in parameter.choices)
        return
    for text in list(amounts):
        amount = read_amount(text)
        if amount is None or not amount.unit or not parameter.unit:
            continue
        if converted(amount, parameter.unit) is not None:
            value = read_value(parameter, text)
            if not isinstance(value, SettingProblem):
                amounts.remove(text)
                yield value
                return
    name = re.escape(parameter.name)
    bare = rf"\b{name}\D{{0,8}}?({_NUMBER})|({_NUMBER}) {name}\b"
    for before, behind in () if parameter.unit else re.findall(bare, told):
        value = parameter.read(before or behind)
        if not isinstance(value, SettingProblem):
            yield value


def _way(pool: BenchPool, contents: Contents, aim: Action) -> list[Settings] | None:
    """The shortest series of actions after which the materials are as another takes them."""
    queue = deque([(contents, list[Settings]())])
    seen = {_key(contents)}
    while queue and len(seen) <= _MOST_STATES:
        now, way = queue.popleft()
        if is_met(pool, now, aim):
            return way
        for action in pool.actions.values():
            settings = _settings(action, "")
            if settings is not None and is_met(pool, now, action):
                after = pool.after(now, settings)
                if _key(after) not in seen:
                    seen.add(_key(after))
                    queue.append((after, [*way, settings]))
    return None


def is_met(pool: BenchPool, contents: Contents, action: Action) -> bool:
    """Whether the materials are as an action takes them, as far as actions decide that."""
    for id, wanted in action.inputs.items():
        if id in pool.materials and id not in contents:
            return False
        states = contents.get(id, {})
        if any(name in states and states[name] != value for name, value in wanted.items()):
            return False
    return True


def _key(contents: Contents) -> object:
    states: Mapping[str, object] = {id: tuple(each.items()) for id, each in contents.items()}
    return frozenset(states.items())
