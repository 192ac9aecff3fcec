"""Plans with apparatus: the errands are searched, the numbers computed, and all is replayed."""
