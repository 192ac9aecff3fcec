"""Words by which people speak of numbers of things, and of more or less of them.

A row has what a number's key begins with, words that tell which number is meant, words for more of
it and words for less. A star stands for any ending.
"""

from __future__ import annotations

from typing import Final

MEASURES: Final = """
age|age, years, around, exist*, further back, goes back, go back, went back, came later, \
in newness, by age|\
longest-serving, longest-existing, longest-standing, old, older, oldest, \
elder*, eldest, earl*, ancient|\
new, newe*, newness, young*, recent*, fresh*, late*
arm_girth|girth, arms, arm size|thick*, wide*, big*|thin, thinn*, narrow*, small*
badges|badges|busiest|quietest
balls|balls
bandage_width|width, bandage|wide*, broad*|narrow*, slim*
beam_range|range, beam, far, reach*, shine*|far*, long*|near*, short*
blade_length|blade*, length, long, short|long*|short*
bore|bore*, hole, opening|wide*, big*|narrow*, tight*
brightness|light, brightness, bright*, lumen*|bright*|dim*, dark*, faint*
cable_length|length, cable, long|long*|short*
calls|calls, call|busiest
capacity|capacity, store*, hold*, charge*|large*, big*, great*|small*
carrots|carrots, carrot, number of|full*
chain_length|chain, length|long*|short*
channels|channels, channel
charts|charts, chart, diagrams
chips|chips
cocoa|cocoa, rich*|dark*, richest
colonies|colonies, growing
copies|copies
cues|cues, cue
cycles|cycles, charged
deviation|deviat*, error, wrong, off, right time, accura*, goes wrong, measure*, time|\
inaccura*, wrongest, imprecise, worst, worse|\
exact*, accurate*, precise*, closest, best, better, keeps the best time, least far off
difficulty|difficult*|difficult*, hard*, trick*, tough*|easy, easi*, simple*
discount|discount*, reduc*, off, price reduction, price cut, knocked off|
dose|dose*, strength, dosage|strong*|weak*, mild*
doses|doses, dose
drift|drift*|unstead*|stead*, stable
entries|entries, entry
error|error*, wrong, off, exact*, accura*|inexact*, inaccura*, wrongest|exact, accurate*, precise*
errors|errors, error
fading|fad*
fat|fat, fatty|fat, fatt*|lean*, low in fat
feathers|feathers, feather
files|files
flame_temperature|flame*, temperature, burns, hot|hot*|cool*, cold*
flow|flow*, pump*|fast*, quick*, strong*|slow*, weak*
focal_length|focal*, length|long*|short*
foil_length|foil*, length|long*|short*
frequency|frequenc*, sends|high-pitched
grain_size|grain*, size|coarse*|fine*
hardness|hard, hardness|hard*|softe*
heat|heat, hot, spicy|hott*, spic*, sharp*|mild*
heel_height|heel*, heels|high*, tall*|flat*, low*
incidents|incident*
lenses|lenses
lines|lines
loss|loss*, lose*
melting_point|melt*|
memory|memory
modules|modules
nail_length|length, nails|long*|short*
nails|nails, number of
payload|bear*, load, carry, carries, payload|strong*, sturd*|weak*
pencils|pencils, pencil, number of|full*
pieces|pieces, piece, parts
pockets|pockets, pocket
power|power, watt*, draw*|strong*, powerful*|weak*
price|price*, cost, costs, costing, pay, paid, sell*, spend, fetch*, asks, buy, bought for, \
get, had for, sold, money, cheapness|\
dear*, expensive*, costl*, pric*, highest-priced, for more, \
for a higher|for less, for a lower, cheap*, inexpensive*, lowest-priced, bargain*
purity|pur*, purity|pure, purer, purest|impure*
reach|reach*, far, distance, get as far|far*, long*|near*, short*
runs|runs, run
runtime|running, run, runtime|long*|short*
sales|sales, sold
salt|salt*|salti*|
scans|scans, scan
scenes|scenes, scene
sheets|pages, page, sheets, thick*, thinn*, long, read|thick*, long*|thin, thinn*, short*, slim*
shelf_life|shelf, keep*, spoil*, goes off, go off, last*, expir*, good for, stay good, usable, \
stays good, stay usable|\
longest-keeping, longer-keeping, late*|soon*, early, earli*, perish*, \
first to go off, first to spoil
sole_length|sole*, length|long*|short*
speed|speed, mhz, fast, computes|fast*, quick*|slow*
stones|stones, stone
storage|storage, store*, hold*, space, files|roomy, roomi*
strap_length|length, strap|long*|short*
sugar|sugar, sugary, sweet*|sweet*|sour*, tart*
alcohol|alcohol*, strength|strong*|weak*, light*
tablets|tablets
tasks|tasks, exercises
tempo|tempo, beat, speed, beats|fast*, quick*|slow*
term|term, runs, run, lasts, last|long*|short*, soonest, sooner
tickets|tickets
tracks|tracks, track
transmission|transmi*, lets through, let through|bright*, clear*|dark*
voltage|volt*
volume_db|volume, noise, play, plays, ring, rings, sound*|loud*|quiet*, soft*, gentl*
volume_ul|volume, holds, hold|large*, big*|small*
wavelength|wave*|long*|short*
worth|worth, valu*|valuable*|
writes|writes, written
zoom|zoom*, magnif*|strong*, far*|weak*
"""

MORE: Final = """
more, most, longer, longest, long, further, furthest, farther, farthest, far, higher, highest, high,
larger, largest, greater, greatest, bigger, biggest, big, wider, widest, much, above, exceed*,
maximum, better, richest, richer, rich, stronger, strongest, fullest,
fuller, well, beat*, longest-serving, longest-existing, top, outlast*, outdo*, surpass*, over
"""

LESS: Final = """
as little as possible, less, least, fewer, fewest, few, lower, lowest, low, smaller, smallest,
small, shorter, shortest, short, tiniest, minimum, below, under, undercut*, nearer, nearest,
poorest, poorer, lesser, narrower, narrowest, bottom
"""
