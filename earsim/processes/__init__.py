"""How a world changes while time passes: couplings, flows, batteries, and the moments that matter.

`earsim.dynamics` has the laws, `earsim.world.timeline` the values; here they are joined. Between
two moments every coupling is constant. `elapse` lets time pass.
"""
