"""Studies: a question about policies, from the choice of tasks to a report, in four stages."""
