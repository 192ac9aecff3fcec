"""EAR-Bench's scene files as scenes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, TypeGuard

from earsim import ids
from earsim.schema.files.document import Document
from earsim.schema.files.load import validated
from earsim.schema.scene import Scene
from earsim.schema.verb_table import verb_table
from earsim.suites.repair import Imported, Repair, RepairKind

Raw = Mapping[str, Any]

_FURNITURE_KG = 10.0
_ITEM_KG = 0.5

_OWN_FIELDS = frozenset({"weight", "is_container", "provides_abilities"})
"""Properties that become fields; all others become attributes, as they are."""

_RUNTIME_STATES = frozenset({"cooperative_modified_attributes", "is_discovered"})
"""What the reference keeps beside the states while it runs; emptied when it loads a scene."""


def import_scene(raw: Raw, scene_id: str) -> Imported[Scene]:
    """An EAR-Bench scene as a `Scene`.

    Its id is ``scene_id``, with underscores for what an id may not hold.

    Raises:
        FileError: It cannot be loaded: no rooms, ids that are repeated or no ids, an object in
            something that is no container.
    """
    repairs: list[Repair] = []
    rooms = _dicts(raw.get("rooms"))
    room_ids = {room["id"]: None for room in rooms if isinstance(room.get("id"), str)}
    places = _Places(rooms=room_ids, repairs=repairs)
    objects = _dicts(raw.get("objects"))
    data: dict[str, Any] = {
        "schema": "earsim.scene/1",
        "id": ids.clean_id(scene_id),
        "description": _text(raw.get("description"), "description", repairs),
        "rooms": [_room(room, room_ids, repairs) for room in rooms],
        "objects": [_object(thing, places, repairs) for thing in objects],
        "abilities": _abilities(raw.get("abilities"), repairs),
    }
    places.settle(data["objects"])
    source = f"EAR-Bench scene {scene_id}"
    return Imported(validated(Document(source, data), Scene), tuple(repairs))


class _Places:
    """Where objects lie: reads ``location_id``, and finds a room for what is nowhere."""

    def __init__(self, *, rooms: Mapping[str, None], repairs: list[Repair]) -> None:
        self.rooms = rooms
        self.repairs = repairs

    def read(self, location: object, thing: object) -> tuple[str, str]:
        """Relation and holder of a ``location_id`` (EAR-Bench 1.2); an empty holder is nowhere."""
        if not isinstance(location, str):
            return "in", ""
        relation, colon, holder = location.partition(":")
        if not colon:
            return "in", location
        if relation not in ("in", "on", ""):
            self._note(RepairKind.UNUSUAL_RELATION, thing, f"{relation!r} became 'on'")
            return "on", holder
        return relation or "in", holder

    def settle(self, objects: list[dict[str, Any]]) -> None:
        """Puts into the first room whatever no chain of holders leads to a room (Q25).

        What lies on something that is nowhere is nowhere itself: each goes to the room by itself.
        """
        by_id = {str(thing.get("id")): thing for thing in objects}
        placed: set[str] = set(self.rooms)
        lost: dict[str, None] = {}
        for thing in objects:
            path: dict[str, None] = {}
            here = str(thing.get("id"))
            while here in by_id and here not in placed and here not in lost and here not in path:
                path[here] = None
                here = by_id[here].get("in") or by_id[here].get("on") or ""
            if here in placed:
                placed.update(path)
            else:
                lost |= path
        self._move_to_first_room(by_id[name] for name in lost)

    def _move_to_first_room(self, things: Iterable[dict[str, Any]]) -> None:
        first = next(iter(self.rooms), "")
        for thing in things:
            found = thing.pop("in", None) or thing.pop("on", None) or "nowhere"
            thing["in"] = first
            self._note(RepairKind.UNPLACED_OBJECT, thing.get("id"), f"{found!r} became {first!r}")

    def _note(self, kind: RepairKind, thing: object, detail: str) -> None:
        self.repairs.append(Repair(kind, str(thing), detail))


def _room(raw: Raw, rooms: Mapping[str, None], repairs: list[Repair]) -> dict[str, Any]:
    connects: dict[str, None] = {}
    for other in raw.get("connected_to_room_ids") or ():
        if other in rooms and other != raw.get("id"):
            connects[other] = None
        else:
            detail = f"{other!r} is no other room, dropped"
            repairs.append(Repair(RepairKind.UNKNOWN_CONNECTION, str(raw.get("id")), detail))
    room = {
        "connects": list(connects),
        "attributes": _attributes(raw.get("properties") or {}, raw, repairs),
    }
    return _named(room, raw, repairs)


def _object(raw: Raw, places: _Places, repairs: list[Repair]) -> dict[str, Any]:
    properties = raw.get("properties") or {}
    kind = _kind(raw, repairs)
    relation, holder = places.read(raw.get("location_id"), raw.get("id"))
    thing: dict[str, Any] = {
        "kind": kind,
        relation: holder,
        "mass_kg": _mass(raw, properties, kind, repairs),
        "states": _states(raw, kind=kind, holds=bool(properties.get("is_container"))),
        "attributes": _attributes(properties, raw, repairs),
    }
    if properties.get("is_container"):
        thing["container"] = {}
    if "provides_abilities" in properties or "provides_abilities" in raw:
        thing |= _provides(raw, properties, repairs)
    size = thing["attributes"].get("size")
    if is_size(size):
        thing["size_m"] = tuple(size)
        del thing["attributes"]["size"]
    return _named(thing, raw, repairs)


def _named(data: dict[str, Any], raw: Raw, repairs: list[Repair]) -> dict[str, Any]:
    """Adds id and name; what is missing or no text is left to the schema to refuse."""
    for key in ("id", "name"):
        if key in raw:
            data[key] = raw[key]
    name = raw.get("name")
    if isinstance(name, str) and (not ids.is_safe_name(name) or len(name) > ids.MAX_NAME_LENGTH):
        data["name"] = ids.clean_name(name)
        detail = f"name became {data['name']!r}"
        repairs.append(Repair(RepairKind.CLEANED_TEXT, str(raw.get("id")), detail))
    return data


def _kind(raw: Raw, repairs: list[Repair]) -> str:
    found = str(raw.get("type")).upper()
    if found == "FURNITURE":
        return "furniture"
    if found == "ITEM":
        return "item"
    kind = "item" if found == "GRABBABLE" else "furniture"
    repairs.append(Repair(RepairKind.UNUSUAL_TYPE, str(raw.get("id")), f"{found!r} became {kind}"))
    return kind


def _mass(raw: Raw, properties: Raw, kind: str, repairs: list[Repair]) -> float:
    mass = properties.get("weight")
    if is_number(mass) and mass >= 0:
        return float(mass)
    default = _FURNITURE_KG if kind == "furniture" else _ITEM_KG
    detail = f"weight {mass!r} became {default} kg"
    repairs.append(Repair(RepairKind.MISSING_MASS, str(raw.get("id")), detail))
    return default


def _states(raw: Raw, *, kind: str, holds: bool) -> dict[str, Any]:
    found = raw.get("states") or {}
    if not isinstance(found, dict):
        return {"states": found}
    states = {key: value for key, value in found.items() if key not in _RUNTIME_STATES}
    if holds and kind == "furniture" and "is_open" not in states:
        states["is_open"] = False  # EAR-Bench 1.1: not for items, which then count as open
    return states


def _attributes(properties: Raw, raw: Raw, repairs: list[Repair]) -> dict[str, Any]:
    attributes = {key: value for key, value in properties.items() if key not in _OWN_FIELDS}
    for key, value in attributes.items():
        kind = type(value)
        if kind is float or kind is bool or kind is int or _is_clean(value):
            continue
        attributes[key] = _cleaned(value)
        detail = f"control characters removed from {ids.printable(key)!r}"
        repairs.append(Repair(RepairKind.CLEANED_TEXT, str(raw.get("id")), detail))
    return attributes


def _provides(raw: Raw, properties: Raw, repairs: list[Repair]) -> dict[str, list[str]]:
    """Abilities that verbs ask for, and others, which the reference gives to the holder as well."""
    place = str(raw.get("id"))
    if "provides_abilities" in raw:
        detail = f"{raw['provides_abilities']!r} stands outside the properties, dropped"
        repairs.append(Repair(RepairKind.MISPLACED_ABILITIES, place, detail))
    given = properties.get("provides_abilities") or ()
    names = dict.fromkeys((given,) if isinstance(given, str) else map(str, given))
    known = [name for name in names if name in verb_table()]
    others: dict[str, None] = {}
    for name in names:
        if name in verb_table():
            continue
        clean = ids.clean_name(name)
        keeps = clean != "" and clean not in verb_table()
        if keeps:
            others[clean] = None
        became = f"no verb asks for it, kept as {clean!r}" if keeps else "dropped"
        repairs.append(Repair(RepairKind.UNKNOWN_ABILITY, place, f"{name!r}: {became}"))
    return {"provides": known, "also_provides": list(others)}


def _abilities(given: Any, repairs: list[Repair]) -> list[str]:
    names = dict.fromkeys(str(name).lower() for name in given or ())
    known = [name for name in names if name in verb_table()]
    repairs += (
        Repair(RepairKind.UNKNOWN_SCENE_ABILITY, "abilities", f"{name!r} dropped")
        for name in names
        if name not in verb_table()
    )
    return known


def _text(value: object, place: str, repairs: list[Repair]) -> str:
    text = value if isinstance(value, str) else ""
    clean = text if ids.is_safe_text(text) and len(text) <= ids.MAX_TEXT_LENGTH else None
    if clean is None:
        clean = ids.clean_text(text)
        repairs.append(Repair(RepairKind.CLEANED_TEXT, place, "control characters removed"))
    return clean


def _is_clean(value: object) -> bool:
    if isinstance(value, str):
        return ids.is_safe_text(value)
    if isinstance(value, dict):
        return all(ids.is_safe_name(key) and _is_clean(item) for key, item in value.items())
    return all(map(_is_clean, value)) if isinstance(value, list) else True


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return ids.clean_text(value)
    if isinstance(value, dict):
        return {ids.clean_name(key): _cleaned(item) for key, item in value.items()}
    return [_cleaned(item) for item in value] if isinstance(value, list) else value


def _dicts(items: Any) -> list[dict[str, Any]]:
    """The entries of a list; what is no dictionary stays out, and the schema misses its id."""
    if not isinstance(items, list):
        return []
    return [item if isinstance(item, dict) else {} for item in items]


def is_number(value: object) -> TypeGuard[float]:
    """Whether a value is a finite number, and no boolean."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def is_size(value: object) -> bool:
    """Whether a value is three positive numbers."""
    return (
        isinstance(value, list)
        and len(value) == 3
        and all(is_number(edge) and 0 < edge <= 1e6 for edge in value)
    )
