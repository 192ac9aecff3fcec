"""Words by which people speak of furniture that things lie on, by its names.

A row has a name and what it is called otherwise or is for. A star stands for any ending.
"""

from __future__ import annotations

from typing import Final

FURNITURE: Final = """
baker's table|baker*, kneads, knead*, cakes
bar counter|bar, counter
bed|sleep*, bed
bedside table|bed, night
canteen counter|counter, snack*
canteen table|table, eat, lunch, drivers', canteen
chef's desk|desk, chef*
chest of drawers|drawer*
coffee table|coffee, sofa
condenser stand|stand, condenser*, roof
conference table|table, meet*
console desk|desk, console, operator*
curator's desk|desk, curator*
desk|write, writing
dining table|eat, meals, table, dining
dispatch desk|desk, dispatch*
double sink|sink, wash*
experiment table|table, experiment*
fitting stool|stool
front desk|desk
gallery bench|bench, sit, gallery
garden table|table, garden, outside
hobby bench|bench, hobby
kitchen counter|counter, kitchen
kitchen table|table, eat, kitchen
lab bench|bench, lab*
lab sink|sink, glassware, washed, wash*
laboratory bench|bench, lab*
lifting table|table, lift*, hydraulic
lighting desk|desk, light*
lounge sofa|sofa, sit, lounge
low platform|platform, low
low table|table, low
manager's desk|desk, manager*
meeting table|table, meet*
office desk|desk, office
optical table|table, optic*, laser
packing bench|bench, pack*, parcels
packing table|table, pack*, parcels
paint table|table, paint*
porter's desk|desk, porter*
prop table|table, prop, props
pupil's desk|desk, pupil*, student
reading table|table, read*
reception counter|counter, desk, reception, visitors
repair bench|bench, repair*, mend*, broken
restorer's table|table, restor*
roller conveyor|conveyor, roller*, belt
sales table|table, sale*, sold
scientist's desk|desk, scientist*
scrub sink|sink, surgeon*, scrub, wash
sorting table|table, sort*, parcels, mail
spill pallet|pallet, spill*, spills
staff table|table, staff
stage carpenter's bench|bench, carpenter*, scenery, joiner
stage platform|platform, rostrum, stage
standing desk|desk, stand*
station desk|desk, nurses*, station
steel table|table, steel
tea counter|counter, tea
teacher's desk|desk, teacher*
test bench|bench, test*
ticket desk|desk, ticket*
till desk|desk, till, cash*
trap lift|lift, trap
treatment couch|couch, treated, examin*
velvet sofa|sofa, velvet, soft
workbench|bench
worktop|top, kitchen
writing desk|desk, writing
yard bench|bench, outside
"""
