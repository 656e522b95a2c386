"""The game protocol, orders, records, dice and saves: knows no game."""
