"""Delete relaxations of both rulesets: what can ever be held, moved, entered or changed."""
