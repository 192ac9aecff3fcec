"""The page that shows what happened: episodes of one or two runs, decision by decision."""
