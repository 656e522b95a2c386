"""OCS Burma behind the page: its session, words, cards, moves, advice, historical line and policies."""
