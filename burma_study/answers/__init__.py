"""The shapes in which every game answers: what a page, a study and the command line can show of any of them."""
