"""Who gives the orders of a side of OCS Burma."""
