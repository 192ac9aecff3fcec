"""Every kind of finding with an example: one file, broken in one place at a time.

The messages on the page are what the loader and the validator really say.
"""

from __future__ import annotations

from typing import NamedTuple

from earsim.certificates.validation import check_scenario, warnings_of
from earsim.schema import FileError, SceneFile, parse

FILE = "shed.yaml"

SOUND = """\
schema: earsim.scene/1
id: shed
rooms:
  - {id: shed, name: Shed, connects: [yard]}
  - {id: yard, name: Yard}
  - {id: loft, name: Loft}
doors:
  - {id: hatch, name: Hatch, between: [shed, loft], key: small_key}
objects:
  - {id: bench, name: Bench, kind: furniture, in: shed, mass_kg: 40}
  - {id: box, name: Box, kind: item, on: bench, mass_kg: 2, container: {capacity_l: 9}}
  - {id: rag, name: Rag, kind: item, in: box, mass_kg: 0.1, provides: [clean]}
  - {id: small_key, name: Key, kind: item, in: box, mass_kg: 0.1}
  - {id: mug, name: Mug, kind: item, on: bench, mass_kg: 0.3, states: {is_dirty: true}}
tasks:
  - id: clean_mug
    category: tool_use
    agents: [{id: kim, max_mass_kg: 20}]
    select: {target: {only: {name: Mug}}}
    goal: {all: [{has_state: {object: $target, state: is_dirty, equals: false}}]}
    instruction: "Clean the {target}."
    walkthrough: [EXPLORE, GOTO bench, GRAB rag, CLEAN mug]
"""
"""A file with nothing wrong in it."""


_CLEAN = "has_state: {object: $target, state: is_dirty, equals: false}"


class Slip(NamedTuple):
    """One way to get the file wrong: replace `old` by `new`."""

    what: str
    old: str
    new: str


LAYERS: dict[str, tuple[Slip, ...]] = {
    "Not a file of ours": (
        Slip("not YAML", "name: Shed,", "name: [Shed,"),
        Slip("nothing in it", SOUND, ""),
        Slip("no dictionary", SOUND, "- shed\n"),
        Slip("no `schema`, or one unknown", "scene/1", "scene/9"),
        Slip("a key given twice", "id: shed\n", "id: shed\nid: shed\n"),
        Slip("anchors, aliases, tags", "rooms:\n", "rooms: &all\n"),
        Slip("several documents", "tasks:\n", "---\ntasks:\n"),
    ),
    "Keys and values": (
        Slip("a required key is missing", "kind: furniture, ", ""),
        Slip("an unknown key", "mass_kg: 40", "mas_kg: 40"),
        Slip("a quantity without a known unit", "mass_kg: 40", "mass_kg: 40, shine_glim: 3"),
        Slip("not one of the words allowed", "kind: furniture", "kind: furnitur"),
        Slip("a number where it cannot be", "mass_kg: 0.3", "mass_kg: -1"),
        Slip("text where a number belongs", "mass_kg: 0.3", "mass_kg: light"),
        Slip("an id that is none", "id: mug", "id: my mug"),
        Slip("a size that is no triple", "id: mug,", "id: mug, size_m: [0.1, 0.1],"),
        Slip("`in` and `on` together, or neither", "on: bench, mass_kg: 0.3", "mass_kg: 0.3"),
        Slip("a goal or selector with an unknown key", "has_state:", "has_stat:"),
        Slip("a `quantity` goal without a bound", _CLEAN, "quantity: {object: mug, of: mass_kg}"),
        Slip("an `at` goal without a place", _CLEAN, "at: {object: mug}"),
    ),
    "References": (
        Slip("an id used twice", "id: mug", "id: box"),
        Slip("a holder that does not exist", "on: bench, mass_kg: 2", "on: bensh, mass_kg: 2"),
        Slip(
            "in something that is no container", "in: box, mass_kg: 0.1", "in: bench, mass_kg: 0.1"
        ),
        Slip("in or on a door", "on: bench, mass_kg: 0.3", "on: hatch, mass_kg: 0.3"),
        Slip("objects in a circle", "kind: furniture, in: shed", "kind: furniture, on: mug"),
        Slip("`connects` to an unknown room", "[yard]", "[jard]"),
        Slip("`connects` to itself", "[yard]", "[shed]"),
        Slip("a door into an unknown room", "between: [shed, loft]", "between: [shed, left]"),
        Slip(
            "a door with one room on both sides", "between: [shed, loft]", "between: [shed, shed]"
        ),
        Slip(
            "a door locked and open", "key: small_key}", "states: {is_open: true, is_locked: true}}"
        ),
        Slip("a key that does not exist", "key: small_key", "key: smal_key"),
        Slip("a verb that does not exist", "provides: [clean]", "provides: [cleen]"),
    ),
    "Tasks": (
        Slip("an agent with a taken id", "id: kim", "id: mug"),
        Slip("an agent in an unknown room", "id: kim,", "id: kim, in: garage,"),
        Slip("a goal about an unknown object", "object: $target", "object: mugg"),
        Slip(
            "a goal about the wrong kind of thing", _CLEAN, "inside_room: {object: mug, room: box}"
        ),
        Slip("an unknown `$name`", "$target", "$taget"),
        Slip("an unknown `{name}` in the instruction", "{target}.", "{targe}."),
        Slip("an unknown id in the walkthrough", "CLEAN mug]", "CLEAN mag]"),
        Slip("an unknown agent in the walkthrough", "CLEAN mug]", "{tom: CLEAN mug}]"),
    ),
    "Found by playing (`earsim validate`)": (
        Slip("a selector with no answer, or several", "{name: Mug}", "{kind: item}"),
        Slip("a tie", "{only: {name: Mug}}", "{smallest: mass_kg, among: {kind: item}}"),
        Slip("a goal that is true at the start", "equals: false", "equals: true"),
        Slip("a command of the walkthrough is refused", "GRAB rag, ", ""),
        Slip("a walkthrough that does not win", ", CLEAN mug]", "]"),
    ),
    "Warnings of `earsim validate`": (
        Slip("a room that no way leads to", "connects: [yard]", "connects: []"),
        Slip("a room behind a door that nobody can open", "tasks:", "abilities: [clean]\ntasks:"),
    ),
}


def findings_of(slip: Slip) -> list[str]:
    """What is said about the file with one slip in it."""
    assert SOUND.count(slip.old), f"{slip.what}: {slip.old!r} is not in the file"
    try:
        loaded = parse(SOUND.replace(slip.old, slip.new, 1), source=FILE)
    except FileError as error:
        return [str(finding) for finding in error.findings]
    assert isinstance(loaded, SceneFile)
    return [
        said
        for each in loaded.scenarios()
        for said in (*map(str, check_scenario(each)), *map("warning: {}".format, warnings_of(each)))
    ]


_INTRODUCTION = """\
Messages of the loader and of `earsim validate`, by example. All errors of a file are reported at
once, as `FILE:LINE: PLACE: what was found (what was expected)`. A warning begins with the word and
leaves the file valid. This file is sound:"""


def findings_page() -> str:
    """The page: the sound file, and every slip with its message."""
    assert findings_of(Slip("sound", SOUND, SOUND)) == []
    parts = [
        "# Findings",
        _INTRODUCTION,
        f"```yaml\n{SOUND}```",
        "Each example below is this file with one slip in it.",
    ]
    for layer, slips in LAYERS.items():
        parts.append(f"## {layer}")
        for slip in slips:
            found = findings_of(slip)
            assert found, f"{slip.what}: nothing was found"
            shown = " ".join((slip.new.strip() or slip.old.strip()).split())
            written = "" if slip.old == SOUND else f": `{shown}`"
            verb = " left out" if not slip.new.strip() and slip.old != SOUND else ""
            parts.append(f"**{slip.what[:1].upper()}{slip.what[1:]}**{written}{verb}")
            parts.append("```text\n" + "\n".join(found) + "\n```")
    return "\n\n".join(parts)
