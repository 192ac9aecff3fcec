"""Plans with apparatus: getting one ready is searched, its numbers are computed."""
