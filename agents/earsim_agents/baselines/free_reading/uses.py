"""What tools are for, in the words that people have for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from earsim_agents.baselines.free_reading.words import words_of

_FORMS: Final = """
adjust: adjust, adjusting, adjustment, adjustments, set, setting
arm_alarm: arm, arming
assemble: assemble, assembling, assembly
bake: bake, baking
boil: boil, boiling
calibrate: calibrate, calibrating, calibration, calibrations
check_pressure: pressure
chop: chop, chopping
clean: clean, cleaning, cleans
cook: cook, cooking
cool: cool, cooling, chill, chilling
copy: copy, copying, copies, duplicate, duplicating
cut: cut, cutting, cuts
disarm_alarm: disarm, disarming
disassemble: disassemble, disassembling, dismantle, dismantling, apart
drill: drill, drilling, bore, boring
dry: dry, drying
erase: erase, erasing, rub, wipe
extinguish: extinguish, extinguishing, douse, flames
fill: fill, filling, fills
freeze: freeze, freezing
fry: fry, frying
glue: glue, gluing, glueing, stick, sticking
grate: grate, grating
grind: grind, grinding
hang_up: hang, hanging
heat_up: heat, heating, warm, warming
ignite: ignite, igniting, light, lighting, fire
inflate: inflate, inflating, blow, blowing, pump, pumping, air
install: install, installing, installation
iron: iron, ironing, press, pressing, creases
label: label, labelling, labeling, labels
loosen: loosen, loosening, loose
mash: mash, mashing
mend: mend, mending
mix: mix, mixing
mount: mount, mounting
pack: pack, packing
paint: paint, painting
peel: peel, peeling
photograph: photograph, photographing, photos, pictures, photo, picture
polish: polish, polishing, shine, shining
pulverize: pulverize, pulverise, pulverizing, pulverising, powder
recharge: recharge, recharging, charge, charging, recharges, charges
refuel: refuel, refuelling, refueling, fuel
repair: repair, repairing, repairs, fix, fixing, fixes
rinse: rinse, rinsing
roast: roast, roasting
sand: sand, sanding
saw: saw, sawing
scan: scan, scanning, scans
scan_barcode: barcode, barcodes
screw: screw, screwing, screws
seal: seal, sealing, seals
season: season, seasoning
serve: serve, serving
set_table: table, tables
sew: sew, sewing, stitch, stitching
sharpen: sharpen, sharpening, sharp, edge
shred: shred, shredding
sign: sign, signing, signature, signatures
slice: slice, slicing
solder: solder, soldering
staple: staple, stapling
sterilize: sterilize, sterilise, sterilizing, sterilising, sterile, germs
stir: stir, stirring
tighten: tighten, tightening, tight
tune_instrument: tune, tuning
unscrew: unscrew, unscrewing, undo, undoing, undoes
unseal: unseal, unsealing, seals
unstaple: unstaple, unstapling, staples
unwrap: unwrap, unwrapping
varnish: varnish, varnishing
verify: verify, verifying, verification
water: water, watering
weigh: weigh, weighing, weighs
weld: weld, welding
whisk: whisk, whisking
wipe: wipe, wiping
wrap: wrap, wrapping
write: write, writing
"""
_BEFORE: Final = words_of(
    "for to the we you one they you'd that can which use used everyone people do does help helps "
    "whatever us things stuff of i"
)
_TOOL: Final = words_of(
    "tool thing item object device gadget utensil implement instrument equipment apparatus helper "
    "aid kit whatever what something anything one appliance machine piece stuff that which means "
    "gear "
    "kind helpers"
)
_WITH: Final = words_of("with for use used using")
_NEAR: Final = 6


class ToldUse(NamedTuple):
    """What a thing is for, in a text."""

    start: int
    end: int
    ability: str


@cache
def _by_form() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for row in _FORMS.strip().splitlines():
        ability, forms = row.split(": ")
        told = forms.split(", ")
        for form in dict.fromkeys([*told, f"{told[0]}s"]):
            found.setdefault(form, []).append(ability)
    return found


def uses_in(
    tokens: Sequence[str], taken: Iterable[int], abilities: frozenset[str]
) -> list[ToldUse]:
    """Where a text tells a thing by what it is for.

    Args:
        tokens: Of the text.
        taken: Tokens that are parts of names.
        abilities: Of what has been perceived; all that are known if empty.
    """
    return list(_uses(tokens, frozenset(taken), abilities))


def _uses(
    tokens: Sequence[str], taken: frozenset[int], abilities: frozenset[str]
) -> Iterator[ToldUse]:
    last = -1
    for at, token in enumerate(tokens):
        if at in taken or at < last or token not in _by_form():
            continue
        known = [each for each in _by_form()[token] if not abilities or each in abilities]
        if not known:
            continue
        begin = _begin(tokens, at, taken)
        if begin is None:
            continue
        span = tokens[begin : at + 5]
        words = set(span)
        ability = next((each for each in known if each.replace("_", " ") in " ".join(span)), "")
        ability = ability or _other(known, words)
        end = at + 1
        while end < len(tokens) and end not in taken and tokens[end] in _TAIL:
            end += 1
        last = end
        yield ToldUse(begin, end, ability)


_TAIL: Final = words_of("things stuff something anything up tool thing item with out")


def _other(known: list[str], words: set[str]) -> str:
    if "seals" in words and "unseal" in known and words & {"break", "off", "open", "breaking"}:
        return "unseal"
    return known[0]


def _begin(tokens: Sequence[str], at: int, taken: frozenset[int]) -> int | None:
    """Where a phrase such as `whatever we use for cutting` begins."""
    before = at - 1
    behind = tokens[at + 1 : at + 2]
    if behind and behind[0] in _TOOL - {"what", "whatever", "that", "which", "one"}:
        return at  # the cutting tool
    if before < 0 or tokens[before] not in _BEFORE:
        return None
    for start in range(before, max(-1, before - _NEAR), -1):
        if start in taken or tokens[start] in ".;:!?":
            return None
        if tokens[start] == "one" and start and tokens[start - 1] in ("whatever", "what"):
            continue
        if tokens[start] in _TOOL and tokens[start] not in ("that", "which"):
            cues = set(tokens[start : at + 4])
            if cues & _WITH - {"use", "used"} and tokens[before] != "the":
                return start
            if tokens[before] in ("that", "which", "can", "to", "whatever", "what"):
                return start
            if tokens[before] == "the" and set(tokens[start:at]) & {"does", "do", "doing"}:
                return start
    return None
