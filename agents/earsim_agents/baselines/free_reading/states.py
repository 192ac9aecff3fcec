"""Words for states of things, and for what brings them about.

A row has a state, words that tell that it is so, and words that tell that it is not. A word may be
several joined by `+`, which all have to be near.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from earsim_agents.baselines.free_reading.words import words_of

ROWS: Final = """
is_open|open, opened, opening, unclosed, ajar|closed, close, shut, closing, shutting
is_dirty|dirty, soiled, filthy, grubby, grimy, stained, messy, mucky, unwashed, dirt, grime, \
muck, stains|clean, cleaned, cleaning, dirt+free, \
spotless, wash, washed, cleanse, scrub, scrubbed, unsoiled, scrubbing
is_on|on+switched, on+switch, on+turn, on+turned, running, on+is, on+are, on+powered|\
off+switched, off+switch, off+turn, off+turned, off
is_labeled|label, labelled, labeled, labels|unlabelled, unlabeled, no+label, without+label
is_broken|broken, defective, faulty, damaged, out+order, not+works, not+work, no+longer+work, \
bust, \
not+working, kaput, defect|works, work, working, repair, repaired, mend, mended, fix, fixed, \
intact, \
whole, order+working, unbroken
is_plugged_in|plugged, socket, plug, mains|unplugged, unplug
is_connected|connected, connect, hooked, connection, hook+up, attached, linked|disconnected, \
disconnect, unhooked, unconnected, detach
is_covered|covered, cover, cloth+over|uncovered, uncover, bare
is_locked|locked, lock|unlocked, unlock
is_sealed|sealed, seal+put, seal+on, seal|unsealed, unseal, seal+break, seal+broken, seal+off, \
seal+without, seal+no, seal+open, broken+open, seal+remove
is_rolled|rolled, roll, rolling|unrolled, unroll, spread, flat+out, roll+out
is_folded|folded, fold, creased, folding|unfolded, unfold, spread, folds
is_charged|charged, charge, recharge, recharged, full+battery, fill+up, power, juice, charging|\
uncharged, discharged, flat, empty
is_muted|sound+switched+off, sound+off, muted, mute, silenced, silent, silence|unmuted, unmute, \
sound+on, sound+back, audible, \
sound+again
is_polished|polished, polish, shine, gleam, gleaming, shining, shiny, lustre, gloss, sheen, buff|\
unpolished, dull, no+shine
is_wet|wet, soaked, damp, moist|dry, dried
is_barcode_scanned|barcode, barcodes, bar+code|barcodes+unscanned, barcode+unscanned, \
barcode+unread, \
barcodes+not, barcode+not, barcode+never
is_calibrated|calibrated, calibrate, calibration|uncalibrated
is_zipped|zipped, zip, zipper|unzipped, unzip, zip+open
is_wrapped|wrapped, wrap, wrapping, gift+paper|unwrapped, unwrap, wrapping+off, wrapping+out, \
wrapping+remove
is_hung_up|hung, hang, hanging, hangs, hook|unhung, down+take
is_lowered|lowered, lower, down+let, down+comes, down+come, lowering|raised, raise, up+wind, \
up+comes, lift
is_painted|painted, paint, coat+paint|unpainted
is_wound_up|wound, wind, coiled, coil|unwound, unwind, uncoil
is_loose|loose, loosened, loosen|tight, tightened, tighten, firm, tightening
is_active|active, activated, activate, activation|inactive, deactivated, deactivate
is_weighed|weighed, weight+taken, scales+been, weighing|unweighed
is_inserted|inserted, insert|ejected, eject, out+pull
is_photographed|photographed, photograph, photo, picture, camera, photographing|unphotographed
is_verified|verified, verify, verification|unverified
is_tied|tied, tie, string, knot, bound, corded|untied, untie
is_glued|glued, glue, stick+back|unglued, peel
is_tuned|tuned, tune, tuning, tune+in|untuned, out+tune
is_sterile|sterile, sterilised, sterilized, sterilise, sterilize, germs+kill, germs+free, \
germs+rid, germ+free, germfree, \
sterilisation, sterilization, disinfect|unsterile, germs, germ
is_mounted|mounted, mount, mounting|unmounted, unmount, dismount
is_hot|hot|cold
is_sewn|sewn, sew, stitched, stitch, needle|unsewn
is_buckled|buckled, buckle|unbuckled, unbuckle
is_inflated|inflated, inflate, pumped, pump, air|deflated, deflate, flat
is_signed|signed, sign, signature, signatures, autograph|unsigned, no+signature, without+signature
is_screwed_in|screwed, screw|unscrewed, unscrew
is_stapled|stapled, staple|unstapled, unstaple, staples+out, staples+off, staples+remove, staples
is_scanned|scanned, scan, scanner, scanning|unscanned
is_copied|copied, copy, duplicated|uncopied
is_running|running, run, going|stop, stopped, stand+still, halt
is_varnished|varnished, varnish|unvarnished
is_adjusted|adjusted, adjust|unadjusted, maladjusted
is_cut|cut|uncut
is_watered|watered, water, drink, thirsty|unwatered
is_assembled|assembled, assemble, together+put, build|disassembled, disassemble, dismantle, apart
is_hidden|hidden, hide|revealed, visible, reveal
is_ironed|ironed, iron, creases, pressed|unironed, creased
is_installed|installed, install, installation|uninstalled, uninstall
is_frozen|frozen, freeze|thawed, thaw, defrost, defrosted
is_saved|saved, save, backup|unsaved
is_seasoned|seasoned, season, seasoning, salt+pepper, spice|unseasoned
is_sharp|sharp, sharpened, sharpen|blunt, dull
is_rinsed|rinsed, rinse, rinsing|unrinsed
is_cooked|cooked, cook|raw, uncooked
is_written_on|written, write, writing|blank, erase
is_sliced|sliced, slice, slices|unsliced, uncut
is_peeled|peeled, peel|unpeeled
is_chopped|chopped, chop|unchopped
is_alarm_armed|armed, arm, alarm+on, arming|disarmed, disarm, alarm+off, alarm, disarming
is_alight|alight, lit, light, burn, burning, ignite, lighted, flame|out, extinguished, extinguish
is_synced|synced, sync|unsynced
is_kneaded|kneaded, knead|unkneaded
is_drilled|drilled, drill, hole|undrilled
is_ground|ground, grind|unground
is_solved|solved, solve|unsolved
is_served|served, serve|unserved
is_boiling|boiling, boil|
is_fried|fried, fry|
is_stirred|stirred, stir|unstirred
is_sanded|sanded, sand, smooth|unsanded, rough
is_pulverized|pulverised, pulverized, powder|
is_mixed|mixed, mix|unmixed
is_mended|mended, mend, darned, torn+mend|torn, ripped
is_welded|welded, weld|unwelded
is_pressure_checked|pressure+check, pressure+checked, pressure|unchecked
is_soldered|soldered, solder|unsoldered
is_roasted|roasted, roast|
is_fueled|fuelled, fueled, fuel, refuel|
is_whisked|whisked, whisk|
is_shredded|shredded, shred|
is_mashed|mashed, mash|
is_baked|baked, bake|
is_table_set|set+table, laid|
is_sawn|sawn, saw|
is_grated|grated, grate|
"""
_NOT: Final = words_of(
    "not no without never none nothing unless neither nor lack lacks lacking missing nobody"
)
_NEAR: Final = 5


class StateWord(NamedTuple):
    """A word for a state in a text.

    Attributes:
        at: The token.
        state: What it tells of.
        value: Whether that is so.
        weight: More for several words.
    """

    at: int
    state: str
    value: bool
    weight: float


@cache
def _rows() -> dict[str, tuple[tuple[tuple[str, ...], bool], ...]]:
    found: dict[str, tuple[tuple[tuple[str, ...], bool], ...]] = {}
    for line in ROWS.replace("\\\n", "").strip().splitlines():
        state, good, bad = line.split("|")
        told = [(tuple(term.split("+")), True) for term in good.split(", ") if term]
        told += [
            (tuple(term.strip().split("+")), False) for term in bad.split(", ") if term.strip()
        ]
        found[state] = tuple(told)
    return found


def state_words(tokens: Sequence[str], states: Sequence[str]) -> list[StateWord]:
    """Words of a text for some states; what is denied is told the other way round."""
    found: list[StateWord] = []
    for state in states:
        for words, value in _rows().get(state, ()):
            for at, token in enumerate(tokens):
                if token != words[0]:
                    continue
                near = tokens[max(0, at - _NEAR) : at + _NEAR + 1]
                if not all(word in near for word in words):
                    continue
                denied = len(words) == 1 and is_denied(tokens, at)
                weight = 1.0 + 0.7 * (len(words) - 1)
                found.append(StateWord(at, state, value is not denied, weight))
    return found


def is_denied(tokens: Sequence[str], at: int) -> bool:
    """Whether a word is denied by one before it."""
    before = tokens[max(0, at - 4) : at]
    for mark in (".", ",", ";", ":", "!", "?"):
        if mark in before:
            before = before[len(before) - before[::-1].index(mark) :]
    return any(token in _NOT for token in before)
