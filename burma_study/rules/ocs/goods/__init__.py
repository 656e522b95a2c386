"""Goods: payment, losses, transport, railways, works."""
