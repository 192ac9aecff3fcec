"""Words for numbers of things, beside those that comparisons of errands have.

A row has what a number's key begins with, words that tell which number is meant, beginnings of
adjectives for more of it, and of such for less.
"""

from __future__ import annotations

from typing import Final

from earsim_agents.baselines.free_reading.words import words_of

ROWS: Final = """
mass|weigh, weighing, weighed, weight, mass, heaviness, scales, lightness, kilos, outweighs, \
outweigh, heft|heav, weight, hefti|light
price|price, cost, costs, costing, pay, paid, money, cheapness, priced, expense, sells|dear, pric,\
 costl, expensive|cheap, inexpensive
age|age, years, year, days, hours, newness, date, make, oldness, youth, made, around, existed,\
 freshness|old, elder, ancient, earl, aged|new, young, recent, fresh, late, modern
worth|worth, value, valued, valuable|valuable, precious|
charge|charge, charged, battery, power, full, juice, flat, empty|full, charged|flat, empt, drained
content_|holds, hold, held, content, contents, filled, fill, room, litres, volume|full, big, room|\
empt
contents_mass|load, loaded|heav|light
temperature|temperature, heat, degrees, warmth|warm, hot|cool, cold, chill
sheets|pages, page, sheets, thickness|thick, long|thin, slim, short
loans|loans, loan, lent, borrowed|popular|
runtime|runtime, run, runs, running, lasts, last|long|short
distance|distance, travel, travels, journey, far, farthest, trip, way|far, long, distant|\
near, short, close
deviation|deviation, deviates, error, accuracy, wrong, off, time, reading|inaccurate, imprecise|\
accurate, exact, precise, true, better
error|error, errors, wrong, accuracy|inaccurate, imprecise|accurate, exact, precise
fat|fat, fattiness, fatty|fatt|lean
shelf_life|shelf, keeps, keep, life, lasts, expiry|long|short, soon, perish
power|power, watts, watt, draws, kilowatts|strong, powerful|weak
moisture|moisture, moist, damp, wet, water|moist, damp, wet|dry, dri
sugar|sugar, sweetness|sweet|sour, tart
memory|memory|big|small
screen|screen, diagonal|big, large|small
usable_volume|volume, room, space, usable, holds, hold|room, spacious, big|small
capacity|capacity, holds, hold, room, fits, volume, space|room, big, large, spacious|small
postage|postage, stamps|dear, costl|cheap
seat_height|seat, height|high, tall|low
spread_length|length, spread, laid, long|long|short
storage|storage, store, space, memory, room|room, big|small
visits|visits, visited, visit, visitors|often|
reading|reading, reads, shows, read|high|low
drawn_out_length|drawn, pulled, length, extended|long|short
arm_girth|girth, arms, arm|thick|thin
blade_length|blade|long|short
runout|runout|untrue|true
ribbon_length|ribbon|long|short
washes|washes, washed, wash|often|
wall_thickness|wall, walls|thick|thin
brightness|brightness, light, bright, shines|bright, brilliant|dim, dark, faint
moulding_width|moulding|wide, broad|narrow
strap_length|strap, length|long|short
rope_thickness|rope, thickness|thick|thin
residue|residue|dirt|clean
salt|salt, saltiness|salt|
leg_length|leg, legs|long|short
span|span, spans|wide, long|narrow
discount|discount, reduced, reduction|reduced|
bore|bore, opening|wide|narrow
alcohol|alcohol, strength|strong|weak
acidity|acidity, acid, ph|alkaline, basic|acid, sour
fading|fading, faded|faded|
tempo|tempo, speed|fast, quick|slow
current|current, amps|strong|weak
flow|flow, pumps|fast, strong|slow, weak
noise|noise, loudness|loud, nois|quiet, silent
volume_db|noise, loudness, volume, sound|loud|quiet, soft
speed|speed|fast, quick, speed, swift|slow
hardness|hardness|hard|soft
softness|softness|soft|hard
zoom|zoom, magnification|strong|weak
wavelength|wavelength, waves|long|short
purity|purity|pure|impure
pitch|pitch, tone, tuned|high, shrill|deep, low
pressure|pressure|high|low
payload|payload, carries, bear, bears, load, carry|strong, sturd|weak
reach|reach, range, reaches, far|far, long|near, short
viscosity|viscosity|thick, viscous|thin, runn
tape_length|tape, length|long|short
humidity|humidity|humid, damp|dry
length|length, long|long|short
width|width, wide|wide, broad|narrow, slim
height|height, high|tall, high|short, low
depth|depth, deep|deep|shallow
thickness|thickness, thick|thick, fat|thin, slim
"""

VAGUE_MORE: Final = (
    "most", "highest", "largest", "greatest", "biggest", "longest", "maximum", "top", "richest",
    "strongest", "widest", "furthest", "farthest", "deepest", "fullest", "best", "oftenest",
    "roomiest", "fastest", "loudest", "thickest", "tallest",
)  # fmt: skip
VAGUE_LESS: Final = (
    "least", "lowest", "smallest", "fewest", "minimum", "shortest", "poorest", "weakest",
    "narrowest", "tiniest", "thinnest", "slowest", "nearest", "closest", "shallowest", "bottom",
)  # fmt: skip
COMPARED_MORE: Final = words_of(
    "more higher larger greater bigger longer above exceeds exceed exceeding beats beat "
    "surpasses tops further farther wider stronger better beyond outdoes outdo richer"
)
COMPARED_LESS: Final = words_of(
    "less lower smaller fewer shorter below under lesser weaker narrower poorer beneath"
)
OWN_VERBS: Final = {
    "outweigh": ("mass", True), "outweighs": ("mass", True), "outweighing": ("mass", True),
    "outweighed": ("mass", True), "predate": ("age", True), "predates": ("age", True),
    "predating": ("age", True), "older": ("age", True), "outprices": ("price", True),
    "postdate": ("age", False), "postdates": ("age", False), "postdating": ("age", False),
    "outlasts": ("runtime", True), "outlast": ("runtime", True), "outranks": ("age", True),
    "undercut": ("price", False), "undercuts": ("price", False), "undercutting": ("price", False),
}  # fmt: skip
