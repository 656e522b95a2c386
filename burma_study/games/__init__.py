"""The games in the house: a folder each, found by `registry` alone."""
