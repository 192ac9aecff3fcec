"""Words by which people speak of rooms, by their names.

A row has a name and what the room is called otherwise or is for. A star stands for any ending.
"""

from __future__ import annotations

from typing import Final

ROOMS: Final = """
accounts office|accounts, figures, bookkeep*
admissions office|admission*, newcomers, admitted
alterations room|alter*, sewn, seams
archive|files, records
art room|paint*, art
artists' corridor|passage, artists, corridor
assembly hall|assembl*, gather
back bedroom|bedroom, sleep*, back
back garden|garden*, outside, out in
back store|back, store, reserves
backdrop studio|backdrop*
backstage corridor|backstage, corridor, passage
bakery|bak*, ovens
ballet studio|ballet, danc*, dancers
bar|drinks, bar, bartender
basement|downstairs, cellar, down there
bathroom|bath*, shower
battery room|batter*
bedroom|sleep*, bedroom
blood laboratory|blood
box office|tickets, box office
break room|break
cafeteria|lunch, eat
canteen corner|workers, lunch, corner, eat, canteen
caretaker's room|caretaker*, janitor
cellar|below, cellar, downstairs
charging room|charg*, batteries
checkout|pay, till, cash
chef's office|chef*, office
chemicals store|chemical*, dangerous
chemistry lab|chem*
children's room|children, kids
chiller room|chill*, cool*, cold
classroom 1a|1a
classroom 2b|2b
classroom 3c|3c
clean room|dust, clean, spotless
clinic laboratory|lab*, samples
cloakroom|coat*, cloak*
clothes department|clothes, dresses, wear
cold aisle|cold, aisle
cold kitchen|cold
cold room|cold, fridge
collection room|collection*, specimens
conference room|conference*, meet*
control room|control*, watched, monitored
cooling plant|cool*
cooling roof|roof, cool*
copy room|cop*
corner office|corner
craft room|craft*, handicraft
crate store|crate*
curator's office|curator*
delivery bay|deliver*
delivery room|deliver*, come in
delivery yard|yard, deliver*
depot|depot, stored
diesel room|diesel, runs
dining room|guests, dine, eat, meals
director's office|director*, boss
dishwashing room|dishes are washed, dishes, dish*, washed
dispatch office|dispatch*
dispensary|dispens*, medicines
display window|window, passers-by, shown
drawing office|drawing, drawn
dressing room|dress*, wounds
drivers' room|driver*
dry store|dry
electronics department|electronic*, tvs
electronics room|electronic*, circuits
entrance hall|entrance, comes in
entrance lock|lock, entrance, guarded
equipment store|equipment
fashion department|fashion, dresses, clothes, coats
file store|file*
fly gallery|fly, ropes
forklift garage|forklift*
foyer|foyer, entrance
front office|front
furniture department|furniture, wardrobes
garage|car, cars, garage, parked
garden|garden*, outside, out in
generator house|generator*
glass-washing room|glass*, glassware, washed
goods entrance|goods arrive
grand foyer|grand, foyer, audience
ground floor|ground, downstairs, floor
group office|group
guard room|guard*
guest room|guest*
hall|hall
hallway|hall
hardware store|hardware
hazardous goods store|dangerous, hazard*
home office|home, office
hot kitchen|hot, cooking
household department|household
instrument room|instrument*
kitchen|cook*, kitchen
kitchenette|coffee, kitchenette
lab workshop|workshop, lab
landing|stairs, landing
larder|food is kept
laundry|wash*, laundry
left wing|left, wing
lighting bridge|bridge, light*
living room|living
loading dock|load*, lorries, dock
lobby|lobby, entrance
mail room|mail, letters, post
main hall|hall, main
main kitchen|main, big kitchen
main stage|stage, main
manager's office|manager*
manuscript room|manuscript*
measuring room|measur*
meeting room|meet*
mezzanine|mezzanine, upper
museum archive|archive
museum courtyard|courtyard, court, outside
museum lobby|lobby, museum
museum shop|shop, souvenirs
music room|music, taught
network room|network*
nursery|children, play
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
pass|dishes, waiters
pastry kitchen|cake*, pastr*, sweet
pharmacy|medicine*, pharmacist
photo studio|photo*
physics room|physics
picking zone|pick*
picture store|pictures, paintings
playground|play*, break
portrait gallery|portrait*, faces
porter's lodge|porter*, lodge
post room|post, letters, mail
preparation room|prepar*
print room|print*
prop store|prop, props
property room|props, property
provision room|provision*, supplies, food
ramp one|ramp, one
ramp two|ramp, two
reading room|read*
reception area|reception, received, welcomed
registrar's office|registrar*
rehearsal stage|rehears*
repair room|repair*, mend*
restoration workshop|restor*
restorer's studio|restor*, studio
returns department|return*
returns room|return*
right wing|right, wing
roof deck|roof
salad kitchen|salad*
sales floor|sales, sold
sales office|sales
school canteen|canteen, eat, lunch
school corridor|corridor, passage, classes
school library|library, borrow
school stage|stage, plays
schoolyard|yard, schoolyard, break
science room|science
scullery|dish*
sculpture court|sculpture*, statues
sea gallery|sea, ships
security desk room|security, guard*
security lock|security, lock, guarded
server closet|server*
service workshop|workshop, service, mend*, serviced
serving pass|pass, waiters
sewing room|sew*, sewn
shift office|shift*
shop window|window, passers-by
sitting room|sit, sitting, family
small-parts zone|screws, small
spare-parts store|spare*, parts
special exhibition|special, exhibition
stage|actors, play, stage
stage carpentry|carpent*, scenery, built
stage door|door
staff common room|staff, teachers, common
staff room|staff
staging area|stag*
stairwell|stair*, steps
sterile store|steril*, germ*
sterile supply room|steril*, germ*, supply
stockroom|stock*
stone hall|stone*
storage hall|storage, stored
study|studies, study
synthesis lab|synthesis, made
taproom|tap*, beer, drinks
tea kitchen|tea
teachers' room|teacher*
test bench room|test*
theatre foyer|foyer, theatre
till area|till, pay
trap room|trap
treasure chamber|treasure*, chamber
treatment room|treat*
understage|under the stage
unpacking room|unpack*
upper deck|upper, deck, up there
utility room|utility, washing
wash-up room|wash*
workshop|workshop
write-up room|write, written up, write-up
yard|yard, outside
"""
