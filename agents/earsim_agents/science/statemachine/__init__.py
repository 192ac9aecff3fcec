"""State machine agent: a typed state, a router and a table of allowed moves (Millison et al.)."""
