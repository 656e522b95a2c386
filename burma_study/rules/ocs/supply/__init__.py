"""Supply: trace, stores on the map, the Supply Phase."""
