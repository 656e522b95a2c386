"""What a reader asks: supply nets, odds tables, the historical line, exports."""
