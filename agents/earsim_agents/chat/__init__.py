"""A model in an episode: what it is sent, in which style, and what is kept of the exchange."""
