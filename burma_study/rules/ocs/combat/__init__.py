"""Combat: odds, battles, barrages, retreats."""
