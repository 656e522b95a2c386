"""Scenario files: read, check, and build the start state."""
