"""A map as data: terrain, hexsides, routes and places; shortest paths; charts with their provenance."""
