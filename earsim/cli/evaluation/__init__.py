"""Commands that evaluate: eval, merge, report, export-log, view, serve."""
