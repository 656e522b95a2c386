"""What the set-ups of every game are written with: areas of a map, a table of errata, and turns that count dates."""
