"""The turn: sequence, weather, arrivals, replacements, control and victory."""
