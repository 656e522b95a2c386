"""Those who give orders in a reader's place: what a policy is, its dice, and the run of a game by policies."""
