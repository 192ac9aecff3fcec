"""Models that live elsewhere: a simulator behind a socket as the model of an apparatus.

A world asks and waits: it advances a run as far as its clock has come, over a connection of its own
process, and keeps what it was told. So it may run in a worker, under `earsim lab-serve` or in a
notebook; no loop of events stands between.
"""
