"""Scientific workflow tasks: what an episode of one came to, and what judges say of ideas."""
