"""Words by which people speak of the small things of the catalogue, by kind and name.

A row has the kind, the name, and what the thing is called otherwise, what it is for, what it is
made of or has. A star stands for any ending.
"""

# ruff: noqa: E501  (a row of the table is a line)

from __future__ import annotations

from typing import Final

KINDS: Final = """
alarm_clock|alarm clock|ring*, wake*, get* us up, alarm, morning, bedside, clock, timepiece, wake up by, wakes us, wakes you, out of bed, ends your sleep, rouse*, sleep*
alarm_clock|table clock|clock, timepiece, tell* the time, hour, ticks, mantelpiece*, shows the time, clock for the table, on a table
audio_guide|audio guide|handset*, talk* visitors, guide, headset, tour, talks visitors, visitor's ear, whispers, explanations, what they're looking at, visitors, tells visitors
audio_guide|tour receiver|receiver, visitors hear the guide, guide, handset*, listen*, tour, whispers, explanations, what they're looking at, visitors, tells visitors
backpack|backpack|hik*, on the back, shoulder*, straps, pack, bag, bag of that kind, hiker*, carries, hiker carries, school bag, trek*, wander*, on a hike
backpack|rucksack|hik*, on the back, shoulder*, straps, pack, bag, bag of that kind, mountain, hiker*, carries, hiker carries, school bag, trek*, wander*, on a hike
backup_tape|backup tape|tape*, backup*, cartridge
backup_tape|data cartridge|cartridge*, tape, data, backup*
badge_reader|badge reader|badge*, reader, entry, pass, checks
badge_reader|card terminal|card*, terminal, pay by card, plastic
ball|basketball|hoop*, shoot*, basket*, ball
ball|handball|thrown by hand, throw*, by hand, ball, indoor team*, goalkeepers, sports hall
ball_bearing|ball bearing|bearing*, shaft
ball_bearing|roller bearing|bearing*, roller*, shaft
battery_pack|battery pack|battery, batteries, accumulator, cell*
battery_pack|drill battery|drill*, battery, batteries, accumulator
book|schoolbook|learn* from, pupils learn, textbook*, volume*, book*, school, lesson*, book for pupils, pupils, lessons
book|atlas|maps, map, atlases, volume*, book of maps, geography, countries
bread|loaf of bread|loaf, loaves, baker*, bread, slices, baked, breads, baker's goods, dough, sandwich*, toast
bread|loaf|loaves, bread, baker*, baked, breads, baker's goods, dough, sandwich*, toast
bunsen|bunsen burner|burner*, flame*, bunsen, gas flame*, flask*, heat*
bunsen|gas burner|burner*, flame*, gas, flask*, heat*
camera|camera|pictures with, photograph*, photo*, take pictures, cameras, take photographs, pictures, portrait*, snap*, birthday*
camera|video camera|film*, films, video*, shoot* films, camcorder, camera*, record, film with, films with, film a, birthday*, camcorder*
candlestick|candlestick|candle*, holder, stand*, light at dinner, light of an evening, evening
candlestick|candle holder|candle*, candlestick, stand*, stick a candle, stand for a candle, light at dinner, light of an evening, evening
carrots|bunch of carrots|carrot*, bunch*, orange root*, root*, rabbit*, pulled, orange vegetable*
carrots|bowl of carrots|carrot*, bowl*, orange root*, root*, rabbit*
catalogue|exhibition catalogue|catalogue*, exhibition*, show*
catalogue|guide book|guidebook*, guide*, book*, sights, travel*, find their way, way round, visitors read
cheese|piece of cheese|cheese, dairy, bit, bits, pieces, from the dairy, milk, mice, gouda, slice, cheddar, wheel, mousetrap
cheese|hard cheese|cheese, dairy, wheel*, grat*, hard cheeses, grate*, pasta, long-ripened, ripened, cheddar, wheel
chef_knife|chef's knife|cook*, chef*, knife, knives, slices, blade*, cleaver, professional, cook's, cook's knife, cook's big blade, big blade, chops, big kitchen blade, kitchen blade, chopping blade, slice onions, professional cooks
chef_knife|boning knife|bon*, butcher*, off the bone, meat, knife, knives, blade*
chocolate_box|box of chocolates|chocolate*, praline*, sweet*, present, gift, box, pack*, pralines, chocolates, confectioner*
chocolate_box|tin of biscuits|biscuit*, cookie*, tin*, tea, crunchy
circuit_board|control board|board*, control, electronic*, circuit
circuit_board|circuit board|board*, circuit*, electronic*, chips
coin|coin|money, coins, struck, piece* of money, pay, small change
coin|medal|medal*, award*, honour*, winner*, pinned, decoration*, hero, ribbon, wears on a ribbon
colour_filter|colour filter|filter*, colour*, tint*, foil, light, lamp
colour_filter|roll of gel|gel, roll*, foil, colour*, light, spotlight
consent_form|consent form|consent*, form*, patient agrees, signs, agree, operation*
consent_form|prescription|doctor writes, prescri*, chemist, what the doctor, chemist's, at the chemist, doctor*
contract|contract|agree*, contract*, two parties, sign, papers, signed, something signed
contract|lease agreement|leas*, rent*, tenant*, landlord*, agreement*, flat, tenan*, renting, rental, renting a flat
cream_bowl|bowl of cream|cream, bowl*, whipp*
cream_bowl|bowl of egg white|egg*, bowl*, beaten, meringue*
crown|crown|king*, crown*, heads, royal, queen*, head, on his head, on her head, headgear, royal headgear, wears on his head
crown|tiara|tiara*, princess*, headpiece*, headdress, jewelled, hair, on her head, on their head, royal headgear, head, wears in her hair, in her hair, headpiece, princess's headgear, headgear, sparkles, sparkle, in her hair
data_disk|data disk|disk*, data, store*
data_disk|measurement disk|disk*, measurement*, readings, measured, files, data, disk for measuring
desk_lamp|desk lamp|lamp*, light*, desk
desk_lamp|task lamp|lamp*, light*, task
desk_phone|desk phone|phone*, telephone*, call*, ring*, office, people up, ring people, office phone*, ring each other, call people, phones
desk_phone|telephone|phone*, telephone*, call*, ring*, talk, people up, ring people, with a cord, ring each other, call people, phones
dressing_pack|dressing pack|dressing*, pack*, wound*, bandage
dressing_pack|pack of bandages|bandage*, pack*, wound*, wrap, dressing*, cut*
fibre_cable|fibre cable|fibre*, cable*, optical, light, glass, lead*
fibre_cable|patch cable|patch*, cable*, lead*, network, plug*, cable
football|football|kick*, lawn, grass, goal, match, ball, soccer, eleven players
football|ball|plain ball, round, ball, toy to throw, throw and catch, play* with, catch, bounc*, plaything*, bounce, bouncing, toy, for children, throw, children throw, plain one
glass|wine glass|wine, goblet*, stem*, riesling, drink*, glass*, red or white, red, drink from, merlot
glass|water glass|water, drink water, drink*, glass*, tumbler*, drink from, thirst*
grease_tin|tin of grease|grease, tin*, lubricat*, smear, slippery
grease_tin|grease tin|grease, tin*, lubricat*, smear, slippery
hand_scanner|inventory terminal|scanner*, stock, inventory, count* stock, terminal*, stock computer*, looking up what's in stock, handheld*
hand_scanner|stock terminal|scanner*, stock, inventory, count* stock, terminal*, stock computer*, looking up, handheld*
handbag|handbag|lad*, bag, bags, purse*, on the arm, ladies', ladies' bag*
handbag|leather bag|leather, hide, bag, bags, ladies
hard_disk|hard disk|disk*, drive*, hard, data
hard_disk|drive module|drive*, module*, data, disk
head_torch|hand lamp|lamp*, light*, hand, torch, dark
head_torch|search lamp|lamp*, light*, search*, beam, dark
headphones|pair of headphones|ears, headphone*, listen* to music, music on the train, pair, set, head, earphone*, listen*, music
headphones|portable speaker|speaker*, loudspeaker*, carry about, picnic, music, play music, plays music, out loud, picnics, box that plays, aloud, plays it, plays the music, plays music aloud
headset|headset|headset*, hands-free, on the head to talk, head, ears, microphone, phone with, telephone agents, take calls, call centre*, talk on calls
headset|pair of headphones|ears, headphone*, listen* to music, music on the train, pair, set, earphone*, listen*, music
headset|stage-manager headset|headset*, stage manager*, hands-free, ears, cue*
headset|cue radio|cue*, radio, talk
infusion_pump|infusion pump|pump*, infusion*, drip*
infusion_pump|syringe pump|pump*, syringe*, syringe, drug*
inspection_lamp|inspection lamp|lamp*, light*, inspect*
inspection_lamp|hand lamp|lamp*, light*, hand, torch
jar_of_honey|jar of honey|honey, bee, bees, beekeeper*, pot, pots, jar*, sweet, spread, bread, golden, bees make
jar_of_honey|honey jar|honey, bee, bees, beekeeper*, pot, pots, jar*, sweet, spread, bread, golden, bees make
jar_of_nails|jar of nails|nail*, jar*, hammer*
jar_of_nails|tin of nails|nail*, tin*, hammer*
kitchen_knife|kitchen knife|knife, knives, chop*, vegetables, onions, slic*, cut*, blade*, what one cuts, kitchen blade*, something to chop
kitchen_knife|chef's knife|cook*, chef*, knife, knives, slices, blade*, professional, cook's, cook's knife, cook's big blade, big blade, chops
lab_notebook|lab notebook|notebook*, notes, lab*, experiments, research*
lab_notebook|log book|log, logs, notes, entries, record*, ship*, diary
lantern_housing|lamp housing|housing*, shell*, casing*, lamp*, case
lantern_housing|lantern body|bod*, lantern*, shell*, casing*, case, body of the lantern
lens_box|lens set|lens*, set*, optic*, glass*
lens_box|box of lenses|lens*, box*, optic*
letter|prop letter|letter*, stage letter, stage*, on stage, actor*, prop, actors' text, actors
letter|scroll|scroll*, parchment*, roll*, rolled, rolled up, rolled-up, rolled-up play
log_book|shift log|shift*, log, logs, diar*, crew*, notes
log_book|maintenance log|maintenance*, log, logs, repairs, upkeep, servic*
mask|mask|mask*, face*, carnival, hid*, hide a face, hides a face
mask|half mask|half mask*, mask*, half a face, eyes, carnival, covers half
medicine_bottle|medicine bottle|medicine*, bottle*, drug*
medicine_bottle|bottle of syrup|syrup*, cough*, bottle*
memory_module|memory module|memor*, module*, ram, stick*
memory_module|processor|processor*, chip*, comput*, calculat*, computer chip, chip in a computer
metronome|metronome|beat, tempo, tick*, pianist*, keep time, musician*, pendulum, ticks, beats time, what ticks, timekeeper*, piano pupils
metronome|wind-up metronome|wind-up, wind up, clockwork*, beat, tempo, tick*, pianist*, musician*, keep time, ticks for musicians, beats time, timekeeper*, piano pupils
metronome|interval clock|interval*, timer*, clock*, beat, musician*, time, times intervals, intervals, clock for the breaks, break, breaks, clock for the interval
microphone|microphone|mike*, mic, mics, singer*, sing*, lips, sing into, speaks into, on stage
microphone|radio microphone|wireless*, mike*, mic, mics, singer*, sing*, cordless, speaks into, host
multimeter|multimeter|tester*, electrician*, meter*, current, measure*
multimeter|voltmeter|volt, volts, voltage, tester*, meter*
necklace|necklace|neck, necks, jewel*, chain*, ladies wear round, round the neck, round her neck
necklace|bracelet|bracelet*, wrist*, jewel*, arm, bangle*
order_book|order book|order*, orders, pad, pads, volume*, customers, ledger, wishes
order_book|recipe book|recipe*, cook*, how to cook, dishes, book*, cook's book, book of dishes, cooking
order_folder|order folder|folder*, binder*, orders, customers
order_folder|job sheet folder|job*, folder*, binder*, sheets, workers
patient_file|patient file|patient*, file*, illness*, folder*, record, patient's record, on the patients, patient's
patient_file|ward file|ward, file*, patients, illness*, folder*, record, on the patients, patient's
peas|bag of peas|pea, peas, green, bag, bags, sack*, little green vegetables, green vegetables
peas|bag of berries|berr*, bag, bags, pack*, fruit*, sweet, soft fruit*, soft fruit, package*
pencil|box of pencils|pencil*, sketch*, draw*, pack, box*, leads
pencil|tin of pencils|pencil*, sketch*, draw*, tin*, leads
pencil_case|case of pencils|pencil*, case*, write, draw*
pencil_case|box of coloured pencils|colour*, rainbow*, draw*, sets, set, pencil*, children, crayon*, drawing things
petri_dish|petri dish|dish*, petri, grow*, germ*, bacteria, colon*, colonies
petri_dish|culture dish|culture*, dish*, grow*, germ*, bacteria, colon*
ph_meter|acidity meter|acid*, sour*, meter*, instrument*, ph meter*, ph, probe
ph_meter|electrode meter|electrode*, meter*, instrument*
pill_box|pill box|pill*, box*, packet*, tablets
pill_box|box of tablets|tablet*, pill*, swallow*, box*, packet*
pipette|pipette|dropper*, drop*, pipette*, suck*, dosing tube*, dose*, dosing, liquid*
pipette|micropipette|dropper*, micro*, drop*, pipette*, finger*, dosing tube*, dose*, dosing, liquid*
plane_iron|plane iron|plane*, iron*, cut*, shaving*, carpenter*, wood, carpenter's plane
plane_iron|plane blade|plane*, blade*, cutter*, cutting iron*, shaving*, carpenter*, wood, carpenter's plane
power_bank|power bank|refill*, on the road, on the go, batter*, topping up, charg*, phone, phone charger*, recharge, brick, mobile*, power on the road, tops up, top up, empty mobile*, charges a phone
power_bank|charging brick|brick*, refill*, on the road, on the go, batter*, charg*, phone, block*, phone charger*, recharge, mobile*, power on the road, tops up, top up, empty mobile*, charges a phone
preserve_jar|jar of jam|jam, jams, jar*, fruit, spread, toast, on toast
preserve_jar|jar of pickles|pickle*, gherkin*, cucumber*, vinegar, sour, jar*
pressure_cuff|blood pressure cuff|blood pressure, cuff*, sleeve*, arm
pressure_cuff|arm cuff|arm, cuff*, sleeve*, blood pressure, squeeze*
puzzle|maths puzzle|puzzle*, brain-teaser*, brain teaser*, number*, riddle*, maths, sums, number puzzle*, number riddle*, teaser*, number teaser*, brainteaser*
puzzle|tangram|puzzle*, seven, seven-piece, flat shapes, shapes, tangram*, seven-piece puzzle*, puzzle of seven, shape puzzle*, brainteaser*
radio|radio|radio*, news, broadcast*, station*
radio|kitchen radio|radio*, kitchen, news, music, station*
radio|two-way radio|radio*, talk*, two-way, distance, press
radio|walkie-talkie|radio*, talk*, distance, walkie*
receipt_roll|order ledger|ledger*, order*, volume*, customers, accounts, sales, book of orders
receipt_roll|price list|price*, list*, list of prices, what things cost, tells customers what things cost, customers what
report|report|report*, results, account*, findings, papers, written account, written up, write-up
report|annual report|year*, annual*, account*, yearly, firm*, compan*, yearly accounts, report on the year, figures, figures for the year, whole business year, business year, write-up, company's account
saline_bag|saline bag|salt water, saline, drip*, pouch*, bag*, vein*, dripped, dripped into a vein, into a vein
saline_bag|infusion bag|drip*, infusion*, pouch*, bag*, drip, vein*, dripped
salt_jar|jar of salt|salt, jar*, sprinkle*, egg
salt_jar|powder jar|powder*, jar*, glass
score|score|music, conductor*, sheet music, notes, orchestra, score*, conductor reads, musicians play, musician's sheets, conductor's
score|script|script*, lines, play, actor*, text, actors' text
shackle|lamp clamp|clamp*, grip*, spotlight*, hold* a lamp, lamp, clip*, fix*, spotlights, holds a lamp, clamp for lamps
shackle|shackle|shackle*, link*, rigger*, chain, hook*, ring, hang*
shoes|pair of boots|boot*, footwear, feet, winter, mud*, pair, sturdy, muddy, muddy hike, rain, rainy, puddles, puddle*
shoes|pair of shoes|shoe*, feet, foot, footwear, walk*, pair, walk in, walking
smoke_detector|smoke detector|smoke*, fire*, alarm*, detector*, burn*
smoke_detector|alarm siren|siren*, alarm*, burglar*, howl*, fire
spice_jar|jar of cloves|clove*, jar*, spice*, buds, mulled wine, little brown buds
spice_jar|jar of peppercorns|pepper*, grind*, steak, spice*, pot*, jar*, berries, grind over, over a steak
stirrer|magnetic stirrer|stir*, magnet*
stirrer|stirring plate|stir*, plate*
strap_set|ratchet strap|strap*, ratchet*, belt*, band*, tie loads, tighten*, lever, load, tying down, tie*, driver*, drivers tie
strap_set|lashing strap|strap*, lash*, belt*, band*, tie loads, load, tying down, tie*, driver*, drivers tie
table_lamp|table lamp|lamp*, light*
table_lamp|reading lamp|lamp*, light*, read*
tablet|school tablet|tablet*, pupils tap, tap on, flat, screen*, touchscreen*, school*, swipe on, people swipe, touch screen, device*
tablet|class laptop|laptop*, computer*, lessons, classroom, fold-up, pupils, screen, school, pupils' computer*, portable
tablet|tablet|tablet*, flat, touchscreen*, screen*, tap, swipe, swipe on, people swipe
tablet|tablet computer|tablet*, flat, touchscreen*, screen*, tap, swipe, computer*, swipe on, people swipe, touchscreen, device*, touch screen
thermometer|thermometer|fever, thermometer*, temperature
thermometer|ear thermometer|ear, fever, thermometer*, temperature
tickets|roll of tickets|ticket*, roll*, admission
tickets|bundle of programmes|programme*, bundle*, stack*, theatre, leaflet*, bundles, stack, theatregoer*, audience*
torch|torch|torch*, light*, dark, beam
torch|flashlight|flashlight*, torch*, light*, dark, beam
transceiver|transceiver box|transceiver*, box*, light, optic*
transceiver|optics box|optic*, box*, light
usb_stick|usb stick|stick*, usb, files, plug*, data, little stick
usb_stick|boot stick|boot stick*, boot*, stick*, start
vaccine_vial|vaccine vial|vaccin*, jab*, vial*
vaccine_vial|insulin vial|insulin, diabet*, vial*, diabetics
waybill|waybill|travel* with a load, load, freight, papers, goods, papers that travel, freight paper, freight
waybill|delivery note|delivery, deliver*, note*, papers, goods, comes with goods, sent, slip*, came along with, parcel, paper that came along
wine_bottle|bottle of wine|wine*, vine*, grape*, bottle*, bottled, drink, vintage, good drop, drop, merlot, riesling, cork*
wine_bottle|bottle of cider|cider*, apple*, ferment*, bottle*, drink
work_gloves|pair of work gloves|glove*, hands, work, pair
work_gloves|pair of gloves|glove*, hands, pair
worksheet|worksheet|exercise*, worksheet*, tasks, pupils, papers, sheet*
worksheet|letter to parents|letter*, parents, school sends, families, home, school, mums, dads, mums and dads, mothers and fathers
wrist_watch|wristwatch|watch*, wrist*, timepiece*, tells the time, arm to tell the time, wear to tell the time, on the arm, for the arm, timepiece for the arm, watch for the arm
wrist_watch|pocket watch|chain, watch*, timepiece*, waistcoat*, pocket*, on a chain, waistcoat, old-fashioned
"""
