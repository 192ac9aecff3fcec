"""Teams because of loads: too heavy for each, too large for one, locked in with who is strong."""

from __future__ import annotations

from random import Random

from earsim_generators.families.draft import Fields
from earsim_generators.families.teams.crew import (
    BULKY,
    COMPACT,
    HEAVY,
    Crew,
    Person,
    drafted,
    inside,
    on,
    put,
    said,
)

_BRING = (
    "Bring the {{{thing}}} to the {{{table}}}.",
    "The {{{thing}}} belongs on the {{{table}}}: see to it.",
    "Make sure that the {{{thing}}} stands on the {{{table}}} in the end.",
)
_TWO = (
    "Bring the {{{heavy}}} to the {{{table}}}, and the {{{bulky}}} to the {room}.",
    "The {{{bulky}}} goes to the {room}, the {{{heavy}}} onto the {{{table}}}.",
    "We need the {{{heavy}}} on the {{{table}}} and the {{{bulky}}} over in the {room}.",
)
_OUT = (
    "The {{{thing}}} is in the {room}, which is locked. Get it onto the {{{table}}}.",
    "Somehow the {{{thing}}} got locked up in the {room}; it is wanted on the {{{table}}}.",
    "Put the {{{thing}}} onto the {{{table}}}. The {room}, where it is, is locked.",
)


def weight(rng: Random, difficulty: str) -> Fields:
    """A load that no agent lifts alone, for another room."""
    draft = drafted(rng, difficulty)
    kind = rng.choice(HEAVY)
    load = put(draft, kind, start := rng.choice(draft.rooms))
    table = draft.table(draft.other_room(start))
    shares = (rng.uniform(0.62, 0.9), rng.uniform(0.62, 0.9))
    people = [
        Person(rng.choice(draft.rooms), float(round(share * kind.mass_kg))) for share in shares
    ]
    crew = Crew(draft, *people)
    crew.outings[0].open_doors()
    crew.side_by_side()
    for outing in crew.outings:
        outing.to(load)
    there = draft.room_of(table)
    crew.jointly(f"CORP_GRAB {load}", f"CORP_GOTO {there}")
    crew.outings[0].say("EXPLORE")
    crew.jointly(f"CORP_GOTO {table}", f"CORP_PLACE {load} on {table}")
    instruction = said(rng, _BRING, thing=load, table=table)
    task = {"id": "weight", "goal": {"all": [on(load, table)]}, "instruction": instruction}
    return crew.document(task, title="A heavy load")


def size(rng: Random, difficulty: str) -> Fields:
    """Two things: one too heavy for one agent, one too large for the other."""
    draft = drafted(rng, difficulty)
    compact, long = rng.choice(COMPACT), rng.choice(BULKY)
    heavy = put(draft, compact, here := rng.choice(draft.rooms))
    bulky = put(draft, long, there := rng.choice(draft.rooms))
    table, room = draft.table(draft.other_room(here)), draft.other_room(there)
    reach = (1.2, 0.9, 0.6)
    weak_kg = float(int(max(long.mass_kg + 2, compact.mass_kg * rng.uniform(0.6, 0.85))))
    strong = Person(rng.choice(draft.rooms), float(round(compact.mass_kg * 1.4)), reach)
    crew = Crew(draft, strong, Person(rng.choice(draft.rooms), weak_kg))
    crew.outings[0].open_doors()
    crew.side_by_side()
    crew.outings[0].fetch(heavy)
    crew.outings[0].put_on(heavy, table)
    crew.outings[1].fetch(bulky)
    crew.outings[1].walk(room)
    words = {"heavy": heavy, "bulky": bulky, "table": table, "room": draft.room_name(room).lower()}
    goal = [on(heavy, table), inside(bulky, room)]
    task = {"id": "size", "goal": {"all": goal}, "instruction": said(rng, _TWO, **words)}
    return crew.document(task, title="Long and heavy")


def shut_in(rng: Random, difficulty: str) -> Fields:
    """Who is strong enough is locked in with the load; the key is outside with the other."""
    draft = drafted(rng, difficulty)
    kind = rng.choice(COMPACT)
    vault = rng.choice(draft.dead_ends)
    door = draft.lock(vault)
    outside = draft.other_room(vault)
    key = draft.item(
        "Key",
        mass_kg=0.05,
        size=(0.08, 0.03, 0.005),
        on=draft.table(draft.other_room(vault)),
    )
    draft.give_key(door, key)
    load = put(draft, kind, vault)
    table = draft.table(draft.other_room(vault))
    strong = Person(vault, float(round(kind.mass_kg * rng.uniform(1.2, 1.6))))
    weak = Person(outside, float(int(kind.mass_kg * rng.uniform(0.4, 0.85))))
    crew = Crew(draft, strong, weak)
    porter, opener = crew.outings
    opener.fetch(key)
    opener.unlock(door, vault)
    crew.side_by_side()
    porter.fetch(load)
    porter.put_on(load, table)
    words = {"thing": load, "table": table, "room": draft.room_name(vault).lower()}
    task = {"id": "shut_in", "goal": {"all": [on(load, table)]}}
    return crew.document({**task, "instruction": said(rng, _OUT, **words)}, title="Locked in")
