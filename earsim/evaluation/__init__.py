"""Running policies over suites, and measuring what they did."""
