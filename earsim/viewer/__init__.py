"""The page that shows what happened: episodes of one or more runs, decision by decision."""
