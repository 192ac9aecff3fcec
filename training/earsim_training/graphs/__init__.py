"""Graph observations for learners: read without ids and names, played, and scored by a network."""
