"""Words by which people speak of rooms, by their names.

A row has a name and what the room is called otherwise or is for. A star stands for any ending.
"""

from __future__ import annotations

from typing import Final

ROOMS: Final = """
accounts office|books are kept, accounts, figures, sums are done, bookkeep*
admissions office|admission*, newcomers, signed in, admitted
alterations room|alter*, clothes are changed, sewn, seams
archive|old papers, files, records, documents are kept
art room|paint*, drawing lessons, art
artists' corridor|passage, artists, corridor, actors pass
assembly hall|assembl*, whole school, gather
back bedroom|bedroom, sleep*, back
back garden|garden*, outside, out in, at the back
back store|back, store, reserves
backdrop studio|backdrop*, painted scenery
backstage corridor|backstage, corridor, passage, behind the stage
bakery|bak*, ovens, bread is made
ballet studio|ballet, danc*, dancers
bar|drinks, bar, bartender
basement|below the house, downstairs, cellar, down there
bathroom|bath*, shower, wash oneself
battery room|batter*
bedroom|sleep*, one sleeps, bedroom
blood laboratory|blood, blood is tested
box office|tickets are sold, tickets, box office
break room|break, staff take their break, coffee break
cafeteria|lunch, eat
canteen corner|workers, lunch, corner, eat, canteen
caretaker's room|caretaker*, janitor
cellar|wine is kept, below, cellar, downstairs
charging room|charg*, forklifts are charged, batteries
checkout|pay, customers pay, till, cash
chef's office|chef*, office
chemicals store|chemical*, dangerous
chemistry lab|chem*
children's room|children, play and sleep, kids
chiller room|chill*, cool*, cold
classroom 1a|1a, first class*
classroom 2b|2b
classroom 3c|3c
clean room|dust, clean, no dust, spotless
clinic laboratory|lab*, clinic's lab, samples
cloakroom|coat*, cloak*
clothes department|clothes, coats and dresses, dresses, wear
cold aisle|cold, aisle
cold kitchen|cold, cold dishes
cold room|cold, fridge
collection room|collection*, specimens
conference room|conference*, meet*
control room|control*, watched, monitored
cooling plant|cool*
cooling roof|roof, cool*
copy room|cop*, copies are made
corner office|corner
craft room|craft*, handicraft
crate store|crate*
curator's office|curator*
delivery bay|deliver*
delivery room|deliver*, deliveries arrive, come in
delivery yard|yard, deliver*
depot|museum keeps, depot, stored, not on show
diesel room|diesel, runs
dining room|guests, dine, eat, meals
director's office|director*, boss
dishwashing room|dishes are washed, dishes, dish*, washed
dispatch office|dispatch*, shipments are sent
dispensary|dispens*, medicines, medicines are handed out, handed out
display window|window, passers-by, shown
drawing office|drawing, plans are drawn, drawn
dressing room|dress*, wounds are dressed, wounds
drivers' room|driver*
dry store|dry, dry goods
electronics department|electronic*, tvs
electronics room|electronic*, circuits
entrance hall|entrance, comes into the building, comes in, coming in, everyone comes in
entrance lock|lock, entrance, guarded
equipment store|equipment
fashion department|fashion, dresses, clothes, coats
file store|file*, folders are kept
fly gallery|fly, above the stage, ropes
forklift garage|forklift*
foyer|foyer, entrance
front office|front
furniture department|furniture, sofas and wardrobes, wardrobes
garage|car, cars, garage, parked
garden|garden*, outside, out in, flowers grow
generator house|generator*
glass-washing room|glass*, glassware, washed
goods entrance|goods arrive, goods come in
grand foyer|grand, foyer, audience
ground floor|ground, downstairs, floor
group office|group
guard room|guard*
guest room|guest*
hall|hall
hallway|hall
hardware store|hardware
hazardous goods store|dangerous, hazard*
home office|works at home, home, office
hot kitchen|hot, cooking
household department|household, pots and pans
instrument room|instruments are kept, instrument*
kitchen|cook*, kitchen
kitchenette|coffee, kitchenette, tea is made
lab workshop|workshop, lab
landing|stairs, landing
larder|food is kept
laundry|wash*, washing is done, laundry, clothes are washed
left wing|left, wing
lighting bridge|bridge, light*
living room|living, family sits
loading dock|load*, lorries are loaded, lorries, dock
lobby|lobby, entrance
mail room|mail, letters, post
main hall|hall, main, big hall
main kitchen|main, big kitchen, main cooking
main stage|stage, main, play is shown
manager's office|manager*
manuscript room|manuscript*, old writings
measuring room|measur*
meeting room|meet*, meetings are held
mezzanine|mezzanine, half floor, upper
museum archive|archive, museum's papers, old papers, museum keeps its records
museum courtyard|courtyard, court, outside
museum lobby|lobby, museum, visitors enter
museum shop|shop, souvenirs, museum's shop
music room|music, music is taught, taught
network room|network*
nursery|children, play, little ones
nurses' station|nurse*, nurses
open-plan office|open, share
operating theatre|operat*, surgeon*, surgery, operations
operations centre|operations, centre
orchestra pit|orchestra, musicians, pit
packing hall|pack*
packing room|pack*
packing station|pack*
paint loft|paint*, loft
pantry|food is kept
pass|dishes, waiters, plates are handed
pastry kitchen|cake*, pastr*, sweet
pharmacy|medicine*, handed out, pharmacist
photo studio|photo*, pictures are taken
physics room|physics
picking zone|pick*, orders are picked
picture store|pictures are stored, pictures, paintings
playground|play*, break, pupils spend
portrait gallery|portrait*, faces
porter's lodge|porter*, lodge
post room|post, letters, mail
preparation room|prepar*, lessons are prepared
print room|print*
prop store|prop, props
property room|props, property
provision room|provision*, supplies, food
ramp one|ramp, one
ramp two|ramp, two
reading room|read*
reception area|reception, received, visitors are received, welcomed, visitors are welcomed
registrar's office|registrar*
rehearsal stage|rehears*
repair room|repair*, mend*, broken goods
restoration workshop|restor*
restorer's studio|restor*, studio
returns department|return*, brought back, sent back
returns room|return*, brought back, sent back
right wing|right, wing
roof deck|roof, top of the building
salad kitchen|salad*
sales floor|sales, sold
sales office|sales
school canteen|canteen, pupils eat, eat, lunch
school corridor|corridor, passage, classes
school library|library, borrow
school stage|stage, plays
schoolyard|yard, schoolyard, break, pupils spend
science room|science
scullery|dish*, washing up, pots are washed
sculpture court|sculpture*, statues
sea gallery|sea, ships
security desk room|security, guard*
security lock|security, lock, guarded
server closet|server*
service workshop|workshop, service, mend*, serviced
serving pass|pass, plates wait, waiters
sewing room|sew*, things are sewn, sewn
shift office|shift*
shop window|window, passers-by
sitting room|sit, sitting, family
small-parts zone|small parts, screws, small
spare-parts store|spare*, parts
special exhibition|special, exhibition
stage|actors, play, stage
stage carpentry|carpent*, scenery is built, scenery, built
stage door|door, actors come in, artists come in
staff common room|staff, teachers, common
staff room|staff, take their breaks
staging area|stag*, set up
stairwell|stair*, steps
sterile store|steril*, germ*
sterile supply room|steril*, germ*, supply
stockroom|stock*
stone hall|stone*
storage hall|storage, stored
study|studies, study, desk work
synthesis lab|synthesis, substances are made, made
taproom|tap*, beer, drinks
tea kitchen|tea, tea is made
teachers' room|teacher*, teachers sit between lessons, teachers take their break
test bench room|test*
theatre foyer|foyer, audience waits, theatre
till area|till, pay
trap room|trap
treasure chamber|treasure*, chamber
treatment room|treat*, patients are treated
understage|under the stage, below the stage
unpacking room|unpack*
upper deck|upper, deck, up there
utility room|utility, washing
wash-up room|wash*, washed up, washing up
workshop|workshop
write-up room|write, written up, write-up
yard|yard, outside
"""
