"""Hexes as labels, neighbours, distances, outlines and places on the globe."""
