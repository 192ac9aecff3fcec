"""A person in a scenario: what is typed, what it means, what is told; without any terminal."""
