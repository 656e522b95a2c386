"""Movement: costs, reach, zones, stacking, marches, reserves and overruns."""
