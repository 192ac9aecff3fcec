"""Words and phrases: numbers, names, quantities, states, goals, instructions."""
