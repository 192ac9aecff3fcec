"""Reports on whole suites: what can be solved, what labels promise, and what is odd."""
