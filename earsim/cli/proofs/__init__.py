"""Commands that judge tasks: plan, certify, audit, stats, export-pddl."""
