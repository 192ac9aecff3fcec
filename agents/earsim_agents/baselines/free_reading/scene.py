"""The scene as far as it has been perceived: names, and what is where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from earsim_agents.baselines.free_reading.spotting import LOOK, SceneNames
from earsim_agents.baselines.free_reading.words import COLOURS, MATERIALS
from earsim_agents.baselines.lexicon import Lexicon


class FreeScene:
    """SceneNames of rooms and things, and looks of things.

    Attributes:
        lexicon: What has been perceived.
        names: Finds all of them.
        rooms: Ids by name.
        things: Ids by name.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.rooms = _by_name(lexicon.rooms)
        self.things = _by_name(lexicon.names)
        self._looks: dict[str, dict[str, Any]] = {}
        self._look_keys: dict[str, dict[str, tuple[str, Any]]] = {}
        for node in lexicon.loose:
            own = self._look_keys.setdefault(node, {})
            for key, value in lexicon.attributes([node]):
                is_room = str(value).casefold() in self.rooms
                if isinstance(value, str) and not (key == "tag" and is_room):
                    own[value.casefold()] = (key, value)
        looks = {value for own in self._look_keys.values() for value in own}
        looks |= MATERIALS | COLOURS
        looked = [f"{LOOK}{value}" for value in sorted(looks)]
        self.names = SceneNames([*self.rooms, *self.things, *looked], self.rooms)

    def look(self, node: str, value: str) -> tuple[str, Any] | None:
        """The attribute of a thing that has a value; None if it looks otherwise."""
        return self._look_keys.get(node, {}).get(value)

    def looking(self, value: str, nodes: Iterable[str] | None = None) -> list[str]:
        """Loose things that look so, furniture left out."""
        among = self.movable if nodes is None else nodes
        return [node for node in among if self.look(node, value) is not None]

    def provided(self, node: str) -> frozenset[str]:
        """What a thing is for."""
        return self.lexicon.abilities_of(node)

    @property
    def movable(self) -> list[str]:
        """Things that are no furniture."""
        return [node for node in self.lexicon.loose if not self.lexicon.is_furniture(node)]

    def is_room(self, node: str) -> bool:
        """Whether it is a room."""
        return node in self.lexicon.rooms

    def is_at(self, node: str, place: str) -> bool:
        """Whether a thing is in a room, or in or on another thing."""
        if self.is_room(place):
            return self.lexicon.room_of(node) == place
        return self.lexicon.holder_of(node) == place

    def room_of(self, node: str) -> str | None:
        """The room of a thing; of a room, itself."""
        return node if self.is_room(node) else self.lexicon.room_of(node)

    def where(self, place: str, nodes: Sequence[str] = ()) -> dict[str, str]:
        """The field of a filter for what is at a place, such as some things."""
        if self.is_room(place):
            return {"inside_room": place}
        lying = [self.lexicon.lies_on(node) for node in nodes if self.is_at(node, place)]
        is_on = all(lying) if lying else not self.lexicon.is_container(place)
        return {"on" if is_on else "in": place}

    def put(self, thing: str, place: str, *, is_on: bool = False) -> dict[str, Any]:
        """The goal that a thing be at a place."""
        if self.is_room(place):
            return {"inside_room": {"object": thing, "room": place}}
        key = "in" if self.lexicon.is_container(place) and not is_on else "on"
        return {"at": {"object": thing, key: place}}


def _by_name(names: Mapping[str, str]) -> dict[str, Sequence[str]]:
    found: dict[str, list[str]] = {}
    for node, name in names.items():
        found.setdefault(name, []).append(node)
    return dict(found)
